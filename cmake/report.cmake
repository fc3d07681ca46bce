# The page of `synchroscope report`: TypeScript in report/, bundled by Node.js into one template, compiled in.

set(SYNCHRO_REPORT AUTO CACHE STRING "Build the HTML report: AUTO (where there is Node.js 18 with npm), ON or OFF")
set_property(CACHE SYNCHRO_REPORT PROPERTY STRINGS AUTO ON OFF)

# Sets `result` to whether the report can be built here.
function(report_can_be_built result)
  set(${result} FALSE PARENT_SCOPE)
  if(SYNCHRO_REPORT STREQUAL OFF)
    return()
  endif()
  find_program(NODE NAMES node nodejs)
  find_program(NPM npm)
  set(version 0)
  if(NODE)
    execute_process(COMMAND ${NODE} -p process.versions.node OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE
                    ERROR_QUIET)
  endif()
  if(NODE AND NPM AND version VERSION_GREATER_EQUAL 18)
    set(${result} TRUE PARENT_SCOPE)
  elseif(SYNCHRO_REPORT STREQUAL ON)
    message(FATAL_ERROR "The report needs Node.js 18 or newer, and npm")
  else()
    message(STATUS "No Node.js 18 with npm: the program will have no HTML report")
  endif()
endfunction()

# report_template(VARIABLE): the C++ file with the template, made in the build directory. Packages are installed there,
# too, at the versions of the lock file; the source tree stays as it is.
function(report_template variable)
  set(source ${PROJECT_SOURCE_DIR}/report)
  set(work ${PROJECT_BINARY_DIR}/report)
  set(made ${work}/out/report_template.cpp)
  set(${variable} ${made} PARENT_SCOPE)
  report_can_be_built(possible)
  if(NOT possible)
    file(MAKE_DIRECTORY ${work}/out)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/no_report.cpp ${made} COPYONLY)
    return()
  endif()
  set(packages ${work}/node_modules/.package-lock.json)
  set(lists ${source}/package.json ${source}/package-lock.json ${source}/.npmrc)
  set(required FALSE)
  if(SYNCHRO_REPORT STREQUAL ON)
    set(required TRUE)
  endif()
  set(scripts ${PROJECT_SOURCE_DIR}/cmake)
  add_custom_command(
    OUTPUT ${packages}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${lists} ${work}
    COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DREQUIRED=${required} -P ${scripts}/report_packages.cmake
    DEPENDS ${lists} ${scripts}/report_packages.cmake
    WORKING_DIRECTORY ${work}
    COMMENT "Installing what the report is built from"
    VERBATIM)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${source}/src/*.ts ${source}/src/*.json ${source}/src/*.css)
  add_custom_command(
    OUTPUT ${made}
    BYPRODUCTS ${work}/out/report.html
    COMMAND ${CMAKE_COMMAND} -DNODE=${NODE} -DWORK=${work} -DSOURCE=${source} -P ${scripts}/report_page.cmake
    DEPENDS ${packages} ${sources} ${source}/build.mjs ${source}/template.html ${source}/tsconfig.json
            ${scripts}/report_page.cmake ${scripts}/no_report.cpp
    COMMENT "Building the report"
    VERBATIM)
  add_custom_target(report_page DEPENDS ${made}) # by itself, for who checks its types
endfunction()
