"""`synchroscope tune`: which lock it finds, with a command whose numbers are given.

    test_tune.py PROGRAM CLASS

The command is a script that looks which lock was put into its environment, so that each number is known and none is a time.
The environment tells where the programs of this folder are: PROGRAMS.
"""

import json
import os
import shlex
import signal
import subprocess
import time
import unittest

import case as shared
from case import PROGRAM, program

RATE = ["--metric", "regex:rate ([0-9.]+)", "--higher"]


class Case(shared.Case):
    def script(self, by_lock, otherwise="exit 9"):
        """A command that notes by which lock it was called, and does what is given for that one."""
        cases = "".join(f"  {lock}) {what} ;;\n" for lock, what in by_lock.items())
        text = f"""{shlex.quote(program('lockless'))} once
lock=${{SYNCHRO_PRELOAD_LOCK-native}}
echo $lock >>{shlex.quote(self.path('log'))}
case $lock in
{cases}  *) {otherwise} ;;
esac
"""
        with open(self.path("script"), "w", encoding="utf-8") as file:
            file.write(text)
        return ["sh", self.path("script")]

    def rates(self, **by_lock):
        return self.script({lock.replace("_", "/"): f"echo rate {rate}" for lock, rate in by_lock.items()})

    def log(self):
        try:
            with open(self.path("log"), encoding="utf-8") as file:
                return file.read().split()
        except FileNotFoundError:
            return []

    def environment(self):
        return {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "SYNCHRO_PRELOAD_LOCK")}

    def call(self, *words):
        return super().call(PROGRAM, "tune", *words, env=self.environment())

    def tune(self, command, *options, status=0):
        result = self.call("--no-progress", "--json", *options, "--", *command)
        self.assertEqual((result.returncode, result.stderr), (status, ""), result.stdout)
        return json.loads(result.stdout)

    def of(self, found, name):
        return next(lock for lock in found["locks"] if lock["name"] == name)


class Verdicts(Case):
    def test_the_best_one_wins(self):
        command = self.rates(native=100, mutex=150, ticket_yield=90, mcs_park=120)
        found = self.tune(command, "--locks", "mutex,ticket/yield,mcs/park", *RATE)
        self.assertEqual((found["verdict"], found["winner"], found["tied"]), ("winner", "mutex", []))
        winner = self.of(found, "mutex")
        self.assertEqual((winner["status"], winner["remark"]), ("in", "the winner"))
        self.assertAlmostEqual(winner["ratio"], 1.5)
        for end in winner["ci"]:
            self.assertAlmostEqual(end, 1.5)
        for name, ratio in (("native", 1), ("ticket/yield", 0.9), ("mcs/park", 1.2)):
            self.assertEqual(self.of(found, name)["status"], "dropped", name)
            self.assertAlmostEqual(self.of(found, name)["ratio"], ratio)
        self.assertEqual(found["control"]["ratio"], 1)
        self.assertLess(found["rounds"], 10)  # nothing was left to be found out

    def test_less_is_better_where_that_is_said(self):
        command = self.rates(native=100, mutex=150, ticket_yield=50)
        found = self.tune(command, "--locks", "mutex,ticket/yield", *RATE[:2], "--lower")
        self.assertEqual(found["winner"], "ticket/yield")
        self.assertAlmostEqual(self.of(found, "ticket/yield")["ratio"], 2)

    def test_equal_ones_are_not_told_apart(self):
        found = self.tune(self.rates(native=7, mutex=7, mcs_park=7), "--locks", "mutex,mcs/park", *RATE)
        self.assertEqual((found["verdict"], found["winner"], found["rounds"]), ("unresolved", None, 10))
        self.assertTrue(found["sentence"].startswith("No difference resolved"), found["sentence"])
        self.assertEqual({lock["status"] for lock in found["locks"]}, {"in"})

    def test_two_that_are_equally_good_are_both_named(self):
        found = self.tune(self.rates(native=7, mutex=9, mcs_park=9), "--locks", "mutex,mcs/park", *RATE)
        self.assertEqual((found["winner"], found["tied"]), ("mutex", ["mcs/park"]))
        self.assertIn("not distinguishable from mcs/park", found["sentence"])

    def test_its_own_locks_may_be_best(self):
        found = self.tune(self.rates(native=7, mutex=6, mcs_park=5), "--locks", "mutex,mcs/park", *RATE)
        self.assertEqual((found["verdict"], found["winner"]), ("own", None))

    def test_losers_are_dropped_and_run_no_more(self):
        command = self.rates(native=100, mutex=100, mcs_park=50, clh_park=50)
        found = self.tune(command, "--locks", "mutex,mcs/park,clh/park", *RATE)
        self.assertEqual((found["verdict"], found["rounds"]), ("unresolved", 10))
        for name in ("mcs/park", "clh/park"):
            self.assertEqual(self.of(found, name)["status"], "dropped")
            self.assertEqual(self.log().count(name), len(self.of(found, name)["values"]))
            self.assertLess(self.log().count(name), 10)
        self.assertEqual(self.log().count("mutex"), 10)

    def test_what_is_less_than_the_noise_is_no_difference(self):
        # Its own locks give 100 and 200 by turns.
        flag = shlex.quote(self.path("flag"))
        own = f"if [ -e {flag} ]; then rm {flag}; echo rate 200; else touch {flag}; echo rate 100; fi"
        found = self.tune(self.script({"native": own, "mutex": "echo rate 150"}), "--locks", "mutex", *RATE)
        self.assertEqual(found["verdict"], "unresolved")
        self.assertEqual(set(found["control"]["values"]), {100, 200})

    def test_the_text_says_the_same(self):
        result = self.call("--locks", "mutex,mcs/park", "--seed", "5", *RATE, "--",
                           *self.rates(native=100, mutex=150, mcs_park=50))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("The winner is mutex: 1.500 times as good", result.stdout)
        self.assertIn("native again", result.stdout)
        self.assertIn("dropped after round", result.stdout)
        self.assertIn("(seed 5)", result.stdout)
        self.assertIn("mcs/park is out: behind", result.stderr)


class Failures(Case):
    def test_a_lock_whose_run_fails_never_wins(self):
        for how, why in (("echo rate 900; echo broken >&2; exit 3", "exit status 3: broken"),
                         ("echo rate 900; kill -SEGV $$", "signal 11"), ("echo nothing", "matches no line"),
                         ("echo rate 0", "above 0"), ("echo rate 9.9.9", "not a number")):
            with self.subTest(how=how):
                command = self.script({"native": "echo rate 100", "mutex": how, "mcs/park": "echo rate 101"})
                found = self.tune(command, "--locks", "mutex,mcs/park", *RATE)
                self.assertEqual(found["winner"], "mcs/park")
                failed = self.of(found, "mutex")
                self.assertEqual((failed["status"], failed["ratio"], failed["values"]), ("failed", None, []))
                self.assertIn(why, failed["remark"])

    def test_a_pattern_finds_the_number_in_a_long_line(self):
        rate = "printf '%050000d rate {}\\n' 0"
        command = self.script({"native": rate.format(100), "mutex": rate.format(150)})
        found = self.tune(command, "--locks", "mutex", *RATE)
        self.assertEqual(found["winner"], "mutex")

    def test_no_pattern_takes_longer_than_its_text(self):
        command = self.script({"native": "printf '%03000d\\n' 0 | tr 0 a", "mutex": "echo"})
        result = self.call("--no-progress", "--locks", "mutex", "--metric", "regex:((((a+)+)+)+)b", "--higher", "--",
                           *command)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("matches no line", result.stderr)

    def test_a_run_that_takes_too_long_fails(self):
        command = self.script({"native": "echo rate 100", "mutex": "exec sleep 1000", "mcs/park": "echo rate 101"})
        found = self.tune(command, "--locks", "mutex,mcs/park", "--limit", "5s", *RATE)
        self.assertEqual(found["winner"], "mcs/park")
        self.assertIn("did not end within 5.0 s", self.of(found, "mutex")["remark"])

    def test_a_lock_that_fails_later_is_out_with_what_it_had(self):
        # It does well in the first run and fails in the second.
        flag = shlex.quote(self.path("flag"))
        late = f"if [ -e {flag} ]; then exit 1; else touch {flag}; echo rate 900; fi"
        command = self.script({"native": "echo rate 100", "mutex": late, "mcs/park": "echo rate 100"})
        found = self.tune(command, "--locks", "mutex,mcs/park", *RATE)
        self.assertEqual((found["verdict"], found["winner"]), ("unresolved", None))
        self.assertEqual((self.of(found, "mutex")["status"], self.of(found, "mutex")["values"]), ("failed", [900]))

    def test_a_command_that_fails_by_itself_is_refused(self):
        result = self.call("--no-progress", "--locks", "mutex", "--", *self.script({}, "echo why >&2; exit 4"))
        self.refuses(3, result, "with its own locks", "exit status 4: why")
        self.assertEqual(self.log(), ["native"])

    def test_a_command_that_fails_with_every_lock(self):
        found = self.tune(self.script({"native": "echo rate 1"}), "--locks", "mutex,mcs/park", *RATE, status=3)
        self.assertEqual((found["verdict"], found["winner"]), ("none", None))
        self.assertIn("with every lock", found["sentence"])

    def test_its_own_locks_fail_later(self):
        own = f"if [ $(wc -l <{shlex.quote(self.path('log'))}) -gt 4 ]; then exit 1; else echo rate 1; fi"
        found = self.tune(self.script({"native": own, "mutex": "echo rate 2"}), "--locks", "mutex", *RATE, status=3)
        self.assertEqual(found["verdict"], "none")

    def test_nothing_that_the_command_started_is_left(self):
        command = self.script({}, f"sleep 1000 & echo $! >>{shlex.quote(self.path('pids'))}; echo rate 1")
        self.tune(command, "--locks", "mutex", "--repeat", "1", *RATE)
        with open(self.path("pids"), encoding="utf-8") as file:
            pids = [int(line) for line in file]
        self.assertEqual(len(pids), 4)
        self.assertEqual([pid for pid in pids if not gone(pid)], [])


def runs(pid):
    """Whether the process is there; one that has ended and that nobody has taken note of is not."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(pid):
    for _ in range(3000):
        if not runs(pid):
            return True
        time.sleep(0.02)
    return False


class Order(Case):
    def test_each_round_has_all_and_its_own_locks_twice(self):
        command = self.rates(native=1, mutex=1, mcs_park=1)
        found = self.tune(command, "--locks", "mutex,mcs/park", "--repeat", "6", *RATE)
        self.assertEqual(found["rounds"], 6)
        log = self.log()
        self.assertEqual(log.pop(0), "native")  # a first run that does not count
        rounds = [tuple(log[i:i + 4]) for i in range(0, len(log), 4)]
        self.assertEqual(len(rounds), 6)
        for each in rounds:
            self.assertEqual(sorted(each), ["mcs/park", "mutex", "native", "native"])
        self.assertGreater(len(set(rounds)), 1)

    def test_a_seed_gives_the_same_order(self):
        orders = []
        for seed in ("4", "4", "5"):
            self.tune(self.rates(native=1, mutex=1, mcs_park=1), "--locks", "mutex,mcs/park", "--seed", seed, *RATE)
            orders.append(self.log())
            os.remove(self.path("log"))
        self.assertEqual(orders[0], orders[1])
        self.assertNotEqual(orders[0], orders[2])

    def test_locks_by_globs_and_all_of_them(self):
        command = self.script({}, "echo rate 1")
        found = self.tune(command, "--locks", "mcs*,mutex,mcs", "--repeat", "1", *RATE)
        self.assertEqual([lock["name"] for lock in found["locks"]],
                         ["native", "mcs", "mcs/yield", "mcs/park", "mutex"])
        usual = {lock["name"] for lock in self.tune(command, "--repeat", "1", *RATE)["locks"]}
        everything = {lock["name"] for lock in self.tune(command, "--locks", "all", "--repeat", "1", *RATE)["locks"]}
        self.assertIn("ticket/yield", usual)
        self.assertNotIn("ticket", usual)  # its waiters only spin
        self.assertTrue(usual < everything)
        self.assertIn("ticket", everything)

    def test_time_ends_it_between_rounds(self):
        found = self.tune(self.script({}, "echo rate 1"), "--locks", "mutex", "--time", "1ms", *RATE)
        self.assertTrue(found["complete"])
        self.assertLess(found["rounds"], 10)

    def test_too_few_rounds_are_named_as_such(self):
        result = self.call("--no-progress", "--locks", "mutex", "--repeat", "2", *RATE, "--",
                           *self.rates(native=1, mutex=100))
        self.assertEqual(result.returncode, 0)
        self.assertIn("No difference resolved", result.stdout)
        self.assertIn("fewer than 3 rounds", result.stdout)


class Interrupted(Case):
    def started(self, runs_before):
        """After so many runs the command sleeps; its number is in a file."""
        log, pid = shlex.quote(self.path("log")), shlex.quote(self.path("pid"))
        sleeps = f"if [ $(wc -l <{log}) -gt {runs_before} ]; then echo $$ >{pid}.new; mv {pid}.new {pid}; exec sleep 1000; fi"
        command = self.script({}, f"{sleeps}; echo rate 1")
        process = subprocess.Popen([PROGRAM, "tune", "--no-progress", "--json", "--locks", "mutex", *RATE, "--", *command],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.home,
                                   env=self.environment())
        while not os.path.exists(self.path("pid")):
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        with open(self.path("pid"), encoding="utf-8") as file:
            return process, int(file.read())

    def test_what_there_is_is_printed_and_nothing_is_left(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(number=number):
                process, pid = self.started(runs_before=1 + 3 * 4)
                process.send_signal(number)
                out, errors = process.communicate(timeout=200)
                self.assertEqual((process.returncode, errors), (status, ""))
                found = json.loads(out)
                self.assertEqual((found["complete"], found["rounds"]), (False, 4))
                self.assertTrue(gone(pid))
                for name in ("log", "pid"):
                    os.remove(self.path(name))

    def test_before_the_first_round_too(self):
        process, pid = self.started(runs_before=0)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 130)
        self.assertEqual((json.loads(out)["rounds"], json.loads(out)["verdict"]), (0, "none"))
        self.assertTrue(gone(pid))

    def test_the_command_does_not_outlive_us(self):
        process, pid = self.started(runs_before=3)
        process.kill()
        process.communicate(timeout=200)
        self.assertTrue(gone(pid))


class Metrics(Case):
    def test_the_last_line_that_fits_counts(self):
        command = self.script({"native": "echo rate 1; echo rate 50; echo end", "mutex": "echo rate 100; echo rate 60"})
        found = self.tune(command, "--locks", "mutex", *RATE)
        self.assertAlmostEqual(self.of(found, "mutex")["ratio"], 1.2)

    def test_what_is_on_standard_error_counts_if_nothing_else_does(self):
        command = self.script({"native": "echo rate 50 >&2", "mutex": "echo rate 60; echo rate 1 >&2"})
        self.assertAlmostEqual(self.of(self.tune(command, "--locks", "mutex", *RATE), "mutex")["ratio"], 1.2)

    def test_a_command_makes_the_number(self):
        command = self.script({"native": "seq 10", "mutex": "seq 15"})
        found = self.tune(command, "--locks", "mutex", "--metric", "command:wc -l", "--higher")
        self.assertEqual(found["metric"], {"what": "command:wc -l", "unit": None, "better": "higher"})
        self.assertAlmostEqual(self.of(found, "mutex")["ratio"], 1.5)

    def test_a_metric_that_fails(self):
        result = self.call("--no-progress", "--locks", "mutex", "--metric", "command:echo no >&2; exit 1", "--higher", "--",
                           "true")
        self.refuses(3, result, "the metric's command failed: no")

    def test_the_time_of_a_run(self):
        found = self.tune([program("lockless"), "once"], "--locks", "mutex", "--repeat", "3")
        self.assertEqual(found["metric"], {"what": "wall", "unit": "s", "better": "lower"})
        self.assertEqual(found["rounds"], 3)
        self.assertTrue(all(value > 0 for lock in found["locks"] for value in lock["values"]))


class Mistakes(Case):
    def test_the_command_line(self):
        for status, words, saying in (
                (2, [], "needs a command"),
                (2, ["--locks", "msc", "--", "true"], "no lock 'msc'"),
                (2, ["--locks", "std/mutex", "--", "true"], "not ours"),
                (2, ["--", "no-such-program"], "no program 'no-such-program'"),
                (2, ["--repeat", "0", "--", "true"], "--repeat takes a whole number"),
                (2, ["--repeat", "x", "--", "true"], "--repeat takes a whole number"),
                (2, ["--time", "5", "--", "true"], "--time takes a duration"),
                (2, ["--limit", "5", "--", "true"], "--limit takes a duration"),
                (2, ["--seed", "x", "--", "true"], "--seed takes a whole number"),
                (2, ["--metric", "speed", "--", "true"], "wall, regex:PATTERN or command:COMMAND"),
                (2, ["--metric", "regex:", "--higher", "--", "true"], "after the colon"),
                (2, ["--metric", "regex:x", "--higher", "--", "true"], "needs a group"),
                (2, ["--metric", "regex:(", "--higher", "--", "true"], "not a regular expression"),
                (2, ["--metric", "regex:(x)", "--", "true"], "--higher or --lower"),
                (2, ["--metric", "regex:(x)", "--higher", "--lower", "--", "true"], "exclude each other"),
                (2, ["--higher", "--", "true"], "smaller is better"),
                (2, ["--lokcs", "mcs", "--", "true"], "no tune option '--lokcs'"),
                (3, ["--", program("own_lock")], "pthread_mutex_lock of its own")):
            with self.subTest(words=words):
                self.refuses(status, self.call(*words), saying)

    def test_without_the_library(self):
        result = shared.Case.call(self, self.copied(), "tune", "--", "true")
        self.refuses(3, result, "libsynchro-preload.so is not there")


if __name__ == "__main__":
    unittest.main()
