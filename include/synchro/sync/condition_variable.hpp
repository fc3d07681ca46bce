// Condition variable: a queue of those who wait, each asleep on a word of its own; eight bytes.
//
// Problem. To wait for a condition is to let go of the lock and go to sleep without missing what happens in between, and
// a notification must reach somebody who waited when it was given, not one who came later. With one counter on which
// all sleep, the kernel picks whom it likes. And if all are woken at once they meet at the lock, where all but one go back
// to sleep.
//
// Picture.   head ---> newest        oldest ---> next ---> ... ---> newest
//                        |              ^                             |
//                        `--------------'-----------------------------'     nodes on the waiters' stacks
//
//   wait         puts a node at the end of the queue, unlocks, and waits on the node's word; then locks again. If its
//                node leads to another one, wakes that: it was taken out with it by notify_all.
//   notify_one   takes the oldest node out, and wakes its thread.
//   notify_all   takes out all, and wakes the oldest. Each wakes the next as soon as it has the lock: so they do not meet
//                at the lock, and the caller wakes one, however many there are.
//   in time      a thread that gives up takes its node out of the queue. If it is no longer there, the notification is under way:
//                it is waited for, and was no time-out.
//
// A thread that changes the queue sets the low bit of `head` meanwhile. If the queue is empty, notifying is one load.
//
// All who wait at one time come with the same lock, as with std::condition_variable. Any lock will do that has lock()
// and unlock(): a std::unique_lock or std::shared_lock of one, or the lock itself. A wait returns by notification or
// time-out only, yet whoever comes first to the lock may have changed the condition again: wait with a predicate.
//
// A wait sleeps at once: mostly it takes long, and the thread that makes the condition true needs the processor. In a
// bounded queue between six threads on two busy processors that took about half as many changes of threads as the
// standard's; to look and give way in between made single rounds fifty times slower.
//
//   synchro::mutex lock;
//   synchro::condition_variable changed;
//   bool ready = false;
//
//   void wait() {
//     std::unique_lock guard{lock};
//     changed.wait(guard, [] { return ready; });
//   }
//
//   void tell() {
//     {
//       const std::scoped_lock guard{lock};
//       ready = true;
//     }
//     changed.notify_all();
//   }
//
// Waits return `synchro::cv_status`, or with a predicate whether it holds. `synchro::condition_variable_any` is the
// same type.
//
// Choose it where the condition is more than a flag or a number (else `event`, `counting_semaphore`, `latch`) and a
// lock guards it. Do not choose it where waiters cannot have a lock: `event_count`.
//
// It may be destroyed as soon as all who wait have been notified, even if their waits have not returned; but one that has
// a deadline has to have returned.
//
// Memory orders.
//   access                                 order     pairs with
//   queue, take: update of head            acquire   the last return of it: the links of the nodes
//   queue, return: store of head           release   the next taking
//   notify: load of head                   relaxed   nothing: whoever changed the condition under the lock since somebody
//                                                    came to wait knows of that one by the lock
//   word of a node: see waiting.hpp                  hand_over and wait: what notify_all wrote into the node, and that
//                                                    nobody will touch the node again
//
// Source: Birrell: An Introduction to Programming with Threads, DEC SRC report 35, 1989 (the primitive); Mellor-Crummey,
// Scott: Algorithms for Scalable Synchronization, ACM TOCS 9(1), 1991 (waiters on words of their own).

#ifndef SYNCHRO_SYNC_CONDITION_VARIABLE_HPP
#define SYNCHRO_SYNC_CONDITION_VARIABLE_HPP

#include <cstdint>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// How a wait that has a deadline ended.
enum class cv_status : std::uint8_t { no_timeout, timeout };

template <class Machine = hardware, class Waiting = spin_park>
class basic_condition_variable {
 public:
  static constexpr bool parks = Waiting::parks;

  constexpr basic_condition_variable() = default;
  basic_condition_variable(const basic_condition_variable&) = delete;
  basic_condition_variable& operator=(const basic_condition_variable&) = delete;

  void notify_one() noexcept {
    if (head_.load(memory_order::relaxed) == 0) return;
    node* const newest = take_queue();
    if (newest == nullptr) return return_queue(nullptr);
    node* const oldest = newest->next;
    if (oldest != newest) newest->next = static_cast<node*>(oldest->next);
    oldest->next = nullptr;
    return_queue(oldest == newest ? nullptr : newest);
    wake(oldest);
  }

  void notify_all() noexcept {
    if (head_.load(memory_order::relaxed) == 0) return;
    node* const newest = take_queue();
    if (newest == nullptr) return return_queue(nullptr);
    node* const oldest = newest->next;
    newest->next = nullptr;
    return_queue(nullptr);
    wake(oldest);
  }

  /// The caller holds `lock`, and holds it again on return. As std::condition_variable's, this ends the program if the
  /// lock cannot be taken again.
  template <class Lock>
  void wait(Lock& lock) noexcept {
    wait_until_deadline(lock, Machine::never);
  }
  template <class Lock, class Predicate>
  void wait(Lock& lock, Predicate holds) {
    while (!holds()) wait(lock);
  }

  template <class Lock, class Rep, class Period>
  cv_status wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& patience) {
    return wait_until_deadline(lock, deadline_of<Machine>(patience));
  }
  /// Whether the predicate holds in the end.
  template <class Lock, class Rep, class Period, class Predicate>
  bool wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& patience, Predicate holds) {
    return wait_until_it_holds(lock, deadline_of<Machine>(patience), holds);
  }
  template <class Lock, class Clock, class Duration>
  cv_status wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& moment) {
    return wait_until_deadline(lock, deadline_of<Machine>(moment));
  }
  template <class Lock, class Clock, class Duration, class Predicate>
  bool wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& moment, Predicate holds) {
    return wait_until_it_holds(lock, deadline_of<Machine>(moment), holds);
  }

 private:
  static constexpr std::uint32_t waiting = 0;
  static constexpr std::uint32_t notified = 1;

  /// In the queue, `next` of the newest is the oldest. Taken out, it is who is to be woken after this one.
  struct node {
    typename Machine::template atomic<std::uint32_t> word{waiting};
    typename Machine::template plain<node*> next{nullptr};
  };

  static constexpr std::uintptr_t taken = 1;

  node* take_queue() noexcept {
    const auto take = [](std::uintptr_t v, std::uint32_t round) {
      using answer = attempt<std::uintptr_t>;
      return (v & taken) == 0 ? answer::write(v | taken) : answer::retry(Waiting::retry(round));
    };
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the low bit of the address is the queue's lock
    return reinterpret_cast<node*>(Machine::update(head_, take, memory_order::acquire, memory_order::relaxed).seen);
  }
  void return_queue(node* newest) noexcept {
    head_.store(reinterpret_cast<std::uintptr_t>(newest), memory_order::release);
  }

  static void wake(node* sleeper) noexcept {
    Waiting::template hand_over<Machine>(sleeper->word, notified, memory_order::release);
  }

  void join(node& mine) noexcept {
    node* const newest = take_queue();
    if (newest == nullptr) {
      mine.next = &mine;
    } else {
      mine.next = static_cast<node*>(newest->next);
      newest->next = &mine;
    }
    return_queue(&mine);
  }

  /// False if it has been taken out already.
  bool leave(node& mine) noexcept {
    node* const newest = take_queue();
    node* before = newest;
    if (newest != nullptr)
      while (before->next != &mine && before->next != newest) before = before->next;
    if (newest == nullptr || before->next != &mine) return return_queue(newest), false;
    before->next = static_cast<node*>(mine.next);
    mine.next = nullptr;
    if (newest == &mine) return return_queue(before == &mine ? nullptr : before), true;
    return return_queue(newest), true;
  }

  template <class Lock>
  cv_status wait_until_deadline(Lock& lock, typename Machine::deadline until) noexcept {
    node mine;
    join(mine);
    lock.unlock();
    cv_status status = cv_status::no_timeout;
    if (!detail::at_once::wait_until<Machine>(mine.word, waiting, until)) {
      if (leave(mine))
        status = cv_status::timeout;
      else
        detail::at_once::wait<Machine>(mine.word, waiting);
    }
    lock.lock();
    if (node* const next = mine.next; next != nullptr) wake(next);
    return status;
  }

  template <class Lock, class Predicate>
  bool wait_until_it_holds(Lock& lock, typename Machine::deadline until, Predicate holds) {
    while (!holds())
      if (wait_until_deadline(lock, until) == cv_status::timeout) return holds();
    return true;
  }

  typename Machine::template atomic<std::uintptr_t> head_{0};
};

using condition_variable = basic_condition_variable<>;
using condition_variable_any = condition_variable;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
