// Checked mode of the primitives that wake a team of sleepers; what they tell stands in checked.hpp.

#ifndef SYNCHRO_CHECKED_TEAM_HPP
#define SYNCHRO_CHECKED_TEAM_HPP

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `Wake` with all that it offers.
template <class Wake>
class checked_team : public Wake {
 public:
  template <class... Arguments>
  explicit checked_team(unsigned sleepers, Arguments... arguments) : Wake(sleepers, arguments...), all_(sleepers) {}
  ~checked_team() {
    for (const place& one : all_)
      if (one.here.load(relaxed)) stop("destroyed while a sleeper waits");
  }

  auto wait(unsigned i) {
    const visit now{*this, i};
    return Wake::wait(i);
  }
  template <class Patience>
  bool wait_for(unsigned i, const Patience& patience) requires requires(Wake& w) {
    w.wait_for(i, patience);
  }
  {
    visit now{*this, i};
    return now.woken = Wake::wait_for(i, patience);
  }
  template <class Moment>
  bool wait_until(unsigned i, const Moment& moment) requires requires(Wake& w) {
    w.wait_until(i, moment);
  }
  {
    visit now{*this, i};
    return now.woken = Wake::wait_until(i, moment);
  }
  bool try_wait(unsigned i) requires requires(Wake& w) { w.try_wait(i); }
  {
    visit now{*this, i};
    return now.woken = Wake::try_wait(i);
  }

  void trigger() {
    for (const place& one : all_)
      if (one.returned.load(relaxed) != triggers_) stop("triggered before all have returned");
    ++triggers_;
    Wake::trigger();
  }

 private:
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;

  struct place {
    std::atomic<bool> here{false};
    std::atomic<std::uint32_t> returned{0};
  };

  /// A sleeper between its call and its return.
  struct visit {
    visit(checked_team& team, unsigned i) : at{team.place_of(i)} {
      if (at.here.exchange(true, relaxed)) team.stop_for(i, "by two threads");
    }
    ~visit() {
      if (woken) at.returned.fetch_add(1, relaxed);
      at.here.store(false, relaxed);
    }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    place& at;
    bool woken = true;
  };

  place& place_of(unsigned i) {
    if (i < all_.size()) return all_[i];
    char of[32];
    std::snprintf(of, sizeof of, "of %zu", all_.size());
    stop_for(i, of);
  }

  [[noreturn]] void stop(const char* mistake) const {
    std::fprintf(stderr, "synchro: the team at %p is %s\n", static_cast<const void*>(this), mistake);
    std::abort();
  }
  [[noreturn]] void stop_for(unsigned i, const char* how) const {
    std::fprintf(stderr, "synchro: the team at %p is waited at as sleeper %u %s\n", static_cast<const void*>(this), i,
                 how);
    std::abort();
  }

  std::vector<place> all_;
  std::uint32_t triggers_ = 0;  // the triggering thread's
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
