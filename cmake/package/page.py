"""The packages of others that the page of `synchroscope report` is made of, by what its sources import."""

import json
import re


def imported(build):
    """Their folders: those that a source of the page names, and what these depend on."""
    work = build / "report"
    names = {name.split("/")[0] for source in (work / "src").rglob("*.ts")
             for name in re.findall(r"from ['\"]([a-z][^'\"]*)['\"]", source.read_text(encoding="utf-8"))}
    found = {}
    while names:
        name = names.pop()
        found[name] = work / "node_modules" / name
        names |= set(manifest(found[name]).get("dependencies", {})) - set(found)
    return list(found.values())


def manifest(folder):
    return json.loads((folder / "package.json").read_text(encoding="utf-8"))


def licence(folder):
    files = sorted(path for path in folder.glob("*") if path.name.startswith(("LICEN", "NOTICE")) and path.is_file())
    files += sorted(path for path in (folder / "licenses").glob("*") if path.is_file())
    return "\n".join(path.read_text(encoding="utf-8") for path in files)
