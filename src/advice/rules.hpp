// What is advised where nothing was measured: what the literature and this documentation say, each with its source.

#ifndef SYNCHRO_ADVICE_RULES_HPP
#define SYNCHRO_ADVICE_RULES_HPP

#include <string>

#include "advice/known.hpp"
#include "advice/recommendation.hpp"
#include "advice/workload.hpp"

namespace synchro::advice {

/// SSYNC is David, Guerraoui, Trigonakis: Everything You Always Wanted to Know about Synchronization but Were Afraid to Ask,
/// SOSP 2013; the other four are the articles that docs/advise.md names.
struct rule {
  const char* source;  ///< "SSYNC 6.1.2"
  std::string says;    ///< A clause: "queue locks hold out better than simple ones where many want one lock"
};

/// Why a rule answers.
inline constexpr const char* not_measured = "No measurement here";

/// "No measurement here; the rule of SSYNC 6.1.2: ..."
[[nodiscard]] recommendation by_rule(const char* topic, std::string take, const rule& r,
                                     const std::string& why = not_measured);

[[nodiscard]] recommendation lock_by_rule(const workload& w, const known& k, const std::string& why = not_measured);

/// A rule that answers in place of a measurement that is too uncertain, with the command that measures `what` again.
[[nodiscard]] recommendation to_be_repeated(recommendation by_rule, const known& k, const std::string& what);
/// Why it does: "The measurement is too uncertain: SEEN".
[[nodiscard]] std::string too_uncertain(const std::string& seen);

}  // namespace synchro::advice

#endif
