"""What ./dev package made, as someone meets it who has no compiler and has unpacked it somewhere:
test_package.py TARBALL WHEEL HEADER BUILT [ANOTHER_FOLDER]

HEADER is the library as one, BUILT the program of a source build, which may lie beside a package. ANOTHER_FOLDER has what
was made of the same commit at another time, in another clone: the same bytes.
"""

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

import beside  # noqa: E402
import bill  # noqa: E402

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TARBALL, WHEEL, HEADER, BUILT = (pathlib.Path(word).absolute() for word in sys.argv[1:5])
ANOTHER = sys.argv[5] if len(sys.argv) > 5 else None
del sys.argv[1:]


class Unpacked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="synchroscope-package-"))
        with tarfile.open(TARBALL) as tar:
            tar.extractall(cls.scratch)
        (unpacked,) = cls.scratch.iterdir()
        (cls.scratch / "home").mkdir()
        cls.name = unpacked.name
        cls.prefix = unpacked.rename(cls.scratch / "elsewhere")  # it may be moved

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def asked(self, *words, **variables):
        """With nothing of this user's, and with nothing else on the path but what is said."""
        home = self.scratch / "home"
        result = subprocess.run(words, cwd=home, stdout=subprocess.PIPE, text=True, stderr=subprocess.STDOUT, timeout=3600,
                                env={"PATH": str(home), "HOME": str(home), **variables})
        self.assertEqual(result.returncode, 0, result.stdout[-2000:])
        return result.stdout

    def says(self, *words, **variables):
        return self.asked(self.prefix / "bin" / "synchroscope", *words, **variables)


class Tarball(Unpacked):
    def test_each_program_runs(self):
        self.assertRegex(self.name, re.escape(self.says("--version").split()[1]))
        self.assertIn("ticket", self.says("verify", "ticket"))
        self.assertIn("opteron", self.says("simulate", "locks.throughput", "--machine", "opteron", "--lock", "ticket",
                                           "--threads", "2", "--quick", "--no-progress", "--tables").lower())
        self.assertEqual(self.says("with", "ticket", "--", sys.executable, "-c", "print('ran')"), "ran\n")

    def test_a_c_library_that_is_too_old_or_another_is_told_in_a_sentence(self):
        for getconf, words in (("echo glibc 2.4", "has glibc 2.4"), ("echo glibc 1.99", "has glibc 1.99"),
                               ("exit 1", "has no glibc"), ("echo glibc 3.0", None), ("echo glibc 2.99", None)):
            folder = self.scratch / "old"
            folder.mkdir(exist_ok=True)
            (folder / "getconf").write_text(f"#!/bin/sh\n{getconf}\n")
            (folder / "getconf").chmod(0o755)
            result = subprocess.run([self.prefix / "bin" / "synchroscope", "--version"], stdout=subprocess.PIPE, text=True,
                                    stderr=subprocess.PIPE, env={"PATH": str(folder)})
            if words is None:
                self.assertEqual((result.returncode, result.stderr), (0, ""), getconf)
            else:
                self.assertEqual((result.returncode, result.stdout), (3, ""), getconf)
                self.assertRegex(result.stderr, rf"^synchroscope: .* glibc \d+\.\d+ .*{words}[^\n]*\n$")

    def test_it_may_be_called_by_another_name(self):
        link = self.scratch / "syn"
        link.symlink_to(self.prefix / "bin" / "synchroscope")
        said = subprocess.run([link, "verify", "ticket"], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("ticket", said)

    def test_it_measures(self):
        self.says("run", "coherence.local", "--level", "l1", "--quick", "--no-progress", "-o", "r.json")
        self.assertIn("ns", self.says("show", "r.json"))

    def test_the_tour(self):
        said = self.says("tour", "--no-progress")
        self.assertIn("report.html", said)
        for file in ("results.json", "report.html"):
            self.assertIn("coherence", (self.scratch / "home" / file).read_text(), file)

    @unittest.skipUnless(shutil.which("man"), "no man")
    def test_the_manual(self):
        for page, words in (("synchroscope", "synchroscope-verify"), ("synchroscope-run", "--quick")):
            plain = {"PATH": os.environ["PATH"], "MANPAGER": "cat", "MANWIDTH": "999"}  # no word is broken
            said = self.asked("man", "-M", self.prefix / "share/man", page, **plain)
            self.assertIn("SYNOPSIS", said)
            self.assertIn(words, said.replace("\N{HYPHEN}", "-").replace("\N{MINUS SIGN}", "-"))

    def test_completion(self):
        scripts = {"bash": 'source "$0/share/bash-completion/completions/synchroscope"; COMP_WORDS=(synchroscope run --qui)'
                           ' COMP_CWORD=2; _synchroscope; echo "${COMPREPLY[@]}"',
                   "zsh": 'fpath=("$0/share/zsh/site-functions" $fpath); autoload -Uz compinit; compinit -u -d "$HOME/dump";'
                          ' autoload +X _synchroscope; functions _synchroscope'}
        for shell, script in scripts.items():
            if shutil.which(shell):
                said = self.asked(shell, "-c", script, self.prefix, PATH=os.environ["PATH"])
                self.assertIn("--quick", said, shell)

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
                     "share/synchroscope/own_lock/measure.txt", "lib/synchroscope/libsynchro-preload.a",
                     "share/doc/synchroscope/LICENSE"):
            self.assertTrue((self.prefix / file).exists(), file)

    def test_the_bill_of_materials_has_each_library_and_each_licence(self):
        doc = self.prefix / "share/doc/synchroscope"
        named = bill.named((doc / "synchroscope.spdx.json").read_text())
        self.assertEqual(named, {path.name for path in (doc / "licences").iterdir()})
        self.assertIn("echarts", named)
        self.assertTrue(any(name.startswith("libhwloc") for name in named))

    @unittest.skipUnless(bill.checker, "no pyspdxtools")
    def test_the_bill_of_materials_is_valid(self):
        text = (self.prefix / "share/doc/synchroscope/synchroscope.spdx.json").read_text()
        self.assertIsNone(bill.complaints(text, self.scratch))

    def test_nothing_names_the_folder_that_it_was_built_in(self):
        here = os.fsencode(PROJECT) + b"/"
        for path in filter(pathlib.Path.is_file, self.prefix.rglob("*")):
            self.assertNotIn(here, path.read_bytes(), path)


@unittest.skipUnless(shutil.which("c++"), "no compiler")
class Compiled(Unpacked):
    """An example of the library's, by what was unpacked and a compiler."""

    EXAMPLE = PROJECT / "examples" / "counter.cpp"

    def compiled(self, source, *flags):
        self.asked("c++", "-std=c++20", source, *flags, "-o", self.scratch / "counter", PATH=os.environ["PATH"])
        self.asked(self.scratch / "counter")

    @unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config")
    def test_by_pkg_config(self):
        flags = self.asked("pkg-config", "--cflags", "--libs", "synchro", PATH=os.environ["PATH"],
                           PKG_CONFIG_PATH=str(self.prefix / "share/pkgconfig"))
        self.assertIn(str(self.prefix), flags)
        self.compiled(self.EXAMPLE, *flags.split())

    @unittest.skipUnless(shutil.which("cmake"), "no cmake")
    def test_by_cmake(self):
        build = self.scratch / "by_cmake"
        path = {"PATH": os.environ["PATH"]}
        shutil.copytree(self.EXAMPLE.parent, self.scratch / "examples")
        self.asked("cmake", "-G", "Ninja", "-S", self.scratch / "examples", "-B", build,
                   f"-DCMAKE_PREFIX_PATH={self.prefix}", **path)
        self.assertIn(f"synchro_DIR:PATH={self.prefix}/", (build / "CMakeCache.txt").read_text())
        self.asked("cmake", "--build", build, "--target", "example_counter", **path)
        self.asked(build / "example_counter")

    def test_by_the_single_header(self):
        shutil.copy(HEADER, self.scratch / "synchro.hpp")
        source = self.scratch / "alone.cpp"
        source.write_text(re.sub(r"#include <synchro/.*>", '#include "synchro.hpp"', self.EXAMPLE.read_text()))
        self.compiled(source, "-pthread")


class BesideASourceBuild(beside.Beside, Unpacked):
    def setUp(self):
        self.home = self.scratch / "home"
        self.packed = self.prefix / "bin" / "synchroscope", self.prefix
        self.built = BUILT, BUILT.parent


class Wheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def said(self, *words, **variables):
        result = subprocess.run(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env={**os.environ, **variables})
        self.assertEqual(result.returncode, 0, result.stdout[-2000:])
        return result.stdout

    def test_pip_installs_the_command_and_takes_it_away(self):
        self.said(sys.executable, "-m", "venv", "place")
        before = {path for path in (self.folder / "place").rglob("*") if path.is_file()}
        self.said("place/bin/pip", "install", "--no-index", WHEEL.absolute())
        self.assertTrue(self.said("place/bin/synchroscope", "--version").startswith("synchroscope "))
        self.assertIn("ticket", self.said("place/bin/synchroscope", "verify", "ticket"))
        self.assertEqual(self.said("place/bin/synchroscope", "with", "mcs", "--", sys.executable, "-c", "print(1)"), "1\n")
        beside = f"{BUILT.parent}:{os.environ['PATH']}"  # of a source build
        where = self.said("place/bin/python", "-c", "import synchroscope; print(synchroscope.program())", PATH=beside)
        self.assertEqual(pathlib.Path(where.strip()).resolve(), (self.folder / "place/bin/synchroscope").resolve())
        self.assertIn("True", self.said("place/bin/python", "-c",
                                        "import synchroscope; print(synchroscope.verify('ticket')[0].proved)"))
        self.said("place/bin/pip", "uninstall", "-y", "synchroscope")
        after = {path for path in (self.folder / "place").rglob("*") if path.is_file()}
        self.assertEqual(after - before, set())

    def test_a_folder_of_ones_own(self):
        """pip puts there what it puts nowhere else."""
        self.said(sys.executable, "-m", "venv", "place")
        self.said("place/bin/pip", "install", "--no-index", "--target", "own", WHEEL.absolute())
        asked = "import synchroscope; print(synchroscope.program(), synchroscope.verify('ticket')[0].proved)"
        said = self.said("place/bin/python", "-c", asked, PYTHONPATH="own").split()
        self.assertEqual((pathlib.Path(said[0]), said[1]), (self.folder.resolve() / "own/bin/synchroscope", "True"))
        self.assertEqual(self.said("own/bin/synchroscope", "with", "mcs", "--", sys.executable, "-c", "print(1)"), "1\n")

    def test_another_system_refuses_it(self):
        older = WHEEL.name.replace("manylinux_2_", "manylinux_9_")
        shutil.copy(WHEEL, self.folder / older)
        self.said(sys.executable, "-m", "venv", "place")
        result = subprocess.run([self.folder / "place/bin/pip", "install", "--no-index", self.folder / older],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("is not a supported wheel on this platform", result.stderr)

    @unittest.skipUnless(shutil.which("auditwheel"), "no auditwheel")
    def test_auditwheel_finds_the_tag_true(self):
        tag = WHEEL.stem.split("-")[-1]
        said = " ".join(self.said("auditwheel", "show", WHEEL.absolute()).split())
        self.assertIn(f'This constrains the platform tag to "{tag}"', said)


class Reproducible(unittest.TestCase):
    @unittest.skipUnless(ANOTHER, "no other to compare with")
    def test_another_has_the_same_bytes(self):
        for file in (TARBALL, WHEEL, HEADER):
            self.assertEqual((pathlib.Path(ANOTHER or "") / file.name).read_bytes(), file.read_bytes(), file.name)


unittest.main()
