# What every floor of the instrument is built with.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
# A warning ends no build: `./dev test` fails on those that were kept beside the objects, in whichever build they arose.
if(NOT CMAKE_HOST_WIN32) # where no script is a program
  list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/keep_warnings.sh)
endif()

add_library(house_flags INTERFACE)
target_compile_options(house_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                             -Wnon-virtual-dtor -Wold-style-cast)
# GCC 12 sees overlap where a std::string is put before another (GCC bug 105651).
target_compile_options(house_flags INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

# GCC collects its garbage over and over from 128 MiB on, an eighth of its time with units of our size, most of which need less
# than this (KiB).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  string(APPEND CMAKE_CXX_FLAGS " --param=ggc-min-heapsize=524288")
endif()

set(SYNCHRO_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread")
if(SYNCHRO_SANITIZE)
  # Line numbers only and as little optimization as the tests bear: a report needs no more, and building takes half the
  # time. ThreadSanitizer's own cost per access makes -O0 too slow to meet oversubscription with.
  if(SYNCHRO_SANITIZE MATCHES thread)
    set(optimization -O1)
  else()
    set(optimization -O0)
  endif()
  # What the processor (null) or nothing here (vptr) would meet is not checked for: a quarter of the time to build.
  add_compile_options(${optimization} -g1 -fsanitize=${SYNCHRO_SANITIZE} -fno-sanitize=null,vptr
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SYNCHRO_SANITIZE})
  if(SYNCHRO_SANITIZE MATCHES thread)
    # GCC warns that ThreadSanitizer does not see fences; ours order only stores before loads, which it does not check.
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
endif()

# What depends on the operating system stands in a folder or file that bears its name; of those only this system's is built.
string(TOLOWER ${CMAKE_SYSTEM_NAME} this_system)
set(other_systems aix android darwin freebsd linux netbsd openbsd sunos windows)
list(REMOVE_ITEM other_systems ${this_system})
# Each of these files says which libraries there are; without a word from it none is, and folders that need one are left out.
foreach(use topology workbook pattern screen fibers)
  set(${use}_library "")
endforeach()
set(folders_left_out hwloc xlsxwriter re2 ncurses boost)
if(CMAKE_CROSSCOMPILING AND NOT WIN32)
  include(cmake/packages/cross.cmake)
else()
  include(cmake/packages/${this_system}.cmake)
endif()

# Whoever reads or writes results includes JSON, two thirds of what such a unit costs to compile: with GCC these headers are
# compiled once. Without (-DSYNCHRO_PRECOMPILE=OFF) a file that forgets an include is found.
option(SYNCHRO_PRECOMPILE "Precompile the headers that most files include" ON)

# house_headers(NAME [LIBS libraries...] HEADERS headers...): the target that precompiles them, for precompiled(), with what those
# libraries need.
function(house_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 H "" "" "LIBS;HEADERS")
  if(NOT SYNCHRO_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE house_flags ${H_LIBS})
  target_compile_options(${name} PRIVATE -fpch-preprocess)
  list(TRANSFORM H_HEADERS REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
  target_precompile_headers(${name} PRIVATE ${headers})
endfunction()

# precompiled(TARGET NAME): the target's units include those headers first. It must link all that they need.
function(precompiled target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
    target_compile_options(${target} PRIVATE -fpch-preprocess) # for ccache
  endif()
endfunction()

set(standard_headers algorithm array chrono cmath cstdint filesystem functional map memory mutex optional random set span
                     sstream string string_view thread variant vector)
set(common_headers ${standard_headers} fmt/format.h nlohmann/json.hpp)
set(common_libraries fmt::fmt nlohmann_json::nlohmann_json)
house_headers(results_headers LIBS ${common_libraries} HEADERS ${common_headers})

# compiled_together(TARGET): eight sources to a unit. Names in unnamed namespaces meet there, and a local name may hide one
# of another file, which is a warning: a file that needs such a name is kept out by its SKIP_UNITY_BUILD_INCLUSION.
option(SYNCHRO_TOGETHER "Compile several sources at once: a whole build takes half the time, one changed file twice" ON)
function(compiled_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SYNCHRO_TOGETHER} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# not_measured(TARGET): its speed does not matter, and half of its compile time is spared. From GCC 13 on, -O2 sets
# options of the processor, without which a header that was precompiled with it is not taken.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag("-munroll-only-small-loops -mvzeroupper" takes_unroll_only_small_loops)
# Of what -Og leaves in place, GCC 12 says that parts of the standard library's regular expressions may be read before they are set.
set(little_optimization $<$<CONFIG:Release>:-Og>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND little_optimization $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
endif()
if(takes_unroll_only_small_loops)
  list(APPEND little_optimization $<$<CONFIG:Release>:-munroll-only-small-loops> $<$<CONFIG:Release>:-mvzeroupper>)
endif()
function(not_measured target)
  target_compile_options(${target} PRIVATE ${little_optimization})
endfunction()

# not_measured_files(FILES...): the same of some files of a floor whose others are measured.
function(not_measured_files)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${little_optimization}")
endfunction()

# Folders of other systems, and of libraries that this system's build goes without.
list(APPEND other_systems ${folders_left_out})
list(JOIN other_systems "|" folders_of_others)

# house_floor(NAME <floors it stands on...>): a library of all sources in this folder and the folders in it, included as
# "NAME/file.hpp".
function(house_floor name)
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB sources CONFIGURE_DEPENDS ${here}/*.cpp ${here}/*/*.cpp ${here}/*/${this_system}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(${folders_of_others})/[^/]*[.]cpp$")
  if(sources)
    add_library(${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${name} PRIVATE house_flags)
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} ${scope} synchro::synchro fmt::fmt nlohmann_json::nlohmann_json ${ARGN})
endfunction()

# house_module(NAME FILE <floors whose headers it includes...>): a floor that other programs load: a shared object FILE of all
# sources in this folder, which shows them what exports.map says and takes nothing from them.
function(house_module name file)
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB sources CONFIGURE_DEPENDS ${here}/*.cpp)
  add_library(${name} MODULE ${sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE house_flags synchro::synchro ${CMAKE_DL_LIBS})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME ${file} CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                        LINK_DEPENDS ${here}/exports.map)
  target_link_options(${name} PRIVATE -Wl,--version-script=${here}/exports.map -Wl,-Bsymbolic-functions -Wl,--no-undefined
                      -Wl,-z,now -Wl,-z,nodelete)
endfunction()

# house_recipes(NAME <floors whose headers its sources include...>): a floor that is compiled on the user's machine.
function(house_recipes name)
endfunction()

# house_program(FILE FLOOR): the program that a floor and its main.cpp make, which is kept out of the library so that tests can
# have a main of their own. It stands in the build's own folder, where programs find each other, and is one of the property
# house_programs, which the target `programs` builds. Installed, the first is a command and the others stand beside its libraries.
add_custom_target(programs)
if(WIN32)
  enable_language(RC)
endif()
function(house_program file floor)
  get_target_property(sources ${floor} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/main[.]cpp$")
  set_property(TARGET ${floor} PROPERTY SOURCES ${sources})
  add_executable(${file} main.cpp)
  target_link_libraries(${file} PRIVATE house_flags ${floor})
  set_target_properties(${file} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                        ENABLE_EXPORTS ON) # to modules that are loaded (platform/module.hpp)
  if(WIN32)
    set(resources ${PROJECT_SOURCE_DIR}/src/terminal/windows)
    target_sources(${file} PRIVATE ${resources}/program.rc)
    set_source_files_properties(${resources}/program.rc PROPERTIES OBJECT_DEPENDS ${resources}/program.manifest)
  endif()
  set_property(GLOBAL APPEND PROPERTY house_programs ${file})
  add_dependencies(programs ${file})
  if(file STREQUAL synchroscope)
    install(TARGETS ${file})
  else()
    install(TARGETS ${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/synchroscope)
  endif()
endfunction()
