"""Programs whose locks are replaced: what comes out of them, what is caught, what is refused.

    test_preload.py PROGRAM CLASS [LOCK...]

The environment tells where the interposer and the programs of this folder are: PRELOAD, PROGRAMS (a folder).
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

import case as shared
from behaviour import BEHAVIOUR, MISUSE, READERS
from case import PROGRAM, program

LOCKS = sys.argv[2:]
del sys.argv[2:]
PRELOAD = os.environ["PRELOAD"]
HERE = os.path.dirname(os.path.abspath(__file__))


class Case(shared.Case):
    def with_lock(self, lock, *command, **kwargs):
        return self.call(PROGRAM, "with", lock, "--", *command, **kwargs)

    def own_locks(self):
        listed = json.loads(self.call(PROGRAM, "list", "locks", "--json").stdout)
        locks = [lock["name"] for lock in listed if lock["kind"] == "own"]
        self.assertTrue({"mutex", "ticket", "mcs/park"} <= set(locks), locks)
        return locks

    def is_silent(self, result):
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""), result.args)

    def report(self, lock, *command):
        file = self.path("report.json")
        result = self.call(PROGRAM, "with", lock, "--report", file, "--", *command)
        self.is_silent(result)
        with open(file, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]


class Native(Case):
    """The control: what the cases ask is what the C library alone does."""

    def test_behaviour(self):
        for case in BEHAVIOUR:
            self.is_silent(self.call(program("interposed"), case))
        for name in ("standard", "c11", "stepped"):
            if os.path.exists(program(name)):
                self.is_silent(self.call(program(name)))


class Behaviour(Case):
    def test_behaviour(self):
        for lock in LOCKS:
            for case in BEHAVIOUR:
                with self.subTest(lock=lock, case=case):
                    self.is_silent(self.with_lock(lock, program("interposed"), case))

    def test_with_an_allocator_that_locks(self):
        environment = {**os.environ, "LD_PRELOAD": program("locking_malloc.so")}
        for lock in LOCKS:
            for words in (["interposed", "kinds", "exclusion", "notified"], ["standard"]):
                with self.subTest(lock=lock, program=words):
                    self.is_silent(self.with_lock(lock, program(words[0]), *words[1:], env=environment))

    def test_standard_library(self):
        for lock in LOCKS:
            for name in ("standard", "c11"):
                if os.path.exists(program(name)):
                    with self.subTest(lock=lock, program=name):
                        self.is_silent(self.with_lock(lock, program(name)))


class Everywhere(Case):
    """Two whole programs, with every lock that there is."""

    def test_the_standard_library_and_c11(self):
        for lock in self.own_locks():
            for name in ("standard", "c11"):
                if os.path.exists(program(name)):
                    with self.subTest(lock=lock, program=name):
                        self.is_silent(self.with_lock(lock, program(name)))


class Interrupted(Case):
    """A handler of signals tries mutexes after every instruction of a thread at others."""

    def test_with_every_lock(self):
        if not os.path.exists(program("stepped")):
            self.skipTest("this processor is not asked to step")
        for lock in self.own_locks():
            with self.subTest(lock=lock):
                self.is_silent(self.with_lock(lock, program("stepped")))


class Spinning(Case):
    def test_behaviour(self):
        for lock in LOCKS:
            for case in ("kinds", *MISUSE, "timed", "timed_waits", *READERS, "left_alone", "shared_memory", "every_call"):
                with self.subTest(lock=lock, case=case):
                    self.is_silent(self.with_lock(lock, program("interposed"), case))


class Crowds(Case):
    """Of hundreds of threads that spin, and keep each other from the processors, the program is told once."""

    def test_that_spins(self):
        result = self.with_lock("tas", program("interposed"), "many_waiting", "many_waiting")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertRegex(result.stderr, r"^libsynchro-preload.so: in process \d+ 1\d\d threads can run, .*'tas' spin: ")

    def test_that_does_not_spin_or_is_none(self):
        for lock, case in (("tas/yield", "many_waiting"), ("mutex", "many_waiting"), ("tas", "few_waiting")):
            with self.subTest(lock=lock, case=case):
                self.is_silent(self.with_lock(lock, program("interposed"), case))


class RealTime(Case):
    """Where locks meet priorities, of which they know nothing, they say so once."""

    def tells_once(self, result, of_class):
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(f"has a thread of the class {of_class}", result.stderr)

    def test_of_threads_that_are_made(self):
        alone = self.call(program("interposed"), "real_time")
        if alone.returncode == 77:
            self.skipTest("no real-time class may be had here")
        self.is_silent(alone)
        self.tells_once(self.with_lock("mutex", program("interposed"), "real_time"), "SCHED_RR")

    def test_of_a_whole_process(self):
        def raised():
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))

        try:
            result = self.with_lock("mutex", program("interposed"), "kinds", preexec_fn=raised)
        except subprocess.SubprocessError:
            self.skipTest("no real-time class may be had here")
        self.tells_once(result, "SCHED_FIFO")


class Programs(Case):
    def test_many_threads_of_an_interpreter(self):
        script = os.path.join(HERE, "many_threads.py")
        native = self.call(sys.executable, script)
        self.assertEqual((native.returncode, native.stderr), (0, ""))
        for lock in LOCKS:
            with self.subTest(lock=lock):
                result = self.with_lock(lock, sys.executable, script)
                self.assertEqual((result.returncode, result.stdout, result.stderr), (0, native.stdout, ""))

    def test_what_is_measured_here_runs_with_its_locks_replaced(self):
        result = self.with_lock("mcs/park", PROGRAM, "list", "models")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, self.call(PROGRAM, "list", "models").stdout)


class Matrix(Case):
    """The script that is run by hand (programs.sh) finds what it is there to find."""

    def judged(self, **fault):
        """With a program that misbehaves as told, as soon as its locks are replaced: exit status and lines."""
        broken = self.path("broken")
        with open(broken, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\n[ "$FAULT" = status ] && exit 7\n[ "$FAULT" = hang ] && exit 124\n'
                       '[ "$FAULT" = prints ] && echo "libsynchro-preload.so: here I am" >&2\n'
                       '[ "$1" = with ] && shift 3\n"$@"\n')
        os.chmod(broken, 0o755)
        environment = {**os.environ, "ONLY": "standard library", "FAULT": "", **fault}
        result = self.call("bash", os.path.join(HERE, "programs.sh"), broken, "mcs", "mutex", env=environment)
        return result.returncode, result.stdout.splitlines()

    def test_what_goes_well(self):
        name = "C++ standard library with"
        self.assertEqual(self.judged(), (0, [f"ok    {name} mcs", f"ok    {name} mutex", "2 of 2 ok, with 2 locks"]))

    def test_what_does_not(self):
        for fault, saying in (("status", "exit status 7"), ("hang", "hang"), ("prints", "prints something else")):
            with self.subTest(fault=fault):
                status, lines = self.judged(FAULT=fault)
                self.assertEqual((status, lines[-1]), (1, "0 of 2 ok, with 2 locks"))
                found = [line for line in lines if line.startswith("FAIL")]
                self.assertEqual(len(found), 2)
                for line in found:
                    self.assertIn(saying, line)

    def test_what_is_not_there(self):
        status, lines = self.judged(PROGRAMS=self.home)
        self.assertEqual(status, 1)  # nothing was tried
        self.assertIn("not tried: C++ standard library", lines[0])
        self.assertEqual(lines[1], "0 of 0 ok, with 2 locks; not tried: C++ standard library")


def replaced_functions():
    with open(os.environ["CALLS"], encoding="utf-8") as header:
        return {part.split(")")[0] for part in header.read().split("X(")[1:]}


class Past(Case):
    """Who asks the C library itself for functions: a library with RTLD_DEEPBIND, dlsym with a handle, or with RTLD_NEXT."""

    DEEP = ("deep", "deep_now")
    WAYS = (*DEEP, "handle", "version", "behind")
    CASES = ("held", "exclusion", "condition", "readers", "spin", "c11", "counted")

    def runs(self, *command, behind=None):
        environment = {**os.environ, "LD_PRELOAD": program(behind) if behind else ""}
        self.is_silent(self.call(*command, env=environment))

    def test_both_halves_agree(self):
        for way in self.WAYS:
            self.runs(program("past"), way, *self.CASES)
            for lock in LOCKS:
                with self.subTest(lock=lock, way=way):
                    self.runs(PROGRAM, "with", lock, "--", program("past"), way, *self.CASES)

    def test_every_function_is_found_here(self):
        names = replaced_functions() - {"pthread_create", "thrd_create"}
        for way in self.WAYS:
            with self.subTest(way=way):
                self.runs(PROGRAM, "with", "mcs", "--", program("past"), way, "same", *names)

    def test_with_a_library_behind_that_passes_on(self):
        """It would find itself again if what it passes on came back. And what starts threads is no obstacle to the rest."""
        for lock in LOCKS:
            with self.subTest(lock=lock):
                for behind in ("behind.so", "behind_with_locks.so"):
                    self.runs(PROGRAM, "with", lock, "--", program("interposed"), "left_alone", "notified", behind=behind)
                self.runs(PROGRAM, "with", lock, "--", program("past"), "handle", *self.CASES, behind="behind.so")

    def test_where_memory_cannot_be_made_writable(self):
        command = (program("unwritable"), program("past"), "handle", "spin")
        alone = self.call(*command)
        if alone.returncode == 77:
            self.skipTest("system calls cannot be filtered here")
        self.is_silent(alone)
        result = self.call(*command, env={**os.environ, "LD_PRELOAD": PRELOAD, "SYNCHRO_PRELOAD_LOCK": "mcs"})
        self.refuses(3, result, "RTLD_DEEPBIND", prefix="libsynchro-preload.so: ")


class Caught(Case):
    def test_every_function_is_caught(self):
        names = replaced_functions()
        self.assertGreater(len(names), 40)
        told = self.report("mcs", program("interposed"), "every_call")[-1]
        self.assertEqual(told["lock"], "mcs")
        self.assertEqual(set(told["calls"]), names)
        self.assertEqual(told["objects"]["native_mutex"], 0)

    def test_the_list_is_what_is_exported(self):
        names = replaced_functions()
        told = self.call("nm", "-D", "--defined-only", PRELOAD)
        exported = {line.split()[-1] for line in told.stdout.splitlines()}
        self.assertEqual({name for name in exported if "@" in name}, set())  # of no version: they serve every version
        older = {name for name in exported if name.startswith("__pthread_")} | {"pthread_mutex_consistent_np"}
        self.assertEqual(exported - older, names)

    def test_calls_of_old_binaries_are_caught(self):
        if not os.path.exists(program("old_symbols")):
            self.skipTest("this architecture has one generation of symbols")
        told = self.report("ticket", program("old_symbols"))[-1]
        for name in ("pthread_cond_wait", "pthread_cond_signal", "pthread_mutex_trylock"):
            self.assertGreaterEqual(told["calls"].get(name, 0), 1)

    def test_counts(self):
        told = self.report("ticket", program("interposed"), "exclusion")[-1]
        self.assertEqual(told["calls"]["pthread_create"], 4)
        self.assertEqual(told["calls"]["pthread_spin_lock"], 800)
        self.assertEqual(told["calls"]["pthread_mutex_lock"], 900)
        self.assertEqual(told["calls"]["pthread_mutex_unlock"], 900)

    def test_what_is_left_to_the_c_library_is_counted(self):
        objects = [told["objects"] for told in self.report("clh", program("interposed"), "left_alone")]
        parent = objects[-1]
        self.assertEqual((parent["native_mutex"], parent["native_condition"], parent["native_rwlock"],
                          parent["native_spin"]), (3, 1, 1, 1))
        self.assertGreater(parent["polled_condition"], 0)

    def test_a_lock_that_cannot_time_out_is_tried_again_and_that_is_counted(self):
        self.assertGreater(self.report("phase_fair", program("interposed"), "timed")[-1]["objects"]["polled_lock"], 0)
        self.assertEqual(self.report("mcs", program("interposed"), "timed")[-1]["objects"]["polled_lock"], 0)

    def test_a_report_on_standard_error(self):
        result = self.call(PROGRAM, "with", "tas", "--report", "-", "--", program("interposed"), "kinds")
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertEqual(json.loads(result.stderr)["lock"], "tas")


class Passing(Case):
    def test_output_and_exit_status_are_the_commands(self):
        result = self.with_lock("mcs", "sh", "-c", "echo out; echo err >&2; exit 41")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (41, "out\n", "err\n"))

    def test_a_signal_ends_it_as_it_ends_the_command(self):
        self.assertEqual(self.with_lock("mcs", "sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)

    def test_options_behind_the_dashes_are_the_commands(self):
        self.assertEqual(self.with_lock("mcs", "echo", "--report", "--", "-n").stdout, "--report -- -n\n")

    def test_other_preloaded_libraries_stay(self):
        environment = {**os.environ, "LD_PRELOAD": ""}
        result = self.with_lock("mcs", "sh", "-c", "echo $LD_PRELOAD", env=environment)
        self.assertEqual(os.path.realpath(result.stdout.strip()), os.path.realpath(PRELOAD))

    def test_signals_are_not_ignored_that_the_caller_did_not_ignore(self):
        told = self.with_lock("mcs", "grep", "SigIgn", "/proc/self/status").stdout
        self.assertEqual(int(told.split()[1], 16) & 1 << (signal.SIGXFSZ - 1), 0)


    def test_it_is_found_where_it_is_installed(self):
        for folder in ("bin", "lib"):
            os.mkdir(self.path(folder))
        self.copied("bin/synchroscope", "lib/synchroscope-interpose")
        shutil.copy(PRELOAD, self.path("lib"))
        self.is_silent(self.call(self.path("bin/synchroscope"), "with", "mcs", "--", program("interposed"), "kinds"))


class Refusals(Case):
    def test_mistakes_on_the_command_line(self):
        self.refuses(2, self.with_lock("msc", "true"), "lock 'msc'", "mcs")
        self.refuses(2, self.with_lock("std/mutex", "true"), "'std/mutex' is not ours")
        self.refuses(2, self.call(PROGRAM, "with"), "needs a lock and a command")
        self.refuses(2, self.call(PROGRAM, "with", "mcs"), "needs a command")
        self.refuses(2, self.with_lock("mcs", "no-such-program"), "no program 'no-such-program'")
        self.refuses(2, self.with_lock("mcs", self.home), "no program")

    def test_programs_that_no_library_can_be_loaded_into(self):
        if os.path.exists(program("static_program")):
            self.refuses(3, self.with_lock("mcs", program("static_program")), "static")
        self.refuses(3, self.with_lock("mcs", program("own_lock")), "pthread_mutex_lock of its own")
        with open(self.path("foreign"), "wb") as file:
            file.write(b"\x7fELF\x01" + bytes(200))
        os.chmod(self.path("foreign"), 0o755)
        self.refuses(3, self.with_lock("mcs", self.path("foreign")), "another kind of processor")

    def test_a_program_of_another_c_library(self):
        """It is known by its loader: a program of ours that names another one."""
        with open(program("interposed"), "rb") as file:
            whole = file.read()
        [own] = set(re.findall(rb"/lib[\w/.-]*/ld-linux[\w.-]*", whole))
        other = b"/lib/ld-musl-x86_64.so.1".ljust(len(own), b"\0")
        self.assertEqual(len(own), len(other), own)
        with open(self.path("copy"), "wb") as file:
            file.write(whole.replace(own, other))
        os.chmod(self.path("copy"), 0o755)
        self.refuses(3, self.with_lock("mcs", self.path("copy")), "musl")

    def test_a_script_is_as_its_interpreter(self):
        script = self.path("script")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"#!{program('own_lock')}\n")
        os.chmod(script, 0o755)
        self.refuses(3, self.with_lock("mcs", script), "pthread_mutex_lock of its own")

    def test_a_program_with_another_users_rights(self):
        copy = self.with_another_users_rights(program("interposed"))
        self.refuses(3, self.with_lock("mcs", copy), "rights")

    def test_without_the_library(self):
        copy = self.copied()
        missing = "libsynchro-preload.so is not there: "
        self.refuses(3, self.call(copy, "with", "mcs", "--", "true"), missing, "cmake --install")
        with open(self.path("CMakeCache.txt"), "w", encoding="utf-8"):  # as where programs are built
            pass
        self.refuses(3, self.call(copy, "with", "mcs", "--", "true"), missing,
                     f"cmake --build {os.path.realpath(self.home)} --target libsynchro-preload.so")

    def test_the_library_alone_refuses_what_it_cannot_serve(self):
        for lock, name, status, word in (("nonsense", "interposed", 2, "no lock 'nonsense'"),
                                         ("mcs", "own_lock", 3, "pthread_mutex_lock")):
            environment = {**os.environ, "LD_PRELOAD": PRELOAD, "SYNCHRO_PRELOAD_LOCK": lock}
            result = self.call(program(name), env=environment)
            self.refuses(status, result, word, prefix="libsynchro-preload.so: ")

    def test_without_a_word_it_is_the_mutex(self):
        environment = {**os.environ, "LD_PRELOAD": PRELOAD, "SYNCHRO_PRELOAD_REPORT": self.path("r")}
        environment.pop("SYNCHRO_PRELOAD_LOCK", None)
        self.is_silent(self.call(program("interposed"), "kinds", env=environment))
        with open(self.path("r"), encoding="utf-8") as file:
            self.assertEqual(json.loads(file.read())["lock"], "mutex")


if __name__ == "__main__":
    unittest.main()
