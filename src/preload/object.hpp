// A lock of the catalog inside a pthread_mutex_t or pthread_rwlock_t.
//
// Problem. The program makes its mutex, often statically and without a call. What serves it must be found at every lock and
// unlock: a table beside the program's objects costs a search each time, and mistakes a mutex in memory that was freed
// and used again for its predecessor. So the state is in the object itself.
//
// Picture, of a mutex:
//
//   byte   0 mark | 4 owner | 8 depth | 12 label | 16 lock, 24 bytes                 |
//   glibc    lock     count     owner    users   kind | spins | list of robust ones
//
//   mark    0 before its first use: the object is as glibc's initialiser or pthread_mutex_init left it, with its kind at
//           byte 16. The first use adopts it: reads the kind, makes the lock in place, and writes a mark that says both.
//           Any other value is glibc's own lock word, of an object that is left to it. No value that glibc writes there
//           (0, 1, 2, or a thread's number of at most 22 bits with the two highest bits as flags) looks like a mark.
//   owner   of a recursive or error-checking mutex: the number of the thread that holds it. Of a plain one nothing is
//           written here at lock and unlock, unless its lock needs a sign (holding.hpp): `somebody`.
//   lock    the lock itself if 24 bytes hold it, else a pointer to one.
//
// A mark also holds the generation of the process: a number that no other of its family has. Threads that waited in the
// parent do not exist in the child, yet stand in the queues that it has copied. So the child's first use of an object from
// before the fork makes a new lock there, and takes it on behalf of the owner, if there is one. The same goes for an object
// in memory that processes share though it does not say so: what another has left there (clh: the address of a cell) is of
// that one's memory. Each makes it its own, and follows no address of another's.
//
// And for a copy: POSIX leaves undefined what a mutex is that was copied as bytes, the C library has a mutex there. The object's
// address is folded into the generation, so that a copy looks like another process's, and is made anew.

#ifndef SYNCHRO_PRELOAD_OBJECT_HPP
#define SYNCHRO_PRELOAD_OBJECT_HPP

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "catalog/lock_line.hpp"
#include "preload/far_locks.hpp"
#include "synchro/shape.hpp"

namespace synchro::preload {

enum class kind : std::uint8_t { plain, recursive, checking };

/// What stands at byte 0 of an adopted object.
class mark {
 public:
  using word = std::uint32_t;

  /// Of an object at address 0.
  static constexpr word ready(word generation, kind k) { return magic | (generation & generations) << 4 | bits(k); }
  static constexpr word busy(word generation, kind k) { return ready(generation, k) | under_way; }
  /// The same in this object, and back.
  static word in(const void* object, word w) noexcept { return w ^ place_of(object); }
  /// Stands in no object.
  static constexpr word never = 0x5C00'000F;

  static constexpr bool is_ours(word w) { return (w & 0xFF00'0000) == magic; }
  static constexpr bool is_busy(word w) { return (w & under_way) != 0; }
  static constexpr bool is_of(word w, word generation) { return (w >> 4 & generations) == (generation & generations); }
  static bool is_of(const void* object, word w, word generation) noexcept { return is_of(in(object, w), generation); }
  static constexpr kind kind_of(word w) { return static_cast<kind>(w & 3); }

 private:
  static constexpr word magic = 0x5C00'0000;
  static constexpr word generations = 0xF'FFFF;
  static constexpr word under_way = 8;
  static constexpr word bits(kind k) { return static_cast<word>(k); }
  /// Of two addresses that are less than 600 bytes apart never the same; of others, once in a million.
  static word place_of(const void* object) noexcept {
    const auto product = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(object)) * 0x61C8'8647;
    return static_cast<word>(product >> 16) & generations << 4;
  }
};

inline constexpr std::uint32_t nobody = 0;
inline constexpr std::uint32_t somebody = 0xFFFF'FFFF;  // no thread's number

/// Who will use the locks; set at the start. To find it out takes memory of the program's malloc, which may be adopting a
/// mutex just now.
inline constinit const shape* team = nullptr;

/// So many bytes for a lock; one that does not fit is elsewhere, and its address is here.
template <std::size_t Bytes>
class place {
  template <class Lock>
  struct elsewhere : far_lock {
    elsewhere(const void* place, const shape& threads)
        : far_lock{place, [](far_lock* f) { delete static_cast<elsewhere*>(f); }},
          lock(catalog::make_lock<Lock>(threads)) {}
    alignas(cpu::cache_line) Lock lock;
  };

 public:
  template <class Lock>
  static constexpr bool fits = sizeof(Lock) <= Bytes && alignof(Lock) <= 8;

  template <class Lock>
  Lock& as() noexcept {
    if constexpr (fits<Lock>)
      return *std::launder(reinterpret_cast<Lock*>(bytes_));
    else
      return (*std::launder(reinterpret_cast<elsewhere<Lock>**>(bytes_)))->lock;
  }
  /// Of a lock that is elsewhere.
  template <class Lock>
  far_lock& far() noexcept {
    return **std::launder(reinterpret_cast<elsewhere<Lock>**>(bytes_));
  }
  template <class Lock>
  void make() {
    if constexpr (fits<Lock>)
      new (bytes_) Lock(catalog::make_lock<Lock>(*team));
    else
      enter(**new (bytes_) elsewhere<Lock>*(new elsewhere<Lock>{this, *team}));
  }
  /// Whether the lock is in this process's memory: one that another has made is not.
  template <class Lock>
  bool is_here() noexcept {
    if constexpr (fits<Lock>) {
      return true;
    } else {
      const far_lock* const there = &far<Lock>();
      return is_mapped(there) && there->home.load(std::memory_order_relaxed) == this;
    }
  }
  template <class Lock>
  void unmake() noexcept {
    if constexpr (fits<Lock>)
      as<Lock>().~Lock();
    else
      far<Lock>().home.store(nullptr, std::memory_order_release);
  }

 private:
  alignas(8) std::byte bytes_[Bytes];
};

/// In a mutex's depth, for each thread that waits for a condition with it: such a mutex is not destroyed.
inline constexpr std::uint32_t waiter = 1U << 18;
inline constexpr std::uint32_t deepest = waiter - 1;

struct mutex_object {
  std::atomic<mark::word> state;
  std::atomic<std::uint32_t> owner;
  std::atomic<std::uint32_t> depth;  // of a recursive one: how often its owner took it again; and `waiter`s
  std::uint32_t label;               // the recorder's (recorder.hpp)
  place<24> lock;
};
static_assert(sizeof(mutex_object) <= sizeof(pthread_mutex_t) && alignof(mutex_object) <= alignof(pthread_mutex_t));
static_assert(offsetof(pthread_mutex_t, __data.__kind) == offsetof(mutex_object, lock));

struct rwlock_object {
  std::atomic<mark::word> state;
  std::atomic<std::uint32_t> writer;
  place<24> lock;
  std::atomic<std::uint32_t> again, unnoted;  // of its readers, as the next (own_reads.hpp)
  std::uint32_t label;                        // the recorder's; glibc's own object has room there, too
  std::atomic<std::uint32_t> stamp;
};
static_assert(sizeof(rwlock_object) <= offsetof(pthread_rwlock_t, __data.__flags));
static_assert(offsetof(pthread_rwlock_t, __data.__shared) >= offsetof(rwlock_object, lock));
static_assert(offsetof(pthread_rwlock_t, __data.__pad2) == offsetof(rwlock_object, label));

inline mutex_object& object_of(pthread_mutex_t* m) noexcept { return *reinterpret_cast<mutex_object*>(m); }
inline rwlock_object& object_of(pthread_rwlock_t* l) noexcept { return *reinterpret_cast<rwlock_object*>(l); }

}  // namespace synchro::preload

#endif
