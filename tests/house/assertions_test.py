"""Tests assertions.py: assertions_test.py ROOT"""

import pathlib
import sys
import tempfile
import unittest

import assertions

ROOT = pathlib.Path(sys.argv.pop(1))


class Assertions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def found_in(self, text, name="a_test.cpp", **others):
        (self.root / "tests").mkdir()
        (self.root / "tests" / name).write_text(text)
        for name, other in others.items():
            (self.root / "tests" / name.replace("_", ".")).write_text(other)
        return list(assertions.sentences(self.root))

    def test_all_of_this_house_can_fail(self):
        self.assertEqual(list(assertions.sentences(ROOT)), [])

    def test_one_that_asserts_nothing_is_found(self):
        for text in ("TEST(A, b) {\n  run();\n}\n", "TYPED_TEST(A, b) {\n  // EXPECT_EQ(1, 2);\n}\n",
                     'TEST_F(A, b) {\n  say("EXPECT_EQ(1, 2)");\n}\n',
                     "void other() { EXPECT_EQ(f(), 2); }\nTEST(A, b) {\n  run();\n}\n"):
            with self.subTest(text=text):
                self.setUp()
                self.assertEqual(self.found_in(text), ["tests/a_test.cpp: A.b asserts nothing"])

    def test_one_that_asserts_by_a_function_is_not(self):
        self.assertEqual(self.found_in("void one() { EXPECT_EQ(f(), 2); }\nvoid two(int n) { if (n) one(); }\n"
                                       "TEST(A, b) {\n  two(3);\n}\n"), [])

    def test_nor_by_one_of_a_header(self):
        self.assertEqual(self.found_in("TEST(A, b) {\n  shared<int>(3);\n}\n",
                                       a_hpp="template <class T> void shared(T t) { ASSERT_EQ(t, 2); }\n"), [])

    def test_one_that_hangs_where_it_fails_says_so(self):
        self.assertEqual(self.found_in('TEST(A, b) {\n  run();\n  SUCCEED() << "would hang";\n}\n'), [])

    def test_what_always_holds_is_found(self):
        for line, why in (("EXPECT_GE(all.size(), 0);", "is never negative"),
                          ("EXPECT_EQ(a.b, a.b);", "is compared with itself"), ("EXPECT_TRUE(true);", "is a constant"),
                          ("EXPECT_TRUE(a || true);", "is true whatever comes before"),
                          ("ASSERT_GE(a->b, 0U);", "is never negative"), ("EXPECT_LE(0ULL, a(1, 2));", "is never negative"),
                          ("for (const std::uint64_t n : all) EXPECT_GE(n, 0);", "is never negative"),
                          ("const unsigned n = f(); EXPECT_LE(0, n);", "is never negative"),
                          ('const unsigned n = f(); EXPECT_GE(n, 0) << "a number";', "is never negative"),
                          ("for (const double operations : o.operations) EXPECT_GE(operations, 0);", "is at least 0"),
                          ("for (const double operations : o.operations) EXPECT_GE(operations, 0) << row.name;",
                           "is at least 0"),
                          ("EXPECT_GE(f(a, b[1]), 0.0);", "is at least 0"), ("ASSERT_LE(0., a->b);", "is at least 0"),
                          ("EXPECT_TRUE(a.find(b));", "is true where nothing is found")):
            with self.subTest(line=line):
                self.setUp()
                found = self.found_in(f"TEST(A, b) {{\n  {line}\n}}\n")
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"tests/a_test.cpp:2: {why}", found[0])

    def test_what_may_be_negative_is_not(self):
        for line in ("const int n = open(); EXPECT_GE(n, 0);", "ASSERT_GE(dup2(f(a), b), 0);", "EXPECT_GE(all.size(), 1U);",
                     "const pid_t child = ::fork(); ASSERT_GE(child, 0);", "EXPECT_LE(0.5, a);",
                     'EXPECT_GE(n, 0) << "a difference";', "EXPECT_LE(a, 0);",
                     "unsigned n = 0; EXPECT_GE(n, 10);",
                     "EXPECT_TRUE(a.find(b) == a.end());", "EXPECT_TRUE(find(b) != 0);"):
            with self.subTest(line=line):
                self.setUp()
                self.assertEqual(self.found_in(f"TEST(A, b) {{\n  {line}\n}}\n"), [])

    def test_in_python_too(self):
        start = "class A(unittest.TestCase):\n  def test_b(self):\n    "
        for line, found in (("run()", ["tests/test_a.py:2: test_b asserts nothing"]),
                            ("self.assertTrue(True)", ["tests/test_a.py:3: is a constant: self.assertTrue(True)"]),
                            ("self.assertEqual(a.b, a.b)",
                             ["tests/test_a.py:3: is compared with itself: self.assertEqual(a.b, a.b)"]),
                            ("self.assertGreaterEqual(len(a), 0)",
                             ["tests/test_a.py:3: is never negative: self.assertGreaterEqual(len(a), 0)"]),
                            ("self.assertEqual(a, a)",
                             ["tests/test_a.py:3: is compared with itself: self.assertEqual(a, a)"]),
                            ("assert True", ["tests/test_a.py:3: is a constant: assert True"]),
                            ("assert (a, b)", ["tests/test_a.py:3: is true whatever is in it: assert (a, b)"]),
                            ("self.assertTrue(a for a in b)",
                             ["tests/test_a.py:3: is true whatever is in it: self.assertTrue((a for a in b))"]),
                            ("self.assertEqual(run(), run())", []), ("subprocess.run(a, check=True)", []),
                            ("self.other()\n  def other(self):\n    self.assertIn(a, b)", [])):
            with self.subTest(line=line):
                self.setUp()
                self.assertEqual(self.found_in(start + line + "\n", "test_a.py"), found)

    def test_in_scripts_too(self):
        nothing = "tests/a.test.mjs:2: a test asserts nothing"
        for line, found in (("await page.close();", [nothing]), ("// assert.ok(a);", [nothing]), ("assert.ok(a);", []),
                            ("await same(a);", []), ("assert.equal(a, a.b);", []), ("assert.equal(a, a(b));", []),
                            ("assert.ok(true);", ["tests/a.test.mjs:3: is a constant: assert.ok(true)"]),
                            ("assert.equal(a, a);", ["tests/a.test.mjs:3: is compared with itself: assert.equal(a, a)"]),
                            ("assert.deepEqual(a.b, a.b, 'c');",
                             ["tests/a.test.mjs:3: is compared with itself: assert.deepEqual(a.b, a.b,"])):
            with self.subTest(line=line):
                self.setUp()
                text = f"function same(a) {{ assert.ok(a); }}\ntest(`of ${{a}}`, async () => {{\n  {line}\n}});\n"
                self.assertEqual(self.found_in(text, "a.test.mjs"), found)


if __name__ == "__main__":
    unittest.main()
