#include "advice/waking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "advice/locks.hpp"
#include "advice/place.hpp"
#include "advice/rules.hpp"
#include "experiments/throttle/best_throttle.hpp"
#include "experiments/wakes/wake_table.hpp"
#include "results/experiment_names.hpp"
#include "results/text.hpp"
#include "views/findings.hpp"

namespace synchro::advice {

using claims::cells;
using results::cell;

namespace {

const experiments::wake_row* wake_of(const cell& c) {
  const std::string name = claims::word_at(c, "primitive");
  const auto& all = experiments::all_wakes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& row) { return row.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// The primitives that this program has; where threads have to sleep, or share processors, those that sleep.
cells admitted(cells all, const workload& w, const known& k) {
  const bool sleeping = w.sleeps || k.shares_processors(w.threads);
  std::erase_if(all, [&](const cell* c) {
    const auto* const row = wake_of(*c);
    return row == nullptr || (sleeping && !row->sleeps);
  });
  return all;
}

std::vector<const cell*> best_first(cells all) {
  std::stable_sort(all.begin(), all.end(), [](const cell* a, const cell* b) {
    return a->direction == results::better::higher ? *a->value > *b->value : *a->value < *b->value;
  });
  return all;
}

claims::place as_usual() {
  using claims::absent_or, claims::is;
  return {absent_or(is("placement", "compact")), absent_or(is("priority", "default")),
          absent_or(is("sample", "usual"))};
}

constexpr double worth_a_change = 1.1;

/// The best of several, what it is ahead of, and what that says of how sure it is.
void judge(recommendation& r, const std::vector<const cell*>& all, const char* axis) {
  const cell &best = *all.front(), &worst = *all.back();
  const auto lead = all.size() > 1 ? lead_of(best, *all[1], all.size()) : std::nullopt;
  const auto span = lead_of(best, worst, all.size());
  const bool resolvable = span && span->ci;
  r.matters = is_ahead(span);
  r.figures.push_back(without_samples(best));
  if (all.size() > 1) r.figures.push_back(without_samples(*all[1]));
  if (all.size() > 2) r.figures.push_back(without_samples(worst));
  r.sure =
      !resolvable ? confidence::low : no_surer_than(r.figures, is_ahead(lead) ? confidence::high : confidence::medium);
  if (all.size() < 2) return;
  r.runner_up = word(*all[1], axis);
  r.because += fmt::format(" Next: {}, {}{}.", r.runner_up, figure(*all[1]),
                           !resolvable || is_ahead(lead) ? "" : "; no difference is resolved, take either");
  if (all.size() > 2)
    r.because += fmt::format(" The worst of {}: {}, {}.", all.size(), word(worst, axis), bare_figure(worst));
  if (!resolvable) r.because += fmt::format(" There are {}.", too_few);
  if (resolvable && !r.matters)
    r.because += are_equal(span, worth_a_change) ? " It does not matter which." : fmt::format(" {}.", cannot_tell);
}

/// Why such figures choose nothing: the best one's interval is too wide to be told, or nothing is resolved and a large difference
/// left open. Empty if they may choose.
std::string why_not(const std::vector<const cell*>& all, const char* axis) {
  const cell &best = *all.front(), &worst = *all.back();
  const auto span = lead_of(best, worst, all.size());
  if (views::is_telling(best) && !says_nothing(span)) return "";
  return too_uncertain(fmt::format("{} with {}{}", figure(best), word(best, axis),
                                   all.size() < 2     ? ""
                                   : span && span->ci ? fmt::format(", {} with {}", figure(worst), word(worst, axis))
                                                      : fmt::format("; there are {}", too_few)));
}

std::string threads_there(const cell& c, const char* noun) {
  const auto n = claims::number_at(c, "threads");
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

/// Calls on one line, with the numbers of threads and the work between that are nearest.
cells calls_like(const workload& w, const known& k) {
  const cells all = with_about(k.cells().find(results::experiment_names::delegation_throughput, "throughput",
                                              as_usual() + claims::place{claims::is("lines", 1)}),
                               w.threads, k);
  const auto gaps = claims::numbers_of(all, "gap");
  const auto far = [&](std::int64_t gap) {
    return octaves({.gap_ns = static_cast<double>(gap) * k.cycle_ns()}, {.gap_ns = w.gap_ns});
  };
  const auto nearest = std::min_element(gaps.begin(), gaps.end(), [&](auto a, auto b) { return far(a) < far(b); });
  return nearest == gaps.end() ? all : claims::those(all, {claims::is("gap", *nearest)});
}

recommendation waking_by_rule(const workload& w, const known& k, const std::string& why = not_measured) {
  if (k.shares_processors(w.threads) || w.sleeps)
    return by_rule("waking", "event_group",
                   {"docs/wakes/README.md",
                    "one call for each group, again and again; a spin burns a processor for "
                    "each sleeper, and is the slowest where threads share processors"},
                   why);
  return by_rule("waking", "event/spin",
                 {"Comparing synchronization methods on Windows", "spins wake fastest; they burn processor time"}, why);
}

std::int64_t sleepers_of(const workload& w) { return std::max<std::int64_t>(1, w.threads - 1); }

recommendation group_by_rule(const workload& w, const std::string& why = not_measured) {
  if (sleepers_of(w) <= 5)
    return by_rule("group", "one object", {"docs/wakes/README.md", "few sleepers need no groups"}, why);
  return by_rule("group", "5 sleepers an object",
                 {"Comparing synchronization methods on Windows",
                  "an event for each 5 threads beat one event for 11 as well as one for each"},
                 why);
}

recommendation permits_by_rule(const known& k, const std::string& why = not_measured) {
  return by_rule("permits", fmt::format("{} permits", k.cores()),
                 {"Semaphore throttle", "as many as there are cores; others found no gain with its program"}, why);
}

recommendation forking_by_rule(std::int64_t threads, const std::string& why = not_measured) {
  return by_rule("forking", fmt::format("jobs from {}", views::time_text(50e3 * static_cast<double>(threads))),
                 {"Multi-Threading for Experts: Synchronization",
                  "dividing pays only if the sequential time of each thread's share exceeds about 50 us"},
                 why);
}

}  // namespace

recommendation waking_for(const workload& w, const known& k) {
  const cells all =
      with_about(admitted(k.cells().find(results::experiment_names::wake_broadcast, "wake_last", as_usual()), w, k),
                 sleepers_of(w), k, 1);
  if (all.empty()) return waking_by_rule(w, k);
  const auto ordered = best_first(all);
  if (const std::string why = why_not(ordered, "primitive"); !why.empty())
    return to_be_repeated(waking_by_rule(w, k, why), k, results::experiment_names::wake_broadcast);
  const cell& best = *ordered.front();
  recommendation r{"waking", word(best, "primitive"), ""};
  r.because = fmt::format("The last of {} has started after {}{}.", threads_there(best, "sleeper"), figure(best),
                          wake_of(best)->sleeps ? "" : "; it burns a processor for each that waits");
  judge(r, ordered, "primitive");
  const auto sleeping = std::find_if(ordered.begin(), ordered.end(), [](const cell* c) { return wake_of(*c)->sleeps; });
  if (!wake_of(best)->sleeps && sleeping != ordered.end()) {
    r.because += fmt::format(" Asleep, the fastest is {}, {}.", word(**sleeping, "primitive"), bare_figure(**sleeping));
    r.figures.push_back(without_samples(**sleeping));
  }
  return r;
}

recommendation group_for(const workload& w, const known& k) {
  const cells bests =
      with_about(admitted(k.cells().find(results::experiment_names::wake_groups, "wake_best", as_usual()), w, k),
                 sleepers_of(w), k, 1);
  if (bests.empty()) return group_by_rule(w);
  const cell& best = *best_first(bests).front();
  const claims::place there{claims::is("primitive", claims::word_at(best, "primitive")),
                            claims::is("threads", claims::number_at(best, "threads"))};
  const auto one = [&](const char* metric) {
    return k.cells().one(results::experiment_names::wake_groups, metric, as_usual() + there);
  };
  const cell *const size = one("best_group"), *const gain = one("gain");
  const auto worth = gain == nullptr ? std::nullopt : claims::estimate_of(*gain);
  if (gain == nullptr || !views::is_telling(*gain) || says_nothing(worth))
    return to_be_repeated(
        group_by_rule(w, too_uncertain(gain == nullptr ? "what groups gain is not known"
                                                       : fmt::format("the best size gains {}", figure(*gain)))),
        k, results::experiment_names::wake_groups);
  recommendation r{"group", "any size", ""};
  r.figures.push_back(without_samples(best));
  r.matters = size != nullptr && worth && worth->ci && worth->ci->first > 1;
  const std::string who = fmt::format("{} with {}", threads_there(best, "sleeper"), word(best, "primitive"));
  if (r.matters) {
    r.take = fmt::format("{:.0f} sleepers an object", *size->value);
    r.because = fmt::format(
        "For {} that size has the least mean wake time, {}; one object for all or one for each takes {} "
        "times as long.",
        who, figure(best), figure(*gain));
  } else {
    r.because = fmt::format("For {} no size is resolved to beat one object for all or one for each (ratio {}). {}.",
                            who, figure(*gain), is_at_most(worth, worth_a_change) ? "It does not matter" : cannot_tell);
  }
  for (const cell* c : {size, gain})
    if (c != nullptr) r.figures.push_back(without_samples(*c));
  r.sure = !worth || !worth->ci
               ? confidence::low
               : no_surer_than(r.figures,
                               r.matters || is_at_most(worth, worth_a_change) ? confidence::high : confidence::medium);
  return r;
}

recommendation permits_for(const workload& w, const known& k) {
  if (!k.shares_processors(w.threads)) {
    recommendation r{"permits", "no limit",
                     fmt::format("{} threads have a processor each of {}.", w.threads, k.processors())};
    r.rule = "Semaphore throttle: it is about more threads than cores";
    r.matters = false;
    return r;
  }
  const cells times = with_about(k.cells().find(results::experiment_names::throttle_sum, "time"), w.threads, k);
  std::optional<experiments::throttle::throttle_gain> best;
  for (const std::string& variant : claims::words_of(times, "variant")) {
    if (variant == "pool") continue;
    const auto found = experiments::throttle::best_throttle(claims::those(times, {claims::is("variant", variant)}));
    if (found && found->gain && (!best || found->gain->value > best->gain->value)) best = found;
  }
  if (!best)
    return times.empty() ? permits_by_rule(k)
                         : to_be_repeated(permits_by_rule(k, too_uncertain("of no limit the time is sure")), k,
                                          results::experiment_names::throttle_sum);
  const bool gains = best->gain->resolved() && best->gain->value > 1;
  recommendation r{"permits", gains ? fmt::format("{} permits", best->permits) : "no limit",
                   experiments::throttle::in_words(*best)};
  r.matters = gains;
  if (!gains && best->gain->ci)
    r.because += best->gain->ci->second <= worth_a_change ? " It does not matter." : fmt::format(" {}.", cannot_tell);
  const bool shown = gains ? best->certain && best->lead && best->lead->resolved() : best->gain->resolved();
  for (const std::int64_t permits : {best->permits, std::int64_t{0}})
    for (const cell* c : claims::those(times, {claims::is("variant", best->variant), claims::is("permits", permits)}))
      r.figures.push_back(without_samples(*c));
  r.sure = best->gain->ci ? no_surer_than(r.figures, shown ? confidence::high : confidence::medium) : confidence::low;
  return r;
}

recommendation forking_for(const workload& w, const known& k) {
  const std::int64_t threads = std::min(w.threads, k.processors());
  if (threads < 2) {
    recommendation r{"forking", "nothing", "One thread, or one processor, has nobody to divide work with."};
    r.rule = "docs/forkjoin.md";
    return r;
  }
  cells all = k.cells().find(results::experiment_names::forkjoin_breakeven, "pays_from");
  std::erase_if(all, [&](const cell* c) {
    const auto* const row = wake_of(*c);
    return w.sleeps && row != nullptr && !row->sleeps;
  });
  all = with_about(all, threads, k);
  if (all.empty()) return forking_by_rule(threads);
  const auto ordered = best_first(all);
  if (const std::string why = why_not(ordered, "primitive"); !why.empty())
    return to_be_repeated(forking_by_rule(threads, why), k, results::experiment_names::forkjoin_breakeven);
  const cell& best = *ordered.front();
  recommendation r{"forking",
                   fmt::format("jobs from {}, by {}", views::time_text(*best.value), word(best, "primitive")),
                   fmt::format("Among {} dividing is done sooner from {} of sequential time on.",
                               threads_there(best, "thread"), figure(best))};
  judge(r, ordered, "primitive");
  return r;
}

recommendation delegation_for(const workload& w, const known& k) {
  if (w.readers >= 50)
    return by_rule("delegation", "a lock",
                   {"docs/delegation/README.md", "it runs one section at a time, and readers need not"});
  const rule rare{"docs/delegation/README.md", "where contention is rare, or a section long, a lock is cheaper"};
  if (demand(place_of(w)) < 1 || is_hardly_waited_for(w)) {
    recommendation r = by_rule("delegation", "a lock", rare);
    r.because = fmt::format("A lock is {}; the rule of {}: {}.", how_seldom(w), rare.source, rare.says);
    return r;
  }
  const cells all = calls_like(w, k);
  const claims::condition delegates =
      claims::one_of("delegate", {"cc_synch", "cc_synch/park", "dsm_synch", "dsm_synch/park", "flat_combining",
                                  "flat_combining/yield", "delegation_server", "delegation_server/yield"});
  const cell* const lock =
      claims::best(claims::those(all, {{"delegate", [&](const auto* v) { return !delegates.fits(v); }}}));
  const cell* const other = claims::best(claims::those(all, {delegates}));
  if (lock == nullptr || other == nullptr) return by_rule("delegation", "a lock", rare);
  const auto lead = lead_of(*other, *lock, all.size());
  const bool gains = is_ahead(lead);
  if (gains && !(results::is_precise(*other) && results::is_precise(*lock)))
    return to_be_repeated(
        by_rule("delegation", "a lock", rare,
                too_uncertain(fmt::format("{} by {}, {} under {}", figure(*other), word(*other, "delegate"),
                                          figure(*lock), word(*lock, "delegate")))),
        k, results::experiment_names::delegation_throughput);
  recommendation r{"delegation", gains ? word(*other, "delegate") : "a lock", ""};
  r.runner_up = word(gains ? *lock : *other, "delegate");
  r.because = fmt::format("{} on one line: {} by {}, {} under {}: {}.", threads_there(*other, "thread"), figure(*other),
                          word(*other, "delegate"), figure(*lock), word(*lock, "delegate"),
                          lead ? fmt::format("ratio {}", claims::in_words(*lead)) : "no ratio");
  r.matters = gains || (lead && lead->ci && lead->ci->second < 1);
  if (!r.matters) r.because += " No difference is resolved.";
  for (const cell* c : {gains ? other : lock, gains ? lock : other}) r.figures.push_back(without_samples(*c));
  r.sure =
      lead && lead->ci ? no_surer_than(r.figures, r.matters ? confidence::high : confidence::medium) : confidence::low;
  return r;
}

}  // namespace synchro::advice
