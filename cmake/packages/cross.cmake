# For another processor's Linux: what the library and its tests need. The instrument is not built (its libraries are this processor's).

include(cmake/packages/from_this_system.cmake)
set(fibers_kinds ucontext)
