// The switch between a fiber and who resumes it, by the C library. Slow, for it sets the signal mask each time: it is
// here to show that nothing depends on the kind of switch, and for tools that know no other.

#ifndef SYNCHRO_FIBERS_UCONTEXT_SWITCH_HPP
#define SYNCHRO_FIBERS_UCONTEXT_SWITCH_HPP

#include <ucontext.h>

#include <cstdint>

#include "fibers/stack_pool.hpp"

namespace synchro::fibers {

class ucontext_switch {
 public:
  /// Prepares `entry(argument)`, which must not return.
  void start(const stack& on, void (*entry)(void*), void* argument) {
    entry_ = entry;
    argument_ = argument;
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = on.bottom;
    inside_.uc_stack.ss_size = on.size;
    inside_.uc_link = nullptr;
    // makecontext passes ints, so a pointer goes in halves.
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    using no_arguments = void (*)();
    makecontext(&inside_, reinterpret_cast<no_arguments>(first), 2, static_cast<std::uint32_t>(self),
                static_cast<std::uint32_t>(std::uint64_t{self} >> 32));
  }

  void into() { swapcontext(&outside_, &inside_); }
  void out() { swapcontext(&inside_, &outside_); }

 private:
  static void first(std::uint32_t low, std::uint32_t high) {
    const auto self = static_cast<std::uintptr_t>(std::uint64_t{high} << 32 | low);
    auto& mine = *reinterpret_cast<ucontext_switch*>(self);
    mine.entry_(mine.argument_);
  }

  ucontext_t inside_{};
  ucontext_t outside_{};
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace synchro::fibers

#endif
