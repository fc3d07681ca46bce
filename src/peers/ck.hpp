// Primitives of Concurrency Kit: spinlocks only, none of which ever gives its processor away.
//
// ck's headers are C, and two of them assign a void* to a pointer of another type, which C++ refuses. The exchange that
// they call is given its type for the length of the includes; the code that runs is ck's own.

#ifndef SYNCHRO_PEERS_CK_HPP
#define SYNCHRO_PEERS_CK_HPP

#include <ck_pr.h>
#define ck_pr_fas_ptr(target, value) static_cast<decltype(value)>(ck_pr_fas_ptr(target, value))
#include <spinlock/anderson.h>
#include <spinlock/cas.h>
#include <spinlock/clh.h>
#include <spinlock/fas.h>
#include <spinlock/mcs.h>
#include <spinlock/ticket.h>
#undef ck_pr_fas_ptr

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "peers/peer.hpp"
#include "synchro/shape.hpp"

namespace synchro::peers {

class ck_fas {
 public:
  static constexpr lock_traits traits{
      .judgement = "short sections with a processor for every thread: exchange until it is free; unfair",
      .citation = "Concurrency Kit, ck_spinlock_fas"};
  static constexpr const char* waits = "spin";
  static constexpr bool parks = false;

  ck_fas() { ck_spinlock_fas_init(&lock_); }
  ck_fas(const ck_fas&) = delete;
  ck_fas& operator=(const ck_fas&) = delete;

  void lock() { ck_spinlock_fas_lock(&lock_); }
  bool try_lock() { return ck_spinlock_fas_trylock(&lock_); }
  void unlock() { ck_spinlock_fas_unlock(&lock_); }

 private:
  ck_spinlock_fas_t lock_;
};

class ck_cas {
 public:
  static constexpr lock_traits traits{
      .judgement = "short sections with a processor for every thread: compare-and-swap when it looks free; unfair",
      .citation = "Concurrency Kit, ck_spinlock_cas"};
  static constexpr const char* waits = "spin";
  static constexpr bool parks = false;

  ck_cas() { ck_spinlock_cas_init(&lock_); }
  ck_cas(const ck_cas&) = delete;
  ck_cas& operator=(const ck_cas&) = delete;

  void lock() { ck_spinlock_cas_lock(&lock_); }
  bool try_lock() { return ck_spinlock_cas_trylock(&lock_); }
  void unlock() { ck_spinlock_cas_unlock(&lock_); }

 private:
  ck_spinlock_cas_t lock_;
};

class ck_ticket {
 public:
  static constexpr lock_traits traits{.judgement = "fair and small, up to a few threads; not with more than processors",
                                      .fair = fairness::first_come,
                                      .bypass = 0,
                                      .citation = "Concurrency Kit, ck_spinlock_ticket"};
  static constexpr const char* waits = "spin";
  static constexpr bool parks = false;

  ck_ticket() { ck_spinlock_ticket_init(&lock_); }
  ck_ticket(const ck_ticket&) = delete;
  ck_ticket& operator=(const ck_ticket&) = delete;

  void lock() { ck_spinlock_ticket_lock(&lock_); }
#ifdef CK_F_SPINLOCK_TICKET_TRYLOCK  // ck offers it on some processors
  bool try_lock() { return ck_spinlock_ticket_trylock(&lock_); }
#endif
  void unlock() { ck_spinlock_ticket_unlock(&lock_); }

 private:
  ck_spinlock_ticket_t lock_;
};

/// Anderson's array lock with as many slots as the shape has threads, rounded up to a power of two. No more threads
/// than `capacity()` may hold or await it at once: ck does not check.
class ck_anderson {
 public:
  static constexpr lock_traits traits{
      .judgement = "fair, each waiter on a slot of its own; only where the number of threads is known in advance",
      .fair = fairness::first_come,
      .bypass = 0,
      .citation = "Concurrency Kit, ck_spinlock_anderson"};
  static constexpr const char* waits = "spin";
  static constexpr bool parks = false;
  static constexpr bool native_node = true;
  static constexpr std::size_t bytes_per_lock = sizeof(ck_spinlock_anderson_t);
  static constexpr std::size_t bytes_per_thread = sizeof(ck_spinlock_anderson_thread_t);

  /// The slot that a holder was given; ck asks for it back.
  class alignas(cpu::cache_line) node {
    friend class ck_anderson;
    ck_spinlock_anderson_thread_t* slot = nullptr;
  };

  explicit ck_anderson(const shape& team) : slots_(std::bit_ceil(std::max<std::size_t>(2, team.threads()))) {
    ck_spinlock_anderson_init(&lock_, slots_.data(), static_cast<unsigned>(slots_.size()));
  }
  ck_anderson(const ck_anderson&) = delete;
  ck_anderson& operator=(const ck_anderson&) = delete;

  [[nodiscard]] std::size_t capacity() const noexcept { return slots_.size(); }

  void lock(node& mine) { ck_spinlock_anderson_lock(&lock_, &mine.slot); }
  void unlock(node& mine) { ck_spinlock_anderson_unlock(&lock_, mine.slot); }

  void lock() {
    ck_spinlock_anderson_thread_t* slot = nullptr;
    ck_spinlock_anderson_lock(&lock_, &slot);
    holder_ = slot;
  }
  void unlock() { ck_spinlock_anderson_unlock(&lock_, holder_); }

 private:
  ck_spinlock_anderson_t lock_;
  std::vector<ck_spinlock_anderson_thread_t> slots_;
  ck_spinlock_anderson_thread_t* holder_ = nullptr;
};

namespace detail {

class ck_mcs {
 public:
  static constexpr lock_traits traits{
      .judgement = "one hot lock and a processor per thread; not where contention is rare",
      .fair = fairness::first_come,
      .bypass = 0,
      .citation = "Concurrency Kit, ck_spinlock_mcs"};
  static constexpr const char* waits = "spin";
  static constexpr bool parks = false;

  class alignas(cpu::cache_line) node {
    friend class ck_mcs;
    ck_spinlock_mcs_context_t context;
  };

  ck_mcs() { ck_spinlock_mcs_init(&tail_); }
  ck_mcs(const ck_mcs&) = delete;
  ck_mcs& operator=(const ck_mcs&) = delete;

  void lock(node& mine) { ck_spinlock_mcs_lock(&tail_, &mine.context); }
  bool try_lock(node& mine) { return ck_spinlock_mcs_trylock(&tail_, &mine.context); }
  void unlock(node& mine) { ck_spinlock_mcs_unlock(&tail_, &mine.context); }

 private:
  ck_spinlock_mcs_t tail_;
};

/// A release leaves the caller with its predecessor's queue entry, so entries wander between threads and locks: a node
/// owns whichever it has just now, and the lock owns the last one left in it.
class ck_clh {
  struct alignas(cpu::cache_line) entry : ck_spinlock_clh_t {};

 public:
  static constexpr lock_traits traits{
      .judgement = "one hot lock and a processor per thread, on machines with coherent caches",
      .fair = fairness::first_come,
      .bypass = 0,
      .citation = "Concurrency Kit, ck_spinlock_clh"};
  static constexpr const char* waits = "spin";
  static constexpr bool parks = false;

  class alignas(cpu::cache_line) node {
    friend class ck_clh;

   public:
    node() : mine{new entry} {}
    ~node() { delete static_cast<entry*>(mine); }
    node(const node&) = delete;
    node& operator=(const node&) = delete;

   private:
    ck_spinlock_clh_t* mine;
  };

  ck_clh() { ck_spinlock_clh_init(&tail_, new entry); }
  ~ck_clh() { delete static_cast<entry*>(tail_); }
  ck_clh(const ck_clh&) = delete;
  ck_clh& operator=(const ck_clh&) = delete;

  void lock(node& mine) { ck_spinlock_clh_lock(&tail_, mine.mine); }
  void unlock(node& mine) { ck_spinlock_clh_unlock(&mine.mine); }

 private:
  ck_spinlock_clh_t* tail_;
};

}  // namespace detail

using ck_mcs = with_pooled_nodes<detail::ck_mcs>;
using ck_clh = with_pooled_nodes<detail::ck_clh>;

}  // namespace synchro::peers

#endif
