#include <string_view>

#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

/// Messages (by this means) and the best of two locks, between few accounts and many; GCC's transactions are not what the
/// claim is about, nor are the library's messages where there are TM2C's.
results::document banked(double few_messages, double few_locked, double many_messages, double many_locked,
                         const char* by = "messages") {
  book b{8};
  const auto add = [&](const char* means, std::int64_t accounts, double rate, std::int64_t threads = 8) {
    b.add("stm.bank",
          {{"means", means},
           {"elements", number(accounts)},
           {"updates", number(100)},
           {"threads", number(threads)},
           {"placement", "compact"}},
          "throughput", "op/s", rate);
  };
  for (const bool few : {true, false}) {
    const std::int64_t accounts = few ? 16 : 1024;
    const double served = few ? few_messages : many_messages, locked = few ? few_locked : many_locked;
    if (std::string_view{by} != "messages") add("messages", accounts, few ? 1e3 : 1e9);
    add(by, accounts, served), add("stm", accounts, locked), add("stm/mutex", accounts, locked / 2);
    add("gcc/libitm", accounts, 9 * (served + locked)), add(by, accounts, 1e3, 2);
  }
  return b;
}

/// Two queries with the program's own locks, and with another with which the second takes so many times as long. With one
/// thread, and with more than there are processors, it takes ten times as long, which is another matter.
results::document queried(double slower) {
  book b{8};
  for (const std::int64_t threads : {1, 2, 16})
    for (const std::int64_t query : {1, 2})
      for (const bool own : {true, false}) {
        const double factor = own ? 1 : threads != 2 ? 10 : query == 2 ? slower : 1;
        b.add("database.tpch",
              {{"lock", own ? "pthread/mutex" : "mcs/park"},
               {"threads", number(threads)},
               {"scale", "0.1"},
               {"query", number(query)}},
              "time", "ns", 4e6 * factor);
      }
  return b;
}

}  // namespace

std::vector<judge_case> other_systems_cases() {
  return {
      {"S64",
       banked(9e6, 4e6, 2e7, 7e7),
       {banked(3e6, 4e6, 2e7, 7e7), banked(9e6, 4e6, 8e7, 7e7), with_two_threads_a_core(banked(9e6, 4e6, 2e7, 7e7))},
       {with_two_threads_a_core(banked(3e6, 4e6, 2e7, 7e7)), banked(9e6, 4e6, 2e7, 7e7, "messages/paper")}},
      {"S65", queried(1.02), {queried(1.4), queried(0.6)}}};
}

}  // namespace synchro::tests
