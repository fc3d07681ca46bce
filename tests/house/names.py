"""Checks that an experiment is known by its name to nobody but itself: names.py SOURCE_FOLDER [FOLDERS...]

An experiment's name stands in its own folder. Whoever reads its cells takes the name from results/experiment_names.hpp, and
each name there is that of an experiment. The claims are published data: each has the command line that a reader types. So
their files may say a name in a sentence, but not as a string of its own, by which cells are read. Tests, benchmarks and
the documentation call the program as its users do, and may name what they like.
FOLDERS: where else no name may stand. Prints each name that stands elsewhere; exit status 1 if there is one.
"""

import pathlib
import re
import sys

DECLARED = re.compile(r'\be\.name = "([a-z_]+\.[a-z_]+)"')
LISTED = re.compile(r'= "([a-z_]+\.[a-z_]+)";')
LIST = pathlib.Path("results/experiment_names.hpp")
PUBLISHED = [pathlib.Path("claims/paper"), pathlib.Path("claims/articles")]
SOURCES = {".hpp", ".cpp", ".in", ".ts", ".mjs", ".h"}


def declared(source):
    """The names of all experiments, each with its folder."""
    return {name: path.parent for path in sorted((source / "experiments").rglob("*.cpp"))
            for name in DECLARED.findall(path.read_text())}


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCES and "node_modules" not in path.parts)


def misplaced(source, others=()):
    """Sentences, one for each name that stands where it should not."""
    home = declared(source)
    known = re.compile(r"(?<![\w.])(" + "|".join(re.escape(name) for name in home) + r")(?![\w])")
    published = {source / path for path in PUBLISHED}
    sentences = [f'{source / LIST}: no experiment says e.name = "{name}"'
                 for name in LISTED.findall((source / LIST).read_text()) if name not in home]
    for path in (path for folder in (source, *others) for path in sources(folder) if path != source / LIST):
        text = path.read_text()
        may_say = not published.isdisjoint(path.parents)
        for found in known.finditer(text):
            said = may_say and text[found.start() - 1:found.end() + 1] != f'"{found[1]}"'
            if not said and home[found[1]] not in path.parents:
                line = text.count("\n", 0, found.start()) + 1
                sentences.append(f"{path}:{line}: names the experiment {found[1]}")
    return sentences


def main():
    sentences = misplaced(pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]])
    for sentence in sentences:
        print(sentence)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
