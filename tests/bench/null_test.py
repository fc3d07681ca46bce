"""Tests bench/same/null.py on runs that differ by as much as is known: null_test.py ROOT"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
STAND_IN = ROOT / "tests" / "bench" / "stand_in.py"
sys.path.insert(0, str(ROOT / "bench" / "same"))

import null  # noqa: E402


class Null(unittest.TestCase):
    def asked(self, *words):
        return subprocess.run([sys.executable, ROOT / "bench" / "same" / "null.py", STAND_IN, *words], capture_output=True,
                              text=True)

    def said(self, *families, pairs=3):
        result = self.asked("--trial", "--pairs", str(pairs), *families)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def test_a_rate_that_is_steady_is_found_by_single_runs(self):
        status, said = self.said("steady.rate")
        self.assertEqual(status, 3, said)
        self.assertIn("steady.rate: 1 a side: status 5: 0 of 3 at 0% (up to 63.2%), 0 of 3 at 5% (up to 63.2%), not shown to be at "
                      "most 5 of 100, which takes 59 comparisons with none false; a cell made 10 % slower found: 30 of 30\n", said)
        self.assertIn("steady.rate: 9 of 10 are found from 1 runs a side on\n"
                      "steady.rate: neither passed nor failed, which takes more pairs\n", said)

    def test_a_family_that_is_called_different_too_often_has_failed(self):
        status, said = self.said("rash.time", pairs=12)
        self.assertEqual(status, 1, said)
        self.assertIn("rash.time: 1 a side: status 5: 1 of 12 at 0% (up to 33.9%), 1 of 12 at 5% (up to 33.9%), above 5 of 100; "
                      "a cell made 10 % slower found: ", said)
        self.assertIn("rash.time: 3 a side: status 5: 0 of 4 at 0% (up to 52.7%), 0 of 4 at 5% (up to 52.7%), not shown to be at "
                      "most 5 of 100, which takes 59 comparisons with none false; ", said)
        self.assertIn("rash.time: failed\n", said)

    def test_the_rate_that_is_seen_fails_and_the_upper_end_of_its_interval_passes(self):
        ends = {(0, 60): null.PASSED, (0, 58): null.NOT_SHOWN, (1, 60): null.NOT_SHOWN, (1, 93): null.PASSED,
                (3, 60): null.NOT_SHOWN, (4, 60): null.FAILED, (6, 60): null.FAILED, (1, 12): null.FAILED}
        self.assertEqual({of: null.judged(*of) for of in ends}, ends)
        self.assertEqual([null.needed(count) for count in (0, 1, 2, 3)], [59, 93, 124, 153])

    def test_fewer_pairs_than_show_something_are_a_trial(self):
        result = self.asked("--pairs", "59", "steady.rate")
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("fewer than 60 pairs show nothing; with --trial they are taken all the same", result.stderr)

    def test_where_runs_differ_by_too_much_it_says_how_many_it_takes(self):
        status, said = self.said("wild.time")
        self.assertEqual(status, 1, said)
        self.assertIn("3 a side: status 5: 0 of 1 at 0% (up to 95.0%)", said)
        self.assertIn("wild.time: failed\n", said)
        need = re.search(r"by none of these; it would take about (\d+) runs a side, of which single ones differ as these do "
                         r"\(m (\d+)\)\n", said)
        self.assertIsNotNone(need, said)
        # 2 (3 + 1.2816)^2 (0.3 / ln 1.1)^2
        self.assertEqual(need.groups(), ("364", "364"))

    def test_a_number_of_runs_that_was_seen_to_fail_is_not_said_to_do(self):
        self.assertEqual(null.told_runs([0.01], 0.95), "2")
        self.assertEqual(null.told_runs([0.01], 0.95, failed=8), "more than 8")
        self.assertEqual(null.told_runs([0.3], 0.999, failed=8), str(null.runs_for([0.3], 0.999)))
        self.assertEqual(null.told_runs([9.0], 0.95, failed=8), "more than 1000")
        self.assertEqual([null.about(runs) for runs in ("18", "more than 8")], ["about 18", "more than 8"])

    def test_a_family_in_which_nothing_can_be_found_is_not_passed(self):
        status, said = self.said("silent.share")
        self.assertEqual(status, 1, said)
        self.assertIn("0 of 3 at 0% (up to 63.2%), 0 of 3 at 5% (up to 63.2%), not shown to be at most 5 of 100, which takes 59 "
                      "comparisons with none false; no cell that could be made slower\n", said)
        self.assertIn("by none of these; no cell has a test, so no number of runs is enough\n", said)

    def test_what_cannot_be_measured_is_said_and_the_next_goes_on(self):
        status, said = self.said("not.there", "steady.rate")
        self.assertEqual(status, 1, said)
        self.assertIn("not.there: it cannot be measured here (status 3): no such thing here\n", said)
        self.assertIn("steady.rate: 9 of 10 are found from 1 runs a side on\n", said)


if __name__ == "__main__":
    unittest.main()
