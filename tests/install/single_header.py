"""The single header, in a folder with nothing else of this project: single_header.py PROJECT_FOLDER COMPILER

COMPILER and every other GCC and clang on the path that version.hpp does not refuse take it, in each mode, twice in a unit,
and before and after the library's own headers; the examples run with it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(sys.argv[1]).absolute()
OLDEST = {"g": 11, "clang": 14}


def compilers(first):
    """The first one, and the others: real files, so that none comes twice."""
    found = {pathlib.Path(shutil.which(first)).resolve(): first}
    for path in (path for folder in os.get_exec_path() for path in sorted(pathlib.Path(folder).glob("*++*"))):
        name = re.fullmatch(r"(g|clang)\+\+(?:-(\d+))?", path.name)
        if name and int(name[2] or 99) >= OLDEST[name[1]]:
            found.setdefault(path.resolve(), str(path))
    return list(found.values())


COMPILERS = compilers(sys.argv[2])
del sys.argv[1:]
MODES = ["-DSYNCHRO_CHECKED", "-fno-exceptions", "-fsanitize=thread"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def script(*more):
    return subprocess.run([sys.executable, "-B", PROJECT / "cmake/single_header.py", PROJECT, *more], check=True,
                          stdout=subprocess.PIPE).stdout


class SingleHeader(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.text = script()
        (self.folder / "synchro.hpp").write_bytes(self.text)

    def compile(self, compiler, source, *options):
        (self.folder / "unit.cpp").write_text(source)
        result = subprocess.run([compiler, "-std=c++20", "unit.cpp", *options], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, env={**os.environ, "CCACHE_DISABLE": "1"})
        self.assertEqual(result.returncode, 0, f"{compiler} {options}\n{result.stdout[:3000]}")

    def test_every_compiler_takes_it_alone(self):
        for compiler in COMPILERS:
            self.compile(compiler, '#include "synchro.hpp"\n#include "synchro.hpp"\n', "-fsyntax-only", *WARNINGS)

    def test_every_mode_takes_it(self):
        for mode in MODES:
            self.compile(COMPILERS[0], '#include "synchro.hpp"\n', "-fsyntax-only", mode)

    def test_it_stands_beside_the_folder(self):
        one, other = '#include "synchro.hpp"\n', "#include <synchro/synchro.hpp>\n#include <synchro/named.hpp>\n"
        for source in (one + other, other + one):
            self.compile(COMPILERS[0], source, "-fsyntax-only", f"-I{PROJECT}/include")

    def test_the_examples_run_with_it(self):
        for example in sorted((PROJECT / "examples").glob("*.cpp")):
            source = re.sub(r"#include <synchro/.*>", '#include "synchro.hpp"', example.read_text())
            self.compile(COMPILERS[0], source, "-pthread", "-o", "example")
            self.assertEqual(subprocess.run([self.folder / "example"], timeout=60, stdout=subprocess.DEVNULL).returncode, 0,
                             example.name)

    def test_it_bears_licence_and_version_and_nothing_that_patents_may_cover(self):
        text = self.text.decode()
        for line in (PROJECT / "LICENSE").read_text().splitlines():
            self.assertIn(line, text)
        self.assertNotIn("basic_hclh_lock", text)
        self.assertIn("class basic_mcs_lock", text)
        self.assertEqual(text.encode(), script())


unittest.main()
