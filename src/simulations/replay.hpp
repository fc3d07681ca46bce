// A recorded program on the simulated machine: threads that are all alike, and locks on lines of their own.
//
// The locks are the catalog's, and beside them one that sleeps as the C library's mutex does. What uses them is compiled once
// and not for each lock.

#ifndef SYNCHRO_SIMULATIONS_REPLAY_HPP
#define SYNCHRO_SIMULATIONS_REPLAY_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/lock_line.hpp"
#include "experiments/locks/guarded_locks.hpp"
#include "profile/closed_system.hpp"
#include "simulator/laboratory.hpp"

namespace synchro::simulations {

/// Locks of one class in the current world.
class any_locks {
 public:
  virtual ~any_locks() = default;
  /// Takes one, calls `taken`, gives it back.
  virtual void hold(std::size_t which, const std::function<void()>& taken) = 0;
};

template <class Lock>
class locks_of final : public any_locks {
 public:
  locks_of(std::size_t n, const shape& team) : all_{n, team} {}
  void hold(std::size_t which, const std::function<void()>& taken) override {
    Lock& lock = all_.lock(which);
    experiments::locks::grip<Lock> mine;
    mine.lock(lock);
    taken();
    mine.unlock(lock);
  }

 private:
  experiments::locks::guarded_locks<simulator::laboratory, Lock> all_;
};

/// A lock by its name, without its type.
struct replayed_lock {
  std::string name;
  bool first = true;  ///< Of its catalog line.
  std::unique_ptr<any_locks> (*make)(std::size_t n, const shape& team) = nullptr;
};

template <class Lock>
std::unique_ptr<any_locks> make_locks(std::size_t n, const shape& team) {
  return std::make_unique<locks_of<Lock>>(n, team);
}

/// A row for each waiting policy of a line of ours.
template <class Line>
void add_replayed(std::vector<replayed_lock>& rows) {
  bool first = true;
  Line::each([&]<class Variant>(const Variant& variant) {
    rows.push_back({variant.name, std::exchange(first, false),
                    &make_locks<typename Variant::template lock<simulator::simulated>>});
  });
}

/// As generated.
void add_replayed_locks(std::vector<replayed_lock>& rows);

/// Stands for the C library's own mutex: who does not get it sleeps at once (Drepper, Futexes Are Tricky, 2011, section 6).
inline constexpr const char* native_mutex = "pthread/mutex";

/// That, then ours in the order of the catalog.
[[nodiscard]] const std::vector<replayed_lock>& replayed_locks();
/// Takes these in as well.
void take_replayed(const std::vector<replayed_lock>& more);

struct replay_task {
  const profile::closed_system* system = nullptr;
  const replayed_lock* lock = nullptr;
  std::vector<unsigned> cpus = {};  ///< As for laboratory::team.
  unsigned threads = 1;
  double costs = 1;        ///< All that the model knows costs so many times as much; the program's work does not.
  double work = 1;         ///< The program's work takes so many times as long.
  double window_ns = 1e6;  ///< How long the team is watched, after a fifth of that.
  std::uint64_t seed = 1;
};

struct replay_result {
  double rounds = 0;            ///< A second, of all threads.
  std::vector<double> waiting;  ///< Of each kind of lock, the share of the threads' time in which they took it.
  std::optional<std::string> broken = std::nullopt;
};

/// So many think times are to be seen, for their sum to be near its mean. Rare ones, of which there would be fewer, become
/// shorter and more frequent.
[[nodiscard]] double thinks_wanted(unsigned threads);

/// In a world of its own.
[[nodiscard]] replay_result replay(const simulator::model& m, const replay_task& task);

/// The longest of what so many rounds take at least, in ns: of threads that never wait, and of the lock that is held most.
[[nodiscard]] double least_ns(const profile::closed_system& system, unsigned threads, unsigned processors,
                              double rounds);

}  // namespace synchro::simulations

#endif
