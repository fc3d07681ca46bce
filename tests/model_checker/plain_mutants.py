#!/usr/bin/env python3
"""Which alterations of plain statements no program notices: plain_mutants.py HOUSE BUILD [HEADERS] [--rest] [--programs]
[--jobs N].

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
fails if there are any."""
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
        pattern = r"(?:^|/)" + re.escape(self.output.name) + r"/synchro/([\w/]+\.hpp):(\d+):\d+: (?:fatal )?error"
        refused = {f"{name}:{line}" for name, line in re.findall(pattern, messages, re.M)} - self.without
        self.leave_out(refused)
        return bool(refused)

    def leave_out(self, lines):
        self.without |= lines
        self.write()


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
    and wake primitives have no harness of their own, but a file that the build writes for some lines of the catalog."""
    found = {}
    units = [*(build / "src/model_checker").glob("add_locks_*.cpp"), *(build / "src/model_checker").glob("add_wakes_*.cpp")]
    for path in sorted([*(house / "src/model_checker/harnesses").glob("*_harness.cpp"), *units]):
        if headers:
            has = {h for h in all_included(house, path) if any(h == x or h.startswith(x.rstrip("/") + "/") for x in headers)}
        else:
            has = included(path)
        if has:
            found[path.stem] = has
    return found


def build_harness(build, harness, alterations):
    target = "altered_" + harness
    found_anew = {**os.environ, "CCACHE_NODIRECT": "1"}  # a cache may know where a header was found before
    while True:
        done = subprocess.run(["ninja", "-C", build, target], env=found_anew, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode == 0:
            return build / "src/model_checker" / target
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

    def try_harness(self, program, wanted, jobs):
        met = programs_that_meet(program)
        self.met |= met.keys() & wanted
        alive = sorted(n for n in met if n in wanted and not self.by.get(n))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for n, by in zip(alive, pool.map(lambda n: noticed_by(program, n, met[n]), alive)):
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
    heads = ("header", "alterations", "reached", "noticed", "argued", "open", "refused lines")
    table, unargued, used = [heads], [], set()
    for header in sorted({r.header for r in rows}):
        mine = [r for r in rows if r.header == header]
        met = [r for r in mine if r.number in tally.met]
        alive = [r for r in met if not tally.by.get(r.number)]
        argued = [r for r in alive if r.key() in arguments]
        used |= {r.key() for r in argued}
        unargued += [r for r in alive if r.key() not in arguments]
        of_header = sum(x.startswith(header + ":") for x in refused)
        table.append((header, len(mine), len(met), len(met) - len(alive), len(argued), len(alive) - len(argued), of_header))
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("house", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("headers", nargs="*")
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("--rest", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    harnesses = harnesses_of(asked.house, asked.build, asked.headers)
    if not harnesses:
        sys.exit("no harness of the model checker includes " + " or ".join(asked.headers))
    path = plain_outcomes.files(asked.house)[1]
    unmatched = of_none(asked.house, path)
    if unmatched:
        sys.exit("\n  ".join(["arguments for what is not there:", *unmatched]))
    alterations = Alterations(asked.house.resolve(), asked.build.resolve(), set().union(*harnesses.values()))
    tally, silent = Tally(), 0
    kept = asked.build / "altered/noticed.json"
    if asked.rest:
        tally.recall(asked.house, alterations, kept)
    for harness in sorted(harnesses, key=lambda c: -len(harnesses[c])):
        if not asked.programs and not tally.has_open(alterations.rows, harnesses[harness]):
            continue
        program = build_harness(asked.build.resolve(), harness, alterations)
        if asked.programs:
            for place, of in never_seen_to_fail(program, {r.number for r in alterations.rows}, asked.jobs):
                print(f"{harness}, program {place}: none of {of} is noticed")
                silent += 1
            continue
        tally.try_harness(program, {r.number for r in alterations.rows}, asked.jobs)
        tally.keep(asked.house, alterations, kept)
    if asked.programs:
        sys.exit(1 if silent else 0)
    noticed = {n for n, by in tally.by.items() if by}
    plain_outcomes.write(asked.house, all_of(asked.house, alterations.headers), alterations.rows, tally.met, noticed)
    sys.exit(1 if report(alterations.rows, tally, plain_outcomes.read_arguments(path), alterations.without) else 0)


if __name__ == "__main__":
    main()
