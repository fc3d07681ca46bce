// SSYNC, section 6.3: the hash table.

#include <optional>
#include <string>
#include <vector>

#include "claims/judges.hpp"
#include "results/measured.hpp"

namespace synchro::claims::judges {

namespace {

const std::vector<std::string> locks_of_the_paper{"tas", "ttas", "ticket", "array",  "mutex",
                                                  "mcs", "clh",  "hclh",   "hticket"};

const std::string few_sizes = "the table was not measured with these threads, buckets and elements";
const std::string several_sockets = "the claim is of machines with several sockets, and this one has one";

/// Operations a second of tables that are locked as the paper's are.
cells locked(const evidence& e, std::int64_t buckets, const std::string& placement = "compact") {
  return e.find(
      results::measured::hashtable_throughput, "throughput",
      {one_of("lock", locks_of_the_paper), is("keys", "uniform"), is("placement", placement), is("buckets", buckets)});
}

/// The largest team in which each thread has a processor; 0 if none has so many threads.
std::int64_t full_team(const evidence& e, const cells& all, std::int64_t least) {
  std::int64_t found = 0;
  for (const std::int64_t n : numbers_of(all, "threads"))
    if (n >= least && (e.processors() == 0 || n <= e.processors())) found = n;
  return found;
}

const cell* best_of(const cells& all, std::int64_t threads, std::int64_t load) {
  return best(those(all, {is("threads", threads), is("load", load)}));
}

}  // namespace

finding s52(const evidence& e) {
  if (e.sockets() > 1) return missing("the claim is of a machine with one socket, and this one has several");
  const cells all = locked(e, 12);
  return compared(best_of(all, 36, 12), best_of(all, 1, 12), {9.5, 10.5}, {"lock", "threads"}, few_sizes);
}

finding s53(const evidence& e) {
  constexpr std::int64_t many = 4;
  const std::string nothing = "message passing and locks were not measured with many threads";
  const cells all = e.find(results::measured::hashtable_throughput, "throughput",
                           {is("keys", "uniform"), is("placement", "compact")});
  const cells served = those(all, {is("lock", "messages")}), locked = those(all, {one_of("lock", locks_of_the_paper)});
  const std::vector<std::int64_t> threads = numbers_of(served, "threads");
  if (threads.empty() || threads.back() < many) return missing(nothing);
  std::vector<finding> parts;
  for (const std::int64_t load : {12, 48}) {
    const auto of = [&](const cells& some, std::int64_t buckets) {
      return those(some, {is("buckets", buckets), is("load", load), is("threads", threads.back())});
    };
    parts.push_back(contest(of(served, 12), of(locked, 12), 1, {"lock", "buckets", "load"}, nothing));
    parts.push_back(contest(of(locked, 512), of(served, 512), 1, {"lock", "buckets", "load"}, nothing));
  }
  return all_of(parts, nothing);
}

finding s54(const evidence& e) {
  if (e.sockets() == 1) return missing(several_sockets);
  const cells pinned = locked(e, 12), loose = locked(e, 12, "unpinned");
  const std::int64_t threads = full_team(e, loose, 4);
  std::vector<finding> parts;
  for (const std::int64_t load : numbers_of(loose, "load"))
    parts.push_back(compared(best_of(pinned, threads, load), best_of(loose, threads, load), {4, 6},
                             {"lock", "placement", "threads", "load"}, few_sizes));
  return all_of(parts, few_sizes);
}

finding s55(const evidence& e) {
  std::vector<finding> parts;
  for (const std::int64_t buckets : {12, 512}) {
    const cells all = locked(e, buckets);
    const std::int64_t threads = full_team(e, all, 4);
    const auto growth = [&](std::int64_t load) -> std::optional<estimate> {
      const cell *const many = best_of(all, threads, load), *const one = best_of(all, 1, load);
      return many == nullptr || one == nullptr ? std::nullopt : ratio_of(*many, *one);
    };
    const auto longer = growth(48), shorter = growth(12);
    const auto gain = longer && shorter ? std::optional{quotient(*longer, *shorter)} : std::nullopt;
    parts.push_back(claims::judged(gain, from(1),
                                   std::to_string(buckets) + " buckets, " + std::to_string(threads) +
                                       " threads over one, with 48 elements against 12: ratio ",
                                   few_sizes));
  }
  return all_of(parts, few_sizes);
}

finding s56(const evidence& e) {
  if (e.sockets() == 1) return missing(several_sockets);
  const cells all = locked(e, 512);
  std::int64_t inside = 0;
  for (const std::int64_t n : numbers_of(all, "threads"))
    if (n <= e.socket()) inside = n;
  const std::int64_t beyond = full_team(e, all, e.socket() + 1);
  std::vector<finding> parts;
  for (const std::int64_t load : numbers_of(all, "load"))
    parts.push_back(compared(best_of(all, beyond, load), best_of(all, inside, load), {1, 1 / stable.least},
                             {"lock", "threads", "load"}, few_sizes));
  return all_of(parts, few_sizes);
}

}  // namespace synchro::claims::judges
