// The objects that are recorded, each as what the recorder asks of it: where its label is, how it is tried.

#ifndef SYNCHRO_PRELOAD_RECORDED_OBJECTS_HPP
#define SYNCHRO_PRELOAD_RECORDED_OBJECTS_HPP

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "preload/mutex.hpp"
#include "preload/natives.hpp"
#include "preload/object.hpp"
#include "preload/recording.hpp"
#include "preload/rwlock.hpp"
#include "preload/spin.hpp"
#include "preload/start.hpp"

namespace synchro::preload {

using recording::number;

/// What stands in an object.
struct label {
  std::atomic<number> lock;         // 0: not entered yet
  std::atomic<std::uint16_t> last;  // the thread that held it last; 0: nobody yet
};

/// How the calls are served that are looked at here.
namespace below {

inline bool is_plain(pthread_mutex_t* m) {
  const mutex_object& o = object_of(m);
  return o.state.load(std::memory_order_acquire) == mark::in(&o, chosen.plain.load(std::memory_order_relaxed));
}
inline int lock(pthread_mutex_t* m) {
  if (chosen.leaves_all) return native.pthread_mutex_lock(m);
  return is_plain(m) ? chosen.mutex->lock(object_of(m)) : preload::lock(m);
}
inline int try_lock(pthread_mutex_t* m) {
  if (chosen.leaves_all) return native.pthread_mutex_trylock(m);
  return is_plain(m) ? chosen.mutex->try_lock(object_of(m)) : preload::try_lock(m);
}
inline int unlock(pthread_mutex_t* m) {
  if (chosen.leaves_all) return native.pthread_mutex_unlock(m);
  return is_plain(m) ? chosen.mutex->unlock(object_of(m)) : preload::unlock(m);
}

}  // namespace below

template <std::size_t Ours, std::size_t Native>
label* label_in(void* object) noexcept {
  return reinterpret_cast<label*>(static_cast<std::byte*>(object) + (chosen.leaves_all ? Native : Ours));
}

// `where` is nothing for those that are not recorded: robust, process-shared, with a priority protocol,
// destroyed. `nests`: its holder may take it again.

struct mutex_target {
  static constexpr auto what = recording::layout::sort::mutex;
  static constexpr bool may_read = false;
  pthread_mutex_t* m;

  [[nodiscard]] const void* object() const noexcept { return m; }
  [[nodiscard]] label* where() const noexcept {
    constexpr int kinds = 3, about_elision = 0x300;
    const bool ours = !chosen.leaves_all && mark::is_ours(object_of(m).state.load(std::memory_order_relaxed));
    if (!ours && (__atomic_load_n(&m->__data.__kind, __ATOMIC_RELAXED) & ~(kinds | about_elision)) != 0) return nullptr;
    return label_in<offsetof(mutex_object, label), offsetof(pthread_mutex_t, __data.__list)>(m);
  }
  [[nodiscard]] bool nests() const noexcept {
    const mark::word state = object_of(m).state.load(std::memory_order_relaxed);
    if (!chosen.leaves_all) return mark::is_ours(state) && mark::kind_of(state) == kind::recursive;
    return (m->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP;
  }
  [[nodiscard]] int try_lock() const noexcept { return below::try_lock(m); }
};

struct rwlock_target {
  static constexpr auto what = recording::layout::sort::writing;
  static constexpr bool may_read = true;
  pthread_rwlock_t* l;
  bool reads;

  [[nodiscard]] const void* object() const noexcept { return l; }
  [[nodiscard]] label* where() const noexcept {
    const bool ours = !chosen.leaves_all && mark::is_ours(object_of(l).state.load(std::memory_order_relaxed));
    if (!ours && __atomic_load_n(&l->__data.__shared, __ATOMIC_RELAXED) != 0) return nullptr;
    return label_in<offsetof(rwlock_object, label), offsetof(pthread_rwlock_t, __data.__pad2)>(l);
  }
  [[nodiscard]] bool nests() const noexcept { return reads; }
  [[nodiscard]] int try_lock() const noexcept { return reads ? preload::try_lock_shared(l) : preload::try_lock(l); }
};

struct spin_target {
  static constexpr auto what = recording::layout::sort::spin;
  static constexpr bool may_read = false;
  spin_object& o;
  const void* s;

  [[nodiscard]] const void* object() const noexcept { return s; }
  [[nodiscard]] label* where() const noexcept { return reinterpret_cast<label*>(&o.label); }
  [[nodiscard]] static bool nests() noexcept { return false; }
  [[nodiscard]] int try_lock() const noexcept { return preload::try_lock(o); }
};

template <class Target>
bool reads(const Target& x) noexcept {
  if constexpr (Target::may_read) return x.reads;
  return false;
}

/// The record of those who take it in this way.
template <class Target>
number side_of(const Target& x, number whole) noexcept {
  return reads(x) && recording::is_lock(whole) ? static_cast<number>(whole + 1) : whole;
}

}  // namespace synchro::preload

#endif
