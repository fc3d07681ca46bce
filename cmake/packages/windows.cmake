# What the program is built with for Windows. On Debian header-only libraries come from this system's packages, GoogleTest from
# its sources; on Windows itself (MSYS2) all come by their own CMake packages. hwloc, libxlsxwriter and Boost.Context are
# libraries of this system and left out: the topology is read from Windows, fibers are switched by a file of our own, and there
# is no export to Excel. RE2 is left out with `tune`, ncurses with `top`.

if(CMAKE_CROSSCOMPILING)
  include(cmake/packages/from_this_system.cmake)
else()
  foreach(package fmt nlohmann_json CLI11)
    find_package(${package} REQUIRED)
  endforeach()
  if(SYNCHRO_TESTS)
    find_package(GTest REQUIRED)
  endif()
endif()

add_compile_definitions(NOMINMAX WIN32_LEAN_AND_MEAN _WIN32_WINNT=0x0A00)

set(fibers_kinds own)
