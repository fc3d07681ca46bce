"""How often `compare` calls a difference where there is none, for each family of cells, and how often it finds one.

    null.py PROGRAM [--pairs N] [--trial] [--files FOLDER] [--run OPTIONS] FAMILY...

A family is an experiment, or a pattern of some. Of each, 2 N quick runs are recorded one after the other (N is 60 or
more), and the first is compared with the second, the third with the fourth, and so on, so that the pairs are
independent; then sides of three, five and eight runs, measured in turn, as many as there are without a run in common.
Printed is how many ended with status 5 at a limit of 0 and of 5 %, with the upper end of the rate's interval (Clopper
and Pearson, 95 %, one-sided). If that end is above 5 of 100, it is not shown that the rate is not, and how many
comparisons show it is said: 59 of which none is false, 93 with one. Of larger sides there are too few for that. With
--trial N may be less than 60.

Then sides are drawn at random, thirty times, and one cell of the second, drawn from all of which less or more is better, is
made 10 % slower, or a rate 10 % lower: printed is how often that is found, and from how many runs a side on it is found in
9 of 10. If by none of these, how many it would take is computed from what compare says that single runs of a cell differ by
(between_runs) and from its level, by the normal distribution, for all cells and for each metric: more runs than that
are needed where a few cells jump, and never fewer than have just failed. With --files runs are kept in a folder, and taken
from there; --run adds options to each run, such as '--lock mcs,mutex'.

Ends with 1 if a rate, of single runs or of a larger side, is above 5 of 100; if not even sides of eight runs find 9
of 10 (what is never found is never called falsely either); or if a family cannot be measured here, which is said.
Ends with 3 if none of these is so, but it is not shown of single runs that their rate is not above 5 of 100.
"""

import argparse
import hashlib
import itertools
import json
import math
import os
import random
import shlex
import statistics
import subprocess
import sys
import tempfile

from judged import compared, key, made_slower

SIDES = (1, 3, 5, 8)
PLANTED = 30
LIMITS = ("0%", "5%")
MOST_FALSE, LEAST_FOUND = 0.05, 0.9
PLANTED_CHANGE = 1.1
MOST_RUNS = 1000
FEWEST_PAIRS = 60
PASSED, FAILED, NOT_SHOWN = 0, 1, 3  # as it ends
ENDS = {PASSED: "passed", FAILED: "failed", NOT_SHOWN: "neither passed nor failed, which takes more pairs"}


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


def needed(count):
    """So many comparisons show that the rate is not above what is allowed, if no more than this are false."""
    return next(n for n in itertools.count(count + 1) if at_most(count, n) <= MOST_FALSE)


def judged(count, n):
    """What so many false ones of n say of the rate."""
    return FAILED if count > MOST_FALSE * n else PASSED if at_most(count, n) <= MOST_FALSE else NOT_SHOWN


class NotMeasured(Exception):
    """Why there are no files of a family."""


def recorded(program, family, options, folder, runs):
    with open(program, "rb") as source:
        which = hashlib.sha256(source.read() + shlex.join(options).encode()).hexdigest()[:12]
    files = [os.path.join(folder, f"{family.replace('*', 'all')}.{which}.{i}.json") for i in range(runs)]
    for file in files:
        if not os.path.exists(file):
            asked = [program, "run", family, "--quick", "--no-progress", *options, "-o", file]
            ran = subprocess.run(asked, capture_output=True, text=True)
            if ran.returncode != 0:
                raise NotMeasured(f"it cannot be measured here (status {ran.returncode}): {ran.stderr.strip()}")
    return files


def planted(document_file, found, out):
    """A copy of the file in which the cell, if it is there, is made slower."""
    with open(document_file, encoding="utf-8") as source:
        document = json.load(source)
    made_slower(document, found, out)
    return out


def victim_of(found, draw):
    """A cell of which less or more is better, whether it has a test or not."""
    cells = [c for c in found["cells"] if c["better"] in ("lower", "higher") and c["b"]["value"] > 0]
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


def found_by(runs, spread, level):
    """How likely a change of 10 % in a cell whose single runs differ by this is found with so many runs a side."""
    normal = statistics.NormalDist()
    return normal.cdf(math.log(PLANTED_CHANGE) * math.sqrt(runs / 2) / spread - normal.inv_cdf((1 + level) / 2))


def runs_for(spreads, level):
    """So many a side that 9 of 10 changes in one of these cells, drawn at random, are found; nothing if more than MOST_RUNS."""
    enough = (n for n in range(2, MOST_RUNS + 1)
              if statistics.fmean(found_by(n, spread, level) for spread in spreads) >= LEAST_FOUND)
    return next(enough, None)


def told_runs(spreads, level, failed=0):
    """So many runs a side in words, where sides of `failed` were seen not to be enough."""
    runs = runs_for(spreads, level) or MOST_RUNS + 1
    return str(runs) if failed < runs <= MOST_RUNS else f"more than {max(failed, min(runs, MOST_RUNS))}"


def about(runs):
    """Of a number that is reckoned; "more than 8" says so already."""
    return runs if runs.startswith("more") else f"about {runs}"


def told_need(program, files):
    """How many runs a side 9 of 10 would take, of all cells and of each metric; from the largest sides that there are."""
    runs = max((n for n in SIDES if n > 1 and 2 * n <= len(files)), default=None)
    if runs is None:
        return "too few runs to say how many it would take"
    found = compared(program, files[0:2 * runs:2], files[1:2 * runs:2], "0%")[1]
    spreads = {}
    for c in found["cells"]:
        if c["better"] in ("lower", "higher") and c["b"]["value"] > 0 and c["between_runs"]:
            spreads.setdefault(c["metric"], []).append(c["between_runs"])
    if not spreads:
        return "no cell has a test, so no number of runs is enough"

    level = found["confidence"]
    each = ", ".join(f"{metric} {told_runs(some, level)}" for metric, some in spreads.items())
    everything = [spread for some in spreads.values() for spread in some]
    return (f"it would take {about(told_runs(everything, level, runs))} runs a side, of which single ones differ as these do "
            f"({each})")


def told_rates(false, n):
    return ", ".join(f"{false[limit]} of {n} at {limit} (up to {at_most(false[limit], n):.1%})" for limit in LIMITS)


def told_verdict(count, n):
    if judged(count, n) == FAILED:
        return "above 5 of 100"
    if judged(count, n) == PASSED:
        return "shown to be at most 5 of 100"
    false = "none" if count == 0 else f"no more than {count}"
    return f"not shown to be at most 5 of 100, which takes {needed(count)} comparisons with {false} false"


def end_of(program, family, files, folder):
    """As the program would end if there were this family only."""
    rates, enough = {}, None
    for runs in SIDES:
        n, false = falsely(program, files, runs)
        if n == 0:
            print(f"{family}: {runs} a side: too few runs")
            continue
        tried, hit = rightly(program, files, runs, folder)
        power = f"a cell made 10 % slower found: {hit} of {tried}" if tried else "no cell that could be made slower"
        most = max(false.values())
        print(f"{family}: {runs} a side: status 5: {told_rates(false, n)}, {told_verdict(most, n)}; {power}", flush=True)
        rates[runs] = judged(most, n)
        if enough is None and tried and hit >= LEAST_FOUND * tried:
            enough = runs
    print(f"{family}: 9 of 10 are found " +
          (f"from {enough} runs a side on" if enough else f"by none of these; {told_need(program, files)}"), flush=True)
    end = FAILED if enough is None or FAILED in rates.values() else rates[1]
    print(f"{family}: {ENDS[end]}", flush=True)
    return end


def main():
    parser = argparse.ArgumentParser(description="How often compare is wrong where nothing differs")
    parser.add_argument("program")
    parser.add_argument("families", nargs="+", metavar="FAMILY")
    parser.add_argument("--pairs", type=int, default=FEWEST_PAIRS)
    parser.add_argument("--trial", action="store_true", help="fewer pairs may be asked for, which show nothing")
    parser.add_argument("--files")
    parser.add_argument("--run", default="", metavar="OPTIONS")
    asked = parser.parse_args()
    if asked.pairs < (1 if asked.trial else FEWEST_PAIRS):
        parser.error(f"fewer than {FEWEST_PAIRS} pairs show nothing; with --trial they are taken all the same")
    with tempfile.TemporaryDirectory() as own:
        if asked.files:
            os.makedirs(asked.files, exist_ok=True)
        ends = []
        for family in asked.families:
            try:
                files = recorded(asked.program, family, shlex.split(asked.run), asked.files or own, 2 * asked.pairs)
            except NotMeasured as why:
                print(f"{family}: {why}", flush=True)
                ends.append(FAILED)
                continue
            ends.append(end_of(asked.program, family, files, own))
    sys.exit(FAILED if FAILED in ends else max(ends))


if __name__ == "__main__":
    main()
