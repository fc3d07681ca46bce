"""Results files put to use: compared, and handed on to other programs.

    test_exchange.py PROGRAM [CLASS...]
"""

import base64
import copy
import csv
import io
import itertools
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import unittest
import uuid

from test_program import SHORT, Case  # which takes PROGRAM off the arguments

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


EMULATED = {"kind": "hardware", "model_name": "A processor", "emulation": "qemu-arm on x86_64"}


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
            json.dump({**document(cells), "id": str(uuid.uuid5(uuid.NAMESPACE_URL, name)), **fields}, file)

    def setUp(self):
        super().setUp()
        self.cells = some_cells()
        self.write("a.json", self.cells)

    def index_of(self, experiment, **at):
        return next(i for i, c in enumerate(self.cells)
                    if c["experiment"] == experiment and all(c["at"][k] == v for k, v in at.items()))


def as_matrix(cells):
    """A matrix of them, the plainest there is: each cell is a kind of its own, and there are no columns."""
    common = {name: cells[0][name] for name in ("experiment", "metric", "unit", "better")}
    names = list(cells[0]["at"])
    axes = [[name, list(dict.fromkeys(c["at"][name] for c in cells))] for name in names]
    place = {tuple(c["at"].values()): number for number, c in enumerate(cells, 1)}
    fields = [place.get(at, 0) for at in itertools.product(*(values for _, values in axes))]
    kinds = [{name: value for name, value in c.items() if name not in common and name != "at"} for c in cells]
    kind = {"bits": 16, "least": 0, "data": base64.b64encode(struct.pack(f"<{len(fields)}H", *fields)).decode()}
    return {**common, "matrix": {"axes": axes, "kinds": kinds, "kind": kind, "numbers": [], "columns": []}}


class Matrices(Exchange):
    """Many cells as one entry of a file: what a command does with it is what it does with the cells one by one."""

    def setUp(self):
        super().setUp()
        pairs_there = [c for c in self.cells if c["experiment"] == "coherence.pairs"]
        pairs_there.sort(key=lambda c: (c["at"]["to"] == 0, c["at"]["from"]))  # 0 is the last of `to`, as it is first found
        pairs_there.sort(key=lambda c: c["at"]["from"])
        before = self.cells.index(next(c for c in self.cells if c["experiment"] == "coherence.pairs"))
        rest = [c for c in self.cells if c["experiment"] != "coherence.pairs"]
        self.write("one-by-one.json", rest[:before] + pairs_there + rest[before:])
        self.write("r.json", rest[:before] + [as_matrix(pairs_there)] + rest[before:], schema="synchroscope/2",
                   id=self.document("one-by-one.json")["id"])

    def both(self, *words):
        """What a command prints of the one file and of the other, each called r.json."""
        answers = [self.call(*words)]
        os.rename(self.path("r.json"), self.path("matrix.json"))
        shutil.copy(self.path("one-by-one.json"), self.path("r.json"))
        answers.append(self.call(*words))
        os.replace(self.path("matrix.json"), self.path("r.json"))
        return [(answer.returncode, answer.stdout, answer.stderr) for answer in answers]

    def test_every_command_reads_the_same(self):
        self.assert_valid("r.json")
        slower = slowed(self.document("one-by-one.json")["cells"], -1, 2)
        self.write("b.json", slower)
        for words in (["show", "r.json"], ["show", "r.json", "--tables"], ["show", "r.json", "--json"],
                      ["export", "r.json", "--format", "csv"], ["export", "r.json", "--format", "markdown"],
                      ["compare", "r.json", "b.json", "--json"],
                      ["show", "r.json", "--claims", "--json"]):
            with self.subTest(words):
                one, other = self.both(*words)
                self.assertEqual(one, other)
                self.assertEqual(one[0], 0, one[2])
        self.assertIn("latency", self.succeeds("export", "r.json", "--format", "csv").stdout)
        self.assertIn("topology.cpus is empty", self.call("model", "r.json").stderr)  # the results are known as such

    def test_what_is_damaged_is_one_sentence(self):
        document = self.document("r.json")
        matrix = next(c["matrix"] for c in document["cells"] if "matrix" in c)
        for change, saying in ((lambda m: m["axes"][0][1].pop(), r"kind\.data must have \d+ bytes, not \d+"),
                               (lambda m: m["kind"].update(data=m["kind"]["data"][:-1]), r"kind\.data is not Base64"),
                               (lambda m: m["kinds"].pop(), r"matrix\.kind has a number of no kind: \d+"),
                               (lambda m: m["kinds"][2].pop("flag"), r'kinds\[2\]: the field "flag" is missing')):
            before = copy.deepcopy(matrix)
            change(matrix)
            with open(self.path("damaged.json"), "w", encoding="utf-8") as file:
                json.dump(document, file)
            matrix.clear()
            matrix.update(before)
            for command in ("show", "export", "report"):
                refused = self.call(command, "damaged.json", *(["--format", "csv"] if command == "export" else []))
                self.assertEqual(refused.returncode, 2, refused.stdout)
                self.assertRegex(refused.stderr, r"damaged\.json is not a results file that can be read here: cells\[\d+\]: .*" + saying)
                self.assertEqual(refused.stderr.count("\n"), 1)

    def test_a_simulation_is_resumed(self):
        words = ["coherence.pairs", "--machine", "opteron", "--protocol", "cas", "--from", "0,6,12", "--quick"]
        self.succeeds("simulate", *words, "--to", "0,6,12", "-o", "s.json")
        whole = self.document("s.json")
        order = sorted(whole["cells"], key=lambda c: list(c["at"].values()))
        document = {**whole, "schema": "synchroscope/2", "complete": False, "cells": [as_matrix(order[:-1])]}
        with open(self.path("s.json"), "w", encoding="utf-8") as file:
            json.dump(document, file)
        self.succeeds("simulate", "--resume", "s.json")
        self.assertEqual(self.document("s.json")["cells"], whole["cells"])
        self.assertEqual(self.document("s.json")["schema"], "synchroscope/1")


class Comparing(Exchange):
    LIMIT = ("--fail-if-slower", "5%")

    def compared(self, *args):
        return json.loads(self.call("compare", "a.json", "b.json", "--json", *args).stdout)

    def test_the_files_of_this_test_are_files_of_ours(self):
        self.assert_valid("a.json")

    def test_a_file_with_itself(self):
        result = self.succeeds("compare", "a.json", "a.json", *self.LIMIT)
        self.assertIn("0 slower or worse, 0 faster or better", result.stdout)
        self.assertIn("a.json and a.json hold the same run: no difference", result.stderr)
        shutil.copy(self.path("a.json"), self.path("copy.json"))
        copied = self.succeeds("compare", "a.json", "copy.json", *self.LIMIT)
        self.assertIn("a.json and copy.json hold the same run", copied.stderr)
        self.write("more.json", self.cells[1:], id=self.document("a.json")["id"])
        grown = self.succeeds("compare", "a.json", "more.json")
        self.assertIn("a.json and more.json hold the same run, at two times", grown.stderr)

    def test_one_cell_five_times_as_slow(self):
        i = self.index_of("locks.throughput", lock="ticket", threads=2)
        self.write("b.json", slowed(self.cells, i, 1 / 5))
        result = self.refuses(5, "compare", "a.json", "b.json", *self.LIMIT, saying=["lock=ticket threads=2", "5 %"])
        self.assertIn("1 slower or worse", result.stdout)
        changed = [c for c in self.compared()["cells"] if c["verdict"] != "unresolved"]
        self.assertEqual([c["at"] for c in changed], [self.cells[i]["at"]])
        self.succeeds("compare", "a.json", "b.json")
        self.succeeds("compare", "a.json", "b.json", "--fail-if-slower", "420%")
        self.succeeds("compare", "b.json", "a.json", *self.LIMIT)

    def test_single_runs_do_not_show_what_runs_differ_by(self):
        self.write("b.json", slowed(self.cells, self.index_of("locks.throughput", lock="ticket", threads=2), 1 / 1.1))
        result = self.succeeds("compare", "a.json", "b.json", *self.LIMIT)
        self.assertNotIn("single runs differ as much", result.stdout)
        self.assertIn("single runs differ as much", self.succeeds("compare", "a.json", "b.json", "--tables").stdout)
        self.assertIn("--with", result.stderr)
        self.assertEqual(sum(c["as_runs_differ"] for c in self.compared()["cells"]), 1)

    def test_a_time_twice_as_long(self):
        self.write("b.json", slowed(self.cells, self.index_of("coherence.local", level="l2"), 2))
        self.refuses(5, "compare", "a.json", "b.json", *self.LIMIT, saying=["coherence.local", "level=l2"])

    def runs(self, side, count, index=None, factor=1.0):
        """Runs that differ by 0.2 % from each other; in each, one cell is slower."""
        names = [f"{side}{n}.json" for n in range(count)]
        for n, name in enumerate(names):
            cells = self.cells
            for i in range(len(cells)):
                cells = slowed(cells, i, 1 + 0.002 * ((n + i + len(side)) % 3 - 1))
            if index is not None:
                cells = slowed(cells, index, factor)
            self.write(name, cells, id=f"{side}-{n}")
        return names

    def test_several_runs_of_each_side(self):
        i = self.index_of("locks.throughput", lock="ticket", threads=2)
        before, same, after = self.runs("before", 3), self.runs("same", 3), self.runs("after", 4, i, 1 / 1.1)
        self.succeeds("compare", *before, "--with", *same, *self.LIMIT)
        result = self.refuses(5, "compare", *before, "--with", *after, *self.LIMIT, saying=["lock=ticket threads=2"])
        self.assertIn("A: before0.json, before1.json, before2.json", result.stdout)
        self.assertIn("1 slower or worse", result.stdout)
        found = json.loads(self.call("compare", *before, "--with", *after, "--json").stdout)
        self.assertEqual(found["sample"], "runs")
        cell = next(c for c in found["cells"] if c["verdict"] == "worse")
        self.assertEqual((len(cell["a"]["runs"]), len(cell["b"]["runs"])), (3, 4))
        self.succeeds("compare", "a.json", "--with", "a.json")

    def test_mistakes_with_several_runs(self):
        before, after = self.runs("before", 3), self.runs("after", 3)
        for files in ([*before], [*before, "--with", *after[:2]], [before[0], "--with", *after],
                      [*before[:2], "--with", *after]):
            self.refuses(2, "compare", *files, saying=["--with" if len(files) == 3 else "at least 3"])
        self.refuses(2, "compare", *before, "--with", after[0], after[1], after[0], saying=["after0.json", "same run"])
        self.refuses(2, "compare", *before, "--with", *after[:2], before[0], saying=["before0.json", "same run"])
        self.refuses(2, "compare", *before, "--with", *after, "absent", saying=["absent does not exist"])
        self.refuses(2, "compare", "--with", *after)
        self.write("other.json", self.cells, id="other", machine={"kind": "hardware", "model_name": "Another"})
        self.refuses(2, "compare", *before, "other.json", "--with", *after, saying=["other.json", "one machine", "Another"])

    def test_the_differences_are_on_one_screen_largest_first(self):
        changed = self.cells
        for i, c in enumerate(self.cells):
            if c["experiment"] == "coherence.states" and c["metric"] == "latency":
                changed = slowed(changed, i, 3 + i / 10)
        self.write("b.json", changed)
        text = self.succeeds("compare", "a.json", "b.json").stdout
        self.assertLessEqual(len(text.splitlines()), 20)
        factors = [float(f) for f in re.findall(r"(?m)^- slower: .*\s+B\s+/\s+A\s+([\d.]+)", text)]
        self.assertGreater(len(factors), 2)
        self.assertEqual(factors, sorted(factors, reverse=True))
        self.assertRegex(text, r"- and \d+ more differences")
        tables = self.succeeds("compare", "a.json", "b.json", "--tables").stdout
        self.assertIn("B / A", tables)
        self.assertGreater(len(tables.splitlines()), 40)
        some = self.succeeds("compare", "a.json", "b.json", "--changed").stdout
        self.assertIn("coherence.states", some)
        self.assertNotIn("coherence.pairs", some)

    def test_a_small_change_in_a_noisy_cell(self):
        self.write("b.json", slowed(self.cells, self.index_of("locks.uncontested"), 1.1))
        result = self.succeeds("compare", "a.json", "b.json", *self.LIMIT, "--tables")
        self.assertIn("no difference resolved", result.stdout)
        self.assertTrue(all(c["verdict"] == "unresolved" for c in self.compared()["cells"]))

    def test_another_machine_and_another_build(self):
        self.write("b.json", self.cells, machine={"kind": "hardware", "model_name": "Another"},
                   tool={"version": "9", "git": None, "compiler": "c", "flags": "f", "libc": None})
        result = self.succeeds("compare", "a.json", "b.json")
        self.assertIn("warning: The machines differ", result.stderr)
        self.assertIn("warning: The builds", result.stderr)
        self.assertEqual(len(self.compared()["warnings"]), 2)

    def test_an_emulated_run_is_compared_with_nothing(self):
        self.write("e.json", self.cells, machine=EMULATED)
        for files in (("a.json", "e.json"), ("e.json", "a.json"), ("e.json", "e.json")):
            result = self.refuses(2, "compare", *files, saying=["e.json was measured under an emulator (qemu-arm on x86"])
            self.assertEqual(result.stdout, "")

    def test_an_emulated_run_says_so_and_decides_nothing(self):
        self.write("e.json", self.cells, machine=EMULATED)
        answer = " ".join(self.succeeds("show", "e.json").stdout.split())
        self.assertIn("emulated (qemu-arm on x86_64): A processor", answer)
        self.assertIn("No reliable finding: this was measured under an emulator", answer)
        self.assertNotIn("In brackets", answer)
        shown = json.loads(self.succeeds("show", "e.json", "--json").stdout)
        self.assertEqual({c["flag"] for c in shown["cells"]}, {"emulated"})
        self.assertEqual([f["sentences"] for f in shown["findings"] if f["sentences"]], [])
        self.assertIn("# an emulator's figure", self.succeeds("show", "e.json", "--tables").stdout)
        claims = json.loads(self.succeeds("show", "e.json", "--claims", "--json").stdout)
        self.assertEqual({c["verdict"] for c in claims}, {"not measured"})
        rows = list(csv.DictReader(io.StringIO(self.succeeds("export", "e.json", "--format", "csv").stdout)))
        self.assertEqual({row["flag"] for row in rows}, {"emulated"})
        gbench = json.loads(self.succeeds("export", "e.json", "--format", "gbench").stdout)
        self.assertEqual(gbench["context"]["emulated_by"], "qemu-arm on x86_64")

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not here")
    def test_what_valgrind_runs_is_emulated(self):
        by_valgrind = {"prefix": ["valgrind", "-q", "--tool=none"]}
        name = r"none-\w+-linux"
        self.assertRegex(self.succeeds("--version", **by_valgrind).stdout.splitlines()[0], rf" \(emulated: {name}\)$")
        self.assertNotIn("emulated", self.succeeds("--version").stdout)
        about = self.succeeds("info", **by_valgrind)
        self.assertRegex(about.stdout, rf"(?m)^EMULATED +{name}$")
        self.assertIn("runs under an emulator", about.stderr)
        self.succeeds(*SHORT, "-o", "e.json", **by_valgrind)
        self.assert_valid("e.json")
        self.assertEqual({c["flag"] for c in self.document("e.json")["cells"]}, {"emulated"})
        self.succeeds(*SHORT, "-o", "here.json")
        self.refuses(2, "compare", "here.json", "e.json", saying=["e.json was measured under an emulator (none-"])

    def test_an_emulated_run_is_no_ground_for_advice_or_a_model(self):
        self.write("e.json", self.cells, machine=EMULATED)
        simulate = ["simulate", "coherence.states", "--machine", "./e.json"]
        for command in (["advise", "e.json"], ["model", "e.json"], simulate):
            self.refuses(2, *command, saying=["was measured under an emulator"])

    def test_some_experiments_only(self):
        text = self.succeeds("compare", "a.json", "a.json", "--experiment", "locks", "--tables").stdout
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
            self.write("b.json", slowed(self.cells, 0, 1.01))
            self.refuses(3, "compare", "a.json", "b.json", stdout=full, saying=["standard output"])

    def test_hostile_names_do_no_harm(self):
        hostile = cell("x.y", {"lock": "\033[31m</script>\n=1+1"}, "latency", "ns", "lower", 1.0)
        self.write("b.json", [hostile])
        result = self.succeeds("compare", "b.json", "b.json")
        self.assertNotIn("\033", result.stdout + result.stderr)
        self.write("c.json", [slowed([hostile], 0, 3)[0]])
        self.assertNotIn("\033", self.refuses(5, "compare", "b.json", "c.json", *self.LIMIT).stderr)
        json.loads(self.call("compare", "b.json", "c.json", "--json").stdout)


HOSTILE = ["</script><b>", '=cmd|"/c calc"!A1', "+1", "-1+2", "@SUM(A1)", 'a "quoted", one', "two\nlines", "a|b`c*_[x](y)",
           "\033[31mred", "x" * 300, "\u202eabc", "'", "[]:*?/\\", "", " ", "{{7*7}}", "\u00e9\u4e2d"]


def hostile_cells():
    cells = [cell("x.y", {"lock": name, "threads": 1}, "latency", "ns", "lower", 1.0 + i) for i, name in enumerate(HOSTILE)]
    cells += [cell(name or "empty", {"unit": 1}, name or "m", name or "u", "lower", 2.0) for name in HOSTILE]
    broken = cell("x.y", {"lock": "broken", "threads": 1}, "latency", "ns", "lower", 1.0)
    broken.update(value=None, ci=None, valid=False, reason="=two threads, inside at \"once\"", samples=[None, 1.0])
    few = cell("x.z", {"lock": "few"}, "latency", "ns", "lower", 3.0, n=1)
    return cells + [broken, few]


class Choosing(Exchange):
    """Which lock to take, for scripts, by show --json."""

    PROCESSORS = {"topology": {"source": "synthetic", "cpus": [{"os_index": i} for i in range(2)]}}

    def wanted(self, values, **more):
        return [cell("locks.throughput", {"lock": lock, "locks": 1, "threads": 2, "protocol": "saturated", **more}, *metric)
                for lock, ns in values.items()
                for metric in (("throughput", "op/s", "higher", 1e7), ("handoff_time", "ns", "lower", ns))]

    def test_each_use_of_a_lock_has_the_words_of_the_terminal_and_the_cell_behind_them(self):
        free = [cell("locks.uncontested", {"lock": lock, "distance": "same_cpu"}, "pair", "ns", "lower", value)
                for lock, value in (("tas", 10.0), ("mcs", 20.0))]
        self.write("r.json", self.wanted({"mcs": 100.0, "tas": 300.0}) + free, **self.PROCESSORS)
        shown = json.loads(self.succeeds("show", "r.json", "--json").stdout)
        wanted, seldom = shown["locks_to_take"]
        self.assertEqual([one["machine"] for one in (wanted, seldom)], [None, None])
        self.assertEqual((wanted["by"]["at"]["lock"], wanted["by"]["metric"]), ("mcs", "handoff_time"))
        self.assertEqual((seldom["by"]["at"]["lock"], seldom["by"]["metric"]), ("tas", "pair"))
        for one in (wanted, seldom):
            self.assertIn(one["by"], shown["cells"])
        self.assertIn(f"Which lock to take: {wanted['words']}; {seldom['words']}.",
                      " ".join(self.succeeds("show", "r.json").stdout.split()))

    def test_each_simulated_machine_has_its_own(self):
        self.write("r.json", self.wanted({"mcs": 100.0, "tas": 300.0}, machine="niagara")
                   + self.wanted({"mcs": 300.0, "tas": 100.0}, machine="opteron"), **self.PROCESSORS)
        shown = json.loads(self.succeeds("show", "r.json", "--json").stdout)
        self.assertEqual([(one["machine"], one["by"]["at"]["lock"]) for one in shown["locks_to_take"]],
                         [("niagara", "mcs"), ("opteron", "tas")])

    def test_there_is_none_where_nothing_was_compared(self):
        self.write("r.json", self.wanted({"mcs": 100.0}), **self.PROCESSORS)
        self.assertEqual(json.loads(self.succeeds("show", "r.json", "--json").stdout)["locks_to_take"], [])


class Exporting(Exchange):
    FORMATS = ("csv", "xlsx", "markdown", "gbench", "matrix")

    def export(self, name, form, *args):
        return self.succeeds("export", name, "--format", form, *args).stdout

    def rows(self, text):
        return list(csv.DictReader(io.StringIO(text)))

    def test_csv_holds_every_cell(self):
        rows = self.rows(self.export("a.json", "csv"))
        self.assertEqual(len(rows), len(self.cells))
        for row, c in zip(rows, self.cells):
            self.assertEqual((row["experiment"], row["metric"], row["unit"], row["flag"], row["better"]),
                             (c["experiment"], c["metric"], c["unit"], c["flag"], c["better"]))
            self.assertEqual(float(row["value"]), c["value"])
            self.assertEqual([float(row["ci_low"]), float(row["ci_high"])], c["ci"])
            self.assertEqual([float(v) for v in row["samples"].split()], c["samples"])
            self.assertEqual(float(row["p50"]), c["quantiles"]["p50"])
            self.assertEqual({k: row[k] for k in c["at"]}, {k: str(v) for k, v in c["at"].items()})

    def test_csv_of_hostile_names(self):
        cells = hostile_cells()
        self.write("h.json", cells)
        text = self.export("h.json", "csv")
        self.assertNotIn("\033", text)
        rows = self.rows(text)
        self.assertEqual(len(rows), len(cells))
        self.assertEqual(rows[5]["lock"], HOSTILE[5])
        self.assertEqual(rows[6]["lock"], HOSTILE[6])
        for row in rows:
            for name, value in row.items():
                if value and name not in ("value", "ci_low", "ci_high", "samples"):
                    self.assertNotIn(value[0], "=+-@", (name, value))
        self.assertEqual(rows[len(HOSTILE)]["at.unit"], "1")

    def workbook(self, name, *args):
        import openpyxl
        self.succeeds("export", name, "-o", "book.xlsx", *args)
        return openpyxl.load_workbook(self.path("book.xlsx"))

    def text_of(self, sheet):
        return [[v.value for v in row] for row in sheet.iter_rows()]

    def column_under(self, rows, heading, after=0):
        r = next(i for i, row in enumerate(rows) if i >= after and heading in row)
        c = rows[r].index(heading)
        return [row[c] for row in rows[r + 1:]]

    def test_a_workbook_has_a_sheet_with_a_chart_for_each_experiment(self):
        book = self.workbook("a.json")
        experiments = list(dict.fromkeys(c["experiment"] for c in self.cells))
        self.assertEqual(book.sheetnames, ["run", *experiments, "cells"])
        for name in experiments:
            self.assertGreaterEqual(len(book[name]._charts), 1, name)
        cells = self.text_of(book["cells"])
        self.assertEqual(len(cells), 1 + len(self.cells))
        value = cells[0].index("value")
        self.assertEqual([row[value] for row in cells[1:]], [c["value"] for c in self.cells])
        matrix = self.text_of(book["coherence.pairs"])
        names = next(i for i, row in enumerate(matrix) if row[0] == "from")
        self.assertEqual(matrix[names + 1][:4], [0, "\u00b7", 21, 22])
        self.assertEqual(matrix[names + 3][:4], [2, 40, 41, "\u00b7"])

    def test_a_workbook_holds_the_papers_tables(self):
        book = self.workbook("a.json")
        states = self.text_of(book["coherence.states"])
        first = next(i for i, row in enumerate(states) if row[0] == "operation") + 1
        self.assertEqual(states[first][:2], ["load", "modified"])
        self.assertEqual([v for v in states[first] if v is not None][2:7], [26, 90, 81, 161, 172])
        local = self.text_of(book["coherence.local"])
        self.assertEqual([v for v in self.column_under(local, "Opteron") if v is not None], [3, 15, 40, 136])

    def test_the_overhead_papers_table(self):
        self.write("o.json", [cell("overhead.calls", {"call": "release_mutex"}, "latency", "ns", "lower", 250.0)])
        rows = self.text_of(self.workbook("o.json")["overhead.calls"])
        first = next(i for i, row in enumerate(rows) if row[0] == "call") + 1
        table = {row[0]: row[1:5] for row in rows[first:first + 13]}
        self.assertEqual(len(table), 13)
        self.assertEqual(table["release_mutex"], [0.25, 21, 59, 14])
        self.assertEqual(table["Waiting for Semaphore"], [None, 145, 105, 106])
        self.assertIn("Windows XP", self.export("o.json", "markdown"))

    def test_a_workbook_of_hostile_names(self):
        self.write("h.json", hostile_cells())
        book = self.workbook("h.json")
        for sheet in book:
            for row in sheet.iter_rows():
                for field in row:
                    self.assertNotEqual(field.data_type, "f", field.value)

    def test_markdown_has_the_tables(self):
        text = self.export("a.json", "markdown")
        self.assertIn("## locks.throughput", text)
        self.assertIn("| lock | threads 1 | threads 2 | threads 4 |", text)
        for block in text.split("\n\n"):
            lines = [line for line in block.splitlines() if line.startswith("|")]
            self.assertLessEqual(len({line.replace("\\|", "").count("|") for line in lines}), 1, lines)

    def test_markdown_of_hostile_names(self):
        self.write("h.json", hostile_cells())
        text = self.export("h.json", "markdown")
        self.assertNotIn("<", text)
        self.assertNotIn("\033", text)

    def test_gbench_is_what_its_own_tools_expect(self):
        result = self.succeeds("export", "a.json", "--format", "gbench")
        self.assertIn("left out", result.stderr)
        benchmarks = json.loads(result.stdout)["benchmarks"]
        wanted = [c for c in self.cells if c["unit"] in ("ns", "op/s")]
        self.assertEqual(len(benchmarks), sum(len(c["samples"]) + 1 for c in wanted))
        rate = next(b for b in benchmarks if b["name"] == "locks.throughput/throughput/lock:mcs/threads:2")
        self.assertAlmostEqual(rate["real_time"] * rate["items_per_second"], 1e9)
        self.assertEqual(rate["threads"], 2)
        self.assertTrue(all(b["time_unit"] == "ns" for b in benchmarks))

    def test_google_benchmarks_compare_reads_it(self):
        tool = "/usr/share/benchmark/compare.py"
        if not os.path.exists(tool):
            self.skipTest("Google Benchmark's compare.py is not here (Debian: libbenchmark-tools)")
        probe = subprocess.run([sys.executable, "-c", "import scipy.stats, numpy"], capture_output=True, text=True)
        if probe.returncode != 0:
            self.skipTest("compare.py needs scipy (Debian: python3-scipy)")
        self.write("b.json", slowed(self.cells, self.index_of("locks.throughput", lock="mcs", threads=2), 1 / 1.1))
        self.succeeds("export", "a.json", "--format", "gbench", "-o", "a.gb.json")
        self.succeeds("export", "b.json", "--format", "gbench", "-o", "b.gb.json")
        result = subprocess.run([sys.executable, tool, "--no-color", "benchmarks", "a.gb.json", "b.gb.json"], cwd=self.home,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        slower = [line for line in result.stdout.splitlines() if "+0.1000" in line]
        self.assertEqual(len(slower), 12, result.stdout)
        self.assertTrue(all("lock:mcs/threads:2" in line for line in slower))

    def test_the_plain_matrix(self):
        rows = [line.split(",") for line in self.export("a.json", "matrix").splitlines()]
        self.assertEqual(rows, [["", "21", "22"], ["30", "", "32"], ["40", "41", ""]])

    def test_a_notebooks_way_of_reading_the_matrix(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not here")
        self.write("big.json", pairs(64))
        self.succeeds("export", "big.json", "--format", "matrix", "-o", "m.csv")
        m = numpy.genfromtxt(self.path("m.csv"), delimiter=",")
        self.assertEqual(m.shape, (64, 64))
        lower = numpy.tril(m)
        self.assertEqual(lower[3][2], 52)
        self.assertTrue(numpy.isnan(m.diagonal()).all())

    def test_one_matrix_of_several_is_chosen(self):
        self.write("p.json", pairs(2) + pairs(2, "oneway"))
        self.refuses(2, "export", "p.json", "--format", "matrix", saying=["--at protocol=", "cas, oneway"])
        self.assertEqual(len(self.export("p.json", "matrix", "--at", "protocol=oneway").splitlines()), 2)
        self.refuses(2, "export", "p.json", "--format", "matrix", "--at", "protocol=csa", saying=["'csa'", "cas"])
        self.refuses(2, "export", "p.json", "--format", "csv", "--at", "protocol", saying=["'protocol'"])
        self.refuses(2, "export", "p.json", "--format", "csv", "--at", "x=1", saying=["'x'"])
        self.refuses(2, "export", "p.json", "-o", "p.foo", saying=["ending of 'p.foo'", "--format, one of csv"])
        self.refuses(2, "export", "a.json", "--experiment", "locks", "--format", "matrix", saying=["no matrix"])

    def test_an_empty_run(self):
        self.write("e.json", [])
        for form in ("csv", "markdown", "gbench"):
            self.export("e.json", form)
        self.assertEqual(self.workbook("e.json").sheetnames, ["run", "cells"])

    def test_a_spreadsheet_stands_beside_the_results(self):
        self.succeeds("export", "a.json", "--format", "xlsx")
        with open(self.path("a.xlsx"), "rb") as file:
            self.assertEqual(file.read(2), b"PK")

    def test_mistakes(self):
        self.refuses(2, "export", "a.json", saying=["--format", "csv, xlsx"])
        self.refuses(2, "export", "a.json", "--format", "xslx", "-o", "x", saying=["'xslx'", "xlsx"])
        self.refuses(2, "export", "absent", "--format", "csv", saying=["absent"])
        self.refuses(2, "export", "a.json", "--format", "csv", "-o", "a.json", saying=["overwritten"])
        for content in ("", "{", "[]", '{"schema": "synchroscope/9"}'):
            with open(self.path("bad"), "w", encoding="utf-8") as file:
                file.write(content)
            self.refuses(2, "export", "bad", "--format", "csv", saying=["bad"])

    def test_outputs_that_cannot_be_written(self):
        os.mkdir(self.path("folder"))
        for form in self.FORMATS:
            for status, output in ((2, "folder"), (2, "nowhere/x"), (3, "/dev/full"), (3, "/proc/x")):
                self.refuses(status, "export", "a.json", "--format", form, "-o", output)
            self.refuses(2, "export", "a.json", "--format", form, "-o", "", saying=["--output"])
        with open("/dev/full", "w", encoding="utf-8") as full:
            self.refuses(3, "export", "a.json", "--format", "csv", stdout=full, saying=["standard output"])
        self.refuses(3, "export", "a.json", "-o", "x.xlsx", env={"TMPDIR": self.path("nowhere")})
        self.assertEqual(sorted(os.listdir(self.home)), ["a.json", "folder"])

    def test_an_export_on_standard_output_by_name(self):
        self.assertIn("experiment", self.succeeds("export", "a.json", "--format", "csv", "-o", "/dev/stdout").stdout)


if __name__ == "__main__":
    unittest.main()
