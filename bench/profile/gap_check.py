"""What advice reads out of a profile, held against a program that knows it.

    gap_check.py SYNCHROSCOPE KNOWN_GAP

The program passes so much time with its mutex and so much without, and measures both itself. Each place five times: the gap,
the critical section and the acquisitions by the profile, as ratios to the program's own: they are to be within a tenth of 1,
or within 60 ns, which is what the two clocks and the recorder themselves take. All five inside: agrees. All outside, on one
side: disagrees, and exit status 1. Otherwise not resolved. Where other programs run it says little: the program's own mean
then holds a few long interruptions, of which a sample of one in 64 sees some or none.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile

TIMES = 5
APART, APART_NS = 0.1, 60
PLACES = [(threads, gap, hold) for threads in (1, 2) for gap, hold in ((1000, 200), (5000, 1000), (20000, 200))]


def answer(*words):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"gap_check: {' '.join(words)}: {result.stderr.strip()}")
    return result.stdout


def once(program, counter, file, threads, gap, hold):
    """(by the profile, by the program) of each figure."""
    rounds = max(20_000, 1_000_000_000 // (gap + hold) // 2)
    told = json.loads(answer(program, "profile", "-o", file, "--", counter, *map(str, (threads, rounds, gap, hold))))
    found = json.loads(answer(program, "advise", "--machine", "opteron-2384", "--profile", file, "--lock", "known_mutex",
                              "--json"))["workload"]
    with open(file, encoding="utf-8") as text:
        [process] = json.load(text)["processes"]
    [lock] = [lock for lock in process["locks"] if lock["name"] == "known_mutex"]
    assert found["threads"] == threads
    return {"gap": (found["gap_ns"], told["gap_ns"]), "critical": (found["critical_ns"], told["critical_ns"]),
            "acquisitions": (lock["acquisitions"], told["acquisitions"])}


def judged(ratios, apart):
    """Of sorted ratios, each to be so far from 1 at most."""
    if ratios[0] > 1 + apart or ratios[-1] < 1 - apart:
        return "DISAGREES"
    return "agrees" if 1 - apart <= ratios[0] and ratios[-1] <= 1 + apart else "not resolved"


def main():
    program, counter = sys.argv[1:3]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "locks.json")
        for place in PLACES:
            runs = [once(program, counter, file, *place) for _ in range(TIMES)]
            print("{} threads, {} ns without, {} ns with it".format(*place))
            for figure in runs[0]:
                ratios = sorted(run[figure][0] / run[figure][1] for run in runs)
                known = statistics.median(run[figure][1] for run in runs)
                apart = APART if figure == "acquisitions" else max(APART, APART_NS / known)
                verdict = judged(ratios, apart)
                wrong += verdict == "DISAGREES"
                print(f"  {figure:13} known {known:10.1f}  by the profile {statistics.median(ratios):.3f} times, "
                      f"{ratios[0]:.3f} to {ratios[-1]:.3f}  {verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
