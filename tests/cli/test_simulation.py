"""The program's simulated machines: what is simulated, the models, and what is said of mistakes.

    test_simulation.py PROGRAM [CLASS...]
"""

import copy
import json
import os
import signal
import subprocess
import time
import unittest

import test_program
from test_program import Case  # which takes PROGRAM off the arguments

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")


def model(name):
    with open(os.path.join(MODELS, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


class SimulationCase(Case):
    def write(self, name, document):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(document if isinstance(document, str) else json.dumps(document))
        return name

    def simulate(self, *args, output="x.json"):
        self.succeeds("simulate", *args, "--no-progress", "-o", output)
        self.assert_valid(output)
        return self.document(output)


class Simulating(SimulationCase):
    STATES = ["coherence.states", "--operation", "load,cas", "--state", "modified", "--home", "holder"]

    def test_gives_the_cells_of_run_with_what_was_assumed(self):
        found = self.simulate(*self.STATES, "--machine", "opteron")
        self.assertEqual(found["machine"]["kind"], "simulated")
        self.assertEqual(found["machine"]["model_name"], "opteron")
        self.assertTrue(found["machine"]["models"][0]["constants"])
        self.assertGreater(found["invocation"]["memory_events"], 0)
        cycles = {(c["at"]["operation"], c["at"]["distance"]): (c["value"], c["unit"]) for c in found["cells"]
                  if c["metric"] == "latency_cycles"}
        self.assertEqual(cycles["load", "same_die"], (81, "cycle"))
        self.assertEqual(cycles["cas", "two_hops"], (296, "cycle"))
        self.assertTrue(all(len(c["samples"]) >= 5 for c in found["cells"]))

    def test_the_same_seed_gives_the_same_cells(self):
        lock = ["locks.throughput", "--lock", "mcs", "--locks", "1", "--threads", "10", "--machine", "xeon", "--quick"]
        once, again = self.simulate(*lock), self.simulate(*lock)
        self.assertEqual(json.dumps(once["cells"]), json.dumps(again["cells"]))
        self.assertNotEqual(once["cells"], self.simulate(*lock, "--seed", "2")["cells"])

    def test_several_machines_stand_in_one_file(self):
        found = self.simulate("atomics.throughput", "--operation", "fai", "--threads", "1,6", "--quick", "--machine",
                              "opteron,niagara")
        self.assertEqual({c["at"]["machine"] for c in found["cells"]}, {"opteron", "niagara"})
        self.assertIn("bound", {c["metric"] for c in found["cells"]})

    def test_wakes_sleepers_in_every_way(self):
        found = self.simulate("wake.groups", "--machine", "opteron", "--quick")
        best = {c["at"]["primitive"]: c["value"] for c in found["cells"] if c["metric"] == "wake_best"}
        self.assertLessEqual({"event", "event_group", "cascade", "rendezvous", "broadcast_interrupt"}, set(best))
        self.assertLess(best["broadcast_interrupt"], best["cascade"])
        self.assertLess(best["cascade"], best["event"])

    def test_a_matrix_is_a_machine(self):
        near = lambda a, b: 8 if a // 2 == b // 2 else 40 if a // 8 == b // 8 else 100
        rows = [",".join(str(near(a, b)) if b < a else "" for b in range(16)) for a in range(16)]
        self.write("mine.csv", "\n".join(rows) + "\n")
        found = self.simulate("locks.throughput", "--lock", "mcs", "--locks", "1", "--threads", "1,16", "--quick",
                              "--machine", self.path("mine.csv"))
        self.assertEqual({c["at"]["threads"] for c in found["cells"]}, {1, 16})
        self.assertIn("clock, 2.5 GHz", " ".join(found["machine"]["models"][0]["assumptions"]))
        told = self.succeeds("model", "mine.csv", "--ghz", "3", "--packages", "2", "-o", "mine.json")
        self.assertIn("hardware threads", told.stderr)
        made = self.document("mine.json")
        self.assertEqual(made["topology"], {"packages": 2, "dies": 1, "cores": 4, "threads": 2})
        self.assertEqual(made["latency"]["atomic"]["modified"], {"same_core": 24, "same_die": 120, "other_package": 300})

    def test_a_thousand_cores(self):
        large = model("xeon-x5660")
        large["topology"] = {"packages": 2, "dies": 1, "cores": 512, "threads": 1}
        found = self.simulate("locks.throughput", "--lock", "mcs", "--locks", "1", "--threads", "1024", "--quick",
                              "--machine", self.write("large.json", large))
        value = next(c["value"] for c in found["cells"] if c["metric"] == "throughput")
        self.assertGreater(value, 0)


class Unnamed(SimulationCase):
    def test_without_names_all_that_can_be_simulated_is_and_the_list_of_models_names_it(self):
        listed = " ".join(self.succeeds("list", "models").stdout.split())
        named = listed.split("Experiments that can be simulated: ")[1].rstrip(".")
        self.assertIn("locks.throughput", named)
        process = subprocess.Popen([test_program.PROGRAM, "simulate", "--machine", "opteron", "--quick"], cwd=self.home,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not os.path.exists(self.path("simulation.json.partial")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 130, errors)
        found = {c["experiment"] for c in self.document("simulation.json")["cells"]}
        self.assertLessEqual(found, set(named.replace(" and ", ", ").split(", ")))


    def test_claims_are_judged_by_each_machines_own_processors(self):
        both = ["locks.throughput", "--machine", "xeon,tilera", "--lock", "ticket", "--locks", "1", "--threads",
                "1,2,4,10,20", "--quick"]
        self.succeeds("simulate", *both)
        said = json.loads(self.succeeds("show", "simulation.json", "--claims", "--json").stdout)
        xeon, tilera = [{c["id"]: c for c in said if c["machine"] == name} for name in ("xeon", "tilera")]
        self.assertNotEqual(xeon["S37"]["verdict"], "not measured")
        self.assertTrue(tilera["S37"]["because"].endswith("this one has one"), tilera["S37"])
        self.assertIsNone(tilera["S37"]["command"])
        self.assertEqual(xeon["S1"]["command"], "synchroscope simulate coherence.states --machine xeon")
        self.succeeds(*xeon["S1"]["command"].split()[1:], "--quick", "-o", "more.json")


class Keeping(SimulationCase):
    """Nothing that was computed is lost, and who asks again gets what an uninterrupted simulation gives."""

    LONG = ["locks.throughput", "--lock", "mcs,ticket,tas,clh", "--locks", "1,4", "--threads", "1,6,12,24,48", "--quick"]
    MACHINES = ["--machine", "opteron,xeon"]

    def start(self, *args):
        return subprocess.Popen([test_program.PROGRAM, "simulate", *args], cwd=self.home, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def wait_for_entries(self, process, entries):
        """False if it came to its end before."""
        while process.poll() is None:
            if os.path.exists(self.path("s.json.partial")):
                with open(self.path("s.json.partial"), encoding="utf-8") as journal:
                    if sum(1 for _ in journal) > entries:
                        return True
            time.sleep(0.01)
        return False

    def assert_same(self, whole, resumed):
        self.assertTrue(resumed["complete"])
        self.assertEqual(json.dumps(resumed["cells"]), json.dumps(whole["cells"]))
        self.assertEqual(resumed["invocation"]["memory_events"], whole["invocation"]["memory_events"])
        self.assertFalse(os.path.exists(self.path("s.json.partial")))

    def test_a_simulation_that_is_killed_several_times(self):
        whole = self.simulate(*self.LONG, *self.MACHINES, output="whole.json")
        process = self.start(*self.LONG, *self.MACHINES, "-o", "s.json")
        for entries in (3, 12, 30):
            self.assertTrue(self.wait_for_entries(process, entries))
            process.kill()
            process.communicate()
            self.assertFalse(os.path.exists(self.path("s.json")))
            process = self.start("--resume", "s.json")
        _, errors = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 0, errors)
        self.assert_valid("s.json")
        self.assert_same(whole, self.document("s.json"))

    def test_signals_keep_what_was_computed(self):
        whole = self.simulate(*self.LONG, "--machine", "opteron", output="whole.json")
        process = self.start(*self.LONG, "--machine", "opteron", "-o", "s.json")
        before = []
        for number in (signal.SIGINT, signal.SIGTERM):
            self.assertTrue(self.wait_for_entries(process, 3))
            process.send_signal(number)
            _, errors = process.communicate(timeout=100)
            self.assertEqual(process.returncode, 128 + number, errors)
            self.assertIn("simulate --resume s.json", errors)
            self.assert_valid("s.json")
            kept = self.document("s.json")
            self.assertFalse(kept["complete"])
            self.assertGreater(len(kept["cells"]), len(before))
            before = kept["cells"]
            self.assertEqual(before, whole["cells"][:len(before)])
            process = self.start("--resume", "s.json")
        _, errors = process.communicate(timeout=200)
        self.assertEqual(process.returncode, 0, errors)
        self.assert_same(whole, self.document("s.json"))

    def test_a_signal_at_once_leaves_a_file_or_nothing(self):
        for delay in (0, 0.02, 0.1, 0.3):
            process = self.start(*self.LONG, "--machine", "opteron", "-o", "s.json")
            time.sleep(delay)
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=100)
            self.assertIn(process.returncode, (0, 143, -signal.SIGTERM))
            if process.returncode >= 0:
                self.assert_valid("s.json")

    def test_the_model_is_kept_with_the_file(self):
        own = model("xeon-x5660")
        name = self.write("own.json", {**own, "name": "own"})
        asked = ["coherence.states", "--quick", "--machine", name]
        whole = self.simulate(*asked, output="whole.json")
        process = self.start(*asked, "-o", "s.json")
        self.assertTrue(self.wait_for_entries(process, 1))
        process.kill()
        process.communicate()
        os.remove(self.path(name))
        self.succeeds("simulate", "--resume", "s.json")
        self.assert_same(whole, self.document("s.json"))

    def test_what_cannot_be_resumed(self):
        self.succeeds("simulate", "coherence.local", "--machine", "opteron", "--quick")
        self.assert_valid("simulation.json")
        self.refuses(2, "simulate", "coherence.states", "--resume", "simulation.json", saying=["--resume", "leave"])
        self.refuses(2, "simulate", "--resume", "simulation.json", "--seed", "2", saying=["--resume", "leave"])
        self.refuses(2, "run", "--resume", "simulation.json", saying=["simulate --resume simulation.json"])
        odd = self.document("simulation.json")
        odd["invocation"]["memory_events"] = "many"
        self.refuses(2, "simulate", "--resume", self.write("odd.json", odd), "--no-progress", saying=["odd.json", "damaged"])
        odd["machine"]["kind"] = 7
        self.refuses(2, "simulate", "--resume", self.write("odd.json", odd), saying=["odd.json"])
        older = self.document("simulation.json")
        older["invocation"].pop("request")
        self.refuses(2, "simulate", "--resume", self.write("older.json", older), saying=["older.json"])
        older["machine"]["kind"] = "hardware"
        self.refuses(2, "simulate", "--resume", self.write("older.json", older), saying=["run --resume older.json"])
        self.succeeds("simulate", "--resume", "simulation.json", "--no-progress")
        self.assertEqual(self.document("simulation.json")["cells"], older["cells"])


class Validating(SimulationCase):
    def test_each_row_is_in_the_file_as_soon_as_it_is_known(self):
        process = subprocess.Popen([test_program.PROGRAM, "simulate", "--validate", "-o", "claims.md"], cwd=self.home,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        rows = []
        while len(rows) < 2:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
            if os.path.exists(self.path("claims.md")):
                with open(self.path("claims.md"), encoding="utf-8") as file:
                    rows = [line for line in file if line.startswith("| S")]
        process.terminate()
        told, errors = process.communicate(timeout=100)
        self.assertEqual((process.returncode, told), (-signal.SIGTERM, ""))
        self.assertRegex(rows[0], r"^\| S1 \|.*\| holds \|")
        self.assertIn("S1: ", errors)

    def test_a_file_that_cannot_be_written(self):
        self.refuses(2, "simulate", "--validate", "-o", "no/claims.md", saying=["no folder no"])

    def test_constants_that_there_are(self):
        self.refuses(2, "simulate", "--validate", "--vary", "knobs.hold,core.misse",
                     saying=["no assumed constant", "core.misse;", "core.misses, "])
        self.refuses(2, "simulate", "--vary", "all", saying=["--vary goes with --validate"])

    def test_a_host_that_goes_with_the_claims_is_read_before_them(self):
        self.refuses(2, "simulate", "--validate", "--against", "none.json", saying=["none.json does not exist"])


class Planning(SimulationCase):
    """On a system where whoever pins a thread is ended."""

    def setUp(self):
        super().setUp()
        if "PINNING_ENDS" not in os.environ:
            self.skipTest("the system that ends who pins was not built")
        self.preload = {"LD_PRELOAD": os.environ["PINNING_ENDS"]}

    def test_simulating_pins_no_thread_of_this_machine(self):
        self.succeeds("simulate", "coherence.local", "--machine", "opteron", "--quick", env=self.preload)

    def test_measuring_does(self):
        run = self.call("run", "coherence.local", "--level", "l1", "--quick", "--no-progress", env=self.preload)
        self.assertEqual(run.returncode, -signal.SIGABRT)


class Mistakes(SimulationCase):
    RUN = ["simulate", "coherence.states", "--machine"]

    def refuses_model(self, change, *saying):
        broken = model("opteron")
        change(broken)
        self.refuses(2, *self.RUN, self.write("m.json", broken), saying=["m.json", *saying])
        self.refuses(2, "model", "m.json", saying=["m.json", *saying])

    def test_a_model_with_a_missing_distance(self):
        self.refuses_model(lambda m: m["latency"]["load"]["modified"].pop("one_hop"),
                           "latency.load.modified", '"one_hop"')

    def test_a_model_with_a_negative_latency(self):
        def negative(m):
            m["latency"]["store"]["shared"]["same_die"] = -3
        self.refuses_model(negative, "latency.store.shared.same_die", "-3")

    def test_a_model_with_an_unreachable_core(self):
        self.refuses_model(lambda m: m["reach"]["dies"][3].pop(), "reach.dies[3]", "cannot be reached")

    def test_a_model_that_lacks_a_field(self):
        for field in ("topology", "distances", "latency", "clock_ghz"):
            self.refuses_model(lambda m: m.pop(field), field)

    def test_more_threads_than_processors(self):
        lock = ["locks.throughput", "--lock", "mcs", "--locks", "1", "--threads", "64", "--quick"]
        self.refuses(2, "simulate", *lock, "--machine", "opteron", saying=["--threads 64", "48", "--oversubscribe"])
        self.simulate(*lock, "--machine", "opteron", "--oversubscribe")
        wake = ["wake.broadcast", "--primitive", "event", "--quick", "--machine", "opteron", "--threads"]
        self.refuses(2, "simulate", *wake, "48", saying=["--threads 48", "wakes them", "48", "--oversubscribe"])
        self.simulate(*wake, "47")

    def test_what_is_no_model(self):
        self.refuses(2, *self.RUN, "optron", saying=["optron", "opteron"])
        self.refuses(2, *self.RUN, "no/such.json", saying=["no/such.json"])
        for text in ("", "{", "[]", "{}", '{"schema": "synchroscope-model/9"}'):
            self.refuses(2, *self.RUN, "./" + self.write("bad.json", text), saying=["bad.json"])

    def test_what_cannot_be_simulated(self):
        self.refuses(2, "simulate", "coherence.states", saying=["--machine"])
        self.refuses(2, "simulate", "coherence.stats", "--machine", "opteron", saying=["coherence.stats"])
        self.refuses(2, "simulate", "locks.throughput", "--lock", "mcss", "--machine", "opteron", saying=["mcss"])
        self.refuses(2, "simulate", "locks.throughput", "--lock", "std/mutex", "--machine", "opteron",
                     saying=["'std/mutex' is not ours: only run measures primitives of others"])

    def test_what_is_no_matrix(self):
        for text, word in (("", "rows"), ("a,b\n1,2\n", "line 1, column 1"), (",,\n40,,\n,,\n", "no time")):
            self.refuses(2, *self.RUN, "./" + self.write("bad.csv", text), saying=["bad.csv", word])
        self.refuses(2, *self.RUN, "no/such.csv", saying=["no/such.csv"])
        self.refuses(2, "model", self.write("one.csv", ",\n40,\n"), "--packages", "2", saying=["one.csv", "one level"])
        self.refuses(2, "model", self.path("one.csv"), "--ghz", "0", saying=["--ghz"])
        self.refuses(2, "model", os.path.join(MODELS, "xeon.json"), "--ghz", "2", saying=["--ghz", ".csv"])

    def test_stretching_has_limits(self):
        self.refuses(2, "model", os.path.join(MODELS, "opteron.json"), "--stretch", "2", saying=["reach.levels"])
        for option in (["--stretch", "0"], ["--stretch", "65"], ["--across", "0.5"]):
            self.refuses(2, "model", os.path.join(MODELS, "xeon-x5660.json"), *option, saying=[option[0]])


class Predicting(SimulationCase):
    """A simulated machine stands in for a host: what was simulated on it is told back by the model made of its cells."""

    NAMES = {"same_die": "same_cache", "other_socket": "other_package"}

    ACCESSES = ["coherence.states", "coherence.local"]
    LOCKS = ["atomics.throughput", "locks.throughput", "--locks", "1", "--lock", "mcs,ticket,tas", "--threads", "2,4"]

    hosts = {}  # by what was measured there

    def host(self, *what):
        what = what or (*self.ACCESSES, *self.LOCKS)
        if what not in self.hosts:
            self.hosts[what] = self.measured_host(*what)
        return copy.deepcopy(self.hosts[what])

    def measured_host(self, *what):
        small = model("xeon-x5660")
        small["topology"] = {"packages": 1, "dies": 1, "cores": 4, "threads": 1}
        small.pop("threads", None)
        small["core"] = {name: {"value": value, "kind": "assumed", "from": "a test"}  # as models made of results have it
                         for name, value in (("instructions", 3), ("window", 112), ("misses", 10), ("ahead", 3))}
        cells = self.simulate(*what, "--machine", self.write("small.json", small))
        cells["machine"] = {"kind": "hardware", "model_name": "A processor"}
        for cell in cells["cells"]:
            at = cell["at"]
            if at.get("distance") in ("same_die", "same_node"):
                at["distance"] = "same_cache"
        return cells

    def test_a_host_is_predicted_from_its_own_cells(self):
        self.write("host.json", self.host())
        text = self.succeeds("simulate", "--against", "host.json").stdout
        self.assertRegex(text, r"(?m)^atomics\.throughput +near +9 +\d+ % +- +holds")
        self.assertRegex(text, r"(?m)^atomics\.throughput +near +1 +\d+ % +- +fitted")
        self.assertRegex(text, r"(?m)^locks\.throughput +near +6 +\d+ % +- +holds")
        self.assertRegex(text, r"(?m)^coherence\.states +near +\d+ +\d % +\d+ % +fitted")
        self.assertRegex(text, r"(?m)^locks\.throughput throughput .*lock=mcs.* [\d.]+ M/s +[\d.]+ M/s +[+-]\d+ %")
        self.assertRegex(text, r"(?m)^coherence\.states latency .* ns +[\d.]+ ns +[+-]\d+ %")

    @staticmethod
    def make_far(host, probe_ns=None):
        """Adds all cells of several processors once more, three times as slow."""
        for cell in copy.deepcopy(host["cells"]):
            if cell["value"] is None or cell["at"].get("distance") == "same_cpu" or cell["experiment"] == "coherence.local":
                continue
            cell["at"]["mode"] = "far"
            factor = 3 if cell["unit"] in ("ns", "cycle") else 1 / 3
            cell["value"] *= factor
            if probe_ns is not None:
                cell["probe_ns"] = probe_ns
            host["cells"].append(cell)

    def against_another_day(self):
        """The table by experiment and the sentences, with a.json for the model."""
        text = self.succeeds("simulate", "--against", "b.json", "--machine", "a.json").stdout
        return text[text.rindex("experiment "):]

    def test_another_day_is_predicted_from_the_first(self):
        self.write("a.json", self.host(*self.ACCESSES))
        self.write("b.json", self.host("coherence.states", "locks.throughput", "messages.pair", "messages.server",
                                       "hashtable.throughput", "--operation", "load", "--lock", "mcs", "--locks", "1",
                                       "--threads", "2,3", "--buckets", "12", "--load", "12", "--quick"))
        text = self.against_another_day()
        self.assertRegex(text, r"(?m)^locks\.throughput +near +2 +\d+ % +- +holds")
        self.assertRegex(text, r"(?m)^messages\.pair +near +8 +\d+ % +- +holds")
        self.assertRegex(text, r"(?m)^messages\.server +near +8 +\d+ % +- +holds")
        self.assertRegex(text, r"(?m)^hashtable\.throughput +near +2 +\d+ % +- +holds")
        self.assertRegex(text, r"(?m)^20 cells predicted; \d+ fitted")

    def test_predictions_and_errors_go_into_a_results_file(self):
        host = self.host()
        host["invocation"]["started"] = "2026-01-05T03:04:05Z"
        self.write("a.json", {**host, "cells": [c for c in host["cells"] if c["experiment"] in self.ACCESSES]})
        for cell in host["cells"]:
            if cell["value"] is not None and cell["experiment"] == "locks.throughput":
                cell["value"] *= 2
        self.write("b.json", host)
        self.succeeds("simulate", "--against", "b.json", "--machine", "a.json", "-o", "told.json")
        self.assert_valid("told.json")
        told = self.document("told.json")
        self.assertEqual((told["complete"], told["machine"]["kind"], told["machine"]["model_name"]),
                         (True, "simulated", "A processor"))
        forecast = told["machine"]["forecast"]
        self.assertEqual(forecast["made_of"], {"file": "a.json", "started": "2026-01-05T03:04:05Z"})
        self.assertEqual(forecast["against"]["file"], "b.json")
        rows = {(r["experiment"], r["fitted"]): r for r in forecast["errors"]}
        locks = rows["locks.throughput", False]
        self.assertEqual((locks["mode"], locks["cells"], locks["nine_of_ten"]), ("near", 6, None))
        self.assertAlmostEqual(locks["median"], 0.5, delta=0.06)
        self.assertIsNotNone(rows["coherence.states", True]["nine_of_ten"])
        self.assertIn(("coherence.states", True), rows)
        self.assertIs(rows["locks.throughput", False]["holds"], False)
        self.assertIsNone(rows["coherence.states", True]["holds"])
        measured = {json.dumps([c["experiment"], c["at"], c["metric"]]): c for c in host["cells"]}
        self.assertEqual(len(told["cells"]), sum(r["cells"] for r in forecast["errors"]))
        for cell in told["cells"]:
            same = measured[json.dumps([cell["experiment"], cell["at"], cell["metric"]])]
            self.assertEqual((cell["unit"], cell["better"], cell["n"]), (same["unit"], same["better"], 7))

    def test_the_error_is_that_of_the_other_file(self):
        host = self.host()
        self.write("a.json", host)
        for cell in host["cells"]:
            if cell["value"] is not None and cell["experiment"] == "locks.throughput":
                cell["value"] *= 2
        self.write("b.json", host)
        self.assertRegex(self.against_another_day(), r"(?m)^locks\.throughput +near +6 +(4[5-9]|5[0-5]) % +- +FAILS")

    def test_an_access_that_the_model_was_not_made_of_is_predicted(self):
        host = self.host()
        self.write("b.json", host)
        host["cells"] = [c for c in host["cells"] if c["at"].get("event") != "cas_on_exclusive"]
        self.write("a.json", host)
        self.assertRegex(self.against_another_day(), r"(?m)^coherence\.states +near +1 +\d+ % +- +(holds|FAILS)")

    def test_the_distance_of_the_processors_decides_and_not_the_name_of_the_mode(self):
        host = self.host()
        for cell in host["cells"]:
            cell["probe_ns"] = 30
        near = copy.deepcopy(host["cells"])
        self.make_far(host, 90)
        self.write("a.json", host)
        far = [c for c in host["cells"] if c["at"].pop("mode", None)]
        for cell in far:
            if cell["at"].get("lock") == "tas":
                cell["probe_ns"] = None  # what was not probed is of its mode
        self.write("b.json", {**host, "cells": far})
        text = self.against_another_day()
        self.assertRegex(text, r"(?m)^locks\.throughput +far, 90 ns +6 +\d+ % +- +holds")
        self.assertNotIn("near", text)
        self.write("a.json", {**host, "cells": near})
        self.assertRegex(self.against_another_day(), r"(?m)^\d+ cells not predicted")

    def test_a_model_of_a_host_can_be_stretched(self):
        self.write("host.json", self.host())
        told = self.succeeds("model", "host.json", "--stretch", "48", "-o", "large.json")
        self.assertIn("assumed: ", told.stderr)
        self.assertIn("48", told.stderr)
        found = self.simulate("wake.groups", "--machine", "large.json", "--threads", "191", "--quick")
        self.assertIn("best_group", {c["metric"] for c in found["cells"]})
        self.assertTrue(found["machine"]["models"][0]["assumptions"])

    def test_a_model_can_be_stretched(self):
        told = self.succeeds("model", os.path.join(MODELS, "xeon-x5660.json"), "--stretch", "16", "-o", "large.json")
        self.assertIn("assumed: 32 packages", told.stderr)
        self.assertEqual(self.document("large.json")["topology"]["packages"], 32)

    def test_modes_are_kept_apart(self):
        host = self.host()
        self.make_far(host)
        self.write("host.json", host)
        text = self.succeeds("simulate", "--against", "host.json").stdout
        self.assertIn("mode=far", text)
        self.assertRegex(text, r"(?m)^locks\.throughput +far +6 +\d+ % +- +holds")
        self.assertRegex(text, r"(?m)^locks\.throughput +near +6 +\d+ % +- +holds")

    def test_mistakes(self):
        host = self.host()
        self.write("host.json", host)
        self.refuses(2, "simulate", "--against", "absent.json", saying=["absent.json"])
        self.refuses(2, "simulate", "--against", "host.json,host.json", "-o", "y.json", saying=["--output", "several"])
        self.refuses(2, "simulate", "--against", "host.json", "-o", "host.json", saying=["host.json", "overwritten"])
        self.refuses(2, "simulate", "locks.throughput", "--against", "host.json", saying=["--against"])
        without = [c for c in host["cells"] if c["experiment"] not in ("atomics.throughput", "locks.throughput")]
        self.write("host.json", {**host, "cells": without})
        self.refuses(2, "simulate", "--against", "host.json", saying=["host.json", "atomics.throughput"])
        self.write("host.json", {**host, "cells": [c for c in host["cells"] if c["experiment"] != "coherence.states"]})
        self.refuses(2, "simulate", "--against", "host.json", saying=["host.json", "coherence"])

    def test_mistakes_in_two_files(self):
        host = self.host()
        self.write("b.json", host)
        self.write("a.json", {**host, "cells": [c for c in host["cells"] if c["experiment"] != "coherence.states"]})
        against = ["simulate", "--against", "b.json", "--machine"]
        self.refuses(2, *against, "a.json", saying=["a.json: ", "coherence.states"])
        self.refuses(2, *against, "absent.json", saying=["absent.json"])
        self.refuses(2, *against, "opteron", saying=["--machine", "results file"])
        self.write("a.json", {**host, "machine": {**host["machine"], "model_name": "Another processor"}})
        self.refuses(2, *against, "a.json", saying=["b.json is of another machine or system than a.json: model_name",
                                                    "Another processor"])


if __name__ == "__main__":
    unittest.main()
