// The programs that try the parking lot of systems without a call for it. Who sleeps when the word has changed already, or is woken before
// it sleeps, sleeps for ever.

#include <atomic>
#include <optional>
#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/os/parking_lot.hpp"

namespace synchro::model_checker {

namespace {

using word = explored::atomic<std::uint32_t>;

/// What the lot looks at, outside of the explored machine: whoever takes a place copies the word into it, and looks before anybody else
/// runs.
std::atomic<std::uint32_t> looked_at{0};

struct parts_of_place {
  word locked{0};
  word wakes{0};
};

/// A mutex and a condition variable of the explored machine, made when the place is used first: of all places they would be more atomics
/// than it takes.
class place {
 public:
  using limit = explored::deadline;
  static inline const word* shows = nullptr;

  void lock() {
    if (!its_) its_.emplace();
    const auto was_free = [](std::uint32_t old) { return old == 0 ? look::done() : look::retry(); };
    explored::exchange_until(its_->locked, 1, was_free, memory_order::acquire);
    looked_at = shows->load(memory_order::relaxed);
  }
  void unlock() { its_->locked.store(0, memory_order::release); }
  void wake_all() { its_->wakes.fetch_add(1, memory_order::relaxed); }
  void wait(limit until) {
    const auto woken = [seen = its_->wakes.load(memory_order::relaxed)](std::uint32_t now) { return now != seen; };
    unlock();
    explored::await_until(its_->wakes, memory_order::relaxed, woken, until);
    lock();
  }

 private:
  std::optional<parts_of_place> its_;
};

struct scene {
  scene() {
    place::shows = &shown;
    lot.unpark(&looked_at);
  }
  void sleep_while_zero(explored::deadline until) { lot.park(&looked_at, 0, until); }
  void wake() {
    shown.store(1, memory_order::relaxed);
    lot.unpark(&looked_at);
  }

  word shown{0};
  os::detail::basic_parking_lot<place> lot;
};

program woken(unsigned sleepers) {
  stage<scene> s{std::to_string(sleepers) + (sleepers == 1 ? " sleeper" : " sleepers"), sleepers + 1};
  s.does([sleepers](scene& it, unsigned t) {
    if (t == sleepers) return it.wake();
    while (it.shown.load(memory_order::relaxed) == 0) it.sleep_while_zero(explored::never);
  });
  return s.done();
}

/// Nobody wakes it, and the place is as good as before.
program in_time() {
  stage<scene> s{"in time", 1};
  s.does([](scene& it, unsigned) {
    it.sleep_while_zero(explored::clock::now() + std::chrono::nanoseconds{1});
    it.wake();
    it.sleep_while_zero(explored::never);
  });
  return s.done();
}

}  // namespace

void add_parking(subjects& to);
void add_parking(subjects& to) {
  to.push_back({"parking_lot",
                "synchro/os/parking_lot.hpp",
                {{woken(1), depth::exhausted}, {woken(2), depth::exhausted}, {in_time(), depth::exhausted}}});
}

}  // namespace synchro::model_checker
