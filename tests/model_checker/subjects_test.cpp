// The subjects: all there are, all literals reached, every seeded bug found and shown.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "model_checker/equivalents.hpp"
#include "model_checker/fitting_bounds.hpp"
#include "model_checker/harnesses/lock_harnesses.hpp"
#include "model_checker/harnesses/order_harnesses.hpp"
#include "model_checker/verification.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/fair_mutex.hpp"
#include "synchro/locks/hierarchical/hmcs.hpp"
#include "synchro/locks/hierarchical/hticket.hpp"
#include "synchro/waiting.hpp"

namespace synchro::model_checker {
namespace {

namespace fs = std::filesystem;

/// The names that the catalog gives: the stem with the first policy, stem/policy with the others.
std::vector<std::string> names_in(const fs::path& catalog) {
  std::vector<std::string> names;
  std::ifstream in{catalog};
  for (std::string line; std::getline(in, line);) {
    std::smatch parts;
    static const std::regex form{R"(^(?:lock|wake) +(?:[a-z0-9_]+/)?([a-z0-9_]+) *:((?: +[a-z_]+)+) *$)"};
    if (!std::regex_match(line, parts, form)) continue;
    std::istringstream policies{parts[2]};
    bool first = true;
    for (std::string policy; policies >> policy; first = false)
      names.push_back(first ? parts[1].str() : parts[1].str() + "/" + policy.substr(policy.find('_') + 1));
  }
  return names;
}

TEST(Subjects, EveryLineOfTheCatalogHasPrograms) {
  const auto names = names_in(SYNCHRO_TESTS_CATALOG);
  ASSERT_FALSE(names.empty());
  for (const std::string& name : names) {
    const subject* const s = find_subject(name);
    ASSERT_NE(s, nullptr) << name << " has no programs";
    EXPECT_FALSE(s->checks.empty()) << name;
  }
}

/// The headers whose orders somebody has to need: all but those of machines and systems, which make no use of one, and
/// checked mode's own table, which is for the hardware alone (tests/sync sees it refuse).
std::set<std::string> headers_of_algorithms() {
  const fs::path root = fs::path{SYNCHRO_TESTS_INCLUDE} / "synchro";
  std::set<std::string> headers;
  for (const auto& entry : fs::recursive_directory_iterator{root}) {
    const std::string header = entry.path().lexically_relative(root).generic_string();
    const bool of_a_machine = header == "machine.hpp" || header == "hardware.hpp" || header == "lock_order.hpp" ||
                              header.starts_with("os/") || header.starts_with("cpu/");
    if (entry.is_regular_file() && !of_a_machine) headers.insert(header);
  }
  return headers;
}

/// How often an order is written on each line of a header, comments aside; not where the comment says that nobody else is
/// there (the child of a fork).
std::map<std::uint32_t, int> literals_of(const fs::path& header) {
  std::map<std::uint32_t, int> lines;
  std::ifstream in{header};
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find("// one thread, so no order matters") != std::string::npos) continue;
    line = line.substr(0, line.find("//"));
    for (auto at = line.find("memory_order::"); at != std::string::npos; at = line.find("memory_order::", at + 1))
      ++lines[number];
  }
  return lines;
}

/// A statement may be longer than its line, and GCC tells the line of the call: sites are counted over the header.
TEST(Subjects, EveryOrderIsReachedByAProgram) {
  std::map<std::string, std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>> reached;
  for (const subject& s : all_subjects()) {
    for (const site& at : sites_of(s, 3'000))
      if (at.what != action::fence && at.what != action::unpark && at.what != action::write && at.what != action::abort)
        reached[at.file].insert({at.line, at.column, at.operand});
  }
  for (const std::string& header : headers_of_algorithms()) {
    int written = 0;
    const auto literals = literals_of(fs::path{SYNCHRO_TESTS_INCLUDE} / "synchro" / header);
    for (const auto& [line, n] : literals) written += n;
    std::string lines;
    for (const auto& [line, n] : literals) lines += std::to_string(line) + "x" + std::to_string(n) + " ";
    std::string met;
    for (const auto& [line, column, operand] : reached[header])
      met += std::to_string(line) + ":" + std::to_string(column) + "." + std::to_string(operand) + " ";
    EXPECT_EQ(static_cast<int>(reached[header].size()), written)
        << header << "\n  written on lines " << lines << "\n  reached at    " << met;
  }
}

class Seeded : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Seeded, IsRefutedByAScheduleThatReplays) {
  const subject& bug = seeded_bugs()[GetParam()];
  const check_result r = verify(bug.checks.front(), standard_budget);
  ASSERT_EQ(r.outcome.result, search_result::refuted) << bug.name;
  std::string why_not;
  const auto example = find_counter_example(id_of(bug, *r.what, r.outcome.schedule, nullptr), why_not);
  ASSERT_TRUE(example.has_value()) << why_not;
  const replay_trace again = replay(*example->what, example->schedule, nullptr);
  ASSERT_TRUE(again.fits);
  ASSERT_TRUE(again.why.has_value());
  EXPECT_EQ(again.why->what, r.outcome.why->what);
  EXPECT_EQ(again.steps.size(), r.outcome.schedule.size());
}

INSTANTIATE_TEST_SUITE_P(All, Seeded, ::testing::Range(std::size_t{0}, seeded_bugs().size()),
                         [](const auto& at) { return seeded_bugs()[at.param].name.substr(7); });

/// A ticket lock whose try_lock forgets to acquire: right in every test that runs on a strongly ordered processor.
template <class Machine = hardware, class Waiting = spin>
class basic_hidden_bug_lock {
 public:
  static constexpr lock_traits traits{.judgement = "never", .citation = "none"};
  void lock() {
    const std::uint32_t mine = next_.fetch_add(1, memory_order::relaxed);
    Machine::await(serving_, memory_order::acquire, [mine](std::uint32_t v) { return v == mine; });
  }
  bool try_lock() {
    std::uint32_t number = serving_.load(memory_order::relaxed);
    return next_.compare_exchange_strong(number, number + 1, memory_order::relaxed, memory_order::relaxed);
  }
  void unlock() { serving_.store(serving_.load(memory_order::relaxed) + 1, memory_order::release); }

 private:
  typename Machine::template atomic<std::uint32_t> next_{0};
  typename Machine::template atomic<std::uint32_t> serving_{0};
};

TEST(Subjects, AHiddenBugIsRefutedByTheProgramsOfTheCatalog) {
  subjects some;
  add_line<catalog::lock_line<"hidden_bug", basic_hidden_bug_lock, spin>>(some);
  const subject_result r = verify(some.front(), standard_budget);
  ASSERT_FALSE(r.holds());
  EXPECT_EQ(r.failure()->outcome.why->what, "data race");
  const replay_trace again = replay(*r.failure()->what, r.failure()->outcome.schedule, nullptr);
  ASSERT_TRUE(again.why.has_value());
  EXPECT_EQ(again.why->what, "data race");
}

TEST(Subjects, AMutantIsKilledAndItsIdReplays) {
  const subject* const ticket = find_subject("ticket");
  ASSERT_NE(ticket, nullptr);
  std::vector<mutant_result> results;
  mutate({ticket}, standard_budget, [&](const mutant_result& f) { results.push_back(f); });
  std::size_t statements = 0;
  for (const mutant_result& f : results) {
    if (f.killed_by.empty()) {
      EXPECT_NE(f.what.how, change::weaken) << f.what.describe();
      continue;
    }
    statements += f.what.how == change::weaken ? 0 : 1;
    std::string why_not;
    const auto example = find_counter_example(f.id, why_not);
    ASSERT_TRUE(example.has_value()) << f.id << ": " << why_not;
    const replay_trace again = replay(*example->what, example->schedule, &*example->mutant);
    ASSERT_TRUE(again.why.has_value()) << f.id;
    EXPECT_EQ(again.why->what, f.why->what);
  }
  EXPECT_GE(statements, 10U);
}

/// A waiter that gives up with nobody behind it and leaves its node in the queue costs memory, and is found by that.
TEST(Subjects, ANodeThatIsLeftBehindIsCounted) {
  const subject* const give_ups = find_subject("give_ups");
  ASSERT_NE(give_ups, nullptr);
  std::set<std::string> refuted;
  for (const site& at : sites_of(*give_ups, 3'000)) {
    if (at.what != action::compare_exchange || at.kind != value_kind::pointer) continue;
    for (const mutation& m : mutants_of(at)) {
      if (m.how != change::fail && m.how != change::expects_more) continue;
      search_options how;
      how.mutant = &m;
      const bool is_found = std::any_of(give_ups->checks.begin(), give_ups->checks.end(), [&](const check& c) {
        return explore(c.what, how).result == search_result::refuted;
      });
      if (is_found) refuted.insert(m.at.file + " " + m.what_is_done());
    }
  }
  EXPECT_EQ(refuted,
            (std::set<std::string>{"locks/clh.hpp expects another", "locks/clh.hpp fails",
                                   "locks/hierarchical/hclh.hpp expects another", "locks/hierarchical/hclh.hpp fails",
                                   "locks/hierarchical/hmcs.hpp expects another", "locks/hierarchical/hmcs.hpp fails",
                                   "locks/mcs.hpp expects another", "locks/mcs.hpp fails"}));
}

/// What the program says of the mutant, after a short search.
std::string verdict_on(const program& p, const std::string& mutant) {
  std::set<site> sites;
  search_options how;
  how.most_states = 3'000;
  how.census = &sites;
  explore(p, how);
  for (const site& at : sites)
    for (const mutation& m : mutants_of(at)) {
      if (equivalent_key(m) != mutant) continue;
      how.mutant = &m;
      const search_result r = explore(p, how);
      return r.result == search_result::refuted ? r.why->detail : "not refuted";
    }
  return "there is no such mutant";
}

/// Mutants that leave exclusion and every result as they are, and break another promise: that a transaction which meets no
/// other commits at once, that a try fails only beside a line which must not be passed, that after an exception no job is
/// begun.
TEST(Subjects, AMutantThatOnlyBreaksAPromiseIsKilled) {
  const struct {
    const char* subject;
    const char* program;
    const char* mutant;
    const char* verdict;
  } all[] = {
      {"stm_guarded", "stm_guarded, apart 2x2",
       "stm/lock_table.hpp | old = s.lock.load(memory_order::relaxed); | load | returns one more",
       "a transaction that meets no other begins again"},
      {"fair_mutex/bound", "passed at most 1 times, by tries",
       "locks/fair_mutex.hpp | void open() noexcept { state_.fetch_and(~closed, memory_order::relaxed); } | fetch_and "
       "| left out",
       "a lock that nobody has is not free"},
      {"fair_mutex/bound", "passed at most 3 times, by tries",
       "locks/fair_mutex.hpp | count_ = passes; | write | one more", "a try fails though nobody else was in"},
      {"fair_mutex/bound", "open when all were served", "locks/fair_mutex.hpp | count_ = left; | write | left out",
       "a try fails beside a line that is open"},
      {"fair_mutex/bound", "passes are counted anew", "locks/fair_mutex.hpp | count_ = 0; | write | left out",
       "a try fails beside a line that is open"},
      {"fork_join_pool", "a job fails, and the others are left out",
       "pool/fork_join_pool.hpp | next_.store(all, memory_order::relaxed); | store | left out",
       "a job is begun after one has failed"},
  };
  for (const auto& each : all) {
    const subject* const s = find_subject(each.subject);
    ASSERT_NE(s, nullptr) << each.subject;
    const auto by =
        std::find_if(s->checks.begin(), s->checks.end(), [&](const check& c) { return c.what.name == each.program; });
    ASSERT_NE(by, s->checks.end()) << each.program;
    EXPECT_EQ(verdict_on(by->what, each.mutant), each.verdict) << each.mutant;
  }
}

TEST(Subjects, ACounterExampleIsShownBeforeWhatIsUndecided) {
  subject_result r;
  r.checks.resize(3);
  EXPECT_EQ(r.failure(), nullptr);
  r.checks[1].outcome.result = search_result::undecided;
  EXPECT_EQ(r.failure(), &r.checks[1]);
  r.checks[2].outcome.result = search_result::refuted;
  EXPECT_EQ(r.failure(), &r.checks[2]);
}

TEST(Subjects, EachArgumentIsAboutALineThatIsThere) {
  for (const auto& [key, why] : equivalents()) {
    const std::string header = key.substr(0, key.find(" | "));
    const std::string rest = key.substr(header.size() + 3);
    std::ifstream in{fs::path{SYNCHRO_TESTS_INCLUDE} / "synchro" / header};
    bool is_there = false;
    for (std::string line; std::getline(in, line);) {
      const auto text = line.find_first_not_of(' ');
      is_there = is_there || (text != std::string::npos && rest.starts_with(line.substr(text) + " | "));
    }
    EXPECT_TRUE(is_there) << key;
    EXPECT_FALSE(why.empty()) << key;
  }
}

/// Null if there is none of this name.
const check* find_check(const subject& s, const std::string& program) {
  const auto it =
      std::find_if(s.checks.begin(), s.checks.end(), [&](const check& c) { return c.what.name == program; });
  return it == s.checks.end() ? nullptr : &*it;
}

TEST(Subjects, EachBoundThatFitsIsOfAProgramThatMayBeBounded) {
  ASSERT_FALSE(fitting_bounds().empty());
  for (const auto& [of, preemptions] : fitting_bounds()) {
    const subject* const s = find_subject(of.first);
    ASSERT_NE(s, nullptr) << of.first;
    EXPECT_EQ(s->name, of.first) << "is proved with another";
    const check* const c = find_check(*s, of.second);
    ASSERT_NE(c, nullptr) << of.first << ", " << of.second;
    EXPECT_NE(c->how_far, depth::exhausted) << of.first << ", " << of.second;
    EXPECT_LE(preemptions, 3U) << of.first << ", " << of.second;
  }
}

TEST(Subjects, ABoundThatIsKnownToFitIsTheOneThatIsTaken) {
  const check* const c = find_check(*find_subject("mcs"), "timed, too late");
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(verify(*c, standard_budget).preemptions, std::nullopt);
  const check_result known = verify(*c, standard_budget, 1);
  EXPECT_EQ(known.preemptions, 1U);
  EXPECT_EQ(known.outcome.states, explore(c->what, {.preemptions = 1}).states);
}

TEST(Subjects, ABoundThatFitsNoLongerGivesWayToASmallerOne) {
  const check* const c = find_check(*find_subject("mcs"), "lock 3x2");
  ASSERT_NE(c, nullptr);
  const budget b{.states = explore(c->what, {.preemptions = 1}).states};
  ASSERT_EQ(explore(c->what, {.preemptions = {}, .most_states = b.states}).result, search_result::unfinished);
  ASSERT_EQ(explore(c->what, {.preemptions = 2, .most_states = b.states}).result, search_result::unfinished);
  EXPECT_EQ(verify(*c, b, 2).preemptions, 1U);
}

/// For larger ones nobody knows what fits.
TEST(Subjects, OnlyTheStandardBudgetHasKnownBounds) {
  EXPECT_TRUE(standard_budget.is_standard());
  EXPECT_FALSE(long_budget.is_standard());
}

TEST(Subjects, NumbersWrapBehindTheStartLine) {
  int programs = 0;
  for (const subject& s : all_subjects())
    for (const check& c : s.checks) {
      if (c.what.name.find("numbers wrap") == std::string::npos) continue;
      search_options how;
      how.most_states = 3'000;
      EXPECT_TRUE(explore(c.what, how).wrapped) << s.name << ", " << c.what.name;
      ++programs;
    }
  EXPECT_GE(programs, 40);
}

/// The bound is not only kept: with one pass less it is not.
template <class Lock>
void reaches_its_pass_limit() {
  for (const std::uint32_t limit : {0U, 1U}) {
    const search_result r =
        explore(order_harnesses{lock_type_of<Lock>()}.with_pass_limit(limit, (limit + 2) / 2 - 1), {});
    ASSERT_EQ(r.result, search_result::refuted) << limit;
    EXPECT_EQ(r.why->what, "overtaking");
  }
}
TEST(Subjects, ThePassLimitOfHticketIsReached) { reaches_its_pass_limit<basic_hticket_lock<explored, spin>>(); }
TEST(Subjects, ThePassLimitOfHmcsIsReached) { reaches_its_pass_limit<basic_hmcs_lock<explored, spin>>(); }

struct first_looks : explored {
  static looks spin_looks() { return looks{world::current().self() == 0 ? 1U : 0U}; }
};

TEST(Subjects, TheBypassesOfTheFairMutexAreUsedUp) {
  using lock = basic_fair_mutex_lock<first_looks, spin_park, 2>;
  const search_result r = explore(order_harnesses{lock_type_of<lock>()}.in_order("order", {4, 1}, 1).done(), {});
  ASSERT_EQ(r.result, search_result::refuted);
  EXPECT_EQ(r.why->what, "overtaking");
}

TEST(Subjects, RandomSchedulesFindWhatIsEasyToFind) {
  for (const char* name : {"seeded/test_then_set", "seeded/relaxed_acquire", "seeded/futex_without_mark"})
    EXPECT_TRUE(sample(find_subject(name)->checks.front().what, {}, 1, 500, 3).why.has_value()) << name;
}

TEST(Subjects, AWrongIdIsASentence) {
  std::string why_not;
  EXPECT_FALSE(find_counter_example("ticket", why_not));
  EXPECT_NE(why_not.find("three parts"), std::string::npos);
  EXPECT_FALSE(find_counter_example("nothing:lock_2x1:ab", why_not));
  EXPECT_NE(why_not.find("nothing"), std::string::npos);
  EXPECT_FALSE(find_counter_example("ticket:nothing:ab", why_not));
  EXPECT_FALSE(find_counter_example("ticket:lock_2x1:a!b", why_not));
  EXPECT_FALSE(find_counter_example("ticket:lock_2x1:ab@nothing", why_not));
}

}  // namespace
}  // namespace synchro::model_checker
