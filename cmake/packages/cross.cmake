# For another processor's Linux: what the library and its tests need. The instrument is not built (its libraries are this processor's).

include(cmake/packages/from_this_system.cmake)
set(topology_library "")
set(workbook_library "")
set(pattern_library "")
set(screen_library "")
set(fibers_library "")
set(fibers_kinds ucontext)
set(folders_left_out hwloc xlsxwriter boost re2 ncurses)
