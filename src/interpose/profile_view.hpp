// What `profile` says above its table.

#ifndef SYNCHRO_INTERPOSE_PROFILE_VIEW_HPP
#define SYNCHRO_INTERPOSE_PROFILE_VIEW_HPP

#include <optional>
#include <string>

#include "profile/stored.hpp"
#include "views/grid.hpp"

namespace synchro::interpose {

/// Which lock is waited for longest, its share of the run, what to do, the commands that do it, and what is not sure.
/// Empty where no lock was seen to be taken. `file` holds the profile; without one, no command that
/// reads it is named.
[[nodiscard]] std::string verdict_text(const profile::stored& s, const std::optional<std::string>& file,
                                       const views::style& style);

}  // namespace synchro::interpose

#endif
