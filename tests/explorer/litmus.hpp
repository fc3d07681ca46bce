// Small programs without loops, what the explored machine makes of them, and what an axiomatic model allows.

#ifndef SYNCHRO_TESTS_EXPLORER_LITMUS_HPP
#define SYNCHRO_TESTS_EXPLORER_LITMUS_HPP

#include <array>
#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "explorer/search.hpp"

namespace synchro::tests {

struct instruction {
  enum kind : std::uint8_t { load, store, add, fence } what;
  unsigned location = 0;
  std::uint32_t value = 0;  // stored or added
  std::memory_order order = std::memory_order::relaxed;
};

struct litmus {
  std::string name;
  std::vector<std::vector<instruction>> threads;
  unsigned locations = 2;
};

/// What every load and read-modify-write has read, thread by thread, and then the last value of each location.
using result = std::vector<std::uint32_t>;
using results = std::set<result>;

results explored_results(const litmus& test, const explorer::search_options& how = {});

enum class model : std::uint8_t {
  rc11,     ///< Program order and reads-from have no cycle, nor has the order of fences.
  declared  ///< The three together have none.
};
results allowed_results(const litmus& test, model which);

std::string print(const results& some);

}  // namespace synchro::tests

#endif
