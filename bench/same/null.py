"""How often `compare` calls a difference where there is none, for each family of cells, and how often it finds one.

    null.py PROGRAM [--pairs N] [--files FOLDER] [--run OPTIONS] FAMILY...

A family is an experiment, or a pattern of some. Of each, 2 N quick runs are recorded one after the other (N is 60), and the
first is compared with the second, the third with the fourth, and so on, so that the pairs are independent; then sides of
three, five and eight runs, measured in turn, as many as there are without a run in common. Printed is how many ended with
status 5 at a limit of 0 and of 5 %, with the upper end of the rate's interval (Clopper and Pearson, 95 %, one-sided).

Then sides are drawn at random, thirty times, and one cell of the second, drawn from all of which less is better, is made
10 % slower: printed is how often that is found, and from how many runs a side on it is found in 9 of 10. With --files runs
are kept in a folder, and taken from there; --run adds options to each run, such as '--lock mcs,mutex'.

Ends with 1 if a rate is surely above 5 of 100, or if not even sides of eight runs find 9 of 10: what is never found is
never called falsely either.
"""

import argparse
import hashlib
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile

from judged import compared, key, made_slower

SIDES = (1, 3, 5, 8)
PLANTED = 30
LIMITS = ("0%", "5%")
MOST_FALSE, LEAST_FOUND = 0.05, 0.9


def binomial_tail(count, n, rate):
    """How likely `count` or fewer of n are."""
    total, term = 0.0, (1 - rate) ** n
    for k in range(count + 1):
        total += term
        term *= (n - k) / (k + 1) * rate / (1 - rate)
    return total


def solved(holds):
    """The rate up to which this holds."""
    low, high = 0.0, 1.0 - 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def at_most(count, n):
    """The upper end of a 95 % interval of the rate."""
    return 1.0 if count == n else solved(lambda rate: binomial_tail(count, n, rate) > 0.05)


def at_least(count, n):
    """The lower end of one."""
    return 0.0 if count == 0 else solved(lambda rate: 1 - binomial_tail(count - 1, n, rate) < 0.05)


def recorded(program, family, options, folder, runs):
    with open(program, "rb") as source:
        which = hashlib.sha256(source.read() + shlex.join(options).encode()).hexdigest()[:12]
    files = [os.path.join(folder, f"{family.replace('*', 'all')}.{which}.{i}.json") for i in range(runs)]
    for file in files:
        if not os.path.exists(file):
            asked = [program, "run", family, "--quick", "--no-progress", *options, "-o", file]
            subprocess.run(asked, check=True, capture_output=True)
    return files


def planted(document_file, found, out):
    """A copy of the file in which the cell, if it is there, is made slower."""
    with open(document_file, encoding="utf-8") as source:
        document = json.load(source)
    made_slower(document, found, out)
    return out


def victim_of(found, draw):
    """A cell of which less is better, whether it has a test or not."""
    cells = [c for c in found["cells"] if c["better"] == "lower" and c["b"]["value"] > 0]
    return draw.choice(cells) if cells else None


def finds(program, a, b, victim, folder):
    slower = [planted(file, victim, os.path.join(folder, f"slower{i}.json")) for i, file in enumerate(b)]
    _, found = compared(program, a, slower, "0%")
    return any(key(c) == key(victim) and c["verdict"] == "worse" for c in found["cells"])


def falsely(program, files, runs):
    """Of sides of so many runs that have none in common: how many comparisons, and how many ended with status 5, by limit."""
    chosen = [files[i:i + 2 * runs] for i in range(0, len(files) - 2 * runs + 1, 2 * runs)]
    pairs = [(some[0::2], some[1::2]) for some in chosen]
    return len(pairs), {limit: sum(compared(program, a, b, limit)[0] == 5 for a, b in pairs) for limit in LIMITS}


def rightly(program, files, runs, folder):
    """Of sides drawn at random: in how many a cell was made slower, and in how many it was found."""
    draw, tried, hit = random.Random(runs), 0, 0
    for _ in range(PLANTED if len(files) >= 2 * runs else 0):
        chosen = draw.sample(files, 2 * runs)
        a, b = chosen[:runs], chosen[runs:]
        victim = victim_of(compared(program, a, b, "0%")[1], draw)
        if victim:
            tried += 1
            hit += finds(program, a, b, victim, folder)
    return tried, hit


def family_holds(program, family, files, folder):
    holds, enough = True, None
    for runs in SIDES:
        n, false = falsely(program, files, runs)
        tried, hit = rightly(program, files, runs, folder)
        if n == 0 or tried == 0:
            print(f"{family}: {runs} a side: too few runs, or no cell that could be made slower")
            continue
        rates = ", ".join(f"{false[limit]} of {n} at {limit} (up to {at_most(false[limit], n):.1%})" for limit in LIMITS)
        print(f"{family}: {runs} a side: status 5: {rates}; a cell made 10 % slower found: {hit} of {tried}", flush=True)
        holds = holds and all(at_least(false[limit], n) <= MOST_FALSE for limit in LIMITS)
        if enough is None and hit >= LEAST_FOUND * tried:
            enough = runs
    print(f"{family}: 9 of 10 are found " + (f"from {enough} runs a side on" if enough else "by none of these"))
    return holds and enough is not None


def main():
    parser = argparse.ArgumentParser(description="How often compare is wrong where nothing differs")
    parser.add_argument("program")
    parser.add_argument("families", nargs="+", metavar="FAMILY")
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--files")
    parser.add_argument("--run", default="", metavar="OPTIONS")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as own:
        if asked.files:
            os.makedirs(asked.files, exist_ok=True)
        passed = []
        for family in asked.families:
            files = recorded(asked.program, family, shlex.split(asked.run), asked.files or own, 2 * asked.pairs)
            passed.append(family_holds(asked.program, family, files, own))
    sys.exit(0 if all(passed) else 1)


main()
