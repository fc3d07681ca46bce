# Writes OUTPUT, a C++ file with equivalents.txt and the headers of the library, of whose lines it speaks:
# cmake -D INCLUDE=<folder> -D EQUIVALENTS=<file> -D OUTPUT=<file> -P embed.cmake
file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/*.hpp)
set(text "// Made by embed.cmake.\n#include \"model_checker/embedded.hpp\"\n\nnamespace synchro::model_checker {\n\n")
file(READ ${EQUIVALENTS} content)
string(APPEND text "const char* const equivalents_text = R\"text(${content})text\";\n\n")
string(APPEND text "const std::vector<embedded_header>& embedded_headers() {\n  static const std::vector<embedded_header> all{\n")
foreach(header IN LISTS headers)
  file(READ ${INCLUDE}/${header} content)
  string(APPEND text "      {\"${header}\", R\"text(${content})text\"},\n")
endforeach()
string(APPEND text "  };\n  return all;\n}\n\n}  // namespace synchro::model_checker\n")
file(WRITE ${OUTPUT} "${text}")
