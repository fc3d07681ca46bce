// A wake primitive of whatever class, as the programs know it that try it.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_ANY_WAKE_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_ANY_WAKE_HPP

#include <chrono>
#include <optional>
#include <span>
#include <type_traits>

#include "model_checker/harnesses/made.hpp"
#include "synchro/detail/first_ticket.hpp"

namespace synchro::model_checker {

/// What is not offered fails.
class any_wake : public made_by_machine {
 public:
  virtual void arm() = 0;  ///< before each trigger
  virtual void trigger() = 0;
  virtual bool wait(unsigned sleeper) = 0;  ///< false: it was stopped
  // In time.
  virtual bool try_wait(unsigned sleeper) = 0;
  virtual bool wait_for(unsigned sleeper, std::chrono::nanoseconds patience) = 0;
  // Of a team.
  virtual void trigger(unsigned sleeper) = 0;
  virtual void trigger_some(std::span<const unsigned> which) = 0;
  virtual void stop() = 0;
  virtual void stop(unsigned sleeper) = 0;
  virtual bool stopped(unsigned sleeper) = 0;
  virtual void resume(unsigned sleeper) = 0;
  virtual void resize(unsigned sleepers) = 0;
  // Of one that starts by the clock.
  virtual bool wait_too_late(unsigned sleeper) = 0;  ///< as wait; true if it is told that the start was over
};

/// A class of wake primitives, as a value.
struct wake_type {
  bool timed;
  bool of_a_team;
  bool groups;  ///< can be made with a size of group
  bool counts;  ///< can be made with the number from which it counts
  /// Set of one whose sleepers, woken, wait for a moment so long after their trigger.
  std::optional<std::chrono::nanoseconds> usual_lead;
  /// By the machine, which destroys it.
  any_wake* (*make)(unsigned sleepers, std::optional<unsigned> group, std::optional<first_ticket> first);
  std::optional<first_ticket> first = {};  ///< from which number the programs have it count
};

template <class Wake>
class wake_of final : public any_wake {
 public:
  static constexpr bool timed = requires(Wake & w) { w.wait_for(0U, std::chrono::nanoseconds{1}); };
  static constexpr bool of_a_team = requires(Wake & w) { w.stop(0U); };
  static constexpr bool groups = std::is_constructible_v<Wake, unsigned, unsigned>;
  static constexpr bool counts = std::is_constructible_v<Wake, unsigned, unsigned, first_ticket>;

  static std::optional<std::chrono::nanoseconds> usual_lead() {
    if constexpr (requires { Wake::usual_lead; }) return Wake::usual_lead;
    return std::nullopt;
  }

  wake_of(unsigned sleepers, std::optional<unsigned> group, std::optional<first_ticket> first)
      : wake_(made(sleepers, group, first)) {}

  void arm() override {
    if constexpr (requires(Wake & w) { w.arm(); }) wake_.arm();
  }
  void trigger() override { wake_.trigger(); }
  bool wait(unsigned sleeper) override {
    if constexpr (!std::is_void_v<decltype(wake_.wait(sleeper))>) return wake_.wait(sleeper);
    wake_.wait(sleeper);
    return true;
  }
  bool try_wait(unsigned sleeper) override {
    if constexpr (timed) return wake_.try_wait(sleeper);
    return fails();
  }
  bool wait_for(unsigned sleeper, std::chrono::nanoseconds patience) override {
    if constexpr (timed) return wake_.wait_for(sleeper, patience);
    return fails();
  }
  void trigger(unsigned sleeper) override {
    of_team([=](auto& wake) { wake.trigger(sleeper); });
  }
  void trigger_some(std::span<const unsigned> which) override {
    of_team([=](auto& wake) { wake.trigger_some(which); });
  }
  void stop() override {
    of_team([](auto& wake) { wake.stop(); });
  }
  void stop(unsigned sleeper) override {
    of_team([=](auto& wake) { wake.stop(sleeper); });
  }
  bool stopped(unsigned sleeper) override {
    if constexpr (of_a_team) return wake_.stopped(sleeper);
    return fails();
  }
  void resume(unsigned sleeper) override {
    of_team([=](auto& wake) { wake.resume(sleeper); });
  }
  void resize(unsigned sleepers) override {
    of_team([=](auto& wake) { wake.resize(sleepers); });
  }
  bool wait_too_late(unsigned sleeper) override {
    if constexpr (requires { Wake::usual_lead; }) {
      const auto came = wake_.wait(sleeper);
      return came && !came.in_time;
    } else {
      return fails();
    }
  }

 private:
  static bool fails() {
    expect(false, "this wake primitive has no such operation");
    return false;
  }
  void of_team(auto what) {
    if constexpr (of_a_team)
      what(wake_);
    else
      fails();
  }
  static Wake made(unsigned sleepers, [[maybe_unused]] std::optional<unsigned> group,
                   [[maybe_unused]] std::optional<first_ticket> first) {
    if constexpr (counts)
      if (first) return Wake(sleepers, group.value_or(1), *first);
    if constexpr (groups)
      if (group) return Wake(sleepers, *group);
    return Wake(sleepers);
  }

  Wake wake_;
};

template <class Wake>
wake_type wake_type_of() {
  using erased = wake_of<Wake>;
  return {erased::timed,
          erased::of_a_team,
          erased::groups,
          erased::counts,
          erased::usual_lead(),
          [](unsigned sleepers, std::optional<unsigned> group, std::optional<first_ticket> first) -> any_wake* {
            return explored::make<erased>(sleepers, group, first);
          }};
}

}  // namespace synchro::model_checker

#endif
