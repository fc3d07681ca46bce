#include "experiments/throttle/best_throttle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/interval.hpp"
#include "results/text.hpp"
#include "views/findings.hpp"
#include "views/paper/tables.hpp"

namespace synchro::experiments::throttle {

using namespace results;
using namespace views;

namespace {

const scale in_seconds{1e9, "s"};

std::int64_t permits_of(const cell& c) { return c.at.number("permits"); }

/// Files come from anywhere.
bool is_well_formed(const cell& c) {
  const auto number = [&](const char* axis) {
    const coordinate* const found = c.at.find(axis);
    return found != nullptr && std::holds_alternative<std::int64_t>(*found);
  };
  return number("permits") && number("threads");
}

const cell* with_permits(const cells& all, std::int64_t permits) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const cell* c) { return permits_of(*c) == permits; });
  return found == all.end() ? nullptr : *found;
}

/// "13 %", and of less than ten with a decimal place.
std::string percent(double ratio) {
  const double percents = 100 * (ratio - 1);
  return std::abs(percents) < 9.95 ? fmt::format("{:.1f} %", percents) : fmt::format("{:.0f} %", percents);
}

/// "2.4 % slower": of a limit, by the time without one over the time with it.
std::string compared_with_none(double gain) {
  return gain < 1 ? percent(1 / gain) + " slower" : percent(gain) + " faster";
}

/// The log's own form: "    2 -- 55.44".
std::string logged(double seconds) {
  return seconds < 1 ? fmt::format("-- {:.3f}", seconds) : fmt::format("-- {:.2f}", seconds);
}

std::string doing(const std::string& variant) {
  return variant == "floating" ? "compute in floating point"
         : variant == "memory" ? "read memory beyond their private caches"
                               : "only compute";
}

/// As the article has them: rising, and without a semaphore last.
std::vector<std::int64_t> rows_of(const cells& times) {
  std::vector<std::int64_t> rows;
  for (const cell* c : times) rows.push_back(permits_of(*c));
  for (const auto& [permits, seconds] : views::paper::throttle_logs().front().seconds) rows.push_back(permits);
  std::sort(rows.begin(), rows.end(), [](std::int64_t a, std::int64_t b) { return a != 0 && (b == 0 || a < b); });
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

column own_column(const cells& of_variant, const std::string& variant, const std::vector<std::int64_t>& rows,
                  remarks& notes, const style& s) {
  column col{"here, s", shown(variant, s), {}, "s"};
  for (const std::int64_t permits : rows) {
    entry e = notes.entry_for(where(of_variant, "permits", permits), in_seconds);
    if (e.value) e.number = logged(*e.value);
    col.entries.push_back(std::move(e));
  }
  return col;
}

column logged_column(const views::paper::throttle_log& log, const std::vector<std::int64_t>& rows) {
  column col{"the article's logs, s", log.machine.substr(0, log.machine.find(" (")), {}, "s"};
  for (const std::int64_t permits : rows) {
    const auto found = log.seconds.find(permits);
    entry e;
    e.color = tone::dim;
    if (found != log.seconds.end()) e.number = fmt::format("-- {:.2f}", found->second), e.value = found->second;
    col.entries.push_back(std::move(e));
  }
  return col;
}

laid_out log_table(const cells& times, const style& s) {
  const std::vector<std::int64_t> rows = rows_of(times);
  remarks notes{s};
  laid_out t;
  t.title = shown(times.front()->experiment, s) + ": seconds by the number of threads that may run at a time";
  t.labels = {{"", "permits", {}}};
  for (const std::int64_t permits : rows) t.labels[0].entries.push_back({fmt::format("{:>5}", permits), "", ""});
  std::vector<std::string> gains;
  for (const axis_values& a : axes_of(times))
    for (const coordinate& variant : a.values) {
      if (a.name != "variant") continue;
      const cells own = where(times, "variant", variant);
      t.values.push_back(own_column(own, to_string(variant), rows, notes, s));
      if (const auto best = best_throttle(own))
        gains.push_back(fmt::format("{}: {}", shown(to_string(variant), s), in_words(*best)));
    }
  std::string machines;
  for (const views::paper::throttle_log& log : views::paper::throttle_logs()) {
    t.values.push_back(logged_column(log, rows));
    machines = joined(machines, "; ", log.machine);
  }
  t.notes = notes.sentences();
  t.notes.insert(t.notes.end(), gains.begin(), gains.end());
  t.notes.push_back("0 permits: no semaphore. The article's logs (Semaphore throttle): " + machines +
                    "; other work, so compare the shapes, not the seconds.");
  return t;
}

}  // namespace

std::optional<throttle_gain> best_throttle(const cells& all) {
  cells times = all;
  std::erase_if(times, [](const cell* c) { return !is_well_formed(*c); });
  const cell* const without = with_permits(times, 0);
  if (without != nullptr && !is_precise(*without)) return std::nullopt;
  std::erase_if(times, [](const cell* c) { return permits_of(*c) == 0; });
  const cells limited = only_precise(times);
  if (limited.empty()) return std::nullopt;
  const cell* const best = least(limited);
  cells others = limited;
  std::erase(others, best);
  const double surer = 1 - 0.05 / static_cast<double>(limited.size());
  const auto over_best = [&](const cell* c, double confidence) {
    return c == nullptr ? std::nullopt : paired_ratio(*c, *best, confidence);
  };
  const auto chosen = over_best(without, surer);
  const bool certain = chosen && chosen->resolved();
  return throttle_gain{best->at.number("threads"),
                       permits_of(*best),
                       limited.size(),
                       holds_for(only_unsure(times), extreme::least, *best),
                       certain ? chosen : over_best(without, 0.95),
                       certain,
                       over_best(least(others), surer),
                       to_string(at_or_blank(*best, "variant"))};
}

std::string in_words(const throttle_gain& g) {
  const bool leads = g.holds && g.lead && g.lead->resolved();
  if (g.variant == "pool")
    return leads ? fmt::format("A pool does the work of {} threads fastest with {} of its own.", g.threads,
                               g.permits == 1 ? "1 thread" : fmt::format("{} threads", g.permits))
                 : fmt::format("No pool size measurably did the work of {} threads faster than the others.", g.threads);
  const std::string crowd = fmt::format("{} threads that {}", g.threads, doing(g.variant));
  if (!g.gain)
    return fmt::format(
        "Limiting concurrency of {}: no limit to compare with, because they were not measured without one.", crowd);
  if (!g.gain->ci)
    return fmt::format("Limiting concurrency of {}: too few repetitions to say whether it helps.", crowd);
  const auto& [low, high] = *g.gain->ci;
  const std::string limit = g.limits == 1 || !g.holds
                                ? fmt::format("a limit of {}", g.permits)
                                : fmt::format("the {} ({})", leads ? "best limit" : "limit that looks best", g.permits);
  if (!g.gain->resolved())
    return fmt::format("Limiting concurrency of {}: no difference is resolved between {} and none: {}.", crowd, limit,
                       with_interval(g.gain->value, low, high, compared_with_none));
  if (g.gain->value < 1)
    return fmt::format(
        "Limiting concurrency did not help {}: {} was {}.", crowd, limit,
        with_interval(percent(1 / g.gain->value) + " slower than none", from_to(percent(1 / high), percent(1 / low))));
  const std::string when =
      fmt::format("when at most {} at a time", g.permits == 1 ? "1 runs" : fmt::format("{} run", g.permits));
  const std::string longer = with_interval(percent(g.gain->value) + " longer", from_to(percent(low), percent(high)));
  if (!g.certain)
    return fmt::format(
        "Limiting concurrency seems to help: {} finish sooner {}; without a limit they took {}. The limit was chosen "
        "among {} by the same repetitions: confirm it by --permits {},0.",
        crowd, when, longer, g.limits, g.permits);
  return fmt::format("Limiting concurrency helps: {} finish {} {}; without a limit they take {}.", crowd,
                     leads ? "first" : "sooner", when, longer);
}

std::vector<laid_out> throttle_tables(const cells& of_experiment, const style& s) {
  const auto one_crowd = where(of_experiment, "threads", at_or_blank(*of_experiment.front(), "threads"));
  const bool fits =
      std::all_of(of_experiment.begin(), of_experiment.end(), [](const cell* c) { return is_well_formed(*c); });
  if (!fits || one_crowd.size() != of_experiment.size()) return generic_tables(of_experiment, s);
  cells times;
  cells rest;
  for (const cell* c : of_experiment) (c->metric == "time" ? times : rest).push_back(c);
  std::vector<laid_out> tables;
  if (!times.empty()) tables.push_back(log_table(times, s));
  if (!rest.empty())
    for (laid_out& t : generic_tables(rest, s)) tables.push_back(std::move(t));
  return tables;
}

}  // namespace synchro::experiments::throttle
