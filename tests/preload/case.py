"""What the tests of this folder share: the program, a folder for each test, and what a refusal looks like."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))


def program(name):
    """A program of this folder, as it was built."""
    return os.path.join(os.environ["PROGRAMS"], name)


class Case(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="synchroscope-test-")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.home, name)

    def copied(self, program="synchroscope", part="synchroscope-interpose"):
        """The program elsewhere, with the part that stands in front of others and no library for it."""
        shutil.copy(PROGRAM, self.path(program))
        shutil.copy(os.path.join(os.path.dirname(os.path.realpath(PROGRAM)), "synchroscope-interpose"), self.path(part))
        return self.path(program)

    def call(self, *words, **kwargs):
        return subprocess.run(words, capture_output=True, text=True, cwd=self.home, timeout=280, check=False, **kwargs)

    def refuses(self, status, result, *saying, prefix="synchroscope: "):
        """One sentence on standard error, and nothing else."""
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith(prefix), result.stderr)
        for word in saying:
            self.assertIn(word, result.stderr)

    def with_another_users_rights(self, file):
        """A copy of the file that runs with the rights of nobody."""
        if os.getuid() != 0:
            self.skipTest("only root can give a file away")
        copy = self.path("copy")
        shutil.copy(file, copy)
        os.chown(copy, 65534, 65534)
        os.chmod(copy, 0o755 | stat.S_ISUID)
        return copy


class Measuring(Case):
    """Runs an experiment, briefly, into r.json. What it makes meanwhile is in the test's own folder."""

    EXPERIMENT = ""
    SHORT = []

    def environment(self, **variables):
        return {**os.environ, "TMPDIR": self.home, **variables}

    def run_it(self, *options, **variables):
        return self.call(PROGRAM, "run", self.EXPERIMENT, *self.SHORT, "-o", self.path("r.json"), *options,
                         env=self.environment(**variables))

    def cells(self):
        with open(self.path("r.json"), encoding="utf-8") as file:
            return json.load(file)["cells"]
