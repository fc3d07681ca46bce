// A wake primitive without its type. A virtual call costs a nanosecond, waking somebody a thousand and more; spins pay
// it before they begin to look.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_ANY_WAKE_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_ANY_WAKE_HPP

#include <functional>
#include <stdexcept>

#include "synchro/wakes/traits.hpp"

namespace synchro::experiments {

class any_wake {
 public:
  any_wake() = default;
  virtual ~any_wake() = default;
  any_wake(const any_wake&) = delete;
  any_wake& operator=(const any_wake&) = delete;

  // The contract is in synchro/wakes/traits.hpp.
  virtual void wait(unsigned i) = 0;
  virtual void arm() = 0;
  virtual void trigger() = 0;
  virtual void trigger_each() = 0;
  /// In place of these, where the sleepers are a runtime's own threads: runs body(0) in the caller, body(1), body(2), ...
  /// in the sleepers, and returns when all have come back.
  virtual void region(const std::function<void(unsigned)>& body) = 0;
};

template <class P>
concept region_primitive = requires(P& p, const std::function<void(unsigned)>& body) {
  p.region(body);
};

template <class P>
class wake_holder final : public any_wake {
  [[noreturn]] static void refuse() { throw std::logic_error{"this wake primitive has no such operation"}; }

 public:
  template <class... Args>
  explicit wake_holder(Args... args) : primitive_(args...) {}

  void wait(unsigned i) override {
    if constexpr (wake_primitive<P>)
      primitive_.wait(i);
    else
      refuse();
  }
  void arm() override {
    if constexpr (requires(P & p) { p.arm(); }) primitive_.arm();
  }
  void trigger() override {
    if constexpr (wake_primitive<P>)
      primitive_.trigger();
    else
      refuse();
  }
  void trigger_each() override {
    if constexpr (requires(P & p) { p.trigger_each(); })
      primitive_.trigger_each();
    else
      trigger();
  }
  void region(const std::function<void(unsigned)>& body) override {
    if constexpr (region_primitive<P>)
      primitive_.region(body);
    else
      refuse();
  }

 private:
  P primitive_;
};

}  // namespace synchro::experiments

#endif
