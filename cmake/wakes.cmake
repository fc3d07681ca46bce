# Reads the two catalogs of wake primitives: ours (src/catalog/wakes.txt) and those of systems and languages
# (src/subjects/wakes.txt).
#
# wake_units(OUT TEMPLATE): for every line of ours configures TEMPLATE with
#   @WAKE_STEM@     event_group
#   @WAKE_HEADER@   synchro/wakes/event_group.hpp
#   @WAKE_LINE@     the tag type: synchro::catalog::wake_line<"event_group", synchro::basic_event_group, ...>
# and sets OUT to the units that include the files written, OUT_STEMS to the stems.
#
# wake_subject_units(OUT TEMPLATE EACH): for every header of the subjects that this system can have configures TEMPLATE
# with @WAKE_HEADER@, its stem @WAKE_STEM@ and @WAKE_LINES@, which is EACH with @WAKE_NAME@, @WAKE_CLASS@ and
# @WAKE_SLEEPS@ (true or false) once per line; sets OUT to the units, OUT_STEMS to the stems of the headers.
#
# wake_list(EACH STEMS...): sets WAKE_LINES to EACH with @WAKE_STEM@ once per stem.
#
# own_wake_list(OUT EACH): sets OUT to EACH once per line of ours, with the same as wake_units.
# wake_subject_list(OUT EACH): sets OUT to EACH once per line of the others, of all systems, with @WAKE_NAME@ and
# @WAKE_SLEEPS@.

set(wake_catalog ${PROJECT_SOURCE_DIR}/src/catalog/wakes.txt)
set(wake_subject_catalog ${PROJECT_SOURCE_DIR}/src/subjects/wakes.txt)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${wake_catalog}
             ${wake_subject_catalog})

set(wake_systems always)
if(UNIX)
  list(APPEND wake_systems posix)
endif()
list(APPEND wake_systems ${this_system})

macro(wake_parse line)
  if(NOT "${line}" MATCHES "^([a-z0-9_]+) *:(( +[a-z_]+)+) *$")
    message(FATAL_ERROR "${wake_catalog}: not a line of the catalog: ${line}")
  endif()
  set(WAKE_STEM ${CMAKE_MATCH_1})
  set(WAKE_HEADER synchro/wakes/${WAKE_STEM}.hpp)
  string(STRIP "${CMAKE_MATCH_2}" waitings)
  string(REGEX REPLACE " +" ", synchro::" waitings "${waitings}")
  set(WAKE_LINE "synchro::catalog::wake_line<\"${WAKE_STEM}\", synchro::basic_${WAKE_STEM}, synchro::${waitings}>")
endmacro()

macro(wake_subject_parse line)
  if(NOT "${line}" MATCHES "^([a-z0-9_/]+) *: ([a-z0-9_]+)[.]hpp +([a-z0-9_]+) +([a-z]+) +(sleeps|spins) *$")
    message(FATAL_ERROR "${wake_subject_catalog}: not a line of the catalog: ${line}")
  endif()
  set(WAKE_NAME ${CMAKE_MATCH_1})
  set(WAKE_STEM ${CMAKE_MATCH_2})
  set(WAKE_CLASS ${CMAKE_MATCH_3})
  set(WAKE_SYSTEM ${CMAKE_MATCH_4})
  set(WAKE_SLEEPS false)
  if(CMAKE_MATCH_5 STREQUAL "sleeps")
    set(WAKE_SLEEPS true)
  endif()
endmacro()

function(wake_units out template)
  get_filename_component(name ${template} NAME_WE)
  file(STRINGS ${wake_catalog} lines REGEX "^[a-z]")
  set(files "")
  set(stems "")
  foreach(line ${lines})
    wake_parse("${line}")
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}_${WAKE_STEM}.cpp)
    configure_file(${template} ${file} @ONLY)
    list(APPEND files ${file})
    list(APPEND stems ${WAKE_STEM})
  endforeach()
  merged_units(files 4)
  set(${out} ${files} PARENT_SCOPE)
  set(${out}_STEMS ${stems} PARENT_SCOPE)
endfunction()

function(wake_subject_units out template each)
  get_filename_component(name ${template} NAME_WE)
  file(STRINGS ${wake_subject_catalog} lines REGEX "^[a-z]")
  set(stems "")
  foreach(line ${lines})
    wake_subject_parse("${line}")
    if(NOT WAKE_SYSTEM IN_LIST wake_systems)
      continue()
    endif()
    string(CONFIGURE "${each}" one @ONLY)
    list(APPEND stems ${WAKE_STEM})
    string(APPEND lines_of_${WAKE_STEM} "${one}\n")
  endforeach()
  list(REMOVE_DUPLICATES stems)
  set(files "")
  foreach(stem ${stems})
    set(WAKE_STEM ${stem})
    set(WAKE_HEADER subjects/wakes/${stem}.hpp)
    set(WAKE_LINES "${lines_of_${stem}}")
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}_${stem}.cpp)
    configure_file(${template} ${file} @ONLY)
    list(APPEND files ${file})
  endforeach()
  merged_units(files 4)
  set(${out} ${files} PARENT_SCOPE)
  set(${out}_STEMS ${stems} PARENT_SCOPE)
endfunction()

function(wake_list each)
  set(text "")
  foreach(stem ${ARGN})
    set(WAKE_STEM ${stem})
    string(CONFIGURE "${each}" one @ONLY)
    string(APPEND text "${one}\n")
  endforeach()
  set(WAKE_LINES "${text}" PARENT_SCOPE)
endfunction()

function(own_wake_list out each)
  file(STRINGS ${wake_catalog} lines REGEX "^[a-z]")
  set(text "")
  foreach(line ${lines})
    wake_parse("${line}")
    string(CONFIGURE "${each}" one @ONLY)
    string(APPEND text "${one}\n")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(wake_subject_list out each)
  file(STRINGS ${wake_subject_catalog} lines REGEX "^[a-z]")
  set(text "")
  foreach(line ${lines})
    wake_subject_parse("${line}")
    string(CONFIGURE "${each}" one @ONLY)
    string(APPEND text "${one}\n")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()
