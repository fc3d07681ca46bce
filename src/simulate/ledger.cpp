#include "simulate/ledger.hpp"

#include <fmt/format.h>

#include "claims/held_out.hpp"
#include "simulator/model.hpp"

namespace synchro::simulate {

namespace {

constexpr const char* otherwise = "another seed says otherwise";

std::string line(const std::string& what, const std::map<std::string, std::size_t>& parts) {
  std::string text = what;
  for (const auto& [name, n] : parts)
    text += fmt::format("{} {} {}", &name == &parts.begin()->first ? ":" : ",", name, n);
  return text + "\n";
}

std::string lines(const std::map<std::string, std::map<std::string, std::size_t>>& all) {
  std::string text;
  for (const auto& [what, parts] : all) text += line(what, parts);
  return text;
}

}  // namespace

std::string row::verdict() const { return seeds_agree() ? to_string(nominal.found.is) : otherwise; }

std::string row::origin() const {
  if (!judged()) return "not put to a model";
  if (nominal.given) return "given to the models";
  return claims::may_set_constants(about.id) ? "predicted, though a constant may be set from it"
                                             : "predicted, and held out";
}

std::string row::text() const {
  const char* const mark = nominal.given                                         ? ", given"
                           : !predicted() || claims::may_set_constants(about.id) ? ""
                                                                                 : ", held out";
  const std::string both =
      seeds_agree() ? "" : fmt::format(" ({}; {})", to_string(nominal.found.is), to_string(*by_another_seed));
  return fmt::format("| {} | {} | {} | {} | {}{} | {}{} | {} | {} |\n", about.id, about.section, nominal.platform,
                     about.says, nominal.letter, mark, verdict(), both, over_ranges, nominal.found.sentence);
}

std::string head_of_rows() {
  return "| # | section | platform | claim | class | verdict | over the ranges | the simulation says |\n"
         "|--:|---|---|---|---|---|---|---|\n";
}

void ledger::add(const row& r) {
  ++by_origin_[r.origin()][r.verdict()];
  if (!r.predicted()) return;
  ++by_class_[fmt::format("class {}, predicted", r.nominal.letter)][r.verdict()];
  const std::string stands =
      !r.seeds_agree() || r.over_ranges == r.verdict() ? r.verdict() : "depends on assumed constants";
  ++over_ranges_[r.origin() + ", at all four corners that were tried"][stands];
}

std::string ledger::text() const { return lines(by_origin_) + "\n" + lines(over_ranges_) + "\n" + lines(by_class_); }

std::string constants_of(const std::vector<std::string>& machines) {
  std::string text;
  for (const std::string& name : machines) {
    std::map<std::string, std::size_t> kinds;
    const simulator::model m = simulator::load_model(name);
    for (const simulator::knob& k : m.knobs()) ++kinds[k.kind];
    text += line("constants of " + name, kinds);
  }
  return text;
}

}  // namespace synchro::simulate
