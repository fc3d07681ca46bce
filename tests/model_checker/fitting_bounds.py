#!/usr/bin/env python3
"""Looks anew which bounds on preemptions fit: fitting_bounds.py HOUSE [PRIMITIVE...].

The lines of these primitives, or of all, are taken out of src/model_checker/fitting_bounds.txt, so that verify tries every
bound; the program is built, and what it finds is written down. Then it is to be built again."""
import json
import pathlib
import subprocess
import sys


def parts_of(text):
    """The comment, and of each primitive its lines."""
    comment = [line for line in text.splitlines() if line.startswith("#")]
    lines = {}
    for line in text.splitlines()[len(comment):]:
        lines.setdefault(line.split(" | ")[0], []).append(line)
    return comment, lines


def text_of(comment, lines):
    return "\n".join(comment + [line for name in sorted(lines) for line in lines[name]]) + "\n"


def lines_of(primitive):
    """Of what verify --json says of it."""
    programs = {}
    for program in primitive["programs"]:
        if program["bound"] == "no preemption":
            programs.setdefault(0, []).append(program["program"])
        elif program["bound"].startswith("at most "):
            programs.setdefault(int(program["bound"].split()[2]), []).append(program["program"])
    return [f"{primitive['name']} | {bound} | {'; '.join(programs[bound])}" for bound in sorted(programs)]


def build_and_verify(house, names):
    build = house / "build/release"
    subprocess.run(["ninja", "-C", build, "synchroscope", "synchroscope-verify"], check=True, stdout=subprocess.DEVNULL)
    told = subprocess.run([build / "synchroscope", "verify", "--json", *names], check=True, stdout=subprocess.PIPE)
    return json.loads(told.stdout)


def main():
    house, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    file = house / "src/model_checker/fitting_bounds.txt"
    comment, lines = parts_of(file.read_text())
    others = {name: of for name, of in lines.items() if names and not any(f"{name}/".startswith(f"{n}/") for n in names)}
    file.write_text(text_of(comment, others))
    found = {each["name"]: lines_of(each) for each in build_and_verify(house, names)}
    file.write_text(text_of(comment, others | found))


if __name__ == "__main__":
    main()
