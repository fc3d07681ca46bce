"""Tests bench/predict/predict.py on predictions and programs that are known: predict_test.py ROOT"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
STAND_INS = ROOT / "tests" / "bench" / "predict_stand_ins.py"
COLUMNS = "machine,processors,model_error,program,recorded_lock,recorded_threads,lock,threads,measured,runs"


class Predict(unittest.TestCase):
    def said(self, *words):
        bench = ROOT / "bench" / "predict" / "predict.py"
        result = subprocess.run([sys.executable, bench, STAND_INS, STAND_INS, "--machine", "made", "--times", "1", *words],
                                capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return result.returncode, result.stdout

    def test_what_was_measured_is_kept_in_rounds_beside_the_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "e.csv"
            status, said = self.said("--save", file, "short", "quick", "absent")
            self.assertEqual(status, 0, said)
            lines = file.read_text().splitlines()
        self.assertTrue(lines[0].startswith("# What small programs"))
        self.assertIn(": medians of 1 runs of 0.5 s.", lines[1])
        rows = [line.split(",") for line in lines if not line.startswith("#")]
        self.assertEqual(",".join(rows[0]), COLUMNS)
        self.assertEqual({row[0] for row in rows[1:]}, {"Made Up  Inc."}, "a comma parts fields")
        self.assertEqual({row[3] for row in rows[1:]}, {"short", "quick"})
        by_place = {(row[3], row[6], row[7]): row[8:] for row in rows[1:]}
        self.assertEqual(by_place["short", "pthread/mutex", "1"], ["50", "55 52.5 51 50 49 47.5 45"],
                         "two turns are one round")
        self.assertEqual(by_place["quick", "mcs", "2"], ["200", "110 105 102 100 98 95 90"])

    def test_each_program_is_judged_by_the_others_whether_errors_are_kept_or_not(self):
        status, said = self.said("short", "quick")
        self.assertEqual(status, 0, said)
        places = int(said.split(" places: median error ")[0].split("\n")[-1])
        self.assertEqual(said.splitlines()[-1], f"judged {places} places")
        self.assertIn(f"; {places // 2} within the seven runs; ", said)


if __name__ == "__main__":
    unittest.main()
