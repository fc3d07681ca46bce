#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "../machine_of.hpp"
#include "experiments/framework/axes.hpp"
#include "experiments/framework/runner.hpp"
#include "experiments/messages/messages.hpp"
#include "experiments/messages/pair.hpp"
#include "experiments/messages/peer_pairs.hpp"
#include "experiments/messages/server.hpp"
#include "measure/host.hpp"
#include "platform/topology.hpp"
#include "views/summary.hpp"

namespace synchro::experiments::messages {
namespace {

using measure::host;
using tests::machine_of;

std::size_t cells_of(const experiment& e, const setting& s) { return make_plan(s, {&e}).cells.size(); }

std::vector<std::string> reasons(const experiment& e, const setting& s) {
  std::vector<std::string> all;
  for (const planned_cell& c : make_plan(s, {&e}).cells)
    if (c.unavailable) all.push_back(*c.unavailable);
  return all;
}

// ---- messages

TEST(NumberedMessages, AreWholeOrNot) {
  EXPECT_TRUE(line_message::numbered(7).is(7));
  EXPECT_FALSE(line_message::numbered(7).is(8));
  line_message torn = line_message::numbered(7);
  torn.words.front() = 8;
  EXPECT_FALSE(torn.is(7) || torn.is(8));
}

TEST(NumberedMessages, OfEitherSizeTakeOneLineOfAChannel) {
  EXPECT_EQ(sizeof(basic_channel<word_message>), cpu::cache_line);
  EXPECT_EQ(sizeof(basic_channel<line_message>), cpu::cache_line);
}

// ---- two threads

/// Passes on every message but the seventh twice.
struct stutters {
  template <class Message>
  struct line : basic_ring<Message, hardware, spin_yield> {
    line() : basic_ring<Message, hardware, spin_yield>{1024} {}
    void send(const Message& l) {
      basic_ring<Message, hardware, spin_yield>::send(++sent == 7 ? Message::numbered(0) : l);
    }
    unsigned sent = 0;
  };
  template <class Message>
  struct lines {
    line<Message> there, back;
  };
};

constexpr pair_task brief{0, 0, 3, 20, 5};

/// Not pinned to two processors: there may be one.
template <class Means>
pair_outcome exchanged(const std::string& size) {
  struct anywhere : host {
    static measure::team_report team(const std::vector<unsigned>&, unsigned n,
                                     const std::function<void(unsigned)>& body) {
      return host::team({}, n, body);
    }
  };
  return pair_runner_of<anywhere, Means>(size)(brief);
}

template <class Means>
void expect_all_received() {
  for (const char* size : {"word", "line"}) {
    const pair_outcome o = exchanged<Means>(size);
    EXPECT_EQ(o.wrong, 0U);
    EXPECT_EQ(o.one_way_ns.size(), brief.samples);
    EXPECT_EQ(o.round_trip_ns.size(), brief.samples);
    EXPECT_EQ(record_pair(o, 1).broken, std::nullopt);
  }
}

TEST(Pair, EveryMessageArrives) {
  expect_all_received<channels<hardware, spin_yield>>();
  expect_all_received<channels<hardware, spin_park>>();
  expect_all_received<rings<hardware, spin_park>>();
}

/// The queue as those of other libraries: it declines.
template <class Message>
class boxed {
 public:
  explicit boxed(std::size_t messages) : room_{messages} {}
  bool try_send(const Message& m) {
    const std::lock_guard guard{all_};
    if (held_.size() == room_) return false;
    held_.push_back(m);
    return true;
  }
  bool try_receive(Message& to) {
    const std::lock_guard guard{all_};
    if (held_.empty()) return false;
    to = held_.front();
    held_.pop_front();
    return true;
  }

 private:
  std::size_t room_;
  std::mutex all_;
  std::deque<Message> held_;
};

TEST(Pair, EveryMessageArrivesByQueuesThatDecline) { expect_all_received<polled<boxed>>(); }

TEST(Pair, IsToldInCyclesToo) {
  const repetition r = record_pair({.one_way_ns = {8, 10, 12}, .round_trip_ns = {90, 100, 110}}, 0.5, 20);
  std::map<std::string, std::pair<double, bool>> found;
  for (const observation& one : r.observations) found[one.metric] = {one.value, one.clock_limited};
  const std::map<std::string, std::pair<double, bool>> expected{{"one_way", {10, true}},
                                                                {"one_way_cycles", {20, true}},
                                                                {"round_trip", {100, false}},
                                                                {"round_trip_cycles", {200, false}}};
  EXPECT_EQ(found, expected);
}

TEST(Pair, AWrongMessageBreaksTheCell) {
  const pair_outcome o = exchanged<stutters>("line");
  EXPECT_EQ(o.wrong, 2U) << "the seventh there, the seventh back";
  EXPECT_EQ(record_pair(o, 1).broken, "2 messages were lost, doubled, torn or out of order");
}

/// A laboratory whose seconds are over at once.
struct impatient : host {
  static measure::team_report team(const std::vector<unsigned>&, unsigned n,
                                   const std::function<void(unsigned)>& body) {
    return host::team({}, n, body);
  }
  static double to_ns(std::uint64_t) { return 1e10; }
};

TEST(Pair, GivesUpWhereTheThreadsDoNotRunSideBySide) {
  const auto run = pair_runner_of<impatient, channels<hardware, spin_yield>>("line");
  try {
    (void)run(brief);
    FAIL() << "went on";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "the two threads did not run side by side: something else keeps a processor");
  }
}

/// On a machine whose processors are kept by something else there is a sentence in place of the numbers.
TEST(Pair, MeasuresEveryMeans) {
  const experiment e = messages_pair();
  setting s;
  s.machine = platform::read_topology();
  s.thoroughness = level::quick;
  if (s.machine.processors.size() < 2) GTEST_SKIP() << "one processor";
  for (const coordinate& means : find_axis(e, "means")->values(s)) {
    const std::string far = to_string(s.machine.distances().front());
    repetition r;
    try {
      r = e.measure(s, {{"means", means}, {"size", "line"}, {"distance", far}}, 1);
    } catch (const std::runtime_error& busy) {
      EXPECT_STREQ(busy.what(), "the two threads did not run side by side: something else keeps a processor");
      continue;
    }
    EXPECT_EQ(r.broken, std::nullopt) << results::to_string(means);
    std::set<std::string> told;
    for (const observation& o : r.observations) {
      told.insert(o.metric);
      EXPECT_GT(o.value, 0);
    }
    EXPECT_EQ(told, (std::set<std::string>{"one_way", "one_way_cycles", "round_trip", "round_trip_cycles"}));
  }
}

TEST(Pair, HasABodyForEveryMeans) {
  const experiment e = messages_pair();
  for (const coordinate& means : find_axis(e, "means")->values(machine_of(2)))
    for (const char* size : {"word", "line"})
      EXPECT_NE(pair_runner_by(results::to_string(means), size), nullptr) << results::to_string(means);
}

TEST(Pair, PlansEveryDistanceAndSize) {
  const experiment e = messages_pair();
  const std::size_t all = 5 + peer_pairs().size();
  EXPECT_EQ(cells_of(e, machine_of(4)), all);
  EXPECT_EQ(cells_of(e, machine_of(4, level::standard)), 2 * all);
  EXPECT_TRUE(reasons(e, machine_of(4)).empty());
  const auto why = reasons(e, machine_of(1));
  ASSERT_EQ(why.size(), all);
  EXPECT_EQ(why.front(), "one processor: there is nobody to send to");
}

/// Figs. 9 and 10 are drawn of models, too; the page and the pictures take what is said of them from the declaration.
TEST(Messages, ChartsSayWhatModelsLeaveOut) {
  for (const experiment& e : {messages_pair(), messages_server()}) {
    const auto charts = views::charts_json(e.view);
    ASSERT_EQ(charts.size(), 1U) << e.name;
    EXPECT_NE(charts[0]
                  .value("simulated", "")
                  .find("over coherence; hardware messages, of a model that has them, are the means network"),
              std::string::npos)
        << e.name << ": " << charts[0].dump();
  }
}

TEST(Pair, RefusesAnUnknownMeans) {
  const experiment e = messages_pair();
  setting s = machine_of(2);
  s.chosen = {{"means", {"pigeon"}}};
  try {
    (void)make_plan(s, {&e});
    FAIL() << "taken";
  } catch (const std::exception& x) {
    std::string all = "channel, channel/fetch, channel/park, ring, ring/park";
    for (const auto& p : peer_pairs()) all += ", " + p.name;
    EXPECT_EQ(x.what(), "means cannot be 'pigeon'; it can be " + all);
  }
}

// ---- one server

/// Clients that share processors yield.
server_outcome served(unsigned clients, bool answers, std::uint64_t work = 0) {
  return serve_clients<host, line_message, spin_yield>({{}, clients, 1e6, work, answers});
}

TEST(Server, ServesAllThatClientsSend) {
  for (const unsigned clients : {1U, 3U, 5U, 17U})
    for (const bool answers : {false, true}) {
      const server_outcome o = served(clients, answers, clients == 3 ? 1000 : 0);
      EXPECT_EQ(o.sent.size(), clients);
      std::uint64_t sent = 0;
      for (const std::uint32_t n : o.sent) {
        sent += n;
        EXPECT_GT(n, 0U);
      }
      EXPECT_EQ(o.served, sent);
      EXPECT_EQ(o.wrong, 0U);
      EXPECT_GT(o.elapsed_ns, 0);
    }
}

TEST(Server, SaysWhatOutcomesComeTo) {
  server_outcome o;
  o.sent = {100, 300};
  o.served = 400;
  o.elapsed_ns = 2000;
  const repetition r = record_server(o);
  EXPECT_EQ(r.broken, std::nullopt);
  ASSERT_EQ(r.observations.size(), 2U);
  EXPECT_DOUBLE_EQ(r.observations[0].value, 400 / 2e-6);
  EXPECT_DOUBLE_EQ(r.observations[1].value, 400.0 * 400 / (2 * (100.0 * 100 + 300.0 * 300)));
  o.served = 399;
  EXPECT_EQ(record_server(o).broken, "400 messages were sent, but 399 served");
  o.wrong = 2;
  EXPECT_EQ(record_server(o).broken, "2 messages were lost, doubled, torn or out of order");
  o.sent = {399};
  EXPECT_EQ(record_server(o).unavailable.at("fairness"), "there is only one client");
}

TEST(Server, PlansClientsUpToAProcessorForEach) {
  const experiment e = messages_server();
  const auto clients = [&](const setting& s, const std::string& means) {
    std::set<std::int64_t> all;
    for (const planned_cell& c : make_plan(s, {&e}).cells)
      if (c.at.word("means") == means && !c.unavailable) all.insert(c.at.number("threads"));
    return all;
  };
  EXPECT_EQ(clients(machine_of(8), "mailbox"), (std::set<std::int64_t>{1, 7}));
  EXPECT_EQ(clients(machine_of(8, level::standard), "mailbox"), (std::set<std::int64_t>{1, 2, 4, 7}));
  EXPECT_EQ(clients(machine_of(8, level::standard), "mailbox/yield"), (std::set<std::int64_t>{1, 2, 4, 7, 16}));
  EXPECT_EQ(clients(machine_of(100), "mailbox"), (std::set<std::int64_t>{1, 64}));
}

TEST(Server, SpinnersWithoutAProcessorEachHaveAReason) {
  const experiment e = messages_server();
  setting s = machine_of(2);
  s.chosen = {{"means", {"mailbox"}}, {"threads", {std::int64_t{2}}}};
  const auto why = reasons(e, s);
  ASSERT_EQ(why.size(), 2U);
  EXPECT_EQ(why.front(), "clients and server that spin need a processor each; mailbox/yield does not");
  s.chosen = {{"threads", {std::int64_t{65}}}};
  EXPECT_THROW((void)make_plan(s, {&e}), std::exception);
}

TEST(Server, TheServerStandsBesideItsClients) {
  const experiment e = messages_server();
  const coordinates at{{"means", "mailbox"},         {"protocol", "one_way"},   {"size", "line"},
                       {"threads", std::int64_t{3}}, {"work", std::int64_t{0}}, {"placement", "compact"}};
  EXPECT_EQ(e.processors(machine_of(8), at), (std::vector<unsigned>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace synchro::experiments::messages
