#!/usr/bin/env python3
"""Stands in for synchroscope and for the small programs where predictions are held against them.

A program does 100 turns a second with each thread, `quick` twice as many unless it is recorded. Two turns are one round.
"""

import json
import sys

RUNS = [110, 105, 102, 100, 98, 95, 90]  # of one thread


def turns(shape, threads):
    if shape == "absent":
        sys.exit(2)
    return (200 if shape == "quick" else 100) * int(threads)


def predict(words):
    if words[0] == "--errors":  # no profile
        with open(words[1], encoding="utf-8") as file:
            print(f"judged {sum(not line.startswith('#') for line in file) - 1} places")
        return
    if "refused.json" in words[0]:
        sys.exit("refused.json cannot be predicted: it sleeps")
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
        shape, threads, _ = words[words.index("--") + 2:]
        print(turns("short" if words[0] == "profile" and shape == "quick" else shape, threads))
    else:
        print(turns(words[0], words[1]))


if __name__ == "__main__":
    main()
