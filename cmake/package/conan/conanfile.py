"""The header library as a package of Conan 2, made of this clone: conan create cmake/package/conan"""

import pathlib
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load


class Synchro(ConanFile):
    name = "synchro"
    license = "MIT"
    description = "Locks and other means by which threads synchronize; headers for C++20"
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"hierarchical": [True, False]}  # what patents may cover: docs/rights.md
    default_options = {"hierarchical": True}
    no_copy_source = True

    @property
    def clone(self):
        return pathlib.Path(self.recipe_folder).parents[2]

    def set_version(self):
        header = load(self, self.clone / "include/synchro/version.hpp")
        self.version = ".".join(re.findall(r"#define SYNCHRO_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        copy(self, "LICENSE", self.clone, self.export_sources_folder)
        copy(self, "include/synchro/*", self.clone, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.settings.clear()

    def package(self):
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder, "licenses"))
        copy(self, "include/*", self.source_folder, self.package_folder,
             excludes=None if self.options.hierarchical else "*/hierarchical/*")

    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["pthread"]
