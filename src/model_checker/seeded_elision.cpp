// Flawed lock elision: sections that run as transactions and do not keep out who has the lock.

#include "model_checker/harnesses/lock_programs.hpp"
#include "model_checker/subject.hpp"

namespace synchro::model_checker {

namespace {

using word = explored::atomic<std::uint32_t>;
using transactions = explored::transactions;

constexpr lock_traits flawed{.judgement = "never", .citation = "none"};
constexpr auto is_zero = [](std::uint32_t v) { return v == 0; };

/// What all of them fall back on. A word of its own says who is in a transaction, for here that may not be found out by
/// reading the lock's.
struct falls_back {
  static constexpr lock_traits traits = flawed;
  void take() { explored::exchange_until(held, 1, is_zero, memory_order::acquire); }
  void unlock() {
    if (transactions::is_under_way()) return transactions::commit();
    held.store(0, memory_order::release);
  }
  word held{0};
};

/// Two sections in transactions keep each other out, and neither sees who has the lock.
struct elision_without_the_word : falls_back {
  void lock() {
    if (transactions::begin() != transaction_start::started) take();
  }
};

/// Who takes the lock after this one has looked does not abort it.
struct elision_that_looks_before : falls_back {
  void lock() {
    explored::await(held, memory_order::acquire, is_zero);
    if (transactions::begin() != transaction_start::started) take();
  }
};

/// The word that transactions read is written by whoever has taken the lock, by a store: the section's reads may be done before
/// others see it, and a transaction that commits in between is lost.
struct elision_beside_a_store : falls_back {
  void lock() {
    if (transactions::begin() == transaction_start::started) {
      if (is_taken.load(memory_order::relaxed) == 0) return;
      transactions::abort_to_retry();
    }
    take();
    is_taken.store(1, memory_order::relaxed);
  }
  void unlock() {
    if (!transactions::is_under_way()) is_taken.store(0, memory_order::release);
    falls_back::unlock();
  }
  word is_taken{0};
};

/// Looks at the word once more behind its own release: the lock is free then, and no transaction is there to be ended.
struct elision_that_ends_twice : falls_back {
  void lock() {
    if (transactions::begin() == transaction_start::started) {
      if (held.load(memory_order::relaxed) == 0) return;
      transactions::abort_to_retry();
    }
    take();
  }
  void unlock() {
    if (!transactions::is_under_way()) held.store(0, memory_order::release);
    if (held.load(memory_order::relaxed) == 0) transactions::commit();
  }
};

template <class Lock>
subject bug(const char* name) {
  program p = lock_programs{lock_type_of<Lock>()}.play("lock 2x1", {{deed::lock}, {deed::lock}}).done();
  p.counts_nodes = false;
  return seeded(name, std::move(p));
}

}  // namespace

void add_seeded_elision(subjects& to);
void add_seeded_elision(subjects& to) {
  to.push_back(bug<elision_without_the_word>("elision_without_the_word"));
  to.push_back(bug<elision_that_looks_before>("elision_that_looks_before"));
  to.push_back(bug<elision_beside_a_store>("elision_beside_a_store"));
  to.push_back(bug<elision_that_ends_twice>("elision_that_ends_twice"));
}

}  // namespace synchro::model_checker
