// The host whose words are changed by one of the processor's own forms of instructions (cpu/this_cpu.hpp), whatever a compiler
// would have chosen: AArch64's LSE and LL/SC, RISC-V's AMO and LR/SC, side by side.

#ifndef SYNCHRO_EXPERIMENTS_ATOMICS_IN_FORM_HPP
#define SYNCHRO_EXPERIMENTS_ATOMICS_IN_FORM_HPP

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "measure/host.hpp"

namespace synchro::experiments::atomics {

/// The word of the experiment. Read-modify-writes acquire and release, in whatever order they are asked for.
template <class Form>
class word_in_form : public std::atomic<std::uint64_t> {
 public:
  using std::atomic<std::uint64_t>::atomic;

  std::uint64_t fetch_add(std::uint64_t n, memory_order) { return Form::fetch_add(value(), n); }
  std::uint64_t exchange(std::uint64_t n, memory_order) { return Form::exchange(value(), n); }
  bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t n, memory_order, memory_order) {
    const std::uint64_t found = Form::compare_exchange(value(), expected, n);
    const bool swapped = found == expected;
    expected = found;
    return swapped;
  }

 private:
  static_assert(sizeof(std::atomic<std::uint64_t>) == sizeof(std::uint64_t));
  std::uint64_t& value() { return reinterpret_cast<std::uint64_t&>(*this); }
};

template <class Form>
struct host_in_form : measure::host {
  struct machine : hardware {
    template <class T>
    using atomic = std::conditional_t<std::is_same_v<T, std::uint64_t>, word_in_form<Form>, hardware::atomic<T>>;
  };
};

}  // namespace synchro::experiments::atomics

#endif
