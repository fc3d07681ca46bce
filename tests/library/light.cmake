# The header of a lock of four bytes may be twice as long as the standard's, and no longer; it reads no files.
#   cmake -DCOMPILER=... -DINCLUDE=... -P light.cmake

function(preprocessed out text)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/light.cpp "${text}\n")
  execute_process(COMMAND ${COMPILER} -std=c++20 -I ${INCLUDE} -E ${CMAKE_CURRENT_BINARY_DIR}/light.cpp
                  OUTPUT_VARIABLE said RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "does not preprocess: ${text}")
  endif()
  set(${out} "${said}" PARENT_SCOPE)
endfunction()

function(count_lines out text)
  string(REGEX REPLACE "[^\n]" "" ends "${text}")
  string(LENGTH "${ends}" lines)
  set(${out} ${lines} PARENT_SCOPE)
endfunction()

preprocessed(standard "#include <mutex>")
preprocessed(ours "#include \"synchro/locks/mutex.hpp\"")
count_lines(standard_lines "${standard}")
count_lines(our_lines "${ours}")
math(EXPR most "2 * ${standard_lines}")
message(STATUS "<mutex>: ${standard_lines} lines, synchro/locks/mutex.hpp: ${our_lines}")
if(our_lines GREATER most)
  message(FATAL_ERROR "synchro/locks/mutex.hpp is more than twice as long as <mutex>")
endif()
foreach(heavy fstream map thread filesystem functional regex iostream)
  if(ours MATCHES "# [0-9]+ \"[^\"]*/c[+][+]/[^\"]*/${heavy}\"" OR ours MATCHES "# [0-9]+ \"[^\"]*/c[+][+]/[^/\"]*/${heavy}\"")
    message(FATAL_ERROR "synchro/locks/mutex.hpp includes <${heavy}>")
  endif()
endforeach()
