// Views of cells as the experiments of this house declare them.

#ifndef SYNCHRO_TESTS_VIEWS_AS_DECLARED_HPP
#define SYNCHRO_TESTS_VIEWS_AS_DECLARED_HPP

#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "views/summary.hpp"
#include "views/table.hpp"

namespace synchro::views {

inline std::string show(const std::vector<results::cell>& all, const style& s) {
  return show(all, experiments::all_presentations(), s);
}
inline std::string show(const results::document& d, const style& s) {
  return show(d, experiments::all_presentations(), s);
}
inline std::vector<std::string> summary(const results::document& d) {
  return summary(d, experiments::all_presentations());
}
inline std::vector<std::string> doubts(const results::document& d) {
  return doubts(d, experiments::all_presentations());
}

}  // namespace synchro::views

#endif
