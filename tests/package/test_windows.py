"""The zip that ./dev package made, as someone meets it who has unpacked it somewhere:
test_windows.py ZIP WINE [ANOTHER_FOLDER]

The programs run under Wine. ANOTHER_FOLDER has what was made of the same commit at another time: the same bytes.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import bill

ZIP, WINE = pathlib.Path(sys.argv[1]), sys.argv[2]
ANOTHER = sys.argv[3] if len(sys.argv) > 3 else None
del sys.argv[1:]

COMPILER = "x86_64-w64-mingw32-g++-posix"
PROGRAM = """
#include <cstdio>
#include <thread>
#include "synchro/synchro.hpp"
int main() {
  synchro::mutex mutex;
  int count = 0;
  const auto add = [&] { for (int i = 0; i != 1000; ++i) { mutex.lock(); ++count; mutex.unlock(); } };
  std::thread other{add};
  add();
  other.join();
  std::printf("%d\\n", count);
}
"""


class Zip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="synchroscope-zip-"))
        if shutil.which("unzip"):
            subprocess.run(["unzip", "-q", ZIP.resolve(), "-d", cls.scratch], check=True)
        else:
            shutil.unpack_archive(ZIP, cls.scratch)
        (unpacked,) = cls.scratch.iterdir()
        cls.name = unpacked.name
        cls.folder = unpacked.rename(cls.scratch / "Größe und Länge")  # it may be moved

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def says(self, program, *words):
        result = subprocess.run([WINE, program, *words], cwd=self.scratch, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        return result.stdout.decode("utf-8").replace("\r\n", "\n")

    def test_each_program_runs(self):
        program = self.folder / "synchroscope.exe"
        self.assertRegex(self.name, re.escape(self.says(program, "--version").split()[1]) + "-windows-x86_64$")
        self.assertIn("ticket", self.says(program, "verify", "ticket"))
        self.assertIn("opteron", self.says(program, "simulate", "locks.throughput", "--machine", "opteron", "--lock",
                                           "ticket", "--threads", "2", "--quick", "--no-progress", "--tables").lower())

    def test_it_measures_in_a_folder_of_any_name(self):
        program = self.folder / "synchroscope.exe"
        self.says(program, "run", "coherence.local", "--level", "l1", "--quick", "--no-progress", "-o", "é.json")
        self.assertIn("ns", self.says(program, "show", "é.json"))

    def test_it_takes_long_names_of_files(self):
        self.assertTrue(b"longPathAware" in (self.folder / "synchroscope.exe").read_bytes())

    @unittest.skipUnless(shutil.which(COMPILER), f"no {COMPILER}")
    def test_a_program_is_built_with_its_headers(self):
        (self.scratch / "p.cpp").write_text(PROGRAM, encoding="utf-8")
        subprocess.run([COMPILER, "-std=c++20", "-static", "-I", self.folder / "include", "p.cpp", "-o", "p.exe"],
                       cwd=self.scratch, check=True)
        self.assertEqual(self.says(self.scratch / "p.exe"), "2000\n")

    def test_the_bill_of_materials_has_each_library_and_each_licence(self):
        named = bill.named((self.folder / "synchroscope.spdx.json").read_text(encoding="utf-8"))
        self.assertEqual(named, {path.stem for path in (self.folder / "licences").iterdir()})
        self.assertIn("nlohmann-json3-dev", named)
        self.assertTrue(any("mingw-w64" in name for name in named), named)

    @unittest.skipUnless(bill.checker, "no pyspdxtools")
    def test_the_bill_of_materials_is_valid(self):
        text = (self.folder / "synchroscope.spdx.json").read_text(encoding="utf-8")
        self.assertIsNone(bill.complaints(text, self.scratch))

    def test_nothing_names_the_folder_that_it_was_built_in(self):
        here = os.fsencode(pathlib.Path(__file__).resolve().parents[2]) + b"/"
        for path in filter(pathlib.Path.is_file, self.folder.rglob("*")):
            self.assertFalse(here in path.read_bytes(), path)

    @unittest.skipUnless(ANOTHER, "no other to compare with")
    def test_another_has_the_same_bytes(self):
        self.assertEqual((pathlib.Path(ANOTHER or "") / ZIP.name).read_bytes(), ZIP.read_bytes())


unittest.main()
