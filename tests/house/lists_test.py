"""Tests lists.py: lists_test.py PROJECT_FOLDER"""

import pathlib
import shutil
import sys
import tempfile
import unittest

import lists

PROJECT = pathlib.Path(sys.argv.pop(1))


class Lists(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = pathlib.Path(folder.name)
        for part in ("include", "src/catalog", "tests/library", "docs"):
            shutil.copytree(PROJECT / part, self.project / part)
        self.before = lists.missing(self.project)

    def more(self):
        """What is missing besides what this house lacks anyway, of which one test speaks."""
        return [sentence for sentence in lists.missing(self.project) if sentence not in self.before]

    def without(self, file, line):
        path = self.project / file
        text = path.read_text()
        self.assertIn(line, text)
        path.write_text(text.replace(line, ""))
        return self.more()

    def test_the_lists_of_this_house_are_whole(self):
        self.assertEqual(self.before, [])

    def test_a_header_that_synchro_hpp_leaves_out(self):
        self.assertEqual(self.without("include/synchro/synchro.hpp", '#include "synchro/locks/phase_fair.hpp"\n')[0],
                         "include/synchro/synchro.hpp does not include locks/phase_fair.hpp")

    def test_a_primitive_that_is_instantiated_nowhere(self):
        self.assertEqual(self.without("tests/library/whole.cpp", "template class basic_auto_event<>;\n") +
                         self.without("tests/library/whole.cpp", "template class basic_auto_event<hardware, spin>;\n"),
                         ["tests/library/whole.cpp has no instance of basic_auto_event"])

    def test_a_class_of_several_primitives_is_missed_once(self):
        self.assertEqual(self.without("tests/library/whole.cpp", "template class ticket_lock_with<"),
                         ["tests/library/whole.cpp has no instance of ticket_lock_with"])

    def test_one_that_goes_by_another_name(self):
        self.assertEqual(lists.class_of(self.project, "lock", "ticket_plain"), "ticket_lock_with")

    def test_a_header_that_nothing_compiles(self):
        (self.project / "include/synchro/locks/lonely.hpp").write_text("")
        self.assertEqual(self.more(), ["tests/library/whole.cpp does not reach synchro/locks/lonely.hpp"])

    def test_a_primitive_without_a_page(self):
        (self.project / "docs/wakes/event.md").unlink()
        self.assertEqual(self.more(), ["docs/wakes/event.md is not there: run ./dev docs"])

    def test_a_primitive_whose_essay_makes_no_page(self):
        (self.project / "docs/locks/tas.md").unlink()
        header = self.project / "include/synchro/locks/tas.hpp"
        header.write_text(header.read_text().replace("// Problem. ", "// The problem: "))
        self.assertEqual(self.more(), ["docs/locks/tas.md is not there: the essay that tas.hpp begins with has no paragraph "
                                       "that begins with 'Problem. '"])

    def test_a_header_whose_cost_is_not_told(self):
        self.assertEqual(self.without("docs/headers.md", "| `synchro/locks/mcs.hpp` |"),
                         ["docs/headers.md has no row for synchro/locks/mcs.hpp: run ./dev docs"])

    def test_a_page_that_the_index_leaves_out(self):
        self.assertEqual(self.without("docs/README.md", ", [export](export.md)"), ["docs/README.md does not name export.md"])


if __name__ == "__main__":
    unittest.main()
