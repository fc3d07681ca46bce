#!/usr/bin/env python3
"""The program for Windows, as a user calls it, under Wine: what it says, what it leaves in files, what bad input gets.

    program_test.py PROGRAM.exe WINE TESTS.exe [CLASS...]

TESTS.exe is the one of this folder, which tells and sets the console's code page.

Nothing here depends on how fast or how loaded the machine is.
"""

import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, WINE, TESTS = sys.argv[1:4]
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "results"))
import validate  # noqa: E402  # the schema's own program

LONG = 600  # seconds after which something hangs

# What the two documents about Windows compare.
OF_THE_DOCUMENTS = {
    "win32/semaphore", "win32/semaphore_each", "win32/event", "win32/event_each", "win32/critical_section_flag",
    "win32/critical_section_flag_spin", "win32/condition_cs", "win32/condition_cs_spin", "win32/condition_srw",
    "win32/barrier", "win32/wait_on_address", "win32/wait_on_address_each", "win32/mutex_flag", "win32/srw_flag",
    "win32/apc", "win32/wait_multiple", "win32/keyed_event", "win32/completion_port", "spin/switch_to_thread",
    "spin/sleep_zero", "spin/pause", "std/condition_variable", "std/counting_semaphore"}

ONE_CELL = ("locks.uncontested", "--quick", "--lock", "ticket", "--no-progress")


def environment():
    return {**os.environ, "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=", "DISPLAY": "",
            "LC_ALL": "C.UTF-8"}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="synchroscope-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, *words, **more):
        return subprocess.Popen([WINE, PROGRAM, *words], cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", **more)

    def call(self, *words):
        running = self.start(*words)
        try:
            out, err = running.communicate(timeout=LONG)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            self.fail(f"{words} did not end")
        # What the script that starts Wine says of itself is not the program's.
        said = [line for line in err.splitlines() if line.startswith(("synchroscope:", "warning:"))]
        return running.returncode, out.replace("\r\n", "\n"), said

    def succeeds(self, *words):
        code, out, said = self.call(*words)
        self.assertEqual(code, 0, (words, out[-500:], said))
        return out, said

    def refuses(self, code, *words, saying):
        got, out, said = self.call(*words)
        errors = [line for line in said if line.startswith("synchroscope:")]
        self.assertEqual(got, code, (out[-500:], said))
        self.assertEqual(len(errors), 1, said)
        self.assertRegex(errors[0], saying)
        return out

    def document(self, name):
        document = validate.parse((self.folder / name).read_text(encoding="utf-8"))
        self.assertEqual(list(validate.faults(document, validate.validator())), [])
        return document


class Facts(Case):
    def test_wine_is_named_wherever_the_machine_is(self):
        out, said = self.succeeds("info")
        self.assertRegex(out, r"(?m)^machine .* under Wine \d")
        self.assertRegex(out, r"(?m)^system +Wine \d")
        self.assertTrue(any("say nothing about Windows" in line for line in said), said)

    def test_as_json(self):
        facts = json.loads(self.succeeds("info", "--json")[0])
        self.assertRegex(facts["os"]["wine"], r"^\d+\.")
        self.assertIn("under Wine", facts["machine"]["model_name"])
        self.assertIn("stand_in", [w["id"] for w in facts["warnings"]])
        self.assertGreaterEqual(len(facts["topology"]["cpus"]), 1)
        self.assertEqual(facts["os"]["processors_of_others"], 0)  # Wine gives none away
        self.assertIn("power_throttling", facts["os"])


class Console(Case):
    def test_it_has_the_code_page_that_it_had(self):
        ours, theirs = pty.openpty()
        running = subprocess.Popen([WINE, TESTS, "code-page", "850", PROGRAM, "--version"], env=environment(), stdin=theirs,
                                   stdout=theirs, stderr=subprocess.DEVNULL)
        os.close(theirs)
        said = b""
        try:
            while some := os.read(ours, 65536):
                said += some
        except OSError:  # nobody has the other end any more
            pass
        os.close(ours)
        running.wait(timeout=LONG)
        # Wine draws a space by going on over it.
        text = re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", said.decode("utf-8", "replace"))
        self.assertIn("synchroscope ", text)
        self.assertEqual(re.findall(r"code ?page ?(\d+)", text), ["850", "850"])


class Lists(Case):
    def test_every_primitive_of_the_documents_says_whether_it_can_be_had(self):
        wakes = {w["name"]: w for w in json.loads(self.succeeds("list", "wakes", "--json")[0])}
        self.assertEqual(OF_THE_DOCUMENTS - set(wakes), set())
        for name, wake in wakes.items():
            self.assertEqual(wake["available"], wake["reason"] is None, name)
        for name in ("win32/event", "win32/semaphore", "win32/wait_on_address", "win32/apc", "event", "spin/pause"):
            self.assertTrue(wakes[name]["available"], wakes[name]["reason"])

    def test_locks_and_experiments(self):
        locks = {lock["name"] for lock in json.loads(self.succeeds("list", "locks", "--json")[0])}
        self.assertLessEqual({"mcs", "ticket", "std/mutex"}, locks)
        names = {e["name"] for e in json.loads(self.succeeds("list", "experiments", "--json")[0])}
        self.assertLessEqual({"wake.broadcast", "overhead.calls", "locks.throughput"}, names)


class Runs(Case):
    def test_a_file_of_any_name_says_wine(self):
        folder = self.folder / "Größe und Länge"
        folder.mkdir()
        out, _ = self.succeeds("run", *ONE_CELL, "-o", "Größe und Länge/erste Messung.json")
        self.assertIn("under Wine", out)
        self.assertEqual([f.name for f in folder.iterdir()], ["erste Messung.json"])
        document = self.document("Größe und Länge/erste Messung.json")
        self.assertTrue(document["complete"])
        self.assertIsInstance(document["os"]["wine"], str)
        self.assertIn("stand_in", [w["id"] for w in document["warnings"]])
        shown, _ = self.succeeds("show", "Größe und Länge\\erste Messung.json", "--tables")
        self.assertIn("under Wine", shown)
        self.assertNotIn("\x1b", shown)  # a stream is no console with colours

    def test_wakes_and_calls_are_measured(self):
        self.succeeds("run", "overhead.calls", "--quick", "--call", "ReleaseMutex,SetEvent", "--no-progress", "-o", "c.json")
        own = {c["at"]["primitive"] for c in self.document("c.json")["cells"] if c["value"] is not None}
        self.assertLessEqual({"win32/mutex", "win32/event"}, own)
        self.succeeds("run", "wake.broadcast", "--quick", "--primitive", "win32/event,win32/apc", "--threads", "1",
                      "--no-progress", "-o", "w.json")
        cells = self.document("w.json")["cells"]
        for primitive in ("win32/event", "win32/apc"):
            means = [c for c in cells if c["at"]["primitive"] == primitive and c["metric"] == "wake_mean"]
            self.assertEqual([c["value"] is not None for c in means], [True])
        # No number where the system does not count.
        self.assertEqual({c["value"] for c in cells if c["metric"] == "switches"}, {None})

    def test_the_tour_stops_at_what_windows_offers(self):
        out, _ = self.succeeds("tour", "--no-progress", "-o", "tour.json")
        self.assertIn("under Wine", out)
        shown = {(c["experiment"], c["at"].get("primitive")) for c in self.document("tour.json")["cells"]}
        self.assertLessEqual({("wake.broadcast", "win32/event"), ("wake.broadcast", "win32/wait_on_address"),
                              ("overhead.calls", "win32/critical_section"), ("overhead.calls", "win32/mutex")}, shown)
        self.assertTrue((self.folder / "tour.html").exists(), "the report beside it")

    def test_no_verdict_on_windows_comes_from_wine(self):
        self.succeeds("run", "wake.broadcast", "--quick", "--primitive", "win32/event,win32/mutex_flag", "--threads", "1",
                      "--placement", "unpinned", "--no-progress", "-o", "w.json")
        claims = json.loads(self.succeeds("show", "w.json", "--claims", "--json")[0])
        of_windows = [c for c in claims if c["id"].startswith("W") or c["id"] == "B5"]
        self.assertGreaterEqual(len(of_windows), 12)
        for claim in of_windows:
            self.assertEqual(claim["verdict"], "not measured", claim)
            self.assertRegex(claim["because"], r"under Wine \d.*, which is not Windows", claim)


class Exchange(Case):
    """A file that the program has written on Linux, read here beside one of its own."""

    def setUp(self):
        super().setUp()
        (self.folder / "Größe und Länge").mkdir()
        shutil.copy(HERE.parent / "fuzz" / "corpus" / "document.json", self.folder / "Größe und Länge" / "von Linux.json")
        self.succeeds("run", "coherence.local", "--level", "l1", "--quick", "--no-progress", "-o",
                      "Größe und Länge\\von hier.json")
        self.files = ("Größe und Länge\\von Linux.json", "Größe und Länge\\von hier.json")

    def test_both_are_compared(self):
        out, said = self.succeeds("compare", *self.files)
        self.assertRegex(out, r"(?m)^A: .*von Linux\.json \(AMD EPYC, 6\.")
        self.assertRegex(out, r"(?m)^B: .*von hier\.json \(.* under Wine \d")
        self.assertIn("2 measurements are in both files", out)
        self.assertTrue(any("The machines differ" in line for line in said), said)

    def test_both_are_in_a_report(self):
        self.succeeds("report", *self.files, "-o", "Größe und Länge\\beide.html")
        page = (self.folder / "Größe und Länge" / "beide.html").read_text(encoding="utf-8")
        self.assertIn("Debian GNU/Linux 12", page)
        self.assertRegex(page, r"under Wine \d")


class BadInput(Case):
    def test_a_folder_that_is_not_there(self):
        self.refuses(2, "run", *ONE_CELL, "-o", "nicht da/x.json", saying="nicht da")
        self.refuses(2, "show", "nicht da.json", saying="nicht da.json")

    def test_a_primitive_of_another_system(self):
        self.refuses(2, "run", "wake.broadcast", "--primitive", "linux/futex", saying="linux/futex")

    def test_a_timer_that_is_not_granted(self):
        words = ("run", "wake.broadcast", "--quick", "--primitive", "win32/event", "--threads", "1", "--no-progress")
        self.succeeds(*words, "--timer", "0,1,1000000", "-o", "t.json")
        by_timer = {}
        for c in self.document("t.json")["cells"]:
            if c["metric"] == "wake_mean":
                by_timer[c["at"]["timer"]] = c
        self.assertIsNotNone(by_timer[1]["value"], by_timer[1]["reason"])
        self.assertIsNone(by_timer[1000000]["value"])
        self.assertIn("the system grants no timer period of 1000000 ms", by_timer[1000000]["reason"])
        self.refuses(2, *words, "--timer", "-3", saying="timer takes milliseconds")

    def test_what_windows_has_not(self):
        self.refuses(3, "with", "mcs", "--", "winver.exe", saying="loader of Windows preloads no library")

    def test_ctrl_c_loses_nothing(self):
        running = self.start("run", "coherence.pairs", "locks.uncontested", "--no-progress", "-o", "x.json",
                             start_new_session=True)
        journal = self.folder / "x.json.partial"
        until = time.monotonic() + LONG
        # Until something is measured, however long that takes here.
        while time.monotonic() < until and running.poll() is None:
            if journal.exists() and len(journal.read_bytes().splitlines()) > 3:
                break
            time.sleep(0.1)
        self.assertIsNone(running.poll(), "it ended before it could be interrupted")
        os.kill(running.pid, signal.SIGINT)
        try:
            _, err = running.communicate(timeout=LONG)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            self.fail("it goes on after Ctrl-C")
        self.assertEqual(running.returncode, 130, err)
        document = self.document("x.json")
        self.assertFalse(document["complete"])
        self.assertTrue(any(c["value"] is not None for c in document["cells"]))
        self.assertRegex(err, r"not complete: .*; to go on:\r?\n  synchroscope run --resume x\.json")


if __name__ == "__main__":
    sys.argv[1:4] = []
    if shutil.which(WINE) is None:
        print("skipped: there is no Wine")
        sys.exit(0)
    unittest.main(verbosity=2)
