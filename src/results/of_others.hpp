// Names of the catalog that are primitives of other libraries and systems.

#ifndef SYNCHRO_RESULTS_OF_OTHERS_HPP
#define SYNCHRO_RESULTS_OF_OTHERS_HPP

#include <string>
#include <string_view>
#include <vector>

namespace synchro::results {

/// Of all systems and libraries, be they here or not.
[[nodiscard]] bool is_of_others(std::string_view name);

/// As no_such(), where only a primitive of ours is taken: of another's it says that.
[[nodiscard]] std::string no_such_of_ours(const std::string& kind, const std::string& word,
                                          const std::vector<std::string>& names);

}  // namespace synchro::results

#endif
