"""Nothing measured is lost, nothing crashes, nothing is taken for what it is not.

    test_safety.py PROGRAM [CLASS...]
"""

import collections
import copy
import itertools
import json
import os
import random
import signal
import subprocess
import time
import unittest

import test_program
from test_program import SHORT, Case  # which takes PROGRAM off the arguments

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
HOSTILE = "\u009b31m\u007f\u202e\u200b\U000e0041"


class SafetyCase(Case):
    def write(self, name, content):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return name

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def start(self, *args, **kwargs):
        process = subprocess.Popen([test_program.PROGRAM, *args], cwd=self.home, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **kwargs)
        self.addCleanup(process.kill)  # which does nothing once it has been waited for
        return process

    @staticmethod
    def model(name):
        with open(os.path.join(MODELS, name + ".json"), encoding="utf-8") as file:
            return json.load(file)


class Origin(SafetyCase):
    """--resume completes only what was begun here."""

    def setUp(self):
        super().setUp()
        self.succeeds(*SHORT, "-o", "r.json")
        self.begun = {**self.document("r.json"), "complete": False}

    def differs(self, change, *words):
        other = copy.deepcopy(self.begun)
        change(other)
        self.write("r.json", other)
        self.refuses(2, "run", "--resume", "r.json", saying=["r.json", *words])
        self.refuses(2, "run", "--resume", "r.json", "-o", "other.json", saying=["r.json", *words])
        self.assertEqual(self.document("r.json"), other)
        self.assertFalse(os.path.exists(self.path("other.json")))

    def test_the_same_machine_and_program(self):
        self.begun["machine"]["memory_bytes"] = int(self.begun["machine"]["memory_bytes"] * 1.02)
        self.write("r.json", self.begun)
        self.succeeds("run", "--resume", "r.json", "--no-progress")
        self.assertTrue(self.document("r.json")["complete"])

    def test_another_machine(self):
        def put(section, name, value):
            return lambda d: d[section].update({name: value})
        self.differs(put("machine", "model_name", "A processor of 1999"), "another machine", "A processor of 1999")
        self.differs(put("machine", "virtualization", "vmware"), "virtualization", "vmware")
        if self.begun["machine"]["virtualization"] == "none":  # to another a hypervisor may have given it (Origin's tests)
            self.differs(put("machine", "memory_bytes", 2 * self.begun["machine"]["memory_bytes"]), "memory_bytes")
        self.differs(put("os", "kernel", "2.6.32"), "kernel", "2.6.32")

    def test_other_processors(self):
        self.differs(lambda d: d["topology"]["cpus"].append({**d["topology"]["cpus"][0], "cpu": 99}),
                     "processors used", "99")
        self.differs(lambda d: d["topology"]["cpus"][0].update(package=7), "share")

    def test_another_program(self):
        def put(name, value):
            return lambda d: d["tool"].update({name: value})
        self.differs(put("version", "0.0.1"), "another build", "0.0.1")
        self.differs(put("git", "0123456789ab"), "another build", "0123456789ab")
        self.differs(put("flags", "-O0"), "another build", "-O0")

    def test_another_program_of_the_same_uncommitted_sources(self):
        git = self.begun["tool"]["git"]
        if git is not None and not git.endswith("-dirty"):
            self.assertNotIn("program", self.begun["tool"])
            return
        self.differs(lambda d: d["tool"].update(program="0" * 16), "another build", "program")

    def test_a_journal_of_another_machine(self):
        os.remove(self.path("r.json"))
        process = self.start("run", "coherence.local", "atomics.throughput", "--threads", "1", "-o", "r.json")
        while len(self.read("r.json.partial").splitlines() if os.path.exists(self.path("r.json.partial")) else []) < 3:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.kill()
        process.communicate()
        lines = self.read("r.json.partial").splitlines()
        head = json.loads(lines[0])
        head["head"]["machine"]["model_name"] = "A processor of 1999"
        self.write("r.json.partial", "\n".join([json.dumps(head), *lines[1:]]) + "\n")
        before = self.read("r.json.partial")
        self.refuses(2, "run", "--resume", "r.json", saying=["r.json", "A processor of 1999"])
        self.assertEqual(self.read("r.json.partial"), before)
        del head["head"]["machine"]
        self.write("r.json.partial", json.dumps(head) + "\n")
        self.refuses(2, "run", "--resume", "r.json", saying=["r.json", "another machine"])


class Keeping(SafetyCase):
    """No command replaces measurements."""

    def measured(self, name="r.json"):
        self.succeeds(*SHORT, "-o", name)
        return self.document(name)

    def test_a_second_run_keeps_the_first(self):
        first = self.measured("results.json")
        told = self.succeeds(*SHORT)
        self.assertIn("results.json.1", told.stderr)
        self.assertEqual(self.document("results.json.1"), first)
        second = self.document("results.json")
        self.assertNotEqual(second["id"], first["id"])
        self.succeeds(*SHORT)
        self.assertEqual(self.document("results.json.2"), second)
        self.assertEqual(self.document("results.json.1"), first)

    def test_a_resumed_run_replaces_what_it_completes(self):
        self.measured()
        self.succeeds("run", "--resume", "r.json", "--no-progress")
        self.assertEqual(sorted(os.listdir(self.home)), ["r.json"])

    def test_every_other_writer_keeps_them_too(self):
        self.measured("a.json")
        opteron = ["simulate", "coherence.states", "--operation", "load", "--state", "modified", "--machine", "opteron",
                   "--quick", "--no-progress", "-o", "r.json"]
        for number, command in enumerate(([*opteron], ["model", os.path.join(MODELS, "opteron.json"), "-o", "r.json"],
                                          ["export", "a.json", "--format", "csv", "-o", "r.json"],
                                          ["report", "a.json", "-o", "r.json"])):
            self.write("r.json", {"id": number, "schema": "synchroscope/1"})
            told = self.succeeds(*command)
            self.assertIn(f"r.json.{number + 1}", told.stderr)
            self.assertEqual(self.document(f"r.json.{number + 1}")["id"], number)

    def test_what_can_be_made_again_is_replaced(self):
        self.measured("a.json")
        for _ in range(2):
            self.succeeds("export", "a.json", "-o", "a.csv")
            self.succeeds("model", os.path.join(MODELS, "opteron.json"), "-o", "m.json")
        self.assertEqual(sorted(os.listdir(self.home)), ["a.csv", "a.json", "m.json"])

    def test_no_file_is_written_over_what_it_is_made_from(self):
        self.measured("a.json")
        content = self.read("a.json")
        os.mkdir(self.path("folder"))
        os.link(self.path("a.json"), self.path("hard.json"))
        os.symlink("a.json", self.path("soft.json"))
        for output in ("a.json", "./a.json", "folder/../a.json", self.path("a.json"), "hard.json", "soft.json"):
            for command in (["model", "a.json"], ["export", "a.json", "--format", "csv"], ["report", "a.json"],
                            ["simulate", "locks.throughput", "--machine", "opteron,a.json"]):
                self.refuses(2, *command, "-o", output, saying=["-o"])
        self.assertEqual(self.read("a.json"), content)
        self.assertEqual(sorted(os.listdir(self.home)), ["a.json", "folder", "hard.json", "soft.json"])

    def test_a_link_leads_to_the_journal_of_the_file_behind_it(self):
        self.measured("a.json")
        os.symlink("a.json", self.path("soft.json"))
        self.write("a.json.partial", '{"head": {}}\n')
        told = self.succeeds(*SHORT, "-o", "soft.json")
        self.assertIn("a.json.partial", told.stderr)
        self.assertTrue(os.path.exists(self.path("a.json.partial.1")))
        self.assertTrue(os.path.exists(self.path("a.json.1")))
        self.assertTrue(os.path.islink(self.path("soft.json")))


class Reading(SafetyCase):
    """Every file goes through one reader."""

    READERS = (["show"], ["model"], ["export", "--format", "csv"], ["simulate", "coherence.states", "--machine"],
               ["simulate", "--against"], ["run", "--resume"], ["report", "-o", "x.html"])

    def test_deep_nesting(self):
        self.write("deep.json", "[" * 100000)
        remark = "[" * 32000 + "]" * 32000
        self.write("remark.json", json.dumps(self.model("opteron"))[:-1] + ', "remark": ' + remark + "}")
        for command in self.READERS:
            for name in ("./deep.json", "./remark.json"):
                self.refuses(2, *command, name, saying=[name, "nested too deeply"])

    def test_a_large_file_that_is_no_text_is_not_read_to_its_end(self):
        with open(self.path("zeros.json"), "wb") as file:
            file.truncate(1_000_000_000)
        for command in self.READERS:
            if command[-1] != "--resume":
                self.refuses(2, *command, "./zeros.json", saying=["zeros.json", "zero byte"],
                             prefix=["bash", "-c", "ulimit -v 700000; exec \"$@\"", "limited"])

    def test_results_that_lack_what_a_model_needs(self):
        self.succeeds("run", "coherence.local", "coherence.states", "--quick", "--max-time", "1s", "--no-progress", "-o",
                      "r.json")
        whole = self.document("r.json")
        for change in (lambda d: d["machine"].pop("model_name"), lambda d: d["machine"].update(kind=7),
                       lambda d: d["machine"].update(model_name=[1]), lambda d: d["topology"].update(cpus=4),
                       lambda d: d["topology"].update(tells_dies="no"), lambda d: d["topology"]["cpus"][0].pop("core"),
                       lambda d: d["topology"]["cpus"][0].update(core=-1),
                       lambda d: d["topology"].update(cpus=["a"])):
            broken = copy.deepcopy(whole)
            change(broken)
            self.write("r.json", broken)
            for command in (["model", "r.json"], ["simulate", "coherence.states", "--machine", "./r.json"]):
                result = self.call(*command)
                self.assertIn(result.returncode, (0, 2), result.stderr)
                self.assertNotIn("json.exception", result.stderr)

    def refuses_model(self, change, *words):
        broken = self.model("tilera" if "mesh" in words else "opteron")
        change(broken)
        self.write("m.json", broken)
        self.refuses(2, "model", "m.json", saying=["m.json", *words])
        self.refuses(2, "simulate", "coherence.states", "--machine", "./m.json", saying=["m.json", *words])

    def test_a_mesh_that_is_too_long(self):
        def long(m):
            m["topology"] = {"packages": 1, "dies": 1, "cores": 512, "threads": 1}
            m["reach"] = {"mesh": [512, 1]}
            m["distances"][1]["hops"] = 511
        self.refuses_model(long, "mesh", "511", "255")

    def test_a_slip_in_the_name_of_a_field(self):
        self.refuses_model(lambda m: m.update(local_atomics={}), "local_atomics", "local_atomic")
        self.refuses_model(lambda m: m["topology"].update(issue_group=1), "topology", "issue_group", "issue_groups")
        self.refuses_model(lambda m: m["caches"].update(lcc=3), "caches", "'lcc'", "llc")
        self.refuses_model(lambda m: m["protocol"].update(direktory={}), "protocol", "directory")
        self.refuses_model(lambda m: m["latency"].update(lod={}), "latency", "load")
        self.refuses_model(lambda m: m["latency"]["load"].update(share={}), "latency.load", "shared")

    def test_text_for_people_must_be_text(self):
        self.refuses_model(lambda m: m.update(assumptions=[4]), "assumptions[0]")
        self.refuses_model(lambda m: m.update(title=[]), "title")

    def test_a_model_that_is_larger_than_any(self):
        self.refuses_model(lambda m: m.update(title="x" * 5_000_000), "4 MiB")

    def test_no_output_harms_a_terminal(self):
        self.succeeds(*SHORT, "-o", "r.json")
        d = self.document("r.json")
        d["label"] = HOSTILE
        for section in ("machine", "os", "tool"):
            d[section] = {name: v + HOSTILE if isinstance(v, str) and name != "kind" else v
                          for name, v in d[section].items()}
        d["warnings"] = [{"id": "a" + HOSTILE, "evidence": {"b" + HOSTILE: HOSTILE}, "advice": HOSTILE}]
        for cell in d["cells"]:
            cell["at"] = {**cell["at"], "x" + HOSTILE: HOSTILE}
            cell["metric"] += HOSTILE
        self.write("r.json", d)
        self.write("m.json", {**self.model("opteron"), "title": HOSTILE, "assumptions": [HOSTILE]})
        calls = [["show", "r.json"], ["show", "r.json", "--tables"], ["show", "r.json", "--json"],
                 ["compare", "r.json", "r.json"], ["compare", "r.json", "r.json", "--tables"],
                 ["compare", "r.json", "r.json", "--json"],
                 ["model", "m.json"], ["model", "r.json"], ["run", "--resume", "r.json"],
                 *(["export", "r.json", "--format", form] for form in ("csv", "markdown", "gbench", "matrix"))]
        for call in calls:
            result = self.call(*call)
            for character in HOSTILE.replace("31m", ""):
                self.assertNotIn(character, result.stdout + result.stderr, call)
        written = json.loads(self.succeeds("model", "m.json").stdout)
        self.assertEqual(written["title"], HOSTILE)


class Writing(SafetyCase):
    """What is measured is shown and kept even if the file cannot be written."""

    LIMITED = ["bash", "-c", "ulimit -f 8; exec \"$@\"", "limited"]

    def test_tables_come_before_the_error(self):
        result = self.call("run", "atomics.throughput", "--threads", "1", "--no-progress", "-o", "r.json",
                           prefix=self.LIMITED)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("Mop/s", result.stdout)
        self.assertIn("r.json.partial", result.stderr.splitlines()[-1])
        self.assertIn("--resume", result.stderr.splitlines()[-1])

    def test_the_loss_of_the_journal_is_told_when_it_happens(self):
        process = subprocess.Popen([*self.LIMITED, test_program.PROGRAM, "run", "atomics.throughput", "--threads", "1",
                                    "--full", "-o", "r.json"], cwd=self.home, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        told = next(line for line in process.stderr if "journal ends early" in line)
        self.assertIn("File too large", told)
        self.assertIsNone(process.poll(), "it is told at the end")
        process.terminate()
        _, errors = process.communicate(timeout=100)
        self.assertNotIn("journal ends early", errors)

    def test_what_cannot_be_written_is_refused_before_anything_is_said(self):
        for command in (["run", "coherence.local"], ["tour"]):
            for output, status in (("nowhere/r.json", 2), ("/proc/r.json", 3), ("", 2)):
                self.refuses(status, *command, "-o", output)
        self.refuses(2, "run", "--resume", "", saying=["--resume"])
        self.refuses(2, "simulate", "--against", "", saying=["--against"])
        for value in ("-1", "0", "65", "1.5", "x"):
            self.refuses(2, "model", os.path.join(MODELS, "xeon-x5660.json"), f"--stretch={value}",
                         saying=["--stretch", "1 to 64", f"'{value}'"])
        self.refuses(2, "model", os.path.join(MODELS, "xeon-x5660.json"), "--stretch", "-1", saying=["--stretch", "'-1'"])
        self.refuses(2, "model", os.path.join(MODELS, "xeon-x5660.json"), "--stretch=", saying=["--stretch needs a value"])

    def test_an_interrupted_writer_leaves_nothing_behind(self):
        self.succeeds(*SHORT, "-o", "r.json")
        dice = random.Random(3)
        os.mkdir(self.path("tmp"))
        environment = {**os.environ, "TMPDIR": self.path("tmp")}
        for number in [signal.SIGINT, signal.SIGTERM] * 20:
            for command in (["export", "r.json", "-o", "o.xlsx"], ["report", "r.json", "-o", "o.html"],
                            ["model", os.path.join(MODELS, "tilera.json"), "-o", "m.json"]):
                process = self.start(*command, env=environment)
                time.sleep(dice.uniform(0, 0.04))
                process.send_signal(number)
                process.communicate(timeout=20)
                self.assertIn(process.returncode, (0, -number))
        self.assertLessEqual(set(os.listdir(self.home)), {"r.json", "o.xlsx", "o.html", "m.json", "tmp"})
        self.assertEqual(os.listdir(self.path("tmp")), [])

    def test_a_pipe_waits_for_its_reader_and_can_be_interrupted(self):
        os.mkfifo(self.path("pipe"))
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start(*SHORT, "-o", "pipe")
            time.sleep(1)
            self.assertIsNone(process.poll())
            process.send_signal(number)
            process.communicate(timeout=10)
            self.assertIn(process.returncode, (-number, 128 + number))
        process = self.start(*SHORT, "-o", "pipe")
        with open(self.path("pipe"), encoding="utf-8") as pipe:
            self.assertEqual(json.load(pipe)["schema"], "synchroscope/1")
        process.communicate(timeout=100)
        self.assertEqual(process.returncode, 0)

    def test_a_pipe_that_nobody_empties_can_be_interrupted(self):
        os.mkfifo(self.path("pipe"))
        pipe = os.open(self.path("pipe"), os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, pipe)
        with self.assertRaises(BlockingIOError):
            while True:
                os.write(pipe, b"x" * 4096)
        process = self.start(*SHORT, "-o", "pipe")
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=8)
        process.terminate()
        process.communicate(timeout=10)
        self.assertEqual(process.returncode, -signal.SIGTERM)


class Foreign(SafetyCase):
    """A topology from a description is not this machine."""

    def test_nothing_is_measured_on_a_described_machine(self):
        subprocess.run(["true"], check=True)
        for name, value in (("HWLOC_SYNTHETIC", "package:2 core:4 pu:2"), ("HWLOC_COMPONENTS", "synthetic")):
            environment = {name: value, "HWLOC_SYNTHETIC": "package:2 core:4 pu:2"}
            for command in (SHORT, ["tour"], ["run", "--estimate"], ["check"]):
                self.refuses(3, *command, env=environment, saying=["HWLOC_SYNTHETIC", "other than this one"])
            told = self.succeeds("info", env=environment)
            self.assertIn("NOT HERE", told.stdout)
            self.assertIn("HWLOC_SYNTHETIC", told.stderr)
            told = json.loads(self.succeeds("info", "--json", env=environment).stdout)
            self.assertTrue(told["topology"]["source"].startswith("foreign:"))
        self.assertFalse(os.path.exists(self.path("results.json")))

    def test_a_description_in_a_file(self):
        fixtures = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "platform", "fixtures")
        files = [os.path.join(fixtures, f) for f in os.listdir(fixtures) if f.endswith(".xml")]
        self.assertTrue(files)
        for file in files:
            self.refuses(3, *SHORT, env={"HWLOC_XMLFILE": file}, saying=["HWLOC_XMLFILE", "other than this one"])

    def test_this_machine_is_this_machine(self):
        self.assertNotIn("NOT HERE", self.succeeds("info").stdout)


class Killing(SafetyCase):
    """Killed for good at random moments, resumed, and counted."""

    RUN = ["run", "coherence.local", "atomics.throughput", "--threads", "1", "--quick", "--no-progress", "-o", "r.json"]

    def entries(self):
        """Repetitions in the journal, each as it stands there."""
        if not os.path.exists(self.path("r.json.partial")):
            return collections.Counter()
        whole = [line for line in self.read("r.json.partial").splitlines(keepends=True) if line.endswith("\n")]
        return collections.Counter(line for line in whole if "head" not in json.loads(line))

    @staticmethod
    def place(experiment, metric, at):
        return (experiment, metric, json.dumps(at, sort_keys=True))

    def kill_after(self, process, more):
        """Once so many repetitions have been journaled, and a moment later, or never if it ends first."""
        goal = self.entries().total() + more
        while process.poll() is None and self.entries().total() < goal:
            time.sleep(0.01)
        time.sleep(0.001 * (more % 7))
        process.kill()
        process.communicate()

    def killed_several_times(self, dice, most):
        kept = collections.Counter()
        command = self.RUN
        for _ in range(most):
            process = self.start(*command)
            self.kill_after(process, dice.randint(1, 12))
            if process.returncode == 0:
                return kept
            self.assertEqual(process.returncode, -signal.SIGKILL)
            now = self.entries()
            self.assertEqual(kept - now, collections.Counter(), "a journal has lost what it held")
            kept = now
            if os.path.exists(self.path("r.json.partial")):
                command = ["run", "--resume", "r.json", "--no-progress"]
        self.succeeds("run", "--resume", "r.json", "--no-progress")
        return kept

    def test_what_was_journaled_is_in_the_document(self):
        dice = random.Random(20261122)
        for _ in range(3):
            kept = self.killed_several_times(dice, 4)
            d = self.document("r.json")
            self.assertTrue(d["complete"])
            there, dropped = collections.defaultdict(list), collections.defaultdict(list)
            for cell in d["cells"]:
                place = self.place(cell["experiment"], cell["metric"], cell["at"])
                there[place] += cell["samples"]
                dropped[place] += itertools.chain(*cell["noise"].get("dropped", {}).values())
            counted = 0
            for line in kept:
                entry = json.loads(line)
                for told in entry["observations"]:
                    at = {**entry["at"], **told.get("within", {})}
                    place = self.place(entry["experiment"], told["metric"], at)
                    if entry["repetition"] in dropped[place]:  # It does not count, and the document says why.
                        continue
                    self.assertIn(told["value"], there[place], line)
                    counted += 1
            self.assertGreater(counted, 0, "it was never killed after something was journaled")
            self.assertEqual([name for name in os.listdir(self.home) if name != "r.json"], [])
            os.remove(self.path("r.json"))


if __name__ == "__main__":
    unittest.main()
