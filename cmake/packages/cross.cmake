# For another processor's Linux. With its libraries (SYNCHRO_SYSROOT, cmake/cross_toolchain.cmake) all is built as on this system;
# without, what the library and its tests need, and the interposer, and not the instrument.

if(SYNCHRO_SYSROOT)
  include(cmake/packages/linux.cmake)
  return()
endif()
include(cmake/packages/from_this_system.cmake)
set(fibers_kinds ucontext)
