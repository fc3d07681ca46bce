// In which order threads take locks: for checked mode.
//
// A lock that is waited for while others are held comes after each of these. If it has also come before one of them, be it
// by way of further locks, two threads may one day wait for each other for ever, though they never have yet. Locks that are
// only tried come after nothing: a thread that tries does not wait.
//
// All of it stands behind one word that is spun on, and is asked only by a thread that holds a lock already.

#ifndef SYNCHRO_LOCK_ORDER_HPP
#define SYNCHRO_LOCK_ORDER_HPP

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "synchro/hardware.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

class lock_order {
 public:
  /// `next` is waited for while `held` is. False if it has come before that; then nothing is noted.
  static bool follows(const void* held, const void* next) {
    const use one;
    auto& after = one.all()[held];
    if (after.count(next) != 0) return true;
    if (leads(one.all(), next, held)) return false;
    after.insert(next);
    return true;
  }

  /// The lock is gone: another one may stand there.
  static void forget(const void* lock) {
    const use one;
    one.all().erase(lock);
    for (auto& [held, after] : one.all()) after.erase(lock);
  }

 private:
  using table = std::unordered_map<const void*, std::unordered_set<const void*>>;

  struct state {
    std::atomic<std::uint32_t> busy{0};
    table* all = nullptr;  // never destroyed: locks may be used after everything else
  };

  /// A thread that uses the table.
  class use {
   public:
    use() : mine_{hardware::global<state>()} {
      hardware::at_fork<begin_anew>();
      const auto was_free = [](std::uint32_t v) { return v == 0 ? look::done() : look::after_yield(); };
      hardware::exchange_until(mine_.busy, 1, was_free, memory_order::acquire);
      if (mine_.all == nullptr) mine_.all = new table;
    }
    ~use() { mine_.busy.store(0, memory_order::release); }
    use(const use&) = delete;
    use& operator=(const use&) = delete;
    [[nodiscard]] table& all() const { return *mine_.all; }

   private:
    state& mine_;
  };

  /// In the child: another thread may have been in the table.
  static void begin_anew() {
    auto& mine = hardware::global<state>();
    if (mine.busy.load(memory_order::relaxed) != 0) mine.all = nullptr;
    mine.busy.store(0, memory_order::relaxed);
  }

  static bool leads(const table& all, const void* from, const void* to) {
    std::vector<const void*> open{from};
    std::unordered_set<const void*> seen{from};
    while (!open.empty()) {
      const auto at = all.find(open.back());
      open.pop_back();
      if (at == all.end()) continue;
      if (at->second.count(to) != 0) return true;
      for (const void* const next : at->second)
        if (seen.insert(next).second) open.push_back(next);
    }
    return false;
  }
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
