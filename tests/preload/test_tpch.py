"""database.tpch: MonetDB with its locks replaced, its answers held against another database's, and nothing left behind.

    test_tpch.py PROGRAM CLASS

The environment tells where the interposer is (PRELOAD). What needs the packages is skipped where they are not.
"""

import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import case as shared
from case import PROGRAM

PACKAGES = os.environ.get("SYNCHRO_DATABASES") or os.path.join(
    os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), "synchroscope", "databases")
LIBRARIES = os.path.join(PACKAGES, "monetdbe.libs")
GENERATOR = os.path.join(PACKAGES, "bin", "tpchgen-cli")
sys.path.append(PACKAGES)  # where ./dev setup puts DuckDB
try:
    import duckdb
except ImportError:
    duckdb = None

AVAILABLE = os.path.isdir(LIBRARIES) and os.access(GENERATOR, os.X_OK)
MARK = "tpch-for-another-process"
SHORT = ["--quick", "--threads", "2", "--no-progress"]


class Case(shared.Measuring):
    EXPERIMENT = "database.tpch"
    SHORT = SHORT

    def folders(self):
        return glob.glob(self.path("synchroscope-tpch-*"))


class Absent(Case):
    def test_where_the_packages_are_not_a_sentence_says_what_installs_them(self):
        result = self.run_it("--lock", "pthread/mutex", SYNCHRO_DATABASES=self.path("nothing"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(len(self.cells()), 0)
        for cell in self.cells():
            self.assertIn(f"python3 -m pip install --target {self.path('nothing')}", json.dumps(cell))
        self.assertEqual(self.folders(), [])

    def packages(self, generator):
        """With a generator that is this script, and nothing where the libraries are to be."""
        os.makedirs(self.path("packages/monetdbe.libs"))
        os.makedirs(self.path("packages/bin"))
        with open(self.path("packages/bin/tpchgen-cli"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + generator)
        os.chmod(self.path("packages/bin/tpchgen-cli"), 0o755)
        return self.path("packages")

    def test_data_that_cannot_be_made_are_an_error_with_its_words(self):
        packages = self.packages("echo no space left >&2\nexit 9\n")
        self.run_it("--lock", "pthread/mutex", SYNCHRO_DATABASES=packages)
        for cell in self.cells():
            self.assertIn("tpchgen-cli ended: exit status 9: no space left", json.dumps(cell))
        self.assertEqual(self.folders(), [])

    def test_data_are_made_by_the_process_of_the_run(self):
        """Of which each round's process is a copy that ends with it."""
        packages = self.packages(f"echo $PPID >>{self.path('makers')}\nexit 9\n")
        words = ["run", "database.tpch", *SHORT, "--lock", "pthread/mutex", "-o", self.path("r.json")]
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.home,
                                   env={**os.environ, "TMPDIR": self.home, "SYNCHRO_DATABASES": packages})
        process.communicate(timeout=200)
        with open(self.path("makers"), encoding="utf-8") as file:
            self.assertEqual(int(file.readline()), process.pid)

    def test_libraries_that_cannot_be_loaded_are_an_error(self):
        packages = self.packages("exit 0\n")
        self.run_it("--lock", "pthread/mutex", SYNCHRO_DATABASES=packages)
        for cell in self.cells():
            self.assertIn("cannot be loaded: not there", json.dumps(cell))
        self.assertEqual(self.folders(), [])

    def test_other_scales_are_refused(self):
        result = self.run_it("--scale", "2")
        self.assertEqual(result.returncode, 2)
        self.assertIn("there is no scale '2'", result.stderr)


@unittest.skipUnless(AVAILABLE, "MonetDB's libraries and tpchgen-cli are not installed")
class Serving(Case):
    def test_all_queries_are_answered_as_with_the_programs_own_locks(self):
        result = self.run_it("--lock", "pthread/mutex,mcs/park")
        self.assertEqual(result.returncode, 0, result.stderr)
        seen = {(cell["metric"], cell["at"]["lock"], cell["at"].get("query")) for cell in self.cells() if cell["value"]}
        self.assertEqual(seen, {("time", lock, query) for lock in ("pthread/mutex", "mcs/park") for query in range(1, 23)} |
                         {("total", lock, None) for lock in ("pthread/mutex", "mcs/park")})
        self.assertEqual(self.folders(), [])


@unittest.skipUnless(AVAILABLE and duckdb, "MonetDB's libraries, tpchgen-cli or DuckDB are not installed")
class Answers(Case):
    """Both databases from the same files."""

    SCALE = "0.01"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="synchroscope-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        data = os.path.join(cls.folder, "data")
        subprocess.run([GENERATOR, "-s", cls.SCALE, f"--output-dir={data}"], check=True, capture_output=True)
        cls.database = os.path.join(cls.folder, "database")
        cls.other("load", LIBRARIES, cls.database, data)
        cls.duck = duckdb.connect()
        for table in cls.other("tables").splitlines():
            name, columns = table.split("\t")
            cls.duck.execute(f"create table {name} ({columns})")
            file = os.path.join(data, f"{name}.tbl")
            with open(file, encoding="utf-8") as text:
                lines = [line.rstrip("\n") for line in text]
            with open(file, "w", encoding="utf-8") as text:
                text.write("\n".join(line[:-1] for line in lines) + "\n")
            cls.duck.execute(f"copy {name} from '{file}' (delimiter '|', header false, quote '')")

    @staticmethod
    def other(*words):
        return subprocess.run([PROGRAM, MARK, *words], check=True, capture_output=True, text=True).stdout

    def same(self, ours, theirs):
        """Text is equal, sums are exact; what was divided may be rounded otherwise: to a hundredth of a percent or of one."""
        if theirs is None:
            return ours == ""
        if isinstance(theirs, str) or not isinstance(theirs, (int, float)) and not hasattr(theirs, "as_tuple"):
            return ours == str(theirs).rstrip() or ours == str(theirs)
        tolerance = 0 if isinstance(theirs, int) else max(1e-4 * abs(float(theirs)), 0.006)
        exact = hasattr(theirs, "as_tuple")
        return abs(float(ours) - float(theirs)) <= (1e-9 * abs(float(theirs)) if exact else tolerance)

    def test_every_answer_is_the_other_databases(self):
        for number in range(1, 23):
            with self.subTest(query=number):
                query = self.other("query", self.SCALE, str(number))
                theirs = self.duck.execute(query).fetchall()
                ours = [row.split("\t") for row in
                        self.other("rows", LIBRARIES, self.database, self.SCALE, str(number)).splitlines()]
                self.assertEqual(len(ours), len(theirs))
                for mine, other in zip(ours, theirs, strict=True):
                    self.assertEqual(len(mine), len(other))
                    for a, b in zip(mine, other, strict=True):
                        self.assertTrue(self.same(a, b), (number, a, b, mine, other))


@unittest.skipUnless(AVAILABLE, "MonetDB's libraries and tpchgen-cli are not installed")
class Leaving(Case):
    """However it ends: no process, no folder."""

    def ended_by(self, number, when):
        process = subprocess.Popen([PROGRAM, "run", "database.tpch", "--lock", "pthread/mutex", *SHORT, "-o",
                                    self.path("r.json")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.home,
                                   env={**os.environ, "TMPDIR": self.home})
        while not when():
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        process.send_signal(number)
        process.communicate(timeout=200)
        end = time.monotonic() + 60
        while self.folders() or self.processes():
            self.assertLess(time.monotonic(), end, (self.folders(), self.processes()))
            time.sleep(0.02)
        return process.returncode

    def processes(self):
        """Whose words name this test's folder."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    if int(pid) != os.getpid() and self.home.encode() + b"/synchroscope-tpch" in file.read():
                        found.append(int(pid))
            except OSError:
                continue
        return found

    def moments(self):
        """While data are made, while the database is loaded, while it answers."""
        return (lambda: glob.glob(self.path("synchroscope-tpch-*/data")),
                lambda: glob.glob(self.path("synchroscope-tpch-*/database")),
                lambda: glob.glob(self.path("synchroscope-tpch-*/database")) and
                not glob.glob(self.path("synchroscope-tpch-*/data")))

    def test_nothing_is_left_when_it_is_killed(self):
        for when in self.moments():
            self.assertEqual(self.ended_by(signal.SIGKILL, when), -signal.SIGKILL)

    def test_nothing_is_left_when_it_is_interrupted(self):
        for when in self.moments():
            self.assertEqual(self.ended_by(signal.SIGINT, when), 130)


if __name__ == "__main__":
    unittest.main()
