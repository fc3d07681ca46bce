# cmake -DSOURCE=<folder> -DOUTPUT=<header> -P git_version.cmake
#
# Writes what `git describe` says of SOURCE, or nothing for a tarball, also one unpacked inside another repository. The
# header is touched only when that has changed.

set(described "")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(source ${SOURCE} REALPATH)
  if(top)
    get_filename_component(top "${top}" REALPATH)
  endif()
  if("${top}" STREQUAL "${source}")
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --tags --dirty --abbrev=12
                    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Which commit this program was built from. Written by git_version.cmake.

#ifndef SYNCHRO_PLATFORM_GIT_VERSION_HPP
#define SYNCHRO_PLATFORM_GIT_VERSION_HPP

namespace synchro::platform::build_info {

inline constexpr const char* git = "@described@";  // empty: not known

}  // namespace synchro::platform::build_info

#endif
]])
