"""Manual pages and completion, held against the help that the program prints: test_manual.py PROGRAM FOLDER PROJECT

Whatever a machine has (man, mandoc, bash, zsh, fish) is asked; what it has not is left out.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, FOLDER, PROJECT = (pathlib.Path(word).absolute() for word in sys.argv[1:4])
del sys.argv[1:]


def said(*words, **kwargs):
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100, **kwargs)
    return result.returncode, result.stdout


def page(name):
    return FOLDER / "man1" / f"{name}.1"


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        text = said(PROGRAM, "--help")[1]
        listed = text[text.index("Subcommands:"):text.index("Examples:")]
        cls.commands = [line for line in re.findall(r"^  ([a-z]+) ", listed, re.M) if line != "help"]
        cls.options = {command: cls.of_help(said(PROGRAM, command, "--help")[1]) for command in cls.commands}

    @staticmethod
    def of_help(text):
        return {name for names in re.findall(r"^  (-[\w,-]+)", text, re.M) for name in names.split(",")}

    def test_every_command_has_options_and_a_page(self):
        self.assertGreater(len(self.commands), 15)
        for command in self.commands:
            self.assertIn("--help", self.options[command], command)
            self.assertTrue(page("synchroscope-" + command).exists(), command)
            self.assertIn(f"synchroscope\\-{command} (1)", page("synchroscope").read_text())

    def test_every_option_is_in_its_page(self):
        for command in self.commands:
            text = page("synchroscope-" + command).read_text().replace("\\-", "-")
            entries = set(re.findall(r"\\fB(-[\w-]+)\\fR", text))
            self.assertEqual(self.options[command] - entries, set(), command)

    def test_a_page_holds_what_the_help_ends_with(self):
        self.assertIn(".SH EXIT STATUS", page("synchroscope").read_text())
        self.assertIn(".SH EXAMPLE", page("synchroscope-run").read_text())

    def test_pages_bear_the_version_and_the_date_of_the_changes(self):
        version = said(PROGRAM, "--version")[1].split()[1]
        newest = re.search(r"^## (\S+) (\S+)$", (PROJECT / "CHANGELOG.md").read_text(), re.M)
        self.assertEqual(newest.group(1), version)
        self.assertIn(f'"{newest.group(2)}" "synchroscope {version}"', page("synchroscope").read_text())

    @unittest.skipUnless(shutil.which("man"), "no man")
    def test_man_has_no_complaint(self):
        for path in (FOLDER / "man1").iterdir():
            result = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual((result.returncode, result.stderr), (0, ""), path.name)

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_mandoc_has_no_warning(self):
        for path in (FOLDER / "man1").iterdir():
            self.assertEqual(said("mandoc", "-T", "lint", "-W", "warning", path), (0, ""), path.name)

    def completed_by_bash(self, *typed):
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _synchroscope 2>&1;'
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        return said("bash", "--norc", "-c", script, "bash", FOLDER / "bash" / "synchroscope", "synchroscope", *typed)

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash_offers_every_command_and_option(self):
        self.assertLessEqual(set(self.commands), set(self.completed_by_bash("")[1].split()))
        for command in self.commands:
            status, offered = self.completed_by_bash(command, "-")
            self.assertEqual((status, self.options[command] - set(offered.split())), (0, set()), command)
        self.assertEqual(self.completed_by_bash("run", "--qui")[1], "--quick\n")
        self.assertIn("bash", self.completed_by_bash("with", "mcs", "--", "bas")[1].split())

    def test_zsh_has_every_option(self):
        text = (FOLDER / "zsh" / "_synchroscope").read_text()
        for command in self.commands:
            case = re.search(rf"^    {command}\) _arguments(.*?);;$", text, re.M | re.S).group(1)
            self.assertEqual(self.options[command] - set(re.findall(r"'(?:\([^)]*\)|\*)?(-[\w-]+)\[", case)), set(), command)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_loads_it(self):
        with tempfile.TemporaryDirectory() as home:
            script = (f"fpath=({FOLDER}/zsh $fpath); autoload -Uz compinit && compinit -u -d {home}/dump;"
                      "print ${_comps[synchroscope]}; autoload +X _synchroscope")
            self.assertEqual(said("zsh", "-f", "-c", script, env={"HOME": home, "PATH": "/usr/bin:/bin"}),
                             (0, "_synchroscope\n"))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_completes_on_a_terminal(self):
        with tempfile.TemporaryDirectory() as home:
            script = pathlib.Path(home, ".zshrc")
            script.write_text(f"fpath=({FOLDER}/zsh $fpath); autoload -Uz compinit; compinit -u -d {home}/dump\n"
                              "synchroscope() exit\nprint ready\n")
            child, terminal = pty.fork()
            if child == 0:
                os.execve("/usr/bin/env", ["env", "zsh", "-d", "-i"],
                          {"HOME": home, "PATH": "/usr/bin:/bin", "TERM": "dumb"})
            text, typed = "", False
            while select.select([terminal], [], [], 60)[0]:
                try:
                    text += os.read(terminal, 4096).decode(errors="replace")
                except OSError:  # zsh has ended
                    break
                if not typed and "ready" in text:
                    os.write(terminal, b"synchroscope run --estim\t\n")
                    typed = True
            os.close(terminal)
            os.waitpid(child, 0)
            self.assertIn("--estimate", text)

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_offers_every_command_and_option(self):
        with tempfile.TemporaryDirectory() as home:
            cases = {f"{c} --": {o for o in self.options[c] if o.startswith("--")} for c in self.commands}
            for typed, wanted in [("", set(self.commands)), *cases.items()]:
                script = f"source {FOLDER}/fish/synchroscope.fish; complete -C 'synchroscope {typed}'"
                status, text = said("fish", "-N", "-c", script, env={"HOME": home, "PATH": "/usr/bin:/bin"})
                offered = {line.split("\t")[0] for line in text.splitlines()}
                self.assertEqual((status, wanted - offered), (0, set()), typed)


unittest.main()
