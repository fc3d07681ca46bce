#!/usr/bin/env python3
"""What alter.py alters in a header, that a compiler takes it, and that each alteration is noticed: alter_test.py."""
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

import alter
import altered_tests
import plain_mutants
import plain_outcomes

HERE = pathlib.Path(__file__).resolve().parent
HOUSE = HERE.parent.parent
SOURCES = HOUSE / "src"

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


# Speaks as GoogleTest does. A test fails by the first alteration in a process that it starts, and never ends by the second.
TESTS = """\
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>
#include <string>
void one() {
  int status = 0;
  if (fork() == 0) _exit(altered::is(1));
  wait(&status);
  if (status != 0) _exit(1);
}
void other() {
  while (altered::is(2)) pause();
  if (altered::is(3)) __builtin_trap();
}
bool at_start = altered::is(getpid() > 0 ? 4 : 0);  // before main, not by the compiler
int main(int, char** argv) {
  if (std::strcmp(argv[1], "--gtest_list_tests") == 0)
    return std::puts("Running main() from here\\nsuite.\\n  one\\n  other  # 2"), 0;
  for (const std::string test : {"suite.one", "suite.other"})
    if (std::strstr(argv[1], test.c_str()) != nullptr) test == "suite.one" ? one() : other();
  return at_start;
}
"""


def compile_program(folder, sources):
    subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-I", folder, "-I", SOURCES, "-include",
                    "model_checker/altered.hpp", *sources, "-o", folder / "program"], check=True)


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

    def test_offers_no_name_within_its_own_initializer(self):
        text = "inline int f(int n, int most) {\n  int left = n;\n  return left;\n}\n"
        found = {(line, what) for line, _, what in alter.alter("f.hpp", text, 0, set())[1].values()}
        self.assertEqual({(2, "`most` for `n`"), (2, "`n` is 1"), (3, "`most` for `left`"), (3, "`left` is 1")}, found)

    def test_alters_what_the_preprocessor_chooses_whole(self):
        whole = "inline void f() {\n  a();\n#if A\n  b();\n#else\n  c();\n#endif\n}\n"
        found = {what for _, _, what in alter.alter("f.hpp", whole, 0, set())[1].values()}
        self.assertEqual({"`a()` left out", "`b()` left out", "`c()` left out"}, found)
        for cut in ("inline int f() {\n  return a\n#if A\n    + b;\n#else\n    + c;\n#endif\n}\n",
                    "#if A\ninline void f() {\n#else\ninline void g() {\n#endif\n  a();\n}\n"):
            self.assertEqual({}, alter.alter("f.hpp", cut, 0, set())[1])

    def test_leaves_a_line_alone(self):
        _, made = alter.alter("line.hpp", HEADER, 0, {"line.hpp:12"})
        self.assertEqual({k: one for k, one in self.made.items() if one[0] != 12}, made)

    def test_each_is_noticed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "synchro").mkdir()
            (folder / "synchro/line.hpp").write_text(self.text)
            (folder / "program.cpp").write_text(PROGRAM)
            compile_program(folder, [folder / "program.cpp"])

            def run(number):
                try:
                    return subprocess.run([folder / "program", str(number)], stdout=subprocess.PIPE, timeout=5).stdout
                except subprocess.TimeoutExpired:
                    return b"does not end"
            unnoticed = {what for k, (_, _, what) in self.made.items() if run(k) == run(0)}
        self.assertEqual(SAME, unnoticed)


class Tests(unittest.TestCase):
    """The tests of a program as judges."""

    def test_each_is_asked(self):
        with tempfile.TemporaryDirectory() as name, unittest.mock.patch.object(altered_tests, "PATIENCE", 1):
            folder = pathlib.Path(name)
            (folder / "program.cpp").write_text(TESTS)
            compile_program(folder, [folder / "program.cpp", HERE / "altered_tests.cpp"])
            judges = altered_tests.Tests(folder / "program")
            met = judges.met()
            both = ["suite.one", "suite.other"]
            self.assertEqual({1: ["suite.one"], 2: ["suite.other"], 3: ["suite.other"], 4: both}, met)
            by = [judges.noticed_by(number, met[number]) for number in sorted(met)]
            self.assertEqual(["test suite.one fails", "test suite.other does not end", "test suite.other crashes"], by[:3])
            self.assertIn(by[3], [f"test {test} fails" for test in both])  # whichever is faster
            self.assertEqual("", judges.noticed_by(5, both))

    def test_of_whom_a_header_is_included(self):
        sources = [HOUSE / "tests/library/node_pool_test.cpp"]
        found = altered_tests.included(HOUSE, sources)
        self.assertIn("detail/node_pool.hpp", found)
        self.assertIn("os/linux.hpp", found)
        self.assertNotIn("messages/channel.hpp", found)


class Outcomes(unittest.TestCase):
    """What a run leaves, and what the page makes of it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.house = pathlib.Path(folder.name)
        self.header = self.house / "include/synchro/line.hpp"
        for path in (self.header, plain_outcomes.files(self.house)[0]):
            path.parent.mkdir(parents=True)
        self.header.write_text(HEADER)
        self.rows = alter.write_some(self.house / "include", self.house / "altered", {"line.hpp"}, set())
        plain_outcomes.files(self.house)[1].write_text("")

    def run_with(self, survivors, unreached=(), refused=(), by_tests=()):
        rows = [r for r in self.rows if r.line not in refused]
        met = {r.number for r in self.rows if r.line not in unreached}
        noticed = {r.number for r in rows if r.number in met and r.key() not in survivors}
        plain_outcomes.write(self.house, self.rows, rows, met, noticed, {r.number for r in self.rows if r.line in by_tests})
        return plain_outcomes.page(self.house)

    def key(self, line, what):
        return next(r.key() for r in self.rows if (r.line, r.what) == (line, what))

    def row(self, page, title):
        return next(line for line in page if line.startswith(f"| {title} |")).split(" | ")[1:]

    def test_each_alteration_is_of_a_kind(self):
        self.assertEqual(set(alter.KINDS), {alter.kind_of(r.what) for r in self.rows})

    def test_bars_stand_in_lines_and_alterations(self):
        for parts in (("a.hpp", "x = v | 1;", "`v | 1` without |"), ("a.hpp", "if (a || b)", "`a || b` always (2)"),
                      ("a.hpp", "f(a | b);", "left out"), ("a.hpp", "f(a | b);", "`a` for `b` (3)")):
            self.assertEqual(parts, plain_outcomes.parts_of(" | ".join(parts)))

    def test_a_survivor_is_open_until_it_is_argued(self):
        key = self.key(10, "`closed_` never")
        others = len(self.rows) - 1
        row = self.row(self.run_with({key}), "`line.hpp`")
        self.assertEqual([len(self.rows), 0, 0, others, 0, 0, 1], list(map(int, row[:7])))
        plain_outcomes.files(self.house)[1].write_text(f"{key} | It costs.\n")
        page = plain_outcomes.page(self.house)
        self.assertEqual([0, 0, others, 0, 1, 0], list(map(int, self.row(page, "`line.hpp`")[1:7])))
        self.assertEqual(["1", "0 |"], self.row(page, "a condition never holds")[5:])
        self.assertIn("| `line.hpp` | `if (n > left_ \\|\\| closed_) return false;  // \"n\" is no string` | `closed_` never | "
                      "It costs. |", page)

    def test_what_was_not_reached_or_refused_is_counted(self):
        of = {n: sum(r.line == n for r in self.rows) for n in (12, 24)}
        row = self.row(self.run_with((), {24}, {12}), "`line.hpp`")
        self.assertEqual([of[12], of[24], len(self.rows) - of[12] - of[24]], list(map(int, row[1:4])))

    def test_what_tests_have_noticed_is_counted_as_theirs(self):
        key = self.key(10, "`closed_` never")
        row = self.row(self.run_with({key}, by_tests={10}), "`line.hpp`")
        self.assertEqual([len(self.rows) - 1, sum(r.line == 10 for r in self.rows) - 1], list(map(int, row[3:5])))

    def test_a_later_run_takes_the_place_of_one(self):
        self.run_with({self.key(10, "`closed_` never")})
        self.assertEqual("0", self.row(self.run_with(()), "`line.hpp`")[6])

    def test_a_header_that_was_changed_says_so(self):
        page = self.run_with(())
        self.header.write_text(HEADER.replace("// A comment", "// Another"))
        self.assertEqual(page, plain_outcomes.page(self.house))
        self.header.write_text(HEADER.replace("n > left_", "left_ < n"))
        self.assertIn("changed since", self.row(plain_outcomes.page(self.house), "`line.hpp`")[7])

    def test_a_header_in_which_other_things_are_altered_says_so(self):
        self.run_with(())
        with unittest.mock.patch.dict(alter.BOUNDS, clear=True):
            self.assertIn("changed since", self.row(plain_outcomes.page(self.house), "`line.hpp`")[7])

    def test_a_header_without_a_run_is_named(self):
        self.assertIn("Not tried yet: `line.hpp`.", plain_outcomes.page(self.house))
        self.assertNotIn("line.hpp", "".join(x for x in self.run_with(()) if x.startswith("Not tried")))


class Refusals(unittest.TestCase):
    """Lines that a compiler refuses with their alterations."""

    def test_they_are_left_out(self):
        with tempfile.TemporaryDirectory() as name:
            house = pathlib.Path(name)
            (house / "include/synchro").mkdir(parents=True)
            (house / "include/synchro/line.hpp").write_text(HEADER)
            some = plain_mutants.Alterations(house, house / "build", {"line.hpp"})
            here = "altered/synchro/line.hpp"
            self.assertFalse(some.leave_out_refused(f"program.cpp:3:1: error: no\n{here}:9:1: warning: no"))
            self.assertTrue(some.leave_out_refused(f"/usr/include/other:3:1: error: no\n{here}:17:1:   required from here"))
            self.assertTrue(some.leave_out_refused(f"{here}:10:1: error: no\n{here}:21:1:   required from here"))
            self.assertEqual({"line.hpp:10", "line.hpp:17"}, some.without)
            self.assertTrue(some.leave_out_refused(f"{here}:10:1: error: it comes from below"))
            self.assertEqual({"line.hpp:10", "line.hpp:11", "line.hpp:17"}, some.without)
            self.assertEqual(set(), {r.line for r in some.rows} & {10, 11, 17})


class Arguments(unittest.TestCase):
    def of_none(self, path):
        return plain_mutants.of_none(HOUSE, path)

    def test_each_is_of_an_alteration(self):
        self.assertEqual([], self.of_none(plain_outcomes.files(HOUSE)[1]))

    def test_they_are_those_of_the_runs(self):
        """Of each header that is what it was at its run, as many of each kind are argued as no program noticed."""
        counts, reasons = plain_outcomes.files(HOUSE)
        argued = plain_outcomes.argued(plain_outcomes.read_arguments(reasons))
        for one in plain_outcomes.read(counts):
            if one.digest == plain_outcomes.digest_of(HOUSE, one.header):
                self.assertEqual(one.survived, argued[one.header, one.kind], f"{one.header}: {one.kind}")

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
