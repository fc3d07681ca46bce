"""What `predict` foretells of small programs on this host, held against what they do.

    predict.py SYNCHROSCOPE PROGRAM [--seconds S] [--times N] [--machine FILE] [SHAPE...]

This host is measured and becomes the model, or FILE is it. Each program is recorded once, with its own mutexes and one
thread a processor. Then it runs with one thread, one a processor, and four a processor, with its own mutexes and with each
lock of LOCKS in their place, all by turns, N times. Before, it is told how free the processors are: what threads without a
lock do there. Printed is the median beside what was foretold, and at the end the errors: their median and 90th percentile,
how often the measured median lay in the interval that was told, and how often the lock that was called best was within 5 %
of the best. Where other programs run, it says little.

What a program counts need not be what is foretold (a query takes several locks), so the two are set equal in the recorded
run: its error with the recorded lock and number of threads is that of the replay, not of a unit.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

SHAPES = ("short", "long", "busy", "two", "table", "nested", "sqlite")
NATIVE = "pthread/mutex"
LOCKS = (NATIVE, "mutex", "fair_mutex", "mcs", "mcs/park", "ticket", "tas")


def answer(*words, may_fail=False):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0 and not may_fail:
        sys.exit(f"predict: {' '.join(words)}: {result.stderr.strip()}")
    return result


def spins(lock):
    return lock in ("mcs", "ticket", "tas")


class Host:
    def __init__(self, program, counter, folder, typed):
        self.program, self.counter, self.folder, self.typed = program, counter, folder, typed
        self.processors = len(os.sched_getaffinity(0))
        self.counts = sorted({1, self.processors, 4 * self.processors})

    def path(self, name):
        return os.path.join(self.folder, name)

    def model(self):
        if self.typed.machine:
            return self.typed.machine
        answer(self.program, "run", "coherence.states", "coherence.local", "wake.groups", "locks.throughput", "--quick",
               "--no-progress", "-o", self.path("host.json"))
        return self.path("host.json")

    def places(self):
        """(lock, threads): spinning threads that are more than the processors are not waited for."""
        return [(lock, n) for n in self.counts for lock in LOCKS if n <= self.processors or not spins(lock)]

    def measured(self, shape, lock, threads):
        program = (self.counter, shape, str(threads), str(self.typed.seconds))
        return float(answer(*(program if lock == NATIVE else (self.program, "with", lock, "--", *program))).stdout)

    def recorded(self, shape):
        """What it did while it was recorded, and the file."""
        file = self.path(f"{shape}.json")
        result = answer(self.program, "profile", "-o", file, "--", self.counter, shape, str(self.processors),
                        str(2 * self.typed.seconds), may_fail=True)
        return (float(result.stdout), file) if result.returncode == 0 else (None, file)

    def foretold(self, file, model):
        """(rounds a second as recorded, (lock, threads) -> (middle, least, most)), or the sentence of a refusal."""
        out = self.path("prediction.json")
        result = answer(self.program, "predict", file, "--machine", model, "--threads", ",".join(map(str, self.counts)),
                        "--lock", ",".join(LOCKS), "--no-progress", "-o", out, may_fail=True)
        if result.returncode != 0:
            return result.stderr.strip()
        with open(out, encoding="utf-8") as text:
            document = json.load(text)
        [told] = [w["evidence"] for w in document["warnings"] if w["id"] == "predicted"]
        print(f"{os.path.basename(file)}: the model is taken to be off by {told['model_error']:.3g} times, "
              f"{told['on_processors']:.0%} of work was on the processors")
        return told["rounds_per_second"], {(c["at"]["lock"], c["at"]["threads"]): (c["value"], *c["ci"])
                                           for c in document["cells"] if c["metric"] == "throughput"}


def tell_how_free(host):
    """What is lacking here is lacking in whatever is measured."""
    rates = {n: statistics.median(host.measured("alone", NATIVE, n) for _ in range(host.typed.times)) for n in host.counts}
    print("without any lock " + ", ".join(f"{n} threads do {rate / rates[1]:.2f} times what one does"
                                          for n, rate in rates.items() if n > 1))


def hold_against(host, shape, model):
    """(error, whether the interval holds it, whether the best lock was named) of each place."""
    did, file = host.recorded(shape)
    if did is None:
        print(f"{shape}: not there")
        return [], []
    foretold = host.foretold(file, model)
    if isinstance(foretold, str):
        print(f"{shape}: {foretold}")
        return [], []
    rounds, told = foretold
    runs = {place: [] for place in host.places()}
    for _ in range(host.typed.times):
        for place in runs:
            runs[place].append(host.measured(shape, *place))
    seen = {place: statistics.median(values) for place, values in runs.items()}
    print(f"{shape}, millions a second (recorded: {did * 1e-6:.3f})")
    errors, best = [], []
    for place, value in seen.items():
        middle, least, most = (x * did / rounds for x in told[place])
        errors.append((middle / value - 1, least <= value <= most))
        print(f"  {place[1]:3} threads  {place[0]:14} measured {value * 1e-6:8.3f}  foretold {middle * 1e-6:8.3f} "
              f"({least * 1e-6:.3f} to {most * 1e-6:.3f})  {errors[-1][0]:+.0%}{'' if errors[-1][1] else ' outside'}")
    for n in host.counts:
        there = [place for place in seen if place[1] == n]
        named = max(there, key=lambda place: told[place][0])
        best.append(seen[named] >= 0.95 * max(seen[place] for place in there))
    return errors, best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program"), parser.add_argument("counter")
    parser.add_argument("--seconds", type=float, default=0.5), parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--machine"), parser.add_argument("shapes", nargs="*")
    typed = parser.parse_intermixed_args()
    errors, best = [], []
    with tempfile.TemporaryDirectory() as folder:
        host = Host(typed.program, typed.counter, folder, typed)
        model = host.model()
        tell_how_free(host)
        for shape in typed.shapes or SHAPES:
            more = hold_against(host, shape, model)
            errors += more[0]
            best += more[1]
    if not errors:
        return 1
    sizes = sorted(abs(error) for error, _ in errors)
    print(f"{len(sizes)} places: median error {statistics.median(sizes):.0%}, 90th percentile "
          f"{sizes[math.ceil(0.9 * len(sizes)) - 1]:.0%}; {sum(inside for _, inside in errors)} in their intervals; "
          f"the lock called best within 5 % of the best in {sum(best)} of {len(best)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
