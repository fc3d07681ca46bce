#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

/// Operations a second with 1, 2, 4 (a socket) and 8 threads.
results::document contended(double two, double four, double eight) {
  book b{8, 2};
  const std::pair<std::int64_t, double> rates[] = {{1, 100e6}, {2, two}, {4, four}, {8, eight}};
  for (const auto& [threads, rate] : rates)
    b.add("atomics.throughput",
          {{"operation", "fai"}, {"threads", number(threads)}, {"placement", "compact"}, {"protocol", "paused"}},
          "successes", "op/s", rate);
  return b;
}

}  // namespace

std::vector<judge_case> atomics_cases() {
  return {{"S29",
           contended(20e6, 18e6, 12e6),
           {contended(99e6, 90e6, 12e6), contended(20e6, 8e6, 5e6), contended(20e6, 20e6, 30e6)}}};
}

}  // namespace synchro::tests
