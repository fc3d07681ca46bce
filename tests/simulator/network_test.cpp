// The network of the simulated machine: what is under way, what it costs, and who waits.

#include "simulator/network.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "simulator/laboratory.hpp"

namespace synchro::simulator {
namespace {

using json = nlohmann::ordered_json;
using words = std::vector<std::uint64_t>;

// ---- what is under way

network between(unsigned threads, std::size_t room) {
  network n{room};
  n.connect(threads);
  return n;
}

/// Claims, opens and sends all at once.
void sent(network& n, unsigned from, unsigned to, const words& all, ticks arrives) {
  ASSERT_TRUE(n.claim(from, to, all.size()));
  n.open(from, to, all.size(), arrives);
  for (const std::uint64_t word : all) n.add(from, to, word, arrives);
}

TEST(Network, HasWordsForTheOneTheyWereSentTo) {
  network n = between(3, 8);
  sent(n, 0, 2, {7, 8}, 5);
  EXPECT_EQ(n.next_at(1), std::nullopt);
  EXPECT_EQ(n.next_at(2), 5U);
  EXPECT_EQ(n.take(2), 7U);
  EXPECT_EQ(n.take(2), 8U);
  EXPECT_EQ(n.next_at(2), std::nullopt);
}

TEST(Network, AMessageWaitsBehindTheOneWhoseHeaderCameFirst) {
  network n = between(3, 8);
  ASSERT_TRUE(n.claim(0, 2, 2));
  n.open(0, 2, 2, 10);
  n.add(0, 2, 1, 10);
  sent(n, 1, 2, {5}, 12);
  EXPECT_EQ(n.take(2), 1U);
  EXPECT_EQ(n.next_at(2), std::nullopt) << "the second word of the first message was not sent yet";
  n.add(0, 2, 2, 20);
  EXPECT_EQ(n.take(2), 2U);
  EXPECT_EQ(n.take(2), 5U);
}

TEST(Network, AMessageFromNearbyOvertakesOneThatHasNotArrived) {
  network n = between(3, 8);
  sent(n, 0, 2, {1}, 30);
  sent(n, 1, 2, {5}, 12);
  EXPECT_EQ(n.take(2), 5U);
  EXPECT_EQ(n.take(2), 1U);
}

TEST(Network, SendersStandInLineForRoom) {
  network n = between(4, 4);
  sent(n, 0, 3, {1, 2, 3}, 1);
  EXPECT_FALSE(n.claim(1, 3, 2));
  EXPECT_FALSE(n.claim(2, 3, 1)) << "there is room for it, but another one was first";
  EXPECT_EQ(n.admitted(3), std::nullopt);
  n.take(3);
  EXPECT_EQ(n.admitted(3), 1U);
  EXPECT_EQ(n.admitted(3), std::nullopt);
  n.take(3);
  EXPECT_EQ(n.admitted(3), 2U);
}

TEST(Network, AMessageLargerThanAllRoomGoesAlone) {
  network n = between(2, 2);
  sent(n, 0, 1, {1, 2, 3}, 1);
  EXPECT_FALSE(n.claim(0, 1, 3));
  n.take(1), n.take(1);
  EXPECT_EQ(n.admitted(1), std::nullopt);
  n.take(1);
  EXPECT_EQ(n.admitted(1), 0U);
}

// ---- what it costs

constexpr double send = 2, receive = 3, hop = 5;

/// A Tilera whose threads start in step, with such a network.
json tilera(double queue = 16, double instructions = 0) {
  json m = json::parse(built_in_model("tilera"));
  const auto constant = [](double v) { return json{{"value", v}, {"kind", "assumed"}, {"from", "a test"}}; };
  m["network"] = {
      {"send", constant(send)}, {"receive", constant(receive)}, {"hop", constant(hop)}, {"queue", constant(queue)}};
  m["core"]["instructions"] = constant(instructions);
  m["knobs"]["jitter"] = constant(0);
  return m;
}

constexpr std::uint64_t start = 100'000 * per_cycle;

double cycles_since_start() { return static_cast<double>(laboratory::now() - start) / per_cycle; }

/// Runs the bodies on these processors, from the same moment on.
void side_by_side(const json& document, const std::vector<unsigned>& processors,
                  const std::vector<std::function<void()>>& bodies) {
  const model m{document};
  world w{m, 1};
  laboratory::team(processors, static_cast<unsigned>(bodies.size()), [&](unsigned me) {
    world::current().advance_to(start);
    bodies[me]();
  });
}

/// When a message of so many words has been received.
double took(const json& document, unsigned to, std::size_t length) {
  double at = 0;
  side_by_side(document, {0, to},
               {[&] { world::current().send(1, words(length, 7)); },
                [&] {
                  for (std::size_t i = 0; i != length; ++i) EXPECT_EQ(world::current().receive(), 7U);
                  at = cycles_since_start();
                }});
  return at;
}

/// The same, with what the receiver's library does then.
double received(const json& document, std::size_t length) {
  double at = 0;
  side_by_side(document, {0, 1},
               {[&] { world::current().send(1, words(length, 7)); },
                [&] {
                  for (std::size_t i = 0; i != length; ++i) (void)world::current().receive();
                  world::current().received();
                  at = cycles_since_start();
                }});
  return at;
}

TEST(SimulatedNetwork, TakesAHeaderTheWordsAndTheWay) {
  EXPECT_EQ(took(tilera(), 1, 1), 2 * send + hop + receive);
  EXPECT_EQ(took(tilera(), 35, 1), 2 * send + 10 * hop + receive) << "ten hops";
  EXPECT_EQ(took(tilera(16, 4), 1, 1), 2 * (send + 4) + hop + receive + 4) << "instructions with each of them";
}

TEST(SimulatedNetwork, WordsAreReceivedWhileOthersAreSent) {
  EXPECT_EQ(took(tilera(), 1, 3), 2 * send + hop + 3 * receive) << "a word takes longer to receive than to send";
}

TEST(SimulatedNetwork, AMessageTakesACallAtEachEndHoweverLongItIs) {
  constexpr double send_call = 40, receive_call = 70;
  const auto constant = [](double v) { return json{{"value", v}, {"kind", "assumed"}, {"from", "a test"}}; };
  for (const std::size_t length : {1U, 3U}) {
    json with_calls = tilera();
    EXPECT_EQ(received(with_calls, length), took(tilera(), 1, length)) << "no call unless the model has one";
    with_calls["network"]["send_call"] = constant(send_call);
    EXPECT_EQ(received(with_calls, length), took(tilera(), 1, length) + send_call);
    with_calls["network"]["receive_call"] = constant(receive_call);
    EXPECT_EQ(received(with_calls, length), took(tilera(), 1, length) + send_call + receive_call);
  }
}

TEST(SimulatedNetwork, ASenderWaitsUntilThereIsRoom) {
  double sent_at = 0;
  const double rest = 1000;
  side_by_side(tilera(2), {0, 1},
               {[&] {
                  for (unsigned i = 0; i != 3; ++i) world::current().send(1, words{i});
                  sent_at = cycles_since_start();
                },
                [&] {
                  laboratory::work(static_cast<std::uint64_t>(rest));
                  for (std::uint64_t i = 0; i != 3; ++i) EXPECT_EQ(world::current().receive(), i);
                }});
  EXPECT_EQ(sent_at, rest + 2 * send) << "the third message enters when the first word is taken";
}

TEST(SimulatedNetwork, MessagesOfManySendersAreWhole) {
  constexpr unsigned senders = 35, each = 20;
  std::array<std::uint64_t, senders + 1> next{};
  std::vector<std::function<void()>> bodies{[&] {
    for (unsigned i = 0; i != senders * each; ++i) {
      const std::uint64_t from = world::current().receive();
      EXPECT_EQ(world::current().receive(), next.at(from)++);
      EXPECT_EQ(world::current().receive(), from);
    }
  }};
  for (std::uint64_t me = 1; me <= senders; ++me)
    bodies.emplace_back([me] {
      for (std::uint64_t i = 0; i != each; ++i) world::current().send(0, words{me, i, me});
    });
  side_by_side(tilera(7), {}, bodies);
  for (std::uint64_t me = 1; me <= senders; ++me) EXPECT_EQ(next.at(me), each);
}

TEST(SimulatedNetwork, WhoWaitsForAWordThatNobodySendsIsFound) {
  EXPECT_THROW(side_by_side(tilera(), {0}, {[] { world::current().receive(); }}), std::runtime_error);
}

TEST(SimulatedNetwork, IsOnlyOfModelsThatHaveOne) {
  json none = tilera();
  none.erase("network");
  EXPECT_THROW(side_by_side(none, {0, 1}, {[] { world::current().send(1, words{1}); }, [] {}}), std::logic_error);
  EXPECT_FALSE(load_model("opteron").network());
  EXPECT_TRUE(load_model("tilera").network());
}

}  // namespace
}  // namespace synchro::simulator
