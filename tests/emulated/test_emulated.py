"""The instrument of another processor, run by an emulator: it works, and says with every number that it was emulated.

    test_emulated.py [CLASS...]

The environment tells where it is and what runs it: PROGRAMS (a folder), EMULATOR (words parted by blanks), TESTS (a folder).
An emulated program cannot become another one, so each is called by its own name. How long anything takes is not looked at.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

EMULATOR = os.environ["EMULATOR"].split()
TESTS = os.environ["TESTS"]
BY = f"{os.path.basename(EMULATOR[0])} on {platform.machine()}"

# An atomic addition as the compiler makes it, and in each form that the processor has, side by side.
FORMS = {"qemu-aarch64": ["lse", "llsc"], "qemu-riscv64": ["amo", "lrsc"]}
ADDITIONS = ["fai", *(f"fai/{form}" for form in FORMS.get(os.path.basename(EMULATOR[0]), []))]

# Of each family of experiments one, in few cells: an emulator translates the program anew for each repetition. Real servers
# and databases are left out.
FAMILIES = [
    ["coherence.states", "--operation", "load", "--state", "modified"],
    ["coherence.pairs", "--protocol", "cas"],
    ["atomics.throughput", "--operation", ",".join(ADDITIONS), "--threads", "2"],
    ["locks.uncontested", "--lock", "mcs/park"],
    ["locks.throughput", "--lock", "mutex", "--threads", "2", "--locks", "1"],
    ["delegation.throughput", "--delegate", "cc_synch", "--threads", "2"],
    ["messages.pair", "--means", "channel"],
    ["stm.bank", "--threads", "2"],
    ["hashtable.throughput", "--lock", "mutex", "--threads", "2", "--buckets", "12"],
    ["wake.idle", "--primitive", "event", "--idle", "10000"],
    ["overhead.calls", "--call", "Lock Spinlock,ReleaseMutex"],
    ["throttle.sum", "--permits", "0", "--threads", "2", "--variant", "integer"],
    ["forkjoin.timeline", "--primitive", "event"],
]


class Case(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="synchroscope-test-")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.home, name)

    def call(self, *words, program="synchroscope"):
        command = [*EMULATOR, os.path.join(os.environ["PROGRAMS"], program), *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.home, timeout=600, check=False)

    def succeeds(self, *words, **kwargs):
        result = self.call(*words, **kwargs)
        self.assertEqual(result.returncode, 0, (words, result.stderr, result.stdout[-300:]))
        return result

    def measures(self, name, *words):
        self.succeeds("run", *words, "--quick", "--no-progress", "-o", name, program="synchroscope-measure")
        valid = subprocess.run([sys.executable, os.path.join(TESTS, "results", "validate.py"), self.path(name)],
                               capture_output=True, text=True, check=False)
        self.assertEqual(valid.returncode, 0, valid.stdout + valid.stderr)
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)


class Facts(Case):
    def test_version(self):
        self.assertRegex(self.succeeds("--version").stdout.splitlines()[0], rf" \(emulated: {re.escape(BY)}\)$")

    def test_info(self):
        told = self.succeeds("info")
        self.assertRegex(told.stdout, rf"(?m)^EMULATED +{re.escape(BY)}$")
        self.assertIn("runs under an emulator", told.stderr)


class Families(Case):
    def test_each_is_measured_and_every_number_of_it_is_an_emulators(self):
        for words in FAMILIES:
            with self.subTest(experiment=words[0]):
                found = self.measures("r.json", *words)
                self.assertEqual(found["machine"]["emulation"], BY)
                with_value = [c for c in found["cells"] if c["value"] is not None]
                self.assertGreater(len(with_value), 0, found["cells"][:3])
                self.assertEqual({c["flag"] for c in found["cells"]}, {"emulated"})
                if words[0] == "atomics.throughput":
                    self.assertEqual({c["at"]["operation"] for c in with_value}, set(ADDITIONS))

    def test_what_is_made_of_a_run(self):
        self.measures("e.json", "coherence.pairs")
        shown = " ".join(self.succeeds("show", "e.json").stdout.split())
        self.assertIn(f"emulated ({BY}): ", shown)
        self.assertIn("No reliable finding: this was measured under an emulator", shown)
        self.succeeds("report", "e.json", "-o", "e.html")
        with open(self.path("e.html"), encoding="utf-8") as page:
            self.assertIn(BY, page.read())
        shutil.copy(os.path.join(TESTS, "fuzz", "corpus", "document.json"), self.path("real.json"))
        for files in (("real.json", "e.json"), ("e.json", "real.json")):
            told = self.call("compare", *files)
            self.assertEqual((told.returncode, told.stdout, len(told.stderr.splitlines())), (2, "", 1), told.stderr)
            self.assertIn(f"e.json was measured under an emulator ({BY})", told.stderr)


class Proofs(Case):
    """Proofs know no processor: what is proved there is what is proved here."""

    def test_a_sample(self):
        for name in ("ticket", "tas", "array", "event/spin", "latch", "seqlock"):
            with self.subTest(primitive=name):
                told = self.succeeds("verify", name, "--jobs", "1", program="synchroscope-verify").stdout
                self.assertRegex(told, rf"(?m)^{name}\b.* proved ")


if __name__ == "__main__":
    unittest.main()
