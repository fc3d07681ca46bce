# cmake -DNODE= -DWORK= -DSOURCE= -P report_page.cmake: type-checks and bundles the page into WORK/out/report_template.cpp;
# without packages (report_packages.cmake said why) the template of a program without a report.

set(made ${WORK}/out/report_template.cpp)
file(MAKE_DIRECTORY ${WORK}/out)
if(NOT EXISTS ${WORK}/node_modules/.package-lock.json)
  file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/no_report.cpp ${made})
  return()
endif()
file(REMOVE_RECURSE ${WORK}/src)
file(COPY ${SOURCE}/src ${SOURCE}/build.mjs ${SOURCE}/template.html ${SOURCE}/tsconfig.json DESTINATION ${WORK})
foreach(step "${WORK}/node_modules/typescript/bin/tsc;--noEmit;-p;${WORK}" "${WORK}/build.mjs;--out;${WORK}/out")
  execute_process(COMMAND ${NODE} ${step} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "the report could not be built")
  endif()
endforeach()
