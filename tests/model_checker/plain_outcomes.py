#!/usr/bin/env python3
"""What came of the alterations of plain statements: plain_outcomes.py HOUSE prints the page's part that is generated.

plain_mutants.py writes it into src/model_checker/plain_outcomes.txt, in which a header and a kind of alteration have a line:

    header | day of the run | digest | kind | alterations | of refused lines | reached | noticed | of these by tests

The digest is of the header's tokens and of what is altered: where it is another's, one of them was changed since. Which
of those that were reached and not noticed are argued is not in the file: plain_equivalents.txt says it."""
import collections
import datetime
import hashlib
import pathlib
import re
import sys

import alter

HEAD = """# What came of the alterations of plain statements, as ./dev mutants --plain writes it:
# header | day | digest of its tokens and of what is altered | kind | alterations | of refused lines | reached | noticed
# | of these by tests and by no program.
"""


class Outcome(collections.namedtuple("Outcome", "header day digest kind alterations refused reached noticed by_tests")):
    """Of one kind of alteration in one header."""

    @property
    def survived(self):
        return self.reached - self.noticed


def files(house):
    folder = house / "src/model_checker"
    return folder / "plain_outcomes.txt", folder / "plain_equivalents.txt"


def digest(text):
    words, made = alter.Header(text).words, alter.alter("", text, 0, set())[1]
    return hashlib.sha256(" ".join([*words, *(what for _, _, what in made.values())]).encode()).hexdigest()[:12]


def path_of(house, header):
    return house / "include/synchro" / header


def digest_of(house, header):
    path = path_of(house, header)
    return digest(path.read_text()) if path.exists() else ""


def read_arguments(path):
    rows = (line.rpartition(" | ") for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return {key: why for key, _, why in rows}


def read(path):
    lines = path.read_text().splitlines() if path.exists() else []
    rows = (line.split(" | ") for line in lines if not line.startswith("#"))
    return [Outcome(*row[:4], *map(int, row[4:])) for row in rows]


def write(house, all_rows, rows, met, noticed, of_tests=frozenset()):
    """Those of a run take the place of what is there of its headers. `all_rows` has those of refused lines, too; of `rows`
    the numbers in `met` were reached, and those in `noticed` noticed, by tests alone those that are also in `of_tests`."""
    path = files(house)[0]
    headers = {r.header for r in all_rows}
    kept = [o for o in read(path) if o.header not in headers and path_of(house, o.header).exists()]
    tried = {r.number for r in rows}
    met, noticed = tried & met, tried & noticed
    of_tests = noticed & of_tests
    counts = collections.defaultdict(lambda: [0] * 5)
    for r in all_rows:
        one = counts[r.header, alter.kind_of(r.what)]
        in_those = (r.number in some for some in (met, noticed, of_tests))
        for place, counted in enumerate((True, r.number not in tried, *in_those)):
            one[place] += counted
    day = datetime.date.today().isoformat()
    digests = {header: digest_of(house, header) for header in headers}
    made = [Outcome(header, day, digests[header], kind, *some) for (header, kind), some in counts.items()]
    path.write_text(HEAD + "".join(" | ".join(map(str, o)) + "\n" for o in sorted(kept + made)))


def parts_of(key):
    """The header, the line of the source and what is altered: the two may have bars in them."""
    return re.fullmatch(r"(\S+) \| (.*) \| (`[^`]*` for `[^`]*`.*|`[^`]*` [^`]+|[^`|]+)", key).groups()


def argued(arguments):
    """{(header, kind): how many are argued}"""
    parts = map(parts_of, arguments)
    return collections.Counter((header, alter.kind_of(what)) for header, _, what in parts)


def total(rows, of, arguments):
    """The cells of a table: alterations, of lines that a compiler refuses, not reached, noticed, of these by tests, argued,
    open."""
    rows = [o for o in rows if of(o)]
    why = sum(min(o.survived, arguments[o.header, o.kind]) for o in rows)
    numbers = [sum(o[n] for o in rows) for n in range(4, 9)]
    made, refused, reached, noticed, by_tests = numbers
    return [made, refused, made - refused - reached, noticed, by_tests, why, reached - noticed - why]


def in_a_table(text):
    return text.replace("|", "\\|")


def code(text):
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def table(heads, rows):
    return [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *(f"| {' | '.join(map(str, row))} |" for row in rows), ""]


def untried(house, rows):
    """The headers that have alterations, and no run."""
    tried = {o.header for o in rows}
    include = house / "include/synchro"
    names = (str(path.relative_to(include)) for path in sorted(include.glob("**/*.hpp")))
    return [name for name in names if name not in tried and alter.alter(name, (include / name).read_text(), 0, set())[1]]


def page(house):
    counts, reasons = files(house)
    rows, arguments = read(counts), read_arguments(reasons)
    of = argued(arguments)
    numbers = ["alterations", "of refused lines", "not reached", "noticed", "by tests", "argued", "open"]
    made, refused, missed, noticed, by_tests, why, left = total(rows, lambda o: True, of)
    lines = [f"{made} alterations in {len({o.header for o in rows})} headers: {noticed} noticed, {by_tests} of them by tests, "
             f"{why} argued, {left} open; {missed} were not reached, and {refused} are of lines that a compiler refuses altered.", ""]
    kinds = [[title, *total(rows, lambda o: o.kind == kind, of)] for kind, title in alter.KINDS.items()]
    lines += table(["kind", *numbers], kinds)
    each = []
    for header in sorted({o.header for o in rows}):
        mine = [o for o in rows if o.header == header]
        day = mine[0].day if mine[0].digest == digest_of(house, header) else f"{mine[0].day}, changed since"
        each.append([f"`{header}`", *total(mine, lambda o: True, of), day])
    lines += table(["header", *numbers, "tried"], each)
    rest = untried(house, rows)
    if rest:
        lines += ["Not tried yet: " + ", ".join(f"`{name}`" for name in rest) + ".", ""]
    lines += ["Those that no program notices, and why they may:", ""]
    survivors = []
    for key in sorted(arguments, key=lambda key: parts_of(key)[0]):
        header, source, what = parts_of(key)
        survivors.append([f"`{header}`", *map(in_a_table, (code(source), what, arguments[key]))])
    return lines + table(["header", "line", "alteration", "why"], survivors)[:-1]


if __name__ == "__main__":
    print(*page(pathlib.Path(sys.argv[1])), sep="\n")
