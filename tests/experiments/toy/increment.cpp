// toy.increment: an experiment that is one file and one line in the list of all.

#include <fmt/format.h>

#include <chrono>

#include "experiments/framework/axes.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

namespace {

repetition measure_increments(const setting&, const coordinates& at, std::uint64_t) {
  const std::int64_t count = at.number("count");
  volatile std::int64_t sum = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < count; ++i) sum = sum + 1;
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  repetition r;
  r.observations = {{"time", took.count()}};
  if (sum != count) r.broken = "increments were lost";
  return r;
}

}  // namespace

experiment toy_increment() {
  experiment e;
  e.name = "toy.increment";
  e.line = "time to count";
  e.source = "a test of this house";
  e.axes = {{"count", "how far", [](const setting&) {
               return std::vector<coordinate>{std::int64_t{100}, std::int64_t{1000}};
             }}};
  e.metrics = {{"time", "ns", better::lower, "From before the first increment to after the last."}};
  e.seconds = [](const setting&, const coordinates&) { return 1e-5; };
  e.processors = [](const setting&, const coordinates&) { return std::vector<unsigned>{}; };
  e.measure = measure_increments;

  e.tour = [](const setting&) { return tour_stop{{{"count", {std::int64_t{1000}}}}}; };
  e.view.findings = [](const views::own_cells& own) -> std::vector<std::string> {
    const views::cell* const longest = views::most(own.of_any_mode("time"));
    if (longest == nullptr) return {};
    return {fmt::format("Counting to {} takes {}.", views::name_at(*longest, "count"), views::with_interval(*longest))};
  };
  e.view.about = "counting";
  e.view.headline = [](const views::own_cells& own) -> std::optional<views::headline> {
    const views::cell* const longest = views::most(own.of_any_mode("time"));
    if (longest == nullptr) return std::nullopt;
    return views::headline{views::figure_of(*longest), "to count", views::interval_of(*longest), "count"};
  };
  e.view.charts = {{"count", "Counting", "The farther one counts, the longer it takes.", views::lines("count", {})}};
  return e;
}

}  // namespace synchro::experiments
