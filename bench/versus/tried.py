#!/usr/bin/env python3
"""Figures of a design that was tried, as rows of tried.csv: tried.py DESIGN OURS WITHOUT... -- WITH...

WITHOUT and WITH are files of what one program of contests said, in several runs that took turns; its name is the file's up
to the first dot. Prints the medians of each pair whose first is OURS (a pattern of the shell), whoever is ahead.
"""

import csv
import fnmatch
import pathlib
import statistics
import sys

import peers

FIGURES = ("instructions", "ns", "speed", "processor_time")
HEADS = ("design", "program", "ours", "theirs", "where", "runs", *(f"{of}{end}" for of in FIGURES for end in ("", "_with")))


def of_runs(files):
    """{pair: its contest in each run}"""
    pairs = {}
    for file in map(pathlib.Path, files):
        for c in peers.contests_of(file.name.partition(".")[0], file.read_text(encoding="utf-8"))[0]:
            pairs.setdefault((c.program, c.ours, c.theirs, c.where), []).append(c)
    return pairs


def figures(contests):
    """Those of the columns, by their names."""
    def median(values):
        known = [float(value) for value in values if value is not None]
        return statistics.median(known) if known else None

    processor = median(c.processor for c in contests)
    counts = next((c.instructions for c in contests if c.instructions), None)
    return {"instructions": counts[0] if counts else "", "ns": f"{median(c.times[0] for c in contests):.4g}",
            "speed": f"{median(c.ratio for c in contests):.2f}", "processor_time": f"{processor:.2f}" if processor else ""}


def rows(design, ours, without, with_it):
    before, after = of_runs(without), of_runs(with_it)
    for pair in sorted(before.keys() & after.keys()):
        if not fnmatch.fnmatchcase(pair[1], ours):
            continue
        old, new = figures(before[pair]), figures(after[pair])
        each = zip(old, old.values(), new.values())
        yield {"design": design, **dict(zip(HEADS[1:5], pair)), "runs": len(after[pair]),
               **{k: v for of, a, b in each for k, v in ((of, a), (f"{of}_with", b))}}


def main(design, ours, *files):
    at = files.index("--")
    out = csv.DictWriter(sys.stdout, HEADS, lineterminator="\n")
    out.writerows(rows(design, ours, files[:at], files[at + 1:]))


if __name__ == "__main__":
    if sys.argv[2:].count("--") != 1:
        sys.exit(__doc__.partition("\n")[0])
    main(*sys.argv[1:])
