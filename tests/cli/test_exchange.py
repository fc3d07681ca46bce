"""Results files put to use: compared, and handed on to other programs.

    test_exchange.py PROGRAM [CLASS...]
"""

import copy
import json
import os
import unittest

from test_program import Case  # which takes PROGRAM off the arguments

REPETITIONS = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]


def cell(experiment, at, metric, unit, better, value, half_width=0.01, n=11):
    """A cell whose interval reaches so far to either side of the value."""
    samples = [value * (1 + half_width * i / 4) for i in REPETITIONS][:n]
    samples.sort()
    middle = samples[n // 2]
    ci = [samples[1], samples[-2]] if n == 11 else None
    quality = "ok" if ci and half_width < 0.05 else "noisy" if ci and half_width < 0.1 else "unreliable"
    return {"experiment": experiment, "at": at, "metric": metric, "unit": unit, "better": better, "value": middle,
            "ci": ci, "n": n, "flag": quality, "reason": None, "samples": samples, "quantiles": {"p50": middle},
            "noise": {}, "valid": True}


def document(cells):
    return {"schema": "synchroscope/1", "complete": True, "id": "0f8fad5b-d9cb-469f-a165-70867728950e", "label": None,
            "tool": {"version": "0.1.0", "git": None, "compiler": "GNU 12.2.0", "flags": "-O3", "libc": "glibc 2.36"},
            "invocation": {"argv": [], "seed": 1, "started": "2026-11-21T09:20:00Z", "wall_s": 1.0},
            "machine": {"kind": "hardware", "model_name": "A processor"},
            "topology": {"source": "synthetic", "cpus": []},
            "os": {"name": "Linux", "kernel": "6.1"}, "clock": {"source": "tsc"}, "warnings": [], "cells": cells}


def pairs(cpus, protocol="cas"):
    return [cell("coherence.pairs", {"from": a, "to": b, "protocol": protocol}, "latency", "ns", "lower", 20.0 + 10 * a + b)
            for a in range(cpus) for b in range(cpus) if a != b]


def some_cells():
    locks = [cell("locks.throughput", {"lock": lock, "threads": threads}, "throughput", "op/s", "higher", value / threads)
             for lock, value in (("mcs", 2e7), ("ticket", 3e7), ("std/mutex", 1e7)) for threads in (1, 2, 4)]
    states = [cell("coherence.states", {"operation": operation, "state": state, "distance": "same_cache"}, metric, unit,
                   "lower", value)
              for operation in ("load", "store", "cas") for state in ("modified", "shared", "invalid")
              for metric, unit, value in (("latency", "ns", 26.0), ("latency_cycles", "cycle", 90.0))]
    local = [cell("coherence.local", {"level": level}, metric, unit, "lower", value)
             for level, value in (("l1", 4.0), ("l2", 14.0), ("llc", 50.0), ("ram", 300.0))
             for metric, unit in (("latency", "ns"), ("latency_cycles", "cycle"))]
    noisy = [cell("locks.uncontested", {"lock": "tas"}, "pair", "ns", "lower", 5.0, 0.2)]
    return states + local + pairs(3) + locks + noisy


def slowed(cells, index, factor):
    out = copy.deepcopy(cells)
    c = out[index]
    c["value"] *= factor
    c["ci"] = [v * factor for v in c["ci"]]
    c["samples"] = [v * factor for v in c["samples"]]
    return out


class Exchange(Case):
    def write(self, name, cells, **fields):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump({**document(cells), **fields}, file)

    def setUp(self):
        super().setUp()
        self.cells = some_cells()
        self.write("a.json", self.cells)

    def index_of(self, experiment, **at):
        return next(i for i, c in enumerate(self.cells)
                    if c["experiment"] == experiment and all(c["at"][k] == v for k, v in at.items()))


class Comparing(Exchange):
    LIMIT = ("--fail-if-slower", "5%")

    def compared(self, *args):
        return json.loads(self.call("compare", "a.json", "b.json", "--json", *args).stdout)

    def test_the_files_of_this_test_are_files_of_ours(self):
        self.assert_valid("a.json")

    def test_a_file_with_itself(self):
        result = self.succeeds("compare", "a.json", "a.json", *self.LIMIT)
        self.assertIn("0 slower or worse, 0 faster or better", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_one_cell_ten_percent_slower(self):
        i = self.index_of("locks.throughput", lock="ticket", threads=2)
        self.write("b.json", slowed(self.cells, i, 1 / 1.1))
        result = self.refuses(5, "compare", "a.json", "b.json", *self.LIMIT, saying=["lock=ticket threads=2", "5 %"])
        self.assertIn("1 slower or worse", result.stdout)
        changed = [c for c in self.compared()["cells"] if c["verdict"] != "unresolved"]
        self.assertEqual([c["at"] for c in changed], [self.cells[i]["at"]])
        self.succeeds("compare", "a.json", "b.json")
        self.succeeds("compare", "a.json", "b.json", "--fail-if-slower", "12%")
        self.succeeds("compare", "b.json", "a.json", *self.LIMIT)

    def test_a_time_ten_percent_longer(self):
        self.write("b.json", slowed(self.cells, self.index_of("coherence.local", level="l2"), 1.1))
        self.refuses(5, "compare", "a.json", "b.json", *self.LIMIT, saying=["coherence.local", "level=l2"])

    def test_the_same_change_in_a_noisy_cell(self):
        self.write("b.json", slowed(self.cells, self.index_of("locks.uncontested"), 1.1))
        result = self.succeeds("compare", "a.json", "b.json", *self.LIMIT)
        self.assertIn("no difference resolved", result.stdout)
        self.assertTrue(all(c["verdict"] == "unresolved" for c in self.compared()["cells"]))

    def test_another_machine_and_another_build(self):
        self.write("b.json", self.cells, machine={"kind": "hardware", "model_name": "Another"},
                   tool={"version": "9", "git": None, "compiler": "c", "flags": "f", "libc": None})
        result = self.succeeds("compare", "a.json", "b.json")
        self.assertIn("warning: The machines differ", result.stderr)
        self.assertIn("warning: The builds", result.stderr)
        self.assertEqual(len(self.compared()["warnings"]), 2)

    def test_some_experiments_only(self):
        text = self.succeeds("compare", "a.json", "a.json", "--experiment", "locks").stdout
        self.assertIn("locks.throughput", text)
        self.assertNotIn("coherence.", text)

    def test_files_that_are_no_results(self):
        cases = {"empty": "", "text": "hello\n", "newer": '{"schema": "synchroscope/9"}', "list": "[]",
                 "cut": json.dumps(document(self.cells))[:3000], "deep": "[" * 100000, "binary": "\x00\x01"}
        for name, content in cases.items():
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(content)
            self.refuses(2, "compare", "a.json", name, saying=[name])
            self.refuses(2, "compare", name, "a.json", saying=[name])
        self.refuses(2, "compare", "a.json", "absent", saying=["absent does not exist"])
        self.refuses(2, "compare", "a.json", self.home, saying=["directory"])

    def test_mistakes(self):
        for limit in ("5", "0.05", "x", "-5%", "%", "5%%", "1e3%", "."):
            self.refuses(2, "compare", "a.json", "a.json", f"--fail-if-slower={limit}", saying=["5%"])
        self.refuses(2, "compare", "a.json", "a.json", "--fail-if-slower=", saying=["--fail-if-slower"])
        self.refuses(2, "compare", "a.json")
        self.refuses(2, "compare", "a.json", "a.json", "a.json")
        self.refuses(2, "compare", "a.json", "a.json", "--experiment", "lokcs", saying=["'lokcs'"])
        self.write("b.json", [])
        self.refuses(2, "compare", "a.json", "b.json", saying=["no measurement in common"])

    def test_a_full_disk(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.refuses(3, "compare", "a.json", "a.json", stdout=full, saying=["standard output"])

    def test_hostile_names_do_no_harm(self):
        hostile = cell("x.y", {"lock": "\033[31m</script>\n=1+1"}, "latency", "ns", "lower", 1.0)
        self.write("b.json", [hostile])
        result = self.succeeds("compare", "b.json", "b.json")
        self.assertNotIn("\033", result.stdout + result.stderr)
        self.write("c.json", [slowed([hostile], 0, 2)[0]])
        self.assertNotIn("\033", self.refuses(5, "compare", "b.json", "c.json", *self.LIMIT).stderr)
        json.loads(self.call("compare", "b.json", "c.json", "--json").stdout)


if __name__ == "__main__":
    unittest.main()
