#include <map>

#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

using seconds_by_permits = std::map<std::int64_t, double>;

/// 64 threads on two cores.
book throttled(const seconds_by_permits& integer, const seconds_by_permits& memory = {},
               const seconds_by_permits& pool = {}) {
  book b{2};
  const std::pair<std::string, const seconds_by_permits*> all[] = {
      {"integer", &integer}, {"memory", &memory}, {"pool", &pool}};
  for (const auto& [variant, times] : all)
    for (const auto& [permits, seconds] : *times)
      b.add("throttle.sum", {{"variant", variant}, {"threads", number(64)}, {"permits", number(permits)}}, "time", "ns",
            seconds * 1e9);
  return b;
}

/// The article's own log, and others.
const seconds_by_permits log{{1, 109.17}, {2, 55.44}, {3, 60.14}, {4, 67.56}, {8, 67.39}, {64, 67.59}, {0, 67.55}};
const seconds_by_permits without_loss{{1, 112}, {2, 58}, {3, 50}, {4, 48}, {8, 48}, {64, 55}, {0, 48}};
const seconds_by_permits ever_slower{{1, 109}, {2, 55}, {3, 60}, {4, 67}, {8, 70}, {64, 90}, {0, 120}};

}  // namespace

std::vector<judge_case> throttle_cases() {
  return {{"T1", throttled(log), {throttled(without_loss)}},
          {"T2", throttled(log), {throttled(without_loss), throttled(ever_slower)}},
          {"T3", throttled(log), {throttled(without_loss), throttled(ever_slower)}},
          {"T4",
           throttled(log, {{2, 50}, {0, 90}}),
           {throttled(log, {{2, 50}, {0, 51}}), throttled(log, {{2, 50}, {0, 40}})}},
          {"T5", throttled(log, {}, {{2, 55.0}}), {throttled(log, {}, {{2, 60}})}},
          {"T6", throttled(without_loss), {throttled(log)}}};
}

}  // namespace synchro::tests
