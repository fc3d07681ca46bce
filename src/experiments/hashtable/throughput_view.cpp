// How hashtable.throughput is shown.

#include <fmt/format.h>

#include "experiments/hashtable/all_tables.hpp"
#include "experiments/hashtable/hashtable.hpp"
#include "experiments/locks/locks.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

cells hashtable_usual(cells all) { return only_precise(where(where(all, "placement", "compact"), "keys", "uniform")); }

/// "mcs, not distinguishable from clh": of all at the number of threads that does most.
std::string table_of(const cell& busiest, const cells& all) {
  return name_at(busiest, "lock") + rivals_on("lock", "threads", busiest, all);
}

/// "2 threads, not distinguishable from 4": of the table that does most.
std::string threads_of(const cell& busiest, const cells& all) {
  const std::int64_t threads = busiest.at.number("threads");
  return fmt::format("{} thread{}{}", threads, threads == 1 ? "" : "s", rivals_on("threads", "lock", busiest, all));
}

/// What does most is known of the sure ones only, unless all others are surely behind.
std::string most_of_the_sure(const own_cells& own, const cell& busiest) {
  const std::string said = of_the_sure(own.left_out(busiest, {"lock", "threads"}), extreme::most, busiest);
  return said.empty() ? "" : ", the most" + said;
}

/// For the fewest and the most buckets: who does most, and with how many threads.
sentences hashtable_findings(const own_cells& own) {
  std::vector<std::string> out;
  for (const std::int64_t buckets : {std::int64_t{12}, std::int64_t{512}}) {
    const cells all = where(where(hashtable_usual(own.of("throughput")), "buckets", buckets), "load", std::int64_t{12});
    if (all.empty()) continue;
    const cell& busiest = *most(all);
    out.push_back(fmt::format("A hash table of {} buckets with 12 elements each serves {}: by {}, with {}{}.", buckets,
                              with_interval(busiest), table_of(busiest, all), threads_of(busiest, all),
                              most_of_the_sure(own, busiest)));
  }
  return out;
}

std::optional<views::headline> hashtable_headline(const own_cells& own) {
  const cells all = where(where(hashtable_usual(own.of_any_mode("throughput")), "buckets", std::int64_t{512}), "load",
                          std::int64_t{12});
  if (all.empty()) return std::nullopt;
  const cell& busiest = *most(all);
  return views::headline{rate_words(*busiest.value) + " / s",
                         fmt::format("gets, puts and removes in one hash table, with {}{}", table_of(busiest, all),
                                     most_of_the_sure(own, busiest)),
                         details({interval_of(busiest)}, busiest), "best"};
}

std::vector<std::string> papers_tables() {
  std::vector<std::string> all = papers_locks();
  all.emplace_back("messages");
  return all;
}

std::vector<chart> hashtable_charts() {
  const coordinates usual_keys{{"placement", "compact"}, {"keys", "uniform"}};
  const coordinates low{
      {"placement", "compact"}, {"keys", "uniform"}, {"buckets", std::int64_t{512}}, {"load", std::int64_t{12}}};
  return {{"best",
           "The best hash table, and how it scales",
           "For each number of buckets, elements in them and threads: which table did most, and how many times the "
           "work of a single thread that is.",
           best_of("lock", {"buckets", "load", "threads"}, "threads", {}),
           "Fig. 11 (512 and 12 buckets, 12 and 48 elements in each)",
           {"throughput"},
           {},
           usual_keys},
          {"threads",
           "Hash tables under load",
           "Each thread gets, puts and removes elements, over and over. With few buckets they wait for each other.",
           lines("threads", {"lock"}, {.ideal = true, .first = papers_tables()}),
           "Fig. 11",
           {"throughput", "fairness"},
           {},
           low,
           "threads"}};
}

}  // namespace

void present_hashtable_throughput(experiment& e) {
  e.view = {{}, hashtable_findings, hashtable_headline, hashtable_charts()};
  e.view.about = "hash";
}

}  // namespace synchro::experiments
