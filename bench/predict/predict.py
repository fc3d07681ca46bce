"""What `predict` foretells of small programs on this host, held against what they do.

    predict.py SYNCHROSCOPE PROGRAM [--seconds S] [--times N] [--machine FILE] [--save FILE] [SHAPE...]

This host is measured and becomes the model, or FILE is it. Each program is recorded once, with its own mutexes and one
thread for each second processor (but two at least). Then it runs with one thread, with as many as were recorded, one a
processor, and four a processor, with its own mutexes and with each lock of LOCKS in their place, all by turns, N times.
Before, it is told how free the processors are: what threads without a lock do there. Printed is the median beside what was
foretold, and at the end the errors: their median and 90th percentile, how often the measured median lay within the seven
runs, and how often the lock that was called best was within 5 % of the best. Then each program is judged by the others: how
often its medians lie in the intervals that their errors give. --save keeps the errors as a table, which
`predict --errors` reads and which is part of the program as src/simulations/program_errors.csv. Where other programs run,
it says little.

What a program counts need not be what is foretold (a query takes several locks), so the two are set equal in the recorded
run: its error with the recorded lock and number of threads is that of the replay, not of a unit.
"""

import argparse
import datetime
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

SHAPES = ("short", "long", "busy", "two", "table", "nested", "rare", "map", "log", "sqlite")
NATIVE = "pthread/mutex"
COLUMNS = "machine,processors,model_error,program,recorded_lock,recorded_threads,lock,threads,measured,runs"
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
        self.recorded_threads = max(2, self.processors // 2)
        self.counts = sorted({1, self.recorded_threads, self.processors, 4 * self.processors})

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
        result = answer(self.program, "profile", "-o", file, "--", self.counter, shape,
                        str(self.recorded_threads), str(2 * self.typed.seconds), may_fail=True)
        return (float(result.stdout), file) if result.returncode == 0 else (None, file)

    def foretold(self, file, model):
        """(what the prediction rests on, (lock, threads) -> its runs), or the sentence of a refusal."""
        out, none = self.path("prediction.json"), self.path("none.csv")
        with open(none, "w", encoding="utf-8") as text:  # errors of an earlier run are not in what is judged now
            text.write(COLUMNS + "\n")
        result = answer(self.program, "predict", file, "--machine", model, "--threads", ",".join(map(str, self.counts)),
                        "--lock", ",".join(LOCKS), "--errors", none, "--no-progress", "-o", out, may_fail=True)
        if result.returncode != 0:
            return result.stderr.strip()
        with open(out, encoding="utf-8") as text:
            document = json.load(text)
        [basis] = [w["evidence"] for w in document["warnings"] if w["id"] == "predicted"]
        print(f"{os.path.basename(file)}: the model is taken to be off by {basis['model_error']:.3g} times, "
              f"{basis['on_processors']:.0%} of work was on the processors")
        return basis, {(c["at"]["lock"], c["at"]["threads"]): c["samples"]
                       for c in document["cells"] if c["metric"] == "throughput"}


class Table:
    """The errors as data. Where it is from stands in the first lines."""

    def __init__(self, host):
        facts = json.loads(answer(host.program, "info", "--json").stdout)
        self.machine = (facts["machine"].get("model_name") or "a measured machine").replace(",", " ")
        self.host, self.rows, self.free = host, [], ""

    def add(self, shape, basis, place, measured, runs):
        self.rows.append(f"{self.machine},{self.host.processors},{basis['model_error']:.6g},{shape},{NATIVE},{basis['threads']},"
                         f"{place[0]},{place[1]},{measured:.6g},{' '.join(f'{run:.6g}' for run in runs)}")

    def text(self):
        typed = self.host.typed
        return (f"# What small programs (bench/predict/programs.cpp) did, rounds a second, beside the seven runs that were predicted for\n"
                f"# them. Written by ./dev bench predict --save, {datetime.date.today()}: medians of {typed.times} runs of "
                f"{typed.seconds:g} s.\n# {self.free}\n" + "\n".join([COLUMNS, *self.rows]) + "\n")


def how_free(host):
    """What is lacking here is lacking in whatever is measured."""
    rates = {n: statistics.median(host.measured("alone", NATIVE, n) for _ in range(host.typed.times)) for n in host.counts}
    return "without any lock " + ", ".join(f"{n} threads do {rate / rates[1]:.2f} times what one does"
                                           for n, rate in rates.items() if n > 1)


def hold_against(host, shape, model, table):
    """(error, whether the runs hold it) of each place, and whether the best lock was named with each number of threads."""
    did, file = host.recorded(shape)
    if did is None:
        print(f"{shape}: not there")
        return [], []
    foretold = host.foretold(file, model)
    if isinstance(foretold, str):
        print(f"{shape}: {foretold}")
        return [], []
    basis, told = foretold
    unit = did / basis["rounds_per_second"]
    runs = {place: [] for place in host.places()}
    for _ in range(host.typed.times):
        for place in runs:
            runs[place].append(host.measured(shape, *place))
    seen = {place: statistics.median(values) for place, values in runs.items()}
    print(f"{shape}, millions a second (recorded: {did * 1e-6:.3f})")
    errors, best = [], []
    for place, value in seen.items():
        table.add(shape, basis, place, value / unit, told[place])
        middle, least, most = (x * unit for x in (statistics.median(told[place]), min(told[place]), max(told[place])))
        errors.append((middle / value - 1, least <= value <= most))
        print(f"  {place[1]:3} threads  {place[0]:14} measured {value * 1e-6:8.3f}  foretold {middle * 1e-6:8.3f} "
              f"({least * 1e-6:.3f} to {most * 1e-6:.3f})  {errors[-1][0]:+.0%}{'' if errors[-1][1] else ' outside'}")
    for n in host.counts:
        there = [place for place in seen if place[1] == n]
        named = max(there, key=lambda place: statistics.median(told[place]))
        best.append(seen[named] >= 0.95 * max(seen[place] for place in there))
    return errors, best


def judge_by_the_others(host, table):
    file = host.typed.save or host.path("errors.csv")
    with open(file, "w", encoding="utf-8") as out:
        out.write(table.text())
    print(answer(host.program, "predict", "--errors", file).stdout, end="")


def typed_words():
    parser = argparse.ArgumentParser()
    parser.add_argument("program"), parser.add_argument("counter")
    parser.add_argument("--seconds", type=float, default=0.5), parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--machine"), parser.add_argument("--save"), parser.add_argument("shapes", nargs="*")
    return parser.parse_intermixed_args()


def main():
    typed = typed_words()
    errors, best = [], []
    with tempfile.TemporaryDirectory() as folder:
        host = Host(typed.program, typed.counter, folder, typed)
        table = Table(host)
        model = host.model()
        table.free = how_free(host)
        print(table.free)
        for shape in typed.shapes or SHAPES:
            more = hold_against(host, shape, model, table)
            errors += more[0]
            best += more[1]
        if not errors:
            return 1
        sizes = sorted(abs(error) for error, _ in errors)
        print(f"{len(sizes)} places: median error {statistics.median(sizes):.0%}, 90th percentile "
              f"{sizes[math.ceil(0.9 * len(sizes)) - 1]:.0%}; {sum(inside for _, inside in errors)} within the seven runs; "
              f"the lock called best within 5 % of the best in {sum(best)} of {len(best)}")
        judge_by_the_others(host, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
