// Fibers: computations with a stack of their own that give control back and forth by name. What the simulated and the
// explored machine run their threads on.
//
//   stack_pool stacks{64 * 1024};
//   fiber worker{stacks, [&] { ...; worker.suspend(); ...; }};
//   worker.resume();   runs it until it suspends itself or ends
//   worker.done();     whether it has ended
//
// A fiber that is destroyed before it has ended is dropped, not unwound: what is on its stack is forgotten, no
// destructor runs, and the stack goes back to the pool. (To unwind one that is suspended inside a destructor would end
// the program.) Objects that must outlive or be cleaned up after a fiber therefore live elsewhere; the body itself is
// owned by the fiber object, not by its stack, and is destroyed with it.
//
// Rules. resume() is called from outside, and may be called from within another fiber; suspend() from inside, not in a
// catch block, for the C++ runtime counts the exceptions being handled per thread. An exception that leaves the body
// ends the fiber and comes out of resume(). A fiber, its pool and whoever resumes it stay on one thread. A fiber must
// not be destroyed or moved from inside.
//
// The switch itself is by Boost.Context (some nanoseconds), on Windows by a file of our own, or, built with
// -DSYNCHRO_FIBERS=ucontext, by the C library (two system calls): nothing that stands on fibers may depend on which. AddressSanitizer and ThreadSanitizer are told
// of every switch; without them nothing stands between resume() and the switch but the call of resume() itself.

#ifndef SYNCHRO_FIBERS_FIBER_HPP
#define SYNCHRO_FIBERS_FIBER_HPP

#include <exception>
#include <functional>
#include <utility>

#include "fibers/sanitizers.hpp"
#include "fibers/stack_pool.hpp"
#if defined(SYNCHRO_FIBERS_UCONTEXT)
#include "fibers/ucontext_switch.hpp"
#elif defined(SYNCHRO_FIBERS_OWN)
#include "fibers/windows/own_switch.hpp"
#else
#include "fibers/boost_switch.hpp"
#endif

namespace synchro::fibers {

/// A fiber on the given kind of switch: an object with start(stack, entry, argument), into() and out().
template <class Switch>
class basic_fiber {
 public:
  /// Prepares to run `body`; nothing runs before the first resume(). Errors: throws std::bad_alloc without memory for a
  /// stack.
  basic_fiber(stack_pool& stacks, std::function<void()> body)
      : stacks_{stacks}, stack_{stacks.take()}, body_{std::move(body)}, sanitizers_{stack_} {
    switch_.start(stack_, enter, this);
  }

  ~basic_fiber() {
    if constexpr (sanitizer_notes::leave_before_drop)
      if (begun_ && !done_) leave();
    stacks_.give(stack_);
  }

  basic_fiber(const basic_fiber&) = delete;
  basic_fiber& operator=(const basic_fiber&) = delete;

  /// Runs the body from where it is until it suspends itself or ends. Only while not done().
  void resume() {
    begun_ = true;
    sanitizers_.before_going_in();
    switch_.into();
    sanitizers_.after_coming_out();
    if (failure_) [[unlikely]]
      std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  /// Called by the body: returns control to resume(), and returns at the next resume().
  void suspend() {
    sanitizers_.before_going_out(false);
    switch_.out();
    sanitizers_.after_coming_in();
    if constexpr (sanitizer_notes::leave_before_drop)
      if (leaving_) go_out_for_good();
  }

  [[nodiscard]] bool done() const { return done_; }

  /// Where it runs.
  [[nodiscard]] const stack& on() const { return stack_; }

 private:
  static void enter(void* self) {
    auto& mine = *static_cast<basic_fiber*>(self);
    mine.sanitizers_.after_coming_in();
    mine.run();
    mine.go_out_for_good();
  }

  /// A frame of its own, so that it has none left when the fiber goes out for good.
  [[gnu::noinline]] void run() {
    try {
      body_();
    } catch (...) {
      failure_ = std::current_exception();
    }
    done_ = true;
  }

  void go_out_for_good() {
    sanitizers_.before_going_out(true);
    switch_.out();
    std::terminate();  // resumed after its end
  }

  /// Lets AddressSanitizer free what it keeps beside the stack, which it does only on the way out.
  void leave() {
    leaving_ = true;
    sanitizers_.before_going_in();
    switch_.into();
    sanitizers_.after_coming_out();
  }

  stack_pool& stacks_;
  const stack stack_;
  std::function<void()> body_;
  std::exception_ptr failure_;
  Switch switch_;
  [[no_unique_address]] sanitizer_notes sanitizers_;
  bool begun_ = false;
  bool done_ = false;
  bool leaving_ = false;
};

#if defined(SYNCHRO_FIBERS_UCONTEXT)
using fiber = basic_fiber<ucontext_switch>;
#elif defined(SYNCHRO_FIBERS_OWN)
using fiber = basic_fiber<own_switch>;
#else
using fiber = basic_fiber<boost_switch>;
#endif

}  // namespace synchro::fibers

#endif
