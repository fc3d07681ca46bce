"""What `./dev run`, `./dev part` and `./dev compilers` build, and what they install before, in a house where the programs
that they call only note how: dev_test.py ROOT
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))

NOTES = {
    "cmake": 'printf "%s\\n" "$*" >>"$NOTES"',
    "dpkg-query": 'for name in "$@"; do printf "installed:%s " "$name"; done',  # nothing is missing
    "apt-get": "exit 0",
    "sudo": "exit 0",
}


class House(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.house = pathlib.Path(folder.name)
        shutil.copy(ROOT / "dev", self.house)
        for name, text in NOTES.items():
            self.program(f"bin/{name}", text)
        self.program("build/release/synchroscope", 'echo "$SYNCHROSCOPE_BUILDER" called "$@"')

    def program(self, path, text):
        place = self.house / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"#!/bin/sh\n{text}\n")
        place.chmod(0o755)

    def call_dev(self, *words):
        (self.house / "notes").write_text("")
        environment = {**os.environ, "PATH": f"{self.house}/bin:{os.environ['PATH']}", "NOTES": str(self.house / "notes")}
        return subprocess.run([self.house / "dev", *words], capture_output=True, text=True, env=environment, timeout=200,
                              check=False)

    def dev(self, *words):
        """What it said, and what the programs that it called noted."""
        result = self.call_dev(*words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result, (self.house / "notes").read_text().splitlines()


class Run(House):
    def call(self, *words):
        """The targets of every build."""
        result, lines = self.dev(*words)
        return result, [line.split(" --target ")[1].split() for line in lines if line.startswith("--build build/release ")]

    def test_run_builds_the_program_alone_and_says_what_builds_its_parts(self):
        for words in ((), ("info",), ("with", "mcs", "--", "ls"), ("simulate", "locks.throughput")):
            with self.subTest(words=words):
                result, built = self.call("run", *words)
                self.assertEqual(built, [["synchroscope"]])
                self.assertEqual(result.stdout.split(), [str(self.house / "dev"), "called", *words])

    def test_part_builds_what_is_not_up_to_date_and_says_so(self):
        result, built = self.call("part", "synchroscope-verify")
        self.assertEqual(built, [["synchroscope-verify"]])
        self.assertIn("building synchroscope-verify, which this needs", result.stderr)

    def test_part_leaves_alone_what_is_up_to_date(self):
        self.program("bin/cmake", NOTES["cmake"] + '\ncase "$*" in *" -n") echo "ninja: no work to do." ;; esac')
        result, built = self.call("part", "synchroscope-verify")
        self.assertEqual((built, result.stderr), ([], ""))


class Setup(House):
    """What it installs. dpkg-query says of each package what its line here says, of others that it is installed."""

    def installs(self, **states):
        cases = "".join(f'{package.replace("_", "-")}) state={state.replace("_", "-")} ;; ' for package, state in states.items())
        self.program("bin/dpkg-query", f'for name in "$@"; do state=installed; case $name in {cases}esac; '
                                       'printf "%s:%s " "$state" "$name"; done')
        self.program("bin/apt-get", 'printf "apt-get %s\\n" "$*" >>"$NOTES"')
        self.program("bin/sudo", 'exec "$@"')
        _, notes = self.dev("run", "info")
        return [line.split("--no-install-recommends ")[1].split() for line in notes if line.startswith("apt-get install ")]

    def test_what_is_not_installed_is(self):
        self.assertEqual(self.installs(ccache="not_installed"), [["ccache"]])

    def test_a_package_whose_triggers_wait_for_another_apt_get_is_installed(self):
        self.assertEqual(self.installs(ccache="triggers_pending", git="triggers_awaited"), [])

    def test_a_library_that_debian_does_not_have_is_not_asked_for(self):
        list_of_libraries = self.house / "src/peers/packages.txt"
        list_of_libraries.parent.mkdir(parents=True)
        list_of_libraries.write_text("toy   -          : toy.h\nother libother-dev : other.h\n")
        self.assertEqual(self.installs(libother_dev="not_installed", **{"-": "not_installed"}), [["libother-dev"]])


class Zig(House):
    """By a zig that notes what it was to make."""

    def setUp(self):
        super().setUp()
        for name in ("cmake", "include", "tests", "src", "LICENSE"):
            (self.house / name).symlink_to(ROOT / name)

    def test_all_of_the_library_is_linked_for_macos(self):
        self.program("bin/zig", 'if [ "$1" = version ]; then echo 0.0; else printf "zig %s\\n" "$*" >>"$NOTES"; fi')
        result, notes = self.dev("compilers", "zig-aarch64-macos")
        self.assertRegex(result.stdout, r"(?m)^zig-aarch64-macos +zig 0\.0: all of the library compiled and linked, not run$")
        built = [line.split() for line in notes if line.startswith("zig ")]
        self.assertEqual([words[1:4] for words in built], [["c++", "-target", "aarch64-macos"]])
        self.assertIn(str(self.house / "tests/library/whole.cpp"), built[0])
        self.assertNotIn("-c", built[0])

    def musl(self, result_of_tests):
        """The row for musl on a computer of that processor; zig's calls, and cmake's."""
        self.program("bin/zig", 'if [ "$1" = version ]; then echo 0.0; else printf "zig %s\\n" "$*" >>"$NOTES"; fi')
        self.program("bin/uname", "echo x86_64")
        for name in ("library", "sync", "messages"):
            self.program(f"build/by-zig-x86_64-linux-musl/tests/{name}/{name}",
                         f'echo "ran {name}" >>"$NOTES"; exit {result_of_tests}')
        result = self.call_dev("compilers", "zig-x86_64-linux-musl")
        return result, (self.house / "notes").read_text().splitlines()

    def test_the_tests_of_the_library_run_with_musl(self):
        result, notes = self.musl(0)
        self.assertRegex(result.stdout, r"(?m)^zig-x86_64-linux-musl +zig 0\.0: all of the library compiled and linked, "
                                        r"the library's tests$")
        self.assertEqual([line for line in notes if line.startswith("ran ")], ["ran library", "ran sync", "ran messages"])
        zig = self.house / "bin/zig"
        self.assertTrue(any(f"-DCMAKE_CXX_COMPILER={zig};c++;-target;x86_64-linux-musl" in line for line in notes))

    def test_a_test_that_fails_with_musl_is_a_failure(self):
        result, _ = self.musl(1)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^zig-x86_64-linux-musl +FAILED by the library's tests$")

    def test_what_it_does_not_compile_is_a_failure(self):
        self.program("bin/zig", "exit 1")
        result = self.call_dev("compilers", "zig-aarch64-macos")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^zig-aarch64-macos +FAILED to compile or to link$")


if __name__ == "__main__":
    unittest.main()
