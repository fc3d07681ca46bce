"""Checks that every floor includes only what it says it stands on: floors.py SOURCE_FOLDER LIBRARY_FOLDER PAGE_FOLDER

A floor's CMakeLists.txt names the floors below it (house_floor, house_module, house_recipes). The compiler would accept any
other include, for all floors share one include folder. The library stands on nothing. Every file is included by its name
from there: a path by way of ".." is refused wherever it leads. Prints each wrong include and each circle; exit status 1 if
there is one. The modules of the report's page have no floors, and no circles either, of types neither.
"""

import pathlib
import re
import sys

DECLARATION = re.compile(r"house_(?:floor|module|recipes)\((\w+)([^)]*)\)", re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([a-z_]+|\.\.?)/([^">]+)[">]', re.M)
GENERATED = re.compile(r"\b([a-z_]+)/([a-z_/]+\.hpp)\b")  # what catalog_rows lets its units include
IMPORT = re.compile(r"^(?:import|export)\b[^;]*?\bfrom '(\.[^']*)';", re.M)
SOURCES = {".hpp", ".cpp", ".in", ".txt"}


class Floors:
    """What the CMakeLists.txt files declare: floor to the floors it names."""

    def __init__(self, root):
        self.below = {"catalog": set()}  # headers only: the type of a line of the catalog
        for lists in sorted(root.glob("*/CMakeLists.txt")):
            for name, rest in DECLARATION.findall(lists.read_text()):
                self.below[name] = set(rest.split())
        for named in self.below.values():
            named &= set(self.below)
            named.add("catalog")
        self.below["catalog"] = set()

    def reachable(self, floor):
        return reachable(self.below, floor)


def reachable(below, one, path=()):
    """All that stands below; raises ValueError for a circle."""
    if one in path:
        raise ValueError(" -> ".join([*path[path.index(one):], one]))
    found = set()
    for lower in below[one]:
        found |= {lower} | reachable(below, lower, (*path, one))
    return found


def circles_of_modules(page):
    """Sentences, one if modules of the page import each other in a circle."""
    below = {path.relative_to(page).as_posix():
             [(path.parent / f"{name}.ts").resolve().relative_to(page.resolve()).as_posix()
              for name in IMPORT.findall(path.read_text())]
             for path in sorted(page.rglob("*.ts"))}
    try:
        for module in below:
            reachable(below, module)
    except ValueError as circle:
        return [f"modules of the page import each other: {circle}"]
    return []


def includes(path):
    """The includes of a file: line, folder, the rest of the name."""
    text = path.read_text()
    for match in (GENERATED if path.name == "CMakeLists.txt" else INCLUDE).finditer(text):
        yield text.count("\n", 0, match.start(1)) + 1, match[1], match[2]


def sources(root):
    return sorted(path for path in root.rglob("*") if path.suffix in SOURCES)


def wrong_includes(root, library):
    """Sentences, one for each include of what does not stand below, or for a circle."""
    floors = Floors(root)
    try:
        allowed = {floor: floors.reachable(floor) | {floor} for floor in floors.below}
    except ValueError as circle:
        return [f"the floors stand in a circle: {circle}"]
    allowed["library"] = set()
    sentences = []
    for base, path in [(base, path) for base in (root, library) for path in sources(base)]:
        own = "library" if base == library else path.relative_to(base).parts[0]
        for line, other, rest in includes(path):
            if other.startswith(".") or "../" in rest:
                sentences.append(f'{path}:{line}: "{other}/{rest}" is a path from this file; '
                                 'an include begins with a folder of src, or with synchro')
            elif other in floors.below and other not in allowed.get(own, set()):
                sentences.append(f'{path}:{line}: {own} includes "{other}/{rest}", but does not stand on {other}')
    return sentences


def main():
    source, library, page = map(pathlib.Path, sys.argv[1:])
    sentences = wrong_includes(source, library) + circles_of_modules(page)
    for sentence in sentences:
        print(sentence)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
