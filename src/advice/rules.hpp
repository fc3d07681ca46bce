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

/// "No measurement here; the rule of SSYNC 6.1.2: ..."
[[nodiscard]] recommendation by_rule(const char* topic, std::string take, const rule& r);

[[nodiscard]] recommendation lock_by_rule(const workload& w, const known& k);

}  // namespace synchro::advice

#endif
