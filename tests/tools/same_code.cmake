# The plain names of locks cost nothing where nobody watches: the functions of same_code.cpp are the same, instruction for
# instruction, whether the lock goes by its class template or by its plain name, and with a name that nobody is told; in
# checked mode they are not.
#   cmake -DCOMPILER=... -DINCLUDE=... -DSOURCE=... -DSCRATCH=... -P same_code.cmake

find_program(OBJDUMP objdump)
if(NOT OBJDUMP)
  message(STATUS "skipped: there is no objdump here")
  return()
endif()

# The instructions of the functions that the test is about; numbers of places in the file are left out.
function(instructions out definition)
  set(object ${SCRATCH}/same_code_${definition}.o)
  execute_process(COMMAND ${COMPILER} -std=c++20 -O2 -D${definition} -I ${INCLUDE} -c ${SOURCE} -o ${object}
                  ERROR_VARIABLE said RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "does not compile:\n${said}")
  endif()
  set(all "")
  foreach(function plain_section tried_section queued_section named_section)
    execute_process(COMMAND ${OBJDUMP} -d --no-show-raw-insn --no-addresses --disassemble=${function} ${object}
                    OUTPUT_VARIABLE code RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "objdump cannot read ${object}")
    endif()
    string(REGEX MATCH "<${function}>:.*" code "${code}")
    string(REGEX REPLACE "\nDisassembly of section [^\n]*" "" code "${code}")
    string(REGEX REPLACE "<[^>]*>" "<>" code "${code}")
    string(REGEX REPLACE "\n\n+" "\n" code "${code}")
    string(APPEND all "${code}")
  endforeach()
  string(REGEX MATCHALL "\n" lines "${all}")
  list(LENGTH lines length)
  if(length LESS 20)
    message(FATAL_ERROR "no instructions were read from ${object}:\n${all}")
  endif()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

instructions(bare BY_CLASS_TEMPLATE)
instructions(plain BY_PLAIN_NAME)
if(NOT plain STREQUAL bare)
  message(FATAL_ERROR "other instructions by the plain name:\n${plain}\nthan by the class template:\n${bare}")
endif()
instructions(checked SYNCHRO_CHECKED)
if(checked STREQUAL bare)
  message(FATAL_ERROR "checked mode makes no difference")
endif()
