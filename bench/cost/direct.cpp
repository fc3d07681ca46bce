// The same algorithms written directly on std::atomic, without a machine in between.

#include <atomic>
#include <cstdint>

#include "synchro/os.hpp"

namespace {

struct ticket {
  std::atomic<std::uint32_t> next{0};
  std::atomic<std::uint32_t> serving{0};
};

struct mcs {
  struct alignas(synchro::cpu::cache_line) node {
    std::atomic<node*> next{nullptr};
    bool next_may_leave = false;
    std::atomic<std::uint32_t> word{0};
  };
  std::atomic<node*> tail{nullptr};
  node* holder = nullptr;
};

}  // namespace

extern "C" {

void direct_ticket_lock(ticket& lock) {
  const std::uint32_t mine = lock.next.fetch_add(1, std::memory_order_relaxed);
  for (;;) {
    if (lock.serving.load(std::memory_order_acquire) == mine) return;
    synchro::cpu::pause();
  }
}

void direct_ticket_unlock(ticket& lock) {
  lock.serving.store(lock.serving.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

void direct_mcs_lock(mcs& lock, mcs::node& mine) {
  mine.next.store(nullptr, std::memory_order_relaxed);
  mine.word.store(0, std::memory_order_relaxed);
  mcs::node* const predecessor = lock.tail.exchange(&mine, std::memory_order_acq_rel);
  if (predecessor == nullptr) return;
  predecessor->next_may_leave = false;
  predecessor->next.store(&mine, std::memory_order_release);
  for (;;) {
    if (mine.word.load(std::memory_order_acquire) != 0) return;
    synchro::cpu::pause();
  }
}

bool direct_mcs_try_lock(mcs& lock, mcs::node& mine) {
  mine.next.store(nullptr, std::memory_order_relaxed);
  mine.word.store(0, std::memory_order_relaxed);
  mcs::node* expected = nullptr;
  return lock.tail.compare_exchange_strong(expected, &mine, std::memory_order_acq_rel, std::memory_order_relaxed);
}
}
