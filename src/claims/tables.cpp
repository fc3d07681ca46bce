// SSYNC, section 6.3: the hash table.

#include "claims/judges.hpp"
#include "results/measured.hpp"

namespace synchro::claims::judges {

namespace {

const std::vector<std::string> of_the_paper{"tas", "ttas", "ticket", "array", "mutex", "mcs", "clh", "hclh", "hticket"};

}  // namespace

finding s53(const evidence& e) {
  constexpr std::int64_t many = 4;
  const std::string nothing = "message passing and locks were not measured with many threads";
  const cells all = e.find(results::measured::hashtable_throughput, "throughput",
                           {is("keys", "uniform"), is("placement", "compact")});
  const cells served = those(all, {is("lock", "messages")}), locked = those(all, {one_of("lock", of_the_paper)});
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

}  // namespace synchro::claims::judges
