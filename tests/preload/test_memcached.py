"""The experiments on memcached as a user meets them: where it is, where it is not, and that none is left behind.

    test_memcached.py PROGRAM CLASS

The environment tells where the interposer is: PRELOAD.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

import case as shared
from case import PROGRAM

PRELOAD = os.path.abspath(os.environ["PRELOAD"])
SHORT = ["--quick", "--threads", "1", "--clients", "20", "--no-progress"]
MEMCACHED = shutil.which("memcached")


def servers():
    """The processes that are a memcached of one of our runs, each with its parent."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", encoding="utf-8", errors="replace") as file:
                words = file.read().split("\0")
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if words[0] == "memcached" and "synchroscope-" in " ".join(words) and fields[0] not in "ZX":
            found[int(name)] = int(fields[1])
    return found


class Case(shared.Case):
    def run_it(self, *words, **variables):
        environment = {**os.environ, **variables}
        return self.call(PROGRAM, "run", *words, *SHORT, "-o", self.path("r.json"), env=environment)

    def cells(self):
        with open(self.path("r.json"), encoding="utf-8") as file:
            return json.load(file)["cells"]


class Absent(Case):
    def test_it_says_that_it_is_not_installed(self):
        result = self.run_it("memcached", PATH=self.home)
        self.assertEqual(result.returncode, 0, result.stderr)
        cells = self.cells()
        self.assertEqual({cell["experiment"] for cell in cells}, {"memcached.set", "memcached.get"})
        for cell in cells:
            self.assertIsNone(cell["value"])
            self.assertIn("not available here: memcached is not installed", json.dumps(cell))

    def test_one_that_does_not_start_is_an_error_with_its_words(self):
        with open(self.path("memcached"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho no room >&2\nexit 71\n")
        os.chmod(self.path("memcached"), 0o755)
        result = self.run_it("memcached.set", "--lock", "pthread/mutex", PATH=self.home + ":" + os.environ["PATH"])
        self.assertEqual(result.returncode, 0, result.stderr)
        for cell in self.cells():
            self.assertIn("memcached ended at its start: exit status 71: no room", json.dumps(cell))

    def test_setting_without_locks_is_refused(self):
        result = self.run_it("memcached.set", "--lock", "unsafe/none")
        self.assertEqual(result.returncode, 2)
        self.assertIn("unsafe/none", result.stderr)


@unittest.skipUnless(MEMCACHED, "memcached is not installed")
class Serving(Case):
    def test_with_a_lock_of_ours_and_without_any(self):
        result = self.run_it("memcached.get", "--lock", "mcs/park,unsafe/none")
        self.assertEqual(result.returncode, 0, result.stderr)
        served, refused = {}, {}
        for cell in self.cells():
            (served if cell["value"] else refused)[cell["metric"], cell["at"]["lock"]] = cell.get("reason")
        for metric in ("throughput", "latency"):
            self.assertIn((metric, "mcs/park"), served)
            self.assertNotIn("wrong", served[metric, "mcs/park"] or "")
            # The server without its locks may break at any time (docs/memcached.md): then the cell says how.
            self.assertTrue((metric, "unsafe/none") in served or refused[metric, "unsafe/none"])


def descends(pid, ancestor):
    """Whether the process was started by that one, or by one that it has started: a round has a process of its own."""
    while pid > 1 and pid != ancestor:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                pid = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            return False
    return pid == ancestor


@unittest.skipUnless(MEMCACHED, "memcached is not installed")
class Leaving(Case):
    def ended_by(self, number):
        process = subprocess.Popen([PROGRAM, "run", "memcached.set", "--lock", "pthread/mutex", *SHORT, "-o",
                                    self.path("r.json")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.home)
        while not (mine := [pid for pid in servers() if descends(pid, process.pid)]):
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        process.send_signal(number)
        process.communicate(timeout=200)
        for _ in range(3000):
            if not any(pid in servers() for pid in mine):
                return process.returncode
            time.sleep(0.02)
        self.fail(f"left behind: {mine}")

    def test_none_is_left_when_it_is_interrupted(self):
        self.assertEqual(self.ended_by(signal.SIGINT), 130)
        self.assertEqual(self.ended_by(signal.SIGTERM), 143)

    def test_none_is_left_when_it_is_killed(self):
        self.assertEqual(self.ended_by(signal.SIGKILL), -signal.SIGKILL)


class Unsafe(shared.Case):
    """The lock that excludes nobody, in a program with one thread."""

    TRIES = """
import ctypes, os, signal
c, mutex = ctypes.CDLL(None), (ctypes.c_long * 8)()
seen = [c.pthread_mutex_lock(mutex), c.pthread_mutex_trylock(mutex)]
os.kill(os.getpid(), signal.SIGUSR2)
seen += [c.pthread_mutex_trylock(mutex), c.pthread_mutex_lock(mutex), c.pthread_mutex_unlock(mutex),
         c.pthread_mutex_unlock(mutex), c.pthread_mutex_lock(mutex), c.pthread_mutex_lock(mutex)]
print(seen)
"""

    def call(self, **variables):
        environment = {k: v for k, v in os.environ.items() if k != "SYNCHRO_PRELOAD_UNSAFE"}
        return subprocess.run([sys.executable, "-c", self.TRIES], capture_output=True, text=True, timeout=280,
                              env={**environment, "LD_PRELOAD": PRELOAD, "SYNCHRO_PRELOAD_LOCK": "unsafe/none",
                                   **variables})

    def test_it_excludes_until_it_is_told_not_to(self):
        result = self.call(SYNCHRO_PRELOAD_UNSAFE="1")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "[0, 16, 0, 0, 0, 0, 0, 0]\n")  # 16: EBUSY

    def test_it_is_there_only_when_it_is_asked_for_twice(self):
        for variables in ({}, {"SYNCHRO_PRELOAD_UNSAFE": "0"}):
            result = self.call(**variables)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("there is no lock 'unsafe/none'", result.stderr)

    def test_no_command_offers_it(self):
        for words in (["with", "unsafe/none"], ["tune", "--locks", "unsafe/none"]):
            result = subprocess.run([PROGRAM, *words, "--", "true"], capture_output=True, text=True, timeout=280)
            self.assertEqual(result.returncode, 2)
            self.assertIn("no lock 'unsafe/none'", result.stderr)


if __name__ == "__main__":
    unittest.main()
