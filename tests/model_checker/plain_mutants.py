#!/usr/bin/env python3
"""Which alterations of plain statements no program notices: plain_mutants.py HOUSE BUILD [HEADERS] [--rest] [--programs]
[--tests [PROGRAMS]] [--jobs N].

Puts alterations into HEADERS (alter.py says which), builds for each harness of the model checker, and for each unit of the
catalog, that includes one of them, if by others, a program with them, and runs the harness's programs with each in turn.
HEADERS are relative to include/synchro, or folders of it; without, all that a harness itself includes. Prints for each
header how many there are, how many a program comes to and how many are noticed, and those that are not;
plain_outcomes.py keeps the counts for docs/plain_mutants.md. Fails if nothing is argued of one of these in
src/model_checker/plain_equivalents.txt, or an argument there is of none:

    header | the line of the source | what is altered | why no program can notice it

A line that a compiler refuses with its alterations keeps its statement, and is counted. With --rest those are not tried
again that a run before, in this build, has seen noticed: for a run that was stopped, and for programs that were added.
With --programs it is the other way round: prints which programs notice none of the alterations that they come to, and
fails if there are any. With --tests the tests of the library take the place of the model checker's programs
(altered_tests.py), for what the explored machine has in no program, or all in its own way: those of these PROGRAMS, with
commas, or of all that include one of the headers; with --rest what the model checker has noticed stays."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

import alter
import altered_tests
import plain_outcomes

SECONDS = 100  # of its processor: others may have it meanwhile
BYTES = 4 << 30


class Alterations:
    """Some headers with their alterations, in a folder of the build, and what they are."""

    def __init__(self, house, build, headers):
        self.include, self.output, self.headers = house / "include", build / "altered", headers
        self.without = set()
        self.write()

    def write(self):
        self.rows = alter.write_some(self.include, self.output, self.headers, self.without)

    def leave_out_refused(self, messages):
        """Whether a compiler has named lines that were altered."""
        # A cache of compilations has them named by their place in the build.
        line_of = r"(?:^|/)" + re.escape(self.output.name) + r"/synchro/([\w/]+\.hpp):(\d+):\d+: "
        # Where a template of others refuses its arguments, the line is named that asks for it. What is put before the
        # statement above stands there.
        for below in (0, 1):
            for what in ("(?:fatal )?error", "  required from"):
                named = re.findall(line_of + what, messages, re.M)
                refused = {f"{name}:{int(line) + below}" for name, line in named if name in self.headers} - self.without
                if refused:
                    self.leave_out(refused)
                    return True
        return False

    def leave_out(self, lines):
        self.without |= lines
        self.write()


def is_one_of(header, headers):
    """Whether it is one of these, or in a folder of them."""
    return any(header == x or header.startswith(x.rstrip("/") + "/") for x in headers)


def included(path):
    return set(re.findall(r'^#include [<"]synchro/([\w/]+\.hpp)[>"]', path.read_text(), re.M))


def all_included(house, path):
    found, waiting = set(), included(path)
    while waiting:
        found |= waiting
        waiting = {h for some in waiting for h in included(house / "include/synchro" / some)} - found
    return found


def harnesses_of(house, build, headers):
    """{harness: which of these headers it includes, itself or by others}; without headers, what it includes itself. Locks
    and wake primitives have no harness of their own, but a file that the build writes for some lines of the catalog. Those
    that include one themselves come first: it is what they try."""
    found = {}
    units = [*(build / "src/model_checker").glob("add_locks_*.cpp"), *(build / "src/model_checker").glob("add_wakes_*.cpp")]
    every = [*(house / "src/model_checker/harnesses").glob("*_harness.cpp"), *units]
    for path in sorted(every, key=lambda p: (-sum(is_one_of(h, headers) for h in included(p)), p)):
        if headers:
            has = {h for h in all_included(house, path) if is_one_of(h, headers)}
        else:
            has = included(path)
        if has:
            found[path.stem] = has
    return found


def tests_that_include(house, build, headers, wanted):
    """{program of tests: which of these headers it includes}"""
    sources = altered_tests.programs(build)
    chosen = wanted.split(",") if wanted else sources
    every = ((name, {h for h in altered_tests.included(house, sources[name]) if is_one_of(h, headers)}) for name in chosen)
    return {name: has for name, has in every if has}


def build_altered(build, folder, name, alterations):
    target = "altered_" + name
    found_anew = {**os.environ, "CCACHE_NODIRECT": "1"}  # a cache may know where a header was found before
    while True:
        done = subprocess.run(["ninja", "-C", build, target], env=found_anew, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode == 0:
            return build / folder / target
        if not alterations.leave_out_refused(done.stdout):
            sys.exit(done.stdout)


def programs_that_meet(program):
    met = collections.defaultdict(list)
    out = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in out.splitlines():
        place, _, numbers = line.partition(":")
        for number in numbers.split():
            met[int(number)].append(place)
    return met


class Programs:
    """Those of a harness of the model checker, as judges; altered_tests.Tests has the same functions."""

    def __init__(self, program):
        self.program = program

    def met(self):
        return programs_that_meet(self.program)

    def noticed_by(self, number, places):
        return noticed_by(self.program, number, places)


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def noticed_by(program, number, places):
    """By what, or nothing. A program that crashes, or does not end, has noticed it, too."""
    done = subprocess.run([program, str(number), *places], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          preexec_fn=limit)
    if done.returncode == -signal.SIGXCPU:
        return "does not end"
    if done.returncode == 1:
        return ""
    return done.stdout.strip() if done.returncode == 0 else "the program crashes"


def read_kept(path):
    return json.loads(path.read_text()) if path.exists() else {}


class Tally:
    def __init__(self):
        self.met, self.by = set(), {}  # what notices each number

    def is_by_test(self, number):
        return self.by.get(number, "").startswith(altered_tests.NOTICED)

    def has_open(self, rows, headers):
        return any(r.header in headers and not self.by.get(r.number) for r in rows)

    def keep(self, house, alterations, path):
        """Leaves in the build what has been found out so far."""
        found = read_kept(path)
        for header in {r.header for r in alterations.rows}:
            numbers = [r.number for r in alterations.rows if r.header == header and r.number in self.by]
            found[header] = {"digest": plain_outcomes.digest_of(house, header),
                             "refused": [line for line in alterations.without if line.startswith(header + ":")],
                             "by": {n % alter.IN_ONE_HEADER: self.by[n] for n in numbers}}
        path.write_text(json.dumps(found))

    def recall(self, house, alterations, path):
        """Takes over what was found out of headers that are what they were."""
        found = {h: of for h, of in read_kept(path).items() if of["digest"] == plain_outcomes.digest_of(house, h)}
        alterations.leave_out({line for of in found.values() for line in of["refused"]})
        for r in alterations.rows:
            of = found.get(r.header)
            by = of["by"].get(str(r.number % alter.IN_ONE_HEADER)) if of else None
            if by is not None:
                self.by[r.number] = by
        self.met |= self.by.keys()

    def ask(self, judges, wanted, jobs):
        met = judges.met()
        self.met |= met.keys() & wanted
        alive = sorted(n for n in met if n in wanted and not self.by.get(n))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for n, by in zip(alive, pool.map(lambda n: judges.noticed_by(n, met[n]), alive)):
                self.by[n] = by


def never_seen_to_fail(program, wanted, jobs):
    """The places of programs that notice none of the alterations that they come to, and how many these are."""
    met = programs_that_meet(program)
    by_place = collections.defaultdict(list)
    for number in met.keys() & wanted:
        for place in met[number]:
            by_place[place].append(number)

    def notices_one(place):
        return any(noticed_by(program, n, [place]) for n in sorted(by_place[place]))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        places = sorted(by_place, key=int)
        return [(p, len(by_place[p])) for p, notices in zip(places, pool.map(notices_one, places)) if not notices]


def all_of(house, headers):
    """All alterations of these headers, those of lines that a compiler refuses, too."""
    with tempfile.TemporaryDirectory() as folder:
        return alter.write_some(house / "include", pathlib.Path(folder), headers, set())


def of_none(house, path):
    """The arguments of a file that are of no alteration of any header. It is found without a program: an argument of a
    header that no harness includes would be in no report."""
    arguments = plain_outcomes.read_arguments(path)
    made = {r.key() for r in all_of(house, {key.split(" | ")[0] for key in arguments})}
    return sorted(key for key in arguments if key not in made)


def report(rows, tally, arguments, refused):
    """Prints the table and what is not noticed; how many faults there are."""
    heads = ("header", "alterations", "reached", "noticed", "by tests", "argued", "open", "refused lines")
    table, unargued, used = [heads], [], set()
    for header in sorted({r.header for r in rows}):
        mine = [r for r in rows if r.header == header]
        met = [r for r in mine if r.number in tally.met]
        alive = [r for r in met if not tally.by.get(r.number)]
        argued = [r for r in alive if r.key() in arguments]
        used |= {r.key() for r in argued}
        unargued += [r for r in alive if r.key() not in arguments]
        of_header = sum(x.startswith(header + ":") for x in refused)
        tests = sum(tally.is_by_test(r.number) for r in met)
        table.append((header, len(mine), len(met), len(met) - len(alive), tests, len(argued), len(alive) - len(argued),
                      of_header))
    widths = [max(len(str(row[i])) for row in table) for i in range(len(heads))]
    for row in table:
        print("  ".join(f"{c:<{w}}" if i == 0 else f"{c:>{w}}" for i, (c, w) in enumerate(zip(row, widths))))
    headers = {r.header for r in rows}
    unused = [k for k in arguments if k not in used and k.split(" | ")[0] in headers]
    for title, some in (("no program notices, and without an argument:", [f"{r.number}: {r.key()}" for r in unargued]),
                        ("arguments for what is noticed, or is not there:", unused)):
        if some:
            print(title, *some, sep="\n  ")
    return len(unargued) + len(unused)


def read_command():
    parser = argparse.ArgumentParser()
    parser.add_argument("house", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("headers", nargs="*")
    by = parser.add_mutually_exclusive_group()
    by.add_argument("--programs", action="store_true")
    by.add_argument("--tests", nargs="?", const="")
    parser.add_argument("--rest", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    if asked.tests is not None and not asked.headers:
        parser.error("--tests needs headers")
    return asked


def print_silent(harness, program, alterations, jobs):
    """How many of its programs notice nothing."""
    silent = never_seen_to_fail(program, {r.number for r in alterations.rows}, jobs)
    for place, of in silent:
        print(f"{harness}, program {place}: none of {of} is noticed")
    return len(silent)


def main():
    asked = read_command()
    if asked.tests is None:
        judges, folder, judge = harnesses_of(asked.house, asked.build, asked.headers), "src/model_checker", Programs
    else:
        judges = tests_that_include(asked.house.resolve(), asked.build, asked.headers, asked.tests)
        folder, judge = "tests", altered_tests.Tests
    if not judges:
        sys.exit("no program of these includes " + " or ".join(asked.headers))
    path = plain_outcomes.files(asked.house)[1]
    unmatched = of_none(asked.house, path)
    if unmatched:
        sys.exit("\n  ".join(["arguments for what is not there:", *unmatched]))
    alterations = Alterations(asked.house.resolve(), asked.build.resolve(), set().union(*judges.values()))
    tally, silent = Tally(), 0
    kept = asked.build / "altered/noticed.json"
    if asked.rest:
        tally.recall(asked.house, alterations, kept)
    for name in sorted(judges, key=lambda c: -len(judges[c])):
        if not asked.programs and not tally.has_open(alterations.rows, judges[name]):
            continue
        program = build_altered(asked.build.resolve(), folder, name, alterations)
        if asked.programs:
            silent += print_silent(name, program, alterations, asked.jobs)
            continue
        tally.ask(judge(program), {r.number for r in alterations.rows}, asked.jobs)
        tally.keep(asked.house, alterations, kept)
    if asked.programs:
        sys.exit(1 if silent else 0)
    noticed = {n for n, by in tally.by.items() if by}
    of_tests = {n for n in noticed if tally.is_by_test(n)}
    all_rows = all_of(asked.house, alterations.headers)
    plain_outcomes.write(asked.house, all_rows, alterations.rows, tally.met, noticed, of_tests)
    sys.exit(1 if report(alterations.rows, tally, plain_outcomes.read_arguments(path), alterations.without) else 0)


if __name__ == "__main__":
    main()
