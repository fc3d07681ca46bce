// Code that was not there when this program was built: it is compiled on the user's machine, by the commands that this program
// was compiled by, and loaded.
//
// A recipe is a file `own_lock/<program>.txt`, which the build writes beside the programs and an installation takes along
// (src/own_lock/CMakeLists.txt): the words of a compiler's command line, one a line. `@PREFIX@` stands for the folder that the
// program is installed in, and a line `part FILE` for where that part is (parts.hpp).

#ifndef SYNCHRO_PLATFORM_MODULE_HPP
#define SYNCHRO_PLATFORM_MODULE_HPP

#include <functional>
#include <string>
#include <vector>

namespace synchro::platform {

struct module_request {
  std::string recipe;              ///< Which of them: "measure".
  std::string file;                ///< The module's name, without a folder: it is kept in the user's cache.
  std::vector<std::string> words;  ///< What the recipe's command is to have besides: definitions.
};

/// Where that module is. It is compiled if it is not there, if its command is another or if a file that it was made of is
/// newer; `begins` is called before. Throws std::runtime_error with one sentence; if the compiler refused, with all that it said.
[[nodiscard]] std::string compiled_module(const module_request& asked, const std::function<void()>& begins);

/// Loads a module, for good. Throws std::runtime_error with one sentence.
void load_module(const std::string& module);

/// The same, and finds a function in it.
[[nodiscard]] void* function_of_module(const std::string& module, const char* function);

}  // namespace synchro::platform

#endif
