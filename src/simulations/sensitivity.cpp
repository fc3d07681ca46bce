#include "simulations/sensitivity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/json_fields.hpp"
#include "results/units.hpp"
#include "simulations/ranges.hpp"
#include "simulator/model.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulations {

namespace {

using claims::verdict;

std::string median_factor(const std::vector<claims::deviation>& all) {
  std::vector<double> factors;
  for (const claims::deviation& d : all) factors.push_back(d.factor());
  return factors.empty() ? "-" : results::significant(results::median(factors), 3);
}

std::string counted(const std::vector<std::string>& ids) {
  return ids.empty() ? "0" : fmt::format("{}: {}", ids.size(), fmt::join(ids, ", "));
}

}  // namespace

std::map<std::string, std::vector<std::string>> constants_with_a_range(const std::vector<std::string>& machines) {
  std::map<std::string, std::vector<std::string>> all;
  for (const std::string& name : machines) {
    const simulator::model m = simulator::load_model(name);
    for (const simulator::knob& k : m.knobs())
      if (k.kind == "assumed" && k.least < k.most)
        all[k.name].push_back(fmt::format("{} {:g} ({:g} to {:g})", name, k.value, k.least, k.most));
  }
  return all;
}

effect effect_of(const std::string& constant, bool most, const std::vector<said>& of, std::uint64_t seed) {
  effect e{constant, most, {}, {}, {}, {}, {}};
  prover moved{seed, [&](const nlohmann::ordered_json& model) { return at_end(model, constant, most); }};
  for (const auto& [about, nominal] : of) {
    const claims::finding now = score_of(about, moved).found;
    const verdict before = nominal.found.is;
    if (now.is != before)
      (before == verdict::holds ? e.lost : now.is == verdict::holds ? e.gained : e.other).emplace_back(about.id);
    if (!nominal.found.off || !now.off) continue;
    e.off_as_it_is.push_back(*nominal.found.off), e.off_now.push_back(*now.off);
  }
  return e;
}

std::string head_of_effects() {
  return "| constant | models, value and range | source of the range | end | verdicts lost | gained | changed "
         "otherwise | "
         "median deviation, before and now |\n"
         "|---|---|---|---|---|---|---|--:|\n";
}

std::string in_words(const effect& e, const std::vector<std::string>& machines) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {}, {} |\n", e.constant, fmt::join(machines, "; "),
                     source_of_range(e.constant), e.most ? "most" : "least", counted(e.lost), counted(e.gained),
                     counted(e.other), median_factor(e.off_as_it_is), median_factor(e.off_now));
}

}  // namespace synchro::simulations
