// Concurrency Kit's hash table: any number of readers without a lock, and one writer at a time, here by a mutex. What was
// removed is given back by its epochs. An exchange in ck's headers, which are C, is given its type (as in peers/ck.hpp).

#ifndef SYNCHRO_PEERS_TABLES_CK_HPP
#define SYNCHRO_PEERS_TABLES_CK_HPP

#include <ck_pr.h>
#define ck_pr_fas_ptr(target, value) static_cast<ck_stack_entry*>(ck_pr_fas_ptr(target, value))
extern "C" {
#include <ck_epoch.h>
#undef ck_pr_fas_ptr
#include <ck_ht.h>
}

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

#include "synchro/shape.hpp"

namespace synchro::peers {

/// Memory that goes when all that might look at it have left the epoch. One of the process serves all tables.
class ck_memory {
 public:
  /// The calling thread's.
  static ck_epoch_record_t& record() {
    thread_local const membership mine;
    return *mine.record;
  }
  /// A thread that reads.
  struct section {
    section() { ck_epoch_begin(&record(), nullptr); }
    ~section() { ck_epoch_end(&record(), nullptr); }
    section(const section&) = delete;
    section& operator=(const section&) = delete;
  };
  static void* take(std::size_t bytes) {
    auto* const block = static_cast<header*>(std::malloc(sizeof(header) + bytes));
    return block == nullptr ? nullptr : block + 1;
  }
  static void give_back(void* p, bool later) {
    header* const block = static_cast<header*>(p) - 1;
    if (!later) return std::free(block);
    ck_epoch_call(&record(), &block->entry, [](ck_epoch_entry_t* e) { std::free(e); });
    ck_epoch_poll(&record());
  }
  /// For the table's own memory.
  static ck_malloc* functions() {
    static ck_malloc all = [] {
      ck_malloc m{};
      m.malloc = take;
      m.free = [](void* p, std::size_t, bool later) { give_back(p, later); };
      return m;
    }();
    return &all;
  }

 private:
  struct alignas(std::max_align_t) header {
    ck_epoch_entry_t entry;
  };
  static ck_epoch_t& epoch() {
    static ck_epoch_t one = [] {
      ck_epoch_t e;
      ck_epoch_init(&e);
      return e;
    }();
    return one;
  }
  /// Records stay, and are used again by threads that come.
  struct membership {
    membership() : record{ck_epoch_recycle(&epoch(), nullptr)} {
      if (record == nullptr) ck_epoch_register(&epoch(), record = new ck_epoch_record_t, nullptr);
    }
    ~membership() {
      ck_epoch_barrier(record);
      ck_epoch_unregister(record);
    }
    membership(const membership&) = delete;
    membership& operator=(const membership&) = delete;
    ck_epoch_record_t* record;
  };
};

template <class Payload>
class ck_table {
 public:
  static constexpr const char* waits = "park";

  ck_table(unsigned buckets, const shape& /*team*/) {
    if (!ck_ht_init(&table_, CK_HT_MODE_DIRECT | CK_HT_WORKLOAD_DELETE, nullptr, ck_memory::functions(), buckets, 1))
      throw std::bad_alloc{};
  }
  ~ck_table() {
    ck_ht_iterator_t at = CK_HT_ITERATOR_INITIALIZER;
    for (ck_ht_entry_t* e = nullptr; ck_ht_next(&table_, &at, &e);) ck_memory::give_back(value_of(e), false);
    ck_ht_destroy(&table_);
  }
  ck_table(const ck_table&) = delete;
  ck_table& operator=(const ck_table&) = delete;

  bool get(std::uint64_t key, Payload& to) const {
    const ck_memory::section reading;
    ck_ht_entry_t found;
    ck_ht_entry_key_set_direct(&found, key);
    if (!ck_ht_get_spmc(&table_, hash_of(key), &found)) return false;
    to = *value_of(&found);
    return true;
  }
  bool put(std::uint64_t key, const Payload& p) {
    void* const place = ck_memory::take(sizeof(Payload));
    if (place == nullptr) throw std::bad_alloc{};
    const ck_ht_hash_t hash = hash_of(key);
    ck_ht_entry_t mine;
    ck_ht_entry_set_direct(&mine, hash, key, reinterpret_cast<std::uintptr_t>(new (place) Payload{p}));
    const std::lock_guard writing{writers_};
    ck_ht_entry_t there = mine;  // ck 0.7.1 takes the place of a removed key without looking behind it
    const bool added = !ck_ht_get_spmc(&table_, hash, &there) && ck_ht_put_spmc(&table_, hash, &mine);
    if (!added) ck_memory::give_back(place, false);
    return added;
  }
  bool remove(std::uint64_t key) {
    ck_ht_entry_t found;
    ck_ht_entry_key_set_direct(&found, key);
    {
      const std::lock_guard writing{writers_};
      if (!ck_ht_remove_spmc(&table_, hash_of(key), &found)) return false;
    }
    ck_memory::give_back(value_of(&found), true);
    return true;
  }
  [[nodiscard]] std::size_t count() const { return ck_ht_count(&table_); }

 private:
  ck_ht_hash_t hash_of(std::uint64_t key) const {
    ck_ht_hash_t h;
    ck_ht_hash_direct(&h, &table_, key);
    return h;
  }
  static Payload* value_of(ck_ht_entry_t* e) { return reinterpret_cast<Payload*>(ck_ht_entry_value_direct(e)); }

  mutable ck_ht_t table_;
  std::mutex writers_;
};

}  // namespace synchro::peers

#endif
