"""Tests bench/predict/predict.py on predictions and programs that are known: predict_test.py ROOT"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
STAND_INS = ROOT / "tests" / "bench" / "predict_stand_ins.py"
COLUMNS = "machine,processors,model_error,program,recorded_lock,recorded_threads,lock,threads,measured,runs"


class Predict(unittest.TestCase):
    def said(self, *words, **how):
        bench = ROOT / "bench" / "predict" / "predict.py"
        result = subprocess.run([sys.executable, bench, STAND_INS, STAND_INS, "--machine", "made", "--times", "1", *words],
                                capture_output=True, text=True, **how)
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

    def test_a_command_is_tried_with_one_thread_and_with_as_many_as_were_recorded(self):
        status, said = self.said("--program", f"'{STAND_INS}' quick {{threads}} {{seconds}}")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"(?m)^predict_stand_ins.py, a second \(recorded: ")
        self.assertRegex(said, r"(?m)^    1 threads  pthread/mutex  measured +200\.0  foretold +\d")
        self.assertRegex(said, r"(?m)^    \d+ threads  tas            measured +[\d,.]+  foretold +\d")
        self.assertEqual(len(set(line.split()[0] for line in said.splitlines() if " measured " in line)), 2)

    def test_the_recording_that_did_the_middle_number_of_rounds_is_replayed(self):
        said = self.said("--times", "3", "uneven")[1]
        self.assertIn("\nuneven.0.json: the model is taken to be off", said)
        self.assertIn("\nuneven, a second (recorded: 140.0)\n", said)

    def test_a_program_that_is_refused_is_measured_all_the_same(self):
        said = self.said("refused")[1]
        self.assertIn("\n  refused.0.json cannot be predicted: it sleeps\n", said)
        self.assertRegex(said, r"(?m)^    1 threads  mcs            measured +100\.0  foretold: nothing$")

    def test_a_program_that_is_not_there_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(sys.executable, pathlib.Path(folder) / "python3")
            said = self.said("short", "memcached", "absent", env={"PATH": folder})[1]
        self.assertIn("\nmemcached: skipped: memcached is not installed\n", said)
        self.assertIn("\nabsent: skipped: not there\n", said)


class Programs(unittest.TestCase):
    """They print a number, whatever they are started by."""

    def printed(self, *words):
        result = subprocess.run([sys.executable, ROOT / "bench" / "predict" / words[0], *words[1:]], capture_output=True,
                                text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return float(result.stdout)

    @unittest.skipUnless(shutil.which("memcached"), "memcached is not installed")
    def test_memcached(self):
        self.assertGreater(self.printed("memcached.py", "gets", "2", "0.1", "env", "A=B"), 0)

    def test_threads_of_python(self):
        for what in ("counts", "sums"):
            self.assertGreater(self.printed("python_threads.py", what, "2", "0.1"), 0)


if __name__ == "__main__":
    unittest.main()
