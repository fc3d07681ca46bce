"""Checks what no compiler of ours checks of Python and TypeScript: scripts.py FILES...

Lines that are too long, and what a module exports though no other file uses it. Prints each; exit status 1 if there is one.
"""

import pathlib
import re
import sys

LONGEST = {".py": 125, ".ts": 160, ".mjs": 160}
# A sentence stands in one line however long it is: nobody finds one that is cut.
SENTENCE = re.compile(r"(['\"`])(?:(?!\1).){60,}\1")
EXPORT = re.compile(r"^export (?:async )?(?:const|function|class) (\w+)", re.M)


def too_long(files):
    for path in files:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            length = len(SENTENCE.sub("", line))
            if length > LONGEST[path.suffix]:
                yield f"{path}:{number}: {length} characters, more than {LONGEST[path.suffix]}"


def unused_exports(files):
    texts = {path: path.read_text() for path in files if path.suffix in (".ts", ".mjs")}
    for path, text in texts.items():
        for name in EXPORT.findall(text):
            word = re.compile(rf"\b{name}\b")
            if not any(word.search(other) for where, other in texts.items() if where != path):
                yield f"{path}: nobody imports {name}"


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]]
    sentences = [*too_long(files), *unused_exports(files)]
    for sentence in sentences:
        print(sentence)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
