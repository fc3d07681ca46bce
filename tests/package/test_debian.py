"""The Debian packages that ./dev package --debian made, unpacked in a folder: test_debian.py CHANGES [ANOTHER_FOLDER]

CHANGES is the list of them. ANOTHER_FOLDER has what was made of the same commit at another time, in another clone: the same
bytes.
"""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import beside
import bill

PROJECT = pathlib.Path(__file__).resolve().parents[2]
CHANGES = pathlib.Path(sys.argv[1]).absolute()
ANOTHER = sys.argv[2] if len(sys.argv) > 2 else None
del sys.argv[1:]


def packages():
    names = re.findall(r"^ \w+ \d+ (\S+_\S+\.deb)$", CHANGES.read_text(), re.M)
    return {name.split("_")[0]: CHANGES.parent / name for name in names}


def made():
    """All that was made and is to be the same in another clone: what tells of the build itself is not."""
    names = re.findall(r"^ \w+ \d+ (\S+_\S+)$", CHANGES.read_text(), re.M)
    return [CHANGES.parent / name for name in names if not name.endswith(".buildinfo")]


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="synchroscope-debian-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        cls.usr = cls.scratch / "root" / "usr"
        for package in packages().values():
            subprocess.run(["dpkg-deb", "-x", package, cls.usr.parent], check=True)

    def said(self, *words, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.scratch), **variables}
        result = subprocess.run(words, cwd=self.scratch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                timeout=600, env=environment)
        self.assertEqual(result.returncode, 0, result.stdout[-2000:])
        return result.stdout

    def program(self, *words):
        return self.said(self.usr / "bin" / "synchroscope", *words)


class Program(Case):
    def test_each_part_of_it_is_found_and_runs(self):
        self.assertTrue(self.program("--version").startswith("synchroscope "))
        self.assertIn("ticket", self.program("verify", "ticket"))
        self.program("simulate", "locks.throughput", "--machine", "opteron", "--lock", "ticket", "--threads", "2", "--quick",
                     "--no-progress")
        self.assertEqual(self.program("with", "ticket", "--", sys.executable, "-c", "print('ran')"), "ran\n")
        self.program("run", "locks.uncontested", "--lock", "mcs", "--quick", "--no-progress", "-o", "r.json")
        self.program("report", "r.json", "-o", "r.html")
        self.assertIn("Apache License", (self.scratch / "r.html").read_text())

    def test_a_lock_of_ones_own(self):
        shutil.copy(beside.TOY, self.scratch)
        self.program("build", "toy.hpp")
        self.program("verify", "toy.hpp")
        self.program("with", "toy.hpp", "--", "true")

    def test_manual_and_completion(self):
        found = self.said("man", "-M", self.usr / "share/man", "-w", "synchroscope-run")
        self.assertTrue(found.startswith(str(self.usr)))
        script = f"source {self.usr}/share/bash-completion/completions/synchroscope; complete -p synchroscope"
        self.assertIn("synchroscope", self.said("bash", "--norc", "-c", script))
        self.assertTrue((self.usr / "share/zsh/vendor-completions/_synchroscope").exists())


class BesideASourceBuild(beside.Beside, Case):
    """That in the folder where the packages were built."""

    def setUp(self):
        built = next(PROJECT.glob("build/debian/synchroscope-*/build/release/synchroscope"))
        self.home, self.asked = self.scratch, self.said
        self.packed, self.built = (self.usr / "bin" / "synchroscope", self.usr), (built, built.parent)


class Library(Case):
    EXAMPLE = "share/doc/libsynchro-dev/examples"

    def test_an_example_by_pkg_config(self):
        flags = self.said("pkg-config", "--cflags", "--libs", "synchro", PKG_CONFIG_PATH=str(self.usr / "share/pkgconfig"))
        self.assertIn(str(self.usr), flags)
        self.said("c++", "-std=c++20", self.usr / self.EXAMPLE / "counter.cpp", *flags.split(), "-o", "counter")
        self.said(self.scratch / "counter")

    def test_the_examples_by_cmake(self):
        self.said("cmake", "-S", self.usr / self.EXAMPLE, "-B", "by_cmake", f"-DCMAKE_PREFIX_PATH={self.usr}")
        self.assertIn(f"synchro_DIR:PATH={self.usr}", (self.scratch / "by_cmake/CMakeCache.txt").read_text())
        self.said("cmake", "--build", "by_cmake", "--target", "example_counter", "example_waking")
        self.said(self.scratch / "by_cmake" / "example_counter")

    def test_the_interface_for_c(self):
        (self.scratch / "c.c").write_text("#include <synchro.h>\nint main(void) { return 0; }\n")
        self.said("cc", f"-I{self.usr}/include", "c.c", "-o", "c")
        self.assertTrue(list(self.usr.glob("lib/*/libsynchro_c.a")))


class Packages(Case):
    def test_lintian_finds_no_error(self):
        if not shutil.which("lintian"):
            self.skipTest("no lintian")
        self.said("lintian", "--allow-root", "--fail-on", "error", CHANGES)

    def test_nothing_lies_outside_of_their_own_paths_and_nothing_is_run_by_installing(self):
        """Each file has a folder of a package's name above it, or bears such a name itself."""
        owners = {}
        for name, package in packages().items():
            control = self.scratch / f"control-{name}"
            subprocess.run(["dpkg-deb", "-e", package, control], check=True)
            self.assertLessEqual({path.name for path in control.iterdir()}, {"control", "md5sums"}, name)
            for line in self.said("dpkg-deb", "-c", package).splitlines():
                path = line.split(maxsplit=5)[5]
                if not path.endswith("/"):
                    self.assertRegex(path, r"^\./usr/.*synchro", name)
                    self.assertNotIn(path, owners, f"{name} and {owners.get(path)}")
                    owners[path] = name

    def test_the_copyright_file_and_the_bill_have_what_is_inside(self):
        doc = self.usr / "share/doc/synchroscope"
        text = gzip.decompress((doc / "synchroscope.spdx.json.gz").read_bytes()).decode()
        licences = (doc / "copyright").read_text(errors="replace")
        self.assertIn("the Synchroscope authors", licences)
        inside = bill.named(text)
        self.assertLessEqual({"echarts", "zrender", "nlohmann-json3-dev"}, inside)
        for name in inside:
            self.assertIn(f"\nCompiled in from {name} ", licences)
        if bill.checker:
            self.assertIsNone(bill.complaints(text, self.scratch))

    def test_the_packages_that_a_build_needs_are_those_that_its_programs_show(self):
        """What a header was compiled in of, or who brings it, is named."""
        control = CHANGES.with_name(CHANGES.name.rpartition("_")[0] + ".dsc").read_text()
        needs = re.search(r"^Build-Depends: (.*)$", control, re.M).group(1)
        for name in ("libhwloc-dev", "libre2-dev", "ninja-build", "libtbb-dev", "npm"):
            self.assertIn(name, needs)
        self.assertNotIn("libgtest-dev", needs)

    def test_nothing_names_the_folder_that_it_was_built_in(self):
        here = os.fsencode(PROJECT) + b"/"
        for path in filter(pathlib.Path.is_file, self.usr.rglob("*")):
            self.assertNotIn(here, path.read_bytes(), path)

    @unittest.skipUnless(ANOTHER, "no other to compare with")
    def test_another_has_the_same_bytes(self):
        for file in made():
            self.assertEqual((pathlib.Path(ANOTHER or "") / file.name).read_bytes(), file.read_bytes(), file.name)


unittest.main()
