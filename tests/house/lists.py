"""Checks that lists written by hand have all of the catalog and of the library: lists.py PROJECT_FOLDER

synchro.hpp includes the header of every primitive of the catalog; tests/library/whole.cpp reaches all headers of the
library and has an instance of every such primitive; and each has its page. The page of what headers cost has those that
synchro.hpp includes. The index of docs has every page, or the one that it stands below. Prints what is missing; exit
status 1 if anything is.
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs"))
import essays

LINE = re.compile(r"^(lock|wake) +([a-z0-9_/]+) *:", re.M)
INCLUDE = re.compile(r'^#include "(synchro/[^"]+\.hpp)"', re.M)
PICKED = re.compile(r"synchro/(cpu|os)/")  # which of these a program includes is up to its compiler and its system


def catalog(project):
    """(kind, path below its room) of each line of ours."""
    return LINE.findall((project / "src" / "catalog" / "catalog.txt").read_text())


def reached(project, header, seen=None):
    """All headers of the library that this file includes, and they."""
    seen = set() if seen is None else seen
    for name in INCLUDE.findall(header.read_text()):
        if name not in seen:
            seen.add(name)
            reached(project, project / "include" / name, seen)
    return seen


def class_of(project, kind, path):
    """The class template that a line stands for: the one that its name is another name of, if it is."""
    name = f"basic_{path.split('/')[-1]}" + ("_lock" if kind == "lock" else "")
    text = (project / "include" / "synchro" / f"{kind}s" / f"{path}.hpp").read_text()
    alias = re.search(rf"using {name} = ([a-z_]+)<", text)
    return alias[1] if alias else name


def how_to_have_a_page(header):
    if "\nProblem. " in essays.essay_of(header):
        return "run ./dev docs"
    return f"the essay that {header.name} begins with has no paragraph that begins with 'Problem. '"


def missing(project):
    """Sentences, one for each thing that a list has not, in the order of the lists."""
    whole = project / "tests" / "library" / "whole.cpp"
    library = project / "include" / "synchro"
    of_synchro, of_whole = INCLUDE.findall((library / "synchro.hpp").read_text()), reached(project, whole)
    sentences = []
    for kind, path in catalog(project):
        stem = path.split("/")[-1]
        if f"synchro/{kind}s/{path}.hpp" not in of_synchro:
            sentences.append(f"include/synchro/synchro.hpp does not include {kind}s/{path}.hpp")
        if not re.search(rf"^template class {class_of(project, kind, path)}<", whole.read_text(), re.M):
            sentences.append(f"{whole.relative_to(project)} has no instance of {class_of(project, kind, path)}")
        if not (project / "docs" / f"{kind}s" / f"{stem}.md").exists():
            sentences.append(f"docs/{kind}s/{stem}.md is not there: {how_to_have_a_page(library / f'{kind}s' / f'{path}.hpp')}")
    for header in sorted(library.rglob("*.hpp")):
        name = f"synchro/{header.relative_to(library)}"
        if name not in of_whole and not PICKED.match(name):
            sentences.append(f"{whole.relative_to(project)} does not reach {name}")
    costs = (project / "docs" / "headers.md").read_text()
    untold = [name for name in of_synchro if f"| `{name}` |" not in costs]
    sentences += [f"docs/headers.md has no row for {name}: run ./dev docs" for name in untold]
    return [*dict.fromkeys(sentences + not_in_index(project / "docs"))]


def not_in_index(docs):
    """Sentences, one for each page that the index of docs does not lead to."""
    index = (docs / "README.md").read_text()
    pages = [page for page in docs.glob("*.md") if page.name != "README.md"] + list(docs.glob("*/README.md"))
    names = sorted(page.relative_to(docs).as_posix() for page in pages)
    return [f"docs/README.md does not name {name}" for name in names if f"]({name})" not in index]


def main():
    sentences = missing(pathlib.Path(sys.argv[1]))
    for sentence in sentences:
        print(sentence)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
