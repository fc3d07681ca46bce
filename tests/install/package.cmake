# Installs the library into an empty prefix and builds the examples against it, as a stranger would; and adds it to a
# project that has a library.cmake and an installation of its own.

cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE ${SCRATCH})
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

# installed(OUT PREFIX): the files below it.
function(installed out prefix)
  file(GLOB_RECURSE files RELATIVE ${prefix} ${prefix}/*)
  set(${out} "${files}" PARENT_SCOPE)
endfunction()

set(toolchain -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER})
set(library_alone -DSYNCHRO_INSTRUMENT=OFF -DSYNCHRO_TESTS=OFF -DSYNCHRO_BENCH=OFF)
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/library ${toolchain} -DCMAKE_INSTALL_PREFIX=${SCRATCH}/prefix
     ${library_alone})
must(${CMAKE_COMMAND} --install ${SCRATCH}/library)

# Where a package of Debian's has its files nothing is put, but elsewhere it is, beside the package.
file(WRITE ${SCRATCH}/dpkg/info/libsynchro-dev:amd64.list "/.\n${SCRATCH}/packaged/include/synchro/synchro.hpp\n")
file(WRITE ${SCRATCH}/dpkg/info/synchroscope.list "/.\n${SCRATCH}/with_program/bin/synchroscope\n/usr/share/doc\n")
file(WRITE ${SCRATCH}/dpkg/info/libsynchrotron.list "/.\n${SCRATCH}/beside/include/synchrotron.hpp\n")
set(ENV{DPKG_ADMINDIR} ${SCRATCH}/dpkg)
foreach(case packaged with_program)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${SCRATCH}/library --prefix ${SCRATCH}/${case} RESULT_VARIABLE result
                  OUTPUT_QUIET ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(result EQUAL 0 OR EXISTS ${SCRATCH}/${case} OR
     NOT said MATCHES "the package [a-z:0-9-]*synchro[a-z:0-9-]* is installed in ${SCRATCH}/${case}: remove it, or install elsewhere")
    message(FATAL_ERROR "installing over a package: ${result}, ${said}")
  endif()
endforeach()
must(${CMAKE_COMMAND} --install ${SCRATCH}/library --prefix ${SCRATCH}/beside)
must(${CMAKE_COMMAND} -E env DESTDIR=${SCRATCH}/for_a_package ${CMAKE_COMMAND} --install ${SCRATCH}/library --prefix ${SCRATCH}/packaged)
unset(ENV{DPKG_ADMINDIR})

# Nothing of the source tree may be needed: the examples are copied away from it.
file(COPY ${SOURCE}/examples DESTINATION ${SCRATCH})
must(${CMAKE_COMMAND} -S ${SCRATCH}/examples -B ${SCRATCH}/stranger ${toolchain} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
must(${CMAKE_COMMAND} --build ${SCRATCH}/stranger)
must(${CMAKE_CTEST_COMMAND} --test-dir ${SCRATCH}/stranger --output-on-failure)

file(STRINGS ${SCRATCH}/stranger/CMakeCache.txt found REGEX "^synchro_DIR:")
if(NOT found MATCHES "${SCRATCH}/prefix/")
  message(FATAL_ERROR "another synchro than the installed one was found: ${found}")
endif()
installed(files ${SCRATCH}/prefix)
if(files MATCHES "bin/")
  message(FATAL_ERROR "the library alone installs programs: ${files}")
endif()
if(NOT files MATCHES "LICENSE")
  message(FATAL_ERROR "the licence is not installed: ${files}")
endif()
if(NOT files MATCHES "hierarchical/")
  message(FATAL_ERROR "the locks of several levels are not installed: ${files}")
endif()

# By pkg-config, wherever the installation has been moved to.
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  file(RENAME ${SCRATCH}/prefix ${SCRATCH}/moved)
  set(ENV{PKG_CONFIG_PATH} ${SCRATCH}/moved/share/pkgconfig)
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs synchro OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND ${flags})
  must(${COMPILER} -std=c++20 ${SCRATCH}/examples/counter.cpp ${flags} -o ${SCRATCH}/counter)
  must(${SCRATCH}/counter)
  file(RENAME ${SCRATCH}/moved ${SCRATCH}/prefix)
endif()

# Who asks for a version gets one that keeps its promise.
file(GLOB_RECURSE version_file ${SCRATCH}/prefix/*/synchro-config-version.cmake)
function(serves out major minor patch)
  set(PACKAGE_FIND_VERSION ${major}.${minor}.${patch})
  set(PACKAGE_FIND_VERSION_MAJOR ${major})
  set(PACKAGE_FIND_VERSION_MINOR ${minor})
  set(PACKAGE_FIND_VERSION_PATCH ${patch})
  set(PACKAGE_FIND_VERSION_COUNT 3)
  include(${version_file})
  set(${out} ${PACKAGE_VERSION_COMPATIBLE} PARENT_SCOPE)
  set(installed ${PACKAGE_VERSION} PARENT_SCOPE)
endfunction()
serves(ignored 0 0 0)
string(REPLACE "." ";" parts ${installed})
list(GET parts 0 major)
list(GET parts 1 minor)
list(GET parts 2 patch)
math(EXPR next_minor "${minor} + 1")
math(EXPR next_patch "${patch} + 1")
serves(same ${parts})
serves(later_patch ${major} ${minor} ${next_patch})
serves(later_minor ${major} ${next_minor} 0)
if(NOT same OR later_patch OR later_minor)
  message(FATAL_ERROR "${installed} serves who asks for it: ${same}, for a later patch: ${later_patch}, a later minor: ${later_minor}")
endif()
if(major EQUAL 0 AND minor GREATER 0)
  serves(earlier_minor 0 0 0)
  if(earlier_minor)
    message(FATAL_ERROR "before version 1 a minor version may change what programs write, but ${installed} serves who asks for 0.0")
  endif()
endif()

# Without the locks that patents may cover.
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/library ${toolchain} -DCMAKE_INSTALL_PREFIX=${SCRATCH}/prefix_without
     -DSYNCHRO_HIERARCHICAL=OFF)
must(${CMAKE_COMMAND} --install ${SCRATCH}/library)
installed(files ${SCRATCH}/prefix_without)
if(files MATCHES "hierarchical" OR NOT files MATCHES "mcs.hpp")
  message(FATAL_ERROR "SYNCHRO_HIERARCHICAL=OFF installs ${files}")
endif()

# In a project of its own: that one's module and its installation are its own, unless it asks for ours.
file(WRITE ${SCRATCH}/parent/cmake/library.cmake "set(own_module_was_read TRUE)\n")
file(WRITE ${SCRATCH}/parent/CMakeLists.txt
     "cmake_minimum_required(VERSION 3.22)\nproject(parent LANGUAGES CXX)\n"
     "list(APPEND CMAKE_MODULE_PATH \${PROJECT_SOURCE_DIR}/cmake)\ninclude(library)\n"
     "add_subdirectory(${SOURCE} synchro)\n"
     "add_executable(user ${SCRATCH}/examples/counter.cpp)\ntarget_link_libraries(user PRIVATE synchro::synchro)\n"
     "install(TARGETS user)\n")
must(${CMAKE_COMMAND} -S ${SCRATCH}/parent -B ${SCRATCH}/child ${toolchain}
     -DCMAKE_INSTALL_PREFIX=${SCRATCH}/prefix_of_parent)
must(${CMAKE_COMMAND} --build ${SCRATCH}/child)
must(${CMAKE_COMMAND} --install ${SCRATCH}/child)
installed(files ${SCRATCH}/prefix_of_parent)
if(NOT files STREQUAL "bin/user")
  message(FATAL_ERROR "a project that uses the library installs ${files}")
endif()
must(${CMAKE_COMMAND} ${SCRATCH}/child -DSYNCHRO_INSTALL=ON)
must(${CMAKE_COMMAND} --install ${SCRATCH}/child)
installed(files ${SCRATCH}/prefix_of_parent)
if(NOT files MATCHES "mcs.hpp")
  message(FATAL_ERROR "SYNCHRO_INSTALL=ON installs ${files}")
endif()
