"""Tests conditions.py: conditions_test.py ROOT"""

import pathlib
import sys
import tempfile
import unittest

import conditions

ROOT = pathlib.Path(sys.argv.pop(1))


class Conditions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def found_in(self, path, text):
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        return list(conditions.misplaced(self.root))

    def refused(self, path, text, words):
        found = self.found_in(path, text)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].endswith(words), found[0])

    def test_this_house_asks_only_at_its_doors(self):
        self.assertEqual(list(conditions.misplaced(ROOT)), [])

    def test_a_processor_elsewhere_is_refused(self):
        self.refused("src/measure/flush.hpp", "int a;\n#ifdef __x86_64__\n#endif\n",
                     "flush.hpp:2: asks for the processor: #ifdef __x86_64__")

    def test_in_whatever_way_it_is_asked(self):
        for number, line in enumerate(("#if defined(__aarch64__)", "#elif defined __ARM_NEON", "# ifndef __AVX2__",
                                       "#if FIRST || \\\n    defined(_M_X64)", "#if __riscv")):
            with self.subTest(line=line):
                self.refused(f"src/{number}/a.cpp", line + "\n", f"asks for the processor: {line}")
                (self.root / f"src/{number}/a.cpp").unlink()

    def test_a_system_elsewhere_is_refused(self):
        self.refused("include/synchro/locks/mcs.hpp", "#if defined(__linux__)\n",
                     "mcs.hpp:1: asks for the system: #if defined(__linux__)")

    def test_the_doors_may_ask(self):
        for path in conditions.PROCESSOR:
            self.assertEqual(self.found_in(path, "#if defined(__x86_64__)\n"), [])
        for path in conditions.SYSTEM:
            self.assertEqual(self.found_in(path, "#if defined(__linux__)\n"), [])

    def test_other_conditions_may_stand_anywhere(self):
        self.assertEqual(self.found_in("src/a.cpp", "#if __has_include(<a.h>)\n#ifdef SYS_poll\n// __x86_64__\n"), [])


if __name__ == "__main__":
    unittest.main()
