#include "views/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <sstream>

#include "results/samples.hpp"
#include "results/text.hpp"
#include "views/as_declared.hpp"
#include "views/paper/tables.hpp"
#include "views/pivot.hpp"
#include "views/values.hpp"

namespace synchro::views {

using namespace results;
namespace {

using samples::around;
using samples::made;
using samples::whole;
using samples::without_value;

using list = std::vector<cell>;

cell lock_cell(const std::string& lock, int threads, double value, double half_width = 0.01) {
  return made("locks.throughput", {{"lock", lock}, {"threads", whole(threads)}, {"placement", "compact"}}, "throughput",
              "op/s", around(value, half_width), better::higher);
}

/// Every mark and every reason.
list some_locks() {
  list c = {lock_cell("ticket", 1, 4.2e7, 0.004), lock_cell("ticket", 2, 1.1e7, 0.06), lock_cell("mcs", 1, 3.8e7),
            lock_cell("mcs", 2, 1.9e7, 0.2), lock_cell("bad", 1, 1e7)};
  c[1].reason = "stopped after 2 s";
  c[4].valid = false;
  c[4].reason = "two threads were inside at once";
  summarize(c[4]);
  c.push_back(without_value("locks.throughput", {{"lock", "bad"}, {"threads", whole(2)}, {"placement", "compact"}},
                            "throughput", "op/s", "one processor only"));
  return c;
}

cell pair(int from, int to, double ns) {
  return made("coherence.pairs", {{"from", whole(from)}, {"to", whole(to)}, {"protocol", "cas"}, {"home", "from"}},
              "latency", "ns", around(ns));
}

list all_pairs(int cpus, const std::function<double(int, int)>& ns) {
  list c;
  for (int from = 0; from < cpus; ++from)
    for (int to = 0; to < cpus; ++to)
      if (from != to) c.push_back(pair(from, to, ns(from, to)));
  return c;
}

list five_processors() {
  list c = all_pairs(5, [](int from, int to) { return from / 2 == to / 2 ? 25 : 110 + from; });
  c[3].samples = around(110, 0.2);
  summarize(c[3]);
  return c;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) widest = std::max(widest, width_of(line));
  return widest;
}

TEST(Show, RowsAreLocksAndColumnsAreThreads) {
  EXPECT_EQ(show(some_locks(), style{}), R"table(locks.throughput: throughput, Mop/s, higher is better
placement compact; best first at threads 2

        threads
lock                1              2
------------------------------------
mcs       38.0 +-1%    19.0 +-20%!
ticket    42.0 +-0.4%  11.0 +-6%~(b)
bad     BROKEN (a)        - (c)
(a) two threads were inside at once
(b) stopped after 2 s
(c) one processor only
+- half the 95 % interval; ~ noisy: 5 % or more; ! unreliable: 10 % or more, or
no interval
)table");
}

TEST(PaperTables, TextsOfFiguresAreFoundByTheirNumbers) {
  const auto points = paper::figure_points("Fig. 9 and Fig. 10 (one server)");
  ASSERT_FALSE(points.empty());
  EXPECT_EQ(points.front().figure, 9);
  EXPECT_EQ(points.back().figure, 10);
  for (const auto& p : points) {
    EXPECT_TRUE(p.drawn || !p.words.empty()) << p.section;
    for (const std::string& name : p.platforms) EXPECT_FALSE(paper::platform_fact(name, "cores").empty()) << name;
  }
  const auto& drawn = points.back().drawn;
  ASSERT_TRUE(drawn);
  EXPECT_EQ(drawn->x, 10);
  EXPECT_EQ(drawn->value, 8e6);
  EXPECT_EQ(drawn->at.at("protocol"), std::vector<std::string>{"one_way"});
  EXPECT_TRUE(paper::figure_points("6.4, in words").empty());
  EXPECT_TRUE(paper::figure_points("Fig. 1").empty());  // not the beginning of Fig. 10
}

TEST(PaperTables, ValuesOfFiguresMayBeRangesAndBounds) {
  const auto place = [](const std::string& figure, const std::string& platform, const std::string& axis,
                        const std::string& value) {
    for (const auto& p : paper::figure_points(figure))
      if (p.drawn && p.platforms.front() == platform && p.drawn->at.at(axis).front() == value) return *p.drawn;
    return paper::figure_point::place{};
  };
  const auto across = place("Fig. 6", "opteron", "distance", "one_hop");
  EXPECT_EQ(across.metric, "acquire_cycles");
  EXPECT_FALSE(across.x) << "it is no point of one number of threads";
  EXPECT_EQ(across.value, 350);
  EXPECT_EQ(across.to, 450);
  const auto words = place("Fig. 10", "tilera", "size", "word");
  EXPECT_EQ(words.value, words.to);
  std::vector<std::string> bounds;
  for (const auto& p : paper::figure_points("Fig. 10"))
    if (p.drawn && p.platforms.front() == "tilera") bounds.push_back(p.drawn->bound);
  EXPECT_EQ(bounds, (std::vector<std::string>{"up to", "", "more than"}));
}

TEST(Show, UsesUnicodeWhereItMay) {
  EXPECT_EQ(show(some_locks(), style{false, 80, true}), R"table(locks.throughput: throughput, Mop/s, higher is better
placement compact; best first at threads 2

        threads
lock               1             2
──────────────────────────────────
mcs       38.0 ±1%    19.0 ±20%!
ticket    42.0 ±0.4%  11.0 ±6%~(b)
bad     BROKEN (a)       - (c)
(a) two threads were inside at once
(b) stopped after 2 s
(c) one processor only
± half the 95 % interval; ~ noisy: 5 % or more; ! unreliable: 10 % or more, or
no interval
)table");
}

TEST(Show, ColoursFlagsAndHeadingsWhereItMay) {
  EXPECT_EQ(show(some_locks(), style{true, 80, false}),
            "\033[1mlocks.throughput: throughput, Mop/s, higher is better\033[0m\n"
            "placement compact; best first at threads 2\n"
            "\n"
            "\033[1m        threads\033[0m\n"
            "\033[1mlock                1              2\033[0m\n"
            "\033[2m------------------------------------\033[0m\n"
            "mcs       38.0 +-1%    \033[1;31m19.0 +-20%!  \033[0m\n"
            "ticket    42.0 +-0.4%  \033[33m11.0 +-6%~(b)\033[0m\n"
            "bad     \033[1;31mBROKEN (a)   \033[0m  \033[2m   - (c)     \033[0m\n"
            "(a) two threads were inside at once\n"
            "(b) stopped after 2 s\n"
            "(c) one processor only\n"
            "+- half the 95 % interval; ~ noisy: 5 % or more; ! unreliable: 10 % or more, or\n"
            "no interval\n");
}

TEST(Show, TwoProcessorsAreAMatrixWithErrors) {
  EXPECT_EQ(show(list{pair(0, 1, 26.1), pair(1, 0, 25.4)}, style{}), R"table(coherence.pairs: latency, ns
protocol cas, home from

      to
from          0          1
--------------------------
0        .       26.1 +-1%
1     25.4 +-1%     .
+- half the 95 % interval
)table");
}

TEST(Show, ManyProcessorsAreAMatrix) {
  EXPECT_EQ(show(five_processors(), style{}), R"table(coherence.pairs: latency, ns
protocol cas, home from

      to
from     0     1     2     3     4
----------------------------------
0        .  25.0   110   110  110!
1     25.0     .   111   111  111
2      112   112     .  25.0  112
3      113   113  25.0     .  113
4      114   114   114   114    .
20 pairs, from 25.0 ns (0 to 1) to 114 ns (4 to 3); half of them up to 112 ns
! unreliable: 10 % or more, or no interval
)table");
}

TEST(Show, CutsAMatrixIntoStripsOnANarrowTerminal) {
  const std::string text = show(five_processors(), style{false, 30, false});
  EXPECT_EQ(text, R"table(coherence.pairs: latency, ns
protocol cas, home from

      to
from     0     1     2     3
----------------------------
0        .  25.0   110   110
1     25.0     .   111   111
2      112   112     .  25.0
3      113   113  25.0     .
4      114   114   114   114

      to
from     4
----------
0     110!
1     111
2     112
3     113
4       .
20 pairs, from 25.0 ns (0 to
1) to 114 ns (4 to 3); half of
them up to 112 ns
! unreliable: 10 % or more, or
no interval
)table");
  EXPECT_LE(widest_line(text), 30U);
}

TEST(Render, PutsValuesBelowLabelsThatLeaveNoRoom) {
  const column labels{"", "primitive", {{"std/condition_variable", "", ""}, {"event", "", ""}}};
  const column times{"", "wake_of_thread, ms", {{"1.01", "+->999%", "!(a)"}, {"0.157", "+-3%", ""}}};
  const column words{"", "", {{"", "", "no difference resolved: single runs differ as much"}, {"", "", "slower"}}};
  const std::string text = render({labels}, {times, words}, style{false, 40, false});
  EXPECT_EQ(text, R"table(primitive
  wake_of_thread, ms
--------------------
std/condition_variable
    1.01 +->999%!(a)
event
   0.157 +-3%

primitive
----------------------------------------
std/condition_variable
  no difference resolved: single runs
  differ as much
event
  slower
)table");
  EXPECT_EQ(widest_line(render({labels}, {times}, style{false, 42, false})), 42U) << "there is room";
}

TEST(Show, LeavesAMatrixThatIsTooLargeToTheReport) {
  EXPECT_EQ(show(all_pairs(65, [](int from, int to) { return from + to + 20; }), style{}),
            R"table(coherence.pairs: latency, ns
protocol cas, home from

4160 pairs, from 21.0 ns (0 to 1) to 147 ns (64 to 63); half of them up to 84.0
ns
A matrix of more than 64 processors is not printed; report and export show it.
)table");
}

TEST(Show, HeatsAMatrixUpTo64Processors) {
  const auto near_and_far = [](int from, int to) { return from / 32 == to / 32 ? 25.0 : 250.0; };
  const style color{true, 0, false};
  const std::string text = show(all_pairs(64, near_and_far), color);
  EXPECT_NE(text.find("48;5;17m"), std::string::npos) << "the coolest";
  EXPECT_NE(text.find("48;5;185m"), std::string::npos) << "the hottest";
  EXPECT_EQ(show(all_pairs(65, near_and_far), color).find("48;5;"), std::string::npos);
  EXPECT_EQ(show(all_pairs(3, [](int, int) { return 25; }), color).find("48;5;"), std::string::npos)
      << "equal values have no heat";
}

TEST(Show, AMatrixForEachProtocolAndMode) {
  list c = {pair(0, 1, 26), pair(1, 0, 26), pair(0, 1, 60), pair(1, 0, 60), pair(0, 1, 260)};
  c[2].at.set("protocol", "handover");
  c[3].at.set("protocol", "handover");
  c[4].at.set("mode", "far");
  const std::string text = show(c, style{});
  EXPECT_NE(text.find("latency, ns, protocol cas, mode near\n"), std::string::npos) << text;
  EXPECT_NE(text.find("latency, ns, protocol handover, mode near\n"), std::string::npos) << text;
  EXPECT_NE(text.find("latency, ns, protocol cas, mode far\n"), std::string::npos) << text;
}

list some_states() {
  list c;
  const auto add = [&c](const std::string& operation, const std::string& state, double ns) {
    const coordinates at = {{"operation", operation},
                            {"state", state},
                            {"distance", "same_cache"},
                            {"event", operation + "_from_" + state}};
    if (ns > 0) {
      c.push_back(made("coherence.states", at, "latency", "ns", around(ns)));
      c.push_back(made("coherence.states", at, "latency_cycles", "cycle", around(ns * 2.5)));
      return;
    }
    const std::string reason = "this processor has no state Owned";
    c.push_back(without_value("coherence.states", at, "latency", "ns", reason));
    c.push_back(without_value("coherence.states", at, "latency_cycles", "cycle", reason));
  };
  add("store", "modified", 44);
  add("load", "modified", 40);
  add("load", "shared", 20);
  add("fai", "modified", 41.5);
  add("load", "owned", 0);
  return c;
}

TEST(Show, StatesStandBesideThePaper) {
  EXPECT_EQ(show(some_states(), style{false, 0, false}),
            R"table(coherence.states: one access to a line, by its state and its holder's distance
distance same_cache

                     here, same_cache      Opteron                  Xeon                Niagara      Tilera
operation  state            ns     cycles  die  mcm  1 hop  2 hops  die  1 hop  2 hops  core  other  1 hop  max
---------------------------------------------------------------------------------------------------------------
load       modified  40.0 +-1%   100 +-1%   81  161    172     252  109    289     400     3     24     45   65
           owned        - (a)      - (a)    83  163    175     254
           shared    20.0 +-1%  50.0 +-1%   83  164    176     254   44    223     334     3     24     45   65
store      modified  44.0 +-1%   110 +-1%   83  172    191     273  115    320     431    24     24     57   77
fai        modified  41.5 +-1%   104 +-1%  110  197    216     296  120    324     430   108     99     51   71
(a) this processor has no state Owned
+- half the 95 % interval
The paper's machines: David, Guerraoui, Trigonakis, SOSP 2013 ("SSYNC"); latencies in cycles.
On Opteron and Xeon it has one number for the four atomic operations. Opteron: AMD Magny Cours, 48 cores, 2.1 GHz; Xeon: Intel Westmere-EX, 80 cores, 2.13 GHz; Niagara: SUN SPARC-T5120, 8 cores, 1.2 GHz; Tilera: Tilera TILE-Gx36, 36 cores, 1.2 GHz.
)table");
}

TEST(Show, StatesBecomeRowsOfTheirOwnForOtherHomes) {
  list c = some_states();
  const std::size_t before = c.size();
  for (std::size_t i = 0; i < before; ++i) {
    c.push_back(c[i]);
    c[i].at.set("home", "requester");
    c.back().at.set("home", "holder");
  }
  const std::string text = show(c, style{false, 0, false});
  EXPECT_NE(text.find("operation  state     home"), std::string::npos) << text;
  EXPECT_NE(text.find("load       modified  requester  40.0 +-1%   100 +-1%   81  161"), std::string::npos) << text;
  EXPECT_NE(text.find("                     holder     40.0 +-1%   100 +-1%\n"), std::string::npos)
      << "the paper's numbers once\n"
      << text;
}

TEST(Show, EventsThatDifferInNothingElseAreRows) {
  const auto event = [](const std::string& name) {
    return made("coherence.states", {{"operation", "cas"}, {"state", "modified"}, {"event", name}}, "latency", "ns",
                around(40));
  };
  const std::string text = show(list{event("cas"), event("cas_concurrent")}, style{false, 0, false});
  EXPECT_NE(text.find("cas        modified  cas "), std::string::npos) << text;
  EXPECT_NE(text.find("cas_concurrent"), std::string::npos) << text;
}

TEST(Show, CachesStandBesideThePaper) {
  list c;
  for (const auto& [level, ns] : {std::pair{"l1", 1.3}, std::pair{"l2", 4.0}, std::pair{"ram", 95.0}}) {
    c.push_back(made("coherence.local", {{"level", level}}, "latency", "ns", around(ns)));
    c.push_back(made("coherence.local", {{"level", level}}, "latency_cycles", "cycle", around(ns * 2.5)));
  }
  EXPECT_EQ(show(c, style{}), R"table(coherence.local: loads from the caches and from memory

       here
level         ns     cycles  Opteron  Xeon  Niagara  Tilera
-----------------------------------------------------------
l1     1.30 +-1%  3.25 +-1%        3     5        3       2
l2     4.00 +-1%  10.0 +-1%       15    11               11
ram    95.0 +-1%   238 +-1%      136   355      176     118
+- half the 95 % interval
The paper's machines: David, Guerraoui, Trigonakis, SOSP 2013 ("SSYNC");
latencies in cycles.
Opteron: AMD Magny Cours, 48 cores, 2.1 GHz; Xeon: Intel Westmere-EX, 80 cores,
2.13 GHz; Niagara: SUN SPARC-T5120, 8 cores, 1.2 GHz; Tilera: Tilera TILE-Gx36,
36 cores, 1.2 GHz.
)table");
}

TEST(Show, WithOneAxisMetricsAreColumns) {
  list c;
  for (const std::string lock : {"mcs", "ticket"}) {
    c.push_back(made("locks.uncontested", {{"lock", lock}}, "acquire", "ns", around(lock == "mcs" ? 9 : 7)));
    c.push_back(made("locks.uncontested", {{"lock", lock}}, "release", "ns", around(lock == "mcs" ? 3 : 1)));
  }
  EXPECT_EQ(show(c, style{}), R"table(locks.uncontested
best acquire first

lock    acquire, ns  release, ns
--------------------------------
ticket    7.00 +-1%    1.00 +-1%
mcs       9.00 +-1%    3.00 +-1%
+- half the 95 % interval
)table");
}

TEST(Show, ContestantsAreComparedAtOnePlaceOfTheOtherAxes) {
  list c;
  for (const int locks : {1, 16})
    for (const std::string lock : {"mcs", "ticket"})
      for (const int threads : {1, 2})
        c.push_back(made("locks.throughput", {{"lock", lock}, {"locks", whole(locks)}, {"threads", whole(threads)}},
                         "throughput", "op/s", around((lock == "mcs" ? 1e6 : 2e6) * locks * threads), better::higher));
  EXPECT_EQ(show(c, style{}), R"table(locks.throughput: throughput, Mop/s, higher is better
locks 1; best first at threads 2

        threads
lock            1          2
----------------------------
ticket  2.00 +-1%  4.00 +-1%
mcs     1.00 +-1%  2.00 +-1%
+- half the 95 % interval

locks.throughput: throughput, Mop/s, higher is better
locks 16; best first at threads 2

        threads
lock            1          2
----------------------------
ticket  32.0 +-1%  64.0 +-1%
mcs     16.0 +-1%  32.0 +-1%
+- half the 95 % interval
)table");
}

TEST(Show, NumbersOnAnAxisRise) {
  const std::string text =
      show(list{lock_cell("mcs", 16, 1e7), lock_cell("mcs", 2, 1e7), lock_cell("mcs", 1, 1e7)}, style{});
  EXPECT_LT(text.find("\n1 "), text.find("\n2 "));
  EXPECT_LT(text.find("\n2 "), text.find("\n16 "));
}

TEST(Show, SaysWhenTwoCellsStandInOnePlace) {
  const std::string text = show(list{lock_cell("mcs", 1, 1e7), lock_cell("mcs", 1, 2e7)}, style{});
  EXPECT_NE(text.find("10.0 +-1%(a)"), std::string::npos) << text;
  EXPECT_NE(text.find("(a) Several cells belong here; the first is shown."), std::string::npos) << text;
}

TEST(Show, FewRepetitionsHaveNoError) {
  const std::string text = show(list{made("a.b", {{"x", whole(1)}}, "m", "ns", {5, 5, 5})}, style{});
  EXPECT_NE(text.find("5.00 +-?!"), std::string::npos) << text;
  EXPECT_NE(text.find("+-? no interval, fewer than 6 repetitions"), std::string::npos) << text;
}

TEST(Show, ADocumentSaysThatItIsEmptyOrIncomplete) {
  document d = samples::complete_document({});
  EXPECT_EQ(show(d, style{}), "This file holds no measurements.\n");
  d.cells = {lock_cell("mcs", 1, 1e7)};
  EXPECT_EQ(show(d, style{}).find("stopped early"), std::string::npos);
  d.complete = false;
  EXPECT_NE(show(d, style{}).find("The run was stopped early"), std::string::npos);
}

/// Cells as a villain writes them.
list hostile_cells() {
  const std::string evil = "\x1b[2J\x1b]0;owned\x07\r\n\u202e\u009b31m\xff" + std::string(3000, 'A');
  list c;
  for (const std::string& experiment : {std::string{"coherence.states"}, std::string{"coherence.local"}, evil})
    for (const char* more : {"1", "2"}) {
      coordinates at = {
          {"operation", evil}, {"state", evil}, {"level", evil}, {evil, evil + more}, {"distance", evil + more}};
      c.push_back(made(experiment, at, evil, evil, around(10)));
      at.set("lock", evil + more);
      c.push_back(without_value(experiment, at, evil, evil, evil));
      c.push_back(made(experiment, {{"from", evil + more}, {"to", evil}}, evil, evil, around(20)));
    }
  c.push_back(made("pairs.evil", {{"from", evil}, {"to", evil}, {"x", evil}}, evil, evil, around(20)));
  c.push_back(made("pairs.evil", {{"from", evil}, {"to", evil}, {"x", "y"}}, evil, evil, around(20)));
  return c;
}

TEST(Show, NamesFromAFileCannotHarmTheTerminal) {
  for (const bool utf8 : {false, true})
    for (const bool color : {false, true}) {
      std::string text = show(hostile_cells(), style{color, 80, utf8});
      if (color) text = std::regex_replace(text, std::regex{"\x1b\\[[0-9;]*m"}, "");  // Our own.
      for (const char ch : text)
        ASSERT_TRUE(ch == '\n' || (ch >= 0x20 && ch != 0x7F) || (utf8 && (static_cast<unsigned>(ch) & 0x80U) != 0))
            << static_cast<int>(ch);
      EXPECT_EQ(text.find("\u202e"), std::string::npos);
      EXPECT_EQ(text.find("\u009b"), std::string::npos);
      EXPECT_LT(text.size(), 60'000U) << "long names are cut";
    }
}

TEST(Show, EscapesComeInPairsAndOnlyWithColour) {
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  for (const list& c : {some_locks(), five_processors(), some_states(), hostile_cells()}) {
    const std::string colored = show(c, style{true, 80, true});
    EXPECT_EQ(count(colored, "\x1b["), 2 * count(colored, "\x1b[0m"));
    EXPECT_EQ(count(show(c, style{false, 80, true}), "\x1b"), 0U);
    EXPECT_EQ(std::regex_replace(colored, std::regex{"\x1b\\[[0-9;]*m"}, "").find('\x1b'), std::string::npos);
  }
}

TEST(Show, KeepsToTheWidthOfTheTerminal) {
  for (const std::size_t width : {60U, 80U, 120U})
    for (const list& c : {some_locks(), five_processors(), some_states()})
      EXPECT_LE(widest_line(show(c, style{false, width, true})), width);
}

TEST(Paper, HasItsTables) {
  EXPECT_EQ(paper::places().size(), 11U);
  EXPECT_EQ(paper::remote_cycles("load", "modified", {"opteron", "same_die"}), 81);
  EXPECT_EQ(paper::remote_cycles("store", "shared", {"xeon", "two_hops"}), 428);
  EXPECT_EQ(paper::remote_cycles("swap", "shared", {"tilera", "max_hops"}), 115);
  EXPECT_EQ(paper::remote_cycles("tas", "modified", {"xeon", "one_hop"}), 324) << "one number for all atomics";
  EXPECT_FALSE(paper::remote_cycles("load", "owned", {"xeon", "one_hop"}));
  EXPECT_FALSE(paper::remote_cycles("atom", "modified", {"niagara", "same_core"}));
  EXPECT_EQ(paper::local_cycles("ram", "xeon"), 355);
  EXPECT_FALSE(paper::local_cycles("l2", "niagara"));
  EXPECT_FALSE(paper::local_cycles("l1", "vax"));
  EXPECT_EQ(paper::platform_fact("niagara", "hardware_threads"), "64");
  EXPECT_EQ(paper::platform_fact("niagara", "colour"), "");
}

TEST(Table, MetricsThatAreReadTogetherStandSideBySide) {
  const auto at = [](const char* primitive, const char* mode) {
    return coordinates{{"primitive", primitive}, {"threads", whole(11)}, {"mode", mode}};
  };
  std::vector<cell> all;
  for (const char* primitive : {"event", "posix/sem"})
    for (const char* mode : {"near", "far"}) {
      all.push_back(made("wake.groups", at(primitive, mode), "wake_best", "ns", around(9000)));
      all.push_back(made("wake.groups", at(primitive, mode), "best_group", "1", around(5)));
      all.push_back(made("wake.groups", at(primitive, mode), "predicted_group", "1", around(4)));
      all.push_back(made("wake.groups", at(primitive, mode), "call_cost", "ns", around(700)));
    }
  const auto tables = lay_out(all, experiments::all_presentations(), {}).front().tables;
  ASSERT_EQ(tables.size(), 2U);
  ASSERT_EQ(tables[0].values.size(), 3U);
  EXPECT_EQ(tables[0].values[0].name, "best_group");
  EXPECT_EQ(tables[0].values[1].name, "predicted_group");
  EXPECT_EQ(tables[0].values[0].entries.size(), 4U);
  EXPECT_NE(tables[1].title.find("call_cost"), std::string::npos);
}

TEST(Values, OfTimesHaveAUnit) {
  const style ascii{false, 0, false}, utf8{false, 0, true};
  EXPECT_EQ(value_words("idle", whole(100000000), ascii), "100 ms");
  EXPECT_EQ(value_words("work", whole(50000), ascii), "50 us");
  EXPECT_EQ(value_words("work", whole(50000), utf8), "50 \u00b5s");
  EXPECT_EQ(value_words("idle", whole(1234567), ascii), "1234567 ns") << "no two values look the same";
  EXPECT_EQ(value_words("idle", whole(0), ascii), "0");
  EXPECT_EQ(value_words("threads", whole(1000), ascii), "1000");
  EXPECT_EQ(value_words("idle", coordinate{"long"}, ascii), "long");
}

}  // namespace
}  // namespace synchro::views
