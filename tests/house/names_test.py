"""Tests names.py: names_test.py ROOT"""

import pathlib
import re
import shutil
import sys
import tempfile
import unittest

import names

ROOT = pathlib.Path(sys.argv.pop(1))
LISTED = re.compile(r"^  EXPERIMENT\((\w+)\)", re.M)


class Names(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for part in ("src", "include"):
            shutil.copytree(ROOT / part, self.root / part)

    def sentences(self):
        return names.misplaced(self.root / "src", [self.root / "include"])

    def refused(self, path, text, words):
        with (self.root / path).open("a") as file:
            file.write(f"\n{text}\n")
        found = self.sentences()
        self.assertEqual(len(found), 1, found)
        self.assertIn(path, found[0])
        self.assertTrue(found[0].endswith(words), found[0])

    def test_every_experiment_of_the_list_declares_its_name(self):
        text = (self.root / "src/experiments/all.cpp").read_text()
        self.assertEqual(sorted(LISTED.findall(text)),
                         sorted(name.replace(".", "_") for name in names.declared(self.root / "src")))

    def test_nobody_else_in_this_house_names_an_experiment(self):
        sources = [ROOT / part for part in ("include", "report", "c", "examples")]
        self.assertEqual(names.misplaced(ROOT / "src", sources), [])

    def test_a_name_in_another_floor_is_refused(self):
        self.refused("src/cli/tour.cpp", 'const char* first = "coherence.local";', "names the experiment coherence.local")

    def test_so_is_one_in_a_comment(self):
        self.refused("src/simulations/wakes.cpp", "// wake.groups on a model", "names the experiment wake.groups")

    def test_so_is_one_in_the_folder_of_another_layer(self):
        self.refused("src/experiments/locks/ticket_view.cpp", "// As throttle.sum.", "names the experiment throttle.sum")

    def test_so_is_one_in_the_library(self):
        self.refused("include/synchro/machine.hpp", "// See locks.throughput", "names the experiment locks.throughput")

    def test_its_own_folder_and_the_published_claims_may(self):
        for path, text in (("src/experiments/throttle/sum_view.cpp", '"throttle.sum"'),
                           ("src/claims/articles/throttle.cpp", '"synchroscope run throttle.sum"'),
                           ("src/claims/paper/messages.cpp", '"throttle.sum tries all"')):
            with (self.root / path).open("a") as file:
                file.write(f"\n// {text}\n")
        self.assertEqual(self.sentences(), [])

    def test_a_judge_may_not_read_cells_by_it(self):
        self.refused("src/claims/articles/throttle.cpp", '// e.find("throttle.sum")', "names the experiment throttle.sum")

    def test_a_name_to_read_by_that_no_experiment_has_is_refused(self):
        self.refused("src/results/experiment_names.hpp", 'inline constexpr const char* gone = "locks.gone";',
                     'no experiment says e.name = "locks.gone"')


if __name__ == "__main__":
    unittest.main()
