// The body of the wake experiments where the sleepers are a runtime's own threads: a parallel region is the trigger.
//
// The first region, which makes the team, is not timed; its threads pin themselves and make themselves known. Only in the
// next are they raised, if they are to be: a thread made by a raised one may inherit that, and what a thread was made with
// cannot be taken back. For they outlive this measurement, and get back what they had. Then each region begins when all
// of them but the caller are seen asleep. What the call itself takes is told by the caller, which is part of the team: it
// ends where the caller begins its share.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_WAKE_REGION_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_WAKE_REGION_HPP

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/wakes/any_wake.hpp"
#include "experiments/wakes/host_watch.hpp"
#include "experiments/wakes/wake_team.hpp"
#include "measure/host.hpp"
#include "platform/placement.hpp"
#include "platform/scheduling.hpp"

namespace synchro::experiments::wakes {

class wake_region {
  using host = measure::host;

 public:
  wake_region(wake_task task, std::function<std::unique_ptr<any_wake>()> make)
      : task_{std::move(task)}, make_{std::move(make)}, watch_{task_.sleepers}, seats_(task_.sleepers + 1) {}

  /// In the waker; it is thread 0 of the regions.
  void run(unsigned, const std::function<void()>&) {
    const std::unique_ptr<any_wake> primitive = make_();
    primitive->region([this](unsigned i) { begin(i); });
    std::vector<std::optional<platform::raised_priority>> raised(seats_.size());
    if (task_.priority != urgency::usual) {
      primitive->region([&](unsigned i) {
        raised[i].emplace(task_.priority);
        leave(i);
      });
      if (raised[0] && raised[0]->outcome().warning) result_.warnings.push_back(*raised[0]->outcome().warning);
    }
    const std::uint64_t began = host::now();
    for (unsigned round = 0; round != task_.triggers; ++round) {
      if (round != 0 && host::to_ns(host::now() - began) > task_.budget_ns) break;
      if (!trigger_once(*primitive, round == 0)) break;
    }
    for (std::size_t i = 1; i != seats_.size(); ++i) {
      result_.cpu_ns += seats_[i].cpu_ns;
      result_.wall_ns += seats_[i].wall_ns;
      result_.switches += seats_[i].switches;
      result_.slept += seats_[i].slept;
      result_.waits += seats_[i].waits;
    }
  }

  wake_result& result() { return result_; }
  [[nodiscard]] const host_watch& watch() const { return watch_; }

 private:
  struct alignas(2 * cpu::cache_line) seat {
    bool here = false;
    std::uint64_t woke = 0, left = 0;
    host_watch::usage used{};
    double cpu_ns = 0, wall_ns = 0, switches = 0, slept = 0, waits = 0;
  };

  void begin(unsigned i) {
    seat& mine = seats_[i];
    mine.here = true;
    if (i == 0) return;
    if (!task_.cpus.empty() && !platform::pin_this_thread(task_.cpus[i % task_.cpus.size()])) mine.here = false;
    watch_.begin_sleeper(i - 1);
    leave(i);
  }

  void leave(unsigned i) {
    seats_[i].used = host_watch::used();
    seats_[i].left = host::now();
  }

  void woken(unsigned i) {
    const std::uint64_t woke = host::now();
    seat& mine = seats_[i];
    mine.woke = woke;
    if (i == 0) return;
    const host_watch::usage now = host_watch::used();
    const std::uint64_t looked = host::now();
    mine.cpu_ns += now.cpu_ns - mine.used.cpu_ns;
    mine.switches += now.switches - mine.used.switches;
    mine.slept += now.voluntary > mine.used.voluntary ? 1 : 0;
    mine.wall_ns += host::to_ns(looked - mine.left);
    mine.waits += 1;
    mine.used = now;
    mine.left = looked;
  }

  bool trigger_once(any_wake& primitive, bool first) {
    for (const seat& s : seats_)
      if (!s.here) {
        result_.unseen = "a thread of its team did not come, or could not be pinned";
        return false;
      }
    const auto until = hardware::clock::now() + std::chrono::nanoseconds{static_cast<std::int64_t>(task_.deadline_ns)};
    for (std::uint32_t looked = 0; !watch_.all_asleep(); ++looked) {
      if (hardware::expired(until)) {
        result_.unseen = "its sleepers were not seen asleep";
        return false;
      }
      host_watch::rest(looked);
    }
    if (first) result_.sleeps_in = watch_.sleeps_in();
    const std::uint64_t begin = host::now();
    primitive.region([this](unsigned i) { woken(i); });
    wake_round r{host::to_ns(seats_[0].woke - begin), 0, {}};
    for (std::size_t i = 1; i != seats_.size(); ++i)
      r.wake_ns.push_back(seats_[i].woke >= begin ? host::to_ns(seats_[i].woke - begin) : 0);
    result_.rounds.push_back(std::move(r));
    return true;
  }

  wake_task task_;
  std::function<std::unique_ptr<any_wake>()> make_;
  host_watch watch_;
  std::vector<seat> seats_;
  wake_result result_;
};

}  // namespace synchro::experiments::wakes

#endif
