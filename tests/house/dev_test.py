"""What `./dev run` builds, in a house where the programs that it calls only note how: dev_test.py ROOT"""

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
        self.program("build/release/synchroscope", 'echo called "$@"')

    def program(self, path, text):
        place = self.house / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"#!/bin/sh\n{text}\n")
        place.chmod(0o755)

    def built_for(self, *words):
        """The targets of the only build."""
        notes = self.house / "notes"
        notes.unlink(missing_ok=True)
        environment = {**os.environ, "PATH": f"{self.house}/bin:{os.environ['PATH']}", "NOTES": str(notes)}
        result = subprocess.run([self.house / "dev", "run", *words], capture_output=True, text=True, env=environment,
                                timeout=200, check=False)
        self.assertEqual((result.returncode, result.stdout.split()), (0, ["called", *words]), result.stderr)
        [build] = [line for line in notes.read_text().splitlines() if line.startswith("--build build/release ")]
        return build.split(" --target ")[1].split()

    def test_the_tour_and_what_starts_no_program_need_the_program_alone(self):
        for words in ((), ("tour",), ("info",), ("show", "with.json"), ("run", "locks.throughput", "--quick"),
                      ("simulate", "locks.throughput"), ("help", "with")):
            with self.subTest(words=words):
                self.assertEqual(self.built_for(*words), ["synchroscope"])

    def test_what_replaces_or_records_locks_gets_the_interposer(self):
        for words in (("with", "mcs", "--", "ls"), ("profile", "--", "ls"), ("tune", "--", "ls"), ("run",),
                      ("run", "--quick"), ("run", "--resume", "r.json"), ("run", "memcached.get", "--quick"),
                      ("run", "locks", "memcached.*"), ("run", "*")):
            with self.subTest(words=words):
                self.assertEqual(self.built_for(*words), ["synchroscope", "preload"])


if __name__ == "__main__":
    unittest.main()
