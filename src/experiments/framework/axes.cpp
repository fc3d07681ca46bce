#include "experiments/framework/axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "platform/placement.hpp"

namespace synchro::experiments {

namespace {

std::size_t threads_of(const coordinates& at) {
  return at.find("threads") == nullptr ? 1 : static_cast<std::size_t>(at.number("threads"));
}

std::vector<coordinate> words_as_coordinates(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

}  // namespace

const axis* find_axis(const experiment& e, const std::string& name) {
  const auto found = std::find_if(e.axes.begin(), e.axes.end(), [&](const axis& a) { return a.name == name; });
  return found == e.axes.end() ? nullptr : &*found;
}

std::vector<coordinate> known_values(const axis& a, setting s) {
  s.chosen.erase(a.name);
  std::vector<coordinate> all;
  for (const level l : {level::quick, level::standard, level::full}) {
    s.thoroughness = l;
    for (const coordinate& value : a.values(s)) add_new(all, value);
  }
  return all;
}

void add_new(std::vector<coordinate>& values, const coordinate& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

std::vector<coordinate> thread_counts(const setting& s) {
  const auto cpus = static_cast<std::int64_t>(std::max<std::size_t>(1, s.machine.processors.size()));
  std::set<std::int64_t> counts{1, 2, cpus};
  if (s.thoroughness == level::standard)
    for (std::int64_t n = 1; n < cpus; n *= 2) counts.insert(n);
  if (s.thoroughness == level::full) {
    for (std::int64_t n = 1, step = 1; n < cpus; n += step) {
      counts.insert(n);
      if (n >= 8 * step) step *= 2;
    }
    counts.insert(8 * cpus);
  }
  if (s.thoroughness != level::quick) counts.insert(2 * cpus);
  return {counts.begin(), counts.end()};
}

axis bounded(axis a, std::int64_t least, std::int64_t most) {
  a.refuses = [=, name = a.name](const setting&, const coordinate& value) -> std::optional<std::string> {
    const auto* const number = std::get_if<std::int64_t>(&value);
    if (number != nullptr && *number >= least && *number <= most) return std::nullopt;
    return name + " takes whole numbers from " + std::to_string(least) + " to " + std::to_string(most) + ", not '" +
           results::to_string(value) + "'";
  };
  return a;
}

axis threads_axis() { return bounded({"threads", "number of threads", thread_counts}, 1, 65536); }

axis placement_axis() {
  const auto values = [](const setting& s) -> std::vector<coordinate> {
    switch (s.thoroughness) {
      case level::quick:
        return words_as_coordinates({"compact"});
      case level::standard:
        return words_as_coordinates({"compact", "spread"});
      case level::full:
        break;
    }
    return words_as_coordinates({"compact", "spread", "unpinned"});
  };
  return {"placement", "where the threads run: close together, far apart, or as the scheduler likes", values};
}

axis word_axis(std::string name, std::string line, std::vector<std::string> words) {
  return {std::move(name), std::move(line), [values = words_as_coordinates(words)](const setting&) { return values; }};
}

std::vector<unsigned> team_of(const setting& s, const coordinates& at) {
  const auto how =
      at.find("placement") == nullptr ? platform::placement::compact : platform::placement_from(at.word("placement"));
  return platform::place(s.machine, how.value_or(platform::placement::compact), threads_of(at));
}

std::vector<unsigned> processors_of(const setting& s, const coordinates& at) {
  std::vector<unsigned> distinct;
  for (const unsigned cpu : team_of(s, at))
    if (std::find(distinct.begin(), distinct.end(), cpu) == distinct.end()) distinct.push_back(cpu);
  return distinct;
}

bool same_as_compact(const setting& s, const coordinates& at) {
  if (s.chosen.contains("placement") || at.find("placement") == nullptr || at.word("placement") != "spread")
    return false;
  const auto on = [&](platform::placement how) {
    std::vector<unsigned> cpus = platform::place(s.machine, how, threads_of(at));
    std::sort(cpus.begin(), cpus.end());
    return cpus;
  };
  return on(platform::placement::spread) == on(platform::placement::compact);
}

bool more_threads_than_processors(const setting& s, const coordinates& at) {
  return threads_of(at) > s.machine.processors.size();
}

void add_to(repetition& r, const measure::team_report& team) {
  r.involuntary_switches += team.involuntary_switches;
  r.run_delay_ns += team.run_delay_ns;
  r.migrations += team.migrations;
  if (team.priority.warning) r.warnings.push_back(*team.priority.warning);
  if (r.void_because) return;
  if (!team.unpinned.empty()) {
    const std::string more =
        team.unpinned.size() == 1 ? "" : fmt::format(" (and {} more of its team)", team.unpinned.size() - 1);
    r.void_because = team.unpinned.front() + more;
  } else if (team.migrations != 0) {
    r.void_because = team.migrations == 1 ? "a thread was moved from the processor to which it was pinned"
                                          : "threads were moved from the processors to which they were pinned";
  }
}

}  // namespace synchro::experiments
