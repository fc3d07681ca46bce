// The switch between a fiber and who resumes it, for 64-bit Windows: what a function must preserve, and what the system
// keeps of a thread's stack, without which no exception is found.

#ifndef SYNCHRO_FIBERS_WINDOWS_OWN_SWITCH_HPP
#define SYNCHRO_FIBERS_WINDOWS_OWN_SWITCH_HPP

#include "fibers/stack_pool.hpp"

namespace synchro::fibers {

extern "C" {
/// Puts all that is to be preserved on this stack and its top into `from`, and takes it from the stack whose top is `to`.
void synchro_switch_stacks(void** from, void* to);
/// Where a fiber begins: calls the function in R13 with R12.
void synchro_begin_fiber();
}

class own_switch {
 public:
  /// Prepares `entry(argument)`, which must not return.
  void start(const stack& on, void (*entry)(void*), void* argument);
  void into() { synchro_switch_stacks(&outside_, inside_); }
  void out() { synchro_switch_stacks(&inside_, outside_); }

 private:
  void* inside_ = nullptr;
  void* outside_ = nullptr;
};

}  // namespace synchro::fibers

#endif
