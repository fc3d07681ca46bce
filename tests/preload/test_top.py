"""`synchroscope top`: what it draws on a terminal, what it prints in a pipe, and that it leaves nothing behind.

    test_top.py PROGRAM CLASS

The environment tells where the programs of this folder are: PROGRAMS.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import case as shared
from case import PROGRAM, program
from terminal import Terminal

COLUMNS = ["seconds", "pid", "acquired_per_s", "contended", "waiting", "wait_ns", "held", "hold_ns", "waiting_now", "lock",
           "taken_at"]


class Case(shared.Case):
    def top(self, *words, **kwargs):
        return self.call(PROGRAM, "top", *words, **kwargs)

    def on_terminal(self, *words, **kwargs):
        terminal = Terminal([PROGRAM, "top", *words], cwd=self.home, **kwargs)
        self.addCleanup(terminal.close)
        return terminal

    def children_of(self, pid):
        with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
            return [int(child) for child in file.read().split()]

    def gone(self, pids):
        end = time.monotonic() + 60
        while any(os.path.exists(f"/proc/{pid}") for pid in pids):
            self.assertLess(time.monotonic(), end, pids)
            time.sleep(0.02)

    def recordings_of(self, pid):
        """The folder in which a process records."""
        with open(f"/proc/{pid}/environ", "rb") as file:
            [folder] = [word.split(b"=", 1)[1] for word in file.read().split(b"\0")
                        if word.startswith(b"SYNCHRO_PRELOAD_PROFILE=")]
        self.assertTrue(os.path.isdir(folder))
        return folder.decode()

    def lines(self, text):
        rows = [line.split("\t") for line in text.splitlines()]
        self.assertEqual(rows[0], COLUMNS)
        return [dict(zip(COLUMNS, row, strict=True)) for row in rows[1:]]


class Lines(Case):
    def test_each_update_has_a_line_for_all_and_one_for_each_lock(self):
        result = self.top("--every", "1", "--interval", "200ms", "--count", "3", "--", program("profiled"), "busy")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        rows = self.lines(result.stdout)
        moments = [row["seconds"] for row in rows if row["lock"] == "(all)"]
        self.assertEqual(len(moments), 3)
        for moment in moments[1:]:
            block = {row["lock"]: row for row in rows if row["seconds"] == moment}
            self.assertEqual(set(block), {"(all)", "hot_mutex", "cold_mutex"})
            hot = block["hot_mutex"]
            self.assertGreater(int(hot["acquired_per_s"]), 0)
            self.assertGreaterEqual(int(hot["hold_ns"]), 1_000_000)  # it sleeps so long while it has it
            self.assertGreater(float(hot["held"]), float(block["cold_mutex"]["held"]))
            self.assertIn("take_for_ever", hot["taken_at"])

    def test_a_lock_in_an_array_has_its_number_once_three_were_seen(self):
        """Also one that was seen before the others, as bank+0x120."""
        result = self.top("--every", "1", "--interval", "100ms", "--count", "8", "--", program("profiled"), "accounts")
        rows = self.lines(result.stdout)
        last = {row["lock"] for row in rows if row["seconds"] == rows[-1]["seconds"]}
        self.assertEqual(last, {"(all)", "bank[0]", "bank[3]", "bank[6]"})

    def test_rows_are_ordered_and_left_out_as_asked(self):
        words = ("--every", "1", "--interval", "200ms", "--count", "2", "--", program("profiled"), "busy")
        by_name = [row["lock"] for row in self.lines(self.top("--sort", "name", *words).stdout)]
        self.assertEqual(by_name[-3:], ["(all)", "cold_mutex", "hot_mutex"])
        filtered = {row["lock"] for row in self.lines(self.top("--filter", "COLD", *words).stdout)}
        self.assertEqual(filtered, {"(all)", "cold_mutex"})

    def test_it_ends_with_the_command_and_as_it_did(self):
        result = self.top("--every", "1", "--", "sh", "-c", f"echo said; {program('profiled')} counted; exit 7")
        self.assertEqual((result.returncode, result.stderr), (7, "said\n"))
        rows = self.lines(result.stdout)
        self.assertEqual([row["lock"] for row in rows if row["lock"].startswith("hot")], ["hot_mutex"])

    def test_the_recording_is_kept_for_a_report(self):
        result = self.top("--every", "1", "--record", self.path("kept.json"), "--", program("profiled"), "counted")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("kept.json"), encoding="utf-8") as file:
            document = json.load(file)
        self.assertEqual(document["format"], "synchroscope-profile-1")
        [hot] = [lock for lock in document["processes"][0]["locks"] if lock["name"] == "hot_mutex"]
        self.assertEqual(hot["acquisitions"], 4000)


    def test_a_reader_that_has_read_enough(self):
        """As of `| head`: nothing is said, and neither the command nor its recordings stay."""
        process = subprocess.Popen([PROGRAM, "top", "--interval", "100ms", "--", program("profiled"), "busy"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.readline(), process.stdout.readline()
        children = self.children_of(process.pid)
        folder = self.recordings_of(children[0])
        process.stdout.close()
        self.assertEqual((process.wait(60), process.stderr.read()), (141, ""))
        process.stderr.close()
        self.gone(children)
        self.assertFalse(os.path.exists(folder))

    def test_recordings_that_are_taken_away(self):
        process = subprocess.Popen([PROGRAM, "top", "--interval", "100ms", "--", program("profiled"), "busy"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.readline(), process.stdout.readline()
        children = self.children_of(process.pid)
        folder = self.recordings_of(children[0])
        shutil.rmtree(folder)
        _, said = process.communicate(timeout=60)
        self.assertEqual((process.returncode, said),
                         (3, f"synchroscope: the recordings in {folder} cannot be read: No such file or directory\n"))
        self.gone(children)

    def test_a_lock_is_named_after_many_places_were_seen(self):
        result = self.top("--every", "1", "--record", self.path("kept.json"), "--", program("profiled"), "places")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("kept.json"), encoding="utf-8") as file:
            names = [lock["name"] for lock in json.load(file)["processes"][0]["locks"]]
        self.assertTrue(any(name.startswith("made at make_heap_lock") for name in names), names)


class Screens(Case):
    """What is common to both sizes."""

    def shown(self, width, height):
        terminal = self.on_terminal("--every", "1", "--interval", "100ms", "--", program("profiled"), "busy", width=width,
                                    height=height)
        # The first, because it is waited for.
        text = terminal.wait_for(r"  now[^\n]*\nhot_mutex [^\n]*\ncold_mutex ", r"2 threads", r"q leave")
        rows = text.split("\n")
        self.assertEqual(len(rows), height)
        self.assertTrue(rows[0].startswith(program("profiled")[:20]), rows[0])
        self.assertEqual(len(rows[0]), width)
        self.assertRegex(rows[3], r"^lock +acq/s +cont \*waiting +wait +held +hold +now")
        self.assertIn("take_for_ever", rows[-2])
        return terminal, rows


class Screen(Screens):
    def test_80_by_24(self):
        _, rows = self.shown(80, 24)
        self.assertEqual((len(rows[3]), rows[3].split()[-1]), (80, "now"))  # and no column of places

    def test_200_by_50(self):
        _, rows = self.shown(200, 50)
        self.assertIn("taken at", rows[3])
        self.assertIn("take_for_ever", rows[4])

    def test_another_size_is_drawn_anew(self):
        terminal, _ = self.shown(80, 24)
        terminal.screen = type(terminal.screen)(100, 30)
        terminal.resize(100, 30)
        terminal.process.send_signal(signal.SIGWINCH)
        text = terminal.wait_for(r"q leave", r"hot_mutex")
        self.assertTrue(text.split("\n")[29].startswith("q leave"), text)
        terminal.screen = type(terminal.screen)(40, 6)
        terminal.resize(40, 6)
        terminal.process.send_signal(signal.SIGWINCH)
        terminal.wait_for(r"too small: 60 by 8 are needed")

    def test_keys(self):
        terminal, _ = self.shown(80, 24)
        terminal.press("n")
        terminal.wait_for(r"(?ms)^cold_mutex .*^hot_mutex ", r"; by name")
        terminal.press("r")
        terminal.wait_for(r"(?ms)^hot_mutex .*^cold_mutex ", r"by name, least first")
        terminal.press("/col\r")
        text = terminal.wait_for(r"with 'col'")
        self.assertNotRegex(text, r"(?m)^hot_mutex ")
        terminal.press("h")
        terminal.wait_for(r"share of them that had to wait")
        terminal.press("hq")
        self.assertEqual(terminal.end(), 0)
        self.assertTrue(terminal.is_restored())
        self.assertIn("hot_mutex", terminal.errors)  # the table of the whole run

    def test_time_stands_still_and_goes_back(self):
        terminal, _ = self.shown(80, 24)
        terminal.wait_for(r"(?m)^[1-9]\.[0-9] s, every")  # several updates are there to go back to
        terminal.press("p")
        terminal.wait_for(r"paused, 0\.[1-9] s ago")
        seconds = re.search(r"(?m)^([0-9.]+) s, every", terminal.screen.text())[1]
        terminal.wait_for(r"paused, [1-9]\.. s ago")
        self.assertEqual(re.search(r"(?m)^([0-9.]+) s, every", terminal.screen.text())[1], seconds)
        terminal.press("\x1bOD")  # left
        terminal.wait_for(r"(?m)^(?!" + re.escape(seconds) + r" s)[0-9.]+ s, every.*paused")
        earlier = re.search(r"(?m)^([0-9.]+) s, every", terminal.screen.text())[1]
        self.assertLess(float(earlier), float(seconds))
        terminal.press("p")
        terminal.wait_for(r"(?m)^[0-9.]+ s, every [0-9.]+ s; by")

    def test_threads_that_wait_for_each_other(self):
        terminal = self.on_terminal("--every", "1", "--interval", "100ms", "--", program("profiled"), "deadlock")
        text = terminal.wait_for(r"Lock-order cycle: ", r"(?m)^hot_mutex .* 1$", r"(?m)^cold_mutex .* 1$")
        self.assertRegex(text, r"Lock-order cycle: (hot_mutex, cold_mutex|cold_mutex, hot_mutex)")


class Processes(Case):
    """Many, one after the other."""

    def test_those_that_have_ended_are_not_counted_and_none_of_their_files_is_open(self):
        command = f"for i in $(seq 20); do {program('profiled')} counted; done; exec {program('profiled')} busy"
        terminal = self.on_terminal("--interval", "100ms", "--", "sh", "-c", command)
        terminal.wait_for("1 process, 2 threads so far", r"(?m)^hot_mutex ")
        folder = self.recordings_of(self.children_of(terminal.process.pid)[0])
        self.assertGreater(len(os.listdir(folder)), 20)
        fds = f"/proc/{terminal.process.pid}/fd"
        files = [os.readlink(os.path.join(fds, fd)) for fd in os.listdir(fds) if os.path.exists(os.path.join(fds, fd))]
        self.assertEqual(len([file for file in files if file.startswith(folder + "/")]), 1, files)

    def test_who_was_killed_waits_no_more_but_the_cycle_stands(self):
        command = f"{program('profiled')} deadlock; exec {program('profiled')} busy"
        terminal = self.on_terminal("--every", "1", "--interval", "100ms", "--", "sh", "-c", command)
        text = terminal.wait_for(r"(?m)^\d+ hot_mutex .* 1$", r"(?m)^\d+ cold_mutex .* 1$")
        os.kill(int(re.search(r"(?m)^(\d+) hot_mutex ", text)[1]), signal.SIGKILL)
        text = terminal.wait_for("1 process, 2 threads so far", r"(?m)^hot_mutex ", "Lock-order cycle: ")
        self.assertEqual(len(re.findall(r"(?m)^(?:\d+ )?hot_mutex [^,]*$", text)), 1, text)


class Ends(Case):
    """The terminal is as it was, and the command has gone."""

    def started(self, *words):
        terminal = self.on_terminal("--interval", "100ms", "--", *words)
        terminal.wait_for("q leave", "hot_mutex")
        self.assertTrue(terminal.screen.alternate)
        self.assertFalse(terminal.is_restored())
        return terminal

    def test_interrupted_and_terminated(self):
        for how, status in ((lambda t: t.press("\x03"), 130), (lambda t: t.process.send_signal(signal.SIGTERM), 143)):
            terminal = self.started(program("profiled"), "busy")
            children = self.children_of(terminal.process.pid)
            self.assertEqual(len(children), 1)
            how(terminal)
            self.assertEqual(terminal.end(), status)
            self.assertTrue(terminal.is_restored())
            self.gone(children)

    def test_asked_to_end_again_while_it_cannot_draw(self):
        terminal = self.started(program("profiled"), "busy")
        children = self.children_of(terminal.process.pid)
        folder = self.recordings_of(children[0])
        terminal.press("\x13")  # Ctrl-S: what is drawn from here on waits for Ctrl-Q
        time.sleep(0.5)
        for _ in range(2):
            terminal.process.send_signal(signal.SIGTERM)
            time.sleep(0.5)  # requests that come together are one
        terminal.press("\x11")
        self.assertEqual(terminal.end(), 143)
        self.assertTrue(terminal.is_restored())
        self.gone(children)
        self.assertFalse(os.path.exists(folder))

    def test_quit_from_the_keyboard_is_not_heeded(self):
        terminal = self.started(program("profiled"), "busy")
        terminal.press("\x1c")
        terminal.press("n")
        terminal.wait_for("by name")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)
        self.assertTrue(terminal.is_restored())

    def test_the_command_dies(self):
        terminal = self.started(program("profiled"), "crash")
        self.assertEqual(terminal.end(), -signal.SIGSEGV)
        self.assertTrue(terminal.is_restored())

    def test_killed_it_leaves_no_process(self):
        terminal = self.started(program("profiled"), "busy")
        children = self.children_of(terminal.process.pid)
        self.addCleanup(shutil.rmtree, self.recordings_of(children[0]))  # which stay
        terminal.process.send_signal(signal.SIGKILL)
        terminal.end()
        self.gone(children)

    def test_what_the_command_writes_comes_after_the_screen(self):
        terminal = self.started("sh", "-c", f"echo it began; {program('profiled')} crash; echo it went on; exit 3")
        self.assertNotIn("it began", terminal.screen.text())
        self.assertEqual(terminal.end(), 3)
        self.assertIn("it went on", terminal.screen.text())
        self.assertTrue(terminal.is_restored())


class Recordings(Case):
    """Of a program that another command records."""

    def test_of_a_process_and_of_its_file(self):
        other = subprocess.Popen([PROGRAM, "profile", "--every", "1", "--", program("profiled"), "busy"],
                                 stderr=subprocess.DEVNULL)
        self.addCleanup(other.wait)
        self.addCleanup(other.terminate)
        children = []
        while not children:
            with open(f"/proc/{other.pid}/task/{other.pid}/children", encoding="utf-8") as file:
                children = file.read().split()
        time.sleep(1)  # what was counted until now is in no update
        words = ("--interval", "200ms", "--count", "2")
        result = self.top(*words, children[0])
        while "does not record its locks" in result.stderr:  # it has not begun yet
            result = self.top(*words, children[0])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        with open(f"/proc/{children[0]}/maps", encoding="utf-8") as maps:
            file = next(line.split()[-1] for line in maps if "rw-s" in line and line.rstrip().endswith(".0"))
        of_file = self.top(*words, file)
        for text in (result.stdout, of_file.stdout):
            rows = [row for row in self.lines(text) if row["lock"] == "hot_mutex"]
            self.assertEqual(len(rows), 2)
            for row in rows:
                self.assertEqual(row["pid"], children[0])
                self.assertGreater(int(row["acquired_per_s"]), 0)
                self.assertLess(int(row["acquired_per_s"]), 1100)  # it is held for a millisecond each time
        os.kill(int(children[0]), signal.SIGKILL)
        after = self.top("--interval", "100ms", file)
        self.assertEqual(after.returncode, 2 if "no file" in after.stderr else 0)


class Mistakes(Case):
    def test_what_there_is_not(self):
        with open(self.path("text"), "w", encoding="utf-8") as file:
            file.write("no recording")
        with open(self.path("earlier"), "wb") as file:
            file.write(b"SYNLOCK1" + bytes(4096))
        with open(self.path("theirs"), "w", encoding="utf-8"):
            pass
        if os.getuid() == 0:
            os.chown(self.path("theirs"), 65534, 65534)
        theirs = self.path("theirs") if os.getuid() == 0 else "/etc/passwd"
        for status, words, saying in (
                (2, [self.path("earlier")], "was recorded by another version of synchroscope"),
                (2, [theirs], "belongs to another user"),
                (2, ["999999999"], "there is no process 999999999"),
                (2, ["nothing"], "there is no file 'nothing'"),
                (2, [self.path("text")], "is not a recording of locks"),
                (3, [str(os.getpid())], f"process {os.getpid()} does not record its locks"),
                (2, [], "top needs a command"),
                (2, ["a", "b"], "top needs a command, a process or a recording"),
                (2, ["--", "no-such-program"], "there is no program 'no-such-program'"),
                (2, ["--interval", "10ms", "--", "true"], "--interval takes 100ms or more"),
                (2, ["--count", "0", "--", "true"], "--count takes"),
                (2, ["--sort", "wating", "--", "true"], "there is no column 'wating'"),
                (2, ["--lock", "mcss", "--", "true"], "no lock 'mcss'"),
                (2, ["--record", "x", str(os.getpid())], "--record needs a command"),
                (2, ["--record", "/no/such/folder/x", "--", "true"], "/no/such/folder")):
            with self.subTest(words=words):
                self.refuses(status, self.top(*words), saying)

    def test_terminals_on_which_nothing_can_be_drawn(self):
        for size, term, saying in (((50, 24), "xterm", "the terminal is too small for top: 50 columns and 24 lines"),
                                   ((80, 5), "xterm", "the terminal is too small"),
                                   ((80, 24), "no-such-terminal", "TERM is 'no-such-terminal'")):
            with self.subTest(size=size, term=term):
                terminal = self.on_terminal("--", program("profiled"), "busy", width=size[0], height=size[1], term=term)
                self.assertEqual(terminal.end(), 3)
                self.assertIn(saying, terminal.errors)
                self.assertEqual(len(terminal.errors.splitlines()), 1)
                self.assertTrue(terminal.is_restored())

    def test_one_that_cannot_go_back_has_lines(self):
        terminal = self.on_terminal("--count", "1", "--", program("profiled"), "counted", term="dumb", width=200)
        self.assertEqual(terminal.end(), 0)
        self.assertIn("seconds", terminal.screen.text())
        self.assertIn("(all)", terminal.screen.text())


class Lockless(Case):
    """A program that calls no mutex: one sentence, wherever locks would be measured."""

    SENTENCE = "No recorded process has called a pthread mutex or spin lock that can be recorded"

    def test_without_a_mutex(self):
        self.assertIn(self.SENTENCE, self.top("--", program("lockless")).stderr)
        self.assertIn(self.SENTENCE, self.call(PROGRAM, "profile", "--", program("lockless")).stderr)
        result = self.call(PROGRAM, "tune", "--no-progress", "--", program("lockless"))
        self.refuses(3, result, "locks no pthread mutex or spin lock that could be replaced")

    def test_with_one(self):
        self.assertNotIn(self.SENTENCE, self.top("--", program("lockless"), "once").stderr)
        self.assertNotIn(self.SENTENCE, self.call(PROGRAM, "profile", "--", program("lockless"), "once").stderr)
        self.tunes("once")

    def test_with_one_for_readers_and_writers(self):
        self.tunes("read")

    def test_with_one_for_readers_and_writers_before_there_are_threads(self):
        self.tunes("read_first")

    def test_with_one_for_readers_and_writers_and_no_threads(self):
        for word in ("read_alone", "read_in_child"):
            result = self.call(PROGRAM, "tune", "--no-progress", "--", program("lockless"), word)
            self.refuses(3, result, "its threads no readers-writers lock")

    def test_with_a_spin_lock(self):
        self.assertNotIn(self.SENTENCE, self.top("--", program("lockless"), "spin").stderr)
        self.tunes("spin")

    def tunes(self, *words):
        result = self.call(PROGRAM, "tune", "--no-progress", "--repeat", "1", "--locks", "mutex", "--", program("lockless"),
                           *words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_with_one_that_is_locked_where_no_file_of_ours_is_seen(self):
        if os.getuid() != 0:
            self.skipTest("only root can change a program's root")
        self.tunes("once", self.home)


if __name__ == "__main__":
    unittest.main()
