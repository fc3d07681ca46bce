// Spin locks. A pthread_spinlock_t has four bytes, which hold few locks of the catalog: it holds the number of a mutex in a
// table here. (It has no static initialiser: each is announced by pthread_spin_init.) Process-shared ones are left to the C
// library, and all that come when the table is full. Where the C library's own are recorded, the table holds these, for
// four bytes have no room for a label.

#include "preload/spin.hpp"

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>

#include "preload/calls.hpp"
#include "preload/mutex.hpp"
#include "preload/natives.hpp"
#include "preload/recorder.hpp"
#include "preload/start.hpp"
#include "synchro/locks/tas.hpp"

namespace synchro::preload {

namespace {

/// Mutexes by numbers, in chunks that stay where they are. Freed numbers are given out again first.
class spin_table {
 public:
  /// The number of a new mutex; nothing below 0: the table is full.
  int make() noexcept {
    const std::lock_guard hold{lock_};
    if (free_ != none) {
      const unsigned number = free_;
      free_ = at(number).next_free;
      at(number) = {};
      return static_cast<int>(number);
    }
    if (used_ == chunks * chunk) return -1;
    if (used_ % chunk == 0) chunks_[used_ / chunk].store(new spin_object[chunk]{}, std::memory_order_release);
    return static_cast<int>(used_++);
  }

  void free(unsigned number) noexcept {
    const std::lock_guard hold{lock_};
    at(number).next_free = free_;
    free_ = number;
  }

  spin_object& at(unsigned number) noexcept {
    return chunks_[number / chunk].load(std::memory_order_acquire)[number % chunk];
  }

  /// In the child of a fork: no other thread is there to hold it.
  void reopen() noexcept {
    static_cast<void>(lock_.try_lock());
    lock_.unlock();
  }

 private:
  static constexpr unsigned none = ~0U;
  static constexpr unsigned chunk = 1024;
  static constexpr unsigned chunks = 4096;

  basic_tas_lock<hardware, spin_yield> lock_;
  unsigned free_ = none;
  unsigned used_ = 0;
  std::atomic<spin_object*> chunks_[chunks]{};
};
constinit spin_table spins;

/// In the four bytes: a number with this bit. glibc has 1, 0 and what waiters have counted down from there.
constexpr int ours = 0x4000'0000;

bool is_ours(int seen) { return seen >= ours; }

const void* address_of(pthread_spinlock_t* s) { return const_cast<const int*>(s); }

/// What serves, or null.
spin_object* served_by(pthread_spinlock_t* s) {
  const int seen = __atomic_load_n(s, __ATOMIC_ACQUIRE);
  return is_ours(seen) ? &spins.at(static_cast<unsigned>(seen & ~ours)) : nullptr;
}

int initialise(pthread_spinlock_t* s, int shared) {
  const bool wanted = started() && (!chosen.leaves_all || records()) && shared == PTHREAD_PROCESS_PRIVATE;
  const int number = wanted ? spins.make() : -1;
  if (number < 0) {
    counted.add(event::native_spin);
    return native.pthread_spin_init(s, shared);
  }
  spin_object& o = spins.at(static_cast<unsigned>(number));
  if (chosen.leaves_all) native.pthread_spin_init(&o.native, PTHREAD_PROCESS_PRIVATE);
  if (records()) recorded::made(o, address_of(s));
  __atomic_store_n(s, ours | number, __ATOMIC_RELEASE);
  return 0;
}

int destroy(pthread_spinlock_t* s) {
  const int seen = __atomic_load_n(s, __ATOMIC_ACQUIRE);
  if (!is_ours(seen)) return native.pthread_spin_destroy(s);
  const auto number = static_cast<unsigned>(seen & ~ours);
  spin_object& o = spins.at(number);
  const int error = chosen.leaves_all ? native.pthread_spin_destroy(&o.native) : synchro::preload::destroy(&o.mutex);
  if (error != 0) return error;
  spins.free(number);
  __atomic_store_n(s, 0, __ATOMIC_RELEASE);
  return 0;
}

}  // namespace

void reopen_spins() noexcept { spins.reopen(); }

int lock(spin_object& s) noexcept { return chosen.leaves_all ? native.pthread_spin_lock(&s.native) : lock(&s.mutex); }
int try_lock(spin_object& s) noexcept {
  return chosen.leaves_all ? native.pthread_spin_trylock(&s.native) : try_lock(&s.mutex);
}
int unlock(spin_object& s) noexcept {
  return chosen.leaves_all ? native.pthread_spin_unlock(&s.native) : unlock(&s.mutex);
}

}  // namespace synchro::preload

using namespace synchro::preload;  // NOLINT(google-build-using-namespace): the functions below are a few lines each

extern "C" {
#pragma GCC visibility push(default)

int pthread_spin_init(pthread_spinlock_t* s, int shared) noexcept {
  counted.add(call::pthread_spin_init);
  return initialise(s, shared);
}

int pthread_spin_destroy(pthread_spinlock_t* s) noexcept {
  counted.add(call::pthread_spin_destroy);
  return destroy(s);
}

int pthread_spin_lock(pthread_spinlock_t* s) noexcept {
  counted.add(call::pthread_spin_lock);
  spin_object* const o = served_by(s);
  return o != nullptr ? served::lock(*o, address_of(s)) : native.pthread_spin_lock(s);
}

int pthread_spin_trylock(pthread_spinlock_t* s) noexcept {
  counted.add(call::pthread_spin_trylock);
  spin_object* const o = served_by(s);
  return o != nullptr ? served::try_lock(*o, address_of(s)) : native.pthread_spin_trylock(s);
}

int pthread_spin_unlock(pthread_spinlock_t* s) noexcept {
  counted.add(call::pthread_spin_unlock);
  spin_object* const o = served_by(s);
  return o != nullptr ? served::unlock(*o, address_of(s)) : native.pthread_spin_unlock(s);
}

#pragma GCC visibility pop
}  // extern "C"
