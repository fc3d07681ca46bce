"""Does `tune` find on a contended counter what `locks.throughput` says of the same locks?

    tune_check.py SYNCHROSCOPE COUNTER [THREADS]

The counter is a program of its own, whose threads (one a processor) add under one mutex. Each lock is in both: measured by
the experiment (saturated, nothing done inside or outside) and put under the counter by the interposer. Of two locks that
both resolve, by intervals that do not meet and by more than a tenth, the same one has to be the faster. Exit status 1 if
a pair disagrees, or if no pair is resolved by both: then nothing was compared.
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile

LOCKS = ["mutex", "mcs", "ticket", "tas", "clh"]
RESOLVED = 1.1
ADDITIONS = 4_000_000


def answer(*words):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"tune_check: {' '.join(words)}: {result.stderr.strip()}")
    return result.stdout


def by_experiment(program, threads):
    """By lock: millions of acquisitions a second, as (value, low, high)."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "r.json")
        answer(program, "run", "locks.throughput", "--quick", "--no-progress", "--lock", ",".join(LOCKS),
               "--threads", threads, "--protocol", "saturated", "--locks", "1", "--hold", "0", "--gap", "0",
               "--readers", "0", "-o", file)
        with open(file, encoding="utf-8") as text:
            document = json.load(text)
    found = {}
    for cell in document["cells"]:
        if cell["metric"] == "throughput" and cell["ci"]:
            found.setdefault(cell["at"]["lock"], (cell["value"], *cell["ci"]))
    return found


def by_tune(program, counter, threads):
    """By lock: how many times as good as the program's own, as (value, low, high)."""
    found = json.loads(answer(program, "tune", "--json", "--locks", ",".join(LOCKS), "--", counter, threads, str(ADDITIONS)))
    return {lock["name"]: (lock["ratio"], *lock["ci"]) for lock in found["locks"] if lock.get("ci")}


def better(a, b):
    """1 or -1 if one is resolved to be better, else 0."""
    if a[1] > b[2] and a[0] > RESOLVED * b[0]:
        return 1
    if b[1] > a[2] and b[0] > RESOLVED * a[0]:
        return -1
    return 0


def main():
    program, counter = sys.argv[1:3]
    threads = sys.argv[3] if len(sys.argv) > 3 else str(len(os.sched_getaffinity(0)))
    rates, ratios = by_experiment(program, threads), by_tune(program, counter, threads)
    for name in LOCKS:
        if name in rates and name in ratios:
            print(f"{name:8} {rates[name][0]:10.4g}/s [{rates[name][1]:.4g}, {rates[name][2]:.4g}]   by tune "
                  f"{ratios[name][0]:.3f} [{ratios[name][1]:.3f}, {ratios[name][2]:.3f}] times as good as its own")
    agreed, wrong = 0, []
    for a, b in itertools.combinations([name for name in LOCKS if name in rates and name in ratios], 2):
        one, other = better(rates[a], rates[b]), better(ratios[a], ratios[b])
        if one == 0 or other == 0:
            continue
        agreed += one == other
        if one != other:
            wrong.append(f"{a} and {b}")
    print(f"{agreed} pairs of locks resolved by both have the same order" +
          (f"; another order have {', '.join(wrong)}" if wrong else ""))
    return 1 if wrong or agreed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
