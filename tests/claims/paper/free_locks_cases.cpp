#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

/// What a free lock and a line cost on the own processor and far away.
results::document free_locks(unsigned sockets, double far, double queue = 2, double line = 240) {
  book b{8, sockets};
  const std::pair<std::string, double> places[] = {{"same_cpu", 30}, {"other_package", far}};
  for (const auto& [distance, cycles] : places) {
    const coordinates at{{"lock", "ticket"}, {"distance", distance}};
    b.add("locks.uncontested", at, "acquire_cycles", "cycle", cycles);
    for (const std::string other : {"mcs", "clh"})
      b.add("locks.uncontested", {{"lock", other}, {"distance", distance}}, "acquire_cycles", "cycle", queue * cycles);
    b.add("coherence.states", {{"operation", "fai"}, {"state", "modified"}, {"distance", distance}, {"home", "holder"}},
          "latency_cycles", "cycle", distance == "same_cpu" ? 20 : line);
  }
  return b;
}

}  // namespace

std::vector<judge_case> free_locks_cases() {
  const results::document eleven = free_locks(2, 30 * 11), twelve_and_a_half = free_locks(2, 30 * 12.5);
  return {{"S32",
           free_locks(2, 30 * 12),
           {free_locks(2, 30 * 5), free_locks(2, 30 * 20), on_the_model("opteron", eleven),
            on_the_model("xeon", twelve_and_a_half)},
           {on_the_model("opteron", twelve_and_a_half), on_the_model("xeon", eleven), eleven, twelve_and_a_half}},
          {"S34", free_locks(2, 400), {free_locks(2, 200), free_locks(2, 600), free_locks(1, 400)}},
          {"S36", free_locks(2, 360), {free_locks(2, 360, 0.5), free_locks(2, 60), free_locks(2, 360, 2, 25)}}};
}

}  // namespace synchro::tests
