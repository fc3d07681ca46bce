#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/coherence/coherence.hpp"
#include "experiments/coherence/latency.hpp"
#include "experiments/coherence/pairs_body.hpp"
#include "experiments/coherence/representatives.hpp"
#include "experiments/framework/axes.hpp"
#include "measure/host.hpp"
#include "measure/timing.hpp"
#include "platform/clock.hpp"

namespace synchro::experiments {

namespace coherence {

namespace {

using measure::host;

constexpr double clocks_apart_ns = 1000;  // beyond this a one-way time says nothing

unsigned from_of(const coordinates& at) { return static_cast<unsigned>(at.number("from")); }
unsigned to_of(const coordinates& at) { return static_cast<unsigned>(at.number("to")); }

/// Processors on an axis: 992, 9 900 or all ordered pairs.
std::size_t most(level l) {
  switch (l) {
    case level::quick:
      return 32;
    case level::standard:
      return 100;
    case level::full:
      break;
  }
  return SIZE_MAX;
}

std::vector<coordinate> processors_of_axis(const setting& s) {
  std::vector<coordinate> all;
  for (const unsigned cpu : representatives(s.machine, most(s.thoroughness))) all.emplace_back(std::int64_t{cpu});
  return all;
}

std::optional<std::string> refuses(const setting& s, const coordinate& c) {
  const auto* const number = std::get_if<std::int64_t>(&c);
  if (number != nullptr && *number >= 0 && s.machine.find(static_cast<unsigned>(*number)) != nullptr)
    return std::nullopt;
  return fmt::format("processor {} is not one that this process may use", results::to_string(c));
}

/// With one processor the one pair of it with itself stays, with a reason.
bool skip(const setting& s, const coordinates& at) {
  if (at.word("home") == "to" && node_of(s.machine, from_of(at)) == node_of(s.machine, to_of(at))) return true;
  return from_of(at) == to_of(at) && s.machine.processors.size() > 1;
}

std::optional<std::string> clocks_differ() {
  const platform::clock_facts& clock = platform::tick_clock::get().facts();
  if (!clock.cross_cpu_offset_ns)
    return "it is not known how far the clocks of two processors are apart, so a one-way time cannot be measured";
  if (*clock.cross_cpu_offset_ns <= clocks_apart_ns) return std::nullopt;
  return fmt::format("the clocks of two processors may be {:.0f} ns apart, so a one-way time cannot be measured",
                     *clock.cross_cpu_offset_ns);
}

std::optional<std::string> unavailable(const setting& s, const coordinates& at) {
  for (const unsigned cpu : {from_of(at), to_of(at)})
    if (s.machine.find(cpu) == nullptr) return fmt::format("processor {} is not one that this process may use", cpu);
  if (from_of(at) == to_of(at)) return "one processor: there is no pair";
  if (at.word("protocol") == "oneway" && !s.untried) return clocks_differ();
  return std::nullopt;
}

pair_job job_of(const setting& s, const coordinates& at) {
  const unsigned samples = s.thoroughness == level::quick ? 21 : s.thoroughness == level::standard ? 51 : 101;
  const std::string& name = at.word("protocol");
  if (name == "oneway") return {protocol::oneway, from_of(at), to_of(at), samples, 64};
  return {name == "cas" ? protocol::cas : protocol::handover, from_of(at), to_of(at), samples, 500};
}

double seconds(const setting& s, const coordinates& at) {
  const pair_job job = job_of(s, at);
  const double round_ns = job.how == protocol::oneway ? 600 : 300;
  return 0.002 + 1e-9 * round_ns * job.samples * job.rounds;
}

repetition measure_pair(const setting& s, const coordinates& at, std::uint64_t seed) {
  const pair_job job = job_of(s, at);
  const unsigned home = at.word("home") == "to" ? job.to : job.from;
  const homed_lines memory{sizeof(field<hardware>), node_of(s.machine, home)};
  const pair_outcome o = pair_trial<host>{job, memory.field(), seed}.run();
  repetition r;
  r.observations = {{"latency", results::median(o.hand_off_ns)}};
  const std::uint64_t turns = pair_trial<host>::turns_of(job);
  const std::uint64_t word = job.how == protocol::cas ? 2 * turns : turns;
  if (o.from_turns != turns || o.to_turns != turns || o.word != word)
    r.broken = fmt::format("turns were lost: {} and {} of {} each, {} in the shared word", o.from_turns, o.to_turns,
                           turns, o.word);
  const double batch_ns = std::abs(r.observations.front().value) * job.rounds;
  r.clock_limited = measure::too_short_for_the_clock(batch_ns);
  add_to(r, o.team);
  memory.warn(r);
  const std::size_t all = s.machine.processors.size();
  if (all > most(s.thoroughness) && !s.chosen.contains("from") && !s.chosen.contains("to"))
    r.warnings.push_back(
        fmt::format("coherence.pairs: {} processors, chosen so that every distance is there, stand for "
                    "all {}; --full measures every pair",
                    most(s.thoroughness), all));
  return r;
}

}  // namespace

std::vector<unsigned> representatives(const platform::topology& machine, std::size_t most) {
  const std::vector<platform::processor>& all = machine.processors;
  std::vector<unsigned> chosen;
  const auto add = [&](unsigned cpu) {
    if (std::find(chosen.begin(), chosen.end(), cpu) == chosen.end()) chosen.push_back(cpu);
  };
  if (all.size() > most) {
    for (const platform::distance d : machine.distances())
      if (const auto pair = machine.pair_at(d)) add(pair->first), add(pair->second);
    for (std::size_t i = 0; i < most && chosen.size() < most; ++i) add(all[i * all.size() / most].cpu);
  }
  for (std::size_t i = 0; i < all.size() && chosen.size() < std::min(most, all.size()); ++i) add(all[i].cpu);
  std::vector<unsigned> in_order;  // of the topology, so that neighbours stand side by side in tables
  for (const platform::processor& p : all)
    if (std::find(chosen.begin(), chosen.end(), p.cpu) != chosen.end()) in_order.push_back(p.cpu);
  return in_order;
}

}  // namespace coherence

experiment coherence_pairs() {
  using namespace coherence;
  const auto homes = [](const setting& s) -> std::vector<coordinate> {
    if (s.machine.nodes.size() < 2) return {coordinate{"from"}};
    return {coordinate{"from"}, coordinate{"to"}};
  };
  experiment e;
  e.name = "coherence.pairs";
  e.line = "time of one hand-off between two processors, for every ordered pair";
  e.source = "what core-to-core latency tools measure, each under the name of its protocol";
  e.axes = {{"from", "processor that begins (oneway: that sends)", processors_of_axis, refuses},
            {"to", "processor that answers (oneway: that receives)", processors_of_axis, refuses},
            word_axis("protocol", "what a hand-off is: see the metric", {"cas", "handover", "oneway"}),
            {"home", "the NUMA node of the lines' pages: that of `from` or of `to`", homes}};
  e.metrics = {
      {"latency", "ns", better::lower,
       "One hand-off. cas: half a round trip of two processors that take turns on one line by "
       "compare-and-swap. handover: half a round trip by stores and loads on two lines. oneway: from a stamp "
       "taken just before the store to a stamp taken by the receiver, who is looking, as soon as it sees it, on "
       "clocks that may differ by cross_cpu_offset_ns. Median of batches of 500 round trips or 64 messages."}};
  e.skip = skip;
  e.unavailable = unavailable;
  e.seconds = seconds;
  e.processors = [](const setting&, const coordinates& at) {
    if (from_of(at) == to_of(at)) return std::vector<unsigned>{from_of(at)};
    return std::vector<unsigned>{from_of(at), to_of(at)};
  };
  e.measure = measure_pair;
  e.repetitions = usual_repetitions;
  present_coherence_pairs(e);
  return e;
}

}  // namespace synchro::experiments
