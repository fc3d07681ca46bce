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
  return fmt::format("| {} | {} | {} | {} | {}{} | {} | {} |\n", c.id, c.section, s.platform, c.says, s.letter,
                     s.given ? ", given" : "", to_string(s.found.is), s.found.sentence);
}

/// How many claims of each verdict, apart by whether a model predicts what decides them.
class totals {
 public:
  void add(const simulations::score& s) {
    ++counts_[s.letter == '-' ? "not put to a model"
              : s.given       ? "given to the models"
                              : "predicted by the models"][to_string(s.found.is)];
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const auto& [origin, verdicts] : counts_) {
      all += origin;
      for (const auto& [verdict, n] : verdicts)
        all += fmt::format("{} {} {}", verdict == verdicts.begin()->first ? ":" : ",", verdict, n);
      all += "\n";
    }
    return all;
  }

 private:
  std::map<std::string, std::map<std::string, std::size_t>> counts_;
};

}  // namespace

/// The table of the paper's claims, which docs/simulation.md shows, too: each row as soon as it is known, for all of them
/// take minutes, and whoever stops it keeps what there is.
status validate(const simulate_options& o) {
  if (o.output_given) check_output(o.how.output);
  simulations::prover proof{o.asked.seed.value_or(1)};
  std::string table = title;
  totals counts;
  if (!o.output_given) print(table);
  for (const claims::claim& c : claims::catalog()) {
    if (!c.id.starts_with('S')) continue;
    if (o.output_given && !o.how.silent) say(fmt::format("{}: {}", c.id, c.says));
    const simulations::score s = simulations::score_of(c, proof);
    counts.add(s);
    const std::string row = row_of(c, s);
    table += row;
    if (o.output_given)
      write_output(o.how.output, table);
    else
      print(row);
  }
  std::string sums = "\n" + counts.text();
  if (o.output_given) {
    write_output(o.how.output, table + sums);
    say("written: " + results::printable(o.how.output));
    sums.erase(0, 1);
  }
  print(sums);
  return status::done;
}

}  // namespace synchro::simulate
