// The host whose words are changed by one of the processor's own forms of instructions (cpu/this_cpu.hpp), whatever a compiler
// would have chosen: AArch64's LSE and LL/SC, RISC-V's AMO and LR/SC, side by side.

#ifndef SYNCHRO_EXPERIMENTS_ATOMICS_IN_FORM_HPP
#define SYNCHRO_EXPERIMENTS_ATOMICS_IN_FORM_HPP

#include <atomic>
#include <cstdint>

#include "measure/host.hpp"

namespace synchro::experiments::atomics {

/// A word of an atomic operation's experiment. Read-modify-writes acquire and release, in whatever order they are asked for.
template <class Form>
class word_in_form {
 public:
  explicit word_in_form(std::uint64_t value) : value_{value} {}

  std::uint64_t fetch_add(std::uint64_t n, memory_order) { return Form::fetch_add(value_, n); }
  std::uint64_t exchange(std::uint64_t n, memory_order) { return Form::exchange(value_, n); }
  bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t n, memory_order, memory_order) {
    return Form::compare_exchange(value_, expected, n);
  }
  [[nodiscard]] std::uint64_t load(memory_order o) { return std::atomic_ref{value_}.load(o); }
  void store(std::uint64_t n, memory_order o) { std::atomic_ref{value_}.store(n, o); }

 private:
  alignas(std::atomic_ref<std::uint64_t>::required_alignment) std::uint64_t value_;
};

template <class Form>
struct host_in_form : measure::host {
  struct machine : hardware {
    template <class T>
    using atomic = word_in_form<Form>;  // All of the experiment's words are of one type.
  };
};

}  // namespace synchro::experiments::atomics

#endif
