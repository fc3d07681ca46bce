// Every function that the interposer replaces, once; and how often each was called.
//
// The list is what the self-test looks for, what natives.hpp finds in the C library, what exports.map exports (a test
// compares them), and the names in the report.

#ifndef SYNCHRO_PRELOAD_CALLS_HPP
#define SYNCHRO_PRELOAD_CALLS_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

// clang-format off
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): names, types and numbers from one list
#define SYNCHRO_PRELOAD_CALLS(X)                                                                         \
  X(pthread_create)                                                                                      \
  X(pthread_mutex_init) X(pthread_mutex_destroy) X(pthread_mutex_lock) X(pthread_mutex_trylock)          \
  X(pthread_mutex_timedlock) X(pthread_mutex_clocklock) X(pthread_mutex_unlock)                          \
  X(pthread_mutex_consistent) X(pthread_mutex_getprioceiling) X(pthread_mutex_setprioceiling)            \
  X(pthread_cond_init) X(pthread_cond_destroy) X(pthread_cond_wait) X(pthread_cond_timedwait)            \
  X(pthread_cond_clockwait) X(pthread_cond_signal) X(pthread_cond_broadcast)                             \
  X(pthread_rwlock_init) X(pthread_rwlock_destroy) X(pthread_rwlock_rdlock) X(pthread_rwlock_wrlock)     \
  X(pthread_rwlock_tryrdlock) X(pthread_rwlock_trywrlock) X(pthread_rwlock_timedrdlock)                  \
  X(pthread_rwlock_timedwrlock) X(pthread_rwlock_clockrdlock) X(pthread_rwlock_clockwrlock)              \
  X(pthread_rwlock_unlock)                                                                               \
  X(pthread_spin_init) X(pthread_spin_destroy) X(pthread_spin_lock) X(pthread_spin_trylock)              \
  X(pthread_spin_unlock)                                                                                 \
  X(thrd_create) X(mtx_init) X(mtx_destroy) X(mtx_lock) X(mtx_trylock) X(mtx_timedlock) X(mtx_unlock)    \
  X(cnd_init) X(cnd_destroy) X(cnd_wait) X(cnd_timedwait) X(cnd_signal) X(cnd_broadcast)
// clang-format on

namespace synchro::preload {

enum class call : std::uint8_t {
#define SYNCHRO_PRELOAD_NUMBER(name) name,
  SYNCHRO_PRELOAD_CALLS(SYNCHRO_PRELOAD_NUMBER)
#undef SYNCHRO_PRELOAD_NUMBER
};

inline constexpr const char* call_names[] = {
#define SYNCHRO_PRELOAD_NAME(name) #name,
    SYNCHRO_PRELOAD_CALLS(SYNCHRO_PRELOAD_NAME)
#undef SYNCHRO_PRELOAD_NAME
};
inline constexpr std::size_t calls = sizeof call_names / sizeof *call_names;

/// What befell objects, besides calls.
enum class event : std::uint8_t {
  native_mutex,      ///< Initialised as robust, process-shared or with a priority protocol: left to the C library.
  native_condition,  ///< Initialised as process-shared: left to the C library.
  native_rwlock,
  native_spin,
  polled_lock,       ///< A wait with a deadline for a lock whose algorithm has none: it was tried again and again.
  polled_condition,  ///< A wait on the C library's condition variable with a mutex of ours.
  adopted_mutex,     ///< Served by the chosen lock from its first use on.
  adopted_rwlock,
};
inline constexpr const char* event_names[] = {"native_mutex", "native_condition", "native_rwlock", "native_spin",
                                              "polled_lock",  "polled_condition", "adopted_mutex", "adopted_rwlock"};
inline constexpr std::size_t events = sizeof event_names / sizeof *event_names;

/// Counts nothing unless a report is wanted.
class tally {
 public:
  void start() noexcept { on_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool on() const noexcept { return on_.load(std::memory_order_relaxed); }
  void add(call c) noexcept {
    if (on()) calls_[static_cast<std::size_t>(c)].fetch_add(1, std::memory_order_relaxed);
  }
  void add(event e) noexcept {
    if (on()) events_[static_cast<std::size_t>(e)].fetch_add(1, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t of_call(std::size_t i) const noexcept {
    return calls_[i].load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t of_event(std::size_t i) const noexcept {
    return events_[i].load(std::memory_order_relaxed);
  }
  /// In the child of a fork.
  void forget() noexcept {
    for (auto& n : calls_) n.store(0, std::memory_order_relaxed);
    for (auto& n : events_) n.store(0, std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> on_{false};
  std::atomic<std::uint64_t> calls_[calls]{};
  std::atomic<std::uint64_t> events_[events]{};
};
inline constinit tally counted;

}  // namespace synchro::preload

#endif
