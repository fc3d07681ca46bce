#!/usr/bin/env python3
"""What coverage.py finds in a header of which a program reaches some: coverage_test.py BUILD-FOLDER. Skipped (77) without clang."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent

HEADER = """\
#ifndef SYNCHRO_SYNCHRO_HPP
#define SYNCHRO_SYNCHRO_HPP
namespace synchro {
template <class T>
class counter {
 public:
  void add(T n) {
    if (n == 0) return;
    if (n > 100) n = 100;
    if constexpr (sizeof(T) > 8) {
      value_ += 2;
    } else {
      value_ += n;
    }
  }
  T twice() const { return 2 * value_; }
  template <class U>
  void take(const U& from) {
    value_ += from;
  }
  bool is_small() const { return value_ < 100; }

 private:
  T value_ = 0;
};
}
#endif
"""
PROGRAM = """\
#include <synchro/synchro.hpp>
int main() {
  synchro::counter<int> some;
  synchro::counter<long> others;
  some.add(1);
  others.add(0);
  return some.is_small() ? 0 : 1;
}
"""
ANOTHER_PROGRAM = """\
#include <cstdlib>
#include <synchro/synchro.hpp>
int main() {
  synchro::counter<int> some;
  some.add(101);
  return some.twice() == (std::getenv("FAILS") ? 0 : 200) ? 0 : 1;
}
"""
# What is not reached, by line and column of where it begins.
LIMIT, TOO_LARGE, TWICE, TAKE = "9:18", "10:34", "16:19", "18:28"


def build(folder):
    (folder / "include/synchro").mkdir(parents=True)
    (folder / "include/synchro/synchro.hpp").write_text(HEADER)
    for name, text in (("program", PROGRAM), ("another", ANOTHER_PROGRAM)):
        (folder / f"{name}.cpp").write_text(text)
        done = subprocess.run(["clang++", "-std=c++20", "-fprofile-instr-generate", "-fcoverage-mapping",
                               "-I", folder / "include", folder / f"{name}.cpp", "-o", folder / name],
                              capture_output=True, text=True)
        if done.returncode != 0:
            return False
    return True


def covered(folder, arguments="", *options):
    (folder / "unreached.txt").write_text(arguments)
    return subprocess.run([sys.executable, "-B", HERE / "coverage.py", folder / "program", folder / "include",
                           folder / "unreached.txt", *options], capture_output=True, text=True)


class Coverage(unittest.TestCase):
    def test_what_no_program_reaches_is_named(self):
        done = covered(self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        named = [line.split(":", 1)[1].split(": ")[0] for line in done.stdout.splitlines() if line.startswith("  synchro.hpp:")]
        self.assertEqual(named, [LIMIT, TOO_LARGE, TWICE, TAKE], done.stdout)
        self.assertIn("(twice, a public function)", done.stdout)
        self.assertIn("(take, a public function)", done.stdout)
        row = next(line for line in done.stdout.splitlines() if line.startswith("synchro.hpp ")).split()
        self.assertEqual(row[1], "2/4")
        self.assertEqual(row[-1], "4")

    def test_what_tests_reach_together_is_counted_and_needs_no_argument(self):
        beside = ("--beside", self.folder / "another")
        alone, both, failed = (
            subprocess.run([sys.executable, "-B", HERE / "coverage.py", self.folder / "program", self.folder / "include",
                            "--branches", *more], capture_output=True, text=True, env={**os.environ, **environment})
            for more, environment in (((), {}), (beside, {}), (beside, {"FAILS": "1"})))
        self.assertEqual((alone.returncode, both.returncode, failed.returncode), (0, 0, 1), both.stderr)
        self.assertIn("synchro.hpp:9:9: never true", alone.stdout)
        self.assertEqual([done.stdout.splitlines()[-1].split()[:3] for done in (alone, both)],
                         [["all", "2/4", "8/12"], ["all", "3/4", "10/12"]])
        self.assertNotIn("never", both.stdout)

    def test_a_side_that_is_never_met_is_named_on_demand(self):
        self.assertIn("synchro.hpp:9:9: never true", covered(self.folder, "", "--branches").stdout)

    def test_an_argument_is_enough_and_must_be_of_something(self):
        lines = HEADER.splitlines()
        some = "".join(f"synchro.hpp | {lines[int(where.split(':')[0]) - 1].strip()} | It is a test.\n"
                       for where in (LIMIT, TOO_LARGE, TWICE, TAKE))
        self.assertEqual(covered(self.folder, some).returncode, 0)
        self.assertEqual(covered(self.folder, "synchro.hpp | * | It is a test.\n").returncode, 0)
        stale = covered(self.folder, some + "synchro.hpp | if (n == 0) return; | It is reached.\n")
        self.assertEqual(stale.returncode, 1)
        self.assertIn("  synchro.hpp | if (n == 0) return;", stale.stdout)

    def test_nothing_argued_is_refused(self):
        self.assertNotEqual(covered(self.folder, "synchro.hpp | * | \n").returncode, 0)


if __name__ == "__main__":
    if not all(map(shutil.which, ("clang++", "llvm-cov", "llvm-profdata"))):
        print("clang and llvm-cov are not installed: what proofs reach is not counted here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        Coverage.folder = pathlib.Path(os.path.realpath(scratch))
        if not build(Coverage.folder):
            print("clang has no library to count with here (libclang-rt-dev): what proofs reach is not counted")
            sys.exit(77)
        unittest.main(argv=[sys.argv[0]])
