"""The program as a user meets it: what it prints where, and what it ends with.

    test_program.py PROGRAM [CLASS...]
"""

import ctypes
import fcntl
import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
VALIDATE = os.environ.get("VALIDATE")
CATALOG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/catalog/catalog.txt")
LOCKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/locks/README.md")
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include")
ESCAPE = "\033"

# Of all that can be measured, what takes least.
SHORT = ["run", "coherence.local", "--level", "l1", "--quick", "--no-progress"]


class Case(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="synchroscope-test-")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.home, name)

    def call(self, *args, **kwargs):
        kwargs.setdefault("stdout", subprocess.PIPE)
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        environment["TERM"] = "xterm"
        environment.update(kwargs.pop("env", {}))
        prefix = kwargs.pop("prefix", [])
        return subprocess.run([*prefix, PROGRAM, *args], stderr=subprocess.PIPE, text=True, cwd=self.home,
                              env=environment, timeout=200, **kwargs)

    def succeeds(self, *args, **kwargs):
        result = self.call(*args, **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def refuses(self, status, *args, saying=(), **kwargs):
        """Ends with this status and one sentence on standard error that holds all of `saying`."""
        result = self.call(*args, **kwargs)
        self.assertEqual(result.returncode, status, (args, result.stderr, (result.stdout or "")[-300:]))
        self.assertEqual(len(result.stderr.splitlines()), 1, (args, result.stderr))
        self.assertTrue(result.stderr.startswith("synchroscope: "), result.stderr)
        for word in saying:
            self.assertIn(word, result.stderr)
        self.assertNotIn("terminate called", result.stderr)
        return result

    def document(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def assert_valid(self, name):
        result = subprocess.run([sys.executable, VALIDATE, self.path(name)], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class Help(Case):
    def test_help_names_every_command_and_an_example(self):
        text = self.succeeds("--help").stdout
        for word in ("tour", "run", "show", "report", "compare", "export", "with", "profile", "tune", "advise", "list",
                     "info", "check", "Examples:", "coherence.pairs --quick", "Exit status"):
            self.assertIn(word, text)

    def test_every_command_has_help(self):
        for command in ("tour", "run", "show", "compare", "export", "with", "profile", "tune", "list", "info", "check"):
            self.assertIn("--help", self.succeeds(command, "--help").stdout)

    def test_help_of_a_command_is_what_the_command_says(self):
        for command in ("run", "simulate", "compare", "list"):
            self.assertEqual(self.succeeds("help", command).stdout, self.succeeds(command, "--help").stdout)
        self.assertEqual(self.succeeds("help").stdout, self.succeeds("--help").stdout)
        self.refuses(2, "help", "rum", saying=["command 'rum'", "run"])
        self.refuses(2, "help", "run", "show", saying=["'show'"])

    def test_a_command_is_called_in_the_list_what_it_calls_itself(self):
        """Which may be in another program."""
        listed = self.succeeds("--help").stdout.split("Subcommands:\n")[1].split("\n\n")[0]
        lines = [line.split(maxsplit=1) for line in listed.splitlines()]
        self.assertIn("top", [command for command, _ in lines])
        for command, line in lines:
            if command != "help":
                self.assertEqual(self.succeeds(command, "--help").stdout.splitlines()[0], line)

    def test_run_lists_the_axes(self):
        text = self.succeeds("run", "--help").stdout
        for option in ("--threads", "--lock", "--placement", "--cpus", "--resume", "--estimate", "--strict"):
            self.assertIn(option, text)

    def test_version_says_what_was_built_how(self):
        lines = self.succeeds("--version").stdout.splitlines()
        self.assertRegex(lines[0], r"^synchroscope \d+\.\d+\.\d+$")
        self.assertTrue(any(line.startswith("compiler ") for line in lines))
        self.assertIn("schema synchroscope/1, synchroscope/2", lines)


class Parts(Case):
    """What other programs do: they are built when they are asked for, where there is something that builds them."""

    def setUp(self):
        super().setUp()
        self.alone = self.path("synchroscope")
        shutil.copy(PROGRAM, self.alone)

    def called(self, *words, **variables):
        return subprocess.run([self.alone, *words], capture_output=True, text=True, cwd=self.home, timeout=200, check=False,
                              env={**os.environ, **variables})

    def test_one_that_is_missing_is_named_with_what_would_help(self):
        for words, part in ((("verify", "tas"), "synchroscope-verify"), (("simulate", "--help"), "synchroscope-simulate"),
                            (("list", "models"), "synchroscope-simulate"),
                            (("list", "primitives"), "synchroscope-verify"), (("help", "model"), "synchroscope-simulate"),
                            (("top", "--", "sort", "-u"), "synchroscope-interpose"),
                            (("fleet", "gather"), "synchroscope-fleet"),
                            (("run", "stm.bank", "--quick"), "synchroscope-measure"),
                            (("run", "locks.uncontested", "--lock", "tas,clh"), "synchroscope-measure")):
            with self.subTest(words=words):
                result = self.called(*words)
                self.assertEqual((result.returncode, result.stdout), (3, ""))
                self.assertIn(f"{part} is not there: cmake --install", result.stderr)

    def test_words_arrive_as_they_were_typed(self):
        result = subprocess.run([PROGRAM, "verify", "--", "tas"], capture_output=True, text=True, timeout=200,
                                check=False)
        self.assertRegex(result.stdout, r"^tas", result.stderr)
        result = subprocess.run([PROGRAM, "profile", "--", "no-such-program", "-u", "--help"], capture_output=True,
                                text=True, timeout=200, check=False)
        self.assertEqual((result.returncode, result.stderr), (2, "synchroscope: there is no program 'no-such-program'\n"))

    def test_one_that_is_missing_is_built(self):
        beside = os.path.dirname(os.path.realpath(PROGRAM))
        builder = self.path("builder")
        with open(builder, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\necho "$@" >>notes\necho talks\ncp "{beside}/$2" .\n')
        os.chmod(builder, 0o755)
        result = self.called("verify", "tas", SYNCHROSCOPE_BUILDER=builder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^tas")  # what builders say is no answer
        with open(self.path("notes"), encoding="utf-8") as f:
            self.assertEqual(f.read(), "part synchroscope-verify\n")

    def test_what_is_listed_planned_and_shown_needs_no_bodies(self):
        for words in (("list", "experiments"), ("run", "stm.*", "hashtable.throughput", "--quick", "--estimate")):
            with self.subTest(words=words):
                result = self.called(*words)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("stm.bank", result.stdout)

    def test_locks_of_the_tour_are_measured_without_another_program(self):
        tour = [lock["name"] for lock in json.loads(self.called("list", "locks", "--json").stdout) if lock["in_tour"]]
        self.assertIn("mcs/park", tour)
        for experiment in ("locks.uncontested", "locks.throughput"):
            with self.subTest(experiment=experiment):
                result = self.called("run", experiment, "--lock", ",".join(tour), "--quick", "--max-time", "1s")
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_bodies_are_there_before_anything_is_measured(self):
        shutil.copy(os.path.join(os.path.dirname(os.path.realpath(PROGRAM)), "synchroscope-measure"), self.home)
        result = self.called("run", "stm.bank", "locks.ticket", "delegation.throughput", "messages.pair", "messages.server",
                             "hashtable.throughput", "--quick", "--max-time", "1s", "-o", "r.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("r.json"), encoding="utf-8") as f:
            cells = json.load(f)["cells"]
        self.assertTrue(any(cell["value"] is not None for cell in cells))
        self.assertFalse([cell for cell in cells if "another program" in (cell.get("reason") or "")])
        self.assertEqual(result.stderr.count(" experiments, "), 1, result.stderr)  # what is begun is said once

    def test_one_that_cannot_be_built_is_a_sentence(self):
        result = self.called("verify", "tas", SYNCHROSCOPE_BUILDER="/bin/false")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("synchroscope-verify could not be built", result.stderr)


class Verify(Case):
    def test_proves_a_lock_and_says_within_which_bounds(self):
        text = self.succeeds("verify", "tas").stdout
        self.assertRegex(text, r"(?m)^tas, tas/yield +proved +\d+ programs")
        self.assertIn("all schedules: lock 2x1", text)
        told = json.loads(self.succeeds("verify", "tas", "--json").stdout)
        self.assertEqual([(entry["name"], entry["also"]) for entry in told], [("tas", ["tas/yield"])])
        for program in told[0]["programs"]:
            self.assertEqual(program["verdict"], "proved")

    def test_proves_once_what_differs_only_in_how_waiters_rest(self):
        text = self.succeeds("verify", "tas/yield", "tas").stdout
        self.assertEqual(text.count("proved"), 1, text)

    def test_refutes_a_seeded_bug_and_walks_through_it(self):
        refuted = self.call("verify", "seeded/test_then_set")
        self.assertEqual(refuted.returncode, 1)
        identity = refuted.stdout.split("--replay ")[1].split()[0]
        walk = self.call("verify", "--replay", identity)
        self.assertEqual(walk.returncode, 1)
        self.assertIn("data race", walk.stdout)
        self.assertRegex(walk.stdout, r"(?m)^ +1  [ab]  ")

    def test_no_mutant_of_a_lock_survives(self):
        text = self.succeeds("verify", "--mutate", "ticket_plain").stdout
        self.assertIn("store left out", text)
        self.assertRegex(text, r"(?m)^(\d+) mutants .*, \1 killed, 0 survived and argued, 0 without an argument$")

    def test_a_mutant_that_is_no_fault_survives_with_its_argument(self):
        text = self.succeeds("verify", "--mutate", "tas").stdout
        self.assertIn("survives, argued: Every value but that of free means held.", text)
        self.assertRegex(text, r"(?m)^\d+ mutants \([1-9]\d* of orders, [1-9]\d* of statements\), .* 0 without an argument$")
        told = json.loads(self.succeeds("verify", "--mutate", "tas", "--json").stdout)
        self.assertEqual([m["argument"] is None for m in told], [m["fate"] == "killed" for m in told])

    def test_all_is_what_no_name_means(self):
        def explored(*words):
            told = json.loads(self.succeeds("verify", "--json", "--share", "2/1000", *words).stdout)
            return [(entry["name"], entry["verdict"], entry["states"]) for entry in told]

        self.assertEqual(len(explored("--all")), 1)
        self.assertEqual(explored("--all"), explored())
        self.assertIn("--all", self.succeeds("verify", "--help").stdout)

    def test_mistakes_are_sentences(self):
        self.refuses(2, "verify", "--all", "tas", saying=["--all means all primitives"])
        self.refuses(2, "verify", "--all", "--replay", "a b c", saying=["--all"])
        self.refuses(2, "verify", "tass", saying=["tass"])
        self.refuses(2, "verify", "--replay", "nonsense", saying=["three parts"])


class Mistakes(Case):
    def test_unknown_command(self):
        self.refuses(2, "rum", saying=["command 'rum'", "run"])

    def test_unknown_option(self):
        self.refuses(2, "--verison", saying=["--verison", "--version"])
        self.refuses(2, "run", "--threds", "1", saying=["--threds", "--threads"])

    def test_an_option_without_its_value_takes_no_other_option_for_it(self):
        simulate = ["simulate", "locks.uncontested", "--machine=opteron", "--quick"]
        for words, named in ((["--label=", "--seed=7"], "--label"), (["--lock=", "--threads=2"], "--lock"),
                             (["--lock", "--threads=2"], "--lock"), (["-o", "--seed", "7"], "-o"),
                             (["--seed", "7", "--label="], "--label"), (["--label"], "--label")):
            result = self.refuses(2, *simulate, *words)
            self.assertEqual(result.stderr, f"synchroscope: {named} needs a value\n")
        self.refuses(2, "run", "--threds=", "--seed=7", saying=["--threds", "--threads"])
        self.succeeds(*simulate, "--label=--seed=7", "-o", "l.json")
        with open(self.path("l.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["label"], "--seed=7")

    def test_unknown_experiment(self):
        self.refuses(2, "run", "coherance.pairs", saying=["experiment 'coherance.pairs'", "coherence.pairs"])

    def test_unknown_lock(self):
        self.refuses(2, "run", "locks.throughput", "--lock", "mcs,msc", saying=["'msc'", "mcs"])

    def test_unknown_word_of_an_axis(self):
        self.refuses(2, "run", "coherence.pairs", "--protocol", "csa", saying=["'csa'", "cas"])

    def test_numbers_that_are_none(self):
        for threads in ("x", "", "4-1", "0", "-3", "1-99999999999"):
            self.refuses(2, "run", "locks.throughput", f"--threads={threads}", saying=["threads"])

    def test_numbers_beyond_what_there_can_be(self):
        for number in ("99999999", str(2**63 - 1), f"{2**63 - 8}-{2**63 - 1}", f"-{2**63}-{2**63 - 1}"):
            for axis in ("threads", "hold", "locks"):
                self.refuses(2, "run", "locks.throughput", f"--{axis}={number}", saying=[axis])

    def test_lists_with_a_part_missing(self):
        self.refuses(2, "run", "locks.throughput", "--threads", "1,,2", saying=["--threads", "''"])
        self.refuses(2, "run", "locks.throughput", "--lock", ",", "--estimate", saying=["lock ''"])
        self.refuses(2, "run", "locks.throughput", "--cpus", "0,,", saying=["empty"])

    def test_an_option_given_twice_adds_to_its_list(self):
        once = self.succeeds("run", "locks.throughput", "--threads", "1,2", "--estimate").stdout
        twice = self.succeeds("run", "locks.throughput", "--threads", "1", "--threads", "2", "--estimate").stdout
        self.assertEqual(once, twice)

    def test_words_that_take_long_to_compare(self):
        self.refuses(2, "run", "*" * 100 + "x", saying=["experiment"])
        self.refuses(2, "run", "a" * 100000, saying=["experiment"])

    def test_values_that_leave_nothing_to_measure(self):
        first = str(min(os.sched_getaffinity(0)))
        self.refuses(2, "run", "coherence.pairs", "--from", first, "--to", first, saying=["nothing"])
        self.assertFalse(os.path.exists(self.path("results.json")))

    def test_processors_that_are_not_there(self):
        for cpus in ("100000", "0-100000", "x", "", "!0-100000", "3-1"):
            self.refuses(2, "run", "coherence.pairs", f"--cpus={cpus}")

    def test_an_axis_that_the_experiment_has_not(self):
        self.refuses(2, "run", "coherence.pairs", "--lock", "mcs", saying=["coherence.pairs", "'lock'"])

    def test_durations_and_seeds(self):
        self.refuses(2, *SHORT, "--max-time", "60", saying=["--max-time", "unit"])
        self.refuses(2, *SHORT, "--max-time", "", saying=["--max-time", "unit"])
        self.refuses(2, *SHORT, "--seed", "x", saying=["--seed"])

    def test_options_without_their_value(self):
        self.refuses(2, "run", "--lock")
        for command in ("show", "compare", "report", "export"):
            self.refuses(2, command, saying=[command, "results file"])
        self.refuses(2, "run", "--quick", "--full")

    def test_too_many_words(self):
        self.refuses(2, "info", "more", saying=["'more'"])
        self.refuses(2, "show", "a", "b", saying=["'b'"])
        self.refuses(2, "list", "lokcs", saying=["'lokcs'", "locks"])

    def test_words_that_could_harm_a_terminal(self):
        result = self.refuses(2, "run", "coh\033[31m\nerence")
        self.assertNotIn(ESCAPE, result.stderr)

    def test_output_that_cannot_be_written_is_refused_before_measuring(self):
        os.mkdir(self.path("folder"))
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        for status, output, why in ((2, "nowhere/r.json", "no folder nowhere"), (2, "file/r.json", "no folder file"),
                                    (2, "folder", "it is a directory"), (2, "", "--output"), (3, "/proc/r.json", "/proc")):
            self.refuses(status, "run", "--full", "-o", output, saying=[why])  # which would take hours

    def test_files_that_are_no_results(self):
        cases = {"empty": "", "text": "hello\n", "list": "[1,2]", "foreign": '{"a": 1}',
                 "newer": '{"schema": "synchroscope/9"}', "cut": '{"schema": "synchroscope/1", "cells": [',
                 "deep": "[" * 100000, "binary": "\x00\x01\x02"}
        for name, content in cases.items():
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(content)
            self.refuses(2, "show", name, saying=[name])
            self.refuses(2, "run", "--resume", name, saying=[name])
        self.refuses(2, "show", "absent", saying=["absent"])
        self.refuses(2, "show", self.home)
        self.refuses(2, "run", "--resume", "absent", saying=["absent"])

    def test_a_full_disk_below_standard_output(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for command in (["list", "locks"], ["--help"], ["info"]):
                self.refuses(3, *command, stdout=full, saying=["standard output"])

    def test_a_reader_that_goes_away(self):
        for command in ("list locks", "--help"):
            result = subprocess.run(["bash", "-c", f"set -o pipefail; {PROGRAM} {command} | true"], cwd=self.home,
                                    capture_output=True, text=True)
            self.assertEqual(result.stderr, "")


class Listing(Case):
    def test_lists_are_arrays_of_objects_with_a_name(self):
        kinds = [kind["name"] for kind in json.loads(self.succeeds("list", "--json").stdout)]
        said = self.succeeds("list", "--help").stdout
        self.assertEqual([kind for kind in kinds if kind not in said], [])
        for words in (["list"], *(["list", kind] for kind in kinds)):
            listed = json.loads(self.succeeds(*words, "--json").stdout)
            self.assertIsInstance(listed, list)
            names = [entry["name"] for entry in listed]
            self.assertGreater(len(names), 1)
            self.assertEqual(len(names), len(set(names)))

    def test_experiments_tell_source_axes_metrics_and_time(self):
        experiments = {e["name"]: e for e in json.loads(self.succeeds("list", "experiments", "--json").stdout)}
        for name in ("coherence.local", "coherence.states", "coherence.pairs", "atomics.throughput", "locks.ticket",
                     "locks.uncontested", "locks.throughput"):
            self.assertIn(name, experiments)
        for e in experiments.values():
            self.assertTrue(e["line"] and e["source"] and e["axes"] and e["metrics"], e["name"])
            self.assertTrue(all(m["unit"] and m["definition"] for m in e["metrics"]), e["name"])
            for level in ("quick", "standard", "full"):
                if not e["name"].startswith(("memcached.", "database.")):  # of what is not installed nothing is measured
                    self.assertGreater(e["seconds"][level], 0)
                self.assertTrue(all(isinstance(a["values"][level], list) for a in e["axes"]))
            self.assertLessEqual(e["cells"]["quick"], e["cells"]["full"])

    def test_locks_tell_all_their_traits(self):
        locks = {lock["name"]: lock for lock in json.loads(self.succeeds("list", "locks", "--json").stdout)}
        with open(CATALOG, encoding="utf-8") as catalog:
            stems = {os.path.basename(path) for path in re.findall(r"^lock +([a-z0-9_/]+) *:", catalog.read(), re.M)}
        self.assertLessEqual(stems | {"mcs/park", "std/mutex"}, locks.keys())
        for lock in locks.values():
            self.assertTrue(lock["judgement"], lock["name"])
            for trait in ("try_lock", "timed", "shared", "own_node", "domain_aware", "parks"):
                self.assertIsInstance(lock[trait], bool)
            for trait in ("bytes_per_lock", "bytes_per_thread", "bytes_per_held_lock"):
                self.assertIsInstance(lock[trait], int)
            self.assertTrue({"fairness", "bypass", "citation", "rights"} <= lock.keys())

    def test_locks_stand_in_the_list_as_on_their_page(self):
        names = ("order of service", "timed", "shared", "sleeps")
        with open(LOCKS, encoding="utf-8") as page:
            rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page if line.startswith("| ")]
        heading = next(row for row in rows if row[:2] == ["lock", names[0]])
        listed = self.succeeds("list", "locks").stdout.splitlines()
        columns = {name: listed[0].index(name) for name in names}
        for row in rows:
            if len(row) == len(heading) and row != heading:
                line = next(line for line in listed if line.startswith(row[0].strip("`") + " "))
                for name in names:
                    told = re.split("  +", line[columns[name]:])[0]
                    self.assertTrue(told.startswith(row[heading.index(name)] or "-"), (line, name))

    def test_locks_tell_whether_this_processor_elides(self):
        locks = {lock["name"]: lock for lock in json.loads(self.succeeds("list", "locks", "--json").stdout)}
        elides = locks["elided"]["elides"]
        self.assertIsInstance(elides, bool)
        self.assertEqual({lock["elides"] for name, lock in locks.items() if not name.startswith("elided")}, {None})
        sentence = self.succeeds("list", "locks").stdout.splitlines()[-1]
        self.assertRegex(sentence, r"^elided: this processor has" if elides else r"^elided: no section .* here: .+\.$")

    def test_wakes_tell_whether_they_can_be_had_and_why_not(self):
        wakes = {wake["name"]: wake for wake in json.loads(self.succeeds("list", "wakes", "--json").stdout)}
        for name in ("event", "auto_event", "event_group", "cascade", "rendezvous", "std/condition_variable",
                     "spin/pause", "pthread/cond", "posix/sem", "signal/wait", "omp/gnu", "omp/llvm"):
            self.assertIn(name, wakes)
        for wake in wakes.values():
            self.assertTrue(wake["judgement"] and wake["citation"], wake["name"])
            for trait in ("available", "sleeps", "one_call", "splittable"):
                self.assertIsInstance(wake[trait], bool)
            self.assertEqual(wake["reason"] is None, wake["available"], wake["name"])
            if not wake["available"]:
                self.assertTrue(wake["reason"].startswith("not available here: "), wake["reason"])

    def test_primitives_are_what_verify_takes(self):
        primitives = {one["name"]: one for one in json.loads(self.succeeds("list", "primitives", "--json").stdout)}
        locks = {lock["name"] for lock in json.loads(self.succeeds("list", "locks", "--json").stdout)
                 if lock["kind"] == "lock" and lock["name"] != "elided"}
        self.assertEqual(locks - set(primitives), set())
        for name in ("latch", "channel", "hash_table", "stm"):
            self.assertTrue(any(one.startswith(name) for one in primitives), name)
        for name, one in primitives.items():
            self.assertEqual(set(one), {"name", "header", "programs", "proved_as"})
            self.assertGreater(one["programs"], 0, name)
            self.assertTrue(os.path.isfile(os.path.join(INCLUDE, one["header"])), one["header"])
        self.assertEqual(primitives["mcs/yield"]["proved_as"], "mcs")
        verdict, = json.loads(self.succeeds("verify", "latch", "--json").stdout)
        self.assertEqual(len(verdict["programs"]), primitives["latch"]["programs"])

    def test_models_tell_processors_clock_and_source(self):
        models = {m["name"]: m for m in json.loads(self.succeeds("list", "models", "--json").stdout)}
        self.assertEqual((models["opteron"]["processors"], models["opteron"]["ghz"]), (48, 2.1))
        self.assertEqual(models["niagara"]["processors"], 64)
        for m in models.values():
            self.assertEqual(set(m), {"name", "title", "processors", "ghz", "source"})
            self.assertRegex(m["source"], "SOSP 2013|core-to-core-latency")
        self.assertRegex(self.succeeds("list", "models").stdout, r"(?m)^xeon +80 +2\.13 +Intel")

    def test_a_family_of_experiments_goes_by_its_first_word(self):
        self.succeeds("run", "wake", "--quick", "--primitive", "event", "--threads", "1", "--idle", "1000", "-o",
                      "w.json")
        cells = self.document("w.json")["cells"]
        self.assertEqual({c["experiment"] for c in cells}, {"wake.broadcast", "wake.groups", "wake.idle"})
        self.assertTrue(all(c["valid"] for c in cells))

    def test_a_list_for_people_names_the_same(self):
        for kind in ("experiments", "locks", "wakes"):
            text = self.succeeds("list", kind).stdout
            for entry in json.loads(self.succeeds("list", kind, "--json").stdout):
                self.assertIn(entry["name"], text)
                for part in entry.get("axes", []) + entry.get("metrics", []):
                    self.assertIn(part["name"], text)

    def test_info_describes_this_machine(self):
        facts = json.loads(self.succeeds("info", "--json").stdout)
        self.assertEqual(set(facts), {"tool", "machine", "topology", "os", "clock", "warnings"})
        self.assertIn("processors", self.succeeds("info").stdout)

    def test_check_finds_or_advises(self):
        findings = json.loads(self.succeeds("check", "--json").stdout)
        self.assertTrue(all(f["ok"] == (f["advice"] is None) for f in findings))
        self.assertLess({"pinning", "speed", "cores"}, {f["id"] for f in findings})
        self.assertNotRegex(self.succeeds("check").stdout, r"(?m)^ok +energy cannot")
        strict = self.call("check", "--strict")
        self.assertIn(strict.returncode, (0, 4))


class Leaving(Case):
    """What a command leaves in the folders for temporary files, which are its own here."""

    def left_by(self, *words):
        alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
        if subprocess.run([*alone, "mount", "-t", "tmpfs", "none", "/dev/shm"], capture_output=True).returncode != 0:
            self.skipTest("this account may not mount a folder of its own")
        script = ("mount -t tmpfs none /dev/shm && mount -t tmpfs none /tmp && mkdir /tmp/results && "
                  './"$0" "$@" >/dev/null && ls -A /dev/shm /tmp')
        result = subprocess.run([*alone, "sh", "-c", script, os.path.basename(PROGRAM), *words], capture_output=True,
                                text=True, cwd=os.path.dirname(PROGRAM), timeout=200)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.split()

    def test_nothing_is_left_behind(self):
        short = ["--quick", "--no-progress", "-o", "/tmp/results/r.json"]
        for words in (["list", "wakes"], ["info"], ["run", "wake.broadcast", "--primitive", "omp/llvm,event", *short],
                      ["run", "coherence.local", "--level", "l1", *short]):
            self.assertEqual(self.left_by(*words), ["/dev/shm:", "/tmp:", "results"], words)


class Running(Case):
    def test_leaves_a_valid_file_and_prints_its_tables(self):
        result = self.succeeds(*SHORT, "-o", "r.json", "--label", "a name", "--seed", "7", "--tables")
        self.assertIn("coherence.local", result.stdout)
        d = self.document("r.json")
        self.assertTrue(d["complete"])
        self.assertEqual(d["label"], "a name")
        self.assertEqual(d["invocation"]["seed"], 7)
        self.assertIn("--label", d["invocation"]["argv"])
        self.assertNotIn("hostname", d["os"])
        self.assertFalse(os.path.exists(self.path("r.json.partial")))
        self.assert_valid("r.json")

    def test_strictly_nothing_measured_is_not_enough(self):
        asked = ("run", "coherence.local", "--quick", "--no-progress", "--max-time", "1ms", "-o", "r.json")
        result = self.call(*asked, "--strict")
        self.assertFalse(any(c["value"] for c in self.document("r.json")["cells"]))
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertEqual(self.call(*asked).returncode, 0)

    def test_results_go_to_results_json_unless_told(self):
        self.succeeds(*SHORT)
        self.assert_valid("results.json")

    def test_the_name_of_the_computer_only_when_asked(self):
        self.succeeds(*SHORT, "--include-hostname")
        self.assertTrue(self.document("results.json")["os"]["hostname"])

    def test_estimates_without_measuring(self):
        text = self.succeeds("run", "--estimate", "--full", "-o", "r.json").stdout
        self.assertIn("locks.throughput", text)
        self.assertRegex(text, r"(?m)^all +(.*)\nIt takes \1, or up to .* where values are noisy and are measured again\.$")
        self.assertFalse(os.path.exists(self.path("r.json")))

    def test_one_processor_is_enough_for_what_needs_no_more(self):
        result = self.call("run", "coherence", "atomics", "--quick", "--no-progress", "--max-time", "8s",
                           prefix=["taskset", "-c", str(min(os.sched_getaffinity(0)))])
        self.assertEqual(result.returncode, 0, result.stderr)
        d = self.document("results.json")
        self.assert_valid("results.json")
        self.assertTrue(any(c["value"] is not None for c in d["cells"]))
        for c in d["cells"]:
            self.assertTrue(c["value"] is not None or c["reason"], c)

    def test_many_more_threads_than_processors(self):
        self.succeeds("run", "locks.throughput", "--lock", "mutex", "--threads", "500", "--locks", "1", "--quick",
                      "--no-progress", "-o", "r.json", "--gap", "0")
        cells = [c for c in self.document("r.json")["cells"] if c["metric"] == "throughput"]
        self.assertTrue(cells)
        for c in cells:  # the processors of a virtual machine may move meanwhile, and the cell of that mode says so
            if c["value"] is None:
                self.assertRegex(c["reason"], "processors .* (moved|were in the mode)")
            else:
                self.assertGreater(c["value"], 0)

    def test_one_way_times_are_told_where_the_clocks_can_be_compared(self):
        self.succeeds("run", "coherence.pairs", "--protocol", "oneway", "--quick", "--no-progress", "-o", "r.json")
        d = self.document("r.json")
        apart_ns = d["clock"]["cross_cpu_offset_ns"]
        comparable = apart_ns is not None and apart_ns <= 1000
        for c in d["cells"]:
            if comparable and c["value"] is None:
                self.assertRegex(c["reason"], "^one processor|processors .* (moved|were in the mode)")
            elif not comparable:
                self.assertIsNone(c["value"])

    def test_stops_when_the_time_is_up(self):
        self.succeeds("run", "locks", "--full", "--no-progress", "--max-time", "1s", "-o", "r.json")
        self.assertFalse(self.document("r.json")["complete"])
        self.assert_valid("r.json")

    def test_a_disk_that_is_full_costs_only_what_did_not_fit(self):
        limited = ["bash", "-c", "ulimit -f 8; exec \"$@\"", "limited"]
        result = self.call("run", "atomics.throughput", "--threads", "1", "--no-progress", "-o", "r.json", prefix=limited)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("r.json.partial", result.stderr.splitlines()[-1])
        self.assertFalse(os.path.exists(self.path("r.json")))
        with open(self.path("r.json.partial"), encoding="utf-8") as journal:
            self.assertGreater(len([json.loads(line) for line in journal]), 1)

    def test_a_results_file_on_standard_output(self):
        result = self.succeeds(*SHORT, "-o", "/dev/stdout", stdout=subprocess.PIPE)
        self.assertIn('"schema": "synchroscope/1"', result.stdout)

    def test_a_device_that_is_full_has_no_journal_beside_it(self):
        result = self.call(*SHORT, "-o", "/dev/full")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertNotIn("partial", result.stderr)


class Tour(Case):
    def test_the_bare_program_tells_about_this_machine(self):
        result = self.succeeds()
        # Which sentences there are depends on what could be resolved; tests/results tries each of them.
        self.assertRegex(result.stdout, r"(?m)^- \w.*", result.stderr)
        self.assertIn("results.json", result.stdout)
        self.assertNotIn(ESCAPE, result.stdout + result.stderr)
        self.assertTrue(self.document("results.json")["complete"])
        self.assert_valid("results.json")
        if "no HTML report" not in result.stderr:
            self.assertIn("report.html", result.stdout)
            self.assertTrue(os.path.exists(self.path("report.html")))

    def test_a_busy_machine_is_seen_first_with_who_is_busy_and_what_to_do(self):
        endless = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
                   for _ in range(2 * len(os.sched_getaffinity(0)))]
        name = open(f"/proc/{endless[0].pid}/comm", encoding="utf-8").read().strip()
        process = subprocess.Popen([PROGRAM, "tour", "--wait", "1s"], cwd=self.home, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        try:
            said = [process.stderr.readline() for _ in range(4)]
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=100)
        finally:
            for one in endless:
                one.kill()
                one.wait()
        self.assertRegex(said[0], r"^warning: other programs use \d+\.\d of \d+ processors?: .*" + name)
        self.assertIn("Waiting for them, 1.0 s at most", said[1])
        self.assertIn("End them, or start it with --wait", said[2])
        self.assertIn("A tour of this machine", said[3])

    def asked_at_a_terminal(self, answer):
        """What the tour says on a busy machine behind its question, to a person who answers so; until it begins or waits."""
        endless = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
                   for _ in range(2 * len(os.sched_getaffinity(0)))]
        pid, terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 300, 0, 0))
            os.chdir(self.home)
            os.execve(PROGRAM, [PROGRAM, "tour"], {**os.environ, "TERM": "xterm", "NO_COLOR": "1"})
        text = ""
        try:
            while not re.search(r"Ctrl-C ends the tour|A tour of this machine", text):
                self.assertTrue(select.select([terminal], [], [], 100)[0], text)
                before = len(text)
                text += os.read(terminal, 65536).decode()
                if "Enter goes on: " in text and "Enter goes on: " not in text[:before]:
                    os.write(terminal, answer)
        finally:
            for one in endless:
                one.kill()
                one.wait()
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(terminal)
        self.assertRegex(text, r"^warning: other programs use \d+\.\d of \d+ processors?: ")
        return text.partition("Enter goes on: ")[2]

    def test_a_person_at_a_busy_machine_is_asked_whether_to_wait(self):
        said = self.asked_at_a_terminal(b"w\n")
        self.assertIn("Waiting for them; Ctrl-C ends the tour.", said)
        self.assertNotIn("A tour of this machine", said)
        self.assertIn("The tour goes on beside them", self.asked_at_a_terminal(b"\n"))

    def test_one_processor_is_enough(self):
        self.succeeds("tour", "--no-progress", "-o", "one.json", prefix=["taskset", "-c", str(min(os.sched_getaffinity(0)))])
        self.assert_valid("one.json")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can become a user without threads")
    def test_an_account_without_threads_learns_why_nothing_was_measured(self):
        os.chmod(self.home, 0o777)
        program = shutil.copy(PROGRAM, self.home)  # where that user can reach it
        result = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "prlimit", "--nproc=1",
                                 program, "tour", "--no-progress", "-o", "none.json"], cwd=self.home,
                                capture_output=True, text=True, timeout=200)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("synchroscope: nothing could be measured: the system started only", result.stderr)
        self.assert_valid("none.json")


class Losing(Case):
    """On a system whose semaphores wake nobody."""

    def test_a_lost_wake_up_ends_with_its_name_and_status_1_and_the_others_go_on(self):
        forgetful = os.environ.get("FORGETFUL")
        if not forgetful:
            self.skipTest("no semaphore that forgets was built")
        result = self.call("run", "wake.broadcast", "--primitive", "posix/sem,event", "--threads", "2", "--calls",
                           "each,one", "--quick", "--no-progress", "-o", "lost.json", env={"LD_PRELOAD": forgetful})
        self.assertEqual(result.returncode, 1, result.stderr)
        cells = self.document("lost.json")["cells"]
        broken = [c for c in cells if c["at"]["primitive"] == "posix/sem"]
        self.assertTrue(broken)
        for cell in broken:
            self.assertFalse(cell["valid"], cell)
            self.assertIsNone(cell["value"], cell)
            self.assertIn("posix/sem lost a wake-up", cell["reason"])
        self.assertTrue(any(c["valid"] and c["value"] for c in cells if c["at"]["primitive"] == "event"))


class Interrupted(Case):
    # One thread, so that it takes as long as planned while other tests run beside it.
    LONG = ["run", "coherence.local", "atomics.throughput", "--threads", "1", "-o", "r.json"]

    def start(self, *args):
        return subprocess.Popen([PROGRAM, *args], cwd=self.home, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def wait_for_entries(self, process, entries=3):
        journal = self.path("r.json.partial")
        for _ in range(1000):
            if os.path.exists(journal):
                with open(journal, encoding="utf-8") as file:
                    if len(file.readlines()) > entries:
                        return
            self.assertIsNone(process.poll(), "ended before anything was measured")
            time.sleep(0.02)
        self.fail("nothing was measured")

    def interrupt(self, number):
        process = self.start(*self.LONG)
        self.wait_for_entries(process)
        process.send_signal(number)
        _, errors = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 128 + number, errors)
        self.assertIn("--resume r.json", errors)

    def complete(self):
        before = {self.key(c) for c in self.document("r.json")["cells"]}
        self.succeeds("run", "--resume", "r.json", "--no-progress")
        d = self.document("r.json")
        self.assertTrue(d["complete"])
        self.assert_valid("r.json")
        self.assertLessEqual(before, {self.key(c) for c in d["cells"]})
        self.assertFalse(os.path.exists(self.path("r.json.partial")))
        return d

    @staticmethod
    def key(cell):
        return (cell["experiment"], cell["metric"], json.dumps(cell["at"], sort_keys=True))

    def test_a_run_that_time_ends_says_what_to_type_to_go_on(self):
        asked = self.succeeds("run", "coherence.local", "coherence.states", "--quick", "--max-time",
                              "300ms", "-o", "my results.json", "--no-progress")
        self.assertFalse(self.document("my results.json")["complete"])
        said = asked.stderr.splitlines()
        self.assertIn("not complete: coherence.", said[-2])
        typed = shlex.split(said[-1])
        self.assertEqual(typed, ["synchroscope", "run", "--resume", "my results.json"])
        completed = self.succeeds(*typed[1:], "--no-progress")
        self.assertTrue(self.document("my results.json")["complete"])
        self.assertNotIn("--resume", completed.stderr)

    def test_control_c_keeps_what_was_measured_and_resume_completes_it(self):
        self.interrupt(signal.SIGINT)
        d = self.document("r.json")
        self.assertFalse(d["complete"])
        self.assertTrue(d["cells"])
        self.assert_valid("r.json")
        completed = self.complete()
        self.assertEqual(completed["id"], d["id"])
        self.assertEqual(completed["invocation"]["seed"], d["invocation"]["seed"])

    def test_a_request_to_terminate_does_the_same(self):
        self.interrupt(signal.SIGTERM)
        self.assertFalse(self.document("r.json")["complete"])
        self.assert_valid("r.json")

    def test_timeout_signals_twice_and_is_obeyed_once(self):
        result = subprocess.run(["timeout", "-s", "INT", "3", PROGRAM, *self.LONG], cwd=self.home,
                                capture_output=True, text=True, timeout=100)
        self.assertEqual(result.returncode, 124, result.stderr)
        self.assertFalse(self.document("r.json")["complete"])
        self.assert_valid("r.json")

    def test_a_killed_run_is_resumed_from_its_journal(self):
        process = self.start(*self.LONG)
        self.wait_for_entries(process)
        process.kill()
        process.communicate()
        self.assertFalse(os.path.exists(self.path("r.json")))
        self.assertTrue(os.path.exists(self.path("r.json.partial")))
        self.succeeds("run", "--resume", "r.json", "--no-progress")
        self.assertTrue(self.document("r.json")["complete"])
        self.assert_valid("r.json")

    @staticmethod
    def place(cell):
        within = cell["noise"].get("within", [])
        return {axis: value for axis, value in cell["at"].items() if axis != "mode" and axis not in within}

    def assert_holds(self, document, entry):
        """Each value of a repetition is in the document, or the repetition is among the dropped ones, with a reason."""
        cells = [c for c in document["cells"] if c["experiment"] == entry["experiment"] and self.place(c) == entry["at"]]
        number = entry["repetition"]
        if any(number in which for c in cells for which in c["noise"].get("dropped", {}).values()):
            return
        for seen in entry["observations"]:
            at = {**entry["at"], **seen.get("within", {})}
            places = [c for c in cells if c["metric"] == seen["metric"]
                      and {axis: v for axis, v in c["at"].items() if axis != "mode"} == at]
            values = [c["samples"][c["noise"]["repetition"].index(number)]
                      for c in places if number in c["noise"].get("repetition", [])]
            self.assertEqual(values, [seen["value"]], (entry["experiment"], at, number))

    def journaled(self):
        with open(self.path("r.json.partial"), encoding="utf-8") as journal:
            lines = [json.loads(line) for line in journal.read().split("\n")[:-1]]
        return [line for line in lines if "repetition" in line]

    def test_what_was_journaled_by_runs_that_were_killed_is_in_the_document(self):
        asked = ["run", "coherence.pairs", "coherence.states", "atomics.throughput", "--quick", "-o", "r.json"]
        process = self.start(*asked)
        entries = []
        for kills in range(4):
            self.wait_for_entries(process, len(entries) + kills + 20)
            process.kill()
            process.communicate()
            entries = self.journaled()
            process = self.start("run", "--resume", "r.json", "--no-progress")
        _, errors = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 0, errors)
        self.assertGreaterEqual(len(entries), 4 * 19)  # each run was killed after 20, the last of which may be cut off
        document = self.document("r.json")
        self.assert_valid("r.json")
        for entry in entries:
            self.assert_holds(document, entry)

    def test_a_journal_gets_nothing_that_is_meant_for_a_closed_stream(self):
        process = subprocess.Popen(["bash", "-c", 'exec "$@" >&- 2>&-', "closed", PROGRAM, *self.LONG], cwd=self.home)
        self.wait_for_entries(process)
        process.kill()
        process.communicate()
        with open(self.path("r.json.partial"), encoding="utf-8") as journal:
            for line in journal.readlines()[:-1]:  # the last may be torn
                self.assertIsInstance(json.loads(line), dict)

    def test_two_runs_cannot_write_one_file(self):
        process = self.start(*self.LONG)
        self.wait_for_entries(process)
        self.refuses(3, *SHORT, "-o", "r.json", saying=["in use"])
        self.refuses(3, "run", "--resume", "r.json", "--no-progress", saying=["in use"])
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=100)
        self.assert_valid("r.json")

    def test_a_request_that_would_lose_what_was_measured(self):
        self.succeeds(*SHORT, "-o", "r.json")
        before = self.document("r.json")
        other = ["run", "--resume", "r.json", "--no-progress", "--level", "l2"]
        self.refuses(2, *other, saying=["r.json", "-o"])
        self.refuses(2, *other, "-o", "./r.json", saying=["r.json", "-o"])
        self.assertEqual(self.document("r.json"), before)
        self.succeeds(*other, "-o", "other.json")
        self.succeeds("run", "--resume", "r.json", "--no-progress", "--level", "l1,l2")

    def test_a_file_that_does_not_say_what_was_asked_for(self):
        self.succeeds(*SHORT, "-o", "r.json")
        d = self.document("r.json")
        d["invocation"] = {}
        with open(self.path("r.json"), "w", encoding="utf-8") as file:
            json.dump(d, file)
        self.refuses(2, "run", "--resume", "r.json", saying=["r.json", "resumed"])

    def test_a_journal_of_another_run_is_not_mixed_with_the_file_beside_it(self):
        self.succeeds(*SHORT, "-o", "r.json")
        older = self.document("r.json")
        process = self.start(*self.LONG)
        self.wait_for_entries(process)
        process.kill()
        process.communicate()
        self.succeeds("run", "--resume", "r.json", "--no-progress")
        self.assertNotEqual(self.document("r.json")["id"], older["id"])

    def test_a_terminal_that_is_closed_does_not_lose_anything(self):
        self.interrupt(signal.SIGHUP)
        self.assert_valid("r.json")


def refuse(numbers):
    """Sets a filter under which a system call fails: its number on each kind of processor."""
    number = numbers[os.uname().machine]
    load, jump_if_equal, answer = 0x20, 0x15, 0x06
    allow, fail_with_eperm = 0x7fff0000, 0x00050001
    program = b"".join(struct.pack("HBBI", *instruction) for instruction in (
        (load, 0, 0, 0), (jump_if_equal, 0, 1, number), (answer, 0, 0, fail_with_eperm), (answer, 0, 0, allow)))
    filters = ctypes.create_string_buffer(program)
    header = struct.pack("HxxxxxxP", 4, ctypes.addressof(filters))
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, seccomp, filter_mode = 38, 22, 2
    if libc.prctl(no_new_privileges, 1, 0, 0, 0) != 0 or libc.prctl(seccomp, filter_mode, header, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no filter of system calls")


def refuse_to_pin():
    """sched_setaffinity fails, as in some containers."""
    refuse({"x86_64": 203, "aarch64": 122})


def refuse_to_tell():
    """sched_getaffinity fails, as in some containers."""
    refuse({"x86_64": 204, "aarch64": 123})


class Unpinned(Case):
    def test_threads_that_cannot_be_pinned_measure_nothing(self):
        self.succeeds("run", "coherence.pairs", "locks.uncontested", "--lock", "tas", "--quick", "-o", "r.json",
                      preexec_fn=refuse_to_pin)
        cells = self.document("r.json")["cells"]
        self.assertTrue(cells)
        for cell in cells:
            self.assertIsNone(cell["value"], cell)
            # One-way times fall out before: clocks are compared on pinned threads, too.
            why = "clocks of two processors" if cell["at"].get("protocol") == "oneway" else "could not be pinned"
            # Beside other programs the two may also never meet.
            self.assertRegex(cell["reason"], why + "|did not run side by side", cell)
        self.assertTrue(any("could not be pinned" in cell["reason"] for cell in cells))
        self.assert_valid("r.json")

    def test_threads_that_nobody_wants_pinned_do(self):
        self.succeeds("run", "locks.throughput", "--lock", "tas", "--threads", "1", "--placement", "unpinned", "--quick",
                      "-o", "r.json", preexec_fn=refuse_to_pin)
        self.assertTrue(any(c["value"] is not None for c in self.document("r.json")["cells"]))


class Untold(Case):
    """Where the system does not say on which processors the program may run, of which hwloc would ask for ever."""

    def test_what_is_about_this_machine_is_refused_with_one_sentence(self):
        for words in ((), ("tour",), ("info",), ("check",), SHORT, ("run", "--estimate")):
            with self.subTest(words=words):
                self.refuses(3, *words, saying=["sched_getaffinity: Operation not permitted"], preexec_fn=refuse_to_tell)
                self.assertEqual(os.listdir(self.home), [])

    def test_what_is_not_goes_on(self):
        simulation = ("locks.uncontested", "--machine", "opteron", "--lock", "tas", "--quick", "--no-progress")
        for words in (("verify", "tas"), ("simulate", *simulation)):
            with self.subTest(words=words):
                self.succeeds(*words, preexec_fn=refuse_to_tell)
        self.succeeds("info", preexec_fn=refuse_to_tell, env={"HWLOC_SYNTHETIC": "core:2 pu:1"})


class Unread(Case):
    """Where there is no /sys to read the machine from."""

    def test_only_this_program_speaks(self):
        os.mkdir(self.path("empty"))
        nowhere = {**os.environ, "HWLOC_FSROOT": self.path("empty"), "HWLOC_THISSYSTEM": "1"}
        self.assertNotIn("hwloc", self.succeeds("info", env=nowhere).stderr)


class Drawing(Case):
    RUN = ["run", "atomics.throughput", "--threads", "1", "--quick", "-o", "r.json"]
    BAR = r"\d+ % [#-]+ .* left"

    def under_a_terminal(self, *args, env=None, width=100, height=40):
        """What appears on a terminal of so many columns and lines."""
        pid, terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
            os.chdir(self.home)
            environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
            environment.update({"TERM": "xterm", **(env or {})})
            os.execve(PROGRAM, [PROGRAM, *args], environment)
        text = b""
        while True:
            ready, _, _ = select.select([terminal], [], [], 100)
            try:
                block = os.read(terminal, 65536) if ready else b""
            except OSError:
                block = b""
            if not block:
                break
            text += block
        _, code = os.waitpid(pid, 0)
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(code), 0, text)
        return text.decode("utf-8", "replace")

    def test_a_terminal_has_a_bar_and_colours(self):
        text = self.under_a_terminal(*self.RUN)
        self.assertRegex(text, r"\d+ % .*#+.* left")
        self.assertIn(ESCAPE + "[", text)

    def assert_cut_between_words(self, *words, same=True):
        """At each width no line is longer, but for a word that is, and all words are there, whole."""
        whole = self.succeeds(*words).stdout.split()
        for width in (40, 60, 80):
            text = self.under_a_terminal(*words, env={"NO_COLOR": "1"}, width=width)
            for line in text.replace("\r", "").split("\n"):
                word = line.strip(" \\")
                too_long = " " not in word and len(word) + 2 * line.endswith("\\") > width
                self.assertTrue(len(line) <= width or too_long, (words, width, line))
            if same:
                self.assertEqual([word for word in text.split() if word != "\\"], whole, (words, width))

    def test_no_word_is_cut_in_help_and_lists(self):
        commands = re.findall(r"(?m)^  ([a-z]+) {3,}[A-Z]", self.succeeds("--help").stdout)
        self.assertGreater(len(commands), 15)
        self.assert_cut_between_words("--help")
        for command in commands:
            self.assert_cut_between_words("help", command)
        for what in ("", "experiments", "locks", "wakes", "primitives", "models"):
            self.assert_cut_between_words("list", *what.split(), same=what != "experiments")  # says how long it takes

    def test_what_an_experiment_takes_begins_a_line(self):
        text = self.under_a_terminal("list", "experiments", env={"NO_COLOR": "1"}, width=40)
        for line in text.split("\n"):
            self.assertNotRegex(line, r"\S +(axes|metrics): ")

    def test_no_word_is_cut_in_what_check_and_info_say(self):
        self.assert_cut_between_words("check", same=False)
        self.assert_cut_between_words("info", same=False)

    def test_no_word_is_cut_in_a_warning(self):
        text = self.under_a_terminal(*self.RUN, "--no-progress", env={"NO_COLOR": "1"}, width=40)
        self.assertIn("warning: ", text)
        for line in text.replace("\r", "").split("\n"):
            self.assertTrue(len(line) <= 40 or len(line.split()) == 1, line)

    def test_no_color_means_no_escape_codes(self):
        text = self.under_a_terminal(*self.RUN, env={"NO_COLOR": "1"})
        self.assertRegex(text, self.BAR)
        self.assertNotIn(ESCAPE, text)

    def test_a_dumb_terminal_gets_plain_lines(self):
        text = self.under_a_terminal(*self.RUN, env={"TERM": "dumb"})
        self.assertNotIn(ESCAPE, text)
        self.assertNotRegex(text, r"\r[^\n]")

    def test_no_progress_means_none(self):
        self.assertNotRegex(self.under_a_terminal(*self.RUN, "--no-progress"), self.BAR)

    def test_a_pipe_gets_no_escape_codes_at_all(self):
        result = self.succeeds(*self.RUN)
        self.assertNotIn(ESCAPE, result.stdout + result.stderr)
        self.assertNotIn("\r", result.stdout + result.stderr)
        for command in (["list", "locks"], ["list", "experiments"], ["info"], ["check"], ["show", "r.json"],
                        ["--help"]):
            result = self.succeeds(*command)
            self.assertNotIn(ESCAPE, result.stdout + result.stderr)


class Showing(Case):
    @classmethod
    def setUpClass(cls):
        cls.measured = tempfile.mkdtemp(prefix="synchroscope-test-")
        cls.addClassCleanup(shutil.rmtree, cls.measured, ignore_errors=True)
        subprocess.run([PROGRAM, "run", "coherence.local", "coherence.pairs", "--quick", "-o", "r.json"], check=True,
                       capture_output=True, cwd=cls.measured, timeout=200)

    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(self.measured, "r.json"), self.home)

    def test_all_or_some(self):
        text = self.succeeds("show", "r.json", "--tables").stdout
        self.assertIn("coherence.local", text)
        self.assertIn("coherence.pairs", text)
        some = self.succeeds("show", "r.json", "--experiment", "coherence.pairs", "--tables").stdout
        self.assertNotIn("coherence.local", some)

    def test_the_published_numbers_stand_beside(self):
        self.assertIn("Opteron", self.succeeds("show", "r.json", "--tables").stdout)

    def test_the_answer_is_on_one_screen_and_names_the_way_to_the_tables(self):
        for width in (60, 80, 200):
            text = self.on_a_terminal("show", "r.json", width=width, height=20)
            self.assertLess(len(text.splitlines()), 20, text)
            self.assertNotIn("from  ", text)  # a matrix
            self.assertIn("show r.json --tables", " ".join(text.split()))

    def test_tables_are_no_wider_than_the_terminal(self):
        d = self.document("r.json")
        some = next(c for c in d["cells"] if c["ci"])
        d["cells"] = [{**some, "experiment": "strange", "metric": "wake_of_thread", "unit": "ns", "flag": "unreliable",
                       "at": {"primitive": name}, "ci": [some["value"] / 99, some["value"] * 99]}
                      for name in ("std/condition_variable", "event")]
        for name in ("a.json", "b.json"):
            with open(self.path(name), "w", encoding="utf-8") as file:
                json.dump({**d, "id": name}, file)
        for words in (["show", "a.json", "--tables"], ["compare", "a.json", "b.json", "--tables"]):
            for width in (40, 60, 80):
                for line in self.on_a_terminal(*words, width=width, env={"PAGER": "cat"}).replace("\r", "").split("\n"):
                    self.assertLessEqual(len(line), width, (words, line))

    def test_a_finding_is_shown_on_a_small_terminal(self):
        d = self.document("r.json")
        some = next(c for c in d["cells"] if c["experiment"] == "coherence.local" and c["ci"])
        unsure = {**some, "ci": [0, 9 * some["value"]], "flag": "unreliable"}
        sure = {**some, "experiment": "strange.sure", "ci": [0.99 * some["value"], 1.01 * some["value"]], "flag": "ok"}
        d["cells"] = [{**unsure, "experiment": f"strange.{n}"} for n in range(60)] + [sure]
        with open(self.path("unsure.json"), "w", encoding="utf-8") as file:
            json.dump(d, file)
        for width, height in ((40, 24), (40, 30), (60, 20)):
            text = self.on_a_terminal("show", "unsure.json", width=width, height=height).replace("\r", "")
            self.assertLess(len(text.splitlines()), height, text)
            self.assertIn("- strange.sure, ", text)

    def test_tables_come_before_the_answer(self):
        answer = self.succeeds("show", "r.json").stdout.splitlines()[2]
        text = self.succeeds("show", "r.json", "--tables").stdout
        self.assertGreater(text.index(answer), text.index("Opteron"))
        self.assertGreater(len(text.splitlines()), 20)

    def test_the_answer_uses_the_height_there_is(self):
        d = self.document("r.json")
        some = next(c for c in d["cells"] if c["ci"])
        sure = {**some, "ci": [0.99 * some["value"], 1.01 * some["value"]], "flag": "ok"}
        d["cells"] = [{**sure, "experiment": f"strange.{n}"} for n in range(100)]
        with open(self.path("many.json"), "w", encoding="utf-8") as file:
            json.dump(d, file)
        for height in (15, 24, 50):
            text = self.on_a_terminal("show", "many.json", height=height)
            self.assertLess(len(text.splitlines()), height, text)
            self.assertGreater(len(text.splitlines()), height - 4, text)
            self.assertIn("more findings", text)
        self.assertLessEqual(len(self.succeeds("show", "many.json").stdout.splitlines()), 20)

    def on_a_terminal(self, *args, width=100, height=40, env=None):
        return Drawing.under_a_terminal(self, *args, env={"NO_COLOR": "1", **(env or {})}, width=width, height=height)

    def test_a_terminal_shows_tables_through_the_pager(self):
        lines = self.on_a_terminal("show", "r.json", "--tables", env={"PAGER": "sed 's/^/paged: /'"}).splitlines()
        tables = [line for line in lines if line.startswith("paged: ")]
        self.assertGreater(len(tables), 20)
        self.assertTrue(any("Opteron" in line for line in tables))
        answer = lines[len(tables):]
        self.assertTrue(answer and len(answer) <= 20, answer)

    def test_no_pager_where_there_is_no_terminal_or_no_such_program(self):
        plain = self.succeeds("show", "r.json", "--tables", env={"PAGER": "false"}).stdout
        self.assertIn("Opteron", plain)
        for pager in ("", "cat", "no-such-pager"):
            self.assertIn("Opteron", self.on_a_terminal("show", "r.json", "--tables", env={"PAGER": pager}), pager)

    def test_a_pager_that_is_left_at_once(self):
        self.assertNotIn("Opteron", self.on_a_terminal("show", "r.json", "--tables", env={"PAGER": "true"}))

    def test_json_is_one_object_with_findings_doubts_and_values(self):
        shown = json.loads(self.succeeds("show", "r.json", "--json").stdout)
        self.assertEqual(list(shown), ["schema", "id", "label", "complete", "started", "machine", "locks_to_take",
                                       "findings", "doubts", "warnings", "cells"])
        self.assertEqual(shown["schema"], "synchroscope-show/1")
        whole = self.document("r.json")
        self.assertEqual((shown["id"], shown["complete"]), (whole["id"], True))
        self.assertEqual([f["experiment"] for f in shown["findings"]], ["coherence.local", "coherence.pairs"])
        for cell, kept in zip(shown["cells"], whole["cells"], strict=True):
            self.assertEqual(list(cell), ["experiment", "at", "metric", "unit", "better", "value", "ci", "n", "flag",
                                          "reason", "valid"])
            self.assertEqual(cell, {name: kept[name] for name in cell})
        text = " ".join(self.succeeds("show", "r.json").stdout.split())
        for finding in shown["findings"]:
            for sentence in finding["sentences"]:
                self.assertIn(sentence, text)
        some = json.loads(self.succeeds("show", "r.json", "--json", "--experiment", "coherence.pairs").stdout)
        self.assertEqual([f["experiment"] for f in some["findings"]], ["coherence.pairs"])

    def test_each_claim_has_a_verdict_or_the_command_that_measures_it(self):
        claims = json.loads(self.succeeds("show", "r.json", "--claims", "--json").stdout)
        self.assertGreater(len(claims), 40)
        commands = set()
        for claim in claims:
            self.assertIn(claim["verdict"], ("holds", "does not hold", "not resolved", "not measured"))
            self.assertTrue(claim["says"] and claim["because"], claim)
            self.assertNotIn("synchroscope run", claim["because"])
            if claim["command"]:
                self.assertEqual(claim["verdict"], "not measured")
                commands.add(claim["command"])
        self.assertGreater(len(commands), 8)
        for command in commands:
            program, *words = shlex.split(command)
            self.assertEqual(program, "synchroscope")
            self.succeeds(*words, "--estimate")
        text = self.succeeds("show", "r.json", "--claims").stdout
        self.assertRegex(text, r"(?m)^S\d+ not measured\n    [A-Z].*\n    ")
        for command in commands:
            self.assertRegex(text, "(?m)^    " + re.escape(command) + "$")

    def test_an_experiment_that_is_not_in_the_file(self):
        self.refuses(2, "show", "r.json", "--experiment", "locks.ticket", saying=["'locks.ticket'", "coherence."])
        self.refuses(2, "show", "r.json", "--experiment", "")

    def test_a_screenful_is_enough_for_head(self):
        result = subprocess.run(["bash", "-c", f"{PROGRAM} show r.json | head -1"], cwd=self.home,
                                capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        self.assertEqual(len(result.stdout.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
