"""What is asked of a package's program and of a source build's where both are there."""

import os
import pathlib
import re
import shutil
import unittest

TOY = pathlib.Path(__file__).resolve().parents[1] / "catalog/toy/include/synchro/locks/toy.hpp"


class Beside:
    """Each keeps to what is its own, whichever comes first on the path.

    A test case that is this one, too, has `packed` and `built`, a program and the folder of all that is its own, the folder
    `home` of the user, and `asked`, which calls a program and returns what it says.
    """

    def each(self):
        """Each program, its folder, and a path on which the other comes first."""
        for (program, folder), (other, _) in ((self.packed, self.built), (self.built, self.packed)):
            yield program, folder.resolve(), f"{other.parent}:{os.environ['PATH']}"

    def test_each_puts_its_own_library_in_front(self):
        for program, folder, path in self.each():
            said = self.asked(program, "with", "ticket", "--", "sh", "-c", "echo $LD_PRELOAD", PATH=path)
            self.assertTrue(pathlib.Path(said.strip()).resolve().is_relative_to(folder), said)

    @unittest.skipUnless(shutil.which("strace"), "no strace")
    def test_each_becomes_its_own_programs(self):
        for program, folder, path in self.each():
            said = self.asked("strace", "-f", "-e", "trace=execve", program, "verify", "ticket", PATH=path)
            became = re.findall(r'execve\("([^"]*/synchroscope-[^/"]*)".* = 0$', said, re.M)
            self.assertTrue(became)
            for one in became:
                self.assertTrue(pathlib.Path(one).resolve().is_relative_to(folder), one)

    @unittest.skipUnless(shutil.which("c++"), "no compiler")
    def test_a_lock_that_the_other_has_compiled_is_compiled_anew(self):
        """Both keep it in the same folder; what one has compiled fits no other."""
        header = self.home / "toy.hpp"
        shutil.copy(TOY, header)
        packed, built = self.each()
        for program, _, path in (packed, built, packed):
            for first in (True, False):
                said = self.asked(program, "verify", header, PATH=path)
                self.assertIn("proved", said)
                self.assertEqual("compiling" in said, first, said)
