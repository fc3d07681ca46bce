"""Programs of another processor, run by an emulator, and the interposer in front of them.

The environment tells where they are and what runs them: PRELOAD, PROGRAMS (a folder), EMULATOR (words parted by blanks).
`synchroscope with` is not asked, for an emulated program cannot become another one: the emulator is told what it would set.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

from behaviour import BEHAVIOUR

EMULATOR = os.environ["EMULATOR"].split()
PRELOAD = os.environ["PRELOAD"]
# What says nothing under an emulator. qemu-user aborts in the child of a fork that starts threads where its parent had some,
# and has no set_robust_list, so that nobody learns of a holder that died: these two fail by the C library's own locks, too.
# Memory that the process takes is the emulator's as well.
NOT_HERE = {"forked", "left_alone", "left_undestroyed"}
CASES = [case for case in BEHAVIOUR if case not in NOT_HERE]
# One of each kind: who waits looks, gives the processor away, sleeps; in a queue and not.
LOCKS = ("mutex", "ticket/yield", "mcs/park", "clh/park")


class Emulated(unittest.TestCase):
    def is_silent(self, *words, **variables):
        told = [word for name, value in variables.items() for word in ("-E", f"{name}={value}")]
        program, *arguments = words
        command = [*EMULATOR, *told, os.path.join(os.environ["PROGRAMS"], program), *arguments]
        result = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""), command)

    def with_lock(self, lock, *words, **variables):
        self.is_silent(*words, LD_PRELOAD=PRELOAD, SYNCHRO_PRELOAD_LOCK=lock, **variables)

    def test_the_c_librarys_own(self):
        self.is_silent("interposed", *CASES)
        for name in ("standard", "c11"):
            self.is_silent(name)

    def test_behaviour(self):
        for lock in LOCKS:
            for case in CASES:
                with self.subTest(lock=lock, case=case):
                    self.with_lock(lock, "interposed", case)

    def test_programs_in_c_and_cpp(self):
        for lock in LOCKS:
            for name in ("standard", "c11"):
                with self.subTest(lock=lock, program=name):
                    self.with_lock(lock, name)

    def test_it_has_no_exceptions(self):
        """Their memory would be taken at each start, from a malloc that may not be ready."""
        told = subprocess.run(["readelf", "--syms", "--wide", PRELOAD], capture_output=True, text=True, check=True).stdout
        self.assertIn("pthread_mutex_lock", told)
        self.assertNotIn("__cxa_throw", told)

    def test_it_is_the_lock_that_was_asked_for(self):
        """Silence would be as good without the interposer: each process says what it served."""
        home = tempfile.mkdtemp(prefix="synchroscope-test-")
        self.addCleanup(shutil.rmtree, home, ignore_errors=True)
        for lock in LOCKS:
            file = os.path.join(home, lock.replace("/", "-"))
            self.with_lock(lock, "interposed", "exclusion", SYNCHRO_PRELOAD_REPORT=file)
            with open(file, encoding="utf-8") as lines:
                told = json.loads(lines.readlines()[-1])
            self.assertEqual((told["lock"], told["calls"]["pthread_mutex_lock"], told["calls"]["pthread_mutex_unlock"]),
                             (lock, 900, 900))
            self.assertEqual(told["objects"]["native_mutex"], 0)


if __name__ == "__main__":
    unittest.main()
