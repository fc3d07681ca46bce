"""The judge of `./dev bench advice`: what is lost with a lock, when times are known.

    test_bench.py BENCH
"""

import importlib.util
import random
import statistics
import sys
import unittest

spec = importlib.util.spec_from_file_location("advice_bench", sys.argv.pop(1))
bench = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)

ROUNDS = 8


class Losses(unittest.TestCase):
    def test_are_against_the_best(self):
        times = {"native": [1.2] * ROUNDS, "fast": [1.0] * ROUNDS, "slow": [1.5] * ROUNDS}
        for lock, loss in (("fast", 1.0), ("native", 1.2), ("slow", 1.5)):
            for figure in bench.loss_of(times, lock):
                self.assertAlmostEqual(figure, loss)
        self.assertIsNone(bench.loss_of(times, "one that is out"))

    def test_have_an_interval(self):
        times = {"native": [1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8], "fast": [1.0] * ROUNDS}
        middle, low, high = bench.loss_of(times, "native")
        self.assertAlmostEqual(middle, 1.45)
        self.assertEqual((low, high), (1.1, 1.8))  # of eight rounds the second to the seventh would hold 93 % only

    def test_of_equal_locks_are_none_though_one_is_the_luckiest(self):
        dice = random.Random(5)
        losses, greedy = [], []
        for _ in range(60):
            times = {str(i): [dice.gauss(1, 0.05) for _ in range(ROUNDS)] for i in range(30)}
            times["native"] = times.pop("0")
            losses.append(bench.loss_of(times, "native")[0])
            best = min(statistics.median(t) for t in times.values())
            greedy.append(statistics.median(times["native"]) / best)
        self.assertLess(abs(statistics.mean(losses) - 1), 0.01)
        self.assertGreater(statistics.mean(greedy), 1.03)


class Judged(unittest.TestCase):
    TIMES = {"native": [1.2] * ROUNDS, "fast": [1.0] * ROUNDS, "next": [1.04] * ROUNDS}

    def answers(self, *locks, sure="confidence medium", indifferent=False, times=None):
        all_of_them = bench.Answers("advise")
        for lock in locks:
            all_of_them.judge("program", lock, sure, indifferent, times or self.TIMES)
        return all_of_them

    def test_nine_in_ten_have_to_be_right(self):
        self.assertTrue(self.answers(*["fast"] * 5, *["next"] * 4, "native").pass_())
        self.assertFalse(self.answers(*["fast"] * 8, "native", "native").pass_())
        self.assertFalse(self.answers(*["fast"] * 8, None, "one that is out").pass_())

    def test_that_it_does_not_matter_is_right_where_nothing_is_resolved(self):
        noise = {"native": [1.3, 1.2, 0.9, 1.2, 1.1, 1.3, 1.2, 1.2], "fast": [1.0] * ROUNDS}
        self.assertFalse(self.answers("native", times=noise).pass_())
        self.assertTrue(self.answers("native", times=noise, indifferent=True).pass_())
        self.assertFalse(self.answers("native", indifferent=True).pass_())

    def test_nobody_may_be_sure_of_what_is_wrong(self):
        self.assertTrue(self.answers(*["fast"] * 10, sure="confidence high").pass_())
        for wrong in ("native", "one that is out"):
            self.assertFalse(self.answers(*["fast"] * 20, wrong, sure="confidence high").pass_())


if __name__ == "__main__":
    unittest.main()
