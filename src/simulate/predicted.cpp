#include "simulate/predicted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "results/interval.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "simulations/program.hpp"
#include "views/findings.hpp"
#include "views/presentation.hpp"

namespace synchro::simulate {

namespace {

namespace program = simulations::program;
using results::cell;
using views::cells;

cells cells_of(const results::document& d, const std::string& metric, const std::string& lock) {
  static const std::string name = program::name;
  cells all = views::where(views::own_cells{d, name}.of(metric), "lock", lock);
  std::erase_if(all, [](const cell* c) { return !c->value; });
  std::stable_sort(all.begin(), all.end(),
                   [](const cell* a, const cell* b) { return a->at.number("threads") < b->at.number("threads"); });
  return all;
}

const cell* at_threads(const cells& all, std::int64_t threads) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const cell* c) { return c->at.number("threads") == threads; });
  return found == all.end() ? nullptr : *found;
}

std::string percent(double share) { return results::digits(100 * share) + " %"; }
std::string threads_text(std::int64_t n) { return fmt::format("{} thread{}", n, n == 1 ? "" : "s"); }

std::string knee_text(const knee& k, const std::string& lock, const cell& there) {
  const bool one = k.threads == 1;
  std::string text = k.alone ? fmt::format("With {}, {} go{} round {}", lock, threads_text(k.threads), one ? "es" : "",
                                           views::with_interval(there))
                             : fmt::format("With {} it {} {}, which go{} round {}", lock,
                                           k.beyond ? "scales as far as was asked, to" : "stops scaling at",
                                           threads_text(k.threads), one ? "es" : "", views::with_interval(there));
  if (!k.waits_for.empty())
    text += fmt::format("; {} of {} time goes to {}", percent(k.waiting), one ? "its" : "their", k.waits_for);
  return text + (k.alone ? ". Where it stops scaling needs more than one number of threads." : ".");
}

/// Whether a round ended in each run: a single hold or gap may last longer than what is simulated.
bool goes_round(const cell& c) {
  return std::all_of(c.samples.begin(), c.samples.end(), [](double rounds) { return rounds > 0; });
}

gain gain_of(const std::string& lock, const std::vector<double>& its, const std::vector<double>& own, double wider) {
  const simulations::spread s = simulations::spread_between(its, own);
  return {lock, s.least / wider, s.middle, s.most * wider};
}

std::string gain_text(const gain& g, const std::string& base, std::int64_t threads) {
  if (g.lock.empty()) return fmt::format("No lock but {} was asked for.", base);
  const std::string times =
      results::with_interval(g.middle, g.least, g.most, [](double v) { return results::digits(v); }) + " times as much";
  if (g.least <= 1)
    return fmt::format("No lock is sure to do more with {}: the most would be {} with {}.", threads_text(threads),
                       times, g.lock);
  return fmt::format("With {}, {} would do {} as {}.", threads_text(threads), g.lock, times, base);
}

}  // namespace

knee knee_of(const results::document& d, const std::string& lock) {
  constexpr double worth_it = 1.1;
  const cells rates = cells_of(d, program::rate, lock);
  if (rates.empty()) throw std::out_of_range{"there is no cell of " + lock};
  knee k;
  const double most = *(*std::max_element(rates.begin(), rates.end(), [](const cell* a, const cell* b) {
                         return *a->value < *b->value;
                       }))->value;
  std::size_t i = 0;
  while (*rates[i]->value * worth_it < most) ++i;
  k.threads = rates[i]->at.number("threads"), k.alone = rates.size() == 1;
  k.beyond = i + 1 == rates.size() && !k.alone;
  for (const cell* c : cells_of(d, program::waiting_for, lock))
    if (c->at.number("threads") == k.threads && *c->value > k.waiting)
      k.waiting = *c->value, k.waits_for = views::name_at(*c, program::of);
  return k;
}

gain best_gain(const results::document& d, const std::string& base, std::int64_t threads, double wider) {
  const cell* const own = at_threads(cells_of(d, program::rate, base), threads);
  gain best;
  if (own == nullptr || !goes_round(*own)) return best;
  for (const cell& c : d.cells) {
    if (c.experiment != program::name || c.metric != program::rate || !c.value || c.at.number("threads") != threads)
      continue;
    const std::string lock = c.at.word("lock");
    if (lock == base || c.samples.size() != own->samples.size() || !goes_round(c)) continue;
    // One that surely does more goes before one that perhaps does.
    const gain here = gain_of(lock, c.samples, own->samples, wider);
    if (std::pair{here.least > 1, here.middle} > std::pair{best.least > 1, best.middle}) best = here;
  }
  return best;
}

std::vector<std::string> verdict_of(const results::document& d, const std::string& base,
                                    const std::function<double(std::int64_t)>& wider) {
  const cells rates = cells_of(d, program::rate, base);
  if (rates.empty()) return {};
  const knee k = knee_of(d, base);
  const std::int64_t most = rates.back()->at.number("threads");
  std::vector<std::string> all{knee_text(k, base, *at_threads(rates, k.threads))};
  const gain best = best_gain(d, base, most, wider(most));
  const bool is_too_short = std::any_of(d.cells.begin(), d.cells.end(),
                                        [](const cell& c) { return c.metric == program::rate && !goes_round(c); });
  if (!best.lock.empty() || !is_too_short) all.push_back(gain_text(best, base, most));
  if (is_too_short)
    all.emplace_back(
        "In some runs no round ended, because a hold or a gap may last longer than what is simulated: locks are not "
        "compared there. Without --quick more is simulated, with --full most.");
  return all;
}

}  // namespace synchro::simulate
