# The header library: target synchro::synchro, and its install with a CMake package and a pkg-config file.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
find_package(Threads REQUIRED)

add_library(synchro INTERFACE)
add_library(synchro::synchro ALIAS synchro)
target_compile_features(synchro INTERFACE cxx_std_20)
target_include_directories(synchro INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(synchro INTERFACE Threads::Threads)
# GCC before 14 has no instructions of its own for atomic bytes on RISC-V.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#include <atomic>
std::atomic<bool> taken;
int main() { return taken.exchange(true) ? 1 : 0; }" atomic_bytes_are_instructions)
if(NOT atomic_bytes_are_instructions)
  target_link_libraries(synchro INTERFACE atomic)
endif()

if(NOT SYNCHRO_INSTALL)
  return()
endif()

set(left_out "")
if(NOT SYNCHRO_HIERARCHICAL)
  set(left_out PATTERN hierarchical EXCLUDE)
endif()
# What a package has put there stays the package's. (A package is made below DESTDIR.)
install(CODE [[
  if("$ENV{DESTDIR}" STREQUAL "")
    if(NOT "$ENV{DPKG_ADMINDIR}" STREQUAL "")
      set(admin $ENV{DPKG_ADMINDIR})
    else()
      set(admin /var/lib/dpkg)
    endif()
    file(GLOB lists ${admin}/info/*synchro*.list)
    foreach(list ${lists})
      file(READ ${list} files)
      string(FIND "${files}" "\n${CMAKE_INSTALL_PREFIX}/include/synchro/" headers)
      string(FIND "${files}" "\n${CMAKE_INSTALL_PREFIX}/bin/synchroscope\n" program)
      if(NOT "${headers};${program}" STREQUAL "-1;-1")
        cmake_path(GET list STEM LAST_ONLY package)
        message(FATAL_ERROR "the package ${package} is installed in ${CMAKE_INSTALL_PREFIX}: remove it, or install elsewhere (--prefix)")
      endif()
    endforeach()
  endif()
]])
install(TARGETS synchro EXPORT synchro)
install(DIRECTORY include/synchro DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${left_out})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT synchro NAMESPACE synchro:: FILE synchro-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/synchro)
configure_package_config_file(cmake/synchro-config.cmake.in ${PROJECT_BINARY_DIR}/synchro-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/synchro)
# What a version promises: include/synchro/version.hpp.
set(promise SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(promise SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/synchro-config-version.cmake COMPATIBILITY ${promise}
                                 ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/synchro-config.cmake ${PROJECT_BINARY_DIR}/synchro-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/synchro)
configure_file(cmake/synchro.pc.in ${PROJECT_BINARY_DIR}/synchro.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/synchro.pc DESTINATION share/pkgconfig) # which fits every architecture
