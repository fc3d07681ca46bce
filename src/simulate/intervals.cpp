#include "simulate/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "results/text.hpp"
#include "results/units.hpp"
#include "simulations/program.hpp"

namespace synchro::simulate {

using simulations::error_kind;
using simulations::program_errors;
using simulations::team_size;
using simulations::told_of;
using simulations::widening;

namespace {

/// As a table has it, in which commas part the fields.
bool is_on(const simulator::model& m, const program_errors& errors) {
  std::string title = m.document().value("title", "");
  std::replace(title.begin(), title.end(), ',', ' ');
  return results::printable(title, 80) == errors.machine() && m.processors() == errors.processors();
}

}  // namespace

intervals::intervals(const program_errors& errors, const simulator::model& m, std::string base,
                     std::int64_t recorded_threads)
    : errors_{errors},
      model_{results::printable(m.name())},
      base_{std::move(base)},
      recorded_threads_{recorded_threads},
      processors_{m.processors()},
      measured_there_{is_on(m, errors)} {}

error_kind intervals::kind_of(std::int64_t threads, told_of what) const {
  return {simulations::team_size_of(threads, recorded_threads_, processors_), what};
}

widening intervals::of(const results::coordinates& at) const {
  const told_of what = at.word("lock") == base_ ? told_of::recorded_lock : told_of::other_lock;
  return errors_.widening_of(kind_of(at.number("threads"), what));
}

widening intervals::of_comparison(std::int64_t threads) const {
  return errors_.widening_of(kind_of(threads, told_of::comparison));
}

void intervals::widen(results::cell& c) const {
  if (c.metric == simulations::program::rate) results::widen(c, of(c.at).times);
}

std::string intervals::holds(const widening& fewest, double least, double most) const {
  const std::string from = results::digits(least), to = results::digits(most);
  std::string text = fmt::format(
      "They are {} times wider than that, down and up, by what {} measured programs needed ({}, {} processors): of {} "
      "programs like these an interval holds in {}.",
      from == to ? from : fmt::format("{} to {}", from, to), fewest.programs, errors_.machine(), errors_.processors(),
      fewest.programs + 1, fewest.rank);
  if (fewest.programs < program_errors::wanted_of_ten)
    text +=
        fmt::format(" From so few more cannot be said; nine of ten takes {} programs.", program_errors::wanted_of_ten);
  if (!measured_there_)
    text += fmt::format(
        " On {}, which is another machine, that is an extrapolation: how often intervals hold there is not known.",
        model_);
  return text;
}

intervals::summary intervals::of_all(const std::vector<results::coordinates>& cells) const {
  if (errors_.empty())
    return {"No program was measured beside its prediction, so how often intervals hold is not known.", nullptr};
  std::vector<widening> all;
  std::set<team_size> not_measured;
  for (const results::coordinates& at : cells) {
    const std::int64_t threads = at.number("threads");
    all.push_back(of(at));
    if (at.word("lock") != base_) all.push_back(of_comparison(threads));
    if (!all.back().measured) not_measured.insert(kind_of(threads, told_of::recorded_lock).threads);
  }
  const auto [least, most] =
      std::minmax_element(all.begin(), all.end(), [](auto& a, auto& b) { return a.times < b.times; });
  const auto fewest =
      std::min_element(all.begin(), all.end(), [](auto& a, auto& b) { return a.programs < b.programs; });
  std::string text = holds(*fewest, least->times, most->times);
  for (const team_size threads : not_measured)
    text += fmt::format(" Nothing was measured of {}: the widest is taken.", simulations::in_words(threads));
  return {text,
          {{"coverage", static_cast<double>(fewest->rank) / static_cast<double>(fewest->programs + 1)},
           {"programs", fewest->programs},
           {"wider", {least->times, most->times}},
           {"measured_on", errors_.machine()},
           {"extrapolated", !measured_there_ || !not_measured.empty()}}};
}

}  // namespace synchro::simulate
