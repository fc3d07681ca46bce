# Reads the catalogs and writes translation units from a template for each line and room, a few lines to a unit.
#
# catalog_units(OUT TEMPLATE [PREFIX]): for every line of the lock catalog configures TEMPLATE with
#   @LOCK_STEM@     mcs
#   @LOCK_HEADER@   synchro/locks/mcs.hpp
#   @LOCK_LINE@     the tag type: synchro::catalog::lock_line<"mcs", synchro::basic_mcs_lock, synchro::spin, ...>
# sets OUT to the list of units that include the files written, and OUT_STEMS to the stems. A template that wants to list
# all lines in one unit uses catalog_list.
#
# catalog_list(OUT TEMPLATE EACH): configures TEMPLATE once, with @CATALOG_LINES@ being EACH (with @LOCK_STEM@ and so
# on) once per line.

set(SYNCHRO_CATALOG ${PROJECT_SOURCE_DIR}/src/catalog/locks.txt
    CACHE FILEPATH "The lock catalog; a shorter one builds faster")
set(catalog_files ${SYNCHRO_CATALOG})
if(SYNCHRO_EXTRA_LOCKS)
  list(APPEND catalog_files ${SYNCHRO_EXTRA_LOCKS}/locks.txt)
  target_include_directories(synchro INTERFACE $<BUILD_INTERFACE:${SYNCHRO_EXTRA_LOCKS}/include>)
endif()
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${catalog_files})

set(catalog_entries "")
foreach(file ${catalog_files})
  file(STRINGS ${file} lines REGEX "^[a-z]")
  foreach(line ${lines})
    if(NOT line MATCHES "^([a-z0-9_]+/)?([a-z0-9_]+) *:(( +[a-z_]+)+) *$")
      message(FATAL_ERROR "${file}: not a catalog line: ${line}")
    endif()
    if(CMAKE_MATCH_1 STREQUAL "hierarchical/" AND NOT SYNCHRO_HIERARCHICAL)
      continue()
    endif()
    list(APPEND catalog_entries "${CMAKE_MATCH_1}|${CMAKE_MATCH_2}|${CMAKE_MATCH_3}")
  endforeach()
endforeach()

macro(catalog_parse entry)
  string(REGEX MATCH "^(.*)\\|(.*)\\|(.*)$" matched "${entry}")
  set(LOCK_STEM ${CMAKE_MATCH_2})
  set(LOCK_HEADER synchro/locks/${CMAKE_MATCH_1}${CMAKE_MATCH_2}.hpp)
  string(STRIP "${CMAKE_MATCH_3}" waitings)
  string(REGEX REPLACE " +" ", synchro::" waitings "${waitings}")
  set(LOCK_LINE "synchro::catalog::lock_line<\"${LOCK_STEM}\", synchro::basic_${LOCK_STEM}_lock, synchro::${waitings}>")
endmacro()

function(catalog_units out template)
  get_filename_component(name ${template} NAME_WE)
  set(files "")
  set(stems "")
  foreach(entry ${catalog_entries})
    catalog_parse(${entry})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}_${LOCK_STEM}.cpp)
    configure_file(${template} ${file} @ONLY)
    list(APPEND files ${file})
    list(APPEND stems ${LOCK_STEM})
  endforeach()
  merged_units(files 4)
  set(${out} ${files} PARENT_SCOPE)
  set(${out}_STEMS ${stems} PARENT_SCOPE)
endfunction()

function(catalog_list out template each)
  get_filename_component(name ${template} NAME_WE)
  set(CATALOG_LINES "")
  foreach(entry ${catalog_entries})
    catalog_parse(${entry})
    string(CONFIGURE "${each}" one @ONLY)
    string(APPEND CATALOG_LINES "${one}\n")
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  configure_file(${template} ${file} @ONLY)
  set(${out} ${file} PARENT_SCOPE)
endfunction()

# The stems of all lines.
set(SYNCHRO_LOCK_STEMS ${catalog_entries})
list(TRANSFORM SYNCHRO_LOCK_STEMS REPLACE "^.*\\|(.*)\\|.*$" "\\1")
