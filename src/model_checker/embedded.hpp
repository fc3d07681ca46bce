// Files of the source tree that are part of the program: embed.cmake writes them down.

#ifndef SYNCHRO_MODEL_CHECKER_EMBEDDED_HPP
#define SYNCHRO_MODEL_CHECKER_EMBEDDED_HPP

#include <string_view>
#include <vector>

namespace synchro::model_checker {

struct embedded_header {
  std::string_view name;  ///< relative to include/synchro
  std::string_view text;
};
const std::vector<embedded_header>& embedded_headers();

/// Of equivalents.txt.
extern const char* const equivalents_text;
/// Of fitting_bounds.txt.
extern const char* const fitting_bounds_text;

}  // namespace synchro::model_checker

#endif
