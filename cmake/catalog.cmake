# Reads src/catalog/catalog.txt, which says what a line looks like, and writes the translation units that instantiate its lines.
#
# catalog_rows(TARGET FUNCTION [ROWS TYPE DECLARED HEADER] FROM HEADERS... [CALL function] [IN_TOUR true|false] [TOGETHER]
# KINDS kinds...): gives the target a function of that qualified name, `void function(TYPE& rows)`, or one without arguments,
# which calls `add_line<Line>(rows)` for each line of those kinds; with IN_TOUR only for those that the tour compares, or the
# others. The headers FROM define that template, DECLARED declares TYPE. With CALL another one is called, for which @LINE@
# stands where the line does, and @IN_TOUR@ as below. Lines that no blank line parts share a unit; with TOGETHER all do.
#
# catalog_text(OUT EACH [ALL] KINDS kinds...): sets OUT to EACH once for each line of those kinds, with ALL also for those that
# this build cannot have, configured with
#   @NAME@      mcs, tbb/spin_mutex
#   @HEADER@    synchro/locks/mcs.hpp, peers/tbb.hpp
#   @LINE@      the tag type: synchro::catalog::lock_line<"mcs", synchro::basic_mcs_lock, synchro::spin, ...>,
#               synchro::peers::peer_line<"tbb/spin_mutex", synchro::peers::tbb_spin_mutex>
#   @SLEEPS@    true or false, of a wake_peer
#   @WAITS@     spin, yield or park, of a table_peer
#   @IN_TOUR@   true or false, of a lock
#
# catalog_names(OUT KIND [POLICY]): sets OUT to the names of that kind of ours, with all policies, or those under one policy.

set(SYNCHRO_CATALOG_FILE ${PROJECT_SOURCE_DIR}/src/catalog/catalog.txt
    CACHE FILEPATH "The catalog of primitives; a shorter one builds faster")
set(catalog_files ${SYNCHRO_CATALOG_FILE})
if(SYNCHRO_EXTRA_LOCKS)
  list(APPEND catalog_files ${SYNCHRO_EXTRA_LOCKS}/catalog.txt)
  target_include_directories(synchro INTERFACE $<BUILD_INTERFACE:${SYNCHRO_EXTRA_LOCKS}/include>)
endif()
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${catalog_files})

set(catalog_fields KIND NAME HEADER LINE TAG SLEEPS WAITS IN_TOUR POLICIES UNIT)
set(catalog_size 0)

macro(catalog_keep)
  if(NAME IN_LIST catalog_names_taken)
    catalog_refuse("two lines are called ${NAME}")
  endif()
  list(APPEND catalog_names_taken ${NAME})
  foreach(field ${catalog_fields})
    set(catalog_${catalog_size}_${field} "${${field}}")
  endforeach()
  math(EXPR catalog_size "${catalog_size} + 1")
endmacro()

macro(catalog_refuse why)
  message(FATAL_ERROR "${file}: ${why}")
endmacro()

# Refuses a line whose HEADER is in none of the folders.
macro(catalog_need_header name)
  set(header_found FALSE)
  foreach(folder ${ARGN})
    if(EXISTS ${folder}/${HEADER})
      set(header_found TRUE)
    endif()
  endforeach()
  if(NOT header_found)
    catalog_refuse("${name} needs the header ${HEADER}, which is not there")
  endif()
endmacro()

# The class of a lock has "_lock" behind its stem.
macro(catalog_own_line kind path policies)
  get_filename_component(NAME ${path} NAME)
  set(HEADER synchro/${kind}s/${path}.hpp)
  catalog_need_header(${path} ${PROJECT_SOURCE_DIR}/include ${SYNCHRO_EXTRA_LOCKS}/include)
  set(TAG catalog/${kind}_line.hpp) # which defines the tag type
  separate_arguments(POLICIES UNIX_COMMAND "${policies}")
  list(JOIN POLICIES ", synchro::" joined)
  set(end "")
  if("${kind}" STREQUAL "lock")
    set(end _lock)
  endif()
  set(LINE "synchro::catalog::${kind}_line<\"${path}\", synchro::basic_${NAME}${end}, synchro::${joined}>")
endmacro()

macro(catalog_peer_line kind name words waits)
  separate_arguments(words UNIX_COMMAND "${words}")
  list(GET words 0 HEADER)
  list(GET words 1 class)
  list(GET words 2 package)
  set(NAME ${name})
  set(HEADER peers/${HEADER})
  catalog_need_header(${name} ${PROJECT_SOURCE_DIR}/src)
  set(TAG peers/peer_line.hpp)
  set(LINE "synchro::peers::${kind}_line<\"${NAME}\", synchro::peers::${class}")
  set(WAITS "${waits}")
  set(ways_to_wait_wake_peer sleeps spins)
  set(ways_to_wait_table_peer spin yield park)
  set(ways_to_wait "${ways_to_wait_${kind}}")
  if(ways_to_wait AND NOT WAITS IN_LIST ways_to_wait)
    list(JOIN ways_to_wait " | " ways_to_wait)
    catalog_refuse("not a line of the catalog: ${NAME} does not end with ${ways_to_wait}")
  endif()
  if("${kind}" STREQUAL "wake_peer")
    string(COMPARE EQUAL "${waits}" sleeps asleep)
    string(REPLACE 1 true SLEEPS ${asleep})
    string(REPLACE 0 false SLEEPS ${SLEEPS})
    string(APPEND LINE ", ${SLEEPS}")
  endif()
  string(APPEND LINE ">")
  if(NOT package IN_LIST packages_known)
    list(JOIN packages_known ", " known)
    catalog_refuse("${NAME} needs '${package}', which no line of ${packages_file} is called; known are: ${known}")
  endif()
endmacro()

foreach(file ${catalog_files})
  file(STRINGS ${file} lines)
  set(unit "") # of the lines since a blank one: the first of them
  foreach(line IN LISTS lines)
    set(POLICIES "")
    set(SLEEPS "")
    set(WAITS "")
    set(IN_TOUR false)
    set(package always)
    if(line MATCHES "^lock.*, tour *$")
      set(IN_TOUR true)
      string(REGEX REPLACE ", tour *$" "" line "${line}")
    endif()
    if(line STREQUAL "")
      set(unit "")
      continue()
    elseif(line MATCHES "^#")
      continue()
    elseif(line MATCHES "^(lock|wake) +(([a-z0-9_]+/)?[a-z0-9_]+) *:(( +[a-z_]+)+) *$")
      set(KIND ${CMAKE_MATCH_1})
      if(CMAKE_MATCH_3 STREQUAL "hierarchical/" AND NOT SYNCHRO_HIERARCHICAL)
        continue()
      endif()
      catalog_own_line(${KIND} ${CMAKE_MATCH_2} "${CMAKE_MATCH_4}")
    elseif(line MATCHES "^((lock|table|queue|wake)_peer) +([A-Za-z0-9_/]+) *: +([a-z0-9_/]+[.]hpp +[a-z0-9_]+ +[^ ,]+)( +(sleeps|spins|spin|yield|park))? *$")
      set(KIND ${CMAKE_MATCH_1})
      catalog_peer_line(${KIND} ${CMAKE_MATCH_3} "${CMAKE_MATCH_4}" "${CMAKE_MATCH_6}")
    else()
      catalog_refuse("not a line of the catalog (its first lines say what one looks like): ${line}")
    endif()
    if(unit STREQUAL "")
      string(MAKE_C_IDENTIFIER ${KIND}_${NAME} unit)
    endif()
    set(UNIT ${unit})
    if(NOT package IN_LIST packages_here)
      set(UNIT "")
    endif()
    catalog_keep()
  endforeach()
endforeach()

# catalog_find(OUT KINDS...): the numbers of their lines.
function(catalog_find out)
  set(found "")
  foreach(i RANGE ${catalog_size})
    if(catalog_${i}_KIND IN_LIST ARGN)
      list(APPEND found ${i})
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# catalog_unit(UNIT LINES...): writes the file of one unit of catalog_rows.
function(catalog_unit unit)
  set(includes "")
  set(calls "")
  foreach(i ${ARGN})
    set(LINE "${catalog_${i}_LINE}")
    set(IN_TOUR ${catalog_${i}_IN_TOUR})
    string(CONFIGURE "${C_CALL}" call @ONLY)
    string(APPEND calls "  ${call}(${argument});\n")
    list(APPEND includes ${catalog_${i}_HEADER})
    list(APPEND C_FROM ${catalog_${i}_TAG})
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(REMOVE_DUPLICATES C_FROM)
  list(TRANSFORM includes REPLACE "(.+)" "#include \"\\1\"\n")
  list(TRANSFORM C_FROM REPLACE "(.+)" "#include \"\\1\"\n")
  string(CONCAT includes ${includes} "\n" ${C_FROM})
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${function}_${unit}.cpp @ONLY CONTENT
"// Written by CMake from the catalog.
@includes@
namespace @namespace@ {

void @function@_@unit@(@parameter@) {
@calls@}

}  // namespace @namespace@
")
endfunction()

function(catalog_rows target qualified)
  cmake_parse_arguments(PARSE_ARGV 2 C "TOGETHER" "ROWS;DECLARED;CALL;IN_TOUR" "FROM;KINDS")
  if(NOT C_CALL)
    set(C_CALL add_line<@LINE@>)
  endif()
  string(REGEX MATCH "^(.*)::([a-z_]+)$" matched ${qualified})
  set(namespace ${CMAKE_MATCH_1})
  set(function ${CMAKE_MATCH_2})
  set(parameter "")
  set(argument "")
  set(declared "")
  if(C_ROWS)
    set(parameter "[[maybe_unused]] ${C_ROWS}& rows")
    set(argument rows)
    set(declared "#include \"${C_DECLARED}\"\n")
  endif()
  set(units "")
  catalog_find(lines ${C_KINDS})
  foreach(i ${lines})
    set(unit ${catalog_${i}_UNIT})
    if(unit AND (NOT C_IN_TOUR OR C_IN_TOUR STREQUAL catalog_${i}_IN_TOUR))
      if(C_TOGETHER)
        set(unit all)
      endif()
      list(APPEND units ${unit})
      list(APPEND lines_of_${unit} ${i})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES units)
  set(files "")
  set(declarations "")
  set(calls "")
  foreach(unit ${units})
    catalog_unit(${unit} ${lines_of_${unit}})
    list(APPEND files ${CMAKE_CURRENT_BINARY_DIR}/${function}_${unit}.cpp)
    string(APPEND declarations "void ${function}_${unit}(${parameter});\n")
    string(APPEND calls "  ${function}_${unit}(${argument});\n")
  endforeach()
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  file(CONFIGURE OUTPUT ${list} @ONLY CONTENT
"// Written by CMake from the catalog.
@declared@
namespace @namespace@ {

@declarations@
void @function@(@parameter@) {
@calls@}

}  // namespace @namespace@
")
  target_sources(${target} PRIVATE ${files} ${list})
endfunction()

function(catalog_text out each)
  cmake_parse_arguments(PARSE_ARGV 2 C "ALL" "" "KINDS")
  catalog_find(lines ${C_KINDS})
  set(text "")
  foreach(i ${lines})
    if(C_ALL OR catalog_${i}_UNIT)
      foreach(field ${catalog_fields})
        set(${field} "${catalog_${i}_${field}}")
      endforeach()
      string(CONFIGURE "${each}" one @ONLY)
      string(APPEND text "${one}\n")
    endif()
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(catalog_names out kind)
  catalog_find(lines ${kind})
  set(names "")
  foreach(i ${lines})
    set(further FALSE)
    foreach(policy ${catalog_${i}_POLICIES})
      set(name ${catalog_${i}_NAME})
      if(further)
        string(REGEX REPLACE "^.*_" "/" way ${policy})
        string(APPEND name ${way})
      endif()
      if(ARGC EQUAL 2 OR policy STREQUAL "${ARGV2}")
        list(APPEND names ${name})
      endif()
      set(further TRUE)
    endforeach()
  endforeach()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()
