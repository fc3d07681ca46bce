"""A lock in a header of the user's own.

    test_own_lock.py PROGRAM CLASS

The environment tells where the headers of two locks are (HEADERS: toy.hpp, which is correct, and flawed.hpp) and the
programs of tests/preload (PROGRAMS). What is compiled is kept in XDG_CACHE_HOME from test to test.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import case as shared
from case import PROGRAM

TOY = os.path.join(os.environ["HEADERS"], "toy.hpp")
FLAWED = os.path.join(os.environ["HEADERS"], "flawed.hpp")


class Case(shared.Case):
    def succeeds(self, *words, **kwargs):
        result = self.call(PROGRAM, *words, **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        return result

    def values(self, file, experiment):
        """What the cells of an experiment have on the axis `lock`."""
        with open(self.path(file), encoding="utf-8") as text:
            cells = json.load(text)["cells"]
        return {cell["at"]["lock"] for cell in cells if cell["experiment"] == experiment and "value" in cell}

    def header(self, name, *changes, folder=None):
        """A copy of the toy with other words, in this test's folder or in one that stays."""
        text = pathlib.Path(TOY).read_text(encoding="utf-8")
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        file = pathlib.Path(folder or self.home, name)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
        return str(file)

    def two_policies(self, folder=None):
        """The toy under two policies; by default where it is compiled once for all tests."""
        stays = os.path.dirname(os.environ["XDG_CACHE_HOME"])
        return self.header("toy_lock.hpp", ("namespace synchro {", "// lock toy : spin spin_yield\nnamespace synchro {"),
                           folder=folder or stays)

    def open_to_all(self):
        return self.header("toy.hpp", ("old == 0 ?", "old <= 1 ?"))


class Measured(Case):
    def test_is_measured_beside_those_of_the_catalog(self):
        self.succeeds("run", "locks.uncontested", "--lock", f"{TOY},ticket", "--distance", "same_cpu", "--quick",
                      "--no-progress", "-o", "r.json")
        self.assertEqual(self.values("r.json", "locks.uncontested"), {"toy", "ticket"})

    def test_under_each_policy_that_it_names(self):
        self.succeeds("run", "locks.throughput", "--lock", self.two_policies(), "--threads", "1", "--quick",
                      "--no-progress", "-o", "r.json")
        self.assertEqual(self.values("r.json", "locks.throughput"), {"toy", "toy/yield"})

    def test_what_it_says_to_go_on_goes_on(self):
        stopped = self.call(PROGRAM, "run", "locks.throughput", "--lock", f"{TOY},mcs", "--quick", "--no-progress",
                            "--max-time", "100ms", "-o", "r.json")
        told = stopped.stderr.partition("to go on:\n  synchroscope ")[2].splitlines()[0].split()
        self.assertEqual(told, ["run", "--resume", "r.json", "--lock", f"{TOY},mcs"])
        self.succeeds(*told, "--no-progress", "--max-time", "100ms")

    def test_one_that_lets_two_in_is_an_error(self):
        result = self.call(PROGRAM, "run", "locks.throughput", "--lock", self.open_to_all(), "--threads", "2",
                           "--placement", "compact", "--quick", "--no-progress", "-o", "r.json")
        self.assertEqual(result.returncode, 1, result.stderr)


class Simulated(Case):
    def test_on_a_model(self):
        self.succeeds("simulate", "locks.throughput", "--machine", "opteron", "--lock", f"{TOY},mcs", "--threads", "1,6",
                      "--quick", "--no-progress", "-o", "s.json")
        self.assertEqual(self.values("s.json", "locks.throughput"), {"toy", "mcs"})

    def test_gives_what_the_same_lock_of_the_catalog_gives(self):
        header = self.header("twin.hpp", ("toy", "twin"), ("Toy", "Twin"))
        values = []
        for lock in (TOY, header):
            self.succeeds("simulate", "locks.throughput", "--machine", "opteron", "--lock", lock, "--threads", "6",
                          "--quick", "--no-progress", "-o", "s.json")
            with open(self.path("s.json"), encoding="utf-8") as text:
                values.append([cell.get("value") for cell in json.load(text)["cells"]])
        self.assertEqual(*values)
        self.assertTrue(any(values[0]))


class Proved(Case):
    def test_under_all_its_policies(self):
        self.assertRegex(self.succeeds("verify", self.two_policies()).stdout, r"(?m)^toy, toy/yield +proved +\d+ programs")

    def test_the_example_of_the_documentation(self):
        page = pathlib.Path(os.environ["PAGE"]).read_text(encoding="utf-8")
        pathlib.Path(self.path("my_lock.hpp")).write_text(page.split("```cpp\n")[1].split("```")[0], encoding="utf-8")
        self.assertRegex(self.succeeds("verify", "my_lock.hpp").stdout, r"(?m)^my, my/yield +proved +\d+ programs")

    def test_a_flaw_is_refuted_and_walked_through(self):
        refuted = self.call(PROGRAM, "verify", FLAWED)
        self.assertEqual(refuted.returncode, 1, refuted.stderr)
        self.assertRegex(refuted.stdout, r"(?m)^flawed +refuted")
        words = refuted.stdout.split("step by step: synchroscope ")[1].splitlines()[0].split()
        walk = self.call(PROGRAM, *words)
        self.assertEqual(walk.returncode, 1, walk.stderr)
        self.assertRegex(walk.stdout, r"flawed\.hpp:\d+")
        self.assertIn("data race: thread", walk.stdout)

    def test_its_orders_are_altered(self):
        text = self.call(PROGRAM, "verify", "--mutate", TOY).stdout
        self.assertRegex(text, r"toy\.hpp:\d+:\d+ exchange_until acquire -> relaxed\n +killed by toy")


class InFront(Case):
    CASES = ("kinds", "exclusion", "timed", "notified", "timed_waits", "forked", "readers_and_writers", "left_alone",
             "shared_memory",
             "every_call")

    def test_of_a_program(self):
        interposed = shared.program("interposed")
        for case in self.CASES:
            with self.subTest(case=case):
                result = self.succeeds("with", self.two_policies(), "--", interposed, case)
                self.assertEqual(result.stdout, "")
        self.succeeds("with", self.two_policies(), "--report", "calls.json", "--", interposed, "exclusion")
        with open(self.path("calls.json"), encoding="utf-8") as text:
            told = json.loads(text.readline())
        self.assertEqual(told["lock"], "toy")
        self.assertGreater(told["calls"]["pthread_mutex_lock"], 0)

    def test_one_that_lets_two_in_is_in_front_indeed(self):
        header = self.open_to_all()
        words = (PROGRAM, "with", header, "--", shared.program("interposed"), "exclusion")
        # On a busy machine the threads may run one after the other many times.
        self.assertTrue(any(self.call(*words).returncode != 0 for _ in range(200)))


class Compiled(Case):
    def setUp(self):
        super().setUp()
        self.cache = {**os.environ, "XDG_CACHE_HOME": self.path("cache")}

    def compiles(self, header):
        said = self.succeeds("verify", header, env=self.cache).stderr
        self.assertIn(said, ("", f"synchroscope: compiling {header} to verify\n"))
        return said != ""

    def test_once_and_again_when_it_is_another(self):
        header = self.header("toy.hpp", ('#include "synchro/traits.hpp"',
                                         '#include "synchro/traits.hpp"\n#include "beside it.hpp"'))
        beside = pathlib.Path(self.path("beside it.hpp"))
        beside.write_text("", encoding="utf-8")
        self.assertTrue(self.compiles(header))
        self.assertFalse(self.compiles(header))
        os.utime(header)
        self.assertTrue(self.compiles(header))
        self.assertFalse(self.compiles(header))
        beside.write_text("// another\n", encoding="utf-8")
        self.assertTrue(self.compiles(header))
        beside.unlink()
        self.refuses_to_compile(header, "beside it.hpp: No such file or directory")

    def refuses_to_compile(self, header, why):
        result = self.call(PROGRAM, "verify", header, env=self.cache)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr.splitlines()[-1],
                         f"^synchroscope: {re.escape(header)} does not compile: {why}$")
        self.assertIn("error: ", result.stderr)

    def test_for_all_programs_at_once(self):
        said = self.succeeds("build", self.two_policies(self.home), env=self.cache)
        self.assertEqual(said.stderr.count("compiling"), 4)
        self.assertIn("toy, under spin, spin_yield", said.stdout)
        self.assertEqual(self.succeeds("build", self.two_policies(self.home), env=self.cache).stderr, "")
        for name in os.listdir(self.path("cache/synchroscope")):
            self.assertRegex(name, r"^toy-[0-9a-f]{16}\.(measure|simulate|verify|with)\.so(\.d|\.command)?$")

    def test_what_does_not_compile_is_told_and_leaves_nothing(self):
        self.refuses_to_compile(self.header("toy.hpp", ("state_.store", "state.store")), ".*state.*not declared.*")
        self.assertEqual([n for n in os.listdir(self.path("cache/synchroscope")) if ".so" in n and not n.endswith(".d")], [])

    def test_two_at_once(self):
        header = self.two_policies(self.home)
        both = [subprocess.Popen([PROGRAM, "verify", header], env=self.cache, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
                for _ in range(2)]
        for one in both:
            self.assertIn(b"proved", one.communicate(timeout=280)[0])
            self.assertEqual(one.returncode, 0)


class Mistakes(Case):
    def test_are_one_sentence(self):
        self.refuses(2, self.call(PROGRAM, "verify", "nowhere.hpp"), "nowhere.hpp")
        self.refuses(2, self.call(PROGRAM, "run", "locks.throughput", "--lock", "mcs,nowhere.hpp"), "nowhere.hpp")
        self.refuses(2, self.call(PROGRAM, "with", "nowhere.hpp", "--", "true"), "nowhere.hpp")
        self.refuses(2, self.call(PROGRAM, "build"), "build needs a header")
        self.refuses(2, self.call(PROGRAM, "build", "mcs"), "build takes headers")
        self.header("none.hpp", ("basic_toy_lock", "toy"))
        self.refuses(2, self.call(PROGRAM, "verify", "none.hpp"), "none.hpp defines no class template")

    def test_a_name_that_is_taken(self):
        for words in (("verify", "mcs.hpp"), ("run", "locks.throughput", "--estimate", "--lock", "mcs.hpp"),
                      ("simulate", "locks.throughput", "--machine", "opteron", "--lock", "mcs.hpp")):
            self.header("mcs.hpp", ("toy", "mcs"))
            result = self.call(PROGRAM, *words)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("mcs.hpp: a lock is called 'mcs' already", result.stderr)

    def test_a_name_that_is_taken_is_not_put_in_front_of_a_program_either(self):
        self.header("mutex.hpp", ("toy", "mutex"))
        self.refuses(2, self.call(PROGRAM, "with", "mutex.hpp", "--", "true"), "mutex.hpp: a lock is called 'mutex' already")

    def test_a_function_that_a_program_may_call_and_the_lock_has_not(self):
        header = self.header("toy.hpp", ("try_lock", "take_if_free"))
        result = self.call(PROGRAM, "with", header, "--", "true")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(f"{header} does not compile: in front of a program a lock needs lock(), unlock() and a try_lock() that",
                      result.stderr.splitlines()[-1])

    def test_nowhere_to_keep_what_is_compiled(self):
        bare = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
        self.refuses(3, self.call(PROGRAM, "verify", TOY, env=bare), "neither XDG_CACHE_HOME nor HOME")
        self.refuses(3, self.call(PROGRAM, "verify", TOY, env={**bare, "XDG_CACHE_HOME": "/dev/null"}), "takes no file")

    def test_what_another_user_may_have_put_there_is_not_loaded(self):
        mine = {**os.environ, "XDG_CACHE_HOME": self.path("cache")}
        self.succeeds("verify", TOY, env=mine)
        folder = self.path("cache/synchroscope")
        self.assertEqual(os.stat(folder).st_mode & 0o777, 0o700)
        os.chmod(folder, 0o722)
        self.refuses(3, self.call(PROGRAM, "verify", TOY, env=mine), "others may write there")
        os.chmod(folder, 0o700)
        if os.getuid() == 0:
            os.chown(folder, 65534, 65534)
            self.refuses(3, self.call(PROGRAM, "verify", TOY, env=mine), "another user's")


class Installed(Case):
    def test_brings_what_a_header_is_compiled_with(self):
        prefix = self.path("prefix")
        made = subprocess.run([os.environ["CMAKE"], "--install", os.environ["BUILD"], "--prefix", prefix],
                              capture_output=True,
                              text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        shutil.copy(TOY, self.path("toy.hpp"))
        recipes = pathlib.Path(prefix, "share/synchroscope/own_lock")
        for recipe in recipes.glob("*.txt"):
            self.assertNotIn(os.environ["SOURCE"], recipe.read_text(encoding="utf-8"), recipe)
        cache = {**os.environ, "XDG_CACHE_HOME": self.path("cache")}
        installed = os.path.join(prefix, "bin", "synchroscope")
        for words in (("build", "toy.hpp"), ("verify", "toy.hpp"), ("with", "toy.hpp", "--", "true"),
                      ("simulate", "locks.throughput", "--machine", "niagara", "--lock", "toy.hpp", "--threads", "2",
                       "--quick"),
                      ("run", "locks.uncontested", "--lock", "toy.hpp", "--quick")):
            result = self.call(installed, *words, env=cache)
            self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
