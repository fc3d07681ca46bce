// Section 6.4 of the paper: memcached. Threads that contend are three or more; the clients are on this machine, too, but the
// sentences are about as many threads of the server as have a processor each.

#include "claims/judges.hpp"
#include "results/measured.hpp"

namespace synchro::claims::judges {

namespace {

constexpr std::int64_t fewest_that_contend = 3;
const naming names{"lock", "threads"};

/// Answers a second to requests that set values, by as many threads as contend and have a processor each.
cells sets(const evidence& e, const place& where) {
  if (e.processors() < fewest_that_contend) return {};
  return e.find(results::measured::memcached_set, "throughput",
                place{between("threads", fewest_that_contend, e.processors())} + where);
}

const std::string native = "pthread/mutex";

}  // namespace

finding s57(const evidence& e) {
  const std::vector<std::string> named{"tas",          "ttas", "ticket",    "tas/yield", "ttas/yield",
                                       "ticket/yield", "mcs",  "mcs/yield", "mcs/park"};
  const cells ours = sets(e, {is("placement", "compact"), one_of("lock", named)});
  const cells theirs = sets(e, {is("placement", "compact"), is("lock", native)});
  return compared(best(ours), best(theirs), {1.29, 1.5}, names,
                  "memcached was not measured with three threads or more that fit the processors");
}

finding s59(const evidence& e) {
  if (e.sockets() < 2) return missing("the claim is of machines with several sockets, and this one has one");
  const cell* const placed = best(sets(e, {is("placement", "compact")}));
  const std::string nothing = "memcached was not measured with its threads placed and not placed";
  if (placed == nullptr) return missing(nothing);
  const cells others = sets(e, {none_of("placement", {"compact"}), is("lock", word_at(*placed, "lock")),
                                is("threads", number_at(*placed, "threads"))});
  constexpr double least = 0.15, most = 0.25;  // what rounds to 20 %
  return compared(worst(others), placed, {1 - most, 1 - least}, {"lock", "threads", "placement"}, nothing);
}

finding s60(const evidence& e) {
  constexpr std::int64_t cores = 18;
  const cells all = sets(e, {is("placement", "compact")});
  return compared(best(those(all, {between("threads", cores + 1, e.processors())})),
                  best(those(all, {between("threads", fewest_that_contend, cores)})), up_to(1 + of_the_paper), names,
                  "memcached was not measured with more than 18 threads that fit the processors, and with fewer");
}

}  // namespace synchro::claims::judges
