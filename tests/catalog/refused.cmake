# Configures a house with catalogs that have a mistake: each ends with a sentence that names it.

# demand_refusal(LINE PATTERN ARGS...): so configured, CMake refuses the line in such words.
function(demand_refusal line pattern)
  execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} ${ARGN} OUTPUT_QUIET ERROR_VARIABLE errors RESULT_VARIABLE status)
  string(REGEX REPLACE "[ \n]+" " " errors "${errors}")
  if(status EQUAL 0 OR NOT errors MATCHES "${pattern}")
    message(FATAL_ERROR "'${line}' should be refused with '${pattern}'; status ${status}: ${errors}")
  endif()
endfunction()

function(refused line pattern)
  file(WRITE ${BUILD}/catalog.txt "lock tas : spin\n${line}\n")
  demand_refusal("${line}" "${pattern}" -S ${SOURCE} -B ${BUILD} -D CMAKE_CXX_COMPILER=${COMPILER} -D SYNCHRO_TESTS=OFF
                 -D SYNCHRO_BENCH=OFF -D SYNCHRO_CATALOG_FILE=${BUILD}/catalog.txt)
endfunction()

refused("lock_peer tbb/spin_mutex : tbb.hpp tbb_spin_mutex tbbb" "tbb/spin_mutex needs 'tbbb', which no line of .*packages.txt is called; known are: always.*, tbb")
refused("lock_peer tbb/spin_mutex : tbb.hpp tbb_spin_mutex TBB_2" "tbb/spin_mutex needs 'TBB_2', which no line of .*packages.txt is called")
refused("lock tas : spin_yield" "two lines are called tas")
refused("wake event : spin, tour" "not a line of the catalog .*: wake event : spin, tour")
refused("lock mcs" "not a line of the catalog .*: lock mcs")
refused("locks mcs : spin" "not a line of the catalog .*: locks mcs : spin")
refused("wake_peer linux/futex : wakes/futex.hpp futex linux" "linux/futex does not end with sleeps [|] spins")
refused("table_peer ck/ht : tables/ck.hpp ck_table ck" "ck/ht does not end with spin [|] yield [|] park")
refused("lock tsa : spin" "tsa needs the header synchro/locks/tsa.hpp, which is not there")
refused("lock_peer tbb/spin_mutex : tbbb.hpp tbb_spin_mutex tbb" "tbb/spin_mutex needs the header peers/tbbb.hpp, which is not there")

# The same of the list of libraries, by itself.
function(package_refused line pattern)
  set(lists ${BUILD}/lists)
  file(WRITE ${lists}/src/peers/packages.txt "${line}\n")
  file(WRITE ${lists}/CMakeLists.txt
       "cmake_minimum_required(VERSION 3.22)\nproject(lists NONE)\nset(this_system linux)\ninclude(${SOURCE}/cmake/packages.cmake)\n")
  demand_refusal("${line}" "${pattern}" -S ${lists} -B ${lists}/build)
endfunction()

package_refused("tbb libtbb-dev tbb.h" "packages.txt: not a line of the list .*: tbb libtbb-dev tbb.h")
package_refused("tbb2 libtbb-dev : tbb.h" "packages.txt: not a line of the list .*small letters.*: tbb2 libtbb-dev : tbb.h")
package_refused("tbb libtbb-dev : cmake TBB" "packages.txt: not a line of the list .*: tbb libtbb-dev : cmake TBB")
