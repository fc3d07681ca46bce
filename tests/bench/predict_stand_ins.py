#!/usr/bin/env python3
"""Stands in for synchroscope and for the small programs where predictions are held against them.

A program does 100 turns a second with each thread, `quick` twice as many unless it is recorded, and `uneven` so many as
its recording says (UNEVEN). Two turns are one round. Some
demand to be told the work that was measured.
"""

import json
import os
import sys

WORK = "3.5"
UNEVEN = {"uneven.0.json": 70, "uneven.1.json": 100, "uneven.2.json": 20}
RUNS = [110, 105, 102, 100, 98, 95, 90]  # of one thread


def turns(shape, threads):
    if shape == "absent":
        sys.exit(2)
    return (200 if shape == "quick" else 100) * int(threads)


def run(words, recording=""):
    shape, threads, _, *work = words
    if shape in ("short", "uneven") and work != [WORK]:
        sys.exit("it is not told the work that was measured once")
    if recording in UNEVEN:
        return UNEVEN[recording] * int(threads)
    return turns("short" if recording and shape == "quick" else shape, threads)


def predict(words):
    if words[0] == "--errors":  # no profile
        with open(words[1], encoding="utf-8") as file:
            print(f"judged {sum(not line.startswith('#') for line in file) - 1} places")
        return
    if "refused." in words[0]:
        sys.exit(f"{os.path.basename(words[0])} cannot be predicted: it sleeps")
    values = dict(zip(words[1::2], words[2::2]))
    with open(values["--errors"], encoding="utf-8") as file:
        assert len(file.read().splitlines()) == 1, "an earlier run's errors are in it"
    cells = [{"metric": "throughput", "at": {"lock": lock, "threads": int(n)}, "samples": [run * int(n) / 2 for run in RUNS]}
             for lock in values["--lock"].split(",") for n in values["--threads"].split(",")]
    basis = {"model_error": 1.5, "on_processors": 1, "threads": 2, "rounds_per_second": 100}
    with open(values["-o"], "w", encoding="utf-8") as file:
        json.dump({"cells": cells, "warnings": [{"id": "predicted", "evidence": basis}]}, file)


def main():
    words = sys.argv[1:]
    if words[0] == "info":
        print(json.dumps({"machine": {"model_name": "Made Up, Inc."}}))
    elif words[0] == "predict":
        predict([word for word in words[1:] if word != "--no-progress"])
    elif words[0] in ("with", "profile"):
        recording = os.path.basename(words[words.index("-o") + 1]) if words[0] == "profile" else ""
        print(run(words[words.index("--") + 2:], recording))
    elif words == ["turns"]:
        print(WORK)
    else:
        print(run(words))


if __name__ == "__main__":
    main()
