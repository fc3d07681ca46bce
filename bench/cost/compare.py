"""Counts the instructions of each function `ours_X` and `direct_X` in object files, and compares them.

Usage: compare.py OBJDUMP OBJECT...    Padding (any form of nop) does not count, for it is never executed in a path that
matters. Exit status: 0 if no function of ours is longer, 1 if one is, 2 if a function has no partner.
"""

import collections
import re
import subprocess
import sys


def counts(objdump, objects):
    listing = subprocess.run([objdump, "-d", "--no-show-raw-insn", *objects], check=True, capture_output=True, text=True)
    found = collections.Counter()
    function = None
    for line in listing.stdout.splitlines():
        if start := re.fullmatch(r"[0-9a-f]+ <(\w+)>:", line):
            function = start[1]
        elif instruction := re.match(r"\s+[0-9a-f]+:\t(.*)", line):
            if not re.search(r"\bnop|xchg +%ax,%ax", instruction[1]):
                found[function] += 1
    return found


def main(objdump, *objects):
    found = counts(objdump, objects)
    names = sorted({re.sub("^(ours|direct)_", "", function) for function in found if re.match("ours_|direct_", function)})
    print(f"{'instructions':<20}{'ours':>6}{'std::atomic':>13}")
    for name in names:
        print(f"{name:<20}{found['ours_' + name]:>6}{found['direct_' + name]:>13}")
    if any(0 in (found["ours_" + name], found["direct_" + name]) for name in names) or not names:
        print("a function has no partner", file=sys.stderr)
        return 2
    longer = [name for name in names if found["ours_" + name] > found["direct_" + name]]
    print(f"{len(longer)} of {len(names)} functions cost more than the same algorithm on std::atomic")
    return 1 if longer else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
