// A judgement in sentences, and as JSON for pages and scripts.

#ifndef SYNCHRO_FLEET_TOLD_HPP
#define SYNCHRO_FLEET_TOLD_HPP

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fleet/judgement.hpp"

namespace synchro::fleet {

/// "worse by 38 %", "better by a factor of 3.1": of a distance between logarithms.
[[nodiscard]] std::string by_how_much(double by, const char* more, const char* less);

/// What a host that is called differs in, without its name: one sentence without its full stop, the common cause before its parts.
[[nodiscard]] std::string sentence_of(const gathered& all, const group& g, const host_verdict& v);

/// What several hosts that are called have in common, and most of their like have not: sentences.
[[nodiscard]] std::vector<std::string> common_causes(const gathered& all, const judgement& j);

/// What the rate is kept over.
[[nodiscard]] std::string bound_of(const judgement& j);
/// So many are named; the others are counted.
constexpr std::size_t most_named = 3;
/// Names of hosts of the group by their places.
[[nodiscard]] std::string names_of(const gathered& all, const group& g, const std::vector<std::size_t>& places,
                                   std::size_t most = most_named);
/// Why nobody of the group can be called; empty if somebody can.
[[nodiscard]] std::string why_not_judged(const group& g);
/// Where more than half of the hosts of a model were measured on the same number of processors and are judged: those of the
/// group, if it has another number. They may have been measured wrongly, for example bound to one processor. Otherwise empty.
[[nodiscard]] std::string other_processors(const gathered& all, const judgement& j, const group& g);
/// Both.
[[nodiscard]] std::string remark_on(const gathered& all, const judgement& j, const group& g);
/// "AMD EPYC, 2 processors".
[[nodiscard]] std::string name_of(const group& g);

/// A fact in which few hosts of a group differ from most, those hosts together.
struct few_hosts {
  std::size_t group;
  unlike_fact fact;
  std::vector<std::size_t> hosts;  ///< Places in the group.
};
[[nodiscard]] std::vector<few_hosts> facts_of_few(const judgement& j);

/// Schema "synchroscope-fleet/1" (docs/fleet.md).
[[nodiscard]] nlohmann::ordered_json to_json(const gathered& all, const judgement& j, std::size_t files);

}  // namespace synchro::fleet

#endif
