// A server and its clients on the simulated machine.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "cells.hpp"
#include "experiments/framework/usage_error.hpp"
#include "experiments/messages/message.hpp"
#include "experiments/messages/server.hpp"
#include "simulations/copying.hpp"
#include "simulations/paper_messages.hpp"
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

/// What libssmp takes for the processes of two ends, 0 and 1, are of one socket.
TEST(PaperMessages, OfTwoClaimNothingAcrossSockets) {
  EXPECT_EQ(one_way_cycles("xeon", "channel_paper", "one_hop"),
            one_way_cycles("xeon", "channel_paper_plain", "one_hop"));
  EXPECT_GT(one_way_cycles("xeon", "channel_paper", "one_hop"), 0.9 * one_way_cycles("xeon", "channel", "one_hop"));
}

/// A server of the Xeon's first socket with clients in the nine other cores there, and two in the next one.
TEST(PaperMessages, AServerClaimsFromTheSecondClientOfAnotherSocketOn) {
  constexpr unsigned clients = 11;
  const auto machine = built_in("xeon");
  simulator::world w{*machine, seed};
  simulations::paper_office<line_message> it;
  std::string claimed;
  w.team({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 1 + clients, [&](unsigned index) {
    if (index != 0) return it.requests.from(index - 1).send(line_message::numbered(0));
    for (unsigned n = 0; n != clients; ++n) EXPECT_TRUE(it.requests.receive_any(~std::uint64_t{0} >> (64 - clients)));
    for (unsigned c = 0; c != clients; ++c) claimed += it.requests.claims(c) ? 'c' : '.';
  });
  EXPECT_EQ(claimed, "..........c");
}

/// A channel of the library has none: its caller passes a value.
TEST(PaperMessages, AreCopiedFromAndToAMessageOfEachEnd) {
  const auto m = built_in("opteron");
  const double copies = 2 * 8 * static_cast<double>(m->instructions()) / simulator::per_cycle;
  EXPECT_GT(one_way_cycles("opteron", "channel_paper", "same_die"),
            one_way_cycles("opteron", "channel/fetch", "same_die") + copies);
}

/// Of so many words of four bytes, sent into an empty channel.
template <std::size_t Words>
simulator::ticks time_of_sending(const char* machine) {
  const auto m = built_in(machine);
  simulator::world w{*m, seed};
  using message = experiments::messages::numbered_message<Words>;
  simulations::paper_channel<message> to;
  simulator::ticks took = 0;
  w.team({0}, 1, [&](unsigned) {
    const simulator::ticks begin = w.now();
    to.send(message::numbered(0));
    w.settle();
    took = w.now() - begin;
  });
  return took;
}

TEST(PaperMessages, OfMoreThanSixteenBytesEndACopyWithAFenceOnOneSocket) {
  EXPECT_GT(time_of_sending<5>("niagara"), time_of_sending<3>("niagara") + built_in("niagara")->fence());
  EXPECT_LT(time_of_sending<5>("opteron"), time_of_sending<3>("opteron") + built_in("niagara")->fence());
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
