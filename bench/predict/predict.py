"""What `predict` foretells of small programs on this host, held against what they do.

    predict.py SYNCHROSCOPE PROGRAM [--seconds S] [--times N] [--machine FILE] [--save FILE] [--every K]
               [--program COMMAND] [NAME...]

This host is measured and becomes the model, or FILE is it. Each program is recorded with its own mutexes and one thread
for each second processor (but two at least), and runs with one thread, with as many as were recorded, one a processor, and
four a processor, with its own mutexes and with each lock of LOCKS in their place: all by turns, N times. Of the N
recordings the one that did the middle number of rounds is replayed: a processor that was slow for a moment is none of the
program's. How much work a nanosecond stands for is measured once, so that each run has the same work.
Before, it is told how free the processors are: what threads without a lock do there. Printed is the median beside what was
foretold, and at the end the errors: their median and 90th percentile, how often the measured median lay within the seven
runs, and how often the lock that was called best was within 5 % of the best. Then each program is judged by the others: how
often its medians lie in the intervals that their errors give. --save keeps the errors as a table, which
`predict --errors` reads and which is part of the program as src/simulations/program_errors.csv. Where other programs run,
it says little.

What a program counts need not be what is foretold (a query takes several locks), so the two are set equal in the recorded
run: its error with the recorded lock and number of threads is that of the replay, not of a unit.

Programs that people use are tried by their names (WHOLE) or as a COMMAND, in which {threads} and {seconds} stand for the
numbers and {before} for the words that the program is started by, where these are not the first; the last word that it
prints is what it did in a second. They run with one thread and with as many as were recorded, as long as they were
recorded. Of a program that is refused the measured column stands alone; one that is not there is skipped. Where a program
takes few locks, --every 1 records all of them.
"""

import argparse
import datetime
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

SHAPES = ("short", "long", "busy", "two", "table", "nested", "rare", "map", "log", "sqlite")
NATIVE = "pthread/mutex"
COLUMNS = "machine,processors,model_error,program,recorded_lock,recorded_threads,lock,threads,measured,runs"
LOCKS = (NATIVE, "mutex", "fair_mutex", "mcs", "mcs/park", "ticket", "tas")
HERE = os.path.dirname(os.path.abspath(__file__))
WHOLE = {"memcached": (sys.executable, f"{HERE}/memcached.py", "mixed", "{threads}", "{seconds}", "{before}"),
         "memcached-gets": (sys.executable, f"{HERE}/memcached.py", "gets", "{threads}", "{seconds}", "{before}"),
         "threadtest3": (sys.executable, f"{HERE}/threadtest3.py", "{threads}", "{seconds}", "{before}"),
         "python3": ("{before}", sys.executable, f"{HERE}/python_threads.py", "counts", "{threads}", "{seconds}"),
         "python3-sums": ("{before}", sys.executable, f"{HERE}/python_threads.py", "sums", "{threads}", "{seconds}")}


def answer(*words, may_fail=False):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0 and not may_fail:
        sys.exit(f"predict: {' '.join(words)}: {result.stderr.strip()}")
    return result


def spins(lock):
    return lock in ("mcs", "ticket", "tas")


def number(value):
    """At least four digits, none in an exponent."""
    return f"{value:,.{max(0, 3 - int(math.log10(max(value, 1))))}f}"


class Tried:
    """A program by its words, of which some stand for what is not the same each time."""

    def __init__(self, name, words, counts, recorded_seconds):
        self.name, self.counts, self.recorded_seconds = name, counts, recorded_seconds
        self.command = words if "{before}" in words else ("{before}", *words)

    def words(self, before, threads, seconds):
        numbers = {"{threads}": str(threads), "{seconds}": str(seconds)}
        return [one for word in self.command for one in (before if word == "{before}" else (numbers.get(word, word),))]

    def places(self, processors):
        """(lock, threads): spinning threads that are more than the processors are not waited for."""
        return [(lock, n) for n in self.counts for lock in LOCKS if n <= processors or not spins(lock)]


class Host:
    def __init__(self, program, counter, folder, typed):
        self.program, self.counter, self.folder, self.typed = program, counter, folder, typed
        self.processors = len(os.sched_getaffinity(0))
        self.recorded_threads = max(2, self.processors // 2)
        self.counts = sorted({1, self.recorded_threads, self.processors, 4 * self.processors})
        self.turns = answer(counter, "turns").stdout.strip()  # measured once, or each run would have other work

    def path(self, name):
        return os.path.join(self.folder, name)

    def model(self):
        if self.typed.machine:
            return self.typed.machine
        answer(self.program, "run", "coherence.states", "coherence.local", "wake.groups", "locks.throughput", "--quick",
               "--no-progress", "-o", self.path("host.json"))
        return self.path("host.json")

    def tried(self, name, words=None):
        if words is None and name not in WHOLE:
            words = (self.counter, name, "{threads}", "{seconds}", self.turns)
            return Tried(name, words, self.counts, 2 * self.typed.seconds)
        return Tried(name, words or WHOLE[name], [1, self.recorded_threads], self.typed.seconds)

    def measured(self, tried, lock, threads):
        before = () if lock == NATIVE else (self.program, "with", lock, "--")
        return float(answer(*tried.words(before, threads, self.typed.seconds)).stdout.split()[-1])

    def recorded(self, tried, turn):
        """The file, what it did while it was recorded, and if it did nothing, why."""
        file = self.path(f"{tried.name}.{turn}.json")
        before = (self.program, "profile", "--every", str(self.typed.every), "-o", file, "--")
        result = answer(*tried.words(before, self.recorded_threads, tried.recorded_seconds), may_fail=True)
        if result.returncode != 0:
            return file, None, (result.stderr.strip().splitlines() or ["not there"])[-1]
        return file, float(result.stdout.split()[-1]), None

    def foretold(self, tried, file, model):
        """(what the prediction rests on, (lock, threads) -> its runs), or the sentence of a refusal."""
        out, none = self.path("prediction.json"), self.path("none.csv")
        with open(none, "w", encoding="utf-8") as text:  # errors of an earlier run are not in what is judged now
            text.write(COLUMNS + "\n")
        result = answer(self.program, "predict", file, "--machine", model, "--threads", ",".join(map(str, tried.counts)),
                        "--lock", ",".join(LOCKS), "--errors", none, "--no-progress", "-o", out, may_fail=True)
        if result.returncode != 0:
            return result.stderr.strip()
        with open(out, encoding="utf-8") as text:
            document = json.load(text)
        [basis] = [w["evidence"] for w in document["warnings"] if w["id"] == "predicted"]
        print(f"{os.path.basename(file)}: the model is taken to be off by {basis['model_error']:.3g} times, "
              f"{basis['on_processors']:.0%} of work was on the processors"
              + (f"; think time {basis['think']:.0%}" if basis.get("think") else ""))
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
    alone = host.tried("alone")
    rates = {n: statistics.median(host.measured(alone, NATIVE, n) for _ in range(host.typed.times)) for n in alone.counts}
    return "without any lock " + ", ".join(f"{n} threads do {rate / rates[1]:.2f} times what one does"
                                           for n, rate in rates.items() if n > 1)


def recorded_and_measured(host, tried):
    """The recording that did the middle number of rounds, what it did, and the medians: of the same minutes."""
    runs = {place: [] for place in tried.places(host.processors)}
    recordings = []
    for turn in range(host.typed.times):
        file, did, why = host.recorded(tried, turn)
        if did is None:
            return (file, did, why), {}
        recordings.append((did, file))
        for place in runs:
            runs[place].append(host.measured(tried, *place))
    did, file = sorted(recordings)[len(recordings) // 2]
    return (file, did, None), {place: statistics.median(values) for place, values in runs.items()}


def hold_against(host, tried, model, table):
    """(error, whether the runs hold it) of each place, and whether the best lock was named with each number of threads."""
    (file, did, why), seen = recorded_and_measured(host, tried)
    if did is None:
        print(f"{tried.name}: skipped: {why}")
        return [], []
    foretold = host.foretold(tried, file, model)
    print(f"{tried.name}, a second (recorded: {number(did)})")
    if isinstance(foretold, str):
        print(f"  {foretold}")
        for (lock, threads), value in seen.items():
            print(f"  {threads:3} threads  {lock:14} measured {number(value):>12}  foretold: nothing")
        return [], []
    basis, told = foretold
    unit = did / basis["rounds_per_second"]
    errors, best = [], []
    for place, value in seen.items():
        table.add(tried.name, basis, place, value / unit, told[place])
        middle, least, most = (x * unit for x in (statistics.median(told[place]), min(told[place]), max(told[place])))
        errors.append((middle / value - 1 if value else math.inf, least <= value <= most))
        print(f"  {place[1]:3} threads  {place[0]:14} measured {number(value):>12}  foretold {number(middle):>12} "
              f"({number(least)} to {number(most)})  {errors[-1][0]:+.0%}{'' if errors[-1][1] else ' outside'}")
    for n in tried.counts:
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
    parser.add_argument("--machine"), parser.add_argument("--save"), parser.add_argument("names", nargs="*")
    parser.add_argument("--every", type=int, default=64), parser.add_argument("--program", dest="command", type=shlex.split)
    return parser.parse_intermixed_args()


def asked_for(host):
    names, command = host.typed.names, host.typed.command
    own = [host.tried(os.path.basename(command[0]), tuple(command))] if command else []
    return [host.tried(name) for name in names or (() if command else SHAPES)] + own


def main():
    typed = typed_words()
    errors, best = [], []
    with tempfile.TemporaryDirectory() as folder:
        host = Host(typed.program, typed.counter, folder, typed)
        table = Table(host)
        model = host.model()
        table.free = how_free(host)
        print(table.free)
        for tried in asked_for(host):
            more = hold_against(host, tried, model, table)
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
