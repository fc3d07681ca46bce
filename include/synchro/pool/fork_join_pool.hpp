// Fork-join pool: threads that sleep until there is work in equal jobs, share it, and are waited for.
//
// Problem. A loop over independent items could use all processors, but to make threads for it costs more than most loops.
// Threads that exist already must be started together, share the items without a lock, and be waited for; and the first of
// them should not wait for the last to be told.
//
// Picture.   caller    current = the jobs, open, trigger ┬─ does jobs ───────── closes ───┬─ waits at the gate
//            worker 0  wait ─────────────────────────────┼─ enters ── does jobs ── leaves ┤
//            worker 1  wait ─────────────────────────────┴─ enters ── does jobs ── leaves: the last one wakes it
//            worker 2  wait ─────────────────────────────── (late)    finds it closed: waits again
//            gate      [ asleep | closed |  workers inside: 30 bits ]
//            jobs      next [ 7 ]   a thread takes job 7 by adding one
//
//   start    any wake primitive (wakes/traits.hpp); by default a cascade, in which whoever is awake helps to wake the rest.
//   jobs     are taken one by one, so a thread that comes late does fewer.
//   join     the caller closes the gate when no job is left, and waits until nobody is inside; if it sleeps, the last of them
//            to leave wakes it. A worker that comes later is not waited for, and not needed.
//
// A primitive that may not trigger before all have returned (one without merges_triggers, as `rendezvous`) has all workers
// inside from the beginning: each is waited for, one that comes so late that nothing is left, too.
//
// A run that is over within a microsecond gains nothing from other threads: calling them costs some hundred nanoseconds, and
// each of them a processor. So where the last run was so short, done by the caller alone, it begins the next one alone, and calls
// the team if a microsecond has passed after one job, two, four, and so on. That is a loss if the first of them takes long:
// then it begins alone again after so many short runs in a row as have saved as much, at 250 ns each. So a loop that is too
// short to be shared takes a hundred nanoseconds longer than without the team.
//
// A run that finds the team at work does its jobs on its own thread: one that a job has called, and one of another thread.
// So runs may nest: no thread is made for them, and none waits for itself.
//
// Choose it for loops of some ten microseconds and more (`synchroscope run forkjoin` tells where that begins). Do not choose
// it for jobs that wait for each other, which may all be on one thread, nor for single tasks: a `queue`
// hands those out.
//
// Memory orders.
//   access                               order     pairs with
//   next: fetch_add, store               relaxed   nothing: the thread that adds one has that job; the jobs were written before the
//                                                  start, which publishes them
//   failed: exchange                     relaxed   nothing: it only picks one; the gate publishes what that one has noted
//   gate: store, that opens it           release   the update that enters: the jobs
//   gate: update, that enters            acquire   that store, through those who have entered and left since
//   gate: fetch_sub, that leaves         release   the caller's fetch_or and wait: what was done inside, through those who
//                                                  have entered and left since
//   gate: fetch_or, that closes it       acquire   those: if all have left, the caller has all that was done
//   gate: wait, see marked_wait.hpp      acquire   those
//
// Source: Leiserson: The Cilk++ Concurrency Platform, DAC 2009 (fork and join); Tang, Yew: Processor Self-Scheduling for
// Multiple-Nested Parallel Loops, ICPP 1986 (jobs taken by adding one).

#ifndef SYNCHRO_POOL_FORK_JOIN_POOL_HPP
#define SYNCHRO_POOL_FORK_JOIN_POOL_HPP

#include <algorithm>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "synchro/detail/exceptions.hpp"
#include "synchro/detail/marked_wait.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/cascade.hpp"
#include "synchro/wakes/event.hpp"
#include "synchro/wakes/traits.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// The jobs of one run, of whatever type. They stand on the caller's stack until all have left them.
template <class Machine>
class forked_jobs {
 public:
  template <class F>
  forked_jobs(std::size_t jobs, F& f)
      : jobs_{jobs}, what_{const_cast<void*>(static_cast<const void*>(std::addressof(f)))}, how_{&call<F>} {}
  forked_jobs(const forked_jobs&) = delete;
  forked_jobs& operator=(const forked_jobs&) = delete;

  /// Does one job after the other that nobody has begun, while `goes_on(how many it has done)`. After an exception none is
  /// begun any more. Whether it has done all of them.
  template <class GoesOn>
  bool help_while(GoesOn goes_on) noexcept {
    const std::uint64_t all = jobs_;
    std::uint64_t done = 0;
    std::exception_ptr caught;
    or_if_thrown(
        [&] {
          while (done == 0 || goes_on(done)) {
            const std::uint64_t mine = next_.fetch_add(1, memory_order::relaxed);
            if (mine >= all) return;
            static_cast<way>(how_)(what_, static_cast<std::size_t>(mine));
            if (++done == all) return;
          }
        },
        [&] { caught = std::current_exception(); });
    if (caught) fail(std::move(caught), all);
    return done == all;
  }
  bool help() noexcept {
    return help_while([](std::uint64_t) { return true; });
  }

  /// When all have left: throws what the first job threw that failed.
  void rethrow() {
    if (has_thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  using way = void (*)(void*, std::size_t);

  template <class F>
  static void call(void* what, std::size_t job) {
    std::invoke(*static_cast<F*>(what), job);
  }
  void fail(std::exception_ptr caught, std::uint64_t all) noexcept {
    next_.store(all, memory_order::relaxed);
    if (failed_.exchange(1, memory_order::relaxed) != 0) return;
    thrown_ = std::move(caught);
    has_thrown_ = true;
  }

  typename Machine::template plain<std::uint64_t> jobs_;
  typename Machine::template plain<void*> what_;
  typename Machine::template plain<way> how_;
  alignas(cpu::cache_line) typename Machine::template atomic<std::uint64_t> next_{0};
  typename Machine::template atomic<std::uint32_t> failed_{0};
  typename Machine::template plain<bool> has_thrown_{false};
  std::exception_ptr thrown_;
};

}  // namespace detail

/// How the threads of a pool meet, without the threads: somebody calls work(i) in each of `workers` threads. `Start` is a
/// wake primitive for so many sleepers; `Waiting` is how the caller waits in the end.
template <class Machine = hardware, wake_primitive Start = basic_cascade<Machine>, class Waiting = yield_then_park>
class basic_fork_join {
 public:
  /// Throws what Start throws.
  explicit basic_fork_join(unsigned workers) : workers_{workers}, start_(workers) {}
  basic_fork_join(const basic_fork_join&) = delete;
  basic_fork_join& operator=(const basic_fork_join&) = delete;

  /// Calls f(0), ..., f(jobs - 1), each once, on this thread and the workers', and returns when all have returned. What was
  /// done before is seen by the jobs, and what they did behind it. The first exception of a job is thrown here when the
  /// others have ended; jobs that had not begun are left out. If the team is at work, all are done on this thread.
  template <class F>
  void run(std::size_t jobs, F&& f) {
    detail::forked_jobs<Machine> all{jobs, f};
    if (jobs < 2 || workers_ == 0 || !busy_.try_lock()) {
      all.help();
    } else {
      alone_or_together(all);
      busy_.unlock();
    }
    all.rethrow();
  }

  /// Calls f(i) for all first <= i < last, in pieces of neighbours; else as run.
  template <std::integral I, class F>
  void parallel_for(I first, I last, F&& f) {
    if (!(first < last)) return;
    const auto origin = static_cast<std::uint64_t>(first);
    const std::uint64_t items = static_cast<std::uint64_t>(last) - origin;
    const std::uint64_t pieces = std::min<std::uint64_t>(items, pieces_of_a_thread * (std::uint64_t{workers_} + 1));
    const auto begin_of = [each = items / pieces, left = items % pieces](std::uint64_t piece) {
      return each * piece + std::min(piece, left);
    };
    run(static_cast<std::size_t>(pieces), [&](std::size_t piece) {
      const std::uint64_t end = begin_of(piece + 1);
      for (std::uint64_t i = begin_of(piece); i != end; ++i) std::invoke(f, static_cast<I>(origin + i));
    });
  }

  /// Worker i's whole life: helps in every run until stop(). Each i below `workers` is one thread's.
  void work(unsigned i) {
    while (is_called(i)) {
      if (!enter()) continue;
      detail::forked_jobs<Machine>* const jobs = current_;
      if (jobs == nullptr) return;
      jobs->help();
      if (gate_.fetch_sub(1, memory_order::release) == (asleep | closed | 1)) Machine::unpark(&gate_, 1);
    }
  }

  /// All work() return. No run is under way, and none comes after it. Destroy this when they have returned.
  void stop() {
    if (workers_ == 0) return;
    if constexpr (leaves_behind)
      start_.stop();
    else
      begin(nullptr);
  }

  [[nodiscard]] unsigned workers() const noexcept { return workers_; }

 private:
  static constexpr std::uint64_t pieces_of_a_thread = 4;
  static constexpr std::chrono::nanoseconds too_short_to_share{1000};
  static constexpr std::chrono::nanoseconds saved_by_one_alone{250};
  static constexpr std::uint32_t asleep = 0x8000'0000;
  static constexpr std::uint32_t closed = 0x4000'0000;
  static constexpr std::uint32_t inside = closed - 1;
  static constexpr bool is_empty(std::uint32_t gate) { return (gate & inside) == 0; }
  /// Whether a worker that comes late is not waited for.
  static constexpr bool leaves_behind = requires(Start & s) {
    requires Start::merges_triggers;
    s.stop();
  };

  /// False: to stop.
  bool is_called(unsigned i) {
    if constexpr (leaves_behind) return start_.wait(i);
    start_.wait(i);
    return true;
  }
  bool enter() {
    if constexpr (!leaves_behind) return true;
    const auto one_more = [](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return (v & closed) == 0 ? answer::write(v + 1) : answer::decline();
    };
    return Machine::update(gate_, one_more, memory_order::acquire, memory_order::relaxed).written;
  }

  void alone_or_together(detail::forked_jobs<Machine>& all) {
    const typename Machine::deadline begun = Machine::clock::now();
    const typename Machine::deadline soon = begun + too_short_to_share;
    const auto goes_on = [soon](std::uint64_t done) { return !std::has_single_bit(done) || !Machine::expired(soon); };
    const bool begins_alone = short_runs_ >= enough_short_runs_;
    bool alone = begins_alone && all.help_while(goes_on);
    if (begins_alone && (!alone || Machine::expired(soon)))
      enough_short_runs_ = static_cast<std::uint64_t>((Machine::clock::now() - begun) / saved_by_one_alone) + 1;
    if (!alone) alone = together(all);
    short_runs_ = alone && !Machine::expired(soon) ? short_runs_ + 1 : 0;
  }

  /// Whether this thread has done all of it.
  bool together(detail::forked_jobs<Machine>& all) {
    begin(&all);
    const bool alone = all.help();
    if (!is_empty(gate_.fetch_or(closed, memory_order::acquire))) {
      const auto all_out = [](std::uint32_t v) { return is_empty(v); };
      detail::wait_for_value<Machine, Waiting>(gate_, asleep, all_out, Machine::never);
    }
    return alone;
  }

  void begin(detail::forked_jobs<Machine>* jobs) {
    current_ = jobs;
    gate_.store(leaves_behind ? 0 : workers_, memory_order::release);
    if constexpr (requires { start_.arm(); }) start_.arm();
    start_.trigger();
  }

  const unsigned workers_;
  Start start_;
  basic_tas_lock<Machine> busy_;
  // The thread that has busy_ reads and writes these: how many runs in a row were short, and how many let the next begin alone.
  typename Machine::template plain<std::uint64_t> short_runs_{0};
  typename Machine::template plain<std::uint64_t> enough_short_runs_{1};
  typename Machine::template plain<detail::forked_jobs<Machine>*> current_{nullptr};
  alignas(cpu::cache_line) typename Machine::template atomic<std::uint32_t> gate_{closed};
};

/// The same with its threads. Any thread may run. Example:
///
///     synchro::fork_join_pool pool;
///     pool.parallel_for(0, n, [&](int i) { y[i] = f(x[i]); });
template <wake_primitive Start = basic_cascade<>, class Waiting = yield_then_park>
class basic_fork_join_pool {
 public:
  /// Made of so many threads, the caller among them: one fewer are made, and sleep. Each first calls begin(i) with its
  /// number, from 1: to pin it or to name it; it must not throw. Throws std::invalid_argument for no thread at all,
  /// std::system_error if the system does not give them, and std::bad_alloc.
  explicit basic_fork_join_pool(unsigned threads = usual(), std::function<void(unsigned)> begin = {})
      : team_{checked(threads) - 1}, begin_{std::move(begin)} {
    workers_.reserve(team_.workers());
    detail::undone_if_thrown(
        [&] {
          for (unsigned i = 0; i != team_.workers(); ++i) workers_.emplace_back([this, i] { live(i); });
        },
        [&] { dismiss(); });  // not all: they go home without having been a team
    complete_ = true;
    gate_.set();
  }
  basic_fork_join_pool(const basic_fork_join_pool&) = delete;
  basic_fork_join_pool& operator=(const basic_fork_join_pool&) = delete;
  /// No run may be under way.
  ~basic_fork_join_pool() {
    team_.stop();
    for (std::thread& t : workers_) t.join();
  }

  /// See basic_fork_join::run.
  template <class F>
  void run(std::size_t jobs, F&& f) {
    team_.run(jobs, f);
  }
  /// See basic_fork_join::parallel_for.
  template <std::integral I, class F>
  void parallel_for(I first, I last, F&& f) {
    team_.parallel_for(first, last, f);
  }

  /// The caller among them.
  [[nodiscard]] unsigned threads() const noexcept { return team_.workers() + 1; }

 private:
  static unsigned usual() { return std::max(1U, std::thread::hardware_concurrency()); }
  static unsigned checked(unsigned threads) {
    if (threads == 0) detail::raise(std::invalid_argument{"a pool has at least one thread, the one that runs"});
    return threads;
  }

  void live(unsigned i) {
    gate_.wait();
    if (!complete_) return;
    if (begin_) begin_(i + 1);
    team_.work(i);
  }
  void dismiss() {
    gate_.set();
    for (std::thread& t : workers_) t.join();
  }

  basic_fork_join<hardware, Start, Waiting> team_;
  std::function<void(unsigned)> begin_;
  event gate_;
  bool complete_ = false;  // written before the gate opens
  std::vector<std::thread> workers_;
};

using fork_join_pool = basic_fork_join_pool<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
