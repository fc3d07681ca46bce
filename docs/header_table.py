#!/usr/bin/env python3
"""Prints what each public header costs those who include it, as Markdown: lines after preprocessing, and the processor
time to compile a unit that includes nothing else, beside the standard's <mutex>.

Usage: header_table.py    (the compiler is $CXX, or c++)
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HOUSE = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = HOUSE / "include"
FLAGS = ["-std=c++20", f"-I{INCLUDE}"]
ROUNDS = 2
STANDARD = "<mutex>"


def compiler():
    return os.environ.get("CXX", "c++")


def run(*arguments):
    return subprocess.run([compiler(), *FLAGS, *arguments], check=True, capture_output=True, text=True).stdout


def seconds(source):
    """Processor time of one compilation."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run("-fsyntax-only", source)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def headers():
    """The public ones, what a program includes for its own sake: all that synchro.hpp includes, and what it leaves to others."""
    whole = (INCLUDE / "synchro" / "synchro.hpp").read_text(encoding="utf-8")
    found = re.findall(r'^#include ("synchro/[^"]+")', whole, re.M)
    return ['"synchro/synchro.hpp"', '"synchro/guard.hpp"', '"synchro/wakes/stop_token.hpp"', *found]


def main():
    names = [STANDARD, "<shared_mutex>", "<condition_variable>", *headers()]
    times = {name: [] for name in names}
    lines = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            for number, name in enumerate(names):
                source = os.path.join(folder, f"{number}.cpp")
                pathlib.Path(source).write_text(f"#include {name}\n", encoding="utf-8")
                if name not in lines:
                    lines[name] = run("-E", source).count("\n")
                times[name].append(seconds(source))
    best = {name: min(all_of_it) for name, all_of_it in times.items()}
    version = subprocess.run([compiler(), "--version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
    print(f"With {version}, no optimization; the least of {ROUNDS} compilations each.\n")
    print("| header | lines, preprocessed | of `<mutex>`'s | processor time | of `<mutex>`'s |")
    print("|---|---|---|---|---|")
    for name in names:
        print(f"| `{name.strip(chr(34))}` | {lines[name]} | {lines[name] / lines[STANDARD]:.2f} "
              f"| {best[name]:.2f} s | {best[name] / best[STANDARD]:.1f} |")


if __name__ == "__main__":
    sys.exit(main())
