"""Is the lock that `advise` and `tune` name for a program near the best one? Tried on programs, under every lock.

    advice_bench.py SYNCHROSCOPE INTERPOSER SMALL_PROGRAM [--only NAME,...] [--locks LIST] [--rounds N] [--results FILE]
                    [-o FILE]

Six small programs and four real ones. Each runs in rounds, in a round once as it is and once under each lock, in random
order, by this script's own loop. A lock that fails, or takes five times as long as the program's own, is out. Then `tune` is
asked which lock the program should have, and `advise`, which gets the program's profile and what `locks.throughput` says of
this machine (`--results`; measured before if not given). An answer that it does not matter, or that no difference is
resolved, names the program's own locks. `--locks`: these and no others, for a short trial.

What is lost with the named lock is held against the best one. That is picked by every other round and compared in the rest,
and the other way round: the lock that came out best of thirty is partly the luckiest. An answer is right if the median of
the ratios is 1.05 at most; one that it does not matter also where no lock is resolved to be better at all. Exit status 1:
fewer than nine in ten answers of either are right, or one of high confidence is resolved to be wrong; 2: nothing could be
measured.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from medians import interval  # noqa: E402

ALLOWED = 1.05
NATIVE = "native"
SAME_AS_NATIVE = {"std/mutex", "pthread/mutex", "std/shared_mutex"}
SLOWEST = 5
CPUS = len(os.sched_getaffinity(0))
HERE = os.path.dirname(os.path.abspath(__file__))

# small_program's THREADS ROUNDS INSIDE BETWEEN READERS BURST
SMALL = {
    "uncontended": (CPUS, 100_000, 50, 3_000, 0, 0),
    "short sections": (CPUS, 1_500_000, 30, 100, 0, 0),
    "long sections": (CPUS, 12_000, 10_000, 10_000, 0, 0),
    "oversubscribed": (4 * CPUS, 500_000, 200, 500, 0, 0),
    "mostly readers": (CPUS, 500_000, 300, 300, 95, 0),
    "bursts": (CPUS, 600_000, 100, 100, 0, 2_000),
}

MEMCACHED = """
memcached -u nobody -l 127.0.0.1 -p {port} -t 2 & server=$!
until memcping --servers=127.0.0.1:{port} >/dev/null 2>&1; do kill -0 $server || exit 1; sleep 0.01; done
memcslap --servers=127.0.0.1:{port} --concurrency=8 --execute-number=2000 --test=get >/dev/null || exit 1
kill $server; wait $server
"""
REDIS = """
redis-server --port {port} --bind 127.0.0.1 --save '' --io-threads 2 --io-threads-do-reads yes >/dev/null & server=$!
until redis-cli -p {port} ping >/dev/null 2>&1; do kill -0 $server || exit 1; sleep 0.01; done
redis-benchmark -p {port} -n 20000 -c 16 -t set,get -q >/dev/null || exit 1
redis-cli -p {port} shutdown nosave; wait $server
"""

# What each needs, and its words. The first four that are there are tried.
REAL = {
    "memcached": (["memcached", "memcslap", "memcping"], ["sh", "-c", MEMCACHED]),
    "redis": (["redis-server", "redis-cli", "redis-benchmark"], ["sh", "-c", REDIS]),
    "python3 threads": (["/usr/bin/python3"], ["/usr/bin/python3", os.path.join(HERE, "python_threads.py")]),
    "zstd": (["zstd"], ["zstd", "-q", "-f", f"-T{CPUS}", "-6", "{input}", "-o", "{input}.zst"]),
    "sqlite": (["/usr/bin/python3"], ["/usr/bin/python3", os.path.join(HERE, "sqlite_threads.py")]),
    "xz": (["xz"], ["xz", "-k", "-f", f"-T{CPUS}", "-1", "--block-size=1MiB", "{input}"]),
}
REAL_TRIED = 4


def fail(sentence):
    print(f"advice_bench: {sentence}", file=sys.stderr)
    sys.exit(2)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def write_input(path):
    """Words at random, which compress as text does."""
    chance = random.Random(1)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(5000)]
    with open(path, "w", encoding="ascii") as file:
        for _ in range(300_000):
            file.write(" ".join(chance.choices(words, k=8)) + "\n")


def programs_of(options, folder):
    """By name: the words of its command line."""
    asked = options.only.split(",") if options.only else None
    found = {name: [options.small, *map(str, plan)] for name, plan in SMALL.items()}
    path = os.path.join(folder, "input")
    tried = 0
    for name, (needs, words) in REAL.items():
        missing = [need for need in needs if shutil.which(need) is None]
        if missing:
            print(f"not tried: {name}: there is no {', '.join(missing)}")
        elif (name in asked) if asked else tried < REAL_TRIED:
            found[name] = [w.replace("{port}", str(free_port())).replace("{input}", path) for w in words]
            tried += 1
    found = {name: words for name, words in found.items() if not asked or name in asked}
    if not found:
        fail(f"there is no program {options.only}")
    if any(path in word for words in found.values() for word in words):
        write_input(path)
    return found


class Loop:
    """Runs one program under locks, and keeps the times."""

    def __init__(self, interposer, words, locks):
        self.interposer, self.words = interposer, words
        self.times = {lock: [] for lock in [NATIVE, *locks]}
        self.out = {}

    def run_once(self, lock, limit):
        """Seconds; or a sentence that says why there are none."""
        environment = dict(os.environ)
        if lock != NATIVE:
            environment.update(LD_PRELOAD=self.interposer, SYNCHRO_PRELOAD_LOCK=lock)
        begin = time.monotonic()
        with subprocess.Popen(self.words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, start_new_session=True) as run:
            try:
                _, said = run.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(run.pid, signal.SIGKILL)
                run.communicate()
                return f"not done after {limit:.2g} s"
        if run.returncode != 0:
            return f"exit status {run.returncode}: {said.decode(errors='replace').strip()[-100:]}"
        return time.monotonic() - begin

    def rounds(self, count, chance):
        first = self.run_once(NATIVE, 600)
        if isinstance(first, str):
            fail(f"{self.words[0]} with its own locks: {first}")
        for _ in range(count):
            order = [lock for lock in self.times if lock not in self.out]
            chance.shuffle(order)
            limit = max(2, SLOWEST * max([first, *self.times[NATIVE]]))
            for lock in order:
                seen = self.run_once(lock, limit)
                if isinstance(seen, str):
                    if lock == NATIVE:
                        fail(f"{self.words[0]} with its own locks: {seen}")
                    self.out[lock] = seen
                else:
                    self.times[lock].append(seen)
        return {lock: times for lock, times in self.times.items() if lock not in self.out}


def best_of(times, rounds):
    return min(times, key=lambda lock: statistics.median(times[lock][i] for i in rounds))


def loss_of(times, lock):
    """How many times as long as with the best lock: (median, low, high), or None if the lock is out. The interval is that of
    the median, of 95 % or, where rounds are too few for that, as wide as they are."""
    if lock not in times:
        return None
    count = len(times[NATIVE])
    halves = [[i for i in range(count) if i % 2 == half] for half in (0, 1)]
    ratios = []
    for picked, judged in (halves, halves[::-1]):
        best = best_of(times, picked)
        ratios += [times[lock][i] / times[best][i] for i in judged]
    return statistics.median(ratios), *interval(ratios)


def ask(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    return done.stdout, None


def ask_tune(options, words):
    """The lock, what is said of how sure it is, and whether that is that it does not matter."""
    locks = ["--locks", options.locks] if options.locks else []
    said, why = ask(options.synchroscope, "tune", "--json", "--no-progress", *locks, "--", *words)
    if said is None:
        return None, why, False
    found = json.loads(said)
    return found["winner"] or NATIVE, found["verdict"], found["verdict"] == "unresolved"


def ask_advise(options, results, words, folder):
    profile = os.path.join(folder, "profile.json")
    _, why = ask(options.synchroscope, "profile", "-o", profile, "--", *words)
    if why is not None:
        return None, why, False
    said, why = ask(options.synchroscope, "advise", *results, "--profile", profile, "--json")
    if said is None:
        return None, why, False
    lock = json.loads(said)["advice"][0]
    native = not lock["matters"] or lock["take"] in SAME_AS_NATIVE
    sure = f"confidence {lock['confidence']}" + ("" if lock["matters"] else ", it does not matter")
    return NATIVE if native else lock["take"], sure, not lock["matters"]


def results_of_machine(options, folder):
    path = os.path.join(folder, "results.json")
    locks = ("tas,ticket,ticket/yield,mcs,mcs/park,clh/park,mutex,fair_mutex,pthread/mutex,shared_mutex,phase_fair,"
             "std/shared_mutex")
    throughput = ["locks.throughput", "--threads", f"{CPUS},{2 * CPUS},{4 * CPUS}", "--hold", "0,500,10000",
                  "--gap", "0,1000,10000", "--protocol", "saturated", "--readers", "0,90"]
    for words in (throughput, ["locks.uncontested"]):
        _, why = ask(options.synchroscope, "run", *words, "--quick", "--no-progress", "--lock", locks, "-o", path + words[0])
        if why is not None:
            fail(why)
    return [path + "locks.throughput", path + "locks.uncontested"]


class Answers:
    """What one of the two has said of all programs."""

    def __init__(self, name):
        self.name, self.asked, self.right, self.misled = name, 0, 0, []

    def judge(self, program, lock, sure, indifferent, times):
        loss = None if lock is None else loss_of(times, lock)
        right = loss is not None and (loss[0] <= ALLOWED or (indifferent and loss[1] <= 1))
        self.asked += 1
        self.right += right
        if lock is None:
            print(f"  {self.name:7} no answer: {sure}")
            return
        if "high" in sure and (loss is None or loss[1] > ALLOWED):
            self.misled.append(program)
        told = "is out" if loss is None else "{:.3f} ({:.3f} to {:.3f}) times as long as the best".format(*loss)
        print(f"  {self.name:7} {lock}: {told}; {sure}  {'right' if right else 'WRONG'}", flush=True)

    def in_words(self):
        return f"{self.name}: {self.right} of {self.asked} right" + (
            f"; high confidence in a wrong lock: {', '.join(self.misled)}" if self.misled else "")

    def pass_(self):
        return 10 * self.right >= 9 * self.asked and not self.misled


def own_locks(options):
    if options.locks:
        return options.locks.split(",")
    said, why = ask(options.synchroscope, "list", "locks", "--json")
    if said is None:
        fail(why)
    return [row["name"] for row in json.loads(said) if row["kind"] == "own"]


def show(name, times, out):
    ranks = sorted(times, key=lambda lock: statistics.median(times[lock]))
    native = statistics.median(times[NATIVE])
    print(f"{name}: {native:.3f} s with its own locks; best " +
          ", ".join(f"{lock} {statistics.median(times[lock]) / native:.3f}" for lock in ranks[:4]) +
          f"; worst {ranks[-1]} {statistics.median(times[ranks[-1]]) / native:.3f}" + (f"; {len(out)} out" if out else ""))


def typed():
    parser = argparse.ArgumentParser(usage=__doc__)
    for word in ("synchroscope", "interposer", "small"):
        parser.add_argument(word)
    parser.add_argument("--only")
    parser.add_argument("--locks")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--results")
    parser.add_argument("-o", "--output")
    options = parser.parse_args()
    if options.rounds < 2:
        fail("--rounds: two at least, of which one picks the best lock and the other judges")
    return options


def main():
    options = typed()
    chance = random.Random(1)
    all_times = {}
    answers = [Answers("advise"), Answers("tune")]
    with tempfile.TemporaryDirectory() as folder:
        programs = programs_of(options, folder)
        results = [options.results] if options.results else results_of_machine(options, folder)
        for name, words in programs.items():
            loop = Loop(options.interposer, words, own_locks(options))
            times = loop.rounds(options.rounds, chance)
            show(name, times, loop.out)
            all_times[name] = {"times": times, "out": loop.out}
            answers[0].judge(name, *ask_advise(options, results, words, folder), times)
            answers[1].judge(name, *ask_tune(options, words), times)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump(all_times, file, indent=1)
    for one in answers:
        print(one.in_words())
    return 0 if all(one.pass_() for one in answers) else 1


if __name__ == "__main__":
    sys.exit(main())
