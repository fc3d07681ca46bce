#include <fmt/format.h>

#include <algorithm>

#include "experiments/coherence/coherence.hpp"
#include "experiments/coherence/latency.hpp"
#include "experiments/coherence/local_body.hpp"
#include "experiments/coherence/working_set.hpp"
#include "experiments/framework/axes.hpp"
#include "measure/host.hpp"

namespace synchro::experiments {

namespace coherence {

namespace {

constexpr std::uint64_t mebi = 1024 * 1024;
constexpr std::uint64_t largest = 128 * mebi;  // the whole program is to stay below 200 MB

const platform::cache_level* cache_of(const platform::topology& machine, unsigned level) {
  for (const platform::cache_level& c : machine.caches)
    if (c.level == level && c.bytes != 0) return &c;
  return nullptr;
}

const platform::cache_level* last_cache(const platform::topology& machine) {
  const platform::cache_level* last = nullptr;
  for (const platform::cache_level& c : machine.caches)
    if (c.bytes != 0 && (last == nullptr || c.level > last->level)) last = &c;
  return last;
}

working_set in_memory(const platform::topology& machine, const platform::cache_level& last) {
  std::uint64_t bytes = std::clamp(4 * last.bytes, largest / 2, largest);
  if (machine.usable_memory() != 0) bytes = std::min(bytes, machine.usable_memory() / 4);
  if (bytes >= 2 * last.bytes) return {bytes, std::nullopt};
  return {0, fmt::format(
                 "the last level of cache holds {} MiB, and a working set of {} MiB cannot be distinguished from it; "
                 "coherence.states has memory as load_from_invalid",
                 last.bytes / mebi, bytes / mebi)};
}

/// Far enough beyond the second level, and not more than need be: the last one has other users, too.
working_set in_last_cache(const platform::topology& machine, const platform::cache_level& last) {
  if (last.level < 3) return {0, fmt::format("there is no cache beyond level {}", last.level)};
  const platform::cache_level* const second = cache_of(machine, 2);
  const std::uint64_t beyond = second == nullptr ? 0 : 4 * second->bytes;
  return {std::min({std::max(beyond, last.bytes / 8), last.bytes / 2, largest}), std::nullopt};
}

double guessed_ns(const std::string& level) {
  if (level == "l1") return 2;
  if (level == "l2") return 6;
  return level == "llc" ? 40 : 150;
}

unsigned batch_count(level l) { return l == level::quick ? 100 : l == level::standard ? 200 : 400; }

double seconds(const setting& s, const coordinates& at) {
  const working_set set = working_set_of(s.machine, at.word("level"));
  const double lines = static_cast<double>(set.bytes) / sizeof(line<hardware>);
  const double ns = guessed_ns(at.word("level"));
  return 0.002 + 1e-9 * (lines * (100 + ns) + batch_count(s.thoroughness) * 4096 * ns);
}

repetition measure_level(const setting& s, const coordinates& at, std::uint64_t seed) {
  const unsigned cpu = s.machine.processors.front().cpu;
  const homed_lines memory{working_set_of(s.machine, at.word("level")).bytes, node_of(s.machine, cpu),
                           platform::pages::large};
  repetition r = to_repetition(chase_trial<measure::host>(memory.lines(), cpu, batch_count(s.thoroughness), seed));
  memory.warn(r);
  return r;
}

}  // namespace

working_set working_set_of(const platform::topology& machine, const std::string& level) {
  const platform::cache_level* const last = last_cache(machine);
  if (last == nullptr) return {0, "the sizes of the caches are unknown"};
  if (level == "ram") return in_memory(machine, *last);
  if (level == "llc") return in_last_cache(machine, *last);
  const unsigned number = level == "l1" ? 1 : 2;
  const platform::cache_level* const cache = cache_of(machine, number);
  if (cache == nullptr) return {0, fmt::format("the system reports no cache of level {}", number)};
  return {cache->bytes / 2, std::nullopt};
}

}  // namespace coherence

experiment coherence_local() {
  using namespace coherence;
  experiment e;
  e.name = "coherence.local";
  e.line = "latency of a load that finds its line in a cache of its own processor, or in memory";
  e.source =
      "David, Guerraoui, Trigonakis: Everything You Always Wanted to Know About Synchronization, SOSP 2013, "
      "Table 3";
  e.axes = {word_axis("level", "what the working set fits: the first, second or last level of cache, or none (ram)",
                      {"l1", "l2", "llc", "ram"})};
  e.metrics = latency_metrics(
      "One load of a chain in which the address of each is the value of the one before, all over the working set in a "
      "random order: 4096 loads between two ordered stamps, less the stamps' own cost, divided by 4096; the median of "
      "the batches. Large pages are asked for; where the system refuses them, llc and ram contain translation misses.");
  e.unavailable = [](const setting& s, const coordinates& at) {
    return working_set_of(s.machine, at.word("level")).unavailable;
  };
  e.seconds = seconds;
  e.processors = [](const setting& s, const coordinates&) {
    return std::vector<unsigned>{s.machine.processors.front().cpu};
  };
  e.measure = measure_level;
  e.repetitions = usual_repetitions;
  present_coherence_local(e);
  return e;
}

}  // namespace synchro::experiments
