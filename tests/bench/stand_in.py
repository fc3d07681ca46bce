#!/usr/bin/env python3
"""Stands in for synchroscope where runs are compared: each family has one cell, whose runs differ by as much as is known.

Those of rash.time hardly differ but for one in 24, which is 5 % slower: a comparison of single runs takes that for a change.
"""

import json
import math
import random
import sys

FAMILIES = {"steady.rate": ("higher", 0.01), "wild.time": ("lower", 0.3), "silent.share": ("neither", 0.1),
            "rash.time": ("lower", 0.01)}
RASH = "rash.time"
SURE = 3  # standard deviations


def run(family, file):
    if family not in FAMILIES:
        print("no such thing here", file=sys.stderr)
        sys.exit(3)
    better, spread = FAMILIES[family]
    draw = random.Random(file.rsplit("/", 1)[-1])
    value = math.exp(draw.gauss(0, spread))
    if family == RASH:
        value = math.exp(draw.gauss(0, spread / 10)) * (1.055 if int(file.split(".")[-2]) % 24 == 1 else 1)
    cell = {"experiment": family, "metric": "m", "at": {}, "better": better, "value": value, "samples": [value], "ci": None}
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"cells": [cell]}, out)


def side(files):
    cells = []
    for file in files:
        with open(file, encoding="utf-8") as text:
            cells.append(json.load(text)["cells"][0])
    return cells


def compare(a, b, limit):
    first = a[0]
    spread = FAMILIES[first["experiment"]][1]
    values = [[c["value"] for c in cells] for cells in (a, b)]
    x, y = (sum(map(math.log, some)) / len(some) for some in values)
    slower = x - y if first["better"] == "higher" else y - x
    worse = slower > SURE * spread * math.sqrt(2 / len(a))
    beyond = worse and slower > math.log1p(limit)
    cell = {key: first[key] for key in ("experiment", "metric", "at", "better")}
    cell |= {"a": {"value": values[0][0], "runs": values[0]}, "b": {"value": values[1][0], "runs": values[1]},
             "between_runs": spread, "verdict": "worse" if worse else "unresolved", "beyond_limit": beyond}
    print(json.dumps({"cells": [cell], "confidence": 0.9973}))
    sys.exit(5 if beyond else 0)


def main():
    words = sys.argv[1:]
    if words[0] == "run":
        return run(words[1], words[-1])
    half = words.index("--with")
    return compare(side(words[1:half]), side(words[half + 1:words.index("--json")]), float(words[-1].rstrip("%")) / 100)


main()
