#!/usr/bin/env python3
"""Tests of fitting_bounds.py: what verify --json says of a primitive becomes its lines, and the file is as it would be written."""
import pathlib
import unittest

import fitting_bounds

FILE = pathlib.Path(__file__).resolve().parents[2] / "src/model_checker/fitting_bounds.txt"


class Lines(unittest.TestCase):
    def test_are_of_what_is_bounded(self):
        bounds = {"lock 2x1": "all schedules", "lock 3x2": "at most 1 preemption", "lock 4x1": "no preemption",
                  "order 3x2": "at most 1 preemption", "timed": "at most 3 preemptions"}
        programs = [{"program": program, "bound": bound} for program, bound in bounds.items()]
        self.assertEqual(fitting_bounds.lines_of({"name": "mcs/park", "programs": programs}),
                         ["mcs/park | 0 | lock 4x1", "mcs/park | 1 | lock 3x2; order 3x2", "mcs/park | 3 | timed"])

    def test_of_the_file_are_kept(self):
        text = FILE.read_text()
        comment, lines = fitting_bounds.parts_of(text)
        self.assertTrue(comment)
        self.assertIn("mcs/park", lines)
        self.assertEqual(fitting_bounds.text_of(comment, lines), text)


if __name__ == "__main__":
    unittest.main()
