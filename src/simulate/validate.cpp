#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "results/text.hpp"
#include "simulate/asked.hpp"
#include "simulations/claims.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"

namespace synchro::simulate {

using namespace cli;

namespace {

constexpr const char* title =
    "| # | section | platform | claim | class | verdict | the simulation says |\n|--:|---|---|---|---|---|---|\n";

std::string row_of(const claims::claim& c, const simulations::score& s) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", c.id, c.section, s.platform, c.says, s.letter,
                     to_string(s.found.is), s.found.sentence);
}

}  // namespace

/// The table of the paper's claims, which docs/simulation.md shows, too: each row as soon as it is known, for all of them
/// take minutes, and whoever stops it keeps what there is.
status validate(const simulate_options& o) {
  if (o.output_given) check_output(o.how.output);
  simulations::prover proof{o.asked.seed.value_or(1)};
  std::string table = title;
  std::map<std::string, std::size_t> counts;
  if (!o.output_given) print(table);
  for (const claims::claim& c : claims::catalog()) {
    if (!c.id.starts_with('S')) continue;
    if (o.output_given && !o.how.silent) say(fmt::format("{}: {}", c.id, c.says));
    const simulations::score s = simulations::score_of(c, proof);
    ++counts[to_string(s.found.is)];
    const std::string row = row_of(c, s);
    table += row;
    if (o.output_given)
      write_output(o.how.output, table);
    else
      print(row);
  }
  std::string sums = "\n";
  for (const auto& [verdict, n] : counts) sums += fmt::format("{}: {}\n", verdict, n);
  if (o.output_given) {
    write_output(o.how.output, table + sums);
    say("written: " + results::printable(o.how.output));
    sums.erase(0, 1);
  }
  print(sums);
  return status::done;
}

}  // namespace synchro::simulate
