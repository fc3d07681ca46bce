"""database.sysbench: a MariaDB of our own with its locks replaced, as another user where root calls, and none left behind.

    test_mariadb.py PROGRAM CLASS

The environment tells where the interposer is: PRELOAD.
"""

import glob
import json
import os
import pwd
import shutil
import signal
import stat
import subprocess
import time
import unittest

import case as shared
from case import PROGRAM

PATH = os.environ["PATH"] + ":/usr/sbin"
NEEDED = ("mariadbd", "mariadb-install-db", "my_print_defaults", "sysbench")
AVAILABLE = all(shutil.which(name, path=PATH) for name in NEEDED)
SHORT = ["--quick", "--work", "point_select", "--clients", "2", "--no-progress"]
USER = pwd.getpwnam("nobody").pw_uid if os.getuid() == 0 else os.getuid()


class Case(shared.Measuring):
    EXPERIMENT = "database.sysbench"
    SHORT = SHORT

    def setUp(self):
        super().setUp()
        os.chmod(self.home, 0o755)  # another user is to reach what is in it

    def folders(self):
        return glob.glob(self.path("synchroscope-mariadb-*"))

    def processes(self):
        """Whose words name this test's folder, with the user that each is."""
        found = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read()
                if self.home.encode() + b"/synchroscope-mariadb" in words:
                    found[int(pid)] = ([word.decode() for word in words.split(b"\0")], os.stat(f"/proc/{pid}").st_uid)
            except OSError:
                continue
        return found


class Absent(Case):
    def test_where_it_is_not_a_sentence_says_what_installs_it(self):
        if os.path.exists("/usr/sbin/mariadbd"):
            self.skipTest("it is found whatever PATH says")
        result = self.run_it("--lock", "pthread/mutex", PATH=self.home)
        self.assertEqual(result.returncode, 0, result.stderr)
        for cell in self.cells():
            self.assertIn("apt-get install mariadb-server-core", json.dumps(cell))

    def test_without_sysbench(self):
        for name in NEEDED[:-1]:
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n")
            os.chmod(self.path(name), 0o755)
        result = self.run_it("--lock", "pthread/mutex", PATH=self.home)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(len(self.cells()), 0)
        for cell in self.cells():
            self.assertIn("sysbench is not installed; apt-get install", json.dumps(cell))
        self.assertEqual(self.folders(), [])


@unittest.skipUnless(AVAILABLE, "MariaDB and sysbench are not installed")
class Serving(Case):
    def test_with_its_own_locks_and_with_one_of_ours(self):
        result = self.run_it("--lock", "pthread/mutex,mcs/park")
        self.assertEqual(result.returncode, 0, result.stderr)
        seen = {(cell["metric"], cell["at"]["lock"]) for cell in self.cells() if cell["value"]}
        locks = ("pthread/mutex", "mcs/park")
        self.assertEqual(seen, {(metric, lock) for metric in ("throughput", "latency") for lock in locks},
                         self.cells()[0].get("reason"))
        self.assertEqual((self.folders(), self.processes()), ([], {}))

    def test_a_run_makes_one_folder_and_lets_nobody_else_in(self):
        """Also where nothing is readable to others unless somebody says so."""
        words = ["run", "database.sysbench", "--lock", "pthread/mutex", *SHORT, "-o", self.path("r.json")]
        process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.home,
                                   env=self.environment(), umask=0o077)
        folders, rights, servers = set(), set(), []
        while process.poll() is None:
            for folder in self.folders():
                folders.add(folder)
                try:
                    rights.add(stat.S_IMODE(os.stat(folder).st_mode))
                except FileNotFoundError:
                    continue
            servers += [words for words, _ in self.processes().values() if "--skip-grant-tables" in words]
            time.sleep(0.01)
        self.assertEqual(process.returncode, 0, process.communicate()[1])
        self.assertGreater(min(len(cell["samples"]) for cell in self.cells()), 1, self.cells())  # of a round each
        self.assertEqual((len(folders), rights), (1, {0o700}))
        self.assertEqual({any(word.startswith("--secure-file-priv=") for word in words) for words in servers}, {True})


@unittest.skipUnless(AVAILABLE, "MariaDB and sysbench are not installed")
class Leaving(Case):
    """However it ends: no process, no folder; and it is never root."""

    def ended_by(self, number, program):
        words = ["run", "database.sysbench", "--lock", "mutex", *SHORT, "-o", self.path("r.json")]
        process = subprocess.Popen([PROGRAM, *words],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.home, env=self.environment())
        seen = []
        while not any(word.endswith(program) for words, _ in seen for word in words[:2]):
            self.assertIsNone(process.poll())
            time.sleep(0.005)
            seen = self.processes().values()
        users = {user for words, user in seen if words[0].endswith("mariadbd")}  # then: a load may be over in a moment
        time.sleep(0.1)
        process.send_signal(number)
        process.communicate(timeout=200)
        end = time.monotonic() + 60
        while self.folders() or self.processes():
            self.assertLess(time.monotonic(), end, (self.folders(), self.processes()))
            time.sleep(0.02)
        return process.returncode, users

    def test_nothing_is_left_when_it_is_killed(self):
        for program in ("mariadb-install-db", "mariadbd", "sysbench"):
            status, users = self.ended_by(signal.SIGKILL, program)
            self.assertEqual(status, -signal.SIGKILL)
            if program == "sysbench":  # which a server serves
                self.assertEqual(users, {USER})

    def test_nothing_is_left_when_it_is_interrupted(self):
        self.assertEqual(self.ended_by(signal.SIGINT, "sysbench")[0], 130)


if __name__ == "__main__":
    unittest.main()
