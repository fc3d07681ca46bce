# Every header alone, compiled with FLAG, is refused in one sentence that says WHY, and with nothing after it.

file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/synchro/*.hpp)
# It includes what another compiler brings, before all else.
list(FILTER headers EXCLUDE REGEX "^synchro/cpu/x86_msvc")
foreach(header ${headers})
  execute_process(COMMAND ${COMPILER} -std=c++20 ${FLAG} -I ${INCLUDE} -fsyntax-only -x c++ -include ${header} /dev/null
                  RESULT_VARIABLE result ERROR_VARIABLE said)
  string(REPLACE ";" "," said "${said}")
  string(REGEX MATCHALL "[^\n]*error:[^\n]*" errors "${said}")
  list(FILTER errors EXCLUDE REGEX "stops_here")
  list(LENGTH errors many)
  if(result EQUAL 0 OR NOT many EQUAL 1 OR NOT errors MATCHES "${WHY}")
    message(FATAL_ERROR "${header} with ${FLAG}: ${many} errors\n${said}")
  endif()
endforeach()
