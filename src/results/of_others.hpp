// Names of the catalog that are primitives of other libraries and systems.

#ifndef SYNCHRO_RESULTS_OF_OTHERS_HPP
#define SYNCHRO_RESULTS_OF_OTHERS_HPP

#include <string_view>

namespace synchro::results {

/// Of all systems and libraries, be they here or not.
[[nodiscard]] bool is_of_others(std::string_view name);

}  // namespace synchro::results

#endif
