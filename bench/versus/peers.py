#!/usr/bin/env python3
"""Tables of the contests with other libraries, for docs/peers.md: `./dev bench peers [ROUNDS [NAME[:WORD]...]]`

    peers.py PROGRAMS FOLDER [ROUNDS [NAME[:WORD]...]]

Runs each program that PROGRAMS lists, or those of these names, in so many rounds (31; 0: none is run), keeps what each says
in FOLDER, and prints tables of all that is there, and which programs were not run, and why. With WORD a duel's program
(table_check, stm_check) holds only the contests that have WORD in their names. Ratios are of speeds: above 1 ours is faster.
Beside the pairs that are behind stand the designs that were tried for them: designs.csv has each, tried.csv its figures.
"""

import collections
import csv
import datetime
import fnmatch
import math
import os
import pathlib
import platform
import re
import subprocess
import sys

LEVEL = 0.95  # what is not resolved to be slower, and not below this, is not behind
DESIGNS = 2  # so many are tried for what is below this
NUMBER = r"(\d+(?:\.\d+)?)"
PAIR = rf" +{NUMBER} +{NUMBER} +{NUMBER} \[([^\]]*)\]"
TURN = re.compile(rf"(?P<left>\S.*?){PAIR}{PAIR}.*")  # contests.hpp: times, processor times
DUEL = re.compile(rf"(?P<left>\S.*?) +n +\d+  house +{NUMBER} \S+  other +{NUMBER} \S+  ratio {NUMBER} \[([^\]]*)\]  .*")
LOCKS = re.compile(rf"(?P<left>\S.*?) +\d+ +\d+{PAIR}  (?:SLOWER|faster|not distinguishable) .*")  # contest.cpp: times, of speeds

Contest = collections.namedtuple("Contest", "program ours theirs where times ratio ends processor instructions")


def ends_of(text):
    """The interval, or None where the rounds were too few."""
    found = re.findall(NUMBER, text)
    return tuple(map(float, found)) if len(found) == 2 else None


def speeds(ratio, ends):
    """The same of speeds, where it was of times."""
    inverse = [1 / x if x else math.inf for x in (ratio, *(ends or ()))]
    return inverse[0], (inverse[2], inverse[1]) if ends else None


def columns(heads, left):
    """What stands below the first words of a heading; what is longer than its column moves the next one on."""
    at = [m.start() for m in re.finditer(r"\S+", heads)][:3]
    parts, begin = [], 0
    for end in at[1:]:
        while end < len(left) and left[end - 1] != " ":
            end += 1
        parts.append(left[begin:end])
        begin = end
    return [" ".join(part.split()) for part in (*parts, left[begin:])]


def of_turns(program, heads, m):
    g = m.groups()
    ratio, ends = speeds(float(g[3]), ends_of(g[4]))
    counts = re.search(r"\] +(\d+) +(\d+) +(?:SLOWER)?$", m.string)
    return Contest(program, *columns(heads, m["left"]), (g[1], g[2]), ratio, ends, speeds(float(g[7]), None)[0],
                   counts.groups() if counts else None)


def of_locks(program, heads, m):
    g = m.groups()
    return Contest(program, *columns(heads, m["left"]), (g[1], g[2]), float(g[3]), ends_of(g[4]), None, None)


def of_duel(program, m):
    """Its name has the other at the end, or ours / other."""
    g = m.groups()
    where, _, pair = m["left"].strip().rpartition(", ")
    ours, slash, theirs = pair.partition(" / ")
    return Contest(program, ours if slash else "ours", theirs if slash else pair, where, (g[1], g[2]),
                   *speeds(float(g[3]), ends_of(g[4])), None, None)


def contests_of(program, text):
    """All contests, and the lines of those that were not held."""
    held, not_held, heads = [], [], ""
    for line in text.splitlines():
        if line.startswith("ours "):
            heads = line
        elif "nothing was measured" in line:
            not_held.append(line)
        elif m := DUEL.fullmatch(line):
            held.append(of_duel(program, m))
        elif heads and (m := LOCKS.fullmatch(line)):
            held.append(of_locks(program, heads, m))
        elif heads and (m := TURN.fullmatch(line)):
            held.append(of_turns(program, heads, m))
        elif re.search(r"\[[^\]]*\]", line) or (heads and not re.match(r"\d+ of \d+ contests lost$", line)):
            raise ValueError(f"{program} says what is no contest: {line}")
    return held, not_held


def kind(c):
    if c.ratio < LEVEL or (c.ends and c.ends[1] < 1):
        return "behind"
    return "ahead" if c.ends and c.ends[0] > 1 else "level"


def ratio_text(c):
    return f"{c.ratio:.2f} " + (f"[{c.ends[0]:.2f}, {c.ends[1]:.2f}]" if c.ends else "[too few]")


def read_csv(name):
    with open(pathlib.Path(__file__).with_name(name), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def designs_for(tried, c):
    """Names of the designs with a row of tried.csv for this contest; ours, theirs and where of a row are patterns of the shell."""
    return sorted({t["design"] for t in tried if t["program"] == c.program
                   and all(fnmatch.fnmatchcase(getattr(c, of), t[of]) for of in ("ours", "theirs", "where"))})


def wants_designs(tried, c):
    return c.ratio < LEVEL and len(designs_for(tried, c)) < DESIGNS


def row(*cells):
    return f"| {' | '.join(map(str, cells))} |"


def table(heads, rows):
    return [row(*heads), "|---" * len(heads) + "|", *(row(*r) for r in rows)]


def of_program(name, note, text, tried=()):
    held, not_held = contests_of(name, text)
    behind = sorted((c for c in held if kind(c) == "behind"), key=lambda c: c.ratio)
    lines = [f"### {name}", "", note, ""]
    if not_held:
        lines += ["Not held:", "", *(f"* {' '.join(line.split())}" for line in not_held), ""]
    if behind:
        lines += table(("ours", "theirs", "situation", "speed", "ns", "processor time", "instructions", "designs tried"),
                       ((c.ours, c.theirs, c.where, ratio_text(c), " / ".join(c.times),
                         f"{c.processor:.2f}" if c.processor else "", " / ".join(c.instructions or ()),
                         "; ".join(designs_for(tried, c))) for c in behind))
    else:
        lines.append("None is behind.")
    lines += ["", "<details><summary>All that it said</summary>", "", "```", text.strip(), "```", "", "</details>", ""]
    counts = collections.Counter(map(kind, held))
    return lines, (name, len(held), *(counts[k] for k in ("ahead", "level", "behind")),
                   sum(wants_designs(tried, c) for c in behind), len(not_held), "; ".join(sorted({c.theirs for c in held})))


def of_designs(designs):
    heads = ("design", "of", "what it does", "not taken, because")
    return ["### Designs that were tried", "", *table(heads, ((f"`{d['design']}`", d["of"], d["does"], d["because"])
                                                              for d in designs)), ""]


def page(told, not_run, designs=(), tried=()):
    """told: {program: (a line on its run, what it said)}; not_run: {program: why}; designs, tried: rows of their files"""
    parts = [of_program(name, *of, tried) for name, of in sorted(told.items())]
    heads = ("program", "contests", "ahead", "level", "behind", f"without {DESIGNS} designs", "not held", "against")
    reasons = (f"{name} was not run: {why}\n" for name, why in sorted(not_run.items()))
    rows = (counts for _, counts in parts)
    of_programs = (line for lines, _ in parts for line in lines)
    return "\n".join([*table(heads, rows), "", *reasons, *of_designs(designs), *of_programs])


# ---- the runs


def programs(file):
    """{name: path}, in the order of the list."""
    return {pathlib.Path(path).name: path for path in pathlib.Path(file).read_text(encoding="utf-8").split()}


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return f"{model[1] if model else platform.machine()}, {os.cpu_count()} processors, {platform.system()} {platform.release()}"


def commit(root):
    said = subprocess.run(["git", "-C", root, "describe", "--always", "--dirty"], capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def run(path, rounds, word, root, file):
    """Keeps what it says in the file; where no contest can be held here (status 3), its sentence why in the other one."""
    why = file.with_suffix(".why")
    begin = datetime.datetime.now(datetime.timezone.utc)
    load = os.getloadavg()[0]
    ended = subprocess.run([path, str(rounds), *([word] if word else ())], capture_output=True, text=True)
    sys.stderr.write(ended.stderr)
    if ended.returncode == 3:
        why.write_text(ended.stderr.strip().rpartition("\n")[2], encoding="utf-8")
        file.unlink(missing_ok=True)
        return
    if ended.returncode not in (0, 1):  # 1: one was lost
        sys.exit(f"{path} ended with {ended.returncode}")
    took = (datetime.datetime.now(datetime.timezone.utc) - begin).total_seconds()
    only = f", only contests with '{word}' in their names" if word else ""
    note = f"{begin:%Y-%m-%d %H:%M} UTC, {rounds} rounds{only}, {took:.0f} s, load before {load:.2f}; commit {commit(root)}; {machine()}"
    file.write_text(f"{note}\n{ended.stdout}", encoding="utf-8")
    why.unlink(missing_ok=True)


def main(list_of_programs, folder, rounds="31", *names):
    root, folder = pathlib.Path(__file__).resolve().parents[2], pathlib.Path(folder)
    known = programs(list_of_programs)
    asked = dict(name.partition(":")[::2] for name in (names or known))
    if unknown := set(asked) - set(known):
        sys.exit(f"peers: {', '.join(sorted(unknown))} holds no contests; these do: {', '.join(known)}")
    folder.mkdir(exist_ok=True)
    for name, word in asked.items() if int(rounds) else ():
        print(f"== {name}", file=sys.stderr)
        run(known[name], int(rounds), word, root, folder / f"{name}.txt")
    told = {file.stem: file.read_text(encoding="utf-8").split("\n", 1) for file in folder.glob("*.txt")}
    if not told:
        sys.exit("peers: nothing was measured yet")
    reasons = {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.why")}
    not_run = {name: reasons.get(name, "nobody has asked for it yet") for name in known if name not in told}
    print(page(told, not_run, read_csv("designs.csv"), read_csv("tried.csv")))


if __name__ == "__main__":
    main(*sys.argv[1:])
