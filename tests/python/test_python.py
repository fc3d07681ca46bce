"""The package for Python, held against the program that it calls: test_python.py PROGRAM [CLASS...]

What the package reads by itself is compared with what the program says of the same file. $WHEEL is the wheel to install
where one is installed (./dev package); without it one is made for that.
"""

import contextlib
import csv
import html
import importlib.metadata
import importlib.util
import io
import json
import logging
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from unittest import mock

PROGRAM = os.path.abspath(sys.argv.pop(1))
MATRIX = pathlib.Path(__file__).parents[1] / "fuzz/corpus/document_matrix.json"
os.environ["SYNCHROSCOPE"] = PROGRAM
PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python"
sys.path.insert(0, str(PACKAGE))
import stopped  # noqa: E402
import synchroscope  # noqa: E402
from synchroscope import _server  # noqa: E402


def has(module):
    return importlib.util.find_spec(module) is not None


def installed():
    """Whether pip has put a program beside a package for this Python."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return bool(importlib.metadata.distribution("synchroscope"))
    return False


needs_pandas = unittest.skipUnless(has("pandas"), "tables are not tried: there is no pandas here (Debian: python3-pandas)")
needs_node = unittest.skipUnless(shutil.which("node"), "figures are not tried: there is no Node.js here")
SIMULATED = dict(machine="opteron", lock=["mcs", "ticket"], threads=[2, 4], quick=True, progress=False)


class Case(unittest.TestCase):
    """Everything in a folder of its own."""

    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="synchroscope-python-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.before = os.getcwd()
        cls.addClassCleanup(os.chdir, cls.before)
        os.chdir(cls.home)
        logging.getLogger("synchroscope").setLevel(logging.ERROR)

    def program(self, *words):
        return subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)

    def document(self, file):
        return json.loads(pathlib.Path(file).read_text())


class WithRuns(Case):
    """Two simulations, which are the same wherever they are made, and one file of several experiments."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for seed in (1, 2):
            synchroscope.simulate("locks.throughput", seed=seed, output=f"s{seed}.json", **SIMULATED)
        synchroscope.simulate("coherence.states", "locks.throughput", "locks.uncontested", "wake*", threads=2, lock="mcs",
                              machine=["opteron", "xeon"], quick=True, output="many.json", progress=False)


def as_text(value):
    """As a line of CSV has it: what is missing is empty."""
    import pandas

    if pandas.isna(value):
        return ""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


@needs_pandas
class Tables(WithRuns):
    def assert_as_exported(self, file):
        """Every column but `file` and `probe_ns` is in the program's CSV, and every one of that but the samples is here."""
        cells = synchroscope.load(file).cells
        rows = list(csv.DictReader(io.StringIO(self.program("export", file, "--format", "csv").stdout)))
        self.assertEqual(len(cells), len(rows))
        self.assertEqual({*cells.columns} - {"file", "probe_ns"}, {*rows[0]} - {"samples"})
        for name in {*cells.columns} - {"file", "probe_ns"}:
            for ours, theirs in zip(cells[name].tolist(), (row[name] for row in rows)):
                if isinstance(ours, float) and ours == ours:
                    self.assertEqual(ours, float(theirs), name)
                else:
                    self.assertEqual(as_text(ours), theirs, name)

    def test_cells_are_those_that_the_program_exports(self):
        for file in ("s1.json", "many.json"):
            self.assert_as_exported(file)

    def test_a_file_in_another_layout_reads_the_same(self):
        pathlib.Path("indented.json").write_text(json.dumps(self.document("many.json"), indent=3))
        self.assert_as_exported("indented.json")
        same = synchroscope.load("indented.json").cells.drop(columns="file")
        self.assertTrue(same.equals(synchroscope.load("many.json").cells.drop(columns="file")))

    def test_a_matrix_reads_as_its_cells(self):
        """Those of the file, which the program writes like this (tests/results/matrix_test.cpp)."""
        shutil.copy(MATRIX, "matrix.json")
        self.assert_as_exported("matrix.json")
        results = synchroscope.load(["s1.json", "matrix.json"])
        self.assertEqual(len(results) - len(synchroscope.load("s1.json")), 24)
        rows = list(csv.DictReader(io.StringIO(self.program("export", "matrix.json", "--format", "csv").stdout)))
        samples = [float(value) for row in rows for value in row["samples"].split()]
        self.assertEqual(synchroscope.load("matrix.json").samples["sample"].tolist(), samples)
        text = pathlib.Path("matrix.json").read_text()
        pathlib.Path("odd.json").write_text(re.sub(r'"(bits|least)":(\d+)', r'"\1":\2.0', text))
        same = synchroscope.load("odd.json").cells.drop(columns="file")
        self.assertTrue(same.equals(synchroscope.load("matrix.json").cells.drop(columns="file")))

    def test_what_only_the_program_takes_reads_the_same(self):
        """4.0 is a whole number for it."""
        text = pathlib.Path("s1.json").read_text()
        pathlib.Path("odd.json").write_text(re.sub(r'"n":(\d+)', r'"n":\1.0', text))
        ours = synchroscope.load("odd.json").cells.drop(columns="file")
        self.assertTrue(ours.equals(synchroscope.load("s1.json").cells.drop(columns="file")))

    def test_a_metric_of_an_old_file_has_its_name_of_today(self):
        text = pathlib.Path("s1.json").read_text()
        self.assertIn('"metric":"handoff_time"', text)
        for old, new in (("hand_over", "handoff_time"), ("hand_off", "handoff_share")):
            text = text.replace(f'"metric":"{new}"', f'"metric":"{old}"')
        pathlib.Path("old.json").write_text(text)
        ours = synchroscope.load("old.json").cells.drop(columns="file")
        self.assertTrue(ours.equals(synchroscope.load("s1.json").cells.drop(columns="file")))

    def test_renamed_metrics_are_those_of_the_program(self):
        source = (pathlib.Path(__file__).parents[2] / "src/results/cell.cpp").read_text()
        renamed = re.findall(r'if \(name == "(\w+)"\) return "\w+";', source)
        self.assertEqual(set(renamed), synchroscope._reading.RENAMED)

    def test_several_files_are_one_table(self):
        for files in ("s?.json", ["s1.json", pathlib.Path("s2.json")], [synchroscope.load("s*.json")]):
            both = synchroscope.load(files) if not isinstance(files[0], synchroscope.Results) else files[0]
            self.assertEqual(both.files, ("s1.json", "s2.json"))
            self.assertEqual(both.cells.file.value_counts().to_dict(),
                             {file: len(self.document(file)["cells"]) for file in both.files})
        self.assertEqual(len(synchroscope.load([]).cells), 0)

    def test_types(self):
        cells = synchroscope.load(["s1.json", "many.json"]).cells
        self.assertEqual([str(cells[name].dtype) for name in ("threads", "n", "value", "ci_low", "valid")],
                         ["Int64", "Int64", "float64", "float64", "bool"])
        self.assertEqual(set(cells[cells.experiment == "locks.throughput"].threads), {2, 4})
        self.assertTrue(cells[cells.value.isna()].reason.notna().all())

    def test_coordinates_that_are_called_as_columns(self):
        document = self.document("s1.json")
        document["cells"] = document["cells"][:2]
        for cell, unit in zip(document["cells"], ("x", 3)):
            cell["at"] = {"unit": unit, "value": 1}
        pathlib.Path("named.json").write_text(json.dumps(document))
        cells = synchroscope.load("named.json").cells
        self.assertEqual(cells["at.unit"].tolist(), ["x", "3"])  # words among numbers
        self.assertEqual(cells["at.value"].tolist(), [1, 1])
        self.assertEqual(cells["unit"].tolist(), [cell["unit"] for cell in document["cells"]])

    def test_single_repetitions(self):
        samples = synchroscope.load(["s1.json", "s2.json"]).samples
        cells = self.document("s1.json")["cells"] + self.document("s2.json")["cells"]
        self.assertEqual(samples["sample"].tolist(), [value for cell in cells for value in cell["samples"]])
        self.assertEqual(samples[samples.cell == len(cells) - 1].repetition.tolist(), list(range(len(cells[-1]["samples"]))))

    def test_damaged_repetitions_are_the_programs_to_judge(self):
        text = pathlib.Path("s1.json").read_text()
        for damage in ("1.2.3", "1e999", "-"):
            pathlib.Path("bad.json").write_text(re.sub(r'"samples":\[[^],]+', f'"samples":[{damage}', text, count=1))
            results = synchroscope.load("bad.json")
            with self.assertRaises(synchroscope.Mistake) as caught:
                results.samples
            self.assertEqual(str(caught.exception), self.program("show", "bad.json").stderr.strip().partition(": ")[2])
            self.assertTrue(str(caught.exception))
            self.assertEqual(caught.exception.file, "bad.json")
        pathlib.Path("bad.json").unlink()
        with self.assertRaises(synchroscope.Mistake) as caught:
            results.samples
        self.assertEqual(str(caught.exception), self.program("show", "bad.json").stderr.strip().partition(": ")[2])

    def test_machines(self):
        machine = synchroscope.load(["s1.json", "many.json"]).machine
        for row, file in zip(machine.to_dict("records"), ("s1.json", "many.json")):
            document = self.document(file)
            self.assertEqual(row["run"], document["id"])
            self.assertEqual(row["machine.model_name"], document["machine"]["model_name"])
            self.assertEqual(row["invocation.seed"], document["invocation"]["seed"])

    def test_sentences_are_the_programs(self):
        results = synchroscope.load(["s1.json", "many.json"])
        shown = [json.loads(self.program("show", "--json", file).stdout) for file in results.files]
        said = [sentence for one in shown for finding in one["findings"] for sentence in finding["sentences"]]
        self.assertTrue(said)
        self.assertEqual(results.findings.sentence.tolist(), said)
        self.assertEqual(results.doubts.sentence.tolist(), [doubt for one in shown for doubt in one["doubts"]])
        self.assertEqual(results.warnings.advice.tolist(), [one["advice"] for file in shown for one in file["warnings"]])
        claims = [claim for file in results.files
                  for claim in json.loads(self.program("show", "--json", "--claims", file).stdout)]
        self.assertEqual(results.claims.verdict.tolist(), [claim["verdict"] for claim in claims])
        self.assertEqual(results.claims.says.tolist(), [claim["says"] for claim in claims])
        self.assertIn(said[0][:30], " ".join(results.show().split()))

    @unittest.skipUnless(has("polars"), "there is no polars here")
    def test_polars_has_the_same(self):
        self.assert_same(lambda results: results.to_polars().to_dicts())

    @unittest.skipUnless(has("pyarrow"), "there is no pyarrow here")
    def test_arrow_has_the_same(self):
        self.assert_same(lambda results: results.to_arrow().to_pylist())

    @unittest.skipUnless(has("pyarrow"), "there is no pyarrow here")
    def test_parquet_has_the_same_in_one_file(self):
        import pyarrow.parquet

        results = synchroscope.load(["s1.json", "many.json"])
        results.to_parquet(pathlib.Path("cells.parquet"))
        read = pyarrow.parquet.read_table("cells.parquet")
        self.assertEqual(read.schema, results.to_arrow().schema)
        self.assert_same(lambda _: read.to_pylist())

    def assert_same(self, rows):
        import pandas

        results = synchroscope.load(["s1.json", "many.json"])
        ours = results.cells.astype(object).where(results.cells.notna(), None).to_dict("records")
        self.assertEqual(rows(results), [{k: None if v is pandas.NA else v for k, v in row.items()} for row in ours])


def edited(change):
    """A document with one cell changed."""
    def edit(document):
        change(document["cells"][1])
    return edit


# What becomes of a document; whether it is still one, the program says.
CHANGES = {
    "value is text": edited(lambda cell: cell.update(value="7")),
    "value is true": edited(lambda cell: cell.update(value=True)),
    "value is whole": edited(lambda cell: cell.update(value=7, ci=None)),
    "no unit": edited(lambda cell: cell.pop("unit")),
    "no value": edited(lambda cell: cell.pop("value")),
    "no interval": edited(lambda cell: cell.update(ci=None)),
    "an interval backwards": edited(lambda cell: cell.update(ci=[2, 1])),
    "an interval of three": edited(lambda cell: cell.update(ci=[1, 2, 3])),
    "an interval without a value": edited(lambda cell: cell.update(value=None, ci=[1, 2])),
    "a value that is not valid": edited(lambda cell: cell.update(valid=False)),
    "valid is a number": edited(lambda cell: cell.update(valid=1)),
    "a flag nobody knows": edited(lambda cell: cell.update(flag="splendid")),
    "no such direction": edited(lambda cell: cell.update(better="sideways")),
    "fewer than none": edited(lambda cell: cell.update(n=-1)),
    "n is whole": edited(lambda cell: cell.update(n=6.0)),
    "n is not": edited(lambda cell: cell.update(n=6.5)),
    "n is large": edited(lambda cell: cell.update(n=2**70)),
    "a coordinate is a list": edited(lambda cell: cell["at"].update(threads=[2])),
    "a coordinate is nothing": edited(lambda cell: cell["at"].update(threads=None)),
    "a coordinate is true": edited(lambda cell: cell["at"].update(threads=True)),
    "a coordinate is whole": edited(lambda cell: cell["at"].update(threads=4.0)),
    "a coordinate is large": edited(lambda cell: cell["at"].update(threads=2**63)),
    "no coordinates": edited(lambda cell: cell.update(at={})),
    "coordinates are a list": edited(lambda cell: cell.update(at=["threads", 2])),
    "a quantile is text": edited(lambda cell: cell.update(quantiles={"p50": "x"})),
    "a quantile is nothing": edited(lambda cell: cell.update(quantiles={"p50": None})),
    "more than is known": edited(lambda cell: cell.update(more={"of": [1, 2]})),
    "no samples": edited(lambda cell: cell.pop("samples")),
    "samples are an object": edited(lambda cell: cell.update(samples={})),
    "no noise": edited(lambda cell: cell.pop("noise")),
    "no quantiles": edited(lambda cell: cell.pop("quantiles")),
    "no conditions": edited(lambda cell: cell.pop("conditions")),
    "a condition is text": edited(lambda cell: cell.update(conditions={"pause_ns": "long"})),
    "half a character": edited(lambda cell: cell.update(reason="\ud800")),
    "half a character in what is passed over": lambda document: document["os"].update(name="\ud800"),
    "both halves": edited(lambda cell: cell.update(reason="\U0001f512")),
    "a reason is a number": edited(lambda cell: cell.update(reason=5)),
    "a cell is text": lambda document: document["cells"].append("x"),
    "cells are an object": lambda document: document.update(cells={}),
    "no cells": lambda document: document.update(cells=[]),
    "cells are not there": lambda document: document.pop("cells"),
    "machine is text": lambda document: document.update(machine="opteron"),
    "no topology": lambda document: document.pop("topology"),
    "a warning without advice": lambda document: document["warnings"].append({"id": "x", "evidence": {}}),
    "complete is text": lambda document: document.update(complete="yes"),
    "a label is a number": lambda document: document.update(label=3),
    "another schema": lambda document: document.update(schema="synchroscope/7"),
    "a schema of others": lambda document: document.update(schema="others/1"),
    "no schema": lambda document: document.pop("schema"),
}


def as_written(document):
    """As the program writes it: a cell on a line, no blanks in it."""
    def text(value):
        return json.dumps(value, separators=(",", ":"))
    cells = ",\n".join("  " + text(cell) for cell in document["cells"])
    fields = [f' "{name}": ' + (f"[\n{cells}\n ]" if name == "cells" else text(value)) for name, value in document.items()]
    return "{\n" + ",\n".join(fields) + "\n}\n"


def in_fewest_digits(text):
    """Fractions as Python writes them: the program's have a digit more than they need now and then (Grisu2)."""
    return re.sub(r"-?\d+\.\d+(e[+-]?\d+)?", lambda number: repr(float(number[0])), text)


class Damaged(WithRuns):
    def refused(self, file):
        """What the package says of a file, or None."""
        try:
            synchroscope.load(file)
        except synchroscope.Mistake as mistake:
            self.assertEqual((mistake.status, mistake.file), (2, file))
            return str(mistake)
        return None

    def assert_judged_alike(self, file, what):
        shown = self.program("show", file)
        said = None if shown.returncode == 0 else shown.stderr.strip().partition(": ")[2]
        self.assertEqual(self.refused(file), said, what)
        return said is not None

    def test_the_sentence_is_the_programs(self):
        text = pathlib.Path("s1.json").read_text()
        files = {"truncated": text[:len(text) // 2], "truncated-at-a-line": text[:text.rindex(",\n")], "empty": "",
                 "foreign": '{"a": 1}', "text": "hello\n", "list": "[1, 2]", "later": text.replace("scope/1", "scope/3", 1),
                 "deep": "[" * 5000, "not-a-number": re.sub(r'"value":[\d.e+]+', '"value":NaN', text, count=1),
                 "too-large": re.sub(r'"value":[\d.e+]+', '"value":1e999', text, count=1),
                 "two": text + text, "damaged-inside": text.replace('"unit":', '"unit"', 1)}
        for name, content in files.items():
            pathlib.Path(f"{name}.json").write_text(content)
            with self.subTest(name):
                self.assertTrue(self.assert_judged_alike(f"{name}.json", name))
        pathlib.Path("bytes.json").write_bytes(b"\xff\xfe\x00{}")
        pathlib.Path("folder.json").mkdir()
        for name in ("bytes.json", "folder.json", "nothing.json", "nothing-*.json"):
            with self.subTest(name):
                self.assertTrue(self.assert_judged_alike(name, name))

    def test_each_change_is_judged_as_the_program_does(self):
        whole = self.document("s1.json")
        whole["cells"] = whole["cells"][:3]
        self.assertEqual(as_written(self.document("s1.json")), in_fewest_digits(pathlib.Path("s1.json").read_text()))
        refusals = 0
        for name, change in CHANGES.items():
            document = json.loads(json.dumps(whole))
            change(document)
            for text in (json.dumps(document, indent=1), as_written({"cells": [], **document})):
                pathlib.Path("changed.json").write_text(text)
                with self.subTest(name):
                    refusals += self.assert_judged_alike("changed.json", name)
        self.assertGreater(refusals, len(CHANGES))

    def test_damage_anywhere_is_judged_as_the_program_does(self):
        """But for what is passed over: single repetitions, and evidence of noise, are left empty here."""
        whole = self.document("many.json")
        whole["cells"] = whole["cells"][:2] + whole["cells"][-2:]
        for cell in whole["cells"]:
            cell.update(samples=[], noise={"what": {"is": "known"}})
        text, chance = as_written(whole).encode(), random.Random(7)
        accepted = sum(not self.assert_judged_alike(self.damaged(text, chance), round) for round in range(300))
        self.assertTrue(0 < accepted < 300, accepted)

    @staticmethod
    def damaged(text, chance):
        """A file with one or two places altered, most of them among the cells."""
        pieces = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"1e999", b"-1", b'"x"', b"\\ud800", b"\n", b"\0",
                  b"\xff", b"01", b"1.", b"NaN", b"9" * 30, b"e", b""]
        out = bytearray(text)
        for _ in range(chance.choice((1, 1, 2))):
            at = chance.randrange(text.index(b'"cells"') if chance.random() < 0.7 else 0, len(out) - 1)
            out[at:at + chance.choice((0, 1, 1, 3, 20))] = chance.choice(pieces)
        pathlib.Path("struck.json").write_bytes(out)
        return "struck.json"

    def test_a_damaged_matrix_is_judged_as_the_program_does(self):
        """But for what is passed over, as above."""
        text, chance = pathlib.Path(MATRIX).read_bytes(), random.Random(3)
        pathlib.Path("matrix.json").write_bytes(text)
        self.assertFalse(self.assert_judged_alike("matrix.json", "as it is"))
        accepted = sum(not self.assert_judged_alike(self.damaged(text, chance), round) for round in range(100))
        self.assertTrue(0 < accepted < 100, accepted)

    def test_every_cut_is_refused(self):
        text = pathlib.Path("s1.json").read_text()
        for length in range(0, len(text) - 2, len(text) // 40):
            pathlib.Path("cut.json").write_text(text[:length])
            self.assertIsNotNone(self.refused("cut.json"), length)

    def test_the_others_are_kept_if_asked_for(self):
        pathlib.Path("bad.json").write_text("{")
        results = synchroscope.load(["s1.json", "bad.json", "s2.json"], refused="keep")
        self.assertEqual(results.files, ("s1.json", "s2.json"))
        self.assertEqual([mistake.file for mistake in results.refused], ["bad.json"])
        with self.assertRaises(synchroscope.Mistake):
            synchroscope.load(["s1.json", "bad.json", "s2.json"])

    def test_a_name_like_an_option(self):
        shutil.copy("s1.json", "--version.json")
        self.assertEqual(len(synchroscope.load("--version.json")), len(synchroscope.load("s1.json")))
        pathlib.Path("--help").write_text("{")
        self.assertIn("./--help", str(self.refused("--help")))


class Asked(WithRuns):
    def test_advice(self):
        advice = synchroscope.advise(["s1.json"], threads=4, gap=2000)
        said = json.loads(self.program("advise", "s1.json", "--threads", "4", "--gap", "2000", "--json").stdout)
        self.assertEqual(advice.document, said)
        self.assertEqual([str(one.take) for one in advice.values()], [one["take"] for one in said["advice"]])
        self.assertEqual(advice["lock"].because, said["advice"][0]["because"])
        self.assertIn(advice["lock"].because, str(advice))
        self.assertEqual(advice.workload["gap_ns"], 2000)

    def test_proofs(self):
        (proof,) = synchroscope.verify("ticket", progress=False)
        self.assertTrue(proof.proved)
        self.assertIn("ticket/yield", proof.also)
        self.assertGreater(proof.states, 0)
        (refuted,) = synchroscope.verify("seeded/test_then_set", progress=False)
        self.assertFalse(refuted.proved)
        self.assertTrue(any(program["failure"] for program in refuted.programs))

    def test_a_mistake_is_the_programs_sentence(self):
        calls = [(lambda: synchroscope.run("coherance.pairs"), ["run", "coherance.pairs"]),
                 (lambda: synchroscope.run("coherence.pairs", lock="mcs"), ["run", "coherence.pairs", "--lock=mcs"]),
                 (lambda: synchroscope.run("locks.throughput", threads="two"), ["run", "locks.throughput", "--threads=two"]),
                 (lambda: synchroscope.run(nonsense=3), ["run", "--nonsense=3"]),
                 (lambda: synchroscope.run("locks.throughput", label="", seed=7), ["run", "--label=", "--seed=7"]),
                 (lambda: synchroscope.run("locks.throughput", lock=[], threads=2), ["run", "--lock=", "--threads=2"]),
                 (lambda: synchroscope.run(resume="nothing.json"), ["run", "--resume=nothing.json"]),
                 (lambda: synchroscope.simulate("coherence.local", machine="optron"),
                  ["simulate", "--machine=optron", "coherence.local"]),
                 (lambda: synchroscope.verify("tickett"), ["verify", "tickett"]),
                 (lambda: synchroscope.advise("nothing.json"), ["advise", "nothing.json"]),
                 (lambda: synchroscope.report("nothing.json"), ["report", "nothing.json"]),
                 (lambda: synchroscope.call("lst"), ["lst"])]
        for call, words in calls:
            with self.subTest(words), self.assertRaises(synchroscope.Mistake) as caught:
                call()
            self.assertEqual(str(caught.exception), self.program(*words).stderr.strip().partition(": ")[2])
            self.assertEqual(caught.exception.status, 2)
        self.assertFalse(pathlib.Path("results.json").exists())

    def test_truth_is_no_value(self):
        for value in (True, False):
            with self.assertRaisesRegex(TypeError, f"^lock takes a value, not {value}$"):
                synchroscope.simulate("locks.throughput", machine="opteron", lock=value, threads=2, progress=False)

    @unittest.skipUnless(has("numpy"), "numbers of numpy are not tried: there is no numpy here")
    def test_numbers_of_numpy_are_numbers(self):
        import numpy

        of_numpy = {**SIMULATED, "threads": numpy.int64(2)}
        synchroscope.simulate("locks.throughput", seed=numpy.int32(7), output="n.json", **of_numpy)
        synchroscope.simulate("locks.throughput", seed=7, output="p.json", **{**SIMULATED, "threads": 2})
        self.assertEqual(self.document("n.json")["invocation"]["seed"], 7)
        self.assertEqual(self.document("n.json")["cells"], self.document("p.json")["cells"])
        self.assertEqual(synchroscope.advise("s1.json", threads=numpy.int64(4), gap=numpy.float64(2000.5)).document,
                         synchroscope.advise("s1.json", threads=4, gap=2000.5).document)

    @needs_node
    def test_figures(self):
        results = synchroscope.load(["s1.json", "s2.json"])
        figure = results.figure("locks.throughput-threads", scale="log")
        self.program("report", "s1.json", "s2.json", "--figure=locks.throughput-threads?scale=log", "--output=theirs.svg")
        self.assertEqual(figure.svg, pathlib.Path("theirs.svg").read_text())
        self.assertEqual(figure._repr_mimebundle_()["image/svg+xml"], figure.svg)
        self.assertEqual(figure.save("ours.svg").read_text(), figure.svg)
        self.assertEqual(results.figure("locks.throughput", scale="log").svg, figure.svg)
        with self.assertRaisesRegex(synchroscope.Mistake, "there is no figure 'nothing' in these results; there are locks"):
            results.figure("nothing")

    @needs_node
    def test_a_figure_is_the_pages_own_chart(self):
        """Only its experiment's cells are in it, and as the frame of a notebook it is the same text."""
        figure = synchroscope.load("many.json").figure("locks.throughput-ranking")
        data = json.loads(re.search(r'<script[^>]* id="data"[^>]*>(.*?)</script>', figure.html, re.S)[1])
        self.assertEqual(data["only"], "locks.throughput-ranking")
        self.assertEqual({cell["experiment"] for one in data["documents"] for cell in one["cells"]}, {"locks.throughput"})
        self.assertNotIn('src="', figure.html.replace(re.search(r"<script>.*</script>", figure.html, re.S)[0], ""))
        frame = figure._repr_mimebundle_()["text/html"]
        self.assertEqual(html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]), figure.html)
        with self.assertRaisesRegex(synchroscope.Mistake, "there is no figure 'nothing' in these results"):
            synchroscope.call("report", "s1.json", "--figure=nothing", "--output=nothing.html")

    @needs_node
    @unittest.skipUnless(has("matplotlib"), "there is no matplotlib here")
    def test_matplotlib_draws_what_the_cells_say(self):
        import matplotlib
        matplotlib.use("Agg")
        figure = synchroscope.load("s1.json").figure("locks.throughput-threads", locks=512, protocol="saturated")
        axes = figure.to_matplotlib()
        lines = {line.get_label(): line for line in axes.get_lines()}
        for lock in ("mcs", "ticket"):
            cells = [cell for cell in self.document("s1.json")["cells"]
                     if (cell["at"]["lock"], cell["at"]["locks"], cell["at"]["protocol"], cell["metric"]) ==
                     (lock, 512, "saturated", "throughput")]
            self.assertEqual(lines[lock].get_xdata().tolist(), [cell["at"]["threads"] for cell in cells])
            self.assertEqual(lines[lock].get_ydata().tolist(), [cell["value"] for cell in cells])
        self.assertEqual({text.get_text() for text in axes.get_legend().get_texts()} & {"mcs", "ticket"}, {"mcs", "ticket"})
        self.assertEqual(len(axes.get_images()), 0)
        self.assertRegex(axes.get_ylabel(), r"op/s \(higher is better\)$")

    @needs_node
    @unittest.skipUnless(has("matplotlib"), "there is no matplotlib here")
    def test_matplotlib_takes_axes_for_each_chart(self):
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot

        both = synchroscope.load(["s1.json", "s2.json"])
        figure = both.figure("locks.throughput-threads")
        self.assertEqual(len(figure.to_matplotlib()), 2)
        one, two = pyplot.subplots(1, 2)[1]
        self.assertEqual(figure.to_matplotlib([one, two]), [one, two])
        with self.assertRaisesRegex(ValueError, "has 2 charts, and there are axes for 1$"):
            figure.to_matplotlib([one])
        own = pyplot.subplots()[1]
        bars = synchroscope.load("many.json").figure("locks.uncontested-distance", runs="together")
        self.assertIs(bars.to_matplotlib(own), own)
        ends = {round(corner, 6) for patch in own.patches for corner in patch.get_xy()[:, 0]}
        values = {round(cell["value"], 6) for cell in self.document("many.json")["cells"]
                  if cell["experiment"] == "locks.uncontested" and cell["metric"] == "pair" and cell["value"]}
        self.assertLessEqual(values, ends)

    def test_a_report_has_the_page(self):
        path = synchroscope.report(synchroscope.load("s?.json"), "page.html")
        if "has no report" in path.read_text():
            self.skipTest("this program has no report")
        for file in ("s1.json", "s2.json"):
            self.assertIn(self.document(file)["id"], path.read_text())


@needs_pandas
class Sides(WithRuns):
    def test_the_table_is_the_programs(self):
        ours = synchroscope.compare("s1.json", synchroscope.load("s2.json"))
        theirs = json.loads(self.program("compare", "s1.json", "s2.json", "--json").stdout)
        self.assertEqual(ours.document, theirs)
        self.assertEqual(ours.cells.verdict.tolist(), [cell["verdict"] for cell in theirs["cells"]])
        self.assertEqual(ours.cells.ratio_ci_high.tolist(), [cell["ratio_ci"][1] for cell in theirs["cells"]])
        self.assertEqual(ours.cells.threads.tolist(), [cell["at"]["threads"] for cell in theirs["cells"]])
        self.assertEqual(str(ours), self.program("compare", "s1.json", "s2.json").stdout)

    def slower(self, file, by):
        document = self.document("s2.json")
        for cell in document["cells"]:
            factor = by if cell["better"] == "lower" else 1 / by
            if cell["value"] is not None:
                cell["value"] *= factor
                cell["samples"] = [value * factor for value in cell["samples"]]
                cell["ci"] = cell["ci"] and [end * factor for end in cell["ci"]]
        pathlib.Path(file).write_text(json.dumps(document))

    def test_slower_is_an_exception_with_the_comparison(self):
        self.slower("slow.json", 3)
        with self.assertRaises(synchroscope.Slower) as caught:
            synchroscope.compare("s1.json", "slow.json", fail_if_slower=5)
        self.assertEqual(caught.exception.status, 5)
        self.assertIn("worse", set(caught.exception.comparison.cells.verdict))
        self.assertIn("worse", set(synchroscope.compare("s1.json", "slow.json").cells.verdict))

    def test_several_runs_of_each_side(self):
        for seed in range(3, 7):
            synchroscope.simulate("locks.throughput", seed=seed, output=f"s{seed}.json", **SIMULATED)
        runs = synchroscope.compare(["s1.json", "s2.json", "s3.json"], ["s4.json", "s5.json", "s6.json"])
        self.assertEqual(runs.document["sample"], "runs")
        self.assertTrue(len(runs.cells))
        with self.assertRaises(synchroscope.Mistake):
            synchroscope.compare(["s1.json", "s2.json"], "s3.json")

    def test_no_measurement_in_common_is_a_mistake(self):
        synchroscope.simulate("coherence.local", machine="opteron", quick=True, output="other.json", progress=False)
        with self.assertRaisesRegex(synchroscope.Mistake, "have no measurement in common"):
            synchroscope.compare("s1.json", "other.json")


class Measured(Case):
    SHORT = dict(level="l1", quick=True, progress=False)

    def test_a_run_leaves_its_file(self):
        results = synchroscope.run("coherence.local", output="r.json", label="mine", seed=7, **self.SHORT)
        self.assertEqual(results.files, ("r.json",))
        self.assertEqual(len(results), len(self.document("r.json")["cells"]))
        self.assertEqual((results.documents[0]["label"], results.documents[0]["invocation"]["seed"]), ("mine", 7))

    def test_without_a_name_as_the_program_does(self):
        synchroscope.run("coherence.local", **self.SHORT)
        again = synchroscope.run("coherence.local", **self.SHORT)
        self.assertEqual(again.files, ("results.json",))
        self.assertNotEqual(self.document("results.json")["id"], self.document("results.json.1")["id"])

    def test_warnings_and_notes_are_logged(self):
        logger = logging.getLogger("synchroscope")
        logger.setLevel(logging.INFO)
        self.addCleanup(logger.setLevel, logging.ERROR)
        with self.assertLogs("synchroscope", "INFO") as heard:
            synchroscope.simulate("coherence.local", machine="opteron", output="noted.json", quick=True, progress=False)
        self.assertTrue(any("computed from a model" in record.getMessage() for record in heard.records))

    def test_progress_is_shown(self):
        screen = io.StringIO()
        with contextlib.redirect_stderr(screen):
            synchroscope.simulate(machine="opteron", quick=True, threads=2, lock="mcs", output="long.json", progress=True)
        self.assertRegex(screen.getvalue(), r"\d+ ?% .*left")
        screen = io.StringIO()
        with contextlib.redirect_stderr(screen):
            synchroscope.simulate("coherence.local", machine="opteron", quick=True, output="short.json")
        self.assertEqual(screen.getvalue(), "")  # nobody looks

    def test_a_lock_that_lets_two_in_is_an_exception_with_the_cells(self):
        text = (pathlib.Path(os.environ["HEADERS"]) / "flawed.hpp").read_text().replace("flawed", "open")
        pathlib.Path("open.hpp").write_text(text.replace("return serving == mine ?", "return serving != mine + 1 ?"))
        with self.assertRaises(synchroscope.SelfCheckFailed) as caught:
            synchroscope.run("locks.throughput", lock="open.hpp", threads=2, quick=True, output="open.json", progress=False)
        self.assertEqual(caught.exception.status, 1)
        self.assertTrue(any(not cell["valid"] for cell in self.document("open.json")["cells"]))
        self.assertEqual(len(caught.exception.results), len(self.document("open.json")["cells"]))
        doubts = json.loads(self.program("show", "--json", "open.json").stdout)["doubts"]
        self.assertEqual(str(caught.exception), "\n".join(doubts))

    def test_what_is_unreliable_is_an_exception_if_asked_for(self):
        """No interval, with less than six repetitions; a quick machine makes more of some cells."""
        self.assertIn("some values are unreliable", str(synchroscope.errors.of_status("", 4, ["run"])))
        with self.assertRaises(synchroscope.Unreliable) as caught:
            synchroscope.run("locks.throughput", lock="tas", threads=2, output="strict.json", max_time=0.15, strict=True,
                             progress=False)
        self.assertEqual(caught.exception.status, 4)
        doubts = json.loads(self.program("show", "--json", "strict.json").stdout)["doubts"]
        self.assertEqual(str(caught.exception), "\n".join(doubts) or str(synchroscope.errors.of_status("", 4, ["run"])))
        self.assertEqual(len(caught.exception.results), len(self.document("strict.json")["cells"]))


INTERRUPTED = """
import signal, sys, synchroscope
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    synchroscope.run("locks.throughput", lock=["ticket", "mcs"], output="i.json", progress=False)
except synchroscope.Interrupted as end:
    print(end.status, len(end.results), end.results.documents[0]["complete"])
    print(end)
"""


INTERRUPTED_CALL = """
import signal, synchroscope
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    synchroscope.{}(progress=False)
except KeyboardInterrupt as end:
    print(type(end).__name__, end, sep=": ")
"""


def children_of(process):
    """The numbers of the processes that this one has started."""
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(file.read_text().rpartition(")")[2].split()[1]) == process:
                found.append(int(file.parent.name))
    return found


class Stopped(Case):
    def eventually(self, found, what):
        """What it finds, when it finds something; a minute is allowed."""
        until = time.monotonic() + 60
        while not found():
            self.assertLess(time.monotonic(), until, what)
            time.sleep(0.05)
        return found()

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "proofs of several processes are not tried: there is one processor here")
    def test_ctrl_c_ends_proofs_with_all_processes(self):
        """Whoever is left holds the ends open that Python reads, and so it would wait."""
        with subprocess.Popen([sys.executable, "-B", "-c", INTERRUPTED_CALL.format("verify")], stdout=subprocess.PIPE,
                              text=True) as child:
            leader, = self.eventually(lambda: children_of(child.pid), "no program was started")
            for process in self.eventually(lambda: children_of(leader)[1:] and children_of(leader), "nobody else explores"):
                self.addCleanup(self.end, process)
                os.kill(process, signal.SIGSTOP)  # or it would end when it finds nobody to tell of what it has explored
            child.send_signal(signal.SIGINT)
            try:
                said = child.communicate(timeout=120)[0]
            finally:
                child.kill()
        self.assertEqual(said, "KeyboardInterrupt: the program was interrupted before it had anything to say\n")

    @staticmethod
    def end(process):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)

    def test_ctrl_c_before_anyone_listens_is_no_other_exception(self):
        with mock.patch("threading.Thread.start", side_effect=KeyboardInterrupt), self.assertRaises(KeyboardInterrupt):
            synchroscope.call("list", "locks")

    def test_ctrl_c_before_the_program_can_answer_is_a_sentence(self):
        pathlib.Path("early").write_text("#!/bin/sh\nsleep 2\necho 'warning: begun' >&2\nexec sleep 100\n")
        pathlib.Path("early").chmod(0o755)
        with subprocess.Popen([sys.executable, "-B", "-c", INTERRUPTED_CALL.format("run")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env={**os.environ, "SYNCHROSCOPE": "./early"}) as child:
            self.assertEqual(child.stderr.readline(), "begun\n")
            child.send_signal(signal.SIGINT)
            said = child.communicate(timeout=120)[0]
        self.assertEqual(said, "Interrupted: the program was interrupted before it had anything to say\n")

    def test_ctrl_c_keeps_what_was_measured_and_the_rest_can_follow(self):
        with subprocess.Popen([sys.executable, "-B", "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as child:
            until = time.monotonic() + 60
            while not self.measured("i.json.partial"):
                self.assertLess(time.monotonic(), until, "nothing was measured")
                time.sleep(0.05)
            child.send_signal(signal.SIGINT)
            said = child.communicate(timeout=120)[0]
        self.assertTrue(said.startswith(f"130 {len(self.document('i.json')['cells'])} False\n"), said)
        self.assertIn("synchroscope run --resume i.json", said)
        resumed = synchroscope.run(resume="i.json", max_time=1, progress=False)
        self.assertEqual(resumed.files, ("i.json",))
        self.assertGreaterEqual(len(resumed), 1)

    @staticmethod
    def measured(journal):
        with contextlib.suppress(OSError):
            return len(pathlib.Path(journal).read_text().splitlines()) > 3
        return False


def cells_text(file):
    text = pathlib.Path(file).read_text()
    return text[text.index('"cells"'):]


class Spread(Case):
    """What is computed by several is what one computes."""

    SWEEP = dict(machine=["opteron", "xeon"], lock=["mcs", "ticket"], threads=[1, 2, 4], quick=True, progress=False)

    def assert_whole(self, file):
        synchroscope.simulate("locks.throughput", output="one.json", **self.SWEEP)
        self.assertEqual(cells_text(file), cells_text("one.json"))
        whole, one = self.document(file), self.document("one.json")
        self.assertTrue(whole["complete"])
        self.assertEqual(whole["invocation"]["memory_events"], one["invocation"]["memory_events"])

    def program_that(self, does):
        """It does this first, with the program's words."""
        script = self.home / "instead"
        script.write_text(f"#!/bin/sh\n{does}\nexec {PROGRAM} \"$@\"\n")
        script.chmod(0o755)
        os.environ["SYNCHROSCOPE"] = str(script)
        self.addCleanup(os.environ.__setitem__, "SYNCHROSCOPE", PROGRAM)

    def test_a_sweep(self):
        for tasks in (1, 5, 40):  # 40 are more than there are cells
            synchroscope.simulate("locks.throughput", output="whole.json", workers=2, tasks=tasks, **self.SWEEP)
            self.assert_whole("whole.json")
        self.assertFalse(pathlib.Path("whole.json.parts").exists())

    def test_what_failed_is_all_that_is_computed_again(self):
        sweep = dict(output="failed.json", workers=1, tasks=5, **self.SWEEP)
        three = 'for i in 1 2 3; do read -r line; echo "$line"; done'
        self.program_that(f'case "$*" in *--share=*) ({three}) | {PROGRAM} "$@"; echo it broke >&2; exit 3;; esac')
        with self.assertRaisesRegex(synchroscope.NotPossibleHere, "^it broke$"):
            synchroscope.simulate("locks.throughput", **sweep)
        self.program_that(f'case "$*" in *--share=*) tee {self.home}/asked | {PROGRAM} "$@"; exit;; esac')
        synchroscope.simulate("locks.throughput", **sweep)
        asked = [line.split()[0] for line in (self.home / "asked").read_text().splitlines()]
        self.assertEqual(asked, ["3", "4"])
        self.assert_whole("failed.json")

    def begun(self):
        """The processes that were started for parts, by their numbers."""
        return (self.home / "began").read_text().split()

    def count_processes(self):
        (self.home / "began").unlink(missing_ok=True)
        self.program_that(f'case "$*" in *--share=*) echo $$ >>{self.home}/began;; esac')

    def test_one_process_computes_many_parts(self):
        self.count_processes()
        synchroscope.simulate("locks.throughput", output="many.json", workers=2, tasks=9, **self.SWEEP)
        self.assertEqual(len(self.begun()), 2)
        self.assert_whole("many.json")
        self.count_processes()
        self.assertEqual(len(synchroscope.verify("ticket", "tas", workers=1, tasks=3, progress=False)), 2)
        self.assertTrue(synchroscope.mutate("ticket", workers=1, tasks=3, progress=False))
        self.assertEqual(len(self.begun()), 2)

    def test_the_parts_of_a_process_become_smaller(self):
        words = [PROGRAM, "simulate", "locks.throughput", "--machine=opteron,xeon", "--lock=mcs,ticket,tas",
                 "--threads=1,2,4", "--quick", "--share=-/5"]
        subprocess.run(words, text=True, input="".join(f"{part} small-{part}.json\n" for part in range(5)), check=True,
                       stdout=subprocess.DEVNULL)
        cells = [self.document(f"small-{part}.json")["cells"] for part in range(5)]
        sizes = list(map(len, cells))
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.assertGreater(sizes[0], 2 * sizes[4])

    def test_a_worker_keeps_its_process_until_nobody_asks(self):
        self.count_processes()
        asked = [synchroscope.program(), "verify", "--json", "--jobs=1", "ticket", "tas", "--share=-/2"]
        performed = _server.of_worker()
        with mock.patch.object(_server, "IDLE", 60):
            answers = [json.loads(performed(asked, part, "/nowhere")[1]) for part in (0, 1)]
            self.assertEqual([one["name"] for answer in answers for one in answer], ["ticket", "tas"])
            self.assertEqual(len(self.begun()), 1)
            os.kill(int(self.begun()[0]), signal.SIGKILL)
            self.assertEqual(performed(asked, 0, ".")[0], -signal.SIGKILL)
        with mock.patch.object(_server, "IDLE", 0.1):
            self.assertEqual(performed(asked, 0, ".")[0], 0)
        until = time.monotonic() + 60
        while pathlib.Path(f"/proc/{self.begun()[1]}").exists():
            self.assertLess(time.monotonic(), until, "the process is still there")
            time.sleep(0.05)
        self.assertEqual(performed(["/no/such"], 0, "."), (3, b"", "a worker has no program such"))

    def test_ctrl_c_keeps_the_parts_but_not_for_another_sweep(self):
        with stopped.after_one_part() as kept, self.assertRaises(synchroscope.Interrupted) as caught:
            synchroscope.simulate("locks.throughput", output="s.json", workers=1, tasks=5, parts="kept", **self.SWEEP)
        self.assertIn("1 of 5 parts are in kept", str(caught.exception))
        other = {**self.SWEEP, "lock": "clh"}
        synchroscope.simulate("locks.throughput", output="other.json", workers=2, tasks=5, parts="kept", **other)
        self.assertEqual(list(pathlib.Path("kept").iterdir()), kept)
        synchroscope.simulate("locks.throughput", output="s.json", workers=2, tasks=5, parts="kept", **self.SWEEP)
        self.assert_whole("s.json")

    def test_proofs_and_mutants(self):
        names = ("ticket", "event", "tas")
        ours = synchroscope.verify(*names, workers=2, tasks=2, progress=False)
        theirs = [synchroscope.Proof(**one) for one in json.loads(self.program("verify", "--json", *names).stdout)]
        self.assertEqual(stopped.untimed(ours), stopped.untimed(theirs))
        whole = synchroscope.mutate("ticket", "tas", progress=False)
        self.assertGreater(len({one.fate for one in whole}), 1)
        self.assertEqual(synchroscope.mutate("ticket", "tas", workers=2, tasks=5, progress=False), whole)

    def test_proofs_and_mutants_that_were_stopped_go_on_with_what_is_missing(self):
        for call, same, names in ((synchroscope.verify, stopped.untimed, ("ticket", "ttas", "tas")),
                                  (synchroscope.mutate, list, ("tas",))):
            parts = pathlib.Path(call.__name__)
            with stopped.after_one_part() as kept, self.assertRaises(synchroscope.Interrupted) as caught:
                call(*names, workers=1, tasks=3, parts=parts, progress=False)
            self.assertIn(f"1 of 3 parts are in {parts}", str(caught.exception))
            self.program_that(f'case "$*" in *--share=*) tee {self.home}/asked | {PROGRAM} "$@"; exit;; esac')
            ours = call(*names, workers=1, tasks=3, parts=parts, progress=False)
            asked = [line.split()[0] for line in (self.home / "asked").read_text().splitlines()]
            self.assertEqual((asked, len(kept)), (["1", "2"], 1))
            self.assertEqual(same(ours), same(call(*names, progress=False)))

    def test_mistakes(self):
        for workers in (0, "slurm", True):
            with self.assertRaisesRegex(ValueError, "workers is a number of processes from 1 on, or 'ray'"):
                synchroscope.verify("ticket", workers=workers)
        with self.assertRaises(synchroscope.Mistake) as caught:
            synchroscope.simulate("locks.throughput", machine="opteron", lock="nosuch", workers=2, progress=False)
        self.assertIn("nosuch", str(caught.exception))
        for words, sentence in (
                (["verify", "--json", "--share", "2/2"], "--share takes a part from 0 to 1, not '2'"),
                (["verify", "--json", "--share", "2"],
                 "--share takes a part and how many there are, such as 0/4, not '2'"),
                (["simulate", "--share", "-/2", "-o", "c.json"],
                 "--share -/N takes its files from standard input, and no --resume or -o"),
                (["verify", "--share", "0/2"], "--share needs --json: shares are put together from it"),
                (["verify", "--share", "-/2"], "--share needs --json: shares are put together from it"),
                (["verify", "--json", "ticket", "--share", "-/x"],
                 "--share takes a number of parts from 1 to 1000000, not 'x'"),
                (["simulate", "--resume", "a.json,b.json"], "--resume of several files needs -o: the file of the whole"),
                (["simulate", "--resume", "a.json,b.json", "-o", "c.json"],
                 "a.json and b.json are not parts of one simulation: they were asked for different things")):
            for name, lock in (("a", "mcs"), ("b", "ticket")):
                self.program("simulate", "locks.throughput", "--machine", "opteron", "--lock", lock, "--threads", "2",
                             "--quick", "-o", f"{name}.json")
            done = self.program(*words)
            self.assertEqual((done.returncode, done.stderr), (2, f"synchroscope: {sentence}\n"))

    def test_lines_that_name_no_part(self):
        for words in (["simulate", "locks.throughput", "--machine=opteron"], ["verify", "--json", "ticket"],
                      ["verify", "--json", "--mutate", "ticket"]):
            for line, sentence in (("0", "--share -/2 reads lines of a part and a file, such as 0 a.json, not '0'"),
                                   ("2 a.json", "--share takes a part from 0 to 1, not '2'"),
                                   ("0 no/folder/a.json", "no/folder/a.json cannot be written")):
                done = subprocess.run([PROGRAM, *words, "--share=-/2"], text=True, input=f"{line}\n", stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(sentence, done.stderr)

    def test_what_two_parts_have_computed_is_there_once(self):
        asked = ("simulate", "locks.throughput", "--machine", "opteron", "--lock", "mcs", "--threads", "1,2,4", "--quick")
        self.program(*asked, "-o", "whole.json")
        self.program(*asked, "--share", "0/2", "-o", "a.json")
        first = len(self.document("a.json")["cells"])
        self.program("simulate", "--resume", "a.json", "--share", "1/2", "-o", "b.json")  # the rest, and what is known
        self.assertGreater(len(self.document("b.json")["cells"]), first)
        self.program("simulate", "--resume", "a.json,b.json,a.json", "-o", "c.json")
        whole, joined = self.document("whole.json"), self.document("c.json")
        self.assertEqual(joined["cells"], whole["cells"])


class Without(Case):
    """Without the program, without pandas."""

    def python(self, text, **environment):
        others = {name: value for name, value in os.environ.items() if name != "SYNCHROSCOPE"}
        return subprocess.run([sys.executable, "-B", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env={**others, "PYTHONPATH": str(PACKAGE), **environment})

    @unittest.skipIf(installed(), "that there is no program is not tried: the wheel is installed here")
    def test_no_program_is_a_sentence(self):
        calls = ["synchroscope.run('nothing')", "synchroscope.verify('ticket')", "synchroscope.load('nothing.json')",
                 "synchroscope.program()"]
        for call in calls:
            tried = f"try: {call}\nexcept synchroscope.ProgramNotFound as e: print(e, e.status)"
            said = self.python(f"import synchroscope\n{tried}", PATH="/nowhere")
            self.assertRegex(said.stdout, "^there is no program synchroscope: install .* None\n$")
        said = self.python("import synchroscope; synchroscope.program()", SYNCHROSCOPE="/no/such/program")
        self.assertIn("ProgramNotFound: SYNCHROSCOPE names /no/such/program, which is not a program", said.stdout)

    def test_a_good_file_needs_no_program(self):
        synchroscope.simulate("coherence.local", machine="opteron", quick=True, output="good.json", progress=False)
        said = self.python("import synchroscope; print(len(synchroscope.load('good.json')))", PATH="/nowhere")
        self.assertEqual(said.stdout, f"{len(self.document('good.json')['cells'])}\n")

    def test_a_program_that_is_none(self):
        pathlib.Path("none").write_text("hello")
        pathlib.Path("none").chmod(0o755)
        said = self.python("import synchroscope; synchroscope.verify('ticket')", SYNCHROSCOPE="./none")
        self.assertRegex(said.stdout, "ProgramNotFound: ./none does not run: ")

    def test_no_pandas_is_a_sentence(self):
        synchroscope.simulate("coherence.local", machine="opteron", quick=True, output="plain.json", progress=False)
        said = self.python("import sys; sys.modules['pandas'] = None\nimport synchroscope\nr = synchroscope.load('plain.json')\n"
                           "print(len(r), r.show()[:9])\nr.cells", SYNCHROSCOPE=PROGRAM)
        self.assertIn("simulated", said.stdout)
        self.assertIn("ImportError: tables are made by pandas, which is not installed: pip install pandas", said.stdout)

    @needs_node
    def test_no_matplotlib_is_a_sentence(self):
        synchroscope.simulate("locks.throughput", output="drawn.json", **SIMULATED)
        said = self.python("import sys; sys.modules['matplotlib'] = None\nimport synchroscope\n"
                           "synchroscope.load('drawn.json').figure('locks.throughput').to_matplotlib()", SYNCHROSCOPE=PROGRAM)
        self.assertTrue(said.stdout.endswith("\nImportError: matplotlib is not installed: pip install matplotlib\n"), said.stdout)


class Typed(Case):
    @unittest.skipUnless(has("mypy"), "types are not checked: there is no mypy here")
    def test_types_are_strict(self):
        words = [sys.executable, "-m", "mypy", "--config-file", PACKAGE / "mypy.ini", "--cache-dir", self.home]
        result = subprocess.run([*words, PACKAGE / "synchroscope"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_no_module_takes_the_place_of_what_is_public(self):
        """`import synchroscope.NAME` would, if there were a module of that name to import."""
        for name in synchroscope.__all__:
            public = getattr(synchroscope, name)
            with contextlib.suppress(ImportError):
                importlib.import_module(f"synchroscope.{name}")
            self.assertIs(getattr(synchroscope, name), public, name)

    def test_everything_public_says_what_it_is(self):
        for name in synchroscope.__all__:
            public = getattr(synchroscope, name)
            self.assertTrue(public.__doc__, name)
            for member in vars(public) if isinstance(public, type) else ():
                if not member.startswith("_") and callable(getattr(public, member)):
                    self.assertTrue(getattr(public, member).__doc__, f"{name}.{member}")


def wheel_of(folder):
    """A wheel, made in this folder. What it has as its program hands on to the one that is tested."""
    whole = folder / "synchroscope-9.9.9"
    (whole / "bin").mkdir(parents=True)
    (whole / "bin" / "synchroscope").write_text(f'#!/bin/sh\nexec {PROGRAM} "$@"\n')
    (whole / "bin" / "synchroscope").chmod(0o755)
    tarball = folder / f"synchroscope-9.9.9-linux-{os.uname().machine}-glibc2.17.tar.xz"
    with tarfile.open(tarball, "w:xz") as packed:
        packed.add(whole, whole.name)
    script = PACKAGE.parent / "cmake" / "package" / "wheel.py"
    return subprocess.run([sys.executable, script, tarball, folder], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def installed_wheel(folder):
    """The folder of a wheel that pip has installed there."""
    wheel = os.environ.get("WHEEL") or wheel_of(folder)
    site = folder / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", site, wheel],
                   check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return site


@unittest.skipUnless(has("pip"), "the wheel is not tried: there is no pip here")
class Wheel(Case):
    def test_extras_and_the_sentences_that_name_them(self):
        """Whatever the package says is to be installed is an extra of the wheel."""
        about, = installed_wheel(self.home).glob("*.dist-info/METADATA")
        extras = re.findall(r"^Provides-Extra: (.+)$", about.read_text(), re.M)
        needed = re.findall(r'^Requires-Dist: ([\w-]+).*; extra == "(.+)"$', about.read_text(), re.M)
        self.assertEqual({extra for _, extra in needed}, set(extras))
        said = {name for file in (PACKAGE / "synchroscope").glob("*.py")
                for name in re.findall(r"pip install ([a-z]\w*)", file.read_text())}
        self.assertGreaterEqual({(name, name) for name in said}, {("ray", "ray"), ("pandas", "pandas")})
        self.assertLessEqual({(name, name) for name in said}, set(needed))


NOTEBOOKS = sorted((PACKAGE / "notebooks").glob("*.ipynb"))


@needs_pandas
@needs_node
class Notebooks(Case):
    """Each from its first cell to its last, in a folder with nothing in it, by an installed wheel. A kernel of
    Jupyter runs them, and where there is none Python itself, for nothing else stands in them."""

    def setUp(self):
        if not has("pip"):
            self.skipTest("there is no pip here")
        self.home = pathlib.Path(tempfile.mkdtemp(dir=self.home))
        os.chdir(self.home)
        site = installed_wheel(pathlib.Path(tempfile.mkdtemp(dir=self.home.parent)))
        environment = mock.patch.dict(os.environ, {"PYTHONPATH": str(site)})
        environment.start()
        self.addCleanup(environment.stop)
        del os.environ["SYNCHROSCOPE"]
        called = subprocess.run([sys.executable, "-c", "import synchroscope; print(synchroscope.program())"], check=True,
                                stdout=subprocess.PIPE, text=True).stdout.strip()
        self.assertEqual(pathlib.Path(called), (site / "bin" / "synchroscope").resolve())

    def without_compilers(self):
        """As on a machine that has none: nothing is found but what draws, and a shell."""
        tools = pathlib.Path(tempfile.mkdtemp(dir=self.home.parent))
        for name in ("node", "rsvg-convert", "sh"):
            found = shutil.which(name)
            if found is not None:
                (tools / name).symlink_to(found)
        os.environ["PATH"] = str(tools)
        compilers = ("c++", "g++", "gcc", "cc", "clang++", "cmake", "ninja")
        self.assertEqual([name for name in compilers if shutil.which(name)], [])

    def executed(self, path):
        if not (has("nbclient") and has("ipykernel")):
            cells = [sys.executable, "-B", pathlib.Path(__file__).resolve().with_name("cells.py"), path]
            done = subprocess.run(cells, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=500)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)
        import nbclient
        import nbformat

        book = nbformat.read(path, 4)
        nbclient.NotebookClient(book, timeout=500, resources={"metadata": {"path": str(self.home)}}).execute()
        return [output for cell in book.cells for output in cell.get("outputs", ())]

    def test_choosing_a_lock(self):
        self.without_compilers()
        outputs = self.executed(PACKAGE / "notebooks" / "choose_a_lock.ipynb")
        said = "".join(output.get("text", "") for output in outputs)
        self.assertTrue(any(output.get("data", {}).get("image/svg+xml", "").startswith("<?xml") for output in outputs))
        self.assertIn(self.program("show", "locks.json").stdout, said)
        asked = ["advise", "locks.json", "--threads=8", "--critical=300", "--gap=2000", "--json"]
        self.assertIn(json.loads(self.program(*asked).stdout)["advice"][0]["because"], said)
        self.assertIn(self.document("locks.json")["id"], pathlib.Path("locks.html").read_text())

    def said(self, outputs):
        return "".join(output.get("text", "") + str(output.get("data", {}).get("text/plain", "")) for output in outputs)

    @unittest.skipUnless(shutil.which("c++"), "a lock of one's own is not tried: there is no compiler here")
    def test_bringing_a_lock(self):
        said = self.said(self.executed(PACKAGE / "notebooks" / "bring_a_lock.ipynb"))
        self.assertIn("backoff: proved", said)
        self.assertRegex(said, r"hasty: refuted by .*: data race")
        replay = re.search(r"synchroscope (verify \S+ --replay) '(\S+)'", said)
        self.assertEqual(self.program(*replay[1].split(), replay[2]).returncode, 1)
        self.assertEqual(re.findall(r"-> relaxed: (\w+)", said), ["killed", "killed"])
        locks = {cell["at"]["lock"] for cell in self.document("measured.json")["cells"]}
        self.assertLessEqual({"backoff", "tas", "mcs", "std/mutex"}, locks)
        self.assertIn("with backoff", said)
        self.assertTrue(any(self.home.glob("figure.*")))

    def test_who_is_ill(self):
        self.without_compilers()
        said = self.said(self.executed(PACKAGE / "notebooks" / "which_host_is_ill.ipynb"))
        called = json.loads(self.program("fleet", "gather", "answers", "--json").stdout)
        names = [called["groups"][group]["hosts"][host]["name"] for group, host in called["called"]]
        self.assertEqual(sorted(names), ["node-042", "node-117"])
        self.assertRegex(said, r"node-042: worse by (a factor of [12]\.\d+|[6-9]\d %|100 %) in coherence\.bandwidth")
        self.assertIn("node-200.json", said)
        self.assertIn("node-117", pathlib.Path("fleet.html").read_text())

    def test_what_is_stored_was_executed_in_order(self):
        self.assertTrue(NOTEBOOKS)
        for path in NOTEBOOKS:
            code = [cell for cell in self.document(path)["cells"] if cell["cell_type"] == "code"]
            self.assertEqual([cell["execution_count"] for cell in code], list(range(1, len(code) + 1)), path)


if __name__ == "__main__":
    unittest.main()
