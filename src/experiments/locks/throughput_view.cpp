// How locks.throughput is shown.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "experiments/framework/axes.hpp"
#include "experiments/framework/tour.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/locks.hpp"
#include "results/units.hpp"
#include "statistics/look.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

std::string lock_of(const cell& c) { return name_at(c, "lock"); }

/// Cells on one lock without a pause, by all threads as writers.
cells on_one_lock(const cells& all, std::int64_t threads) {
  cells some = where(where(all, "protocol", "saturated"), "locks", std::int64_t{1});
  std::erase_if(some, [&](const cell* c) {
    return number_at(*c, "threads") != threads || number_at(*c, "readers").value_or(0) != 0;
  });
  return contest(only_precise(some), "lock");
}

/// Numbers of threads greater than one that the cells have, rising.
std::vector<std::int64_t> teams_of(const cells& all) {
  std::vector<std::int64_t> teams;
  for (const cell* c : where(all, "protocol", "saturated"))
    if (const auto n = number_at(*c, "threads"); n && *n > 1) teams.push_back(*n);
  std::sort(teams.begin(), teams.end());
  return teams;
}

/// What the lock that is taken most often does, if that is another one.
std::string most_taken(const own_cells& own, std::int64_t threads, const cell& soonest, std::size_t looked_at) {
  const cells all = on_one_lock(own.of("throughput"), threads);
  const cell* const other = own.sure_beside(soonest, "throughput");
  if (all.empty() || other == nullptr) return "";
  const cell& busiest = *most(all);
  const std::string taken = "; it is taken " + with_interval(*other);
  if (&busiest == other || !differ(busiest, *other, looked_at)) return taken;
  std::string text = taken + ". The lock taken most often" +
                     of_the_sure(own.left_out(busiest, {"lock"}), extreme::most, busiest) + " is " + lock_of(busiest) +
                     ", " + with_interval(busiest) + rivals(tied_with(busiest, all, looked_at), "lock");
  if (const cell* const moved = own.sure_beside(busiest, "handoff_share"); moved != nullptr)
    text +=
        fmt::format("; {} % of its releases handed the lock to another thread", results::digits(100 * *moved->value));
  return text;
}

/// By the time of a hand-off: a lock that one thread keeps is fast, but the others wait.
std::string contest_words(const own_cells& own, std::int64_t threads, std::size_t looked_at) {
  const cells all = on_one_lock(own.of("handoff_time"), threads);
  if (all.empty()) return "";
  const cell &best = *least(all), &worst = *most(all);
  const std::size_t cpus = own.processors();
  const bool crowded = cpus > 0 && static_cast<std::size_t>(threads) > cpus;
  std::string text = fmt::format("A lock that {} threads{} all want passes to another thread every {} with {}{}",
                                 threads, crowded ? fmt::format(" on {} processors", cpus) : "", with_interval(best),
                                 lock_of(best), rivals(tied_with(best, all, looked_at), "lock"));
  if (differ(best, worst, looked_at)) text += fmt::format(", every {} with {}", with_interval(worst), lock_of(worst));
  return text + most_taken(own, threads, best, looked_at) + ".";
}

/// Each of these teams has two contests, and each pays for the pairs of all.
std::size_t looked_at_for(const own_cells& own, const std::vector<std::int64_t>& teams) {
  double pairs = 0;
  for (const std::int64_t threads : teams)
    for (const char* metric : {"handoff_time", "throughput"})
      if (const std::size_t n = on_one_lock(own.of(metric), threads).size(); n > 1) pairs += statistics::pairs_among(n);
  return statistics::fewest_with_pairs(pairs);
}

/// The largest team that fits the processors, and the largest of all.
sentences locks_findings(const own_cells& own) {
  const std::vector<std::int64_t> teams = teams_of(own.of("handoff_time"));
  if (teams.empty()) return {};
  const auto cpus = static_cast<std::int64_t>(own.processors());
  const auto beyond = cpus == 0 ? teams.end() : std::upper_bound(teams.begin(), teams.end(), cpus);
  std::vector<std::int64_t> told;
  if (beyond != teams.begin()) told.push_back(*std::prev(beyond));
  if (beyond != teams.end()) told.push_back(teams.back());
  const std::size_t looked_at = looked_at_for(own, told);
  sentences out;
  for (const std::int64_t threads : told) out.push_back(contest_words(own, threads, looked_at));
  std::erase(out, "");
  return out;
}

std::optional<views::headline> locks_headline(const own_cells& own) {
  cells all = own.of_any_mode("handoff_time");
  const auto cpus = static_cast<std::int64_t>(own.processors());
  if (cpus > 0) std::erase_if(all, [&](const cell* c) { return number_at(*c, "threads").value_or(0) > cpus; });
  const std::vector<std::int64_t> teams = teams_of(all);
  if (teams.empty()) return std::nullopt;
  const cells group = on_one_lock(all, teams.back());
  if (group.empty()) return std::nullopt;
  const cell& best = *least(group);
  const cells tied = tied_with(best, group);
  const cell* const usual = first_at(group, "lock", usual_lock);
  const bool behind = usual != nullptr && usual != &best && std::find(tied.begin(), tied.end(), usual) == tied.end();
  const bool shortest = holds_for(own.left_out(best, {"lock"}), extreme::least, best);
  return views::headline{
      figure_of(best),
      fmt::format("is the {}time after which a lock that {} threads want passes from one to another, with {}{}{}",
                  shortest ? "shortest " : "", teams.back(), lock_of(best), rivals(tied, "lock"),
                  behind ? fmt::format("; with {} {}", usual_lock, figure_of(*usual)) : ""),
      details({interval_of(best)}, best), "ranking"};
}

/// A lock that only spins, with more threads than processors, measures the scheduler's time slice: no news.
bool is_overcrowded(const setting& s, const coordinates& at) {
  return more_threads_than_processors(s, at) && find_lock(at.word("lock")).only_spins();
}

const coordinates one_lock{{"placement", "compact"},  {"protocol", "saturated"}, {"locks", std::int64_t{1}},
                           {"hold", std::int64_t{0}}, {"gap", std::int64_t{0}},  {"readers", std::int64_t{0}}};
const coordinates any_locks{{"placement", "compact"},
                            {"protocol", "saturated"},
                            {"hold", std::int64_t{0}},
                            {"gap", std::int64_t{0}},
                            {"readers", std::int64_t{0}}};

std::vector<chart> locks_charts() {
  return {
      {"threads",
       "Locks under pressure",
       "Each thread takes a lock, changes the line it protects and gives it back, over and over. More threads rarely "
       "mean more work done: the lock has to travel between them.",
       lines("threads", {"lock"}, {.ideal = true}),
       "",
       {},
       {},
       one_lock,
       "threads"},
      {"paused",
       "One lock, by the paper’s protocol",
       "All threads want 1 lock. After each release a thread pauses for longer than a transfer takes, so that none "
       "takes the lock many times in a row.",
       lines("threads", {"lock"},
             {.ideal = true, .only = {{"protocol", {"paused"}}, {"locks", {"1"}}}, .first = papers_locks()}),
       "Fig. 5",
       {},
       {},
       one_lock,
       "threads"},
      {"many",
       "512 locks, by the paper’s protocol",
       "Each thread takes one of 512 locks at random, and pauses nowhere: two threads seldom want the same one.",
       lines("threads", {"lock"},
             {.ideal = true, .only = {{"protocol", {"saturated"}}, {"locks", {"512"}}}, .first = papers_locks()}),
       "Fig. 7",
       {},
       {},
       any_locks,
       "threads"},
      {"ranking",
       "Which lock passes on soonest",
       "The time after which the lock passes to another thread, best first. A lock that one thread keeps is taken "
       "often, but the others wait: look at both.",
       bars("lock"),
       "",
       {"handoff_time", "throughput", "handoff_share", "fairness", "acquire_latency", "longest_wait"},
       {},
       one_lock,
       "",
       false,
       {"acquire_latency", "longest_wait"}},
      {"best",
       "The best lock, and how it scales",
       "For each number of locks and threads: which lock did most, and how many times the work of a single thread "
       "that is.",
       best_of("lock", {"locks", "threads"}, "threads", {4, 16, 32, 128}),
       "Fig. 8 (4, 16, 32 and 128 locks)",
       {"throughput"},
       {},
       any_locks}};
}

}  // namespace

std::vector<std::string> papers_locks() {
  return {"tas", "ttas", "ticket", "array", "mutex", "pthread/mutex", "mcs", "clh", "hclh", "hticket"};
}

void present_locks_throughput(experiment& e) {
  e.tour = [](const setting& s) {
    return tour_stop{{{"lock", tour_locks()},
                      {"locks", {std::int64_t{1}}},
                      {"threads", tour_crowds(s)},
                      {"protocol", {"saturated"}},
                      {"readers", {std::int64_t{0}}}},
                     is_overcrowded};
  };
  e.view = {{}, locks_findings, locks_headline, locks_charts()};
  e.view.about = "lock";
}

}  // namespace synchro::experiments
