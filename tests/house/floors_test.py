"""Tests floors.py: floors_test.py SOURCE_FOLDER LIBRARY_FOLDER PAGE_FOLDER"""

import pathlib
import shutil
import sys
import tempfile
import unittest

import floors

SOURCE, LIBRARY, PAGE = (pathlib.Path(sys.argv.pop(1)) for _ in range(3))


class Floors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "src"
        self.library = pathlib.Path(folder.name) / "include"
        shutil.copytree(SOURCE, self.root)
        shutil.copytree(LIBRARY, self.library)

    def sentences(self):
        return floors.wrong_includes(self.root, self.library)

    def plant(self, path, include):
        """Of an include without brackets it is one in quotes."""
        quoted = include if include.startswith("<") else f'"{include}"'
        with path.open("a") as file:
            file.write(f"\n#include {quoted}\n")

    def refused(self, path, include, words):
        self.plant(path, include)
        found = self.sentences()
        self.assertEqual(len(found), 1, found)
        self.assertIn(f'{path}:', found[0])
        self.assertTrue(found[0].endswith(words), found[0])

    def test_this_house_includes_only_downwards(self):
        self.assertEqual(self.sentences(), [])

    def test_an_include_from_above_is_refused(self):
        self.refused(self.root / "results" / "cell.hpp", "cli/run.hpp",
                     'results includes "cli/run.hpp", but does not stand on cli')

    def test_an_include_from_beside_is_refused(self):
        self.refused(self.root / "model_checker" / "search.cpp", "simulator/world.hpp",
                     'model_checker includes "simulator/world.hpp", but does not stand on simulator')

    def test_an_include_in_angle_brackets_is_one(self):
        self.refused(self.root / "results" / "cell.hpp", "<cli/run.hpp>",
                     'results includes "cli/run.hpp", but does not stand on cli')

    def test_a_path_from_the_file_is_refused(self):
        says = "is a path from this file; an include begins with a folder of src, or with synchro"
        for path, include in [(self.root / "results" / "cell.hpp", "../cli/run.hpp"),
                              (self.library / "synchro" / "look.hpp", "../../src/measure/host.hpp"),
                              (self.root / "results" / "cell.hpp", "platform/../cli/run.hpp")]:
            with self.subTest(include):
                before = path.read_text()
                self.refused(path, include, f'"{include}" {says}')
                path.write_text(before)

    def test_a_generated_unit_is_looked_at_through_its_template(self):
        self.refused(self.root / "results" / "sleepers_by_catalog.cpp.in", "cli/run.hpp",
                     'results includes "cli/run.hpp", but does not stand on cli')

    def test_a_unit_of_the_catalog_is_looked_at_where_it_is_asked_for(self):
        lists = self.root / "model_checker" / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("model_checker/harnesses/lock_harnesses.hpp", "results/cell.hpp"))
        found = self.sentences()
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].endswith('model_checker includes "results/cell.hpp", but does not stand on results'), found[0])

    def test_the_lowest_floor_includes_nothing(self):
        self.refused(self.root / "statistics" / "statistics.hpp", "results/cell.hpp",
                     'statistics includes "results/cell.hpp", but does not stand on results')

    def test_the_library_stands_on_nothing(self):
        self.refused(self.library / "synchro" / "machine.hpp", "measure/host.hpp",
                     'library includes "measure/host.hpp", but does not stand on measure')

    def test_floors_in_a_circle_are_refused(self):
        lists = self.root / "platform" / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("house_floor(platform ", "house_floor(platform cli "))
        found = self.sentences()
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith("the floors stand in a circle: "), found[0])

    def test_modules_of_the_page_in_a_circle_are_refused(self):
        self.assertEqual(floors.circles_of_modules(PAGE), [])
        page = self.root / "page_of_the_report"
        shutil.copytree(PAGE, page)
        with (page / "data.ts").open("a") as file:
            file.write("\nimport type {\n  Panel,\n} from './panel';\n")
        found = floors.circles_of_modules(page)
        self.assertEqual(found, ["modules of the page import each other: data.ts -> panel.ts -> data.ts"])


if __name__ == "__main__":
    unittest.main()
