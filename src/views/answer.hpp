// What a results file says, short enough for one screen: the end of every command that measures, simulates or shows.

#ifndef SYNCHRO_VIEWS_ANSWER_HPP
#define SYNCHRO_VIEWS_ANSWER_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "views/grid.hpp"
#include "views/presentation.hpp"

namespace synchro::views {

/// What one experiment found.
struct conclusion {
  std::string experiment;
  std::string machine;  ///< Where the document holds several simulated machines; else empty.
  std::vector<std::string>
      sentences;  ///< As the experiment declares them, or of any experiment the range of its values.
  bool declared = false;
};

/// The findings of every experiment in the document, in the order in which they are presented, those that are not declared last.
/// Without sentences: nothing in it is sure enough for one, as where no value of a machine is sure.
[[nodiscard]] std::vector<conclusion> conclusions(const results::document& d, const presentations& how);

/// Lines, at most this many, however narrow the terminal. Each begins with what it is about, the experiment's name. Each
/// experiment has its first sentence before remarks and before any has its second one, and a declared one before a range.
/// What is left out is counted in one sentence. `first` says of each run what is to stand before its findings, if anything.
[[nodiscard]] std::string answer(const results::document& d, const presentations& how, const style& s,
                                 std::size_t most_lines,
                                 const std::function<std::string(const results::document& run)>& first = {});

}  // namespace synchro::views

#endif
