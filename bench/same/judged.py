"""What `compare` says of results files, and a file in which one cell is made slower."""

import json
import subprocess
import sys


def compared(program, a, b, limit):
    files = [*a, "--with", *b]
    result = subprocess.run([program, "compare", *files, "--json", "--fail-if-slower", limit], capture_output=True,
                            text=True)
    if result.returncode not in (0, 5):
        sys.exit(result.stderr)
    return result.returncode, json.loads(result.stdout)


def key(cell):
    return cell["experiment"], cell["metric"], json.dumps(cell["at"], sort_keys=True)


def place(cell):
    at = {axis: value for axis, value in cell["at"].items() if axis != "mode"}
    return cell["experiment"], cell["metric"], json.dumps(at, sort_keys=True)


def is_quiet(cell):
    """Its interval reaches less than 1 % to either side."""
    return bool(cell["ci"]) and cell["value"] > 0 and cell["ci"][1] - cell["ci"][0] < 0.02 * cell["value"]


def quiet_cells(found, documents):
    """Times that are quiet in every run that has them."""
    noisy = {place(c) for d in documents.values() for c in d["cells"] if c["value"] is not None and not is_quiet(c)}
    return [c for c in found["cells"] if c["better"] == "lower" and place(c) not in noisy]


def values_of(side):
    return set(side.get("runs", [side["value"]]))


def made_slower(document, found, out):
    """By 10 %: a time 1.1 times as long, a rate the 1.1th part. The cell may have another mode among its coordinates than
    that of the first side: its values tell."""
    document = json.loads(json.dumps(document))
    worse = 1.1 if found["better"] == "lower" else 1 / 1.1
    for cell in document["cells"]:
        if place(cell) == place(found) and cell["value"] in values_of(found["b"]):
            for field in ("samples", "ci"):
                cell[field] = cell[field] and [worse * v for v in cell[field]]  # few repetitions have no interval
            cell["value"] *= worse
    with open(out, "w", encoding="utf-8") as target:
        json.dump(document, target)
