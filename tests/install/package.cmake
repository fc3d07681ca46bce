# Installs the library into an empty prefix and builds the examples against it, as a stranger would.

file(REMOVE_RECURSE ${SCRATCH})
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
endfunction()

set(toolchain -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER})
must(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/library ${toolchain} -DCMAKE_INSTALL_PREFIX=${SCRATCH}/prefix
     -DSYNCHRO_INSTRUMENT=OFF -DSYNCHRO_TESTS=OFF -DSYNCHRO_BENCH=OFF)
must(${CMAKE_COMMAND} --install ${SCRATCH}/library)

# Nothing of the source tree may be needed: the examples are copied away from it.
file(COPY ${SOURCE}/examples DESTINATION ${SCRATCH})
must(${CMAKE_COMMAND} -S ${SCRATCH}/examples -B ${SCRATCH}/stranger ${toolchain} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
must(${CMAKE_COMMAND} --build ${SCRATCH}/stranger)
must(${CMAKE_CTEST_COMMAND} --test-dir ${SCRATCH}/stranger --output-on-failure)

file(STRINGS ${SCRATCH}/stranger/CMakeCache.txt found REGEX "^synchro_DIR:")
if(NOT found MATCHES "${SCRATCH}/prefix/")
  message(FATAL_ERROR "another synchro than the installed one was found: ${found}")
endif()
file(GLOB_RECURSE stray ${SCRATCH}/prefix/bin/*)
if(stray)
  message(FATAL_ERROR "the library alone installs programs: ${stray}")
endif()
