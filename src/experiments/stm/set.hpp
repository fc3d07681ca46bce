// A set of keys: sorted lists, one for each bucket. There is a node for each key that there may be, on a line of its own, so
// none is allocated or freed while transactions run. Half of the keys are in the set at the start.

#ifndef SYNCHRO_EXPERIMENTS_STM_SET_HPP
#define SYNCHRO_EXPERIMENTS_STM_SET_HPP

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/stm/elements.hpp"
#include "experiments/stm/team.hpp"
#include "synchro/os.hpp"

namespace synchro::experiments::transactions {

template <class Memory, measure::laboratory Lab = measure::host>
class set {
 public:
  using laboratory = Lab;
  static constexpr bool counts_attempts = Memory::counts_attempts;

  using memory_type = Memory;

  explicit set(const task& t)
      : memory_{memory_for<Memory>(t)},
        store_{std::size_t{2} * t.elements + t.buckets},
        nodes_{store_.all().first(std::size_t{2} * t.elements)},
        heads_{store_.all().last(t.buckets)},
        begun_with_{t.elements} {
    for (std::size_t key = nodes_.size(); key-- != 0;) {
      nodes_[key].key = key;
      if (key % 2 != 0) continue;
      node& head = head_of(key);
      nodes_[key].next.set_alone(head.next.alone());
      head.next.set_alone(&nodes_[key]);
    }
  }

  [[nodiscard]] static std::uint32_t places(const task& t) { return 2 * t.elements; }

  void step(const choice& c, unsigned updates, tally& mine) {
    if (c.kind < updates)
      mine.added += insert(c.one) ? 1 : 0;
    else if (c.kind < 2 * updates)
      mine.added -= erase(c.one) ? 1 : 0;
    else
      mine.found += contains(c.one) ? 1U : 0U;
  }

  bool insert(std::uint64_t key) {
    return memory_.atomically([&](auto& tx) {
      const place at = find(tx, key);
      if (at.is_there(key)) return false;
      tx.write(nodes_[key].next, at.found);
      tx.write(at.before->next, &nodes_[key]);
      return true;
    });
  }
  bool erase(std::uint64_t key) {
    return memory_.atomically([&](auto& tx) {
      const place at = find(tx, key);
      if (!at.is_there(key)) return false;
      tx.write(at.before->next, tx.read(at.found->next));
      return true;
    });
  }
  bool contains(std::uint64_t key) {
    return memory_.read_only([&](auto& tx) { return find(tx, key).is_there(key); });
  }

  [[nodiscard]] Memory& memory() { return memory_; }

  /// What the lists hold, against what the threads say that they added.
  [[nodiscard]] std::optional<std::string> broken(const std::vector<tally>& all) const {
    std::int64_t due = begun_with_, held = 0;
    for (const tally& t : all) due += t.added;
    for (const node& head : heads_) {
      const node* last = nullptr;
      for (const node* n = head.next.alone(); n != nullptr; n = n->next.alone(), ++held) {
        if ((last != nullptr && last->key >= n->key) || &heads_[bucket_of(n->key)] != &head)
          return "a list is not sorted, or has a key of another";
        last = n;
      }
    }
    if (held == due) return std::nullopt;
    return fmt::format("the set has {} keys, where {} are due", held, due);
  }

 private:
  struct alignas(cpu::cache_line) node {
    std::uint64_t key = 0;
    typename Memory::template variable<node*> next;
  };
  struct place {
    node* before;
    node* found;
    [[nodiscard]] bool is_there(std::uint64_t key) const { return found != nullptr && found->key == key; }
  };

  [[nodiscard]] std::size_t bucket_of(std::uint64_t key) const {
    return (key * 0x9e37'79b9'7f4a'7c15 >> 32) * heads_.size() >> 32;
  }
  node& head_of(std::uint64_t key) { return heads_[bucket_of(key)]; }

  template <class Tx>
  place find(Tx& tx, std::uint64_t key) {
    node* before = &head_of(key);
    node* found = tx.read(before->next);
    while (found != nullptr && found->key < key) {
      before = found;
      found = tx.read(found->next);
    }
    return {before, found};
  }

  // Whoever looks up where the lists are does not meet who takes a lock.
  alignas(2 * cpu::cache_line) Memory memory_;
  alignas(2 * cpu::cache_line) elements<Lab, node> store_;
  std::span<node> nodes_, heads_;
  std::int64_t begun_with_;
};

}  // namespace synchro::experiments::transactions

#endif
