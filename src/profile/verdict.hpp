// What a profile comes to: which lock, how much of the run its waits are, what to do, and how sure that is.

#ifndef SYNCHRO_PROFILE_VERDICT_HPP
#define SYNCHRO_PROFILE_VERDICT_HPP

#include <string>
#include <vector>

#include "profile/stored.hpp"

namespace synchro::profile {

/// A command to type, word by word, and what it is for.
struct remedy {
  std::vector<std::string> words;
  std::string purpose;
};

struct verdict {
  std::string lock;  ///< As the profile has it; empty where no lock stands out.
  std::uint64_t pid = 0;
  std::string finding;              ///< A sentence.
  std::string advice;               ///< A sentence or two: what to do, or that nothing is to be done.
  std::vector<remedy> remedies;     ///< The first is the one to begin with.
  std::vector<std::string> doubts;  ///< Sentences: why this is not sure. Empty where it is.
};

/// `file`: the name under which the profile is to be found, for the commands.
[[nodiscard]] verdict verdict_on(const stored& s, const std::string& file);

}  // namespace synchro::profile

#endif
