#include "advice/locks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "advice/rules.hpp"
#include "experiments/locks/lock_table.hpp"
#include "results/experiment_names.hpp"
#include "results/interval.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "views/findings.hpp"

namespace synchro::advice {

using claims::estimate;
using results::cell;

namespace {

constexpr std::size_t asked_places = 4;
constexpr double the_very_place = 0.1, near_octaves = 1, far_octaves = 3;
/// Less than this is no reason for a lock that takes more memory, or that others have rights in.
constexpr double worth_having = 0.03, worth_rights = 0.10;
constexpr double worth_saying = 1.10;  // below, which lock it is does not matter

/// A place, and how far it is.
struct asked {
  comparison here;
  double octaves;
};

/// A lock, and what it loses in the mean: the logarithm of its speed over that of the best.
struct contender {
  std::string lock;
  double score;
};

double speed(const cell& c) { return c.direction == results::better::higher ? *c.value : 1 / *c.value; }

/// The nearest places, or the very one if it was measured; all have the locks that the first has and the workload admits.
std::vector<asked> nearest_places(const workload& w, const known& k) {
  std::vector<asked> all;
  for (comparison& one : comparisons_for(w, k)) {
    std::erase_if(one.locks, [&](const auto& lock) { return !admits(w, lock.first) || !(*lock.second->value > 0); });
    const double far = octaves(one.where, place_of(w));
    if (one.locks.size() > 1) all.push_back({std::move(one), far});
  }
  std::stable_sort(all.begin(), all.end(), [](const asked& a, const asked& b) { return a.octaves < b.octaves; });
  const auto lacks_one = [&](const asked& a) {
    return std::any_of(all.front().here.locks.begin(), all.front().here.locks.end(),
                       [&](const auto& lock) { return !a.here.locks.contains(lock.first); });
  };
  if (all.empty()) return all;
  const std::size_t asked_for = all.front().octaves < the_very_place ? 1 : asked_places;
  std::vector<asked> nearest;
  for (const asked& a : all)
    if (nearest.size() < asked_for && !lacks_one(a)) nearest.push_back(a);
  return nearest;
}

/// The locks of the nearest place, the best first.
std::vector<contender> ranked(const std::vector<asked>& places) {
  constexpr double keeps_weights_finite = 0.1;
  std::vector<contender> all;
  for (const auto& [lock, c] : places.front().here.locks) all.push_back({lock, 0});
  double weights = 0;
  for (const asked& a : places) {
    const double weight = 1 / (keeps_weights_finite + a.octaves * a.octaves);
    double best = 0;
    for (const contender& c : all) best = std::max(best, speed(*a.here.locks.at(c.lock)));
    for (contender& c : all) c.score += weight * std::log(speed(*a.here.locks.at(c.lock)) / best);
    weights += weight;
  }
  for (contender& c : all) c.score /= weights;
  std::stable_sort(all.begin(), all.end(), [](const contender& a, const contender& b) { return a.score > b.score; });
  return all;
}

/// Bytes of a lock with a waiter and a holder, which is what decides between equals.
std::size_t bytes_of(const lock_description& d) {
  return d.bytes_per_lock + d.bytes_per_thread + 2 * d.bytes_per_held_lock;
}

/// For a lock that is hardly waited for, where no figure says what a free one costs, or threads share processors: then none tells
/// of a holder that waits for one.
recommendation free_lock_by_rule(const workload& w, const known& k) {
  workload seldom = w;
  seldom.gap_ns = 1e9;
  recommendation r = lock_by_rule(seldom, k);
  r.matters = false;
  r.rule = "docs/profile.md";
  r.because = fmt::format(
      "It is nearly always free ({}), so a lock with a faster hand-off saves no more than that. Only what a free lock "
      "costs could still matter ({}, which {}).",
      how_seldom(w), results::experiment_names::locks_uncontested,
      k.shares_processors(w.threads) ? "says nothing about threads that share processors" : "was not measured");
  return r;
}

/// What a choice among free locks saves at most of a round, as far as the intervals say; nothing without them.
std::optional<double> most_saved(const cell& best, const cell& worst, double round) {
  if (!best.ci || !worst.ci) return std::nullopt;
  return (worst.ci->second - best.ci->first) / round;
}

/// Of a free lock whose cost is too uncertain to choose by.
recommendation free_lock_in_doubt(const workload& w, const known& k, const cell& best) {
  workload seldom = w;
  seldom.gap_ns = 1e9;
  const std::string seen = fmt::format("a free lock takes {} with {}", figure(best), word(best, "lock"));
  return to_be_repeated(lock_by_rule(seldom, k, too_uncertain(seen)), k, results::experiment_names::locks_uncontested);
}

/// Which of these cannot be told from the choice, whoever looks at all of them, and the next, if that does better: a choice may
/// take less memory, or be better at other places.
std::string beside(const cell& mine, const cell& next, const claims::cells& all) {
  const bool behind = speed(next) > speed(mine) && views::differ(next, mine, all.size());
  return views::rivals(views::tied_with(mine, all), "lock") +
         (behind ? fmt::format("; with {} {}{}", word(next, "lock"), figure(next),
                               results::is_precise(next) ? "" : ", which is doubtful")
                 : "");
}

/// For locks that are nearly always free, the cost of taking one decides: measured where another thread held it last, as far
/// away as was measured.
std::optional<recommendation> free_lock_for(const workload& w, const known& k) {
  const char* const experiment = results::experiment_names::locks_uncontested;
  claims::cells pairs = k.cells().find(experiment, "pair");
  std::erase_if(pairs, [&](const cell* c) { return !admits(w, claims::word_at(*c, "lock")); });
  const auto distances = claims::words_of(pairs, "distance");
  if (distances.empty()) return std::nullopt;
  double most = 0;
  std::string farthest;
  for (const std::string& d : distances)
    if (const cell* const c = claims::best(claims::those(pairs, {claims::is("distance", d)})); *c->value > most)
      most = *c->value, farthest = d;
  claims::cells there = claims::those(pairs, {claims::is("distance", farthest)});
  if (there.size() < 2) return std::nullopt;
  std::stable_sort(there.begin(), there.end(), [](const cell* a, const cell* b) { return *a->value < *b->value; });
  const cell &best = *there.front(), &next = *there[1], &worst = *there.back();
  const double round = w.critical_ns + w.gap_ns + *best.value;
  recommendation r{"lock", claims::word_at(best, "lock"), "", claims::word_at(next, "lock")};
  r.matters = is_ahead(lead_of(best, worst, there.size())) && (*worst.value - *best.value) / round > worth_saying - 1;
  const bool equal = most_saved(best, worst, round).value_or(1) <= worth_saying - 1;
  if (!equal && !results::is_precise(best)) return free_lock_in_doubt(w, k, best);
  r.because = fmt::format(
      "It is nearly always free ({}), so what counts is taking a free one that another thread held last: {} with {}, "
      "{} with {}, {} with {}. The most that a choice can save is {} % of a round of {}.{}",
      how_seldom(w), figure(best), word(best, "lock"), figure(next), word(next, "lock"), figure(worst),
      word(worst, "lock"), results::two_digits(100 * (*worst.value - *best.value) / round), views::time_text(round),
      r.matters ? ""
      : equal   ? " It does not matter which."
                : fmt::format(" {}.", cannot_tell));
  r.beside = beside(best, next, there);
  for (const cell* c : {&best, &next, &worst}) r.figures.push_back(without_samples(*c));
  r.sure =
      no_surer_than(r.figures, is_ahead(lead_of(best, next, there.size())) ? confidence::high : confidence::medium);
  return r;
}

/// Among the locks next to the best, the one without rights of others, and then the one that takes the least memory,
/// comes first.
void prefer_the_simple(std::vector<contender>& all) {
  const double best = all.front().score;
  const auto close = [&](const contender& c, double share) { return c.score >= best + std::log(1 - share); };
  auto chosen = all.begin();
  const auto free_of_rights = [](const contender& c) { return facts_of(c.lock)->words.rights.empty(); };
  if (!free_of_rights(*chosen))
    if (const auto other = std::find_if(all.begin(), all.end(), free_of_rights);
        other != all.end() && close(*other, worth_rights))
      chosen = other;
  for (auto c = all.begin(); c != all.end() && free_of_rights(*chosen); ++c)
    if (close(*c, worth_having) && free_of_rights(*c) &&
        bytes_of(*facts_of(c->lock)) < bytes_of(*facts_of(chosen->lock)))
      chosen = c;
  std::rotate(all.begin(), chosen, chosen + 1);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// "1.31 (1.28 to 1.34) times as good as"
std::string lead_in_words(const std::optional<estimate>& lead) {
  if (!lead || !lead->ci) return "not resolved to be better than";
  const auto text = [](double v) { return fmt::format("{:.2f}", v); };
  return results::with_interval(lead->value, lead->ci->first, lead->ci->second, text) + " times as good as";
}

std::string how_it_waits(const std::string& lock) {
  const auto& row = experiments::find_lock(lock);
  const fairness fair = row.what.words.fair;
  return fmt::format("{}, {}",
                     row.what.parks     ? "waiters sleep"
                     : row.only_spins() ? "waiters spin"
                                        : "waiters yield",
                     fair == fairness::first_come ? "first come, first served"
                     : fair == fairness::bounded  ? "bounded overtaking"
                                                  : "any order");
}

/// The best and the worst of a place.
std::pair<const cell*, const cell*> ends_of(const comparison& c) {
  const auto slower = [](const auto& a, const auto& b) { return speed(*a.second) < speed(*b.second); };
  const auto [worst, best] = std::minmax_element(c.locks.begin(), c.locks.end(), slower);
  return {best->second, worst->second};
}

/// How many times as good the best of a place is as the worst: the two are chosen by looking at all of them.
std::optional<estimate> span_of(const comparison& c) {
  const auto [best, worst] = ends_of(c);
  return lead_of(*best, *worst, c.locks.size());
}

/// That the choice makes no difference is sure where best and worst differ by less than a tenth, wherever in its interval
/// their ratio lies.
bool surely_equal(const std::vector<asked>& places) {
  return std::all_of(places.begin(), places.end(),
                     [](const asked& a) { return are_equal(span_of(a.here), worth_saying); });
}

/// Unreliable values choose nothing, nor do those of which none is resolved and that leave a large difference open: between
/// the best and the worst, or between the choice and the lock that a rule names.
bool may_choose(const comparison& here, const cell& mine, const std::string& of_the_rule) {
  if (!results::is_precise(mine) || says_nothing(span_of(here))) return false;
  const auto other = here.locks.find(of_the_rule);
  return other == here.locks.end() || other->second == &mine ||
         !says_nothing(lead_of(*other->second, mine, here.locks.size()));
}

/// What such figures say.
std::string seen_there(const comparison& here, const cell& mine) {
  const auto [best, worst] = ends_of(here);
  const auto lead = span_of(here);
  return fmt::format("at {}, {} {} with {}; {}", in_words(here.where),
                     mine.metric == "throughput" ? "a lock is taken" : "a hand-off takes", figure(mine),
                     word(mine, "lock"),
                     lead && lead->ci ? fmt::format("the best, {}, is {} the worst, {}", word(*best, "lock"),
                                                    lead_in_words(lead), word(*worst, "lock"))
                                      : fmt::format("of {} locks there are {}", here.locks.size(), too_few));
}

/// The confidence in a choice that is resolved, or is known to make no difference, by figures of which each that weighed is sure.
confidence surety(const std::vector<asked>& places, const std::vector<contender>& all, bool resolved) {
  const asked& nearest = places.front();
  if (nearest.octaves > far_octaves) return confidence::low;
  const bool sure = std::all_of(places.begin(), places.end(), [&](const asked& a) {
    return results::is_precise(*a.here.locks.at(all[0].lock)) && results::is_precise(*a.here.locks.at(all[1].lock));
  });
  return nearest.octaves <= near_octaves && resolved && sure ? confidence::high : confidence::medium;
}

/// What the figures say of the choice, at the nearest place and around it.
std::string reasons(const std::vector<asked>& places, const std::vector<contender>& all, const cell& mine) {
  const asked& nearest = places.front();
  std::string text = how_it_waits(all.front().lock) + ". ";
  text[0] = static_cast<char>(std::toupper(text[0]));
  text += fmt::format("At {}{}: {} {}.", in_words(nearest.here.where),
                      nearest.octaves < the_very_place ? ""
                      : nearest.octaves > far_octaves
                          ? fmt::format(" (the nearest place measured, and {:.1f} octaves off)", nearest.octaves)
                          : ", the nearest place measured",
                      mine.metric == "throughput" ? "taken" : "a hand-off takes", figure(mine));
  if (places.size() > 1)
    text += fmt::format(" Over the {} nearest places it loses {} against the best.", places.size(),
                        percent(1 - std::exp(all.front().score)));
  return text;
}

/// Whether it matters which lock is taken: at one of the places best and worst are resolved to differ by more than a tenth.
bool matters_at_one(const std::vector<asked>& places) {
  return std::any_of(places.begin(), places.end(),
                     [](const asked& a) { return is_ahead(span_of(a.here), worth_saying); });
}

/// The choice against the next and the worst.
std::string rivals(const recommendation& r, const std::vector<asked>& places, const std::vector<contender>& all,
                   const std::optional<estimate>& lead, bool resolved) {
  const auto [best, worst] = ends_of(places.front().here);
  const auto span = span_of(places.front().here);
  if (!span || !span->ci)
    return fmt::format(" Against {}, the next, and {}, the worst there: {}.", r.runner_up, word(*worst, "lock"),
                       too_few);
  if (!r.matters)
    return fmt::format(" {}: the best there, {}, is {} the worst, {}.",
                       surely_equal(places) ? "It does not matter which" : cannot_tell, word(*best, "lock"),
                       lead_in_words(span), word(*worst, "lock"));
  const auto last = std::min_element(all.begin(), all.end(), [](auto& a, auto& b) { return a.score < b.score; });
  return (resolved ? fmt::format(" There it is {} {}", lead_in_words(lead), r.runner_up)
                   : fmt::format(" There no difference from {} is resolved: take either", r.runner_up)) +
         fmt::format("; the worst, {}, loses {}.", last->lock, percent(1 - std::exp(last->score)));
}

recommendation from_figures(const workload& w, const known& k, const std::vector<asked>& places) {
  std::vector<contender> all = ranked(places);
  prefer_the_simple(all);
  const auto& here = places.front().here.locks;
  const cell& mine = *here.at(all.front().lock);
  const cell& next = *here.at(all[1].lock);
  if (!may_choose(places.front().here, mine, lock_by_rule(w, k).take))
    return to_be_repeated(lock_by_rule(w, k, too_uncertain(seen_there(places.front().here, mine))), k, run_of(w, k));
  recommendation r{"lock", all.front().lock, reasons(places, all, mine), all[1].lock, matters_at_one(places)};
  const auto lead = lead_of(mine, next, here.size());
  const bool resolved = is_ahead(lead) || (lead && lead->ci && lead->ci->second < 1);
  r.because += rivals(r, places, all, lead, resolved);
  if (const auto rights = facts_of(r.take)->words.rights; !rights.empty())
    r.because += fmt::format(" Others hold rights in it ({}): docs/rights.md.", rights);
  claims::cells there;
  for (const auto& [lock, c] : here) there.push_back(c);
  r.beside = beside(mine, next, there);
  for (const cell* c : {&mine, &next, ends_of(places.front().here).second}) r.figures.push_back(without_samples(*c));
  r.sure = no_surer_than(r.figures, surety(places, all, r.matters ? resolved : surely_equal(places)));
  return r;
}

}  // namespace

const lock_description* facts_of(const std::string& lock) {
  for (const experiments::lock_bodies& row : experiments::all_locks())
    if (row.name == lock) return &row.what;
  return nullptr;
}

bool is_hardly_waited_for(const workload& w) {
  constexpr double little = 0.01;
  return w.waiting && *w.waiting < little;
}

std::string how_seldom(const workload& w) {
  return is_hardly_waited_for(w)
             ? fmt::format("waited for in {} % of its threads' time", results::two_digits(100 * *w.waiting))
             : fmt::format("wanted by {} threads at a time", results::two_digits(demand(place_of(w))));
}

bool admits(const workload& w, const std::string& lock) {
  const lock_description* const what = facts_of(lock);
  return what != nullptr && (!w.sleeps || what->parks) && (!w.fair || what->words.fair != fairness::none);
}

recommendation lock_for(const workload& w, const known& k) {
  const std::vector<asked> places = nearest_places(w, k);
  const bool far = places.empty() || places.front().octaves > far_octaves;
  const bool seen = w.readers == 0 && is_hardly_waited_for(w);
  if (!k.shares_processors(w.threads) && (seen || (far && w.readers == 0 && demand(place_of(w)) < seldom_wanted)))
    if (const auto free = free_lock_for(w, k)) return *free;
  if (seen) return free_lock_by_rule(w, k);
  return places.empty() ? lock_by_rule(w, k) : from_figures(w, k, places);
}

}  // namespace synchro::advice
