#!/usr/bin/env python3
"""What no proof reaches: coverage.py PROGRAM INCLUDE ARGUMENTS [--branches]. And what tests reach, which is only counted:
coverage.py TEST INCLUDE --beside TEST... [--branches].

Runs PROGRAM, which clang has built with counters (src/model_checker/covered.cpp), and prints for each header of INCLUDE how
many of its functions, statements and branches it has reached. A statement is what clang calls a region: code that is run as
a whole. What was reached under some types was reached. A function, or a branch of an `if constexpr`, that was compiled for
no type at all has no counter: these are found in clang's syntax tree. Fails on what was not reached unless a line of
ARGUMENTS says why it need not be:

    header | the line of the source | why
    header | * | why no program can reach anything of it; folder/ | * | the same of a folder

and on a line of ARGUMENTS that is true of nothing. A line whose reason begins with "Open:" is no argument: a program is
missing. --branches also prints conditions that were always true or always false."""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CODE = 0  # the kind of region
OPEN = "Open:"
FUNCTIONS = ("FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl")


class Seen:
    """What the counters say of one header: which places were reached, and how often both sides of each condition were met."""

    def __init__(self):
        self.instances = collections.defaultdict(list)  # of each function, by its extent: the regions of each instance
        self.conditions = collections.defaultdict(lambda: [0, 0])

    def add(self, regions):
        if regions:
            extent = min(regions, key=lambda r: (r[0], r[1], [-n for n in r[2:4]]))[:4]
            self.instances[extent].append(regions)

    def regions(self):
        """{(begin, end): whether it was reached}. An instance may have left out a branch of an `if constexpr`, and then has
        a region where another has none: a place was reached if in one instance the innermost region around it was."""
        found = {}
        for instances in self.instances.values():
            ends = {}
            for region in (r for regions in instances for r in regions):
                begin, end = region[:2], region[2:4]
                ends[begin] = max(ends.get(begin, end), end)
            for begin, end in ends.items():
                reached = any(count_at(regions, begin) for regions in instances)
                found[begin, end] = found.get((begin, end), False) or reached
        return found


def count_at(regions, place):
    around = [(r[:2], r[4]) for r in regions if r[:2] <= place < r[2:4]]
    innermost = max((begin for begin, _ in around), default=None)
    return max((count for begin, count in around if begin == innermost), default=0)


def counted(exported, root):
    """{header: Seen} of what llvm-cov has exported."""
    seen = collections.defaultdict(Seen)
    names = {}

    def name_of(file):
        if file not in names:
            names[file] = os.path.relpath(os.path.realpath(file), root)
        return names[file]

    for function in (f for unit in exported for f in unit["functions"]):
        regions = collections.defaultdict(list)
        for *where, count, file, _, kind in function["regions"]:
            if kind == CODE:
                regions[name_of(function["filenames"][file])].append((*where, count))
        for name, some in regions.items():
            if not name.startswith(".."):
                seen[name].add(some)
        for *where, true, false, file, _, _ in function.get("branches", []):
            name = name_of(function["filenames"][file])
            if not name.startswith(".."):
                sides = seen[name].conditions[tuple(where)]
                sides[0] += true
                sides[1] += false
    return seen


def run_and_export(program):
    with tempfile.TemporaryDirectory() as scratch:
        raw, merged = scratch + "/%m.profraw", scratch + "/all.profdata"
        environment = {**os.environ, "LLVM_PROFILE_FILE": raw}
        holds = subprocess.run([program], env=environment, stdout=sys.stderr).returncode == 0
        counts = map(str, pathlib.Path(scratch).glob("*.profraw"))
        subprocess.run(["llvm-profdata", "merge", "-o", merged, *counts], check=True)
        out = subprocess.run(["llvm-cov", "export", program, "-instr-profile=" + merged], check=True,
                             stdout=subprocess.PIPE)
    return json.loads(out.stdout)["data"], holds


# ---- what is written, whether compiled or not


class Written:
    """A function or a branch of an `if constexpr`: where it begins and ends, and what it is called."""

    def __init__(self, header, begin, end, name, public):
        self.header, self.begin, self.end, self.name, self.public = header, begin, end, name, public


class Tree:
    """Walks clang's syntax tree as JSON: a place tells its file and line only where they differ from the one before."""

    def __init__(self, root):
        self.root, self.file, self.line = root, None, None
        self.functions, self.constexpr_branches = [], []

    def place(self, loc):
        if "expansionLoc" in loc:
            self.place(loc["spellingLoc"])
            return self.place(loc["expansionLoc"])
        if "offset" not in loc:
            return None
        self.file = loc.get("file", self.file)
        self.line = loc.get("line", self.line)
        return (self.file, self.line, loc["col"])

    def extent(self, node):
        """Reads the places of a node, in the order in which they are written."""
        if "loc" in node:
            self.place(node["loc"])
        ends = node.get("range", {})
        return self.place(ends.get("begin", {})), self.place(ends.get("end", {}))

    def header_of(self, begin):
        if begin is None or begin[0] is None:
            return None
        name = os.path.relpath(os.path.realpath(begin[0]), self.root)
        return None if name.startswith("..") else name

    def keep(self, into, begin, end, name, public):
        header = self.header_of(begin)
        if header is not None and end is not None:
            into.append(Written(header, begin[1:], end[1:], name, public))

    def walk(self, node, name="", public=True, hidden=False):
        """`hidden`: an instance, whose pattern stands elsewhere; it is walked for its places only."""
        begin, end = self.extent(node)
        kind = node.get("kind", "")
        if kind in FUNCTIONS:
            name = node.get("name", name)
        elif kind == "CompoundStmt" and node.get("is_body") and not hidden:
            self.keep(self.functions, begin, end, name, public)
        elif node.get("is_branch") and not hidden:
            self.keep(self.constexpr_branches, begin, end, name, False)
        self.walk_inside(node, kind, name, public, hidden)

    def walk_inside(self, node, kind, name, public, hidden):
        inner = [n for n in node.get("inner", []) if isinstance(n, dict)]
        is_function = kind in FUNCTIONS
        if kind == "CXXRecordDecl":
            public = node.get("tagUsed") != "class"
        if kind == "IfStmt" and node.get("isConstexpr"):
            for branch in inner[-2:] if node.get("hasElse") else inner[-1:]:
                branch["is_branch"] = True
        patterns = 0
        for n in inner:
            what = n.get("kind", "")
            if what == "AccessSpecDecl":
                public = n.get("access") == "public"
            if is_function and what == "CompoundStmt":
                n["is_body"] = not node.get("isImplicit", False)
            instance = what == "ClassTemplateSpecializationDecl" and kind == "ClassTemplateDecl"
            if kind == "FunctionTemplateDecl" and what in FUNCTIONS:
                patterns += 1
                instance = patterns > 1
            self.walk(n, name, public, hidden or instance)


def written(include):
    """Functions and branches of `if constexpr` that stand in the headers."""
    tree = Tree(os.path.realpath(include / "synchro"))
    headers = sorted(include.rglob("synchro/**/*.hpp"))
    every = next((h for h in headers if h.name == "synchro.hpp"), None)
    lines = "".join(f"#include <{h.relative_to(include)}>\n" for h in ([every] if every else headers))
    out = subprocess.run(
        ["clang++", "-std=c++20", "-I", str(include), "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang",
         "-ast-dump-filter=synchro", "-x", "c++", "-"], input=lines, check=True, stdout=subprocess.PIPE, text=True).stdout
    decoder, at = json.JSONDecoder(), 0
    while at < len(out):
        node, at = decoder.raw_decode(out, at)
        tree.walk(node)
        while at < len(out) and out[at] in "\n ":
            at += 1
    return tree


# ---- what was not reached


def is_within(some, begin, end):
    return any(b <= begin and end <= e for b, e in some)


def outermost(extents):
    kept = []
    for begin, end in sorted(set(extents), key=lambda x: (x[0], [-n for n in x[1]])):
        if not is_within(kept, begin, end):
            kept.append((begin, end))
    return kept


class Header:
    def __init__(self, name, seen, functions, branches):
        self.name, self.seen, self.functions = name, seen, functions
        self.regions = seen.regions()
        starts = {begin for begin, _ in self.regions}
        reached = {begin for (begin, _), is_reached in self.regions.items() if is_reached}
        self.never_called = [f for f in functions if f.begin not in reached]
        never_compiled = {(b.begin, b.end) for b in branches if b.begin not in starts}
        never_compiled |= {(f.begin, f.end) for f in functions if f.begin not in starts}
        unreached = never_compiled | {(f.begin, f.end) for f in self.never_called}
        unreached |= {extent for extent, is_reached in self.regions.items() if not is_reached}
        self.statements = len(self.regions) + len(never_compiled)
        self.statements_met = sum(self.regions.values())
        self.unreached = outermost(unreached)
        alive = [s for where, s in seen.conditions.items() if not is_within(self.unreached, where[:2], where[2:])]
        self.sides = 2 * len(alive)
        self.sides_met = sum((s[0] != 0) + (s[1] != 0) for s in alive)

    def one_sided(self):
        return sorted((where, "never true" if s[0] == 0 else "never false") for where, s in self.seen.conditions.items()
                      if (s[0] == 0) != (s[1] == 0))

    def name_of(self, begin):
        """Of the function that begins there, if no program calls it."""
        names = (f.name + (", a public function" if f.public else "") for f in self.never_called if f.begin == begin)
        return next(names, "")


def read_arguments(path):
    rows = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            header, _, rest = line.partition(" | ")
            statement, _, why = rest.rpartition(" | ")
            if not why.strip():
                sys.exit(f"{path.name}: no argument: {line}")
            rows[header, statement] = why
    return rows


class Report:
    def __init__(self, root, arguments):
        self.root, self.arguments = root, arguments
        self.used, self.faults, self.rows = set(), [], []

    def argument_of(self, header, line):
        for key in ((header, line), (header, "*"), (str(pathlib.Path(header).parent) + "/", "*")):
            if key in self.arguments:
                self.used.add(key)
                return self.arguments[key]
        return None

    def add(self, header):
        lines = (self.root / header.name).read_text().splitlines()
        argued = left_open = 0
        for begin, _ in header.unreached:
            line = lines[begin[0] - 1].strip()
            why = self.argument_of(header.name, line)
            if why is not None:
                left_open += why.startswith(OPEN)
                argued += not why.startswith(OPEN)
            else:
                called = header.name_of(begin)
                of = f"   ({called})" if called else ""
                self.faults.append(f"{header.name}:{begin[0]}:{begin[1]}: {line}{of}")
        called = len(header.functions) - len(header.never_called)
        unreached = len(header.unreached) - argued - left_open
        self.rows.append((header.name, (called, len(header.functions)), (header.statements_met, header.statements),
                          (header.sides_met, header.sides), argued, left_open, unreached))

    def text(self):
        heads = ("header", "functions", "statements", "branches", "argued", "open", "unreached")
        columns = list(zip(*self.rows))
        total = ("all", *(tuple(map(sum, zip(*c))) if isinstance(c[0], tuple) else sum(c) for c in columns[1:]))
        table = [heads, *([f"{c[0]}/{c[1]}" if isinstance(c, tuple) else c for c in row] for row in (*self.rows, total))]
        widths = [max(len(str(row[i])) for row in table) for i in range(len(heads))]
        return "\n".join("  ".join(f"{c:<{w}}" if i == 0 else f"{c:>{w}}" for i, (c, w) in enumerate(zip(row, widths)))
                         for row in table)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("arguments", type=pathlib.Path, nargs="?")
    parser.add_argument("--beside", nargs="*", metavar="TEST")
    parser.add_argument("--branches", action="store_true")
    asked = parser.parse_args()
    sys.setrecursionlimit(20_000)
    tree = written(asked.include)
    root = pathlib.Path(tree.root)
    ended = [run_and_export(program) for program in (asked.program, *(asked.beside or ()))]
    holds = all(held for _, held in ended)
    seen = counted([unit for units, _ in ended for unit in units], tree.root)
    report = Report(root, read_arguments(asked.arguments) if asked.arguments else {})
    for name in sorted({f.header for f in tree.functions} | set(seen)):
        header = Header(name, seen[name], [f for f in tree.functions if f.header == name],
                        [b for b in tree.constexpr_branches if b.header == name])
        report.add(header)
        for where, side in header.one_sided() if asked.branches else ():
            print(f"{name}:{where[0]}:{where[1]}: {side}")
    print(report.text())
    if not asked.arguments:
        sys.exit(0 if holds else 1)
    unused = [" | ".join(key) for key in report.arguments if key not in report.used]
    for title, some in (("no program reaches, and without an argument:", report.faults),
                        ("arguments for what is reached, or is not there:", unused)):
        if some:
            print(title, *some, sep="\n  ")
    sys.exit(1 if report.faults or unused or not holds else 0)


if __name__ == "__main__":
    main()
