// Looked at by clang only. Case 0 keeps the rules; each other case breaks one, named in thread_safety.cmake.

#include "synchro/guard.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/shared_mutex.hpp"

namespace {

struct account {
  synchro::mutex lock;
  long balance SYNCHRO_GUARDED_BY(lock) = 0;
  synchro::shared_mutex names;
  long name SYNCHRO_GUARDED_BY(names) = 0;
  void settle() SYNCHRO_REQUIRES(lock) { balance = 0; }
};

[[maybe_unused]] long keeps_the_rules(account& a) {
  {
    const synchro::guard hold{a.lock};
    a.balance += 1;
    a.settle();
  }
  a.lock.lock();
  a.balance += 1;
  a.lock.unlock();
  if (a.lock.try_lock()) {
    a.balance += 1;
    a.lock.unlock();
  }
  a.names.lock_upgrade();
  const long seen = a.name;
  a.names.unlock_upgrade_and_lock();
  a.name = seen + 1;
  a.names.unlock_and_lock_shared();
  const long now = a.name;
  a.names.unlock_shared();
  const synchro::shared_guard read{a.names};
  return now + a.name;
}

[[maybe_unused]] void breaks_a_rule(account& a) {
#if CASE == 1
  a.balance += 1;
#elif CASE == 2
  a.lock.lock();
#elif CASE == 3
  a.lock.unlock();
#elif CASE == 4
  a.lock.lock();
  a.lock.lock();
  a.lock.unlock();
#elif CASE == 5
  const synchro::shared_guard read{a.names};
  a.name = 1;
#elif CASE == 6
  a.settle();
#elif CASE == 7
  if (!a.lock.try_lock()) a.balance = 1;
#elif CASE == 8
  a.names.lock();
  a.names.unlock_and_lock_shared();
  a.name = 1;
  a.names.unlock_shared();
#else
  static_cast<void>(a);
#endif
}

}  // namespace
