// Cells of the experiments as the tests of their views need them.

#ifndef SYNCHRO_TESTS_VIEWS_CELLS_HPP
#define SYNCHRO_TESTS_VIEWS_CELLS_HPP

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "results/samples.hpp"

namespace synchro::views {

using results::samples::around;
using results::samples::complete_document;
using results::samples::made;
using results::samples::whole;

using list = std::vector<results::cell>;

/// On two processors.
inline results::document on_two(list all) {
  results::document d = complete_document(std::move(all));
  d.topology["processors"] = {0, 1};
  return d;
}

inline results::cell local(const std::string& level, double ns, double half_width = 0.01) {
  return made("coherence.local", {{"level", level}}, "latency", "ns", around(ns, half_width));
}

inline results::cell pair(int from, int to, double ns, double half_width = 0.01) {
  return made("coherence.pairs", {{"from", whole(from)}, {"to", whole(to)}, {"protocol", "cas"}}, "latency", "ns",
              around(ns, half_width));
}

inline results::cell access(const std::string& operation, const std::string& distance, double ns,
                            const std::string& state = "modified") {
  return made("coherence.states", {{"operation", operation}, {"state", state}, {"distance", distance}}, "latency", "ns",
              around(ns));
}

inline results::cell of_lock(const std::string& lock, int threads, const std::string& metric, const std::string& unit,
                             double value, double half_width = 0.01) {
  return made("locks.throughput",
              {{"lock", lock}, {"locks", whole(1)}, {"threads", whole(threads)}, {"protocol", "saturated"}}, metric,
              unit, around(value, half_width),
              metric == "throughput" ? results::better::higher : results::better::lower);
}
/// By the time of a hand-off.
inline results::cell contender(const std::string& lock, int threads, double ns, double half_width = 0.01) {
  return of_lock(lock, threads, "handoff_time", "ns", ns, half_width);
}
inline results::cell rate(const std::string& lock, int threads, double per_second, double half_width = 0.01) {
  return of_lock(lock, threads, "throughput", "op/s", per_second, half_width);
}

/// With one sleeper.
inline results::cell wake(const std::string& primitive, const std::string& metric, const std::string& unit,
                          double value) {
  return made("wake.broadcast", {{"primitive", primitive}, {"threads", whole(1)}}, metric, unit, around(value));
}

/// Disturbed at other times than its neighbours: what is about equal cannot be told apart.
inline results::cell disturbed(results::cell c) {
  std::reverse(c.samples.begin(), c.samples.end());
  summarize(c);
  return c;
}

}  // namespace synchro::views

#endif
