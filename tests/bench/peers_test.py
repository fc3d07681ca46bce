"""Tests bench/versus/peers.py on lines that the benchmarks have said: peers_test.py ROOT"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
SAID = ROOT / "tests" / "bench" / "peers"  # of each program some lines, as they were printed
SCRIPT = ROOT / "bench" / "versus" / "peers.py"
sys.path.insert(0, str(SCRIPT.parent))

import peers  # noqa: E402


def contests(program):
    return peers.contests_of(program, (SAID / f"{program}.txt").read_text(encoding="utf-8"))


class Lines(unittest.TestCase):
    def pairs(self, program):
        return {(c.ours, c.theirs, c.where): c for c in contests(program)[0]}

    def test_a_ratio_of_times_becomes_one_of_speeds(self):
        c = self.pairs("waits")["barrier", "std", "2 threads, 10000 cycles"]
        self.assertEqual(c.times, ("5000", "4000"))
        self.assertAlmostEqual(c.ratio, 0.8)
        self.assertEqual([round(end, 3) for end in c.ends], [0.769, 0.909])
        self.assertAlmostEqual(c.processor, 2)
        self.assertIsNone(c.instructions)

    def test_instructions_are_not_taken_for_another_measure(self):
        seen = self.pairs("contention")
        self.assertEqual(seen["mutex", "std/mutex", "heavy, 1 threads"].instructions, ("104", "107"))
        self.assertIsNone(seen["mutex", "std/mutex", "heavy, 2 threads"].instructions)

    def test_a_ratio_of_speeds_stays_one(self):
        c = self.pairs("versus")["hticket", "ck/cohort of tickets", "2 threads, seldom, inlined near"]
        self.assertEqual((c.ratio, c.ends, c.times), (0.8, (0.7, 0.9), ("125.0", "100.0")))

    def test_a_duel_says_who_the_other_is(self):
        self.assertIn(("stm", "libitm", "bank, transfers, 1 thread"), self.pairs("stm_check"))
        self.assertIn(("ours", "libcuckoo/map", "512 x 12, zipf, 2 thr."), self.pairs("table_check"))
        self.assertEqual(len(contests("table_check")[1]), 1)  # nothing was measured

    def test_a_line_that_is_no_contest_is_an_error(self):
        text = (SAID / "waits.txt").read_text(encoding="utf-8")
        for broken in (text.replace(" 0.500 [", " half ["), text.replace("2 of 3 contests lost", "killed")):
            with self.assertRaisesRegex(ValueError, "^waits says what is no contest: "):
                peers.contests_of("waits", broken)


class Kinds(unittest.TestCase):
    def test_behind_is_what_is_resolved_slower_or_below_the_limit(self):
        kinds = {(0.9, None): "behind", (0.94, (0.8, 1.1)): "behind", (0.97, (0.95, 0.99)): "behind",
                 (0.96, (0.9, 1.1)): "level", (1.3, None): "level", (1.3, (0.99, 2.0)): "level",
                 (1.02, (1.01, 1.03)): "ahead"}
        self.assertEqual({of: peers.kind(peers.Contest("", "", "", "", (), *of, None, None)) for of in kinds}, kinds)


class Designs(unittest.TestCase):
    CONTEST = peers.Contest("queues", "ring", "boost/spsc", "2 pinned, stream", (), 0.9, None, None, None)

    def test_a_pair_below_the_limit_wants_two_that_were_measured_for_it(self):
        def tried(design, **other):
            return {"design": design, "program": "queues", "ours": "ring", "theirs": "*", "where": "2 pinned, *", **other}

        for other in ({}, {"ours": "queue"}, {"where": "1 thread"}, {"program": "waits"}):
            self.assertEqual(peers.wants_designs((tried("a"), tried("b", **other)), self.CONTEST), other != {})
        for rows in ((), (tried("a"), tried("a"))):
            self.assertTrue(peers.wants_designs(rows, self.CONTEST))
        self.assertFalse(peers.wants_designs((), self.CONTEST._replace(ratio=0.96)))

    def test_each_that_was_measured_is_described_and_each_described_was_measured(self):
        described, measured = ({row["design"] for row in peers.read_csv(f"{name}.csv")} for name in ("designs", "tried"))
        self.assertEqual(described, measured)

    def test_figures_are_medians_of_the_runs_and_whoever_is_ahead_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / f"waits.{name}" for name in ("old1", "old2", "new")]
            text = (SAID / "waits.txt").read_text(encoding="utf-8")
            line = next(x for x in text.splitlines() if x.startswith("barrier "))
            files[0].write_text(text, encoding="utf-8")
            files[1].write_text(text.replace(line, line.replace("5000", "7000", 1)), encoding="utf-8")
            files[2].write_text(text.replace(line, line.replace("5000", "3000", 1)), encoding="utf-8")
            words = ("less", "barrier", *files[:2], "--", files[2])
            said = subprocess.run([sys.executable, "-B", SCRIPT.with_name("tried.py"), *words], capture_output=True,
                                  text=True).stdout
        self.assertEqual(said, 'less,waits,barrier,std,"2 threads, 10000 cycles",1,,,6000,3000,0.80,0.80,2.00,2.00\n')


class Pages(unittest.TestCase):
    def made(self, *words, refuses=False):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            program, told = folder / "waits", folder / "told"
            program.write_text(f"#!/bin/sh\n[ $1 = 3 ] && cat '{SAID}/waits.txt' && exit 1\nexit 2\n", encoding="utf-8")
            duels = folder / "table_check"
            duels.write_text(f"#!/bin/sh\n[ $2 ] && cat '{SAID}/table_check.txt' && exit 0\n"
                             "echo first >&2; echo 'table_check: there is no table' >&2\nexit 3\n", encoding="utf-8")
            for made in (program, duels):
                made.chmod(0o755)
            (folder / "contests.txt").write_text(f"{program}\n{duels if refuses else ''}\n", encoding="utf-8")
            return subprocess.run([sys.executable, "-B", SCRIPT, folder / "contests.txt", told, *words], capture_output=True,
                                  text=True)

    def test_all_is_counted_and_who_is_behind_is_named(self):
        said = self.made("3").stdout
        self.assertRegex(said, r"\| waits \| 3 \| 1 \| 0 \| 2 \| [012] \| 0 \| moodycamel; std \|\n")
        self.assertRegex(said, r"### waits\n\n\d{4}-\d\d-\d\d \d\d:\d\d UTC, 3 rounds, \d+ s, load before ")
        behind = said[said.index("| ours | theirs |"):said.index("<details>")]
        row = "| barrier | std | 2 threads, 10000 cycles | 0.80 [0.77, 0.91] | 5000 / 4000 | 2.00 |  | "
        self.assertIn(row, behind)
        self.assertNotIn("| latch ", behind)
        self.assertIn("latch       std ", said)  # among all that it said

    def test_who_was_not_run_is_named_with_the_reason(self):
        for words, why in ((("3", "waits"), "nobody has asked for it yet"), (("3",), "table_check: there is no table")):
            self.assertIn(f"\ntable_check was not run: {why}\n", self.made(*words, refuses=True).stdout)
        self.assertNotIn("not run", self.made("3").stdout)

    def test_a_word_chooses_contests_and_the_page_says_so(self):
        said = self.made("3", "waits", "table_check:512", refuses=True).stdout
        self.assertRegex(said, r"### table_check\n\n.*, 3 rounds, only contests with '512' in their names, \d+ s, ")
        self.assertRegex(said, r"Not held:\n\n\* 65536 x 12, .* in 9 pairs\n")
        self.assertNotIn("not run", said)

    def test_names_with_commas_are_told_apart(self):
        counts = peers.of_program("versus", "", (SAID / "versus.txt").read_text(encoding="utf-8"))[1]
        self.assertEqual(set(counts[-1].split("; ")), {c.theirs for c in contests("versus")[0]})

    def test_what_cannot_be_run_is_a_sentence(self):
        for words, sentence in ((("4",), "waits ended with 2"),
                                (("3", "wait"), "peers: wait holds no contests; these do: waits"),
                                (("0",), "peers: nothing was measured yet")):
            ended = self.made(*words)
            self.assertEqual(ended.returncode, 1)
            self.assertIn(sentence, ended.stderr)


if __name__ == "__main__":
    unittest.main()
