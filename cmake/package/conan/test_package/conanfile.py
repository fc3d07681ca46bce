"""Builds the examples with the package, and runs them."""

import pathlib

from conan import ConanFile
from conan.tools.cmake import CMake, cmake_layout


class Examples(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder=pathlib.Path(self.recipe_folder).parents[3] / "examples")
        cmake.build()

    def test(self):
        CMake(self).test()
