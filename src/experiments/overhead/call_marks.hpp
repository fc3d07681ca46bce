// Objects of a flow whose operations tell a tracer when they begin and end.

#ifndef SYNCHRO_EXPERIMENTS_OVERHEAD_CALL_MARKS_HPP
#define SYNCHRO_EXPERIMENTS_OVERHEAD_CALL_MARKS_HPP

#include <cstdint>
#include <thread>
#include <vector>

#include "platform/call_trace.hpp"

namespace synchro::experiments::overhead {

enum section : unsigned { elsewhere, acting, waiting };

class in_section {
 public:
  explicit in_section(section which) { platform::enter_section(which); }
  ~in_section() { platform::enter_section(elsewhere); }
  in_section(const in_section&) = delete;
  in_section& operator=(const in_section&) = delete;
};

/// Takes an object's place in a flow; it has all operations that the object has.
template <class Object>
class marked {
 public:
  marked() = default;
  explicit marked(unsigned n) : object_{n} {}

  void lock() {
    const in_section now{waiting};
    object_.lock();
  }
  void unlock() {
    const in_section now{acting};
    object_.unlock();
  }
  void signal() {
    const in_section now{acting};
    object_.signal();
  }
  void post() {
    const in_section now{acting};
    object_.post();
  }
  void wait() {
    const in_section now{waiting};
    object_.wait();
  }
  void rearm() { object_.rearm(); }
  void begin(unsigned i) { object_.begin(i); }
  void await(std::vector<std::thread>& threads, std::uint64_t& stamp) {
    const in_section now{waiting};
    object_.await(threads, stamp);
  }

 private:
  Object object_;
};

}  // namespace synchro::experiments::overhead

#endif
