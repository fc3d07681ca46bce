# Manual pages, and completion for bash, zsh and fish: made from what the built programs say of their commands.

if(CMAKE_CROSSCOMPILING) # they cannot be asked
  return()
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(manual ${PROJECT_BINARY_DIR}/manual)
file(GLOB manual_scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/manual/*.py)
get_property(manual_programs GLOBAL PROPERTY house_programs)
list(REMOVE_ITEM manual_programs synchroscope-measure) # the first one once more
list(TRANSFORM manual_programs REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE manual_files)
# The date of the newest version in CHANGELOG.md, so that two builds of one source are equal.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS CHANGELOG.md)
file(STRINGS CHANGELOG.md newest REGEX "^## .* [0-9-]+$" LIMIT_COUNT 1)
string(REGEX MATCH "[0-9-]+$" manual_date "${newest}")
add_custom_command(OUTPUT ${manual}/man1/synchroscope.1
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
  COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/cmake/manual/write.py ${manual} ${PROJECT_VERSION} ${manual_date}
          ${manual_files}
  DEPENDS ${manual_scripts} ${manual_programs} VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual}/man1/synchroscope.1)

install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${manual}/bash/synchroscope DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual}/zsh/_synchroscope DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${manual}/fish/synchroscope.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
