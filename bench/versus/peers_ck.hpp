// Concurrency Kit's locks as contenders. Its headers are C; they compile as C++ with -fpermissive only.

#ifndef SYNCHRO_BENCH_PEERS_CK_HPP
#define SYNCHRO_BENCH_PEERS_CK_HPP

extern "C" {
#include <ck_brlock.h>
#include <ck_cohort.h>
#include <ck_pflock.h>
#include <ck_spinlock.h>
}

#include <array>
#include <memory>

#include "synchro/os.hpp"

namespace synchro::bench::ck {

#define SYNCHRO_CK_PLAIN(NAME, TYPE, LOCK, UNLOCK) \
  struct NAME {                                    \
    struct context {                               \
      explicit context(NAME&) {}                   \
    };                                             \
    void lock(context&) { LOCK; }                  \
    void unlock(context&) { UNLOCK; }              \
    TYPE inner{};                                  \
  }

SYNCHRO_CK_PLAIN(fas, ck_spinlock_fas_t, ck_spinlock_fas_lock(&inner), ck_spinlock_fas_unlock(&inner));
SYNCHRO_CK_PLAIN(cas, ck_spinlock_cas_t, ck_spinlock_cas_lock(&inner), ck_spinlock_cas_unlock(&inner));
SYNCHRO_CK_PLAIN(ticket, ck_spinlock_ticket_t, ck_spinlock_ticket_lock(&inner), ck_spinlock_ticket_unlock(&inner));
SYNCHRO_CK_PLAIN(ticket_backoff, ck_spinlock_ticket_t, ck_spinlock_ticket_lock_pb(&inner, 5),
                 ck_spinlock_ticket_unlock(&inner));
SYNCHRO_CK_PLAIN(pflock_write, ck_pflock_t, ck_pflock_write_lock(&inner), ck_pflock_write_unlock(&inner));
SYNCHRO_CK_PLAIN(pflock_read, ck_pflock_t, ck_pflock_read_lock(&inner), ck_pflock_read_unlock(&inner));
#undef SYNCHRO_CK_PLAIN

struct mcs {
  struct context {
    explicit context(mcs&) {}
    alignas(cpu::cache_line) ck_spinlock_mcs_context_t node{};
  };
  void lock(context& c) { ck_spinlock_mcs_lock(&inner, &c.node); }
  void unlock(context& c) { ck_spinlock_mcs_unlock(&inner, &c.node); }
  ck_spinlock_mcs_t inner = nullptr;
};

struct clh {
  struct alignas(cpu::cache_line) node {
    ck_spinlock_clh_t inner{};
  };
  /// Nodes change hands, so they outlive the thread: leaked on purpose, a few hundred bytes a round.
  struct context {
    explicit context(clh&) : mine{&(new node)->inner} {}
    ck_spinlock_clh_t* mine;
  };
  clh() { ck_spinlock_clh_init(&inner, &(new node)->inner); }
  void lock(context& c) { ck_spinlock_clh_lock(&inner, c.mine); }
  void unlock(context& c) { ck_spinlock_clh_unlock(&c.mine); }
  ck_spinlock_clh_t* inner = nullptr;
};

struct anderson {
  static constexpr unsigned slots = 64;
  struct context {
    explicit context(anderson&) {}
    ck_spinlock_anderson_thread_t* slot = nullptr;
  };
  anderson() { ck_spinlock_anderson_init(&inner, places.data(), slots); }
  void lock(context& c) { ck_spinlock_anderson_lock(&inner, &c.slot); }
  void unlock(context& c) { ck_spinlock_anderson_unlock(&inner, c.slot); }
  ck_spinlock_anderson_t inner{};
  std::array<ck_spinlock_anderson_thread_t, slots> places{};
};

struct hclh {
  struct alignas(cpu::cache_line) node {
    ck_spinlock_hclh_t inner{};
  };
  struct context {
    explicit context(hclh&) : mine{&(new node)->inner} {}
    ck_spinlock_hclh_t* mine;
  };
  hclh() {
    ck_spinlock_hclh_init(&global, &(new node)->inner, -1);
    ck_spinlock_hclh_init(&local, &(new node)->inner, 0);
  }
  void lock(context& c) { ck_spinlock_hclh_lock(&global, &local, c.mine); }
  void unlock(context& c) { ck_spinlock_hclh_unlock(&c.mine); }
  alignas(cpu::cache_line) ck_spinlock_hclh_t* global = nullptr;
  alignas(cpu::cache_line) ck_spinlock_hclh_t* local = nullptr;
};

/// One domain's cohort, as our hierarchical locks have on a machine of one domain. A lock of Concurrency Kit takes its
/// kind of context and no other, so each has a function of the form that a cohort wants.
inline void take_ticket(void* lock, void*) { ck_spinlock_ticket_lock(static_cast<ck_spinlock_ticket_t*>(lock)); }
inline void give_ticket(void* lock, void*) { ck_spinlock_ticket_unlock(static_cast<ck_spinlock_ticket_t*>(lock)); }
inline bool has_ticket(void* lock, void*) {
  return ck_spinlock_ticket_locked(static_cast<ck_spinlock_ticket_t*>(lock));
}
CK_COHORT_PROTOTYPE(tickets, take_ticket, give_ticket, has_ticket, take_ticket, give_ticket, has_ticket)

inline void take_mcs(void* lock, void* node) {
  ck_spinlock_mcs_lock(static_cast<ck_spinlock_mcs_t*>(lock), static_cast<ck_spinlock_mcs_context_t*>(node));
}
inline void give_mcs(void* lock, void* node) {
  ck_spinlock_mcs_unlock(static_cast<ck_spinlock_mcs_t*>(lock), static_cast<ck_spinlock_mcs_context_t*>(node));
}
inline bool has_mcs(void* lock, void*) { return ck_spinlock_mcs_locked(static_cast<ck_spinlock_mcs_t*>(lock)); }
CK_COHORT_PROTOTYPE(queues, take_mcs, give_mcs, has_mcs, take_mcs, give_mcs, has_mcs)

inline constexpr unsigned pass_limit = 64;  // ours

struct ticket_cohort {
  struct context {
    explicit context(ticket_cohort&) {}
  };
  ticket_cohort() { ck_cohort_tickets_init(&inner, &global, &local, pass_limit); }
  void lock(context&) { ck_cohort_tickets_lock(&inner, nullptr, nullptr); }
  void unlock(context&) { ck_cohort_tickets_unlock(&inner, nullptr, nullptr); }
  alignas(cpu::cache_line) CK_COHORT_INSTANCE(tickets) inner{};
  alignas(cpu::cache_line) ck_spinlock_ticket_t global{};
  alignas(cpu::cache_line) ck_spinlock_ticket_t local{};
};

struct mcs_cohort {
  struct context {
    explicit context(mcs_cohort&) {}
    alignas(cpu::cache_line) ck_spinlock_mcs_context_t node{};
  };
  mcs_cohort() { ck_cohort_queues_init(&inner, &global, &local, pass_limit); }
  void lock(context& c) { ck_cohort_queues_lock(&inner, &global_node, &c.node); }
  void unlock(context& c) { ck_cohort_queues_unlock(&inner, &global_node, &c.node); }
  alignas(cpu::cache_line) CK_COHORT_INSTANCE(queues) inner{};
  alignas(cpu::cache_line) ck_spinlock_mcs_t global = nullptr;
  ck_spinlock_mcs_context_t global_node{};  // the cohort's, whichever of its threads goes on
  alignas(cpu::cache_line) ck_spinlock_mcs_t local = nullptr;
};

struct brlock_write {
  struct context {
    explicit context(brlock_write& lock) : of{&lock} { ck_brlock_read_register(&of->inner, &reader); }
    ~context() { ck_brlock_read_unregister(&of->inner, &reader); }
    context(const context&) = delete;
    context& operator=(const context&) = delete;
    brlock_write* of;
    alignas(cpu::cache_line) ck_brlock_reader_t reader{};
  };
  brlock_write() { ck_brlock_init(&inner); }
  void lock(context&) { ck_brlock_write_lock(&inner); }
  void unlock(context&) { ck_brlock_write_unlock(&inner); }
  ck_brlock_t inner{};
};

struct brlock_read : brlock_write {
  struct context : brlock_write::context {
    explicit context(brlock_read& lock) : brlock_write::context{lock} {}
  };
  void lock(context& c) { ck_brlock_read_lock(&inner, &c.reader); }
  void unlock(context& c) { ck_brlock_read_unlock(&c.reader); }
};

}  // namespace synchro::bench::ck

#endif
