"""What the package for Python costs over the program itself, and what workers gain: python_cost.py PROGRAM [PART...]

Parts: run, load, gather, workers, proofs, ray; all of them without a name. $TIMES says how often each is taken (5). Each
pair of figures is taken in turn, so that what else the machine does meets both; told are medians with the least and the
greatest. Of processor time other programs take less.
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

TIMES = int(os.environ.get("TIMES", "5"))
# A second on one processor; and what is worth being spread.
SHORT = dict(machine="opteron", lock=["mcs", "ticket"], threads=[8, 16])
SWEEP = dict(machine=["opteron", "xeon", "niagara"], lock=["mcs", "ticket", "clh", "tas"], threads=[1, 2, 4, 8, 16, 32])
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
    return f"{statistics.median(values):.3f} {unit} ({min(values):.3f} to {max(values):.3f})"


def run():
    """Through Python, in silence and with progress; and by the program."""
    rounds = []
    for _ in range(TIMES):
        rounds.append((
            taken(lambda: quietly(words(SWEEP, "--output=direct.json"))),
            taken(lambda: synchroscope.simulate("locks.throughput", output="ours.json", progress=False, **SWEEP)),
            taken(lambda: synchroscope.simulate("locks.throughput", output="ours.json", progress=True, **SWEEP))))
    for clock, name in enumerate(("by the clock", "of the processor")):
        direct, silent, shown = ([one[clock] for one in way] for way in zip(*rounds))
        print(f"a simulation by the program, {name}: {told(direct)}")
        for how, ours in (("through Python", silent), ("with progress", shown)):
            over = [100 * (mine / its - 1) for mine, its in zip(ours, direct)]
            print(f"  {how}: {told(ours)}, over the program's {told(over, '%')}")


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


def gain(name, alone, together, workers):
    pairs = [(taken(alone), taken(together)) for _ in range(TIMES)]
    print(f"{name}: {told([one for (one, _), _ in pairs])} by one, {told([many for _, (many, _) in pairs])} by {workers}: "
          f"{told([one / many for (one, _), (many, _) in pairs], 'times as fast')}")
    if workers != "ray":  # whose workers are not ours
        print(f"  of the processor {told([one for (_, one), _ in pairs])} and {told([many for _, (_, many) in pairs])}: "
              f"{told([100 * (many / one - 1) for (_, one), (_, many) in pairs], '%')} more")


def sweeps(workers):
    for name, sweep in (("a short sweep", SHORT), ("a sweep", SWEEP)):
        gain(name, lambda: quietly(words(sweep, "--output=direct.json")),
             lambda: synchroscope.simulate("locks.throughput", output="ours.json", progress=False, workers=workers, **sweep),
             workers)


def proofs_by(workers):
    for name, option, ours in (("proofs", [], synchroscope.verify), ("mutants", ["--mutate"], synchroscope.mutate)):
        gain(name, lambda: quietly([PROGRAM, "verify", "--json", "--jobs=1", *option, *PROVED]),
             lambda: ours(*PROVED, workers=workers, progress=False), workers)


def workers():
    sweeps(2)


def proofs():
    proofs_by(2)


def ray():
    """What a task costs beside what one process of this machine takes for the same parts; then the same sweeps and proofs."""
    import ray as engine

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    tasks = 8
    engine.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False)
    synchroscope.simulate("locks.throughput", output="warm.json", progress=False, workers="ray", tasks=1, **SHORT)
    over = []
    for _ in range(TIMES):
        alone, spread = (seconds(lambda: synchroscope.simulate(
            "locks.throughput", output="ours.json", progress=False, workers=workers, tasks=tasks, **SWEEP))
            for workers in (1, "ray"))
        over.append((alone / tasks, 100 * (spread / alone - 1)))
    print(f"Ray: a task of {told([one for one, _ in over])} takes {told([more for _, more in over], '%')} longer")
    engine.shutdown()
    engine.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    synchroscope.simulate("locks.throughput", output="warm.json", progress=False, workers="ray", tasks=4, **SHORT)
    sweeps("ray")
    proofs_by("ray")
    engine.shutdown()


PARTS = {"run": run, "load": load, "gather": gather, "workers": workers, "proofs": proofs, "ray": ray}

if __name__ == "__main__":
    asked = sys.argv[2:] or list(PARTS)
    if set(asked) - set(PARTS):
        sys.exit(f"python_cost: there is no part {sorted(set(asked) - set(PARTS))[0]}; there are {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        for part in asked:
            PARTS[part]()
        os.chdir("/")
