// Checked mode of the primitives that wake a team of sleepers; what they tell stands in checked.hpp.

#ifndef SYNCHRO_CHECKED_TEAM_HPP
#define SYNCHRO_CHECKED_TEAM_HPP

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <type_traits>
#include <vector>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `Wake` with all that it offers.
template <class Wake>
class checked_team : public Wake {
 public:
  /// A trigger that comes too early is a misuse, even if nothing comes of it.
  static constexpr bool merges_triggers = false;

  template <class... Arguments>
  explicit checked_team(unsigned sleepers, Arguments... arguments) : Wake(sleepers, arguments...), all_(sleepers) {}
  ~checked_team() {
    for (const place& one : all_)
      if (one.here.load(relaxed)) misused("destroyed while a sleeper waits");
  }

  auto wait(unsigned i) {
    visit now{*this, i};
    if constexpr (std::is_void_v<decltype(Wake::wait(i))>)
      return Wake::wait(i);
    else {
      const auto answer = Wake::wait(i);
      now.woken = static_cast<bool>(answer);
      return answer;
    }
  }
  template <class Patience>
  auto wait_for(unsigned i, const Patience& patience) requires requires(Wake& w) {
    w.wait_for(i, patience);
  }
  {
    visit now{*this, i};
    const auto answer = Wake::wait_for(i, patience);
    now.woken = static_cast<bool>(answer);
    return answer;
  }
  template <class Moment>
  auto wait_until(unsigned i, const Moment& moment) requires requires(Wake& w) {
    w.wait_until(i, moment);
  }
  {
    visit now{*this, i};
    const auto answer = Wake::wait_until(i, moment);
    now.woken = static_cast<bool>(answer);
    return answer;
  }
  auto try_wait(unsigned i) requires requires(Wake& w) { w.try_wait(i); }
  {
    visit now{*this, i};
    const auto answer = Wake::try_wait(i);
    now.woken = static_cast<bool>(answer);
    return answer;
  }

  void trigger() {
    expect_from(0, present());
    Wake::trigger();
  }
  void trigger(unsigned i) requires requires(Wake& w) { w.trigger(i); }
  {
    if (i >= all_.size()) stop_of("triggered for sleeper", i, "");
    expect_from(i, i + 1);
    Wake::trigger(i);
  }
  void trigger_first(unsigned k) requires requires(Wake& w) { w.trigger_first(k); }
  {
    if (k > all_.size()) stop_of("triggered for", k);
    expect_from(0, k);
    Wake::trigger_first(k);
  }
  void trigger_some(std::span<const unsigned> which) requires requires(Wake& w) { w.trigger_some(which); }
  {
    for (const unsigned i : which) {
      if (i >= all_.size()) stop_of("triggered for sleeper", i, "");
      expect_from(i, i + 1);
    }
    Wake::trigger_some(which);
  }
  void resize(unsigned n) requires requires(Wake& w) { w.resize(n); }
  {
    if (n > all_.size()) stop_of("resized to", n);
    Wake::resize(n);
  }

 private:
  static constexpr std::memory_order relaxed = std::memory_order_relaxed;

  struct place {
    std::atomic<bool> here{false};
    std::atomic<std::uint32_t> returned{0};
    std::uint32_t triggered = 0;  // the triggering thread's
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

  [[nodiscard]] unsigned present() const {
    if constexpr (requires(const Wake& w) { w.size(); })
      return Wake::size();
    else
      return static_cast<unsigned>(all_.size());
  }
  [[nodiscard]] bool is_stopped(unsigned i) const {
    if constexpr (requires(const Wake& w) { w.stopped(i); })
      return Wake::stopped(i);
    else
      return false;
  }

  /// A stopped sleeper need not return any more.
  void expect_from(unsigned first, unsigned last) {
    for (unsigned i = first; i != last; ++i) {
      place& one = all_[i];
      if (one.returned.load(relaxed) != one.triggered && !is_stopped(i)) misused("triggered before all have returned");
      one.triggered = one.returned.load(relaxed) + 1;
    }
  }

  [[noreturn]] void misused(const char* mistake) const {
    std::fprintf(stderr, "synchro: the team at %p is %s\n", static_cast<const void*>(this), mistake);
    std::abort();
  }
  [[noreturn]] void stop_of(const char* what, unsigned n, const char* unit = " sleepers") const {
    std::fprintf(stderr, "synchro: the team at %p is %s %u%s of %zu\n", static_cast<const void*>(this), what, n, unit,
                 all_.size());
    std::abort();
  }
  [[noreturn]] void stop_for(unsigned i, const char* how) const {
    std::fprintf(stderr, "synchro: the team at %p is waited at as sleeper %u %s\n", static_cast<const void*>(this), i,
                 how);
    std::abort();
  }

  std::vector<place> all_;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
