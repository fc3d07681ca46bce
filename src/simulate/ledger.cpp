#include "simulate/ledger.hpp"

#include <fmt/format.h>

#include "claims/held_out.hpp"
#include "results/units.hpp"
#include "simulations/settled.hpp"
#include "simulator/model.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulate {

namespace {

using where_from = simulations::origin;

/// What has the same verdict by the first two looks.
constexpr unsigned usual_seeds = simulations::looks[1];

std::string line_of(const std::string& what, const std::map<std::string, std::size_t>& parts) {
  std::string text = what;
  for (const auto& [name, n] : parts)
    text += fmt::format("{} {} {}", &name == &parts.begin()->first ? ":" : ",", name, n);
  return text + "\n";
}

std::string lines_of(const std::map<std::string, std::map<std::string, std::size_t>>& all) {
  std::string text;
  for (const auto& [what, parts] : all) text += line_of(what, parts);
  return text;
}

std::string in_claims(std::size_t n) { return fmt::format("({} claim{})", n, n == 1 ? "" : "s"); }

/// Where a row's verdict comes from, for the totals by class.
const char* in_a_word(const row& r) {
  if (!r.judged()) return "not put to a model";
  if (r.nominal.from == where_from::prices) return "given";
  if (r.nominal.from == where_from::fitted) return "fitted";
  if (r.nominal.from == where_from::by_the_protocol) return "the protocol decides";
  if (!r.predicted()) return "has shaped a model";
  return r.stands() ? "predicted" : "assumed";
}

std::string in_times(double v) { return results::significant(v, 3) + " times"; }

std::string median_factor(const std::vector<claims::deviation>& all) {
  std::vector<double> factors;
  for (const claims::deviation& d : all) factors.push_back(d.factor());
  return in_times(results::median(factors));
}

/// How wrong: of numbers, and of ranges, which leave room, apart.
std::string off_in_words(const std::vector<claims::deviation>& all) {
  std::vector<claims::deviation> numbers, beyond;
  std::size_t within = 0;
  for (const claims::deviation& d : all)
    if (!d.of_a_range)
      numbers.push_back(d);
    else if (d.times == 1)
      ++within;
    else
      beyond.push_back(d);
  std::string text;
  if (!numbers.empty())
    text += fmt::format("off by, of {} with a number: {} to either side in the median\n", numbers.size(),
                        median_factor(numbers));
  if (within + beyond.size() > 0)
    text += fmt::format("off by, of {} with a range: within {}, beyond an end {}", within + beyond.size(), within,
                        beyond.size());
  if (!beyond.empty()) text += fmt::format(", those by {} in the median", median_factor(beyond));
  if (within + beyond.size() > 0) text += "\n";
  return text;
}

}  // namespace

bool row::predicted() const {
  return judged() && nominal.from == where_from::simulated && !claims::has_shaped_a_model(about.id);
}

std::string row::off_by() const {
  const auto& off = nominal.found.off;
  if (!simulated() || !off) return "-";
  if (off->of_a_range && off->times == 1) return "within the range";
  return in_times(off->times) + (off->of_a_range ? " the end of the range" : "");
}

std::string row::origin() const {
  if (!judged()) return "not put to a model";
  if (nominal.from == where_from::prices) return "given to the models";
  if (nominal.from == where_from::fitted) return "fitted: a constant was set so that it holds";
  if (nominal.from == where_from::by_the_protocol) return "decided by the protocol, not by a model";
  if (!predicted()) return "not predicted, for it has shaped a model";
  return claims::may_set_constants(about.id) ? "predicted, though a constant may be set from it"
                                             : "predicted, and held out";
}

std::string row::text() const {
  const char* const mark = !judged()                                     ? ""
                           : nominal.from == where_from::prices          ? ", given"
                           : nominal.from == where_from::fitted          ? ", fitted"
                           : nominal.from == where_from::by_the_protocol ? ", the protocol decides"
                           : !predicted()                                ? ", has shaped a model"
                           : claims::may_set_constants(about.id)         ? ""
                                                                         : ", held out";
  const std::string by = simulated() && seeds > usual_seeds ? fmt::format(", {} seeds", seeds) : "";
  return fmt::format("| {} | {} | {} | {} | {} | {}{} | {}{} | {} | {} | {} |\n", about.id, about.section,
                     nominal.platform, about.says, nominal.asked.empty() ? "-" : nominal.asked, nominal.letter, mark,
                     verdict(), by, over_ranges, off_by(), nominal.found.sentence);
}

std::string head_of_rows() {
  return "| # | section | platform | claim | asked | class | verdict | over the ranges | off by | the simulation says "
         "|\n"
         "|--:|---|---|---|---|---|---|---|---|---|\n";
}

void ledger::add(const row& r) {
  ++by_origin_[r.origin()][r.verdict()];
  ++by_class_[fmt::format("class {}, {}", r.nominal.letter, in_a_word(r))][r.verdict()];
  if (r.simulated()) ++by_seeds_[r.seeds];
  if (!r.predicted()) return;
  if (r.nominal.found.off) off_.push_back(*r.nominal.found.off);
  ++over_ranges_[r.origin() + ", at all four corners that were tried"]
                [r.stands() ? r.verdict() : "depends on assumed constants"];
}

std::string ledger::text() const {
  std::string seeds;
  for (const auto& [n, claims] : by_seeds_)
    seeds += fmt::format("{} {} {}", seeds.empty() ? "seeds that verdicts took:" : ",", n, in_claims(claims));
  return lines_of(by_origin_) + "\n" + lines_of(over_ranges_) + "\n" + lines_of(by_class_) + "\n" +
         (seeds.empty() ? "" : seeds + "\n\n") + off_in_words(off_);
}

std::string constants_of(const std::vector<std::string>& machines) {
  std::string text;
  for (const std::string& name : machines) {
    std::map<std::string, std::size_t> kinds;
    const simulator::model m = simulator::load_model(name);
    for (const simulator::knob& k : m.knobs()) ++kinds[k.kind];
    text += line_of("constants of " + name, kinds);
  }
  return text;
}

}  // namespace synchro::simulate
