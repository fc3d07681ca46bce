#!/usr/bin/env python3
"""Holds what the program writes against the schema, and broken documents against schema and program.

    schema_test.py PROGRAM      (the program made of documents.cpp)
"""

import copy
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import validate  # noqa: E402

PROGRAM = ""
VALIDATE = pathlib.Path(validate.__file__)


def set_at(document, path, value):
    *way, last = path
    for step in way:
        document = document[step]
    document[last] = value


def drop(document, path):
    *way, last = path
    for step in way:
        document = document[step]
    del document[last]


# Where, what, and whether the program's reader must refuse it, too. It does not look into the descriptive sections, and
# it is lenient about names.
BROKEN = [
    (["schema"], "synchroscope/3", True),
    (["complete"], "yes", True),
    (["complete"], None, True),
    (["id"], "", False),
    (["label"], 3, True),
    (["tool"], None, True),
    (["tool", "version"], None, False),
    (["invocation", "argv"], "run", False),
    (["invocation", "seed"], -1, False),
    (["invocation", "started"], "yesterday", False),
    (["invocation", "wall_s"], -1, False),
    (["machine", "kind"], "imagined", False),
    (["machine", "memory_bytes"], 2.5, False),
    (["machine", "unavailable"], [{"fact": "x"}], False),
    (["clock", "hz"], 0, False),
    (["topology", "cpus"], [{"cpu": 0}], False),
    (["topology", "caches"], [{"level": 1, "bytes": -1, "line_bytes": 64, "sharers": 1}], False),
    (["warnings"], {}, True),
    (["warnings", 0, "evidence"], "much", True),
    (["warnings", 0, "advice"], "", False),
    (["warnings", 0, "extra"], 1, False),
    (["cells"], {}, True),
    (["cells", 1, "experiment"], "no room", False),
    (["cells", 1, "at", "threads"], 1.5, True),
    (["cells", 1, "at", "threads"], None, True),
    (["cells", 1, "at", "threads"], 2**63, True),
    (["cells", 1, "at", "threads"], 2**53 + 1, False),
    (["cells", 1, "at", "Threads!"], 1, False),
    (["cells", 1, "unit"], None, True),
    (["cells", 1, "unit"], "", False),
    (["cells", 1, "better"], "faster", True),
    (["cells", 1, "value"], "many", True),
    (["cells", 1, "value"], None, True),
    (["cells", 1, "ci"], [1], True),
    (["cells", 1, "ci"], [1, 2, 3], True),
    (["cells", 1, "ci"], [1, None], True),
    (["cells", 1, "n"], -1, True),
    (["cells", 1, "n"], 4, False),
    (["cells", 1, "n"], "7", True),
    (["cells", 1, "flag"], "fine", True),
    (["cells", 1, "reason"], 1, True),
    (["cells", 1, "reason"], "", False),
    (["cells", 1, "samples"], None, True),
    (["cells", 1, "samples"], ["1"], True),
    (["cells", 1, "quantiles"], {"p50": "1"}, True),
    (["cells", 1, "quantiles"], {"median": 1}, False),
    (["cells", 1, "noise"], [], True),
    (["cells", 1, "valid"], False, True),
    (["cells", 1, "extra"], 1, False),
    (["cells", 3, "reason"], None, False),
    (["extra"], 1, False),
]


# Fields that the first files of this schema did not have.
LATER = {"probe_ns", "conditions"}


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        subprocess.run([PROGRAM, "write", cls.folder.name], check=True)
        cls.files = sorted(cls.path.glob("*.json"))
        cls.check = validate.validator()
        cls.sound = validate.parse((cls.path / "all.json").read_text(encoding="utf-8"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def program_reads(self, document):
        file = self.path / "broken.txt"
        file.write_text(validate.json.dumps(document), encoding="utf-8")
        done = subprocess.run([PROGRAM, "read", str(file)], capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 1))
        self.assertEqual(done.stderr.count("\n"), done.returncode, done.stderr)
        return done.returncode == 0

    def test_what_the_program_writes_is_valid(self):
        self.assertEqual(len(self.files), 5)
        for file in self.files:
            document = validate.parse(file.read_text(encoding="utf-8"))
            self.assertEqual(list(validate.faults(document, self.check)), [], file.name)
            self.assertTrue(self.program_reads(document))

    def test_the_schema_asks_for_every_field(self):
        places = [[]] + [["cells", i] for i in range(4)] + [["warnings", 0]]
        for place in places:
            part = self.sound
            for step in place:
                part = part[step]
            for name in part:
                document = copy.deepcopy(self.sound)
                drop(document, place + [name])
                if name in LATER:  # a file of an earlier version is read as it always was
                    self.assertEqual(list(validate.faults(document, self.check)), [], place + [name])
                    self.assertTrue(self.program_reads(document), place + [name])
                    continue
                self.assertTrue(list(validate.faults(document, self.check)), place + [name])
                self.assertFalse(self.program_reads(document), place + [name])

    def test_broken_documents_are_refused(self):
        for path, value, by_program in BROKEN:
            with self.subTest(path=path, value=value):
                document = copy.deepcopy(self.sound)
                set_at(document, path, value)
                self.assertTrue(list(validate.faults(document, self.check)), "the schema takes it")
                self.assertEqual(self.program_reads(document), not by_program)

    def test_open_sections_may_grow(self):
        document = copy.deepcopy(self.sound)
        for section in ("tool", "invocation", "machine", "topology", "os", "clock"):
            document[section]["added_later"] = {"anything": [1, None]}
        document["cells"][1]["noise"]["added_later"] = 1
        self.assertEqual(list(validate.faults(document, self.check)), [])
        self.assertTrue(self.program_reads(document))

    def test_a_matrix(self):
        matrix = validate.parse((self.path / "matrix.json").read_text(encoding="utf-8"))
        self.assertEqual((matrix["schema"], len(matrix["cells"])), ("synchroscope/2", 1))
        for path, value in ((["kinds", 0, "n"], -1), (["axes", 0, 1], []), (["kind", "bits"], 56), (["kind", "data"], None),
                            (["numbers"], {}), (["columns", 0, "data"], 5), (["columns", 0, "at"], None), (["kinds"], None)):
            with self.subTest(path=path, value=value):
                document = copy.deepcopy(matrix)
                set_at(document, ["cells", 0, "matrix", *path], value)
                self.assertTrue(list(validate.faults(document, self.check)), "the schema takes it")
                self.assertFalse(self.program_reads(document))

    def test_the_command_line(self):
        def run(*arguments):
            return subprocess.run([sys.executable, str(VALIDATE), *map(str, arguments)], capture_output=True, text=True,
                                  check=False)

        self.assertEqual(run(*self.files).returncode, 0)
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run(self.path / "none.json").returncode, 1)
        for text in ('{"a": NaN}', '{"a": 1, "a": 2}', "{", "[]"):
            bad = self.path / "bad.txt"
            bad.write_text(text, encoding="utf-8")
            done = run(self.files[0], bad)
            self.assertEqual(done.returncode, 1, text)
            self.assertIn("bad.txt: ", done.stdout)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop(1)
    unittest.main()
