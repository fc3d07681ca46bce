"""Counts the instructions of lock() and unlock(), and prints a table of them in Markdown.

    instructions.py SENTENCE TITLE=COMMAND...

A COMMAND is the program lock_path (src/catalog/lock_path.cpp), alone or behind an emulator of qemu's. Alone it is counted by
callgrind, which writes a file of what was done before each mark; behind an emulator by its log of one instruction a line
("-singlestep -d exec,nochain"; qemu 8.1 and later have -one-insn-per-tb in place of the first). The mark's own instructions
and the call of it are taken off: as many as stand between the first two marks, which have nothing between them.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "synchro_mark"


def said(command):
    """Where the mark is, and the names of the locks."""
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(lines[0], 16), lines[1:]


def by_callgrind(command, folder):
    """One count for each mark: of what was done since the mark before."""
    subprocess.run(["valgrind", "--tool=callgrind", f"--dump-before={MARK}", f"--callgrind-out-file={folder}/out", *command],
                   check=True, capture_output=True)
    files = sorted(folder.glob("out.*"), key=lambda path: int(path.suffix[1:]))
    return [int(re.search(r"^(?:totals|summary): (\d+)", path.read_text(encoding="utf-8"), re.M)[1]) for path in files]


def by_log(command, mark):
    """The same, from an emulator's log."""
    emulator, *program = command
    counts, since = [], 0
    with subprocess.Popen([emulator, "-singlestep", "-d", "exec,nochain", *program], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as run:
        for line in run.stderr:
            if not line.startswith("Trace "):
                continue
            if int(line.split("/")[1], 16) == mark:
                counts.append(since)
                since = 0
            since += 1
    if run.returncode != 0:
        sys.exit(f"instructions.py: {' '.join(command)} ended with {run.returncode}")
    return counts


def paths(command):
    """Of each lock: the instructions of lock() and of unlock()."""
    mark, names = said(command)
    if len(command) > 1:
        counts = by_log(command, mark)
    else:
        with tempfile.TemporaryDirectory() as folder:
            counts = by_callgrind(command, pathlib.Path(folder))
    if len(counts) < 2 + 3 * len(names):
        sys.exit(f"instructions.py: {' '.join(command)}: {len(counts)} marks of {len(names)} locks were seen")
    nothing, of_locks = counts[1], counts[2:]
    return {name: (of_locks[3 * i + 1] - nothing, of_locks[3 * i + 2] - nothing) for i, name in enumerate(names)}


def main():
    # A hierarchical lock takes another path where its thread has moved to another domain since.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    columns = [argument.split("=", 1) for argument in sys.argv[2:]]
    found = [paths(command.split()) for _, command in columns]
    print(f"{sys.argv[1]}\n")
    print("| lock | " + " | ".join(f"{title}: `lock` | `unlock`" for title, _ in columns) + " |")
    print("|---" + "|--:" * (2 * len(columns)) + "|")
    for name in found[0]:
        print(f"| `{name}` | " + " | ".join("{} | {}".format(*counts[name]) for counts in found) + " |")


main()
