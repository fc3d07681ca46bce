"""Does `tune` find on a contended counter what `locks.throughput` says of the same locks?

    tune_check.py SYNCHROSCOPE COUNTER [THREADS]

The counter is a program of its own, whose threads (one a processor) add under one mutex. Each lock is in both: measured by
the experiment (saturated, nothing done inside or outside) and put under the counter by the interposer. No lock that tune
has dropped may be ahead of tune's winner in the experiment, by intervals that do not meet and by more than a tenth. Exit
status 1 if one is, or if the experiment resolves none of them to be behind: then nothing was compared.
"""

import json
import os
import subprocess
import sys
import tempfile

LOCKS = ["mutex", "mcs", "ticket", "tas", "clh"]
RESOLVED = 1.1
ADDITIONS = 10_000_000


def answer(*words):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"tune_check: {' '.join(words)}: {result.stderr.strip()}")
    return result.stdout


def by_experiment(program, threads):
    """By lock: acquisitions a second, as (value, low, high)."""
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
    """The winner, and the locks that it was found to be ahead of."""
    words = [program, "tune", "--json", "--locks", ",".join(LOCKS), "--", counter, threads, str(ADDITIONS)]
    found = json.loads(answer(*words))
    print(found["sentence"])
    behind = [lock["name"] for lock in found["locks"] if lock["status"] == "dropped" and lock["name"] in LOCKS]
    return found["winner"], behind


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
    rates = by_experiment(program, threads)
    winner, behind = by_tune(program, counter, threads)
    for name, (rate, low, high) in sorted(rates.items(), key=lambda known: -known[1][0]):
        found = "wins" if name == winner else "is dropped" if name in behind else "stays in"
        print(f"{name:8} {rate:10.4g}/s [{low:.4g}, {high:.4g}]   {found} by tune")
    if winner not in rates:
        print("tune has no winner among these locks: nothing was compared")
        return 1
    agreed = [name for name in behind if name in rates and better(rates[winner], rates[name]) == 1]
    wrong = [name for name in behind if name in rates and better(rates[winner], rates[name]) == -1]
    print(f"{len(agreed)} of {len(behind)} that tune has dropped are behind by the experiment, too" +
          (f"; ahead are {', '.join(wrong)}" if wrong else ""))
    return 1 if wrong or not agreed else 0


if __name__ == "__main__":
    sys.exit(main())
