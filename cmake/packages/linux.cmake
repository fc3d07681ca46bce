# What the program is built with on Linux.

find_package(PkgConfig REQUIRED)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc>=2.4)
pkg_check_modules(XLSXWRITER REQUIRED IMPORTED_TARGET xlsxwriter)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(NCURSES REQUIRED IMPORTED_TARGET ncursesw)
foreach(library RE2 NCURSES) # -pthread and macros, with which no precompiled header fits
  set_property(TARGET PkgConfig::${library} PROPERTY INTERFACE_COMPILE_OPTIONS "")
endforeach()
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW) # newer versions of CMake find Boost by Boost's own files, and warn until they are told so
endif()
find_package(Boost REQUIRED COMPONENTS context)
if(SYNCHRO_TESTS)
  find_package(GTest REQUIRED)
endif()

set(topology_library PkgConfig::HWLOC)
set(workbook_library PkgConfig::XLSXWRITER)
set(pattern_library PkgConfig::RE2)
set(screen_library PkgConfig::NCURSES)
set(fibers_library Boost::context)
set(fibers_kinds boost ucontext)
set(folders_left_out "")
