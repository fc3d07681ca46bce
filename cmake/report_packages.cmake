# cmake -DNPM= -DREQUIRED= -P report_packages.cmake, in the folder of package.json: installs what the report is built
# from. Where npm cannot have it, a program without a report is better than none, unless the report is required; the
# stamp stays away then, so the next build tries again.

execute_process(
  COMMAND ${CMAKE_COMMAND} -E env --unset=NODE_OPTIONS
          ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1
  RESULT_VARIABLE failed ERROR_VARIABLE words)
if(NOT failed)
  file(TOUCH node_modules/.package-lock.json)
  return()
endif()
file(REMOVE_RECURSE node_modules)
message("${words}")
if(REQUIRED)
  message(FATAL_ERROR "npm could not install what the report is built from")
endif()
message("npm could not install what the HTML report is built from: the program will be without it; the next build tries again")
