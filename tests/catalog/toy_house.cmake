# Builds a house with two locks more, and looks for the toy in it: in the tests of all locks, in the property table, and,
# if this house has the program, in its list and in a run. There the model checker proves the toy and refutes the flawed lock.

# Runs what has to end with this status.
function(run_to status out)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
  if(NOT result EQUAL status)
    message(FATAL_ERROR "${ARGN}\nended with ${result} and not with ${status}\n${output}\n${errors}")
  endif()
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

function(run out)
  run_to(0 output ${ARGN})
  set(${out} "${output}" PARENT_SCOPE)
endfunction()

function(expect where text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "no ${pattern} in ${where}:\n${text}")
  endif()
  message(STATUS "${where}: as it should be")
endfunction()

run(ignored ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD} -G ${GENERATOR} -D CMAKE_BUILD_TYPE=${TYPE}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D SYNCHRO_BENCH=OFF -D SYNCHRO_TESTS=ON -D SYNCHRO_INSTRUMENT=ON
    -D SYNCHRO_REPORT=OFF -D SYNCHRO_CATALOG_FILE=${FIXTURE}/few_lines.txt -D SYNCHRO_EXTRA_LOCKS=${FIXTURE}/toy)
run(ignored ${CMAKE_COMMAND} --build ${BUILD} --target lock_table lock_behaviour)

run(table ${BUILD}/src/catalog/lock_table)
expect("the property table" "${table}" "`toy/yield`")

run(tests ${BUILD}/tests/locks/lock_behaviour --gtest_filter=toy*:recorded/toy*)
expect("the tests on hardware" "${tests}" "toy/yield[.]excludes ")
expect("the tests on the recorder" "${tests}" "recorded/toy[.]lock_acquires_and_unlock_releases ")

if(PROGRAM)
  run(ignored ${CMAKE_COMMAND} --build ${BUILD} --target synchroscope synchroscope-interpose libsynchro-preload.so)
  file(REMOVE ${BUILD}/calls.json)
  run(ignored ${BUILD}/synchroscope with toy/yield --report ${BUILD}/calls.json -- ${PROGRAM} exclusion timed notified)
  file(READ ${BUILD}/calls.json calls)
  expect("in front of a program" "${calls}" "\"toy/yield\".*\"pthread_mutex_lock\": *[1-9]")
endif()

if(EXISTS ${SOURCE}/src/cli/main.cpp)
  run(ignored ${CMAKE_COMMAND} --build ${BUILD} --target synchroscope synchroscope-verify)
  run(list ${BUILD}/synchroscope list locks --json)
  expect("the program's list" "${list}" "\"toy\"")
  run(ignored ${BUILD}/synchroscope run locks.throughput --lock toy --threads 1,2 --quick -o ${BUILD}/toy.json)
  file(READ ${BUILD}/toy.json results)
  expect("a run" "${results}" "\"toy\"")

  run(proof ${BUILD}/synchroscope verify toy)
  expect("the proofs" "${proof}" "toy, toy/yield +proved")
  run_to(1 refutation ${BUILD}/synchroscope verify flawed)
  expect("a refutation" "${refutation}" "flawed +refuted.*data race.*verify --replay (flawed:[^ \n]+)")
  string(REGEX MATCH "flawed:[^ \n]+" id "${refutation}")
  run_to(1 walk ${BUILD}/synchroscope verify --replay ${id})
  expect("the steps" "${walk}" "locks/flawed.hpp:[0-9]+.*data race: thread")
endif()
