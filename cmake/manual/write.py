"""Writes the manual pages and the completion of shells from what the programs say of their own commands:
write.py FOLDER VERSION DATE PROGRAM PART...

PROGRAM is synchroscope, a PART a program that it becomes for some commands. FOLDER gets man1/, bash/, zsh/ and fish/.
"""

import json
import pathlib
import subprocess
import sys

import completions
import man_pages


def described(program):
    return json.loads(subprocess.run([program, "--describe"], check=True, stdout=subprocess.PIPE).stdout)


def whole(program, parts):
    """The program's description, the commands of other programs described by them."""
    of_parts = {command["name"]: command for part in parts for command in described(part)["commands"]}
    all_of_it = described(program)
    all_of_it["commands"] = [of_parts[command["name"]] if command["elsewhere"] else command
                             for command in all_of_it["commands"]]
    return all_of_it


def main(folder, version, date, program, *parts):
    folder = pathlib.Path(folder)
    what = whole(program, parts)
    files = {"bash/synchroscope": completions.bash(what), "zsh/_synchroscope": completions.zsh(what),
             "fish/synchroscope.fish": completions.fish(what)}
    for name, text in man_pages.pages(what, version, date).items():
        files["man1/" + name] = text
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


main(*sys.argv[1:])
