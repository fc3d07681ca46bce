// A bank and a sorted list, under one std::mutex and by the library's transactions; what is done was drawn before.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "plain.hpp"
#include "synchro/stm/stm.hpp"
#include "team.hpp"

namespace {

struct mutex_memory {
  template <class T>
  using variable = T;
  struct tx {
    template <class T>
    T read(const T& x) {
      return x;
    }
    template <class T>
    void write(T& x, T v) {
      x = v;
    }
  };
  template <class F>
  auto change(F f) {
    const std::lock_guard held{mutex};
    tx t;
    return f(t);
  }
  template <class F>
  auto look(F f) {
    return change(f);
  }
  alignas(128) std::mutex mutex;
};

struct stm_memory {
  template <class T>
  using variable = synchro::tvar<T>;
  template <class F>
  auto change(F f) {
    return memory.atomically(f);
  }
  template <class F>
  auto look(F f) {
    return memory.read_only(f);
  }
  alignas(128) synchro::stm memory;
};

struct transfer {
  unsigned from, to;
  std::int64_t amount;  ///< Negative: add up all instead.
};

/// One in ten adds up all.
std::vector<transfer> transfers(unsigned accounts, std::size_t seed) {
  std::mt19937_64 random{seed};
  std::vector<transfer> all;
  for (unsigned i = 0; i != 4000; ++i)
    all.push_back({static_cast<unsigned>(random() % accounts), static_cast<unsigned>(random() % accounts),
                   i % 10 == 0 ? -1 : static_cast<std::int64_t>(random() % 100)});
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

template <class Memory>
class bank_of {
 public:
  static constexpr unsigned accounts = 1024;

  bank_of() : all_(accounts) {}

  /// False if the sum is wrong.
  bool act(const transfer& t, std::int64_t amount) {
    if (amount < 0) return sum() == 0;
    memory_.change([&](auto& tx) {
      tx.write(all_[t.from], tx.read(all_[t.from]) - amount);
      tx.write(all_[t.to], tx.read(all_[t.to]) + amount);
    });
    return true;
  }

 private:
  using account = typename Memory::template variable<std::int64_t>;

  std::int64_t sum() {
    return memory_.look([&](auto& tx) {
      std::int64_t sum = 0;
#pragma GCC unroll 8
      for (account& a : all_) sum += tx.read(a);
      return sum;
    });
  }

  Memory memory_;
  alignas(128) std::vector<account> all_;
};

template <class Memory>
double bank_by(const std::vector<int>& cpus) {
  const auto bank = std::make_unique<bank_of<Memory>>();
  std::atomic<bool> wrong{false};
  const double each = plain::together(cpus, [&](std::size_t me) {
    return [&, todo = plain::round<transfer>{transfers(bank_of<Memory>::accounts, me + 1)}]() mutable {
      const auto [where, what] = todo.next();
      if (!bank->act(where, what.amount)) wrong = true;
    };
  });
  return wrong ? -1 : each;
}

enum class deed : std::uint8_t { find, insert, erase };
struct errand {
  std::uint64_t key;
  deed what;
};

/// Each key as often as any other; one errand in five changes the list.
std::vector<errand> errands(std::uint64_t keys, std::size_t seed) {
  std::mt19937_64 random{seed};
  std::vector<errand> all;
  for (std::uint64_t i = 0; i != 4096; ++i) all.push_back({i % keys, deed::find});
  std::shuffle(all.begin(), all.end(), random);
  for (std::size_t i = 0; i < all.size(); i += 5) all[i].what = i % 2 == 0 ? deed::insert : deed::erase;
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

/// `Lists` sorted lists of half of the keys; each key has a node of its own on its own line.
template <class Memory, std::size_t Lists, std::uint64_t Keys>
class lists {
 public:
  lists() {
    for (std::uint64_t k = Keys; k-- != 0;) {
      nodes_[k].key = k;
      if (k % 2 == 0) start(nodes_[k].next, std::exchange(last_[list_of(k)], &nodes_[k]));
    }
    for (std::size_t i = 0; i != Lists; ++i) start(heads_[i].next, last_[i]);
  }

  bool act(std::uint64_t key, deed what) {
    if (what == deed::find)
      return memory_.look([&](auto& tx) {
        node* const n = tx.read(before(tx, key)->next);
        return n != nullptr && n->key == key;
      });
    return memory_.change([&](auto& tx) {
      node* const at = before(tx, key);
      node* const n = tx.read(at->next);
      const bool there = n != nullptr && n->key == key;
      if (there == (what == deed::insert)) return false;
      if (!there) tx.write(nodes_[key].next, n);
      tx.write(at->next, there ? tx.read(n->next) : &nodes_[key]);
      return true;
    });
  }

 private:
  struct alignas(64) node {
    std::uint64_t key = 0;
    typename Memory::template variable<node*> next{};
  };

  /// All have as many keys at the start, which are even.
  static std::size_t list_of(std::uint64_t key) { return key / 2 % Lists; }

  static void start(node*& next, node* n) { next = n; }
  static void start(synchro::tvar<node*>& next, node* n) { next.set_alone(n); }

  template <class Tx>
  node* before(Tx& tx, std::uint64_t key) {
    node* at = &heads_[list_of(key)];
    for (node* n = tx.read(at->next); n != nullptr && n->key < key; n = tx.read(at->next)) at = n;
    return at;
  }

  Memory memory_;
  alignas(128) node nodes_[Keys];
  node heads_[Lists];
  node* last_[Lists] = {};
};

template <class Memory, std::size_t Lists, std::uint64_t Keys>
double lists_by(const std::vector<int>& cpus) {
  const auto all = std::make_unique<lists<Memory, Lists, Keys>>();
  return plain::together(cpus, [&](std::size_t me) {
    return [&, todo = plain::round<errand>{errands(Keys, me + 1)}]() mutable {
      const auto [where, what] = todo.next();
      if (all->act(where.key, what.what)) asm volatile("");  // what is found is asked for
    };
  });
}

}  // namespace

double plain::bank(const std::vector<int>& cpus, bool by_stm) {
  return by_stm ? bank_by<stm_memory>(cpus) : bank_by<mutex_memory>(cpus);
}

double plain::sorted_list(const std::vector<int>& cpus, bool by_stm) {
  return by_stm ? lists_by<stm_memory, 1, 256>(cpus) : lists_by<mutex_memory, 1, 256>(cpus);
}

double plain::sorted_lists(const std::vector<int>& cpus, bool by_stm) {
  return by_stm ? lists_by<stm_memory, 128, 2048>(cpus) : lists_by<mutex_memory, 128, 2048>(cpus);
}
