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
list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/keep_warnings.sh)

add_library(house_flags INTERFACE)
target_compile_options(house_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                             -Wnon-virtual-dtor -Wold-style-cast)
# GCC 12 sees overlap where a std::string is put before another (GCC bug 105651).
target_compile_options(house_flags INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

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

find_package(PkgConfig REQUIRED)
pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc>=2.4)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

# house_floor(NAME <floors it stands on...> [EXCEPT files...] [ONLY files...]): a library of all sources in this folder but
# these, or of these alone, included as "NAME/file.hpp".
function(house_floor name)
  cmake_parse_arguments(PARSE_ARGV 1 F "" "" "EXCEPT;ONLY")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*/*.cpp)
  if(F_EXCEPT)
    list(TRANSFORM F_EXCEPT PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    list(REMOVE_ITEM sources ${F_EXCEPT})
  elseif(F_ONLY)
    set(sources ${F_ONLY})
  endif()
  if(sources)
    add_library(${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${name} PRIVATE house_flags)
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} ${scope} synchro::synchro fmt::fmt nlohmann_json::nlohmann_json ${F_UNPARSED_ARGUMENTS})
endfunction()
