# Compiles SOURCE for 32 bits, with times of BITS, and runs it.

set(flags -m32 -D_FILE_OFFSET_BITS=${BITS} -D_TIME_BITS=${BITS})
if(BITS EQUAL 32)
  set(flags -m32)
endif()
set(program ${SCRATCH}/narrow_${BITS})
file(WRITE ${SCRATCH}/nothing.cpp "#include <vector>\nint main() {}\n")
execute_process(COMMAND ${COMPILER} ${flags} ${SCRATCH}/nothing.cpp -o ${program} RESULT_VARIABLE result OUTPUT_QUIET
                ERROR_QUIET)
if(NOT result EQUAL 0)
  message("skipped: this compiler makes no programs of 32 bits (Debian: g++-multilib)")
  return()
endif()
execute_process(COMMAND ${COMPILER} -std=c++20 -O1 ${flags} -I ${INCLUDE} ${SOURCE} -o ${program} -pthread
                RESULT_VARIABLE result)
if(result EQUAL 0)
  execute_process(COMMAND ${program} RESULT_VARIABLE result)
endif()
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${flags}: ${result}")
endif()
