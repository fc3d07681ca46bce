#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

/// Cycles of an access at a distance.
class accesses : public book {
 public:
  using book::book;
  accesses& at(const std::string& distance, const std::string& operation, const std::string& state, double cycles) {
    const coordinates where{{"operation", operation}, {"state", state}, {"distance", distance}, {"home", "holder"}};
    add("coherence.states", where, "latency_cycles", "cycle", cycles);
    add("coherence.states", where, "latency", "ns", cycles / 2);
    return *this;
  }
};

results::document crossing(double far) {
  return accesses{8, 2}.at("same_cache", "load", "modified", 100).at("other_package", "load", "modified", far);
}

results::document shared_stores(double cycles) {
  return accesses{4}
      .at("same_cache", "load", "modified", 80)
      .at("same_cache", "store", "modified", 83)
      .at("same_cache", "store", "shared", cycles);
}

results::document swaps(double modified, double exclusive) {
  return accesses{4}
      .at("same_cache", "load", "modified", 100)
      .at("same_cache", "load", "exclusive", 100)
      .at("same_cache", "cas", "modified", modified)
      .at("same_cache", "cas", "exclusive", exclusive);
}

results::document all_atomics(unsigned sockets, double swap) {
  return accesses{8, sockets}
      .at("other_package", "cas", "modified", 110)
      .at("other_package", "fai", "modified", 110)
      .at("other_package", "tas", "modified", 110)
      .at("other_package", "swap", "modified", swap);
}

results::document shared_counter(double near) {
  return accesses{8, 2}.at("same_cpu", "fai", "modified", 20).at("same_cache", "fai", "modified", near);
}

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

/// The ring needs fewer transfers than the claim says, and is not what it is about; nor are words.
results::document messages(const std::string& metric, double fetching, double plain = 9) {
  accesses b{4};
  b.at("same_cache", "load", "modified", 100);
  const auto add = [&](const char* means, const char* size, double transfers) {
    b.add("messages.pair", {{"means", means}, {"size", size}, {"distance", "same_cache"}}, metric, "ns",
          50 * transfers);
  };
  add("channel", "line", plain);
  add("channel/fetch", "line", fetching);
  add("channel", "word", 1);
  add("ring", "line", 0.5);
  return b;
}

/// Messages and the better of two locks, on few buckets and on many.
results::document tables(double few_messages, double few_locked, double many_messages, double many_locked) {
  book b{8};
  const auto add = [&](const char* lock, std::int64_t buckets, double rate) {
    for (const std::int64_t load : {12, 48})
      b.add("hashtable.throughput",
            {{"lock", lock},
             {"threads", number(8)},
             {"buckets", number(buckets)},
             {"load", number(load)},
             {"keys", "uniform"},
             {"placement", "compact"}},
            "throughput", "op/s", rate);
  };
  add("messages", 12, few_messages), add("mcs", 12, few_locked), add("ttas", 12, few_locked / 2);
  add("messages", 512, many_messages), add("mcs", 512, many_locked / 2), add("ttas", 512, many_locked);
  return b;
}

/// Messages a second of one client and of 7.
results::document served(double one_answered, double many_answered) {
  constexpr std::int64_t many = 7;
  book b{8};
  const auto add = [&](const char* protocol, std::int64_t clients, double rate) {
    b.add("messages.server",
          {{"means", "mailbox"},
           {"protocol", protocol},
           {"size", "line"},
           {"threads", number(clients)},
           {"work", number(0)},
           {"placement", "compact"}},
          "messages", "op/s", rate);
  };
  add("one_way", 1, 10e6);
  add("one_way", many, 8e6);
  add("round_trip", 1, one_answered);
  add("round_trip", many, many_answered);
  return b;
}

}  // namespace

std::vector<judge_case> hardware_cases() {
  return {{"S1", crossing(300), {crossing(150), crossing(10000)}},
          {"S2", shared_stores(246), {shared_stores(100), shared_stores(500)}},
          {"S4", swaps(120, 130), {swaps(30, 30), swaps(200, 200)}},
          {"S20", all_atomics(2, 110), {all_atomics(2, 150), all_atomics(1, 110)}},
          {"S27", shared_counter(120), {shared_counter(30), shared_counter(400)}},
          {"S29",
           contended(20e6, 18e6, 12e6),
           {contended(99e6, 90e6, 12e6), contended(20e6, 8e6, 5e6), contended(20e6, 20e6, 30e6)}},
          {"S45", messages("one_way", 2), {messages("one_way", 1), messages("one_way", 4)}},
          {"S46", messages("round_trip", 4), {messages("round_trip", 2), messages("round_trip", 8)}},
          {"S50", served(5e6, 9e6), {served(5e6, 7e6), served(11e6, 9e6)}},
          {"S53", tables(9e6, 4e6, 20e6, 70e6), {tables(3e6, 4e6, 20e6, 70e6), tables(9e6, 4e6, 80e6, 70e6)}}};
}

}  // namespace synchro::tests
