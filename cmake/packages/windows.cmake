# What the program is built with for Windows. On Debian header-only libraries come from this system's packages, GoogleTest from
# its sources; on Windows itself (MSYS2) all come by their own CMake packages. hwloc, libxlsxwriter and Boost.Context are
# libraries of this system and left out: the topology is read from Windows, fibers are switched by a file of our own, and there
# is no export to Excel. RE2 is left out with `tune`, ncurses with `top`.

if(CMAKE_CROSSCOMPILING)
  # This system's own headers must not be seen, so the few that are wanted get a folder.
  set(header_only ${PROJECT_BINARY_DIR}/header_only)
  file(MAKE_DIRECTORY ${header_only})
  foreach(name fmt nlohmann CLI)
    if(NOT EXISTS /usr/include/${name})
      message(FATAL_ERROR "There is no /usr/include/${name}: ./dev windows installs what is needed")
    endif()
    file(CREATE_LINK /usr/include/${name} ${header_only}/${name} SYMBOLIC)
  endforeach()
  foreach(library fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11)
    add_library(${library} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${library} SYSTEM INTERFACE ${header_only})
  endforeach()
  target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
else()
  foreach(package fmt nlohmann_json CLI11)
    find_package(${package} REQUIRED)
  endforeach()
  if(SYNCHRO_TESTS)
    find_package(GTest REQUIRED)
  endif()
endif()

if(SYNCHRO_TESTS AND CMAKE_CROSSCOMPILING)
  set(INSTALL_GTEST OFF CACHE BOOL "")
  set(BUILD_GMOCK OFF CACHE BOOL "")
  add_subdirectory(/usr/src/googletest ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
  foreach(library gtest gtest_main)
    if(NOT TARGET GTest::${library})
      add_library(GTest::${library} ALIAS ${library})
    endif()
  endforeach()
endif()

add_compile_definitions(NOMINMAX WIN32_LEAN_AND_MEAN _WIN32_WINNT=0x0A00)

set(topology_library "")
set(workbook_library "")
set(pattern_library "")
set(screen_library "")
set(fibers_library "")
set(fibers_kinds own)
set(folders_left_out hwloc xlsxwriter boost re2 ncurses)
