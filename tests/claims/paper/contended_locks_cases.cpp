#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

class lock_rates : public book {
 public:
  using book::book;
  lock_rates& rate(const std::string& lock, std::int64_t locks, std::int64_t threads, double value) {
    add("locks.throughput",
        {{"lock", lock},
         {"locks", number(locks)},
         {"threads", number(threads)},
         {"placement", "compact"},
         {"protocol", locks == 1 ? "paused" : "saturated"}},
        "throughput", "op/s", value);
    return *this;
  }
};

results::document two_places(double ticket_there) {
  return lock_rates{4}
      .rate("ticket", 1, 1, 50)
      .rate("mcs", 1, 1, 40)
      .rate("ticket", 1, 4, ticket_there)
      .rate("mcs", 1, 4, 10);
}

results::document ticket_locks(double plain, double backing_off, double fetching, const std::string& name = "ticket") {
  book b{4};
  const std::pair<std::string, double> all[] = {
      {name + "_plain", plain}, {name, backing_off}, {name + "_prefetch", fetching}};
  for (const auto& [lock, ns] : all)
    b.add("locks.ticket", {{"lock", lock}, {"threads", number(4)}, {"placement", "compact"}}, "latency", "ns", ns);
  return b;
}

/// One lock with 1, 2, 4 (a socket) and 8 threads.
results::document one_lock(double two, double four, double eight) {
  return lock_rates{8, 2}
      .rate("mcs", 1, 1, 100)
      .rate("mcs", 1, 2, two)
      .rate("mcs", 1, 4, four)
      .rate("mcs", 1, 8, eight);
}

results::document team(double mcs, double ticket, double tas) {
  return lock_rates{4}
      .rate("mcs", 1, 4, mcs)
      .rate("clh", 1, 4, mcs)
      .rate("ticket", 1, 4, ticket)
      .rate("tas", 1, 4, tas);
}

results::document many_locks(double simple) {
  return lock_rates{4}.rate("ticket", 512, 4, simple).rate("mcs", 512, 4, 100).rate("clh", 512, 4, 90);
}

results::document mutexes(double fitting, double crowded) {
  return lock_rates{4}
      .rate("pthread/mutex", 1, 4, fitting)
      .rate("mcs", 1, 4, 100)
      .rate("ticket", 1, 4, 90)
      .rate("pthread/mutex", 1, 8, crowded)
      .rate("ticket", 1, 8, 10);
}

results::document four_locks(double all) { return lock_rates{8, 2}.rate("mcs", 4, 1, 100).rate("mcs", 4, 8, all); }

}  // namespace

std::vector<judge_case> contended_locks_cases() {
  return {{"S5", two_places(5), {two_places(20)}},
          {"S24", ticket_locks(100, 40, 40), {ticket_locks(100, 90, 90), ticket_locks(50, 100, 90)}},
          {"S25", ticket_locks(200, 100, 60), {ticket_locks(200, 100, 120), ticket_locks(200, 100, 20)}},
          {"S37", one_lock(10, 9, 5), {one_lock(99, 90, 20), one_lock(10, 3, 2), one_lock(10, 10, 12)}},
          {"S39", team(20, 15, 10), {team(10, 15, 10), team(30, 10, 20)}},
          {"S40", many_locks(100), {many_locks(60)}},
          {"S42", mutexes(50, 20), {mutexes(150, 20), mutexes(50, 5)}},
          {"S44", four_locks(30), {four_locks(99), four_locks(400)}}};
}

}  // namespace synchro::tests
