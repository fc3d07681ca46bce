// All that reads files of others, to be fed with damaged ones: a reader takes them, or refuses with one sentence.

#ifndef SYNCHRO_TESTS_FUZZ_READERS_HPP
#define SYNCHRO_TESTS_FUZZ_READERS_HPP

#include <stdexcept>
#include <string>
#include <vector>

namespace synchro::fuzz {

/// What a reader must not do.
struct fault : std::logic_error {
  using std::logic_error::logic_error;
};

/// How many texts were taken as what; the rest was refused with a sentence.
struct tally {
  unsigned long long documents = 0, models = 0, matrices = 0, profiles = 0, entries = 0;
};
[[nodiscard]] const tally& taken();

// Each throws a fault if a reader does what it must not do.

/// As a document, a model, a matrix, a profile, and each line as an entry of a journal; what was taken is used.
void read_as_all(const std::string& text);
/// Report, spreadsheet, closed system. Slow: a file each, and megabytes.
void write_as_others_do(const std::string& text);

/// What finds faults is tried on faults.
void check_judges();
/// The files themselves must be good, or nothing but refusals is tried. There is at least one of each kind.
void check_seeds(const std::vector<std::string>& seeds);

}  // namespace synchro::fuzz

#endif
