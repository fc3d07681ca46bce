// The lock-free table of Userspace RCU. Readers hold a read-side section, and what was removed is given back when all that
// were in one have left it.

#ifndef SYNCHRO_PEERS_TABLES_URCU_HPP
#define SYNCHRO_PEERS_TABLES_URCU_HPP

#include <urcu.h>
#include <urcu/rculfhash.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>

#include "synchro/shape.hpp"

namespace synchro::peers {

template <class Payload>
class urcu_lfht {
  /// Both heads stand first in what they are part of, so that an element is found by its head.
  struct element {
    cds_lfht_node in_table;
    struct {
      rcu_head head;
      element* whole;
    } leaving;
    std::uint64_t key;
    Payload value;
  };
  /// A thread that reads, from its first operation to its end.
  struct membership {
    membership() { rcu_register_thread(); }
    ~membership() { rcu_unregister_thread(); }
    membership(const membership&) = delete;
    membership& operator=(const membership&) = delete;
  };
  struct section {
    section() {
      thread_local const membership mine;
      rcu_read_lock();
    }
    ~section() { rcu_read_unlock(); }
    section(const section&) = delete;
    section& operator=(const section&) = delete;
  };

 public:
  static constexpr const char* waits = "yield";

  urcu_lfht(unsigned buckets, const shape& /*team*/)
      : table_{cds_lfht_new(power_of_two(buckets), 1, 0, CDS_LFHT_AUTO_RESIZE | CDS_LFHT_ACCOUNTING, nullptr)} {
    if (table_ == nullptr) throw std::bad_alloc{};
  }
  ~urcu_lfht() {
    each([this](element* e) {
      cds_lfht_del(table_, &e->in_table);
      give_back(e);
    });
    rcu_barrier();
    cds_lfht_destroy(table_, nullptr);
  }
  urcu_lfht(const urcu_lfht&) = delete;
  urcu_lfht& operator=(const urcu_lfht&) = delete;

  bool get(std::uint64_t key, Payload& to) const {
    const section reading;
    const element* const found = find(key);
    if (found != nullptr) to = found->value;
    return found != nullptr;
  }
  bool put(std::uint64_t key, const Payload& p) {
    auto* const mine = new element{{}, {{}, nullptr}, key, p};
    mine->leaving.whole = mine;
    const section writing;
    const cds_lfht_node* const there = cds_lfht_add_unique(table_, hash_of(key), is, &key, &mine->in_table);
    if (there == &mine->in_table) return true;
    delete mine;
    return false;
  }
  bool remove(std::uint64_t key) {
    const section writing;
    element* const found = find(key);
    if (found == nullptr || cds_lfht_del(table_, &found->in_table) != 0) return false;
    give_back(found);
    return true;
  }
  [[nodiscard]] std::size_t count() const {
    std::size_t n = 0;
    each([&n](element*) { ++n; });
    return n;
  }

 private:
  static unsigned long power_of_two(unsigned n) {
    unsigned long power = 1;
    while (power < n) power *= 2;
    return power;
  }
  /// The table takes the last bits.
  static unsigned long hash_of(std::uint64_t key) {
    const std::uint64_t h = (key ^ key >> 32) * 0x9e37'79b9'7f4a'7c15;
    return h ^ h >> 32;
  }
  static int is(cds_lfht_node* node, const void* key) {
    return reinterpret_cast<element*>(node)->key == *static_cast<const std::uint64_t*>(key) ? 1 : 0;
  }
  static element* at(cds_lfht_iter& where) { return reinterpret_cast<element*>(cds_lfht_iter_get_node(&where)); }
  element* find(std::uint64_t key) const {
    cds_lfht_iter where;
    cds_lfht_lookup(table_, hash_of(key), is, &key, &where);
    return at(where);
  }
  static void give_back(element* e) {
    call_rcu(&e->leaving.head, [](rcu_head* h) { delete reinterpret_cast<decltype(element::leaving)*>(h)->whole; });
  }
  template <class F>
  void each(F f) const {
    const section reading;
    cds_lfht_iter where;
    for (cds_lfht_first(table_, &where); element* const e = at(where);) {
      cds_lfht_next(table_, &where);
      f(e);
    }
  }

  cds_lfht* table_;
};

}  // namespace synchro::peers

#endif
