#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

class answers : public book {
 public:
  using book::book;
  answers& rate(const std::string& lock, std::int64_t threads, const std::string& placement, double value,
                const char* requests = "memcached.set") {
    add(requests, {{"lock", lock}, {"threads", number(threads)}, {"placement", placement}, {"clients", number(500)}},
        "throughput", "op/s", value);
    return *this;
  }
};

/// With two threads nobody contends, and sixteen have no processor each: neither counts.
results::document over_mutexes(double best_of_the_named) {
  return answers{8}
      .rate("pthread/mutex", 4, "compact", 1e5)
      .rate("ticket/yield", 4, "compact", best_of_the_named)
      .rate("mcs", 4, "compact", 1.1e5)
      .rate("hmcs", 4, "compact", 9e5)
      .rate("mcs", 4, "unpinned", 9e5)
      .rate("mcs", 2, "compact", 9e5)
      .rate("mcs", 16, "compact", 9e5);
}

results::document placed(double badly) {
  return answers{8, 2}
      .rate("mcs", 4, "compact", 1e5)
      .rate("mcs", 4, "spread", badly)
      .rate("mcs", 4, "unpinned", 0.99e5)
      .rate("ticket", 4, "compact", 0.9e5)
      .rate("ticket", 4, "spread", 0.1e5);
}

results::document beyond_18(double more) {
  return answers{48}
      .rate("mcs", 10, "compact", 0.9e5)
      .rate("mcs", 18, "compact", 1e5)
      .rate("ticket", 36, "compact", 0.5e5)
      .rate("mcs", 36, "compact", more);
}

/// Sixteen threads have no processor each, and two do not contend.
results::document only_read(double slowest) {
  return answers{8}
      .rate("pthread/mutex", 4, "compact", 1e5, "memcached.get")
      .rate("mcs", 4, "compact", 1.03e5, "memcached.get")
      .rate("ticket", 4, "compact", slowest, "memcached.get")
      .rate("ticket", 2, "compact", 9e5, "memcached.get")
      .rate("ticket", 16, "compact", 1e3, "memcached.get");
}

}  // namespace

std::vector<judge_case> memcached_cases() {
  return {{"S63", only_read(0.99e5), {only_read(0.7e5)}},
          {"S57", over_mutexes(1.4e5), {over_mutexes(1.2e5), over_mutexes(1.6e5)}},
          {"S59", placed(0.8e5), {placed(0.95e5), placed(0.6e5)}},
          {"S60", beyond_18(0.95e5), {beyond_18(1.3e5)}}};
}

}  // namespace synchro::tests
