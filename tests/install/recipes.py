"""The recipes by which other package managers take the library: recipes.py PROJECT_FOLDER CMAKE

Conan is asked where it is installed. vcpkg is not at hand: stand-ins for the functions of its ports do what is documented.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

PROJECT, CMAKE = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2]
del sys.argv[1:]
VCPKG = PROJECT / "cmake" / "package" / "vcpkg" / "synchro"
STAND_INS = """
cmake_policy(VERSION 3.22)
function(must)
  execute_process(COMMAND ${CMAKE_COMMAND} ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 A "" "SOURCE_PATH" "OPTIONS")
  must(-G Ninja -S ${A_SOURCE_PATH} -B ${WORK} -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} ${A_OPTIONS})
endfunction()
function(vcpkg_cmake_install)
  must(--install ${WORK})
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 A "" "CONFIG_PATH" "")
  file(RENAME ${CURRENT_PACKAGES_DIR}/${A_CONFIG_PATH} ${CURRENT_PACKAGES_DIR}/share/synchro)
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 A "" "" "FILE_LIST")
  file(COPY_FILE ${A_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/synchro/copyright)
endfunction()
include(%s)
"""
NAME = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
# Of vcpkg's schema for such a file (docs/vcpkg.schema.json of microsoft/vcpkg-tool) what this port uses, and no more.
MANIFEST = {
    "type": "object", "additionalProperties": False, "required": ["name", "version"],
    "properties": {
        "name": NAME,
        "version": {"type": "string", "pattern": r"^\d+(\.\d+)*$"},
        **{field: {"type": "string"} for field in ("description", "license", "supports")},
        "dependencies": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["name"],
            "properties": {"name": NAME, "host": {"type": "boolean"}},
        }},
    },
}


class Recipes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def said(self, *words, **variables):
        result = subprocess.run(words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                env={**os.environ, **variables})
        self.assertEqual(result.returncode, 0, result.stdout[-3000:])
        return result.stdout

    @unittest.skipUnless(shutil.which("conan"), "no conan")
    def test_conan_makes_a_package_with_which_the_examples_run(self):
        home = {"CONAN_HOME": str(self.folder / "conan"), "TMPDIR": str(self.folder)}
        self.said("conan", "profile", "detect", **home)
        away = ("-c", "tools.cmake.cmake_layout:test_folder=$TMP", "-c", "tools.cmake.cmaketoolchain:user_presets=")
        create = ("conan", "create", PROJECT / "cmake/package/conan", "--no-remote", "-s", "compiler.cppstd=20", *away)
        self.assertIn("100% tests passed", self.said(*create, **home))
        self.said(*create, "-o", "&:hierarchical=False", "--test-folder=", **home)
        packed = [path.parents[1] for path in (self.folder / "conan").rglob("licenses/LICENSE")]
        self.assertEqual(sorted((path / "include/synchro/locks/hierarchical").exists() for path in packed), [False, True])
        self.assertEqual([path for path in packed if not (path / "include/synchro/locks/mcs.hpp").exists()], [])

    def test_the_port_for_vcpkg_installs_headers_a_cmake_package_and_the_licence(self):
        packages = self.folder / "packages"
        (self.folder / "port.cmake").write_text(STAND_INS % (VCPKG / "portfile.cmake"))
        self.said(CMAKE, f"-DCURRENT_PACKAGES_DIR={packages}", f"-DWORK={self.folder}/work", "-P", "port.cmake")
        self.assertEqual(sorted(path.name for path in packages.iterdir()), ["include", "share"])
        self.assertTrue((packages / "include/synchro/synchro.hpp").exists())
        self.assertTrue((packages / "share/synchro/synchro-config.cmake").exists())
        self.assertEqual((packages / "share/synchro/copyright").read_text(), (PROJECT / "LICENSE").read_text())

    def test_the_port_has_fields_of_vcpkgs(self):
        port = json.loads((VCPKG / "vcpkg.json").read_text())
        self.assertEqual([wrong.message for wrong in jsonschema.Draft7Validator(MANIFEST).iter_errors(port)], [])
        del port["version"]
        self.assertNotEqual(list(jsonschema.Draft7Validator(MANIFEST).iter_errors(port)), [])

    def test_the_port_bears_the_librarys_version(self):
        header = (PROJECT / "include/synchro/version.hpp").read_text()
        self.assertEqual(json.loads((VCPKG / "vcpkg.json").read_text())["version"],
                         ".".join(re.findall(r"#define SYNCHRO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)))


unittest.main()
