# One case of thread_safety.cpp: clang warns of it, or of case 0 does not.
#   cmake -DCLANG=... -DINCLUDE=... -DSOURCE=... -DCASE=... -P thread_safety.cmake

if(NOT CLANG)
  message(STATUS "skipped: there is no clang++ here")
  return()
endif()

set(warnings
    "nothing" # 0: keeps the rules
    "writing variable 'balance' requires holding"
    "'a.lock' is still held at the end of function"
    "'a.lock' that was not held"
    "'a.lock' that is already held"
    "writing variable 'name' requires holding"
    "calling function 'settle' requires holding"
    "writing variable 'balance' requires holding"
    "writing variable 'name' requires holding")
list(GET warnings ${CASE} wanted)

# looks(OUT FLAGS...): what clang says.
function(looks out)
  execute_process(COMMAND ${CLANG} -std=c++20 -fsyntax-only -Wthread-safety -I ${INCLUDE} -DCASE=${CASE} ${ARGN} ${SOURCE}
                  ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "does not compile:\n${said}")
  endif()
  set(${out} "${said}" PARENT_SCOPE)
endfunction()

looks(said -DSYNCHRO_THREAD_SAFETY)
if(CASE EQUAL 0)
  looks(unasked)
  if(unasked)
    message(FATAL_ERROR "clang warns though it is told of nothing:\n${unasked}")
  endif()
  if(said)
    message(FATAL_ERROR "a false alarm:\n${said}")
  endif()
  return()
endif()
string(FIND "${said}" "${wanted}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "clang does not say \"${wanted}\" but:\n${said}")
endif()
