"""Programs whose locks are recorded: what is counted of them, what is named, what is refused.

    test_profile.py PROGRAM CLASS

The environment tells where the interposer and the programs of this folder are: PRELOAD, PROGRAMS (a folder).
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

import case as shared
from case import PROGRAM, program

PRELOAD = os.environ["PRELOAD"]
LOCKS = ("native", "mutex", "mcs/park", "hmcs/park")
PPROF = shutil.which("go")
SCHEDSTAT = pathlib.Path("/proc/self/schedstat")
QUEUES_ARE_TOLD = SCHEDSTAT.exists() and SCHEDSTAT.read_text(encoding="ascii").split()[2] != "0"
FLAME_GRAPH = shutil.which("inferno-flamegraph") or shutil.which("flamegraph.pl")


def lock_of(process, name, side=None):
    found = [lock for lock in process["locks"] if (lock["name"], lock["side"]) == (name, side)]
    assert len(found) == 1, (name, [lock["name"] for lock in process["locks"]])
    return found[0]


def counted(histogram):
    return sum(bucket["count"] for bucket in histogram)


def waits_of(lock):
    return counted(lock["wait"]["histogram"]) + counted(lock["wait"]["long"]["histogram"])


class Case(shared.Case):
    def profile(self, *words, status=0, options=("--every", "1"), lock="native"):
        """The processes of the document; nothing may stand on standard output."""
        file = self.path("profile.json")
        result = self.call(PROGRAM, "profile", "--lock", lock, *options, "-o", file, "--", *words)
        self.assertEqual((result.returncode, result.stdout), (status, ""), result.stderr)
        with open(file, encoding="utf-8") as text:
            document = json.load(text)
        self.assertEqual(document["format"], "synchroscope-profile-1")
        self.assertEqual((document["command"], document["lock"]), (list(words), lock))
        return document["processes"]


class Counts(Case):
    def test_acquisitions_and_threads_are_as_they_were(self):
        for lock in LOCKS:
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "counted", lock=lock)
                hot, cold = lock_of(process, "hot_mutex"), lock_of(process, "cold_mutex")
                self.assertEqual((hot["acquisitions"], hot["samples"], hot["threads"]), (4000, 4000, 4))
                self.assertEqual((hot["contended"], hot["wait"]["histogram"]), (0, []))
                self.assertEqual(hot["hold"]["samples"], 4000)
                self.assertEqual(counted(hot["hold"]["histogram"]), 4000)
                self.assertEqual((hot["hand_offs"], hot["more_threads"]), (3, False))
                self.assertEqual((cold["acquisitions"], cold["threads"], cold["hand_offs"]), (10, 1, 0))
                self.assertEqual(lock_of(process, "standard_mutex")["acquisitions"], 7)
                self.assertEqual(process["threads"], 5)
                self.assertGreater(process["seconds"], 0)
                self.assertEqual(process["lost"], {"samples": 0, "spans": 0, "orders": 0, "children": 0})

    def test_calls_past_what_stands_in_front_are_counted(self):
        """Half of those of a program that locks in two ways (past.cpp), both ways round."""
        for lock in LOCKS:
            for way, more in (("deep", 2), ("handle", 0)):  # as the library is loaded
                with self.subTest(lock=lock, way=way):
                    [process] = self.profile(program("past"), way, "counted", lock=lock)
                    shared_mutex = lock_of(process, "shared_mutex")
                    self.assertEqual(shared_mutex["acquisitions"], 202 + more)
                    self.assertEqual(shared_mutex["condition_waits"]["count"], 2)

    def test_who_must_wait_is_contended(self):
        for lock in ("native", "mutex", "mcs/park"):
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "contended", lock=lock)
                hot = lock_of(process, "hot_mutex")
                self.assertEqual((hot["acquisitions"], hot["contended"], hot["contended_share"]), (10, 5, 0.5))
                self.assertEqual(waits_of(hot), 5)
                self.assertGreater(hot["wait"]["estimated_total_ns"], 0)
                self.assertEqual((hot["threads"], hot["hand_offs"]), (6, 9))
                self.assertLessEqual(hot["hand_offs_between_domains"], 9)

    def test_long_waits_are_all_counted_whatever_is_sampled(self):
        for lock in ("native", "mutex", "mcs/park"):
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "contended", options=("--every", "100000"), lock=lock)
                wait = lock_of(process, "hot_mutex")["wait"]
                self.assertEqual(counted(wait["long"]["histogram"]), 5)
                self.assertGreater(wait["long"]["total_ns"], 5 * 1024)
                self.assertEqual(wait["estimated_total_ns"], wait["long"]["total_ns"])
                self.assertEqual(wait["interval_ns"], [wait["long"]["total_ns"]] * 2)  # nothing is estimated
                self.assertTrue(wait["sure"])
                self.assertGreaterEqual(lock_of(process, "hot_mutex")["acquisitions"], 5)
                [process] = self.profile(program("profiled"), "contended_rwlock", options=("--every", "100000"), lock=lock)
                for side in ("reading", "writing"):
                    self.assertEqual(counted(lock_of(process, "table_lock", side)["wait"]["long"]["histogram"]), 3)

    def test_waits_for_conditions(self):
        for lock in ("native", "mutex"):
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "conditions", lock=lock)
                hot, cold = lock_of(process, "hot_mutex"), lock_of(process, "cold_mutex")
                self.assertGreaterEqual(hot["condition_waits"]["count"], 38)
                self.assertEqual(cold["condition_waits"]["count"], 1)
                self.assertGreater(cold["condition_waits"]["total_ns"], 0)
                self.assertEqual((hot["acquisitions"], cold["acquisitions"]), (2, 2))
                [waited] = [t["condition_seconds"] for t in process["by_thread"] if t["samples"] == 2]
                self.assertAlmostEqual(waited, cold["condition_waits"]["total_ns"] * 1e-9, places=9)

    def test_recursive_ones_are_held_until_the_last_is_given_back(self):
        [process] = self.profile(program("profiled"), "recursive")
        [made] = [lock for lock in process["locks"] if "recursive()" in lock["name"]]
        self.assertEqual((made["acquisitions"], made["hold"]["samples"], made["made_by"]), (2, 1, "initialisation"))
        self.assertEqual(process["cycles"], [])
        for lock in ("native", "mutex"):
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "held_twice", lock=lock)
                self.assertEqual([len(cycle) for cycle in process["cycles"]], [2])

    def test_one_in_k_is_looked_at_and_k_is_told(self):
        [process] = self.profile(program("profiled"), "many", options=())
        hot = lock_of(process, "hot_mutex")
        self.assertEqual(process["every"], 64)
        self.assertEqual(hot["acquisitions"], 64 * hot["samples"])
        self.assertLess(abs(hot["samples"] - 100_000 / 64), 100_000 / 64 * 0.2)  # some eight standard deviations
        result = self.call(PROGRAM, "profile", "--every", "10", "--", program("profiled"), "many")
        self.assertIn("One acquisition in 10 was sampled", result.stderr)


class Kinds(Case):
    """Readers-writers locks and spin locks."""

    SERVERS = ("native", "mutex", "mcs/park", "shared_mutex", "phase_fair/yield", "big_reader/yield")

    def test_readers_and_writers_are_told_apart(self):
        for lock in self.SERVERS:
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "rwlocks", lock=lock)
                reading, writing = (lock_of(process, "table_lock", side) for side in ("reading", "writing"))
                self.assertEqual({reading["kind"], writing["kind"]}, {"rwlock"})
                self.assertEqual((reading["acquisitions"], writing["acquisitions"]), (305, 34))
                self.assertEqual((reading["threads"], writing["threads"]), (4, 4))
                self.assertEqual((reading["contended"], writing["contended"]), (0, 0))
                self.assertEqual(reading["hand_offs"], None)
                self.assertEqual(writing["hand_offs"], 3)
                # who reads several times at once holds it once
                self.assertEqual((counted(reading["hold"]["histogram"]), counted(writing["hold"]["histogram"])), (301, 34))
                self.assertEqual(len(process["locks"]), 2)

    def test_who_waits_for_the_other_side_is_contended(self):
        for lock in ("native", "mutex"):
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "contended_rwlock", lock=lock)
                for side in ("reading", "writing"):
                    found = lock_of(process, "table_lock", side)
                    self.assertEqual((found["acquisitions"], found["contended"]), (6, 3))
                    self.assertEqual(waits_of(found), 3)

    def test_an_order_is_of_the_lock_whichever_side_is_held(self):
        for lock in ("native", "mutex", "phase_fair/yield"):
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "rwlock_cycle", lock=lock)
                [cycle] = process["cycles"]
                self.assertEqual([(o["held"], o["taken"]) for o in cycle],
                                 [("table_lock", "cold_mutex"), ("cold_mutex", "table_lock")])

    def test_spin_locks(self):
        for lock in self.SERVERS:
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "spin_locks", lock=lock)
                found = lock_of(process, "quick_lock")
                self.assertEqual((found["kind"], found["made_by"]), ("spinlock", "initialisation"))
                self.assertEqual((found["acquisitions"], found["threads"], found["hand_offs"]), (153, 3, 2))
                self.assertEqual(counted(found["hold"]["histogram"]), 153)
                self.assertEqual([[(o["held"], o["taken"]) for o in cycle] for cycle in process["cycles"]],
                                 [[("quick_lock", "cold_mutex"), ("cold_mutex", "quick_lock")]])

    def test_the_child_of_a_fork_goes_on_with_them(self):
        for lock in ("native", "mutex"):
            with self.subTest(lock=lock):
                parent, child = self.profile(program("profiled"), "forked_spin", lock=lock)
                self.assertEqual([lock_of(p, "quick_lock")["acquisitions"] for p in (parent, child)], [50, 100])
                self.assertEqual([lock_of(child, "table_lock", side)["acquisitions"] for side in ("reading", "writing")],
                                 [100, 10])

    def test_the_table_names_the_sides(self):
        result = self.call(PROGRAM, "profile", "--every", "1", "--", program("profiled"), "rwlocks")
        self.assertRegex(result.stderr, r"(?m)^table_lock \(reading\) +305 ")
        self.assertRegex(result.stderr, r"(?m)^table_lock \(writing\) +34 ")


class Names(Case):
    def test_a_variable_is_no_code_of_a_type(self):
        """`x` is also the code of `long long` where names are mangled."""
        [process] = self.profile(program("profiled"), "short_names")
        self.assertEqual(lock_of(process, "x")["acquisitions"], 3)

    def test_objects_of_the_heap_are_named_by_where_they_were_made(self):
        [process] = self.profile(program("profiled"), "objects")
        self.assertEqual(len(process["locks"]), 3)
        for lock in process["locks"]:
            self.assertTrue(lock["name"].startswith("made at ") and "objects()" in lock["name"], lock["name"])
            self.assertEqual(lock["made_by"], "initialisation")
            self.assertEqual(list(lock["object"]), ["address"])
        result = self.call(PROGRAM, "profile", "--every", "1", "--", program("profiled"), "objects")
        self.assertIn("(3 locks)", result.stderr)

    def test_static_ones_tell_where_they_were_first_used(self):
        [process] = self.profile(program("profiled"), "counted")
        hot = lock_of(process, "hot_mutex")
        self.assertEqual(hot["made_by"], "first use")
        self.assertTrue(any("thousand" in call.get("symbol", "") for call in hot["made_at"]), hot["made_at"])
        self.assertEqual(os.path.realpath(hot["object"]["module"]), os.path.realpath(program("profiled")))

    def test_of_a_stripped_program_module_and_offset_are_told(self):
        if shutil.which("strip") is None:
            self.skipTest("no strip")
        stripped = self.path("stripped")
        self.assertEqual(self.call("strip", "-o", stripped, program("profiled")).returncode, 0)
        listed = self.call("nm", program("profiled")).stdout.splitlines()
        [address] = [int(line.split()[0], 16) for line in listed if line.endswith(" hot_mutex")]
        [process] = self.profile(stripped, "counted")
        self.assertEqual(lock_of(process, f"stripped+{address:#x}")["acquisitions"], 4000)


class Between(Case):
    """What is between acquisitions: gaps, what follows what, what is taken within what."""

    def pairs_of(self, process, what):
        names = [lock["name"] for lock in process["locks"]]
        return {(names[two["first"]], names[two["second"]]): two[what] for two in process["pairs"] if two[what]}

    def test_a_gap_ends_with_the_threads_next_acquisition(self):
        for lock in LOCKS:
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "counted", lock=lock)
                gaps = [lock_of(process, name)["gap"] for name in ("hot_mutex", "cold_mutex", "standard_mutex")]
                self.assertEqual([gap["samples"] for gap in gaps], [4 * 999, 10, 6])
                self.assertEqual([counted(gap["histogram"]) for gap in gaps], [4 * 999, 10, 6])
                # A lock that is met for the first time has no record yet, so that it follows nothing.
                self.assertEqual(self.pairs_of(process, "follows"),
                                 {("hot_mutex", "hot_mutex"): 4 * 999, ("cold_mutex", "cold_mutex"): 9,
                                  ("standard_mutex", "standard_mutex"): 6})
                self.assertEqual(self.pairs_of(process, "inside"), {})

    def test_samples_are_as_many_with_gaps_as_without(self):
        """A gap is ended by an acquisition that is no sample of its own."""
        samples = 0
        for _ in range(5):
            [process] = self.profile(program("profiled"), "counted", options=("--every", "10"))
            samples += lock_of(process, "hot_mutex")["samples"]
        self.assertLess(abs(samples - 2000), 250)  # six standard deviations of independent ones

    def test_a_lock_within_another(self):
        for lock in ("native", "mcs/park"):
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "ordered", lock=lock)
                self.assertEqual(self.pairs_of(process, "inside"), {("hot_mutex", "cold_mutex"): 10})
                self.assertEqual(self.pairs_of(process, "follows"), {("hot_mutex", "hot_mutex"): 9})
                self.assertEqual(lock_of(process, "cold_mutex")["gap"]["samples"], 0, "something is held after it")

    def test_a_lock_that_is_tried_within_another(self):
        [process] = self.profile(program("profiled"), "tried")
        self.assertEqual(self.pairs_of(process, "inside"), {("hot_mutex", "cold_mutex"): 1})
        self.assertEqual(self.pairs_of(process, "tried"), {("cold_mutex", "hot_mutex"): 1})

    @unittest.skipUnless(QUEUES_ARE_TOLD, "this system does not tell how long a thread waits for processors")
    def test_threads_that_sleep_and_threads_that_wait_for_a_processor_are_told_apart(self):
        """Who sleeps a hundred times for a millisecond does so whatever else runs; who never sleeps only waits."""
        [process] = self.profile(program("profiled"), "resting")
        self.assertEqual(len(process["by_thread"]), 2)
        for thread in process["by_thread"]:
            self.assertGreater(thread["samples"], 80)
            self.assertGreater(thread["seconds"] - thread["worked_seconds"] - thread["queued_seconds"], 0.08)
        [process] = self.profile(program("profiled"), "crowded")
        self.assertEqual(len(process["by_thread"]), 2)
        seconds, worked, queued = (sum(thread[of] for thread in process["by_thread"])
                                   for of in ("seconds", "worked_seconds", "queued_seconds"))
        self.assertGreater(queued, 0.5 * (seconds - worked))  # the rest: a hypervisor's, and what was not asked for yet
        self.assertGreater(queued, 0.5 * worked)  # the two cannot run at a time
        self.assertLess(queued, 1.01 * (seconds - worked))
        result = self.call(PROGRAM, "predict", self.path("profile.json"), "--machine", "opteron")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"its threads waited for a processor for \d+(\.\d)? % of their time")


class Orders(Case):
    def test_taken_in_both_orders_is_a_cycle_with_both_stacks(self):
        for lock in ("native", "mcs"):
            with self.subTest(lock=lock):
                [process] = self.profile(program("profiled"), "cycle", lock=lock, options=())
                [cycle] = process["cycles"]
                self.assertEqual([(o["held"], o["taken"]) for o in cycle],
                                 [("hot_mutex", "cold_mutex"), ("cold_mutex", "hot_mutex")])
                for order in cycle:
                    self.assertTrue(any("cycle()" in call.get("symbol", "") for call in order["calls"]))
        result = self.call(PROGRAM, "profile", "--", program("profiled"), "cycle")
        self.assertIn("with cold_mutex held, hot_mutex was taken", result.stderr)

    def test_one_order_is_no_cycle(self):
        for case in ("ordered", "tried", "recursive"):
            with self.subTest(case=case):
                [process] = self.profile(program("profiled"), case)
                self.assertEqual(process["cycles"], [])


class Processes(Case):
    def test_a_child_has_counts_of_its_own(self):
        parent, child = self.profile(program("profiled"), "forked")
        self.assertEqual(child["parent"], parent["pid"])
        self.assertEqual([lock_of(p, "hot_mutex")["acquisitions"] for p in (parent, child)], [3, 5])
        self.assertIsNotNone(parent["seconds"])
        self.assertIsNone(child["seconds"])  # it ended by _exit

    def test_a_program_that_goes_on_as_another_user(self):
        if os.getuid() != 0:
            self.skipTest("only root can become another user")
        processes = self.profile(program("profiled"), "another_user")
        self.assertEqual([lock_of(p, "hot_mutex")["acquisitions"] for p in processes], [3, 5])

    def test_its_children_beyond_those_there_is_room_for_are_counted(self):
        if os.getuid() != 0:
            self.skipTest("only root can become another user")
        first, *children = self.profile(program("profiled"), "many_heirs")
        self.assertEqual([lock_of(p, "hot_mutex")["acquisitions"] for p in children], [5] * 63)
        self.assertEqual(len({p["pid"] for p in children}), 63)
        self.assertEqual((first["lost"]["children"], {p["lost"]["children"] for p in children}), (8, {0}))
        result = self.call(PROGRAM, "profile", "--", program("profiled"), "many_heirs")
        self.assertIn("not recorded: 8 child processes, which could not write", result.stderr)

    def test_a_program_that_begins_as_another_user_says_that_it_is_not_recorded(self):
        if os.getuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("only root can become another user")
        os.chmod(self.home, 0o755)
        shutil.copy(PRELOAD, self.home)  # where that user can read it
        result = self.call(self.copied(), "profile", "--", "setpriv", "--reuid=65534",
                           "--regid=65534", "--clear-groups", "sh", "-c", "echo $$")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"process {result.stdout.strip()} is not recorded: it began as user 65534", result.stderr)

    def test_nobody_else_can_put_a_file_where_recordings_are_read(self):
        result = self.call(PROGRAM, "profile", "--", "sh", "-c", 'stat -c "%a %u" "$SYNCHRO_PRELOAD_PROFILE"')
        self.assertEqual(result.stdout.split(), ["700", str(os.geteuid())])

    def test_what_another_user_copied_in_is_not_shown(self):
        if os.getuid() != 0 or shutil.which("setpriv") is None:
            self.skipTest("only root can become another user")
        script = ('"$0" counted & wait; cat "$SYNCHRO_PRELOAD_PROFILE/$!.1" >copy; '
                  'setpriv --reuid=65534 --regid=65534 --clear-groups sh -c \'cat >"$SYNCHRO_PRELOAD_PROFILE/7.0"\' <copy; '
                  'cp copy "$SYNCHRO_PRELOAD_PROFILE/8.0"; chown 65534 "$SYNCHRO_PRELOAD_PROFILE/8.0"')
        processes = self.profile("sh", "-c", script, program("profiled"))
        self.assertEqual(len([p for p in processes if any(l["name"] == "hot_mutex" for l in p["locks"])]), 1)

    def test_what_was_recorded_outlives_the_program(self):
        [process] = self.profile(program("profiled"), "killed", status=-signal.SIGKILL)
        self.assertEqual(lock_of(process, "hot_mutex")["acquisitions"], 6)
        first = self.profile(program("profiled"), "replaced")[0]
        self.assertEqual(lock_of(first, "hot_mutex")["acquisitions"], 6)

    def test_output_and_exit_status_are_the_commands(self):
        result = self.call(PROGRAM, "profile", "--", "sh", "-c", "echo out; exit 41")
        self.assertEqual((result.returncode, result.stdout), (41, "out\n"))
        self.assertEqual(self.call(PROGRAM, "profile", "--", "sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)

    def test_a_request_to_terminate_is_handed_on(self):
        script = "trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done"
        with subprocess.Popen([PROGRAM, "profile", "--", "sh", "-c", script], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as child:
            self.assertEqual(child.stdout.readline(), "ready\n")
            child.terminate()
            self.assertEqual(child.wait(timeout=250), 9)

    def test_a_request_to_terminate_while_it_is_started_is_handed_on(self):
        before = os.environ.get("LD_PRELOAD")
        for when in ("prepared", "before", "after"):
            with self.subTest(when=when):
                environment = {**os.environ, "ASKED_TO_END": when,
                               "LD_PRELOAD": ":".join(filter(None, (program("asked_to_end.so"), before)))}
                result = self.call(PROGRAM, "profile", "--", "sleep", "30", env=environment)
                self.assertEqual((result.returncode, result.stdout), (-signal.SIGTERM, ""), result.stderr)

    def test_behaviour_is_as_without(self):
        for case in ("kinds", "misuse", "exclusion", "timed", "notified", "queued", "timed_waits", "cancelled", "forked",
                     "readers_and_writers", "left_alone", "every_call"):
            for lock in ("native", "mutex"):
                with self.subTest(case=case, lock=lock):
                    self.profile(program("interposed"), case, lock=lock, options=("--every", "3"))
        for name in ("standard", "c11"):
            if os.path.exists(program(name)):
                for lock in ("native", "mutex"):
                    with self.subTest(name=name, lock=lock):
                        self.profile(program(name), lock=lock)


class Files(Case):
    def test_json_in_place_of_the_table(self):
        result = self.call(PROGRAM, "profile", "--json", "--", program("profiled"), "counted")
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertEqual(json.loads(result.stderr)["format"], "synchroscope-profile-1")

    def test_a_verdict_comes_first(self):
        words = (program("profiled"), "contended")
        said = self.call(PROGRAM, "profile", "--every", "1", "--", *words).stderr
        text, table = said.split("(process ", 1)
        self.assertTrue(text.startswith("The lock hot_mutex is waited for longest: "), text)
        self.assertIn("\n  synchroscope tune -- ", text)
        self.assertNotIn("--profile", text)  # there is no file that it could read
        self.assertIn("hot_mutex ", table)
        said = self.call(PROGRAM, "profile", "--every", "1", "-o", "p q.json", "--", *words).stderr
        self.assertIn("--profile 'p q.json' --lock hot_mutex\n", said)

    def test_no_verdict_where_no_lock_was_taken(self):
        said = self.call(PROGRAM, "profile", "--", "true").stderr
        self.assertTrue(said.startswith("\n"), said)

    def test_a_trace_of_what_was_sampled(self):
        result = self.call(PROGRAM, "profile", "--every", "1", "--trace", "trace.json", "--", program("profiled"),
                           "contended")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("trace.json"), encoding="utf-8") as text:
            events = json.load(text)["traceEvents"]
        spans = [event for event in events if event["ph"] == "X"]
        self.assertEqual(sorted(event["name"] for event in spans), ["hold: hot_mutex"] * 10 + ["wait: hot_mutex"] * 5)
        self.assertEqual(len({event["tid"] for event in spans}), 6)
        for event in spans:
            self.assertGreaterEqual(min(event["ts"], event["dur"]), 0)
        ends = [e["ts"] + e["dur"] for e in spans if e["name"].startswith("wait")]
        begins = [e["ts"] for e in spans if e["name"].startswith("hold")]
        for end in ends:  # a hold begins where its wait ends
            self.assertLess(min(abs(end - begin) for begin in begins), 0.01)

    def test_a_trace_is_as_its_format_wants_it(self):
        """Trace Event Format: fields, phases, and events of one thread that lie within each other or apart."""
        result = self.call(PROGRAM, "profile", "--every", "1", "--trace", "trace.json", "--", program("profiled"), "counted",
                           "hand_over_hand", "recursive", "contended_rwlock", "forked")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("trace.json"), encoding="utf-8") as text:
            trace = json.load(text)
        self.assertEqual(set(trace), {"displayTimeUnit", "otherData", "traceEvents"})
        self.assertIn(trace["displayTimeUnit"], ("ms", "ns"))
        own = {"M": {"args"}, "X": {"ts", "cat", "dur"}, "b": {"ts", "cat", "id2"}, "e": {"ts", "cat", "id2"}}
        for event in trace["traceEvents"]:
            self.assertEqual(set(event), {"name", "ph", "pid", "tid"} | own[event["ph"]])
            self.assertTrue(all(isinstance(event[key], int) for key in ("pid", "tid")), event)
            self.assertTrue(all(event[key] >= 0 for key in ("ts", "dur") if key in event), event)
        of = {phase: [e for e in trace["traceEvents"] if e["ph"] == phase] for phase in own}
        self.assertEqual({(e["name"], type(e["args"]["name"])) for e in of["M"]}, {("process_name", str)})
        self.assertEqual({e["pid"] for e in of["X"]}, {e["pid"] for e in of["M"]})
        pairs = [[(e["pid"], e["cat"], e["id2"]["local"], e["name"]) for e in of[phase]] for phase in "be"]
        self.assertEqual(pairs[0], pairs[1])
        self.assertEqual((len(pairs[0]), len(set(pairs[0])), {key[3] for key in pairs[0]}), (3, 3, {"hold: cold_mutex"}))
        self.assertTrue({"wait: table_lock (reading)", "hold: table_lock (writing)"} <= {e["name"] for e in of["X"]})
        self.nest(of["X"])

    def nest(self, events):
        lanes = {}
        for event in events:
            begin = round(event["ts"] * 1000)
            lanes.setdefault((event["pid"], event["tid"]), []).append((begin, -round(event["dur"] * 1000)))
        for spans in lanes.values():
            around = []
            for begin, minus in sorted(spans):
                while around and around[-1] <= begin:
                    around.pop()
                self.assertTrue(not around or begin - minus <= around[-1], (begin, minus, around))
                around.append(begin - minus)

    def waits_on_paths(self, *options):
        """What was waited, by the document; every one for longer than what is sampled."""
        result = self.call(PROGRAM, "profile", *options, "-o", "p.json", "--", program("profiled"), "waited_on_paths")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("p.json"), encoding="utf-8") as text:
            [process] = json.load(text)["processes"]
        return process["pid"], lock_of(process, "hot_mutex")["wait"]["long"]["total_ns"]

    def test_folded_stacks_are_of_all_long_waits_by_call_path(self):
        pid, waited = self.waits_on_paths("--folded", "f.txt")
        with open(self.path("f.txt"), encoding="utf-8") as text:
            paths = dict(line.rsplit(" ", 1) for line in text.read().splitlines())
        self.assertEqual(sum(map(int, paths.values())), waited)
        self.assertTrue(all(path.startswith(f"profiled ({pid});") for path in paths), paths)
        self.assertTrue(all(path.endswith("::locked(pthread_mutex_t*);[hot_mutex]") for path in paths), paths)
        elsewhere = [path for path in paths if "::wait_elsewhere(void*);" in path]
        self.assertEqual((len(paths), len(elsewhere)), (2, 1), paths)
        self.assertTrue(all(int(ns) >= 1_000_000 for ns in paths.values()))

    @unittest.skipUnless(FLAME_GRAPH, "there is no program that draws flame graphs")
    def test_folded_stacks_make_a_flame_graph(self):
        self.waits_on_paths("--folded", "f.txt")
        drawn = self.call(FLAME_GRAPH, self.path("f.txt"))
        self.assertEqual(drawn.returncode, 0, drawn.stderr)
        for name in ("wait_elsewhere", "[hot_mutex]"):
            self.assertIn(name, drawn.stdout)

    @unittest.skipUnless(PPROF, "there is no go, whose pprof would open it")
    def test_pprof_opens_the_same(self):
        _, waited = self.waits_on_paths("--pprof", "w.pb")

        def asked(*options):
            told = self.call(PPROF, "tool", "pprof", *options, "w.pb")
            self.assertEqual(told.returncode, 0, told.stderr)
            return told.stdout

        raw = asked("-raw")
        self.assertIn("contentions/count delay/nanoseconds[dflt]", raw)
        rows = [line.split(":")[0].split() for line in raw.split("Samples:\n")[1].split("Locations")[0].splitlines()]
        samples = [list(map(int, row)) for row in rows if len(row) == 2 and "".join(row).isdigit()]
        self.assertEqual((sorted(s[0] for s in samples), sum(s[1] for s in samples)), ([1, 2], waited))
        self.assertIn("hot_mutex", asked("-tags"))
        top = asked("-top", "-cum", "-sample_index=contentions")
        self.assertRegex(top, r"(?m)^ +0 .* +1 .*::wait_elsewhere$")
        self.assertRegex(top, r"(?m)^ +3 .* +3 .*::locked$")

    def test_nothing_is_left_behind(self):
        result = self.call(PROGRAM, "profile", "--", "sh", "-c", "echo $SYNCHRO_PRELOAD_PROFILE")
        self.assertFalse(os.path.exists(result.stdout.strip()))
        self.assertNotEqual(result.stdout.strip(), "")


class Refusals(Case):
    def profile_of(self, *words):
        return self.call(PROGRAM, "profile", *words)

    def test_mistakes_on_the_command_line(self):
        self.refuses(2, self.profile_of(), "profile needs a command: synchroscope profile -- COMMAND")
        self.refuses(2, self.profile_of("--", "no-such-program"), "no program 'no-such-program'")
        self.refuses(2, self.profile_of("--lock", "msc", "--", "true"), "lock 'msc'", "mcs")
        for k in ("0", "-1", "x", "1000000", "1.5"):
            self.refuses(2, self.profile_of("--every", k, "--", "true"), "--every takes a whole number", k)

    def test_outputs_that_cannot_be_written(self):
        self.refuses(2, self.profile_of("-o", "/no/such/folder/f", "--", "sh", "-c", "echo ran"), "/no/such/folder")
        self.refuses(2, self.profile_of("--trace", self.home, "--", "sh", "-c", "echo ran"), self.home)
        for option in ("--trace", "--folded", "--pprof"):
            self.refuses(2, self.profile_of("-o", "f", option, "f", "--", "sh", "-c", "echo ran"), "f is an input file")

    def test_programs_that_cannot_be_looked_into(self):
        if os.path.exists(program("static_program")):
            self.refuses(3, self.profile_of("--", program("static_program")), "static")
        self.refuses(3, self.profile_of("--", program("own_lock")), "pthread_mutex_lock of its own")

    def test_a_program_with_another_users_rights(self):
        copy = self.with_another_users_rights(program("profiled"))
        self.refuses(3, self.profile_of("--", copy), "rights")

    def test_where_nothing_can_be_recorded_the_program_runs_all_the_same(self):
        environment = {**os.environ, "LD_PRELOAD": PRELOAD, "SYNCHRO_PRELOAD_LOCK": "native",
                       "SYNCHRO_PRELOAD_PROFILE": "/no/such/folder"}
        result = self.call(program("profiled"), "counted", "cycle", env=environment)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        limited = self.call("sh", "-c", f"ulimit -f 8; exec {PROGRAM} profile -- {program('profiled')} counted")
        self.assertEqual((limited.returncode, limited.stdout), (0, ""))
        self.assertIn("nothing was recorded", limited.stderr)


if __name__ == "__main__":
    unittest.main()
