// Watches who overtakes whom. A thread tells when it is about to ask for its turn and when it has got it; another that
// was waiting already when it asked, and is still waiting when it gets its turn, has been passed.
//
// A thread waits when it has asked and its next step is a wait. Of a lock that prefers a domain (lock_traits::domain_aware) it
// waits when that can be said of all threads of its domain that have asked, and none of them can go on by itself: nobody
// of its domain is on the way in. The bounds that the traits of locks state are counted so.

#ifndef SYNCHRO_MODEL_CHECKER_MONITOR_HPP
#define SYNCHRO_MODEL_CHECKER_MONITOR_HPP

#include <array>
#include <cstdint>

#include "model_checker/hashing.hpp"
#include "model_checker/limits.hpp"

namespace synchro::model_checker {

class monitor {
 public:
  /// Thread `t` asks; `waiting`: those who wait at that moment, a bit for each thread.
  void ask(unsigned t, std::uint32_t waiting) {
    asking_ |= bit(t);
    for (unsigned u = 0; u < max_threads; ++u)
      if ((waiting & asking_ & bit(u)) != 0 && u != t) behind_[u] = static_cast<std::uint8_t>(behind_[u] | bit(t));
  }

  /// Thread `t` has its turn. Returns the largest number of times it has passed one of those who still wait.
  unsigned enter(unsigned t) {
    asking_ &= ~bit(t);
    behind_[t] = 0;
    unsigned most = 0;
    for (unsigned u = 0; u < max_threads; ++u) {
      passed_[t][u] = 0;
      if ((asking_ & bit(u)) == 0 || (behind_[u] & bit(t)) == 0) continue;
      behind_[u] = static_cast<std::uint8_t>(behind_[u] & ~bit(t));
      if (++passed_[u][t] > most) most = passed_[u][t];
    }
    return most;
  }

  [[nodiscard]] bool is_asking(unsigned t) const { return (asking_ & bit(t)) != 0; }

  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t h = asking_;
    for (unsigned t = 0; t < max_threads; ++t) {
      h = chain(h, behind_[t]);
      for (unsigned u = 0; u < max_threads; ++u)
        if (passed_[t][u] != 0) h = chain(h, (std::uint64_t{u} + 1) << 8 | passed_[t][u]);
    }
    return h;
  }

 private:
  static constexpr std::uint32_t bit(unsigned t) { return 1U << t; }

  std::uint32_t asking_ = 0;
  std::array<std::uint8_t, max_threads> behind_{};                           // who asked after this one waited
  std::array<std::array<std::uint8_t, max_threads>, max_threads> passed_{};  // [who][by whom]
};

}  // namespace synchro::model_checker

#endif
