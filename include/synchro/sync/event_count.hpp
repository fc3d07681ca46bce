// Event count: to sleep until something that no lock guards may have changed.
//
// Problem. A thread that finds a lock-free queue empty wants to sleep; one that fills it will not pay for that while
// nobody sleeps. Between the look at the queue and going to sleep the queue may be filled: that must not be missed.
//
// Picture.   [ asleep | prepared |  how often it was notified: 30 bits ]
//
//   the waiter                                       the notifier
//     key = prepare()     sets `prepared`               makes the condition true
//     looks at the condition once more                  notify()    if there is a mark: count up, take both away; if
//     true: nothing more to do                                      `asleep` was there, wake all
//     not:  wait(key)     until the count has changed:
//                         looks first, then sets
//                         `asleep` and sleeps
//
// In use:
//
//   template <class Queue, class Job>
//   void take(Queue& queue, synchro::event_count& filled, Job& job) {
//     while (!queue.pop(job)) {
//       const auto key = filled.prepare();
//       if (queue.pop(job)) break;  // look once more
//       filled.wait(key);
//     }
//   }
//
//   template <class Queue, class Job>
//   void put(Queue& queue, synchro::event_count& filled, const Job& job) {
//     queue.push(job);
//     filled.notify();
//   }
//
// Each side writes first and then reads what the other has written; a fence between the two makes one of them see the
// other. While nobody waits, notify is a fence and a load; while nobody sleeps, it makes no call.
//
// Choose it beside a lock-free structure. Do not choose it where a lock guards the condition (`condition_variable`).
// It wakes all who have prepared: with many consumers and one job each, `counting_semaphore` is better.
//
// The count comes round after 2^30 notifications: a thread that sleeps through exactly so many sleeps on.
//
// Memory orders.
//   access                        order     pairs with
//   prepare: update               relaxed   nothing: the fence behind it makes it an acquire as well
//   prepare: fence                          notify's fence: the mark is seen by notify, or the condition by the thread that prepares
//   notify: fence                           prepare's fence; what was done before it is known to whoever reads the count
//   notify: load                  relaxed   nothing: the fences order it
//   notify: update                relaxed   nothing: the fence before it makes it a release
//   wait: see marked_wait.hpp     acquire   notify's fence, through its update
//
// Source: Reed, Kanodia: Synchronization with Eventcounts and Sequencers, CACM 22(2), 1979; two-step waiting by Vyukov.

#ifndef SYNCHRO_SYNC_EVENT_COUNT_HPP
#define SYNCHRO_SYNC_EVENT_COUNT_HPP

#include <cstdint>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/detail/first_ticket.hpp"
#include "synchro/detail/marked_wait.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = yield_then_park>
class basic_event_count {
 public:
  static constexpr bool parks = true;
  static_assert(Waiting::parks, "this event count is a way to sleep");

  /// The notifications so far.
  class key {
    friend class basic_event_count;
    explicit key(std::uint32_t seen) : count_{seen} {}
    std::uint32_t count_;
  };

  constexpr basic_event_count() = default;
  constexpr explicit basic_event_count(first_ticket first) : word_{first.number & count} {}
  basic_event_count(const basic_event_count&) = delete;
  basic_event_count& operator=(const basic_event_count&) = delete;

  /// Look at the condition afterwards. Nothing has to be undone if there is no need to wait.
  [[nodiscard]] key prepare() noexcept {
    const auto mark = [](std::uint32_t v) { return attempt<std::uint32_t>::write(v | prepared); };
    const std::uint32_t seen = Machine::update(word_, mark, memory_order::relaxed, memory_order::relaxed).seen;
    Machine::fence();
    return key{seen & count};
  }

  void wait(key k) noexcept { wait_until_deadline(k, Machine::never); }
  /// False if the time was up.
  template <class Rep, class Period>
  bool wait_for(key k, const std::chrono::duration<Rep, Period>& patience) {
    return wait_until_deadline(k, deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  bool wait_until(key k, const std::chrono::time_point<Clock, Duration>& moment) {
    return wait_until_deadline(k, deadline_of<Machine>(moment));
  }

  /// Wakes all who have prepared. What makes the condition true is done before.
  void notify() noexcept {
    Machine::fence();
    if ((word_.load(memory_order::relaxed) & (asleep | prepared)) == 0) return;
    const auto next = [](std::uint32_t v) { return attempt<std::uint32_t>::write((v + 1) & count); };
    const std::uint32_t old = Machine::update(word_, next, memory_order::relaxed, memory_order::relaxed).seen;
    if ((old & asleep) != 0) Machine::unpark(&word_, detail::everybody);
  }

 private:
  static constexpr std::uint32_t asleep = 0x8000'0000;
  static constexpr std::uint32_t prepared = 0x4000'0000;
  static constexpr std::uint32_t count = prepared - 1;

  bool wait_until_deadline(key k, typename Machine::deadline until) noexcept {
    const auto notified = [seen = k.count_](std::uint32_t v) { return (v & count) != seen; };
    return detail::wait_marked<Machine, Waiting>(word_, asleep, notified, until);
  }

  typename Machine::template atomic<std::uint32_t> word_{0};
};

using event_count = basic_event_count<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
