#include <optional>

#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

/// Operations a second of the better of two locks; peers and messages are not what the claims are about.
class tables : public book {
 public:
  using book::book;
  tables& at(std::int64_t threads, std::int64_t buckets, std::int64_t load, double rate,
             const char* placement = "compact") {
    const std::pair<const char*, double> rates[] = {
        {"mcs", rate}, {"ttas", rate / 2}, {"messages", 9 * rate}, {"tbb/concurrent_hash_map", 9 * rate}};
    for (const auto& [lock, each] : rates)
      add("hashtable.throughput",
          {{"lock", lock},
           {"threads", number(threads)},
           {"buckets", number(buckets)},
           {"load", number(load)},
           {"keys", "uniform"},
           {"placement", placement}},
          "throughput", "op/s", each);
    return *this;
  }
};

results::document on_36(double rate) { return tables{64}.at(1, 12, 12, 3e6).at(36, 12, 12, rate); }

/// Messages and the better of two locks, on few buckets and on many; and messages by the paper's way, as those or otherwise.
results::document served_and_locked(double few_messages, double few_locked, double many_messages, double many_locked,
                                    std::optional<double> few_by_the_paper = {}) {
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
  if (few_by_the_paper) add("messages/paper", 12, *few_by_the_paper), add("messages/paper", 512, many_messages);
  return b;
}

results::document not_pinned(double few, double many) {
  return tables{8, 2}
      .at(8, 12, 12, 20e6)
      .at(8, 12, 48, 10e6)
      .at(8, 12, 12, few, "unpinned")
      .at(8, 12, 48, many, "unpinned");
}

/// From 1 to 8 threads; the short sections get 4 times as much done.
results::document longer(double few_buckets, double many_buckets) {
  return tables{8}
      .at(1, 12, 12, 3e6)
      .at(8, 12, 12, 12e6)
      .at(1, 12, 48, 1e6)
      .at(8, 12, 48, few_buckets)
      .at(1, 512, 12, 3e6)
      .at(8, 512, 12, 12e6)
      .at(1, 512, 48, 1e6)
      .at(8, 512, 48, many_buckets);
}

/// A socket has four processors; with 16 threads not each has one.
results::document beyond_a_socket(double rate) {
  return tables{8, 2}.at(2, 512, 12, 30e6).at(4, 512, 12, 60e6).at(8, 512, 12, rate).at(16, 512, 12, 200e6);
}

}  // namespace

std::vector<judge_case> hash_table_cases() {
  return {
      {"S52", on_36(30e6), {on_36(10e6), on_36(60e6)}},
      {"S53",
       served_and_locked(9e6, 4e6, 20e6, 70e6),
       {served_and_locked(3e6, 4e6, 20e6, 70e6), served_and_locked(9e6, 4e6, 80e6, 70e6),
        served_and_locked(9e6, 4e6, 20e6, 70e6, 3e6), with_two_threads_a_core(served_and_locked(9e6, 4e6, 20e6, 70e6)),
        with_two_threads_a_core(served_and_locked(3e6, 4e6, 80e6, 70e6))},
       {with_two_threads_a_core(served_and_locked(3e6, 4e6, 20e6, 70e6)),
        served_and_locked(3e6, 4e6, 20e6, 70e6, 9e6)}},
      {"S54", not_pinned(4e6, 2e6), {not_pinned(15e6, 2e6), not_pinned(4e6, 0.5e6)}},
      {"S55",
       longer(6e6, 7e6),
       {longer(6e6, 2e6), on_the_model("tilera", longer(6e6, 7e6))},
       {longer(3e6, 7e6), on_the_model("tilera", longer(6e6, 2e6))}},
      {"S56", beyond_a_socket(75e6), {beyond_a_socket(40e6), beyond_a_socket(150e6)}}};
}

}  // namespace synchro::tests
