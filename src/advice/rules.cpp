#include "advice/rules.hpp"

#include <fmt/format.h>

#include <utility>

#include "advice/locks.hpp"
#include "advice/place.hpp"

namespace synchro::advice {

namespace {

constexpr const char* which_one = "docs/locks/README.md";
constexpr const char* contended = "SSYNC 6.1.2";

struct choice {
  const char* lock;
  rule why;
};

choice with_readers(const workload& w) {
  if (w.sleeps && w.fair)
    return {"mcs/park",
            {which_one, "no lock here sleeps, is fair and knows readers; this one serves them in their order"}};
  if (w.fair) return {"phase_fair", {which_one, "readers and writers take turns, so each wait is bounded"}};
  return {"shared_mutex", {which_one, "for many readers and few writers"}};
}

choice without_readers(const workload& w, const known& k) {
  constexpr std::int64_t a_handful = 4;
  if (k.shares_processors(w.threads))
    return w.fair ? choice{"mcs/park", {which_one, "waiters in their order, and more threads than processors"}}
                  : choice{"mutex", {contended, "where threads share processors a mutex is better than spinning"}};
  if (w.sleeps)
    return w.fair ? choice{"mcs/park", {which_one, "waiters in their order, asleep"}}
                  : choice{"mutex", {which_one, "a lock, and nothing special about it"}};
  constexpr double a_wake_up_ns = 50e3;
  if (w.critical_ns > a_wake_up_ns && demand(place_of(w)) >= seldom_wanted)
    return {w.fair ? "mcs/park" : "mutex",
            {"Karlin et al. (SOSP 1991)",
             "spin for as long as a wake-up takes, then sleep; sections are longer than that"}};
  if (w.threads == 1 || demand(place_of(w)) < seldom_wanted)
    return w.fair ? choice{"ticket", {contended, "where locks are seldom wanted, simple ones match complex ones"}}
                  : choice{"mutex", {which_one, "a lock, and nothing special about it"}};
  if (w.threads <= a_handful) return {"ticket", {contended, "of the simple locks the ticket lock holds out best"}};
  return {"mcs", {contended, "under contention queue locks hold out better than simple ones"}};
}

}  // namespace

recommendation by_rule(const char* topic, std::string take, const rule& r, const std::string& why) {
  recommendation one{topic, std::move(take), fmt::format("{}; the rule of {}: {}.", why, r.source, r.says)};
  one.rule = r.source;
  return one;
}

recommendation to_be_repeated(recommendation by_rule, const known& k, const std::string& what) {
  by_rule.because += " " + k.how_to_repeat(what);
  return by_rule;
}

std::string too_uncertain(const std::string& seen) { return "The measurement is too uncertain: " + seen; }

recommendation lock_by_rule(const workload& w, const known& k, const std::string& why) {
  const choice c = w.readers > 0 ? with_readers(w) : without_readers(w, k);
  recommendation r = by_rule("lock", c.lock, c.why, why);
  if (w.readers > 0 && k.shares_processors(w.threads) && std::string{c.lock} == "phase_fair") {
    r.take = "phase_fair/yield";
    r.because += " Its waiters yield, because threads share processors.";
  }
  return r;
}

}  // namespace synchro::advice
