#include "experiments/messages/server.hpp"

#include <fmt/format.h>

#include <set>

#include "experiments/framework/axes.hpp"
#include "experiments/messages/messages.hpp"
#include "platform/placement.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using messages::most_clients;
using messages::server_outcome;
using messages::server_task;

/// Threads that share a processor take turns of milliseconds: each should have several.
double server_duration_s(const setting& s, const coordinates& at) {
  if (crowded_server(s, at)) return 0.1;
  return s.thoroughness == level::full ? 0.05 : 0.02;
}

repetition measure_messages_server(const setting& s, const coordinates& at, std::uint64_t /*seed*/) {
  const server_task task{server_team(s, at), static_cast<unsigned>(at.number("threads")),
                         server_duration_s(s, at) * 1e9, static_cast<std::uint64_t>(at.number("work")),
                         at.word("protocol") == "round_trip"};
  const server_outcome o = messages::serve_by(at.word("means"), at.word("size"), task);
  repetition r = record_server(o);
  add_to(r, o.team);
  return r;
}

/// One, and doublings up to a processor for each and for the server.
std::vector<coordinate> client_counts(const setting& s) {
  const auto cpus = static_cast<std::int64_t>(s.machine.processors.size());
  const std::int64_t most = std::clamp<std::int64_t>(cpus - 1, 1, most_clients);
  std::set<std::int64_t> counts{1, most};
  if (s.thoroughness != level::quick) {
    for (std::int64_t n = 2; n < most; n *= 2) counts.insert(n);
    counts.insert(std::min<std::int64_t>(2 * cpus, most_clients));
  }
  return {counts.begin(), counts.end()};
}

std::vector<axis> server_axes() {
  const auto work = [](const setting& s) -> std::vector<coordinate> {
    if (s.thoroughness == level::quick) return {coordinate{std::int64_t{0}}};
    return {coordinate{std::int64_t{0}}, coordinate{std::int64_t{1000}}};
  };
  const auto sizes = [](const setting& s) -> std::vector<coordinate> {
    if (s.thoroughness == level::quick) return {coordinate{"line"}};
    return {coordinate{"line"}, coordinate{"word"}};
  };
  return {word_axis("means", "what carries the messages, and how its ends wait", {"mailbox", "mailbox/yield"}),
          word_axis("protocol", "whether clients wait for an answer to each message", {"one_way", "round_trip"}),
          {"size", "a message: one word, or as much as fills a line beside the channel's own word", sizes},
          bounded({"threads", "number of clients; the server is one thread more", client_counts}, 1, most_clients),
          bounded({"work", "the server's work for each message, core cycles", work}, 0, 1'000'000),
          placement_axis()};
}

std::vector<metric> server_metrics() {
  return {
      {"messages", "op/s", better::higher,
       "Messages that the server took (round_trip: and answered), divided by the time from the first client's start "
       "to the last message."},
      {"fairness", "1", better::higher,
       "Jain's index of the messages of the clients: 1 is equal shares, 1/threads one winner."}};
}

bool server_skip(const setting& s, const coordinates& at) {
  if (at.word("means") == "mailbox" && crowded_server(s, at) && !s.chosen.contains("means") &&
      s.machine.processors.size() > 1)
    return true;
  coordinates with_server = at;
  with_server.set("threads", at.number("threads") + 1);
  return same_as_compact(s, with_server);
}

}  // namespace

bool crowded_server(const setting& s, const coordinates& at) {
  return static_cast<std::size_t>(at.number("threads")) + 1 > s.machine.processors.size();
}

std::vector<unsigned> server_team(const setting& s, const coordinates& at) {
  coordinates with_server = at;
  with_server.set("threads", at.number("threads") + 1);
  return team_of(s, with_server);
}

repetition record_server(const server_outcome& o) {
  repetition r;
  std::vector<double> shares;
  std::uint64_t sent = 0;
  for (const std::uint32_t n : o.sent) sent += n, shares.push_back(n);
  r.observations = {{"messages", static_cast<double>(o.served) / (o.elapsed_ns * 1e-9)}};
  if (shares.size() < 2)
    r.unavailable["fairness"] = "there is only one client";
  else
    r.observations.push_back({"fairness", results::jain_index(shares)});
  if (o.wrong != 0)
    r.broken = fmt::format("{} messages were lost, doubled, torn or out of order", o.wrong);
  else if (sent != o.served)
    r.broken = fmt::format("{} messages were sent, but {} served", sent, o.served);
  return r;
}

experiment messages_server() {
  experiment e;
  e.name = "messages.server";
  e.line = "messages a second that one server takes from its clients, answered or not";
  e.source = "SSYNC (SOSP 2013), 6.2, Fig. 10";
  e.axes = server_axes();
  e.on_demand = for_every_cell;
  e.metrics = server_metrics();
  e.skip = server_skip;
  e.unavailable = [](const setting& s, const coordinates& at) -> std::optional<std::string> {
    if (at.word("means") != "mailbox" || !crowded_server(s, at)) return std::nullopt;
    return "clients and server that spin need a processor each; mailbox/yield does not";
  };
  e.seconds = [](const setting& s, const coordinates& at) { return server_duration_s(s, at) + 0.002; };
  e.processors = [](const setting& s, const coordinates& at) {
    std::vector<unsigned> distinct;
    for (const unsigned cpu : server_team(s, at))
      if (std::find(distinct.begin(), distinct.end(), cpu) == distinct.end()) distinct.push_back(cpu);
    return distinct;
  };
  e.measure = measure_messages_server;
  present_messages_server(e);
  return e;
}

}  // namespace synchro::experiments
