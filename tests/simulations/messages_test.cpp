// A server and its clients on the simulated machine.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "cells.hpp"
#include "experiments/framework/usage_error.hpp"
#include "experiments/messages/server.hpp"
#include "simulations/copying.hpp"
#include "synchro/waiting.hpp"

namespace synchro::tests {
namespace {

using experiments::messages::line_message, experiments::messages::server_task;
using simulations::copying_laboratory;

constexpr std::uint64_t seed = 1;

/// How many messages of its only client a server takes on an Opteron, by such a body.
template <class Body>
std::uint64_t served_by(Body body) {
  const auto machine = built_in("opteron");
  simulator::world w{*machine, seed};
  simulator::world::current().home_here();
  return body(server_task{{0, 1}, 1, 50'000, 0, false}).served;
}

template <std::size_t Room>
std::uint64_t with_room() {
  return served_by([](const server_task& task) {
    return experiments::messages::mailbox_trial<copying_laboratory, line_message, Room, spin>{task}.run();
  });
}

TEST(SimulatedServer, OfOneClientLooksAtOneWord) {
  const std::uint64_t served = served_by([](const server_task& task) {
    return experiments::messages::serve_clients<copying_laboratory, line_message, spin>(task);
  });
  EXPECT_EQ(served, with_room<1>());
  EXPECT_NE(served, with_room<4>()) << "whoever looks at four words takes longer or shorter";
}

// ---- by libssmp's way

/// Millions of messages a second that a server takes from so many clients.
double served_by_paper(const char* machine, const char* protocol, std::int64_t clients) {
  double found = -1;
  for (const results::cell& c : cells_of(built_in(machine), "messages.server",
                                         {{"means", {"mailbox_paper"}},
                                          {"protocol", {protocol}},
                                          {"size", {"line"}},
                                          {"threads", {clients}},
                                          {"work", {0}}})) {
    EXPECT_TRUE(c.valid) << c.at.to_string() << ": " << c.reason.value_or("");
    if (c.metric == "messages") found = c.value.value_or(-1) / 1e6;
  }
  return found;
}

double one_way_cycles(const char* machine, const char* means, const char* distance) {
  double found = -1;
  for (const results::cell& c : cells_of(built_in(machine), "messages.pair",
                                         {{"means", {means}}, {"size", {"line"}}, {"distance", {distance}}})) {
    EXPECT_TRUE(c.valid) << c.at.to_string() << ": " << c.reason.value_or("");
    if (c.metric == "one_way_cycles") found = c.value.value_or(-1);
  }
  return found;
}

TEST(PaperMessages, AreWholeOnEachMachineAndEnd) {
  for (const char* machine : {"opteron", "xeon", "niagara", "tilera"})
    for (const char* protocol : {"one_way", "round_trip"})
      EXPECT_GT(served_by_paper(machine, protocol, 3), 0) << machine;
}

TEST(PaperMessages, FetchWhereThereIsADirectory) {
  EXPECT_LT(2 * one_way_cycles("opteron", "channel_paper", "same_die"),
            one_way_cycles("opteron", "channel_paper_plain", "same_die"));
  EXPECT_EQ(one_way_cycles("xeon", "channel_paper", "same_die"),
            one_way_cycles("xeon", "channel_paper_plain", "same_die"));
}

/// Whoever claims the line need not ask for it once more to write it.
TEST(PaperMessages, AcrossSocketsALookIsACompareAndSwap) {
  EXPECT_LT(one_way_cycles("xeon", "channel_paper", "one_hop"), 0.7 * one_way_cycles("xeon", "channel", "one_hop"));
  EXPECT_GT(one_way_cycles("xeon", "channel_paper", "same_die"), 0.9 * one_way_cycles("xeon", "channel", "same_die"));
}

// ---- by the network

/// The cells of a metric of messages.pair or messages.server by the network, by their coordinates.
std::map<std::string, double> on_tilera(const std::string& experiment, const std::string& metric, axes chosen) {
  chosen["means"] = {"network"};
  std::map<std::string, double> found;
  for (const results::cell& c : cells_of(built_in("tilera"), experiment, chosen)) {
    EXPECT_TRUE(c.valid) << c.at.to_string() << ": " << c.reason.value_or("");
    if (c.metric == metric) found[c.at.to_string()] = c.value.value_or(-1);
  }
  return found;
}

double served(const char* protocol, const char* size, std::int64_t clients) {
  const auto all = on_tilera("messages.server", "messages",
                             {{"protocol", {protocol}}, {"size", {size}}, {"threads", {clients}}, {"work", {0}}});
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? -1 : all.begin()->second;
}

TEST(NetworkMessages, AreAMeansOfModelsThatHaveANetwork) {
  for (const char* experiment : {"messages.pair", "messages.server"}) {
    EXPECT_THROW(cells_of(built_in("opteron"), experiment, {{"means", {"network"}}}), experiments::usage_error)
        << experiment;
    const bool pair = experiment == std::string{"messages.pair"};
    const axes one{pair ? axes::value_type{"distance", {"one_hop"}} : axes::value_type{"threads", {1}}};
    std::set<std::string> means;
    for (const results::cell& c : cells_of(built_in("tilera"), experiment, one)) means.insert(c.at.word("means"));
    EXPECT_TRUE(means.contains("network")) << experiment;
  }
}

TEST(NetworkMessages, OfAPairAreWholeAndTheFartherTheLater) {
  const auto near = on_tilera("messages.pair", "round_trip", {{"size", {"line", "word"}}, {"distance", {"one_hop"}}}),
             far = on_tilera("messages.pair", "round_trip", {{"size", {"line", "word"}}, {"distance", {"max_hops"}}});
  ASSERT_EQ(near.size(), 2U);
  ASSERT_EQ(far.size(), 2U);
  // Nine hops more there and back, a cycle each, at 1.2 GHz.
  for (auto n = near.begin(), f = far.begin(); n != near.end(); ++n, ++f)
    EXPECT_NEAR(f->second - n->second, 18 / 1.2, 0.1) << n->first;
}

TEST(NetworkMessages, ToAServerCostItTheirWordsAndCalls) {
  const auto m = built_in("tilera");
  const simulator::network_costs& costs = m->network().value();
  ASSERT_EQ(costs.send, costs.receive);
  const auto cycles = [](simulator::ticks t) { return static_cast<double>(t) / simulator::per_cycle; };
  const double a_word = cycles(costs.send + m->instructions()), calls = cycles(costs.send_call + costs.receive_call);
  const double line = served("round_trip", "line", 35), word = served("round_trip", "word", 35),
               one_way = served("one_way", "word", 35);
  const auto taken = [&](double a_second) { return 1e9 * m->ghz() / a_second; };
  EXPECT_NEAR(taken(word), 3 * a_word + calls, 1) << "in, and out behind a header";
  EXPECT_NEAR(taken(line), 17 * a_word + calls, 1) << "eight words each way";
  EXPECT_GT(one_way, 2 * word);
}

TEST(NetworkMessages, OfMoreClientsThanProcessorsAreNotSimulated) {
  for (const results::cell& c :
       cells_of(built_in("tilera"), "messages.server", {{"means", {"network"}}, {"threads", {40}}}))
    EXPECT_EQ(c.reason, "the network has one queue for a processor: clients and server need one each")
        << c.at.to_string();
}

}  // namespace
}  // namespace synchro::tests
