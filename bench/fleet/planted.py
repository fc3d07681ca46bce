"""Who is named of fleets of 300 hosts with ten ill ones, varied from what is measured here: planted.py PROGRAM [FLEETS]

So many fleets with ill hosts (3), and as many without, all from one measurement: alone, beside a program that keeps a
processor busy, and bound to one processor (tests/fleet/varied.py). Nothing else is to run meanwhile.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "fleet"))
import varied  # noqa: E402


def named(program, folder):
    """Those that are called, and those of few alike that the remark on their group names."""
    done = subprocess.run([program, "fleet", "gather", "--json", folder], check=True, stdout=subprocess.PIPE)
    fleet = json.loads(done.stdout)
    return ({fleet["groups"][group]["hosts"][host]["name"] for group, host in fleet["called"]}
            | {host["name"] for group in fleet["groups"] for host in group["hosts"] if host["name"] in group["remark"]})


def trial(program, measured, seed, healthy):
    """The ill hosts with their illness, and the names of all that are named."""
    with tempfile.TemporaryDirectory() as folder:
        ill = varied.write(measured, folder, seed, healthy)
        names = named(program, folder)
    missed = "".join(f"; missed: {name} ({ill[name]})" for name in sorted(ill.keys() - names))
    print(f"fleet {seed}: {len(ill.keys() & names)} of {len(ill)} ill hosts are named, {len(names - ill.keys())} of "
          f"{varied.HOSTS - len(ill)} others{missed}")
    return ill, names


def main(program, fleets):
    with tempfile.TemporaryDirectory() as home:
        measured = pathlib.Path(home)
        begin = time.monotonic()
        varied.measure_all(program, measured)
        cells = len(varied.Fleet(measured, 1).base["cells"])
        print(f"measured three times in {time.monotonic() - begin:.0f} s: {cells} cells of a host have a value")
        all_trials = [trial(program, measured, seed, healthy=seed > fleets) for seed in range(1, 2 * fleets + 1)]
    ill = [illness for planted, _ in all_trials for illness in planted.values()]
    found = [planted[name] for planted, names in all_trials for name in planted.keys() & names]
    wrongly = sum(len(names - planted.keys()) for planted, names in all_trials)
    for illness in dict.fromkeys(ill):
        print(f"{illness}: {found.count(illness)} of {ill.count(illness)}")
    print(f"{len(found)} of {len(ill)} ill hosts are named, and {wrongly} of {len(all_trials) * varied.HOSTS - len(ill)} others")


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3)
