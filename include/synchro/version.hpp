// The version of these headers, and what they need. Every other header includes it.
//
// Names of the library stand in an inline namespace that is called by the version: programs write synchro::mutex, the
// linker sees synchro::v0_1_0::... . So libraries that were built with different versions have pools and layouts of
// their own and can be linked into one process; an object of one version that is handed to another does not compile.
// What programs write stays the same from patch to patch, and before version 1 may change from minor to minor: so
// find_package(synchro 0.1) takes any 0.1.x, but libraries that hand objects to each other must be built with one.

#ifndef SYNCHRO_VERSION_HPP
#define SYNCHRO_VERSION_HPP

#define SYNCHRO_VERSION_MAJOR 0
#define SYNCHRO_VERSION_MINOR 1
#define SYNCHRO_VERSION_PATCH 0
/// To compare: 10000 * major + 100 * minor + patch.
#define SYNCHRO_VERSION (SYNCHRO_VERSION_MAJOR * 10000 + SYNCHRO_VERSION_MINOR * 100 + SYNCHRO_VERSION_PATCH)

/// The inline namespace. Checked mode has one of its own, for its locks are larger, and so has the system of os/generic.hpp where
/// it stands for another (SYNCHRO_GENERIC_SYSTEM): their objects do not link with those of others.
#if defined(SYNCHRO_CHECKED) && defined(SYNCHRO_GENERIC_SYSTEM)
#define SYNCHRO_JOIN(major, minor, patch) v##major##_##minor##_##patch##_checked_generic
#elif defined(SYNCHRO_CHECKED)
#define SYNCHRO_JOIN(major, minor, patch) v##major##_##minor##_##patch##_checked
#elif defined(SYNCHRO_GENERIC_SYSTEM)
#define SYNCHRO_JOIN(major, minor, patch) v##major##_##minor##_##patch##_generic
#else
#define SYNCHRO_JOIN(major, minor, patch) v##major##_##minor##_##patch
#endif
#define SYNCHRO_NAME(major, minor, patch) SYNCHRO_JOIN(major, minor, patch)
#define SYNCHRO_ABI SYNCHRO_NAME(SYNCHRO_VERSION_MAJOR, SYNCHRO_VERSION_MINOR, SYNCHRO_VERSION_PATCH)

// Where the library cannot be had, one sentence, and the missing file ends the compilation: #error alone does not.
#if __cplusplus < 202002L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#error "synchro needs C++20: compile with -std=c++20, by GCC 11, clang 14 or newer"
#include "synchro/stops_here"
#endif

#endif
