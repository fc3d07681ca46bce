// The paper's hash table, and the loop of its benchmark (src/dht.c, main_lock.c and main_mp.c of 2012 and 2013, in the history of
// github.com/LPD-EPFL/CLHT): a chain of cells for each bucket, and a lock of libslock; or servers (asked_ssht.hpp).
//
//   cell   | used | six keys | next | six values |      128 bytes, which malloc puts 16 bytes behind the begin of a line
//
// An operation draws a key, divides by the number of keys, hashes it and divides by the number of buckets; then it takes the
// bucket's lock, looks at one key after the other, and fences before it releases the lock. The payload of a key that is got is
// copied. One that is put stands at the end of the chain, and the last one takes the place of one that is removed. A thread draws
// anew whether it puts, removes or gets only when it has succeeded, and puts and removes in turn. All tries are counted.
//
// Nobody writes payloads, so each thread is taken to have them all: caches have no capacities here. The list of what a thread has
// freed takes no time.

#ifndef SYNCHRO_SIMULATIONS_SSHT_HPP
#define SYNCHRO_SIMULATIONS_SSHT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "experiments/hashtable/workload.hpp"
#include "simulations/copying.hpp"
#include "simulations/libslock.hpp"

namespace synchro::simulations::ssht {

using experiments::hashtable::key;
using simulator::simulated;
template <class T>
using plain = simulated::plain<T>;

struct cell {
  static constexpr std::uint64_t slots = 6;
  plain<std::uint64_t> used{0};
  std::array<plain<key>, slots> keys;
  plain<cell*> next{nullptr};
  std::array<plain<std::uint64_t>, slots> values;
};

/// Cells as malloc makes them for one thread: one after the other, each with a word of 16 bytes before it.
class heap {
 public:
  cell* make() {
    if (free_.empty()) grow();
    cell* const c = free_.back();
    free_.pop_back();
    c->used = 0;
    for (auto& k : c->keys) k = 0;
    for (auto& v : c->values) v = 0;
    c->next = nullptr;
    return c;
  }
  void give_back(cell* c) { free_.push_back(c); }

  /// So many, from 16 bytes behind the begin of a line on, `stride` bytes from one to the next, in order.
  static std::vector<cell*> row(std::size_t n, std::size_t stride) {
    auto* const begin =
        static_cast<std::byte*>(simulator::world::current().allocate(word_before + n * stride, cpu::cache_line));
    std::vector<cell*> all;
    for (std::size_t i = 0; i != n; ++i) all.push_back(::new (begin + word_before + i * stride) cell);
    return all;
  }
  static constexpr std::size_t size = 128;

 private:
  static constexpr std::size_t word_before = 16, at_a_time = 64;
  void grow() {
    free_ = row(at_a_time, size + word_before);
    std::reverse(free_.begin(), free_.end());
  }
  std::vector<cell*> free_;
};

/// Which bucket a key has, for it is hashed: drawn.
class spread {
 public:
  spread(unsigned buckets, std::size_t keys, std::uint64_t seed) {
    experiments::hashtable::dice d{seed};
    for (std::size_t k = 0; k != keys; ++k) bucket_.push_back(d.below(buckets));
  }
  [[nodiscard]] std::uint32_t bucket_of(key k) const { return bucket_[k - 1]; }
  [[nodiscard]] std::size_t keys() const { return bucket_.size(); }

 private:
  std::vector<std::uint32_t> bucket_;
};

class table {
 public:
  explicit table(unsigned buckets) : first_{heap::row(buckets, heap::size)} {}

  bool put(std::uint32_t bucket, key k, heap& mine) {
    for (cell* c = first_[bucket];; c = c->next) {
      const std::uint64_t used = c->used;
      if (place_of(k, *c, used) != used) return false;
      if (used < cell::slots) {
        c->keys[used] = k;
        c->values[used] = k;
        c->used = used + 1;
        return true;
      }
      if (static_cast<cell*>(c->next) == nullptr) c->next = mine.make();
    }
  }

  [[nodiscard]] bool get(std::uint32_t bucket, key k) const {
    for (const cell* c = first_[bucket]; c != nullptr; c = c->next) {
      const std::uint64_t used = c->used, at = place_of(k, *c, used);
      if (at != used) return static_cast<std::uint64_t>(c->values[at]) != 0;
    }
    return false;
  }

  bool remove(std::uint32_t bucket, key k, heap& mine) {
    cell* before = first_[bucket];
    for (cell* c = before; c != nullptr; before = c, c = c->next) {
      const std::uint64_t used = c->used, at = place_of(k, *c, used);
      if (at != used) return take_out(*c, at, before, mine);
      if (used < cell::slots) return false;
    }
    return false;
  }

  [[nodiscard]] std::size_t count() const {
    std::size_t n = 0;
    for (const cell* c : first_)
      for (; c != nullptr; c = c->next) n += c->used;
    return n;
  }

 private:
  static std::uint64_t place_of(key k, const cell& c, std::uint64_t used) {
    const independent_loads among_keys;
    for (std::uint64_t i = 0; i != used; ++i)
      if (c.keys[i] == k) return i;
    return used;
  }
  /// The last one of the chain takes its place.
  static bool take_out(cell& from, std::uint64_t at, cell* before, heap& mine) {
    from.keys[at] = 0;
    cell* last = &from;
    for (cell* next = last->next; next != nullptr; next = last->next) before = last, last = next;
    const std::uint64_t move = last->used - 1;
    from.keys[at] = static_cast<key>(last->keys[move]);
    static_cast<void>(static_cast<std::uint64_t>(from.values[at]));
    from.values[at] = static_cast<std::uint64_t>(last->values[move]);
    last->keys[move] = 0;
    last->values[move] = 0;
    last->used = move;
    if (move == 0 && last != before) {
      mine.give_back(last);
      before->next = nullptr;
    }
    return true;
  }

  std::vector<cell*> first_;
};

/// A line of a thread's own for payloads. What a thread reads of a payload it has already.
struct alignas(cpu::cache_line) line_of_payload {
  std::array<plain<std::uint64_t>, 8> words;

  void copy_from(const line_of_payload& other) {
    const independent_loads of_words;
    for (std::size_t i = 0; i != words.size(); ++i) words[i] = static_cast<std::uint64_t>(other.words[i]);
  }
};
struct payloads_of_thread {
  line_of_payload known, copy;
};

inline void divide(std::uint64_t times) {
  simulator::laboratory::work(times * libslock::machine().division() / simulator::per_cycle);
}
/// Eight steps, each of the one before, and the remainder.
inline void hash() {
  constexpr std::uint64_t cycles_of_steps = 22;
  simulator::laboratory::work(cycles_of_steps);
  divide(1);
}

/// What a thread of the benchmark does; `Through`: how it puts, gets and removes, each true if it has succeeded.
template <class Through>
class user {
 public:
  user(Through through, std::size_t keys, std::uint64_t seed)
      : through_{std::move(through)}, keys_{static_cast<std::uint32_t>(keys)}, drawn_{seed} {}

  /// Before the time begins.
  void fill(std::size_t n) {
    while (n != 0)
      if (through_.put(draw_key())) --n;
  }
  void work(std::uint64_t operations) {
    for (; operations != 0; --operations) once();
  }
  [[nodiscard]] const experiments::hashtable::counts& seen() const { return seen_; }

 private:
  key draw_key() {
    libslock::roll_dice();
    divide(1);
    return 1 + drawn_.below(keys_);
  }
  void once() {
    const key k = draw_key();
    if (succeeded_) {
      constexpr std::uint32_t faces = 128, of_updates = 25;  // a fifth, rounded down
      libslock::roll_dice();
      updates_ = drawn_.below(faces) < of_updates;
    }
    ++seen_.operations;
    if (!updates_) {
      succeeded_ = through_.get(k);
      return;
    }
    succeeded_ = puts_ ? through_.put(k) : through_.remove(k);
    if (!succeeded_) return;
    ++(puts_ ? seen_.added : seen_.removed);
    puts_ = !puts_;
  }

  Through through_;
  std::uint32_t keys_;
  experiments::hashtable::dice drawn_;
  experiments::hashtable::counts seen_;
  bool succeeded_ = true, updates_ = false, puts_ = true;
};

/// Under a lock for each bucket.
template <class Lock>
class under_locks {
 public:
  under_locks(table& on, const spread& keys, const std::vector<Lock*>& locks)
      : table_{on}, keys_{keys}, locks_{locks} {}

  bool put(key k) {
    return locked(k, [&](std::uint32_t bucket) { return table_.put(bucket, k, heap_); });
  }
  bool get(key k) {
    return locked(k, [&](std::uint32_t bucket) {
      const bool found = table_.get(bucket, k);
      auto& mine = simulated::local<payloads_of_thread>();
      if (found) mine.copy.copy_from(mine.known);
      return found;
    });
  }
  bool remove(key k) {
    return locked(k, [&](std::uint32_t bucket) { return table_.remove(bucket, k, heap_); });
  }

 private:
  template <class Change>
  bool locked(key k, Change change) {
    hash();
    const std::uint32_t bucket = keys_.bucket_of(k);
    Lock& lock = *locks_[bucket];
    lock.lock();
    const bool yes = change(bucket);
    simulated::fence();
    lock.unlock();
    return yes;
  }

  table& table_;
  const spread& keys_;
  const std::vector<Lock*>& locks_;
  heap heap_;
};

}  // namespace synchro::simulations::ssht

#endif
