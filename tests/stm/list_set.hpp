// A sorted list in transactions: one node for each key that there may be, so that none is ever freed.

#ifndef SYNCHRO_TESTS_STM_LIST_SET_HPP
#define SYNCHRO_TESTS_STM_LIST_SET_HPP

#include <cstddef>
#include <vector>

#include "synchro/stm/tvar.hpp"

namespace synchro {

template <class Stm>
class list_set {
 public:
  list_set(Stm& memory, unsigned keys) : memory_{memory}, nodes_(keys + 1) {
    for (unsigned i = 0; i != keys; ++i) nodes_[i].key = i;
    head().next.set_alone(nullptr);
  }

  bool insert(unsigned key) {
    return memory_.atomically([&](auto& tx) {
      const place at = find(tx, key);
      if (at.is_there(key)) return false;
      node& mine = nodes_[key];
      tx.write(mine.next, at.found);
      tx.write(at.before->next, &mine);
      return true;
    });
  }
  bool erase(unsigned key) {
    return memory_.atomically([&](auto& tx) {
      const place at = find(tx, key);
      if (!at.is_there(key)) return false;
      tx.write(at.before->next, tx.read(at.found->next));
      return true;
    });
  }
  bool contains(unsigned key) {
    return memory_.read_only([&](auto& tx) { return find(tx, key).is_there(key); });
  }
  bool is_sorted() {
    return memory_.read_only([&](auto& tx) {
      const node* last = nullptr;
      for (const node* n = tx.read(head().next); n != nullptr; n = tx.read(n->next)) {
        if (last != nullptr && last->key >= n->key) return false;
        last = n;
      }
      return true;
    });
  }

 private:
  struct alignas(32) node {
    unsigned key = 0;
    tvar<node*> next;
  };
  struct place {
    node* before;
    node* found;
    [[nodiscard]] bool is_there(unsigned key) const { return found != nullptr && found->key == key; }
  };

  node& head() { return nodes_.back(); }
  template <class Tx>
  place find(Tx& tx, unsigned key) {
    node* before = &head();
    node* found = tx.read(before->next);
    while (found != nullptr && found->key < key) {
      before = found;
      found = tx.read(found->next);
    }
    return {before, found};
  }

  Stm& memory_;
  std::vector<node> nodes_;
};

}  // namespace synchro

#endif
