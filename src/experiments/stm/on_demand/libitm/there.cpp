// GCC's transactions: the compiler calls libitm for every access in the block. This file alone is compiled with -fgnu-tm.

#include "experiments/stm/bank.hpp"
#include "experiments/stm/means.hpp"
#include "experiments/stm/memories.hpp"
#include "experiments/stm/set.hpp"

namespace synchro::experiments::transactions {

namespace {

class by_libitm {
 public:
  static constexpr bool counts_attempts = false;
  template <class T>
  using variable = bare_variable<T>;

  template <class F>
  auto atomically(F&& f) {
    bare_access all;
    __transaction_atomic { return f(all); }
  }
  template <class F>
  auto read_only(F&& f) {
    return atomically(f);
  }
};

}  // namespace

std::optional<bodies> libitm_bodies() { return bodies{play<bank<by_libitm>>, play<set<by_libitm>>}; }

}  // namespace synchro::experiments::transactions
