// The laboratory: what experiments ask of a machine beyond what algorithms do.
//
// Experiment bodies are templates over a Laboratory, so the same body measures this host and a simulated many-core.
//
//   machine                     the Machine (synchro/machine.hpp) that locks and messages under test run on
//   team(cpus, n, body)         runs body(index) on n fresh threads and waits for all of them. Thread i is pinned to
//                               cpus[i], verified; an empty list leaves them unpinned. They start together, once all
//                               are in place. An exception in a body is rethrown here after all have ended. Returns
//                               what each thread saw (team_report).
//   now(), to_ns(ticks)         an ordered stamp of the clock, and ticks in nanoseconds
//   cycles_to_ns(c)
//   work(cycles)                keeps the calling thread's processor busy for about so many core cycles, touching no
//                               memory
//   flush(p)                    evicts the line of p from every cache, if the processor lets a program do so
//   can_flush()
//   fresh_memory{bytes}         memory that nothing used before, on lines of its own, first touched by the thread that
//                               makes it: data()
//   fresh<T>                    one T on such memory; operator* and operator->
//
// Before the body of a thread starts, its counters are read; what it waited for its fellows in an oversubscribed team
// is therefore part of its run delay.

#ifndef SYNCHRO_MEASURE_LABORATORY_HPP
#define SYNCHRO_MEASURE_LABORATORY_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "platform/scheduling.hpp"
#include "synchro/machine.hpp"

namespace synchro::measure {

/// What a team's threads can say of their run.
struct team_report {
  std::vector<std::string> unpinned;       ///< One sentence per thread that could not be pinned as asked.
  std::uint64_t involuntary_switches = 0;  ///< Summed over the team; 0 where the system does not tell.
  std::uint64_t run_delay_ns = 0;
  std::uint64_t migrations = 0;              ///< Threads that ended on another processor than they were pinned to.
  platform::priority_outcome priority = {};  ///< What raising them came to, where that was asked for.
};

/// One T in fresh memory.
template <class Memory, class T>
class fresh_object {
 public:
  template <class... Args>
  explicit fresh_object(Args&&... args) : object_{::new (memory_.data()) T(std::forward<Args>(args)...)} {}
  ~fresh_object() { object_->~T(); }
  fresh_object(const fresh_object&) = delete;
  fresh_object& operator=(const fresh_object&) = delete;

  T& operator*() const noexcept { return *object_; }
  T* operator->() const noexcept { return object_; }

 private:
  Memory memory_{sizeof(T)};
  T* object_;
};

template <class L>
concept laboratory = machine<typename L::machine> && requires(const std::vector<unsigned>& cpus, const void* p) {
  {
    L::team(cpus, 1U, [](unsigned) {})
    } -> std::same_as<team_report>;
  { L::now() } -> std::same_as<std::uint64_t>;
  { L::to_ns(std::uint64_t{1}) } -> std::same_as<double>;
  { L::cycles_to_ns(1.0) } -> std::same_as<double>;
  L::work(std::uint64_t{1});
  L::flush(p);
  { L::can_flush() } -> std::convertible_to<bool>;
  { typename L::fresh_memory{std::size_t{1}}.data() } -> std::same_as<void*>;
  typename L::template fresh<std::uint64_t>;
};

}  // namespace synchro::measure

#endif
