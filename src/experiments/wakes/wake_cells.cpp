#include "experiments/wakes/wake_cells.hpp"

#include <algorithm>
#include <numeric>

#include "experiments/framework/axes.hpp"
#include "experiments/wakes/availability.hpp"
#include "platform/placement.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments::wakes {

std::vector<unsigned> cpus_of(const setting& s, const coordinates& at) {
  const auto how =
      at.find("placement") == nullptr ? platform::placement::compact : platform::placement_from(at.word("placement"));
  return platform::place(s.machine, how.value_or(platform::placement::compact),
                         static_cast<std::size_t>(at.number("threads")) + 1);
}

std::vector<unsigned> distinct_cpus_of(const setting& s, const coordinates& at) {
  std::vector<unsigned> distinct;
  for (const unsigned cpu : cpus_of(s, at))
    if (std::find(distinct.begin(), distinct.end(), cpu) == distinct.end()) distinct.push_back(cpu);
  return distinct;
}

bool crowded(const setting& s, const coordinates& at) {
  return static_cast<std::size_t>(at.number("threads")) + 1 > s.machine.processors.size();
}

std::optional<std::string> unavailable_of(const setting& s, const coordinates& at) {
  if (s.untried) return std::nullopt;
  const auto& why = availability_of(find_wake(at.word("primitive"))).unavailable;
  return why ? std::optional{"not available here: " + *why} : std::nullopt;
}

double median_of(const wake_result& r, const std::function<double(const wake_round&)>& f) {
  std::vector<double> values;
  for (const wake_round& round : r.rounds) values.push_back(f(round));
  return results::median(values);
}

void add_to(repetition& out, const wake_result& r) {
  experiments::add_to(out, r.team);
  out.broken = r.lost;
  for (const std::string& w : r.warnings) out.warnings.push_back(w);
}

unsigned repetitions(level l) { return l == level::quick ? 6 : l == level::standard ? 11 : 21; }

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
double first(const wake_round& r) { return *std::min_element(r.wake_ns.begin(), r.wake_ns.end()); }
double last(const wake_round& r) { return *std::max_element(r.wake_ns.begin(), r.wake_ns.end()); }

}  // namespace synchro::experiments::wakes
