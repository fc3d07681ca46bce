"""What `./dev run` and `./dev part` build, in a house where the programs that it calls only note how: dev_test.py ROOT"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))

NOTES = {
    "cmake": 'printf "%s\\n" "$*" >>"$NOTES"',
    "dpkg-query": 'for name in "$@"; do printf "installed:%s " "$name"; done',  # nothing is missing
    "apt-get": "exit 0",
    "sudo": "exit 0",
}


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.house = pathlib.Path(folder.name)
        shutil.copy(ROOT / "dev", self.house)
        for name, text in NOTES.items():
            self.program(f"bin/{name}", text)
        self.program("build/release/synchroscope", 'echo "$SYNCHROSCOPE_BUILDER" called "$@"')

    def program(self, path, text):
        place = self.house / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"#!/bin/sh\n{text}\n")
        place.chmod(0o755)

    def call(self, *words):
        """The targets of every build."""
        notes = self.house / "notes"
        notes.unlink(missing_ok=True)
        environment = {**os.environ, "PATH": f"{self.house}/bin:{os.environ['PATH']}", "NOTES": str(notes)}
        result = subprocess.run([self.house / "dev", *words], capture_output=True, text=True, env=environment,
                                timeout=200, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = notes.read_text().splitlines()
        return result, [line.split(" --target ")[1].split() for line in lines if line.startswith("--build build/release ")]

    def test_run_builds_the_program_alone_and_says_what_builds_its_parts(self):
        for words in ((), ("info",), ("with", "mcs", "--", "ls"), ("simulate", "locks.throughput")):
            with self.subTest(words=words):
                result, built = self.call("run", *words)
                self.assertEqual(built, [["synchroscope"]])
                self.assertEqual(result.stdout.split(), [str(self.house / "dev"), "called", *words])

    def test_part_builds_what_is_not_up_to_date_and_says_so(self):
        result, built = self.call("part", "synchroscope-verify")
        self.assertEqual(built, [["synchroscope-verify"]])
        self.assertIn("building synchroscope-verify, which this needs", result.stderr)

    def test_part_leaves_alone_what_is_up_to_date(self):
        self.program("bin/cmake", NOTES["cmake"] + '\ncase "$*" in *" -n") echo "ninja: no work to do." ;; esac')
        result, built = self.call("part", "synchroscope-verify")
        self.assertEqual((built, result.stderr), ([], ""))


if __name__ == "__main__":
    unittest.main()
