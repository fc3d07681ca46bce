"""Compiles the C++ that the pages show: page_code.py PROJECT_FOLDER COMPILER

Each piece stands in a namespace of its own below page_code.hpp. Two pieces are compiled elsewhere: README's, and that of
own_lock.md.
"""

import pathlib
import re
import subprocess
import sys

house, compiler = pathlib.Path(sys.argv[1]), sys.argv[2]
CODE = re.compile(r"^```cpp\n(.*?)^```", re.M | re.S)
INCLUDE = re.compile(r"^#include .*\n", re.M)

includes, pieces = [], []
for page in sorted((house / "docs").rglob("*.md")):
    text = page.read_text(encoding="utf-8")
    for found in CODE.finditer(text) if page.name != "own_lock.md" else []:
        line = text.count("\n", 0, found.start(1)) + 1
        includes += INCLUDE.findall(found[1])
        code = INCLUDE.sub("\n", found[1])
        pieces.append(f'namespace piece_{len(pieces)} {{\n#line {line} "{page}"\n{code}}}\n')
if len(pieces) < 20:
    sys.exit(f"only {len(pieces)} pieces of code were found")
told = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{house}/include", "-include",
                       house / "tests/install/page_code.hpp", "-x", "c++", "-"],
                      input="".join([*includes, *pieces]), text=True)
sys.exit(told.returncode)
