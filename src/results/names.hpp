// Names with a slip in them, and what they may have been meant as.

#ifndef SYNCHRO_RESULTS_NAMES_HPP
#define SYNCHRO_RESULTS_NAMES_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace synchro::results {

/// "a, b and c".
[[nodiscard]] std::string enumerate(const std::vector<std::string>& words);

/// The names a slip may have been meant as, nearest first, at most `most`: by edit distance (a swap of neighbours is
/// one edit), names that contain the word first.
[[nodiscard]] std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names,
                                               std::size_t most = 3);

/// "there is no lock 'msc'; the nearest names are mcs, tas and clh"
[[nodiscard]] std::string no_such(const std::string& kind, const std::string& word,
                                  const std::vector<std::string>& names);

}  // namespace synchro::results

#endif
