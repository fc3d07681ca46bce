#!/usr/bin/env python3
"""The table of truth.md, from what the checks themselves say: truth_table.py TRUTHS

TRUTHS is a file that names their programs, one a line (bench/CMakeLists.txt). Ends with 3 where one cannot say it, as with
one processor, or where it is not built, which `./dev docs` does.
"""

import os
import subprocess
import sys

HEADINGS = ("the tour says", "measured by", "held against", "program", "bounds of the ratio")

print(f"| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}")
with open(sys.argv[1], encoding="utf-8") as programs:
    for program in programs.read().split():
        if not os.path.exists(program):
            print(f"skipped: {program} is not built", file=sys.stderr)
            sys.exit(3)
        told = subprocess.run([program, "--table"], stdout=subprocess.PIPE, text=True)
        if told.returncode != 0:
            sys.exit(told.returncode)
        print(told.stdout, end="")
