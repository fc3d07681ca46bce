"""What the program's statistics and the report's have to give: vectors.py [--check] FILE

Writes FILE, or with --check exits with 1 unless it is what would be written. The program (C++) and the report's page
(TypeScript) compute medians, quantiles, intervals and paired ratios each for itself, and the page explains the program's
flags; the tests of both read FILE. Here all is computed a third time, and without rounding: the interval of the median from
whole numbers of throws of a coin, the rest in fractions.
"""

import json
import math
import pathlib
import random
import sys
from fractions import Fraction

CONFIDENCES = ("0.5", "0.75", "0.9", "0.95", "0.96875", "0.99", "0.999")
QUANTILES = ("0.05", "0.1", "0.25", "0.5", "0.9", "0.99")
VALUES_BEYOND = 10  # of a quantile that may be told


def quantile(values, q):
    ordered = sorted(map(Fraction, values))
    at = (len(ordered) - 1) * q
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def interval(values, confidence):
    """From the k-th smallest to the k-th largest, with the largest k for which P(fewer than k heads in n) is small enough."""
    n, ordered = len(values), sorted(values)
    fewer, k = 0, 0
    while 2 * k < n and fewer + math.comb(n, k) <= (1 - confidence) / 2 * 2**n:
        fewer += math.comb(n, k)
        k += 1
    return None if k == 0 else [ordered[k - 1], ordered[n - k]]


def samples(dice):
    yield from ([7.5], [3, 1, 2], [4, 1, 3, 2], [1e308, 1.5e308], [5, 5, 5, 5, 5, 5], [-3, 2, -1, 8, -13, 5, 0])
    for n in (2, 5, 6, 7, 8, 9, 10, 11, 20, 21, 50, 99, 100, 101):
        yield [round(dice.lognormvariate(3, 1), 3) for _ in range(n)]
    yield [dice.randrange(5) for _ in range(37)]  # few different values
    yield dice.sample(range(3000), 1500)  # 2^-1500 is no floating-point number


def of_sample(values):
    told = [q for q in map(Fraction, QUANTILES) if q == Fraction(1, 2) or len(values) * min(q, 1 - q) >= VALUES_BEYOND]
    return {"values": values, "median": float(quantile(values, Fraction(1, 2))),
            "intervals": [[float(c), interval(values, Fraction(c))] for c in CONFIDENCES],
            "quantiles": [[float(q), float(quantile(values, q))] for q in told]}


def ratio(a, b):
    """Of two cells, each a sample by the number of its repetition; a repetition without a time in both is left out."""
    pairs = [Fraction(a[r]) / Fraction(b[r]) for r in sorted(a.keys() & b.keys()) if a[r] > 0 and b[r] > 0]
    ci = interval(pairs, Fraction("0.95"))
    return {"a": list(map(list, a.items())), "b": list(map(list, b.items())),
            "ratio": float(quantile(pairs, Fraction(1, 2))), "interval": [float(end) for end in ci],
            "resolved": ci[0] > 1 or ci[1] < 1}


def pairs(dice):
    for n, factor in ((6, 1), (7, 1.5), (8, 1), (11, 0.97), (12, 1.02), (21, 1)):
        machine = [dice.lognormvariate(3, 1) for _ in range(n)]
        times = [{r: round(f * m * dice.uniform(0.99, 1.01), 3) for r, m in enumerate(machine)} for f in (factor, 1)]
        yield ratio(*times)


def cells(dice):
    """Some repetitions have only one of the two, and one took no time."""
    for n, factor in ((9, 1.1), (13, 1), (16, 0.9)):
        numbers = dice.sample(range(n), n)
        a = {r: round(factor * dice.uniform(90, 110), 2) for r in numbers if r != 2}
        b = {r: round(dice.uniform(90, 110), 2) for r in sorted(numbers) if r != 4}
        yield ratio({**a, 0: 0}, b)


def flag(values):
    """Of a cell: half the width of its interval decides, however far that reaches to one side."""
    ci = interval(values, Fraction("0.95"))
    half = (Fraction(ci[1]) - Fraction(ci[0])) / 2 / quantile(values, Fraction(1, 2)) if ci else None
    word = "unreliable" if half is None or half >= Fraction("0.1") else "noisy" if half >= Fraction("0.05") else "ok"
    return {"values": values, "half_width": None if half is None else float(half), "flag": word}


def flags():
    """Around 100, from the first number to the last; of five there is no interval."""
    ends = ((99, 101), (99, 108), (98, 111), (99.5, 118), (81, 100.5), (88, 111), (99, 125))
    return [flag([low, 99.5, 100, 100, 100.5, high]) for low, high in ends] + [flag([99, 99.5, 100, 100.5, 101])]


def student_beyond(t, freedom, steps=20000):
    """P(|T| >= t): the density of Student's distribution, summed by Simpson's rule."""
    def density(x):
        return (1 + x * x / freedom) ** (-(freedom + 1) / 2)
    inside = sum((1 if i in (0, steps) else 4 if i % 2 else 2) * density(t * i / steps) for i in range(steps + 1))
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    return 1 - 2 * scale * inside * t / steps / 3


def look(ratios, among):
    """Of two of so many contestants: whether the ratios of these two, chosen by looking at all, resolve a difference."""
    n, logs = len(ratios), list(map(math.log, ratios))
    mean = math.fsum(logs) / n
    error = math.sqrt(math.fsum((x - mean) ** 2 for x in logs) / (n * (n - 1)))
    p = student_beyond(abs(mean) / error, n - 1)
    share = Fraction("0.05") / math.comb(among, 2)
    usual, ci = interval(ratios, Fraction("0.95")), interval(ratios, 1 - share)
    apart = usual is not None and (usual[0] > 1 or usual[1] < 1)
    resolved = apart and ((ci[0] > 1 or ci[1] < 1) if ci else p <= share)
    return {"ratios": ratios, "among": among, "p": round(p, 9), "resolved": resolved}


def looks(dice):
    for n in (5, 6, 8, 9, 11, 15, 30):
        for factor in (1, 1.02, 1.05, 1.2):
            ratios = [round(factor * dice.lognormvariate(0, 0.04), 4) for _ in range(n)]
            for among in (2, 4, 7, 20):
                yield look(ratios, among)


def lines_of(name, entries):
    return f' "{name}": [\n' + ",\n".join("  " + json.dumps(e) for e in entries) + "\n ]"


def text():
    dice = random.Random(1)
    groups = {"samples": list(map(of_sample, samples(dice))), "pairs": list(pairs(dice)), "cells": list(cells(dice)),
              "flags": flags(), "looks": list(looks(dice))}
    return "{\n" + ",\n".join(lines_of(*group) for group in groups.items()) + "\n}\n"


def main():
    check, file = "--check" in sys.argv, pathlib.Path(sys.argv[-1])
    if not check:
        file.write_text(text())
    elif file.read_text() != text():
        print(f"{file} is not what vectors.py makes")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
