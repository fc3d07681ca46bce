"""What ./dev package made, as someone meets it who has no compiler and has unpacked it somewhere:
test_package.py TARBALL [ANOTHER]

ANOTHER is a tarball made of the same sources at another time, in another folder: the same bytes.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake" / "package"))
import binaries  # noqa: E402

TARBALL = pathlib.Path(sys.argv[1])
ANOTHER = sys.argv[2] if len(sys.argv) > 2 else None
del sys.argv[1:]


class Tarball(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="synchroscope-package-"))
        with tarfile.open(TARBALL) as tar:
            tar.extractall(cls.scratch)
        (unpacked,) = cls.scratch.iterdir()
        cls.name = unpacked.name
        cls.prefix = unpacked.rename(cls.scratch / "elsewhere")  # it may be moved

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def says(self, *words):
        """With nothing else on the path, and nothing of this user's."""
        home = self.scratch / "home"
        home.mkdir(exist_ok=True)
        result = subprocess.run([self.prefix / "bin" / "synchroscope", *words], cwd=home, stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.STDOUT, timeout=300, env={"PATH": str(home), "HOME": str(home)})
        self.assertEqual(result.returncode, 0, result.stdout[-2000:])
        return result.stdout

    def test_each_program_runs(self):
        self.assertRegex(self.name, re.escape(self.says("--version").split()[1]))
        self.assertIn("ticket", self.says("verify", "ticket"))
        self.assertIn("opteron", self.says("simulate", "locks.throughput", "--machine", "opteron", "--lock", "ticket",
                                           "--threads", "2", "--quick", "--no-progress", "--tables").lower())
        self.assertEqual(self.says("with", "ticket", "--", sys.executable, "-c", "print('ran')"), "ran\n")

    def test_it_measures(self):
        self.says("run", "coherence.local", "--level", "l1", "--quick", "--no-progress", "-o", "r.json")
        self.assertIn("ns", self.says("show", "r.json"))

    def test_only_the_c_library_is_the_systems(self):
        for path in filter(binaries.is_dynamic, self.prefix.rglob("*")):
            found = binaries.libraries(path)
            outside = {file for file in found.values() if self.prefix not in file.resolve().parents}
            self.assertLessEqual(len(set(binaries.packages_of(outside).values())), 1, f"{path.name}: {outside}")

    def test_it_is_called_by_the_c_library_that_it_needs(self):
        newest = binaries.greatest_glibc(filter(binaries.is_dynamic, self.prefix.rglob("*")))
        self.assertTrue(self.name.endswith(f"-glibc{newest[0]}.{newest[1]}"), (self.name, newest))

    def test_all_that_is_named_is_there(self):
        for file in ("share/man/man1/synchroscope-run.1", "share/bash-completion/completions/synchroscope",
                     "share/zsh/site-functions/_synchroscope", "include/synchro/synchro.hpp", "share/pkgconfig/synchro.pc",
                     "share/synchroscope/own_lock/measure.txt", "lib/libsynchro-preload.a", "share/doc/synchroscope/LICENSE"):
            self.assertTrue((self.prefix / file).exists(), file)

    def test_the_bill_of_materials_has_each_library_and_each_licence(self):
        doc = self.prefix / "share/doc/synchroscope"
        bill = json.loads((doc / "synchroscope.spdx.json").read_text())
        named = {package["name"] for package in bill["packages"]} - {"synchroscope"}
        self.assertEqual(named, {path.name for path in (doc / "licences").iterdir()})
        self.assertIn("echarts", named)
        self.assertTrue(any(name.startswith("libhwloc") for name in named))
        texts = {one["licenseId"] for one in bill["hasExtractedLicensingInfos"]}
        for package in bill["packages"]:
            self.assertIn(package["licenseDeclared"], texts | {"MIT"})

    @unittest.skipUnless(shutil.which("pyspdxtools"), "no pyspdxtools")
    def test_the_bill_of_materials_is_valid(self):
        bill = self.prefix / "share/doc/synchroscope/synchroscope.spdx.json"
        result = subprocess.run(["pyspdxtools", "-i", bill], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(result.returncode, 0, result.stdout[-2000:])

    def test_nothing_names_the_folder_that_it_was_built_in(self):
        here = os.fsencode(pathlib.Path(__file__).resolve().parents[2]) + b"/"
        for path in filter(pathlib.Path.is_file, self.prefix.rglob("*")):
            self.assertNotIn(here, path.read_bytes(), path)

    @unittest.skipUnless(ANOTHER, "no other to compare with")
    def test_another_has_the_same_bytes(self):
        self.assertEqual(pathlib.Path(ANOTHER or "").read_bytes(), TARBALL.read_bytes())


unittest.main()
