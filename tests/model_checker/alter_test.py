#!/usr/bin/env python3
"""What alter.py alters in a header, that a compiler takes it, and that each alteration is noticed: alter_test.py."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import alter
import plain_mutants

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / "src"

HEADER = """\
// A comment with a { and a < in it.
#ifndef SYNCHRO_LINE_HPP
#define SYNCHRO_LINE_HPP
namespace synchro {
template <class T>
class line {
 public:
  explicit line(int most) : most_{most}, left_{most} {}
  bool put(int n) {
    if (n > left_ || closed_) return false;  // "n" is no string
    left_ -= n;
    count_ = count_ + n;
    return true;
  }
  int drain() {
    int times = 0;
    while (count_ != 0) {
      --count_;
      ++times;
    }
    left_ = most_;
    return times;
  }
  void close() { closed_ = true; }
  int low() const { return count_ & 3; }
  bool fits(int n) const { return n % 2 == 1 && (n + count_) % 3 == 1; }

 private:
  static constexpr int unit = 1;
  int most_;
  int left_;
  int count_ = 0;
  bool closed_ = false;
};
template <class L>
concept lined = requires(L& l) {
  l.low();
};
}
#endif
"""
PROGRAM = """\
#include <cstdio>
#include <cstdlib>
#include <synchro/line.hpp>
unsigned on = 0;
bool altered::meet(std::uint32_t number) { return number == on; }
int main(int argc, char** argv) {
  if (argc > 1) on = std::atoi(argv[1]);
  synchro::line<int> one{7};
  std::printf("%d", one.put(8));
  std::printf("%d", one.put(7));
  std::printf("%d", one.put(1));
  std::printf("%d", one.low());
  std::printf("%d%d%d", one.fits(3), one.fits(4), one.fits(6));
  std::printf("%d", one.drain());
  std::printf("%d%d%d", one.fits(3), one.fits(4), one.fits(6));
  std::printf("%d", one.put(2));
  std::printf("%d", one.put(5));
  one.drain();
  one.close();
  std::printf("%d", one.put(1));
}
"""
WANTED = {
    (10, "`n > left_` with >="), (10, "`n > left_` never"), (10, "`closed_` never"), (10, "`n` is 1"),
    (10, "`most_` for `left_`"),
    (10, "`n > left_ || closed_` always"), (11, "`left_ -= n` left out"), (11, "`n` is 1"),
    (12, "before the statement above"),
    (12, "`count_ + n` one more"), (12, "`count_ = count_ + n` left out"), (17, "`count_ != 0` never"), (17, "`0` one more"),
    (17, "`while` runs once"), (19, "`++times` left out"), (21, "`left_ = most_` left out"),
    (24, "`closed_ = true` left out"),
    (25, "`count_ & 3` without &"), (25, "`3` one more"),
    (26, "`n` is 1"), (26, "`n` is 1 (2)"), (26, "`1` one more (2)"),
}
# The order of two statements that have nothing in common; two members that are 7 at one place.
SAME = {"before the statement above", "`most_` for `count_`"}


class Alterations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text, cls.made = alter.alter("line.hpp", HEADER, 0, set())

    def test_finds_each_kind(self):
        found = {(line, what) for line, _, what in self.made.values()}
        self.assertEqual(set(), WANTED - found)

    def test_keeps_lines(self):
        self.assertEqual(HEADER.count("\n"), self.text.count("\n"))
        self.assertIn("times);", self.text.splitlines()[21])
        self.assertEqual("static constexpr int unit = 1;", self.text.splitlines()[28].strip())

    def test_leaves_a_line_alone(self):
        _, made = alter.alter("line.hpp", HEADER, 0, {"line.hpp:12"})
        self.assertEqual({k: one for k, one in self.made.items() if one[0] != 12}, made)

    def test_each_is_noticed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "synchro").mkdir()
            (folder / "synchro/line.hpp").write_text(self.text)
            (folder / "program.cpp").write_text(PROGRAM)
            subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-I", folder, "-I", SOURCES, "-include",
                            "model_checker/altered.hpp", folder / "program.cpp", "-o", folder / "program"], check=True)

            def run(number):
                try:
                    return subprocess.run([folder / "program", str(number)], stdout=subprocess.PIPE, timeout=5).stdout
                except subprocess.TimeoutExpired:
                    return b"does not end"
            unnoticed = {what for k, (_, _, what) in self.made.items() if run(k) == run(0)}
        self.assertEqual(SAME, unnoticed)


class Arguments(unittest.TestCase):
    def of_none(self, path):
        with tempfile.TemporaryDirectory() as folder:
            return plain_mutants.of_none(HERE.parent.parent, pathlib.Path(folder), path)

    def test_each_is_of_an_alteration(self):
        self.assertEqual([], self.of_none(SOURCES / "model_checker/plain_equivalents.txt"))

    def test_one_of_none_is_found(self):
        rows = (SOURCES / "model_checker/plain_equivalents.txt").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "arguments.txt"
            path.write_text(rows + "sync/gone.hpp | x = 1; | `1` one more | It costs.\n"
                            "sync/latch.hpp | gone(); | `gone()` left out | It costs.\n")
            self.assertEqual(["sync/gone.hpp | x = 1; | `1` one more", "sync/latch.hpp | gone(); | `gone()` left out"],
                             self.of_none(path))


if __name__ == "__main__":
    unittest.main()
