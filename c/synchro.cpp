// The C interface: each function calls the member function of its name.

#include "synchro.h"

#include <chrono>
#include <limits>
#include <new>

#include "synchro/locks/mutex.hpp"
#include "synchro/locks/shared_mutex.hpp"
#include "synchro/sync/condition_variable.hpp"
#include "synchro/sync/counting_semaphore.hpp"
#include "synchro/wakes/event.hpp"

namespace {

/// The C++ object that a C object is the memory of. Initializers are zeros (or a count), as the constructors leave them.
template <class Object, class Memory>
Object& in(Memory* memory) {
  static_assert(sizeof(Object) == sizeof(Memory) && alignof(Object) <= alignof(Memory));
  return *std::launder(reinterpret_cast<Object*>(memory));
}

// By the templates' names: the sizes are those of checked mode, too.
auto& of(synchro_mutex* m) { return in<synchro::basic_mutex_lock<>>(m); }
auto& of(synchro_shared_mutex* m) { return in<synchro::basic_shared_mutex_lock<>>(m); }
auto& of(synchro_condition* c) { return in<synchro::basic_condition_variable<>>(c); }
auto& of(synchro_semaphore* s) { return in<synchro::basic_counting_semaphore<>>(s); }
auto& of(synchro_event* e) { return in<synchro::basic_event<>>(e); }

std::chrono::nanoseconds time_of(std::uint64_t nanoseconds) {
  constexpr auto longest = std::numeric_limits<std::int64_t>::max();
  return std::chrono::nanoseconds{nanoseconds < std::uint64_t{longest} ? static_cast<std::int64_t>(nanoseconds)
                                                                       : longest};
}

/// The C++ object that stands in C's memory.
template <class Memory, class... Args>
void make(Memory* memory, Args... args) {
  using object = std::remove_reference_t<decltype(of(memory))>;
  new (static_cast<void*>(memory)) object(args...);
}
template <class Memory>
void end(Memory* memory) {
  using object = std::remove_reference_t<decltype(of(memory))>;
  of(memory).~object();
}

}  // namespace

void synchro_mutex_init(synchro_mutex* m) { make(m); }
void synchro_mutex_lock(synchro_mutex* m) { of(m).lock(); }
bool synchro_mutex_try_lock(synchro_mutex* m) { return of(m).try_lock(); }
bool synchro_mutex_try_lock_for(synchro_mutex* m, uint64_t nanoseconds) {
  return of(m).try_lock_for(time_of(nanoseconds));
}
void synchro_mutex_unlock(synchro_mutex* m) { of(m).unlock(); }
void synchro_mutex_destroy(synchro_mutex* m) { end(m); }

void synchro_shared_mutex_init(synchro_shared_mutex* m) { make(m); }
void synchro_shared_mutex_lock(synchro_shared_mutex* m) { of(m).lock(); }
bool synchro_shared_mutex_try_lock(synchro_shared_mutex* m) { return of(m).try_lock(); }
bool synchro_shared_mutex_try_lock_for(synchro_shared_mutex* m, uint64_t nanoseconds) {
  return of(m).try_lock_for(time_of(nanoseconds));
}
void synchro_shared_mutex_unlock(synchro_shared_mutex* m) { of(m).unlock(); }
void synchro_shared_mutex_lock_shared(synchro_shared_mutex* m) { of(m).lock_shared(); }
bool synchro_shared_mutex_try_lock_shared(synchro_shared_mutex* m) { return of(m).try_lock_shared(); }
bool synchro_shared_mutex_try_lock_shared_for(synchro_shared_mutex* m, uint64_t nanoseconds) {
  return of(m).try_lock_shared_for(time_of(nanoseconds));
}
void synchro_shared_mutex_unlock_shared(synchro_shared_mutex* m) { of(m).unlock_shared(); }
void synchro_shared_mutex_destroy(synchro_shared_mutex* m) { end(m); }

void synchro_condition_init(synchro_condition* c) { make(c); }
void synchro_condition_wait(synchro_condition* c, synchro_mutex* m) { of(c).wait(of(m)); }
bool synchro_condition_wait_for(synchro_condition* c, synchro_mutex* m, uint64_t nanoseconds) {
  return of(c).wait_for(of(m), time_of(nanoseconds)) == synchro::cv_status::no_timeout;
}
void synchro_condition_notify_one(synchro_condition* c) { of(c).notify_one(); }
void synchro_condition_notify_all(synchro_condition* c) { of(c).notify_all(); }
void synchro_condition_destroy(synchro_condition* c) { end(c); }

void synchro_semaphore_init(synchro_semaphore* s, uint32_t count) { make(s, std::ptrdiff_t{count}); }
void synchro_semaphore_acquire(synchro_semaphore* s) { of(s).acquire(); }
bool synchro_semaphore_try_acquire(synchro_semaphore* s) { return of(s).try_acquire(); }
bool synchro_semaphore_try_acquire_for(synchro_semaphore* s, uint64_t nanoseconds) {
  return of(s).try_acquire_for(time_of(nanoseconds));
}
void synchro_semaphore_release(synchro_semaphore* s, uint32_t count) { of(s).release(std::ptrdiff_t{count}); }
void synchro_semaphore_destroy(synchro_semaphore* s) { end(s); }

void synchro_event_init(synchro_event* e) { make(e); }
void synchro_event_set(synchro_event* e) { of(e).set(); }
void synchro_event_reset(synchro_event* e) { of(e).reset(); }
bool synchro_event_try_wait(synchro_event* e) { return of(e).try_wait(); }
void synchro_event_wait(synchro_event* e) { of(e).wait(); }
bool synchro_event_wait_for(synchro_event* e, uint64_t nanoseconds) { return of(e).wait_for(time_of(nanoseconds)); }
void synchro_event_destroy(synchro_event* e) { end(e); }
