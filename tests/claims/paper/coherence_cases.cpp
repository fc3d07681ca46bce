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

}  // namespace

std::vector<judge_case> coherence_cases() {
  return {{"S1", crossing(300), {crossing(150), crossing(10000)}},
          {"S2", shared_stores(246), {shared_stores(100), shared_stores(500)}},
          {"S4", swaps(120, 130), {swaps(30, 30), swaps(200, 200)}},
          {"S20", all_atomics(2, 110), {all_atomics(2, 150), all_atomics(1, 110)}},
          {"S27", shared_counter(120), {shared_counter(30), shared_counter(400)}}};
}

}  // namespace synchro::tests
