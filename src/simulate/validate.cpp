#include <fmt/format.h>

#include <array>

#include "claims/held_out.hpp"
#include "results/text.hpp"
#include "simulate/asked.hpp"
#include "simulate/ledger.hpp"
#include "simulate/teller.hpp"
#include "simulations/drawn_tables.hpp"
#include "simulations/lock_curves.hpp"
#include "simulations/ranges.hpp"
#include "simulations/settled.hpp"
#include "simulations/table_curves.hpp"

namespace synchro::simulate {

using namespace cli;

namespace {

/// The claims one by one, with the models as they are, by as many seeds as it takes, and at four corners of the ranges
/// of their constants.
class scorer {
 public:
  explicit scorer(std::uint64_t seed) : as_they_are_{seed} {
    for (const simulations::corner& c : simulations::corners)
      at_corners_.emplace_back(seed, [&c](const auto& model) { return simulations::at_corner(model, c); });
  }

  /// The models that claims were put to so far.
  [[nodiscard]] std::vector<std::string> machines() const {
    std::vector<std::string> names = simulator::built_in_models();
    std::erase_if(names, [this](const std::string& name) { return !as_they_are_.has_asked(name); });
    return names;
  }

  row operator()(const claims::claim& c) {
    const simulations::settled_score judged = simulations::settled(c, as_they_are_);
    row r{c, judged.is, judged.seeds};
    if (!r.simulated()) return r;
    std::array<claims::verdict, simulations::corners.size()> at{};
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = simulations::score_of(c, at_corners_[i]).found.is;
    r.over_ranges = simulations::over_ranges(r.nominal.found.is, at);
    return r;
  }

 private:
  simulations::prover as_they_are_;
  std::vector<simulations::prover> at_corners_;
};

/// Repeated, name by name.
std::string draw_in_words() {
  std::vector<std::string> names, constants, scores;
  for (const claims::claim& c : claims::catalog())
    if (c.id.starts_with('S')) names.emplace_back(c.id);
  for (const std::string_view table : claims::drawn_tables()) names.emplace_back(table);
  for (const std::string& name : names) (claims::may_set_constants(name) ? constants : scores).push_back(name);
  return fmt::format("drawn by {}: constants may be set from {}; only to score are {}\n", claims::seed_of_the_draw,
                     fmt::join(constants, ", "), fmt::join(scores, ", "));
}

}  // namespace

/// The table of the paper's claims, which docs/simulation.md shows, too: each row as soon as it is known, for all of them
/// take minutes, and whoever stops it keeps what there is. Then what they come to, tables and curves that nothing was fitted to, and
/// the draw of what constants may be set from.
status validate(const simulate_options& o) {
  teller out{o};
  const std::uint64_t seed = o.asked.seed.value_or(1);
  scorer score{seed};
  ledger sums;
  out.tell(head_of_rows());
  for (const claims::claim& c : claims::catalog()) {
    if (!c.id.starts_with('S')) continue;
    out.progress(fmt::format("{}: {}", c.id, c.says));
    const row r = score(c);
    sums.add(r);
    out.tell(r.text());
  }
  const std::string totals = sums.text() + "\n" + constants_of(score.machines());
  out.tell("\n" + totals);
  out.progress("tables that only score");
  simulations::prover of_tables{seed};
  out.tell("\n" + simulations::tables_in_words(simulations::predicted_tables(of_tables)));
  out.progress("measured curves of locks");
  out.tell("\n" + simulations::lock_curves_in_words(simulations::predicted_curves(seed)));
  out.progress("measured hash tables");
  out.tell("\n" + simulations::table_curves_in_words(simulations::predicted_table_curves(seed)));
  out.tell("\n" + draw_in_words());
  if (o.output_given) {
    say("written: " + results::printable(o.how.output));
    print(totals);
  }
  return status::done;
}

}  // namespace synchro::simulate
