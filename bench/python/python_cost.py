"""What the package for Python costs over the program itself, and what workers gain: python_cost.py PROGRAM [PART...]

Parts: run, load, gather, workers, proofs, ray, ray_proofs; all of them without a name. $TIMES says how often each is
taken (9). Figures that are compared are taken in turn, and each is the first as often as the others, so that what else the
machine does meets them alike; told are medians with their 95 % intervals, of fewer than six with the least and the greatest.
Of processor time other programs take less.

What workers gain stands beside what two of the program gain that run at once and share nothing: processors which share a
core or a cache give no more.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

PROGRAM = os.path.abspath(sys.argv[1])
os.environ["SYNCHROSCOPE"] = PROGRAM
import synchroscope  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from medians import interval  # noqa: E402

TIMES = int(os.environ.get("TIMES", "9"))
# A second on one processor; and what is worth being spread.
SHORT = dict(machine="opteron", lock=["mcs", "ticket"], protocol="saturated", threads=[8, 16])
SWEEP = dict(machine=["opteron", "xeon", "niagara"], lock=["mcs", "ticket", "clh", "tas"], locks=1, protocol="saturated",
             threads=[1, 2, 4, 8, 16, 32])
LONG = {**SWEEP, "locks": [1, 2, 4, 8]}
PROVED = ["mcs", "clh", "mutex", "ticket", "tas"]
FILES, CELLS = 1000, 280


def taken(call):
    """By the clock, and of the processor: of this process, and of those that it started and that have ended."""
    before, begin = os.times(), time.perf_counter()
    call()
    return time.perf_counter() - begin, sum(os.times()[:4]) - sum(before[:4])


def seconds(call):
    return taken(call)[0]


def processor_seconds(call):
    return taken(call)[1]


def words(sweep, *more):
    typed = {axis: ",".join(map(str, values)) if isinstance(values, list) else values for axis, values in sweep.items()}
    options = [f"--{axis}={value}" for axis, value in typed.items()]
    return [PROGRAM, "simulate", "locks.throughput", *options, *more]


def quietly(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def told(values, unit="s"):
    low, high = interval(values)
    return f"{statistics.median(values):.3f} {unit} ({low:.3f} to {high:.3f})"


def verdict(sentence, values, holds):
    """Whether it holds at both ends of the interval, at one, or at none."""
    ends = [holds(end) for end in interval(values)]
    if len(values) < 6:
        return f"{sentence}: not decided by {len(values)} rounds"
    return f"{sentence}: " + ("yes" if all(ends) else "not decided" if any(ends) else "no")


def in_turn(*calls):
    """What each returns, a tuple of them a round."""
    rounds = []
    for at in range(TIMES):
        order = [(at + i) % len(calls) for i in range(len(calls))]
        returned = {which: calls[which]() for which in order}
        rounds.append(tuple(returned[which] for which in range(len(calls))))
    return rounds


def run():
    """Through Python, in silence and with progress; and by the program."""
    rounds = in_turn(
        lambda: taken(lambda: quietly(words(SWEEP, "--output=direct.json"))),
        lambda: taken(lambda: synchroscope.simulate("locks.throughput", output="ours.json", progress=False, **SWEEP)),
        lambda: taken(lambda: synchroscope.simulate("locks.throughput", output="ours.json", progress=True, **SWEEP)))
    for clock, name in enumerate(("by the clock", "of the processor")):
        direct, silent, shown = ([one[clock] for one in way] for way in zip(*rounds))
        print(f"a simulation by the program, {name}: {told(direct)}")
        for how, ours in (("through Python", silent), ("with progress", shown)):
            over = [100 * (mine / its - 1) for mine, its in zip(ours, direct)]
            print(f"  {how}: {told(ours)}, over the program's {told(over, '%')}; "
                  f"{verdict('at most 2 %', over, lambda end: end <= 2)}")


def again(cell, times):
    """The cell at another place."""
    return {**cell, "at": {**cell["at"], "again": times}} if times else cell


def many_files():
    """Of one run, each with another name."""
    quietly([PROGRAM, "run", "atomics", "coherence", "locks.uncontested", "--quick", "--max-time", "60s", "-o", "one.json"])
    document = json.loads(pathlib.Path("one.json").read_text())
    cells = document["cells"]
    document["cells"] = [again(cells[i % len(cells)], i // len(cells)) for i in range(CELLS)]
    folder = pathlib.Path("many")
    folder.mkdir(exist_ok=True)
    names = {name: json.dumps(value) for name, value in document.items() if name not in ("id", "os", "cells")}
    text = ",\n  ".join(json.dumps(cell, separators=(",", ":")) for cell in document["cells"])
    for i in range(FILES):
        system = {**document["os"], "hostname": f"host-{i:04}"}
        own = {**names, "id": json.dumps(str(uuid.UUID(int=i))), "os": json.dumps(system)}
        head = ",\n".join(f' "{name}": {value}' for name, value in own.items())
        (folder / f"host-{i:04}.json").write_text(f'{{\n{head},\n "cells": [\n  {text}\n ]\n}}\n')
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{FILES} files of {CELLS} cells, {size / 1e6:.0f} MB")


def load():
    if not pathlib.Path("many").exists():
        many_files()
    def both():
        return synchroscope.load("many/*.json")

    print(f"load: {told([seconds(both) for _ in range(TIMES)])}; of the processor {told([processor_seconds(both) for _ in range(TIMES)])}")
    results = synchroscope.load("many/*.json")
    print(f"  its table: {told([seconds(lambda: results.cells)])}, {len(results)} cells")


def gather():
    if not pathlib.Path("many").exists():
        many_files()
    command = [PROGRAM, "fleet", "gather", "many", "-o", "fleet.html"]
    print(f"fleet gather: {told([seconds(lambda: quietly(command)) for _ in range(TIMES)])}; "
          f"of the processor {told([processor_seconds(lambda: quietly(command)) for _ in range(TIMES)])}")
    # A small process begins it: what a process had before it became another program counts, too.
    begin = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
             "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    used = subprocess.run([sys.executable, "-c", begin, *command], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    print(f"  the most memory that it had: {int(used.stdout) / 1024:.0f} MB")


def two_at_once(command):
    """The same program twice, each in a folder of its own."""
    both = []
    for name in ("one", "other"):
        pathlib.Path(name).mkdir(exist_ok=True)
        both.append(subprocess.Popen(command, cwd=name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    for status in [process.wait() for process in both]:
        if status != 0:
            raise subprocess.CalledProcessError(status, command)


def gain(name, command, together, workers):
    rounds = in_turn(lambda: taken(lambda: quietly(command)), lambda: taken(together),
                     lambda: seconds(lambda: two_at_once(command)))
    one, spread, twice = zip(*rounds)
    times = [alone / many for (alone, _), (many, _) in zip(one, spread)]
    most = [2 * alone / both for (alone, _), both in zip(one, twice)]
    print(f"{name}: {told([clock for clock, _ in one])} by one, {told([clock for clock, _ in spread])} by {workers}: "
          f"{told(times, 'times as fast')}; {verdict('at least 1.8', times, lambda end: end >= 1.8)}")
    print(f"  two of the program at once: {told(most, 'times as fast')}; "
          f"of that {told([100 * ours / its for ours, its in zip(times, most)], '%')}")
    if workers != "ray":  # whose workers are not ours
        print(f"  of the processor {told([own for _, own in one])} and {told([own for _, own in spread])}: "
              f"{told([100 * (many / alone - 1) for (_, alone), (_, many) in zip(one, spread)], '%')} more")


def sweeps(workers):
    for name, sweep in (("a short sweep", SHORT), ("a sweep", SWEEP), ("a long sweep", LONG)):
        gain(name, words(sweep, "--output=direct.json"),
             lambda: synchroscope.simulate("locks.throughput", output="ours.json", progress=False, workers=workers, **sweep),
             workers)


def proofs_by(workers):
    for name, option, ours in (("proofs", [], synchroscope.verify), ("mutants", ["--mutate"], synchroscope.mutate)):
        gain(name, [PROGRAM, "verify", "--json", "--jobs=1", *option, *PROVED],
             lambda: ours(*PROVED, workers=workers, progress=False), workers)


def workers():
    sweeps(2)


def proofs():
    proofs_by(2)


# Answers at once, with what a part of a second answers, when it is asked for one.
EMPTY = """#!/bin/sh
case "$*" in
  *--share=*) while read -r part file; do cp "$ANSWER" "$file" && echo done; done ;;
  *) echo none ;;
esac
"""
MANY = 300


def empty_tasks():
    """Seconds of each of many tasks that compute nothing: all of it is what a task costs. The difference of two figures of
    seconds that scatter by percents could not tell it."""
    from synchroscope import _spread

    words_of_one = ["simulate", "locks.throughput"]
    with tempfile.TemporaryDirectory() as folder:
        asked = _spread.Spread(words_of_one, "ray", MANY)
        return seconds(lambda: _spread.performed(asked, pathlib.Path(folder), False)) / MANY


def cost_of_a_task():
    """Beside what one process of this machine takes for the same parts, and by itself."""
    tasks = 6
    sweep = dict(output="ours.json", progress=False, tasks=tasks, **SWEEP)
    pairs = in_turn(lambda: seconds(lambda: synchroscope.simulate("locks.throughput", workers=1, **sweep)),
                    lambda: seconds(lambda: synchroscope.simulate("locks.throughput", workers="ray", **sweep)))
    over = [100 * (spread / alone - 1) for alone, spread in pairs]
    print(f"Ray: a task of {told([alone / tasks for alone, _ in pairs])} takes {told(over, '%')} longer; "
          f"{verdict('less than 5 %', over, lambda end: end < 5)}")
    pathlib.Path("empty").write_text(EMPTY)
    pathlib.Path("empty").chmod(0o755)
    os.environ["SYNCHROSCOPE"] = os.path.abspath("empty")
    try:
        empty_tasks()
        each = [1000 * empty_tasks() for _ in range(TIMES)]
    finally:
        os.environ["SYNCHROSCOPE"] = PROGRAM
    print(f"  one of {MANY} that compute nothing takes {told(each, 'ms')}; "
          f"{verdict('less than 5 % of a second', each, lambda end: end < 50)}")


def on_ray(processors, *calls):
    """On a cluster of this machine, with a worker that has begun on each processor."""
    import ray as engine

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_worker_niceness"] = "0"  # as those that it is held against; by itself 15
    part_of_a_second = os.path.abspath("answer.json")
    quietly(words(SWEEP, "--share=0/6", f"--output={part_of_a_second}"))
    os.environ["ANSWER"] = part_of_a_second
    engine.init(address="local", num_cpus=processors, include_dashboard=False, log_to_driver=False)
    synchroscope.simulate("locks.throughput", output="warm.json", progress=False, workers="ray", tasks=4, **SHORT)
    for call in calls:
        call()
    engine.shutdown()


def ray():
    """What a task costs; then the same sweeps."""
    on_ray(1, cost_of_a_task)
    on_ray(2, lambda: sweeps("ray"))


def ray_proofs():
    on_ray(2, lambda: proofs_by("ray"))


PARTS = {"run": run, "load": load, "gather": gather, "workers": workers, "proofs": proofs, "ray": ray,
         "ray_proofs": ray_proofs}

if __name__ == "__main__":
    asked = sys.argv[2:] or list(PARTS)
    if set(asked) - set(PARTS):
        sys.exit(f"python_cost: there is no part {sorted(set(asked) - set(PARTS))[0]}; there are {', '.join(PARTS)}")
    sys.stdout.reconfigure(line_buffering=True)  # an hour's figures are seen as they come
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        for part in asked:
            PARTS[part]()
        os.chdir("/")
