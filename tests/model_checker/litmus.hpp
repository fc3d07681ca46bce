// Small programs without loops, what the explored machine makes of them, and what an axiomatic model allows.

#ifndef SYNCHRO_TESTS_MODEL_CHECKER_LITMUS_HPP
#define SYNCHRO_TESTS_MODEL_CHECKER_LITMUS_HPP

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model_checker/search.hpp"

namespace synchro::tests {

struct instruction {
  enum kind : std::uint8_t { load, store, add, fence, exchange } what;
  unsigned location = 0;
  std::uint32_t value = 0;  // stored or added
  std::memory_order order = std::memory_order::relaxed;
  // Of what the axioms are asked about a thread whose way is known:
  bool plain = false;                       // not atomic
  std::optional<std::uint32_t> reads = {};  // what it has read
};

struct litmus {
  std::string name;
  std::vector<std::vector<instruction>> threads;
  unsigned locations = 2;
  std::vector<std::uint32_t> initial = {};  // 0 where there is none
};

/// What every load and read-modify-write has read, thread by thread, and then the last value of each location.
using result = std::vector<std::uint32_t>;
using results = std::set<result>;

results explored_results(const litmus& test, const model_checker::search_options& how = {});

enum class model : std::uint8_t {
  rc11,     ///< Program order and reads-from have no cycle, nor has the order of fences.
  declared  ///< The three together have none.
};
results allowed_results(const litmus& test, model which);

struct judgement {
  bool is_allowed;  ///< Threads may go these ways together.
  bool races;       ///< In the first execution that is found.
};
judgement judge(const litmus& test);

std::string print(const results& some);

}  // namespace synchro::tests

#endif
