"""Tests bench/same/null.py on runs that differ by as much as is known: null_test.py ROOT"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
STAND_IN = ROOT / "tests" / "bench" / "stand_in.py"


class Null(unittest.TestCase):
    def said(self, *families):
        result = subprocess.run([sys.executable, ROOT / "bench" / "same" / "null.py", STAND_IN, "--pairs", "3", *families],
                                capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def test_a_rate_that_is_steady_is_found_by_single_runs(self):
        status, said = self.said("steady.rate")
        self.assertEqual(status, 0, said)
        self.assertIn("steady.rate: 1 a side: status 5: 0 of 3 at 0% (up to 63.2%), 0 of 3 at 5% (up to 63.2%); "
                      "a cell made 10 % slower found: 30 of 30\n", said)
        self.assertIn("steady.rate: 9 of 10 are found from 1 runs a side on\n", said)

    def test_where_runs_differ_by_too_much_it_says_how_many_it_takes(self):
        status, said = self.said("wild.time")
        self.assertEqual(status, 1, said)
        self.assertIn("3 a side: status 5: 0 of 1 at 0% (up to 95.0%)", said)
        need = re.search(r"by none of these; it would take about (\d+) runs a side, of which single ones differ as these do "
                         r"\(m (\d+)\)\n", said)
        self.assertIsNotNone(need, said)
        # 2 (3 + 1.2816)^2 (0.3 / ln 1.1)^2
        self.assertEqual(need.groups(), ("364", "364"))

    def test_a_family_in_which_nothing_can_be_found_is_not_passed(self):
        status, said = self.said("silent.share")
        self.assertEqual(status, 1, said)
        self.assertIn("0 of 3 at 0% (up to 63.2%), 0 of 3 at 5% (up to 63.2%); no cell that could be made slower\n", said)
        self.assertIn("by none of these; no cell has a test, so no number of runs is enough\n", said)

    def test_what_cannot_be_measured_is_said_and_the_next_goes_on(self):
        status, said = self.said("not.there", "steady.rate")
        self.assertEqual(status, 1, said)
        self.assertIn("not.there: it cannot be measured here (status 3): no such thing here\n", said)
        self.assertIn("steady.rate: 9 of 10 are found from 1 runs a side on\n", said)


if __name__ == "__main__":
    unittest.main()
