"""A fleet varied from measured files, with ill hosts planted in it: varied.py MEASURED FOLDER SEED [HEALTHY]

MEASURED is a folder of three files: alone.json, measured by a program that has the machine for itself; loaded.json, beside
another that kept a processor busy; bound.json, by one that was bound to a single processor. Each of 300 hosts gets the cells
of the first times factors that are drawn; ten of them are made ill, in seven ways; with HEALTHY none. Two of the seven are
what the other files show. Nothing here knows how `synchroscope fleet` judges. The file planted.txt in the folder names the
ill hosts and their illness.

How healthy hosts differ was set from four runs of the tour on one virtual machine: the standard deviations of the logarithms
of cells ran from nothing to 0.4 in three quarters of them, with a median of 0.1.
"""

import json
import math
import os
import pathlib
import random
import subprocess
import sys
import uuid

# Of each family that an illness is about, what takes seconds.
MEASURED = ["coherence.local", "coherence.states", "coherence.pairs", "coherence.bandwidth", "atomics.throughput",
            "overhead.calls", "wake.idle", "forkjoin.timeline", "messages.pair"]
HOSTS = 300
OF_HOST = 0.015  # standard deviation of the logarithm: a host as a whole,
OF_EXPERIMENT = 0.02  # a host in an experiment,
OF_CELL = (0.007, 0.4)  # and in a cell: for each cell drawn between these, evenly by its logarithm
FREEDOM = 5  # of Student's distribution, whose tails a cell's factors have
IN_ANOTHER_STATE = 0.1  # this share of the cells takes longer on hosts in another state: in each experiment
STATE = (0.15, 1.3)  # this share of the hosts, and by this factor. More than a tenth are in it: it is no illness.
SCATTER = (0.1, 0.3)  # of the logarithm of an interval's width: a host, and a cell
REPETITIONS = 7


def measure(program, output, processors=None):
    asked = [program, "run", *MEASURED, "--quick", "--max-time", "240s", "--no-progress", "-o", output]
    subprocess.run(asked, check=False, timeout=600, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   preexec_fn=processors and (lambda: os.sched_setaffinity(0, processors)))


def measure_all(program, folder):
    """Alone, beside a program that keeps a processor busy, and bound to a single processor."""
    measure(program, folder / "alone.json")
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        measure(program, folder / "loaded.json")
    finally:
        busy.kill()
        busy.wait()
    measure(program, folder / "bound.json", {min(os.sched_getaffinity(0))})


def student(numbers, freedom):
    """Of variance 1."""
    wide = math.sqrt(freedom / sum(numbers.gauss(0, 1) ** 2 for _ in range(freedom)))
    return numbers.gauss(0, 1) * wide / math.sqrt(freedom / (freedom - 2))


def key_of(cell):
    at = {axis: value for axis, value in cell["at"].items() if axis != "mode"}
    return json.dumps([cell["experiment"], at, cell["metric"]], sort_keys=True)


def cost(cell, factor):
    """The factor of a value that has become so many times as costly."""
    return {"higher": 1 / factor, "lower": factor, "neither": 1}[cell["better"]]


class Fleet:
    def __init__(self, measured, seed):
        self.numbers = random.Random(seed)
        self.base, loaded, self.bound = (json.loads((pathlib.Path(measured) / name).read_text())
                                         for name in ("alone.json", "loaded.json", "bound.json"))
        self.base["cells"] = [cell for cell in self.base["cells"]
                              if cell["value"] and cell["value"] > 0 and "mode" not in cell["at"]]
        under_load = {key_of(cell): cell for cell in loaded["cells"]}
        self.load = {key_of(cell): under_load.get(key_of(cell)) for cell in self.base["cells"]}
        low, high = map(math.log, OF_CELL)
        self.spread = [math.exp(self.numbers.uniform(low, high)) for _ in self.base["cells"]]
        self.states = [self.numbers.random() < IN_ANOTHER_STATE for _ in self.base["cells"]]

    def host(self, name, illness=None):
        numbers = self.numbers
        document = {**self.base, "id": str(uuid.UUID(int=numbers.getrandbits(128), version=4)), "label": None,
                    "machine": {**self.base["machine"], "microcode": "0x1000065",
                                "memory_bytes": round(self.base["machine"]["memory_bytes"] * numbers.uniform(0.99, 1.01))},
                    "os": {**self.base["os"], "hostname": name, "governor": "performance", "clocksource": "tsc",
                           "kernel": numbers.choice(["6.1.0-30", "6.1.0-31", "6.1.0-31"])},
                    "warnings": []}
        whole, wide = numbers.gauss(0, OF_HOST), numbers.gauss(0, SCATTER[0])
        experiments = {name: numbers.gauss(0, OF_EXPERIMENT) for name in {c["experiment"]: 0 for c in self.base["cells"]}}
        in_state = {name: numbers.random() < STATE[0] for name in experiments}
        document["cells"] = []
        for cell, spread, state in zip(self.base["cells"], self.spread, self.states):
            by = student(numbers, FREEDOM) * spread
            worse = math.exp(whole + experiments[cell["experiment"]])
            if state and in_state[cell["experiment"]]:
                worse *= STATE[1]
            factor = math.exp(by) * cost(cell, worse)
            width = math.exp(wide + numbers.gauss(0, SCATTER[1]))
            document["cells"].append(self.scaled(cell, factor, width))
        if illness:
            illness(self, document)
        return document

    def scaled(self, cell, factor, width):
        value = cell["value"] * factor

        def spread(end):
            return max(0.0, value + (end - cell["value"]) * factor * width)

        return {**cell, "value": value, "ci": [spread(end) for end in cell["ci"]] if cell["ci"] else None, "noise": {},
                "samples": [spread(sample) for sample in cell["samples"][:REPETITIONS] if sample is not None]}

    def shows(self, illness):
        """Whether it changes three cells by five times what healthy hosts differ by there and their intervals are wide, or
        how many processors were measured.

        What was measured on a busy machine hides an illness from everybody.
        """
        ill = {**self.base, "machine": {**self.base["machine"]}, "os": {**self.base["os"]}}
        illness(self, ill)
        if len(ill["topology"]["cpus"]) != len(self.base["topology"]["cpus"]):
            return True

        def is_far(before, after, spread):
            half = (before["ci"][1] - before["ci"][0]) / 2 / before["value"] if before["ci"] else math.inf
            differs = math.hypot(spread, half, OF_HOST, OF_EXPERIMENT)
            return abs(math.log(after["value"] / before["value"])) > 5 * differs

        after = {key_of(cell): cell for cell in ill["cells"]}
        return sum(is_far(cell, after[key_of(cell)], spread) for cell, spread in zip(self.base["cells"], self.spread)
                   if key_of(cell) in after) >= 3

    def worsen(self, document, factor, which, width=1.0):
        document["cells"] = [self.scaled(cell, cost(cell, factor) if which(cell) else 1.0, width if which(cell) else 1.0)
                             for cell in document["cells"]]


def of_memory(cell):
    return cell["at"].get("level") == "ram" or cell["experiment"] == "coherence.bandwidth"


def wrong_governor(fleet, document):
    """The clock at two thirds: what waits for nothing but the processor takes longer; memory does not."""
    document["os"]["governor"] = "powersave"
    fleet.worsen(document, 1.45, lambda cell: not of_memory(cell) and cell["unit"] != "cycle")


def old_microcode(fleet, document):
    """Remedies in software: whatever enters the kernel pays."""
    document["machine"]["microcode"] = "0x1000010"
    fleet.worsen(document, 1.6, lambda cell: cell["experiment"].split(".")[0] in ("wake", "overhead", "forkjoin"))


def slow_memory(fleet, document):
    """Half of the channels."""
    fleet.worsen(document, 2.0, of_memory)


def bad_link(fleet, document):
    """Whatever passes from one processor to another is slow."""
    fleet.worsen(document, 1.7, lambda cell: cell["probe_ns"] is not None and cell["experiment"].startswith("coherence"))


def wrong_clock(fleet, document):
    """Reading the time is a call of the system."""
    document["os"]["clocksource"] = "hpet"
    fleet.worsen(document, 2.5, lambda cell: cell["experiment"].startswith(("wake", "forkjoin", "throttle")), width=1.5)


def busy_neighbours(fleet, document):
    """What a real load did to each cell when it was measured."""
    cells = []
    for cell in document["cells"]:
        before, under_load = next(c for c in fleet.base["cells"] if key_of(c) == key_of(cell)), fleet.load[key_of(cell)]
        if not under_load or not under_load["value"] or under_load["value"] <= 0:
            cells.append(cell)
            continue
        half = [(c["ci"][1] - c["ci"][0]) / c["value"] if c["ci"] else 0 for c in (before, under_load)]
        width = half[1] / half[0] if half[0] and half[1] else 1.0
        cells.append(fleet.scaled(cell, under_load["value"] / before["value"], width))
    document["cells"] = cells


def bound_to_one(fleet, document):
    """What was measured by a program that had been bound to a single processor."""
    document["topology"], document["warnings"] = fleet.bound["topology"], fleet.bound["warnings"]
    document["cells"] = [cell for cell in fleet.bound["cells"] if cell["value"] and cell["value"] > 0]


ILLNESSES = [wrong_governor, wrong_governor, old_microcode, old_microcode, slow_memory, bad_link, bad_link,
             wrong_clock, busy_neighbours, bound_to_one]


def write(measured, folder, seed, healthy=False, hosts=HOSTS):
    """The names of the ill hosts, each with its illness; MEASURED as above."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    fleet = Fleet(measured, seed)
    names = [f"host-{i:03}" for i in range(hosts)]
    ill = {} if healthy else dict(zip(random.Random(f"ill {seed}").sample(names, len(ILLNESSES)), ILLNESSES))
    for name in names:
        (folder / f"{name}.json").write_text(json.dumps(fleet.host(name, ill.get(name)), separators=(",", ":")))
    planted = {name: illness.__name__ for name, illness in ill.items()}
    (folder / "planted.txt").write_text("".join(f"{name} {illness}\n" for name, illness in sorted(planted.items())))
    return planted


if __name__ == "__main__":
    for name, illness in write(*sys.argv[1:3], int(sys.argv[3]), sys.argv[4:] == ["HEALTHY"]).items():
        print(name, illness)
