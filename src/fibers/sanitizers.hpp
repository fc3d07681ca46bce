// What the sanitizers must be told of a fiber: which stack is in use, and which thread of control.

#ifndef SYNCHRO_FIBERS_SANITIZERS_HPP
#define SYNCHRO_FIBERS_SANITIZERS_HPP

#include <cstddef>

#include "fibers/stack_pool.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define SYNCHRO_FIBERS_ASAN
#elif defined(__SANITIZE_THREAD__)
#define SYNCHRO_FIBERS_TSAN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SYNCHRO_FIBERS_ASAN
#elif __has_feature(thread_sanitizer)
#define SYNCHRO_FIBERS_TSAN
#endif
#endif

#if defined(SYNCHRO_FIBERS_ASAN)
#include <sanitizer/common_interface_defs.h>
#elif defined(SYNCHRO_FIBERS_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace synchro::fibers {

#if defined(SYNCHRO_FIBERS_ASAN)

class sanitizer_notes {
 public:
  static constexpr bool leave_before_drop = true;

  explicit sanitizer_notes(const stack& mine) : mine_{mine} {}

  void before_going_in() { __sanitizer_start_switch_fiber(&outer_frames_, mine_.bottom, mine_.size); }
  void after_coming_in() { __sanitizer_finish_switch_fiber(inner_frames_, &outer_bottom_, &outer_size_); }
  void before_going_out(bool for_good) {
    __sanitizer_start_switch_fiber(for_good ? nullptr : &inner_frames_, outer_bottom_, outer_size_);
  }
  void after_coming_out() { __sanitizer_finish_switch_fiber(outer_frames_, nullptr, nullptr); }

 private:
  stack mine_;
  const void* outer_bottom_ = nullptr;
  std::size_t outer_size_ = 0;
  void* outer_frames_ = nullptr;
  void* inner_frames_ = nullptr;
};

#elif defined(SYNCHRO_FIBERS_TSAN)

class sanitizer_notes {
 public:
  static constexpr bool leave_before_drop = false;

  explicit sanitizer_notes(const stack&) : inner_{__tsan_create_fiber(0)} {}
  ~sanitizer_notes() { __tsan_destroy_fiber(inner_); }
  sanitizer_notes(const sanitizer_notes&) = delete;
  sanitizer_notes& operator=(const sanitizer_notes&) = delete;

  [[gnu::always_inline]] void before_going_in() {
    outer_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(inner_, 0);
  }
  void after_coming_in() {}
  [[gnu::always_inline]] void before_going_out(bool) { __tsan_switch_to_fiber(outer_, 0); }
  void after_coming_out() {}

 private:
  void* inner_;
  void* outer_ = nullptr;
};

#else

class sanitizer_notes {
 public:
  static constexpr bool leave_before_drop = false;

  explicit sanitizer_notes(const stack&) {}
  void before_going_in() {}
  void after_coming_in() {}
  void before_going_out(bool) {}
  void after_coming_out() {}
};

#endif

}  // namespace synchro::fibers

#endif
