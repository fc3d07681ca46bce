#!/usr/bin/env python3
"""The tests of the library as judges of alterations, as plain_mutants.py --tests asks them.

CMake makes a program altered_NAME of each test program that needs the library alone, and writes their names and sources into
altered_tests.txt of the build. A test is run in a process of its own, and what it starts ends with it."""
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time

NUMBERS = 1_000_000  # as in altered_tests.cpp
BYTES = 4 << 30
LIMIT = 300  # seconds, as of CTest
PATIENCE = 10  # seconds, and times what it took while nothing was altered
NOTICED = "test "  # what notices an alteration begins so, if it is one


def programs(build):
    """{name: its sources}"""
    rows = (line.split() for line in (build / "altered_tests.txt").read_text().splitlines())
    return {row[0]: [pathlib.Path(source) for source in row[1:]] for row in rows}


def included(house, sources):
    """The library's headers that these files include, themselves or by others."""
    folders = [house / "include", house / "src", house / "tests"]
    found, waiting = set(), list(sources)
    while waiting:
        for name in re.findall(r'^#include [<"]([\w/]+\.hpp)[>"]', waiting.pop().read_text(), re.M):
            path = next((f / name for f in folders if (f / name).exists()), None)
            if path and path not in found:
                found.add(path)
                waiting.append(path)
    library = house / "include/synchro"
    return {str(path.relative_to(library)) for path in found if library in path.parents}


def tests_of(program):
    suite, found = "", []
    listed = subprocess.run([program, "--gtest_list_tests"], check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in listed.splitlines():
        name = line.partition("#")[0].strip()
        if line.startswith(" "):
            found.append(suite + name)
        elif name.endswith("."):
            suite = name
    return found


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, test, seconds, **environment):
    """Nothing if it holds; or how it does not."""
    with subprocess.Popen([program, "--gtest_filter=" + test], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True, preexec_fn=limit, env={**os.environ, **environment}) as started:
        try:
            how = {0: "", 1: "fails"}.get(started.wait(seconds), "crashes")
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            how = "does not end"
    return how and f"{NOTICED}{test} {how}"


class Tests:
    """Those of one program."""

    def __init__(self, program):
        self.program, self.took = program, {}

    def met(self):
        """{number of an alteration: the tests that come to it}, of those that hold while none is on."""
        met = {}
        with tempfile.NamedTemporaryFile() as file:
            for test in tests_of(self.program):
                file.truncate(0)
                file.truncate(NUMBERS)
                begun = time.monotonic()
                failure = run(self.program, test, LIMIT, SYNCHRO_ALTERED_MET=file.name)
                if failure:
                    raise SystemExit(f"{failure}, with no alteration")
                self.took[test] = time.monotonic() - begun
                for found in re.finditer(b"\1", pathlib.Path(file.name).read_bytes()):
                    met.setdefault(found.start(), []).append(test)
        return met

    def noticed_by(self, number, tests):
        """The fast ones are asked first."""
        for test in sorted(tests, key=self.took.get):
            by = run(self.program, test, PATIENCE * (1 + self.took[test]), SYNCHRO_ALTERED=str(number))
            if by:
                return by
        return ""
