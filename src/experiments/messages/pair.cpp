#include "experiments/messages/pair.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "experiments/framework/axes.hpp"
#include "experiments/messages/messages.hpp"
#include "measure/host.hpp"
#include "measure/timing.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using messages::pair_task;

std::vector<std::string> all_message_means() {
  std::vector<std::string> all{"channel", "channel/fetch", "channel/park", "ring", "ring/park"};
  messages::add_peer_names(all);
  return all;
}

std::optional<std::pair<unsigned, unsigned>> processors_at(const setting& s, const coordinates& at) {
  const auto far = platform::distance_from(at.word("distance"));
  return far && s.machine.processors.size() > 1 ? s.machine.pair_at(*far) : std::nullopt;
}

std::vector<coordinate> pair_distances(const setting& s) {
  std::vector<coordinate> all;
  for (const platform::distance d : s.machine.distances()) all.emplace_back(to_string(d));
  if (all.empty()) all.emplace_back(to_string(platform::distance::same_cpu));  // with one processor: the reason
  return all;
}

std::vector<coordinate> pair_sizes(const setting& s) {
  if (s.thoroughness == level::quick) return {coordinate{"line"}};
  return {coordinate{"line"}, coordinate{"word"}};
}

pair_task pair_task_of(const setting& s, const std::pair<unsigned, unsigned>& pair) {
  const unsigned samples = s.thoroughness == level::quick ? 21 : s.thoroughness == level::standard ? 51 : 101;
  return {pair.first, pair.second, samples, 500};
}

repetition measure_pair(const setting& s, const coordinates& at, std::uint64_t /*seed*/) {
  const pair_task task = pair_task_of(s, processors_at(s, at).value());
  const messages::pair_outcome o = messages::pair_runner_by(at.word("means"), at.word("size"))(task);
  repetition r = record_pair(o, measure::host::cycles_to_ns(1), 20 * measure::clock_step_ns() / task.rounds);
  add_to(r, o.team);
  return r;
}

std::vector<metric> pair_metrics() {
  return {
      {"one_way", "ns", better::lower,
       "A message in a stream from one thread to the other: the time in which the receiver took 500, divided by 500; "
       "the median of such batches. A channel has one slot, so this is also the time from one message to the next "
       "when both ends wait for each other."},
      {"round_trip", "ns", better::lower,
       "A message and its answer, each on a line of its own: the time of 500, divided by 500; the median."},
      {"one_way_cycles", "cycle", better::lower, "One way in core cycles, by the core clock of the run."},
      {"round_trip_cycles", "cycle", better::lower, "The message and its answer in core cycles, by the same clock."}};
}

}  // namespace

repetition record_pair(const messages::pair_outcome& o, double ns_per_cycle, double shortest_ns) {
  repetition r;
  for (const auto& [name, batches] : {std::pair{"one_way", &o.one_way_ns}, std::pair{"round_trip", &o.round_trip_ns}}) {
    const double median = results::median(*batches);
    const bool limited = median < shortest_ns;
    r.observations.push_back({name, median, {}, limited});
    r.observations.push_back({std::string{name} + "_cycles", median / ns_per_cycle, {}, limited});
  }
  if (o.wrong != 0) r.broken = fmt::format("{} messages were lost, doubled, torn or out of order", o.wrong);
  return r;
}

experiment messages_pair() {
  experiment e;
  e.name = "messages.pair";
  e.line = "time of a message, and of a message with its answer, between two processors";
  e.source = "SSYNC (SOSP 2013), 6.2, Fig. 9";
  e.axes = {word_axis("means", "what carries the messages, and how its ends wait", all_message_means()),
            {"size", "a message: one word, or as much as fills a line beside the channel's own word", pair_sizes},
            {"distance", "between the two processors", pair_distances}};
  e.on_demand = for_every_cell;
  e.metrics = pair_metrics();
  e.unavailable = [](const setting& s, const coordinates& at) -> std::optional<std::string> {
    if (processors_at(s, at)) return std::nullopt;
    if (s.machine.processors.size() < 2) return "one processor: there is nobody to send to";
    return "no two of these processors are " + at.word("distance") + " apart";
  };
  e.seconds = [](const setting& s, const coordinates&) {
    const pair_task task = pair_task_of(s, {0, 0});
    return 0.002 + 1e-9 * 600 * task.all();
  };
  e.processors = [](const setting& s, const coordinates& at) {
    const auto pair = processors_at(s, at);
    return pair ? std::vector<unsigned>{pair->first, pair->second} : std::vector<unsigned>{};
  };
  e.measure = measure_pair;
  present_messages_pair(e);
  return e;
}

}  // namespace synchro::experiments
