#!/usr/bin/env python3
"""Prints the library as one header: single_header.py PROJECT_FOLDER

Every header keeps its own guard, so the result and the library's folder can be used side by side. What is included within a
condition is written there, even if it is written again elsewhere: on another system that place is not compiled. The locks
that patents may cover (docs/rights.md) are not in it; with the library's folder on the include path they are found there.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include "(synchro/[^"]+)"')
OPENS, CLOSES = re.compile(r"\s*#\s*if"), re.compile(r"\s*#\s*endif")
# Found in their folder or not at all; chosen by the system; in need of another project's header.
APART = re.compile(r"synchro/locks/hierarchical/")
NO_DOORS = re.compile(APART.pattern + r"|synchro/(os/|cpu/|helgrind\.|sanitized\.)")
SPDX = "// SPDX-License-Identifier: MIT"


def expanded(folder, name, written):
    """The lines of a header, in place of each include those of the header that it names, unless written already."""
    written.add(name)
    depth = 0
    lines = []
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        depth += bool(OPENS.match(line)) - bool(CLOSES.match(line))
        wanted = INCLUDE.match(line)
        if not wanted or APART.match(wanted[1]) or not (folder / wanted[1]).exists():
            lines.append(line)
        elif wanted[1] not in written:
            # The header's own guard is no condition: depth 1 is compiled wherever the header is.
            lines += expanded(folder, wanted[1], written if depth == 1 else set(written))
    return lines


def single_header(project):
    numbers = re.findall(r"#define SYNCHRO_VERSION_[A-Z]+ (\d+)", (project / "include/synchro/version.hpp").read_text())
    licence = (project / "LICENSE").read_text(encoding="utf-8")
    head = [f"// Synchroscope's library {'.'.join(numbers)} in one header, made from the folder include/synchro.", SPDX, "//",
            *(f"// {line}".rstrip() for line in licence.splitlines()), ""]
    folder = project / "include"
    written = set()
    lines = []
    for path in sorted(folder.rglob("*.hpp")):
        name = path.relative_to(folder).as_posix()
        if name not in written and not NO_DOORS.match(name):
            lines += expanded(folder, name, written)
    return "\n".join(head + lines) + "\n"


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(single_header(pathlib.Path(sys.argv[1])))
