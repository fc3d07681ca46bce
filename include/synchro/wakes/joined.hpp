// Joined: a team wake with its other half. The triggering thread waits until all that it woke have finished their round.
//
// Problem. To start a team again and again is half of a job system; the other half is to know when all have finished, before
// the next start. A counter beside the wake does it, but every user writes it anew, and it has to agree with who was meant.
//
// Picture.   left   [ asleep |  how many have not finished: 31 bits ]
//
//   trigger    adds as many as it wakes, and wakes them
//   wait(i)    a sleeper that comes back has finished: it takes one away; the last one wakes the thread that joins. Then it waits
//   done(i)    the same for one that does something else before it waits again
//   join       until none is left: looks for a while, then sets the mark and sleeps
//
// In use:
//
//   synchro::joined<synchro::cascade> team{4};
//
//   void worker(unsigned i) {
//     while (team.wait(i)) work(i);  // to come back is to have finished; done(i) says so without coming back
//   }
//   void master() {
//     for (int round = 0; round != rounds; ++round) {
//       prepare();
//       team.trigger();
//       team.join();  // sees all that the workers have done; try_join, join_for, join_until
//     }
//     team.stop();
//   }
//
// Choose it for rounds of one team that one thread starts and waits for. Do not choose it where the workers wait for each
// other (barrier), nor for one use (latch). examples/job_team.cpp is a job system of it.
//
// One thread triggers, joins and stops, and stops between rounds: then no worker goes home that a join waits for.
//
// Memory orders.
//   access                          order     pairs with
//   trigger: update of left         relaxed   nothing: the wake publishes it
//   wait, done: fetch_sub of left   release   join: what the workers have done, through the subtractions since
//   join: see marked_wait.hpp       acquire   those
//   try_join: load                  acquire   those
//   which worker is at work is its own
//
// Source: the fork and join of Conway: A Multiprocessor System Design, AFIPS FJCC 1963.

#ifndef SYNCHRO_WAKES_JOINED_HPP
#define SYNCHRO_WAKES_JOINED_HPP

#include <cstdint>
#include <span>
#include <vector>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/marked_wait.hpp"
#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/traits.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `Wake` is event_group, cascade or rendezvous; `Waiting` is how the joining thread waits.
template <wake_primitive Wake, class Waiting = yield_then_park>
class joined : public detail::timed_team<joined<Wake, Waiting>, typename Wake::machine> {
 public:
  using machine = typename Wake::machine;
  static constexpr bool parks = Wake::parks || Waiting::parks;

  /// For `sleepers` threads, and what else the wake is made of. Throws std::bad_alloc.
  template <class... Arguments>
  explicit joined(unsigned sleepers, Arguments... arguments) : wake_(sleepers, arguments...), workers_(sleepers) {}
  joined(const joined&) = delete;
  joined& operator=(const joined&) = delete;

  // The workers' side. What the functions return is what those of the wake do.

  auto wait(unsigned i) noexcept { return wait_by(i, machine::never); }
  [[nodiscard]] auto try_wait(unsigned i) noexcept {
    done(i);
    return begins(i, wake_.try_wait(i));
  }
  /// Worker i has finished its round, if it has begun one.
  void done(unsigned i) noexcept {
    if (!workers_[i].busy) return;
    workers_[i].busy = false;
    if (left_.fetch_sub(1, memory_order::release) == (asleep | 1)) machine::unpark(&left_, detail::everybody);
  }

  // The side of the one thread that triggers. Not before all that it has triggered have finished, but for trigger(i).

  void trigger() {
    expect(wake_.size());
    wake_.trigger();
  }
  /// Worker i alone. Several of them may be at work, each triggered by itself.
  void trigger(unsigned i) {
    expect(1);
    wake_.trigger(i);
  }
  /// Workers 0 to k - 1; k is at most the number of all.
  void trigger_first(unsigned k) {
    expect(k);
    wake_.trigger_first(k);
  }
  /// These workers alone, whichever they are, each of them once.
  void trigger_some(std::span<const unsigned> which) {
    expect(static_cast<std::uint32_t>(which.size()));
    wake_.trigger_some(which);
  }

  /// Until all that were triggered have finished.
  void join() noexcept { join_by(machine::never); }
  [[nodiscard]] bool try_join() const noexcept { return finished(left_.load(memory_order::acquire)); }
  /// False if the time was up.
  template <class Rep, class Period>
  bool join_for(const std::chrono::duration<Rep, Period>& patience) {
    return join_by(deadline_of<machine>(patience));
  }
  template <class Clock, class Duration>
  bool join_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return join_by(deadline_of<machine>(moment));
  }

  /// Between rounds; see synchro/wakes/team.hpp.
  void resize(unsigned n) noexcept { wake_.resize(n); }
  [[nodiscard]] unsigned size() const noexcept { return wake_.size(); }
  [[nodiscard]] unsigned most() const noexcept { return wake_.most(); }
  /// All workers, those to come as well, return from their waits with false. Between rounds.
  void stop() noexcept { wake_.stop(); }

 private:
  friend detail::timed_team<joined, machine>;

  static constexpr std::uint32_t asleep = 0x8000'0000;
  static constexpr std::uint32_t unfinished = asleep - 1;

  struct alignas(2 * cpu::cache_line) worker {
    typename machine::template plain<bool> busy{false};
  };

  static constexpr bool finished(std::uint32_t v) { return (v & unfinished) == 0; }

  /// A mark that nobody has taken away goes with the first of a round.
  void expect(std::uint32_t n) noexcept {
    const auto more = [n](std::uint32_t v) { return attempt<std::uint32_t>::write(finished(v) ? n : v + n); };
    machine::update(left_, more, memory_order::relaxed, memory_order::relaxed);
  }

  template <class Answer>
  Answer begins(unsigned i, Answer answer) noexcept {
    if (answer) workers_[i].busy = true;
    return answer;
  }
  auto wait_by(unsigned i, typename machine::deadline until) noexcept {
    done(i);
    return begins(i, wake_.wait_until(i, until));
  }

  bool join_by(typename machine::deadline until) noexcept {
    const auto over = [](std::uint32_t v) { return finished(v); };
    return detail::wait_for_value<machine, Waiting>(left_, asleep, over, until);
  }

  Wake wake_;
  std::vector<worker> workers_;
  alignas(2 * cpu::cache_line) typename machine::template atomic<std::uint32_t> left_{0};
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
