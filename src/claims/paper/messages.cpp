// Sections 5.3 and 6.2: messages.

#include "claims/paper/paper.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

constexpr const char* pair_command = "synchroscope run messages.pair coherence.states";

constexpr const char* one_core = "same_core";

/// A load of a line that a core so far away has modified. Threads of one core have one first level of cache, from which no
/// line is transferred: their messages go through the level that cores share, as between the two cores that are nearest.
const cell* transfer(const evidence& e, const std::string& distance) {
  const cells all = e.find(results::experiment_names::coherence_states, "latency",
                           {is("operation", "load"), is("state", "modified"), none_of("distance", {own_processor}),
                            absent_or(one_of("home", {"holder", "requester"}))});
  return best(those(all, {distance == one_core ? none_of("distance", {one_core}) : is("distance", distance)}));
}

/// As libssmp sends where the machine is simulated. Elsewhere at each distance the better of a channel whose ends look by plain
/// loads and one whose ends fetch the line for writing: libssmp does the one or the other, by platform.
finding message(const evidence& e, const std::string& metric, double transfers) {
  const auto by = [&](const std::vector<std::string>& means) {
    return e.find(results::experiment_names::messages_pair, metric, {one_of("means", means), is("size", "line")});
  };
  cells sent = by({"channel_paper"});
  if (sent.empty()) sent = by({"channel", "channel/fetch"});
  std::vector<finding> all;
  for (const std::string& distance : words_of(sent, "distance")) {
    all.push_back(compared(best(those(sent, {is("distance", distance)})), transfer(e, distance), rounds_to(transfers),
                           {"means", "distance"}, "a transfer over this distance was not measured"));
  }
  return all_of(all, "messages were not measured");
}

constexpr claim of_messages[] = {
    proved("S26", "5.3", "Messages are up to 2.5 times as fast with prefetching for writing on the Opteron.",
           "2.5 times", opteron),
    {.id = "S45",
     .section = "6.2",
     .says = "A message costs two transfers of a line one way.",
     .figure = "2 transfers",
     .rule =
         "One way against a load of a modified line at the same distance (of threads of one core: of the nearest "
         "other core's line), in lines, by the better of channel and channel/fetch, on simulated machines by libssmp's "
         "way: what rounds to 2.",
     .command = pair_command,
     .judge = [](const evidence& e) { return message(e, "one_way", 2); }},
    {.id = "S46",
     .section = "6.2",
     .says = "There and back costs four transfers.",
     .figure = "4 transfers",
     .rule =
         "Round trip against a load of a modified line at the same distance (of threads of one core: of the nearest "
         "other core's line), in lines, by the better of channel and channel/fetch, on simulated machines by libssmp's "
         "way: what rounds to 4.",
     .command = pair_command,
     .judge = [](const evidence& e) { return message(e, "round_trip", 4); }},
    proved("S47", "6.2", "The Tilera's hardware messages: 16 million a second with 35 clients.", "16 M/s", tilera),
    proved("S48", "6.2", "Messages of one word on the Tilera: 27 and 100 million a second.", "27, 100 M/s", tilera),
    proved("S49", "6.2", "Client and server on the Xeon: from 25 to 8 million a second by one remote client.",
           "25, 8 M/s", xeon),
    {.id = "S50",
     .section = "6.2",
     .says = "With many clients, round trips overtake one-way messages.",
     .rule =
         "Round trips against one-way messages of a line, a server that does no work: more with the most clients "
         "that have a processor each (4 at least), and less with the fewest; on simulated machines by libssmp's way.",
     .command = "synchroscope run messages.server --means mailbox",
     .judge =
         [](const evidence& e) {
           constexpr std::int64_t many = 4;
           const bool simulated =
               !e.find(results::experiment_names::messages_server, "messages", {is("means", "mailbox_paper")}).empty();
           const auto served = [&](const std::string& protocol) {
             return e.find(results::experiment_names::messages_server, "messages",
                           {is("means", simulated ? "mailbox_paper" : "mailbox"), is("protocol", protocol),
                            is("size", "line"), is("work", 0), is("placement", "compact")});
           };
           const cells answered = served("round_trip"), taken = served("one_way");
           const std::vector<std::int64_t> clients = numbers_of(answered, "threads");
           if (clients.empty() || clients.back() < many)
             return missing("a server with many clients, a processor for each, was not measured");
           const auto at = [&](std::int64_t n, const range& r) {
             const place here{is("threads", n)};
             return compared(matched(those(answered, here), those(taken, here), {"protocol"}), r,
                             {"protocol", "threads"}, "messages one way were not measured");
           };
           return all_of({at(clients.back(), from(1)), at(clients.front(), up_to(1))}, "");
         }},
};

}  // namespace

std::span<const claim> on_messages() { return of_messages; }

}  // namespace synchro::claims
