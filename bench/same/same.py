"""Runs of one program on one machine, compared with each other: how often `compare` calls a difference where there is none.

    same.py PROGRAM [FILE...]

Records fifteen quick runs, or takes runs that were recorded before. Compared are all pairs, and sides of three and of five
runs that have no run in common, a hundred of each drawn at random. At most 5 of 100 may end with status 5, whatever the
limit. Then, in each comparison, one quiet cell of the second side is made 10 % slower: of sides of five runs 9 of 10 are to
be found. Of single runs it is only counted: docs/compare.md says why.
"""

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

from judged import compared, key, made_slower, quiet_cells

RUNS = 15
SIDES = (3, 5)
SPLITS = 100
ASKED = ["run", "coherence.pairs", "coherence.states", "atomics.throughput", "locks.uncontested", "locks.throughput",
         "--quick", "--lock", "ticket,mutex,mcs", "--no-progress"]


def record(program, folder):
    files = [os.path.join(folder, f"{i}.json") for i in range(RUNS)]
    for file in files:
        subprocess.run([program, *ASKED, "-o", file], check=True, capture_output=True)
    return files


def sides(files, runs):
    """Comparisons of sides of so many runs: all pairs of single ones, else some that are drawn."""
    if runs == 1:
        return [((a,), (b,)) for a, b in itertools.combinations(files, 2)]
    numbers = random.Random(runs)
    drawn = set()
    for _ in range(100 * SPLITS):
        chosen = numbers.sample(files, 2 * runs) if len(files) >= 2 * runs else []
        if chosen and len(drawn) < SPLITS:
            drawn.add((tuple(sorted(chosen[:runs])), tuple(sorted(chosen[runs:]))))
    return sorted(drawn)


def evaluated(program, documents, folder, runs):
    """Whether status 5 came as seldom, and the slower cells were found as often, as it should be."""
    false = {limit: 0 for limit in ("0%", "5%")}
    comparisons = sides(list(documents), runs)
    cells = planted = missed = 0
    for n, (a, b) in enumerate(comparisons):
        for limit in false:
            status, found = compared(program, a, b, limit)
            false[limit] += status == 5
            if status == 5:
                worse = [c for c in found["cells"] if c["beyond_limit"]]
                print(f"{limit}: {' '.join(map(os.path.basename, a))} with {' '.join(map(os.path.basename, b))}: "
                      + "; ".join(f"{' '.join(key(c))} {c['ratio']:.3f}" for c in worse[:3]))
        cells += len(found["cells"])
        quiet = quiet_cells(found, {file: documents[file] for file in (*a, *b)})
        if not quiet:
            continue
        victim = quiet[n * 7919 % len(quiet)]
        slower = [os.path.join(folder, f"slower{i}.json") for i in range(runs)]
        for file, out in zip(b, slower):
            made_slower(documents[file], victim, out)
        planted += 1
        after = compared(program, a, slower, "5%")[1]["cells"]
        missed += not any(key(c) == key(victim) and c["beyond_limit"] for c in after)
    if not comparisons:
        return True
    print(f"{runs} against {runs}: {len(comparisons)} comparisons of runs of one program, {cells} pairs of cells: status 5 in "
          f"{false['0%']} with a limit of 0 %, in {false['5%']} with 5 %; a quiet cell made 10 % slower: found in "
          f"{planted - missed} of {planted}", flush=True)
    return max(false.values()) <= 0.05 * len(comparisons) and (runs < max(SIDES) or missed <= 0.1 * planted)


def main():
    program, files = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        documents = {}
        for file in files or record(program, folder):
            with open(file, encoding="utf-8") as source:
                documents[file] = json.load(source)
        passed = [evaluated(program, documents, folder, runs) for runs in (1, *SIDES)]
    sys.exit(0 if all(passed) else 1)


main()
