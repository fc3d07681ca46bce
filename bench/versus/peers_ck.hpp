// Concurrency Kit's locks as contenders. Its headers are C; they compile as C++ with -fpermissive only.

#ifndef SYNCHRO_BENCH_PEERS_CK_HPP
#define SYNCHRO_BENCH_PEERS_CK_HPP

extern "C" {
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

}  // namespace synchro::bench::ck

#endif
