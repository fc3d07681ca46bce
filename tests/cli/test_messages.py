"""What the program says to people: every help text, and the refusals.

    test_messages.py PROGRAM [CLASS...]
"""

import json
import re
import unittest

from test_program import Case  # which takes PROGRAM off the arguments

COMMANDS = ("tour", "run", "simulate", "model", "show", "compare", "report", "export", "list", "verify", "info", "check",
            "help", "advise", "predict", "profile", "top", "tune", "with", "fleet", "build")
LAYERS = ("cache coherence", "atomic operations", "locks", "waking threads", "system calls", "limiting concurrency",
          "fork and join")
# Not plain present-day technical English, or not said of threads.
NO_SUBJECT = re.compile(r"(?:^|[.:;] |\")(?:Of|By|Those|Who) ", re.M)
UNWANTED = re.compile(r"\b(tell|tells|told|dear|lest|foretell\w*|foretold|whence|whoever|who waits|beforehand|he|him|his|"
                      r"is none|has not)\b", re.I)

# Arguments, and what the sentence must hold.
REFUSALS = [
    (["run", "coherance.pairs"], "coherence.pairs"),
    (["run", "coherence.pairs", "--lock", "mcs"], "coherence.pairs has no axis 'lock'"),
    (["run", "locks.throughput", "--lock", "mcss"], "mcs"),
    (["run", "locks.throughput", "--threads", "two"], "two"),
    (["run", "locks.throughput", "--threads", "0"], "threads takes whole numbers"),
    (["run", "--max-time", "60"], "'60' has no unit"),
    (["run", "--seed", "abc"], "not 'abc'"),
    (["run", "--cpus", "9999"], "9999"),
    (["run", "--resume", "nothing.json"], "nothing.json"),
    (["show", "nothing.json"], "nothing.json"),
    (["compare", "a.json", "b.json", "--fail-if-slower", "5"], "not '5'"),
    (["export", "nothing.json"], "--format"),
    (["export", "nothing.json", "--format", "cvs"], "csv"),
    (["simulate", "coherence.local"], "--machine"),
    (["simulate", "coherence.local", "--machine", "optron"], "opteron"),
    (["model", "nothing.json"], "nothing.json"),
    (["list", "lock"], "locks"),
    (["help", "shwo"], "show"),
    (["simulate", "forkjoin", "--machine", "opteron"], "forkjoin cannot be simulated; coherence.local"),
    (["simulate", "--resume", "nothing.json"], "nothing.json"),
    (["verify", "mcss"], "mcs"),
]


class Messages(Case):
    def assert_plain(self, text, where):
        for pattern in (UNWANTED, NO_SUBJECT):
            self.assertIsNone(pattern.search(text), (where, pattern.search(text), text[-2000:]))

    def test_every_help_is_plain(self):
        self.assert_plain(self.succeeds("--help").stdout, "--help")
        for command in COMMANDS:
            self.assert_plain(self.succeeds(command, "--help").stdout, command)

    def test_the_description_names_every_layer(self):
        text = " ".join(self.succeeds("--help").stdout.split())
        for layer in LAYERS:
            self.assertIn(layer, text)

    def test_what_can_be_measured_is_described_plainly(self):
        for what in ("experiments", "locks", "wakes"):
            self.assert_plain(json.dumps(json.loads(self.succeeds("list", what, "--json").stdout)), what)

    def test_every_refusal_is_one_plain_sentence(self):
        for arguments, saying in REFUSALS:
            with self.subTest(arguments=arguments):
                self.assert_plain(self.refuses(2, *arguments, saying=[saying]).stderr, arguments)


    def test_what_was_found_is_said_plainly(self):
        self.succeeds("simulate", "coherence.local", "coherence.states", "atomics.throughput", "messages",
                      "--machine", "opteron", "--quick", "--threads", "1,2", "-o", "s.json")
        for options in ((), ("--tables",), ("--claims",)):
            self.assert_plain(self.succeeds("show", "s.json", *options).stdout, options)


if __name__ == "__main__":
    unittest.main()
