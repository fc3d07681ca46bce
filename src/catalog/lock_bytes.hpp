// What a lock takes of the memory, measured: what its thread asks of the allocator.

#ifndef SYNCHRO_CATALOG_LOCK_BYTES_HPP
#define SYNCHRO_CATALOG_LOCK_BYTES_HPP

#include <cstddef>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "catalog/lock_line.hpp"
#include "synchro/hardware.hpp"
#include "synchro/shape.hpp"

namespace synchro::catalog {

/// What a thread has asked of the allocator so far. The program that measures counts it in its operator new.
struct allocations {
  std::size_t bytes = 0;
  std::size_t blocks = 0;
};
inline thread_local allocations allocated;

template <class F>
allocations allocated_by(F f) {
  const allocations before = allocated;
  f();
  return {allocated.bytes - before.bytes, allocated.blocks - before.blocks};
}

struct lock_bytes {
  std::size_t free;         ///< Of a lock for one thread that nobody holds: the object and all that it owns,
  std::size_t blocks;       ///< in so many blocks of the allocator besides the object.
  std::size_t each_domain;  ///< More for each further domain,
  std::size_t each_thread;  ///< for each further thread that it is made for,
  std::size_t held;         ///< while it is held,
  std::size_t each_waiter;  ///< and for each that waits.
};

/// Measures a type of lock. Each step has a lock of its own type to measure (`Type<0>`, ...), and with it a pool of nodes
/// that is empty: what an earlier step gave back would not be asked for again.
template <template <class> class LockOn>
class lock_measurement {
 public:
  static lock_bytes measured() {
    const std::vector<unsigned> alike(many, 0);
    std::vector<unsigned> each_another(many);
    std::iota(each_another.begin(), each_another.end(), 0U);
    const allocations one = made<0>(shape{{0}});
    const std::size_t in_one_domain = made<1>(shape{alike}).bytes;
    return {.free = sizeof(lock_of<0>) + one.bytes,
            .blocks = one.blocks,
            .each_domain = (made<2>(shape{each_another}).bytes - in_one_domain) / (many - 1),
            .each_thread = (in_one_domain - one.bytes) / (many - 1),
            .held = held_alone(),
            .each_waiter = waiting()};
  }

 private:
  static constexpr unsigned many = 64;

  template <int>
  struct machine_of_a_step : hardware {};
  template <int Step>
  using lock_of = LockOn<machine_of_a_step<Step>>;

  /// What its construction asks for. That it is seen keeps the compiler from leaving allocations out.
  template <int Step>
  static allocations made(const shape& team) {
    return allocated_by([&] {
      const lock_of<Step> lock = make_lock<lock_of<Step>>(team);
      asm volatile("" : : "r"(&lock) : "memory");
    });
  }

  /// Of a lock among many that one thread holds: what it keeps for the next is not one lock's.
  static std::size_t held_alone() {
    using lock = lock_of<3>;
    std::vector<std::unique_ptr<lock>> locks(many);
    for (auto& one : locks) one.reset(new lock(make_lock<lock>(shape{{0}})));
    locks[0]->lock();
    const std::size_t bytes = allocated_by([&] {
                                for (unsigned i = 1; i != many; ++i) locks[i]->lock();
                              }).bytes;
    for (auto& one : locks) one->unlock();
    return bytes / (many - 1);
  }

  static std::size_t waiting() {
    using lock = lock_of<4>;
    const auto one = std::unique_ptr<lock>(new lock(make_lock<lock>(shape{{0}})));
    std::size_t bytes = 0;
    one->lock();
    std::thread waiter{[&] {
      bytes = allocated_by([&] { one->lock(); }).bytes;
      one->unlock();
    }};
    one->unlock();
    waiter.join();
    return bytes;
  }
};

}  // namespace synchro::catalog

#endif
