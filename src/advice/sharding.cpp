#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "advice/locks.hpp"
#include "advice/rules.hpp"
#include "statistics/statistics.hpp"
#include "views/findings.hpp"

namespace synchro::advice {

using results::cell;

namespace {

constexpr double worth_it = 1.10;
constexpr const char* as_it_is = "the locks there are";

/// What the best lock does there; null if none is admitted.
const cell* best_of(const comparison& c, const workload& w) {
  const cell* best = nullptr;
  for (const auto& [lock, rate] : c.locks)
    if (admits(w, lock) && (best == nullptr || *rate->value > *best->value)) best = rate;
  return best;
}

/// Among how many the best of some places are found.
std::size_t looked_at(const std::vector<comparison>& all, const workload& w) {
  std::size_t n = 0;
  for (const comparison& c : all)
    n += static_cast<std::size_t>(
        std::count_if(c.locks.begin(), c.locks.end(), [&](const auto& lock) { return admits(w, lock.first); }));
  return n;
}

/// The same in all but the number of locks.
bool differ_in_locks_alone(const place& a, const place& b) {
  place same = a;
  same.locks = b.locks;
  return octaves(same, b) < 0.05;
}

recommendation sharding_by_rule(const workload& w, const std::string& why = not_measured) {
  constexpr double times = 4;
  const double between = w.gap_ns / held_ns(place_of(w));
  const auto busy = [&](double locks) { return results::busy_locks(locks, static_cast<double>(w.threads), between); };
  const double now = busy(static_cast<double>(w.locks)), then = busy(times * static_cast<double>(w.locks));
  const bool gains = then >= worth_it * now;
  recommendation r =
      by_rule("sharding", gains ? "more locks, if the data can be divided" : as_it_is,
              {"the machine-repairman's bound (docs/simulation.md)",
               fmt::format("{} threads with {} between keep {:.2f} of {} busy, and {:.2f} of {} times as many",
                           w.threads, views::time_text(w.gap_ns), now,
                           w.locks == 1 ? "1 lock" : fmt::format("{} locks", w.locks), then, times)},
              why);
  r.matters = gains;
  return r;
}

/// With several locks, from few to many.
std::vector<comparison> by_locks(const workload& w, const known& k) {
  workload at_once = w;
  at_once.gap_ns = 0;  // the rates are asked for, also where the time of a hand-off would say which lock to take
  std::vector<comparison> all = comparisons_for(at_once, k);
  std::erase_if(all, [&](const comparison& c) { return best_of(c, w) == nullptr; });
  if (all.empty()) return all;
  const auto far = [&](const comparison& c) { return octaves(c.where, place_of(w)); };
  const place nearest =
      std::min_element(all.begin(), all.end(), [&](auto& a, auto& b) { return far(a) < far(b); })->where;
  std::erase_if(all, [&](const comparison& c) {
    return c.where.locks < nearest.locks || !differ_in_locks_alone(c.where, nearest);
  });
  std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.where.locks < b.where.locks; });
  return all;
}

}  // namespace

recommendation sharding_for(const workload& w, const known& k) {
  const double wanted = demand(place_of(w));
  if (w.threads == 1 || wanted < seldom_wanted || is_hardly_waited_for(w)) {
    recommendation r{"sharding", as_it_is, fmt::format("Each lock is {}.", how_seldom(w))};
    r.rule = "utilization law";
    r.matters = false;
    return r;
  }
  const std::vector<comparison> all = by_locks(w, k);
  if (all.size() < 2) return sharding_by_rule(w);
  const cell* const now = best_of(all.front(), w);
  const auto rate = [&](const comparison& c) { return *best_of(c, w)->value; };
  const double most =
      rate(*std::max_element(all.begin(), all.end(), [&](auto& a, auto& b) { return rate(a) < rate(b); }));
  const auto enough = std::find_if(all.begin(), all.end(), [&](auto& c) { return rate(c) * worth_it >= most; });
  const cell* const then = best_of(*enough, w);
  const auto ahead = [&, among = looked_at(all, w)](const cell& c) { return lead_of(c, *now, among); };
  const auto lead = ahead(*then);
  const bool open = enough == all.begin() && std::any_of(all.begin() + 1, all.end(), [&](const comparison& c) {
                      return says_nothing(ahead(*best_of(c, w)));
                    });
  if (open || !results::is_precise(*now) || !results::is_precise(*then) || says_nothing(lead))
    return to_be_repeated(
        sharding_by_rule(
            w, too_uncertain(fmt::format("with {} the best does {}, with {:.0f} locks {}", in_words(all.front().where),
                                         figure(*now), all.back().where.locks, figure(*best_of(all.back(), w))))),
        k, run_of(w, k));
  recommendation r{"sharding", as_it_is, ""};
  r.matters = enough != all.begin() && is_ahead(lead, worth_it);
  if (r.matters) r.take = fmt::format("{:.0f} locks, if the data can be divided", enough->where.locks);
  const place& from = all.front().where;
  r.because = r.matters ? fmt::format("With {}: {} at best; with {:.0f} locks {}, {}.", in_words(from), figure(*now),
                                      enough->where.locks, figure(*then), "ratio " + claims::in_words(*lead))
                        : fmt::format(
                              "With {} the best does {}; up to {:.0f} locks no more than 10 % is resolved to be "
                              "gained.",
                              in_words(from), figure(*now), all.back().where.locks);
  for (const cell* c : {r.matters ? then : now, r.matters ? now : then}) r.figures.push_back(without_samples(*c));
  const bool sure = r.matters || std::all_of(all.begin() + 1, all.end(), [&](const comparison& c) {
                      return is_at_most(ahead(*best_of(c, w)), worth_it);
                    });
  r.sure = no_surer_than(r.figures, sure && octaves(from, place_of(w)) <= 1 ? confidence::high : confidence::medium);
  return r;
}

}  // namespace synchro::advice
