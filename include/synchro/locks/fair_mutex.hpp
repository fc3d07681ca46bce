// Fair mutex: a mutex that anybody may take when it is free, until those who wait have been passed often enough.
//
// Problem. A mutex that goes to whoever comes first after a release is fast: the thread that runs takes it again while a
// sleeper is still waking up. But nothing says how often a sleeper is passed. A queue lock says it, never, and pays for it
// by a wake-up at every hand-over once threads are more than processors. In between: whoever finds the lock free may take
// it; who has waited for a while stands in line; each who takes the lock past the line is counted; and when the count
// is up, nobody passes until all have been served who stood in line at that moment.
//
// Picture.   state   [ passes 29 | line 1 | asleep 1 | held 1 ]
//            tail -> node 3,  front -> node 1 -> node 2 -> node 3,  until -> node 2
//
//   lock     compare-and-swap 0 to held. Failing that, look for a while and take it as soon as it is free, counting a pass
//            if there is a line; otherwise stand in line. The front of the line takes the lock when it is free, or signs
//            as asleep and sleeps on its own node. Having the lock, it makes the next one the front, which goes on
//            sleeping, signed for as asleep.
//   unlock   compare-and-swap held to 0. Failing that, take held and asleep away, and wake the front if it slept.
//   pass     who makes the last pass that is allowed notes the last in line; when that one has been served, passes are
//            counted from 0. They are, too, when the line is empty.
//
// Only the front is ever woken, once for each time that it slept. Nobody writes the state of a held lock but its holder,
// the front that signs as asleep, and the first in a new line: so the front that has just got the lock may store to it.
//
// Bound. Who stands in line before the last pass is in front of the mark or is the mark; who comes later meets no passes
// until the mark has been served, and then at most as many as are allowed before the next mark, which is not before it.
//
// Choose it where mutex would do but no thread may starve. Do not choose it where waiters must be served in order (mcs), or
// with deadlines: there are no timed functions, for a line that can be left would need nodes from the heap.
//
// Memory orders.
//   access                                      order     pairs with
//   lock: compare-and-swap, update              acquire   unlock's compare-and-swap or fetch_and: the last section
//                                                         happens before this one
//   front: update that takes or signs           acq_rel   the same, and: unlock's fetch_and reads the sign (acquire), and
//                                                         so front_ and the node's word as they were written before
//   unlock: compare-and-swap                    release   those of lock
//   unlock: fetch_and                           acq_rel   those of lock, and the front's sign
//   line: fetch_or of the first                 relaxed   nothing: it only stops uncounted passes
//   state: load, stores of the front            relaxed   nothing: it has the lock, and its unlock releases
//   tail: exchange                              acq_rel   the last one's compare-and-swap (release): front_ and the state
//                                                         are as it left them; and the link's owner writes to the node
//   tail: update at the last pass               relaxed   nothing: a read-modify-write, so that it reads the newest
//   next: store, loads                          release,  each other: the node is made
//                                               acquire
//   word: Waiting::wait, hand_over              see synchro/waiting.hpp
//   word: store of the front                    relaxed   nothing: who hands over has seen the sign that follows it
//
// Source: the count of passes after which a lock becomes fair: Karlsson: WTF::Lock, 2016 (by time, at random); Go,
// sync.Mutex, 2017 (by time); here by number, which is a bound.

#ifndef SYNCHRO_LOCKS_FAIR_MUTEX_HPP
#define SYNCHRO_LOCKS_FAIR_MUTEX_HPP

#include <cstdint>

#include "synchro/hardware.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin_park>
class basic_fair_mutex_lock {
 public:
  /// How often the line may be passed before it is served.
  struct bypasses {
    std::uint32_t most;
  };
  static constexpr bypasses usual_bypasses{1000};

  static constexpr lock_traits traits{
      .judgement =
          "as mutex, where no thread may starve; not where waiters must be served in order, nor with deadlines",
      .fair = fairness::bounded,
      .bypass = usual_bypasses.most,
      .citation = "Pizlo: Locking in WebKit, 2016 (eventual fairness); Go, sync.Mutex, 2017"};

  static_assert(Waiting::parks, "this lock is a way to sleep; ticket is fair without");
  static constexpr bool parks = true;

  constexpr basic_fair_mutex_lock() = default;
  /// With 0, nobody passes the line. At most 2^28.
  explicit constexpr basic_fair_mutex_lock(bypasses limit) : limit_{limit.most < highest ? limit.most : highest} {}
  basic_fair_mutex_lock(const basic_fair_mutex_lock&) = delete;
  basic_fair_mutex_lock& operator=(const basic_fair_mutex_lock&) = delete;

  void lock() noexcept {
    std::uint32_t seen = free;
    if (!state_.compare_exchange_strong(seen, held, memory_order::acquire, memory_order::relaxed)) [[unlikely]]
      lock_slowly();
  }

  [[nodiscard]] bool try_lock() noexcept {
    std::uint32_t seen = free;
    if (state_.compare_exchange_strong(seen, held, memory_order::acquire, memory_order::relaxed)) return true;
    return (seen & held) == 0 && take_within(0);
  }

  void unlock() noexcept {
    std::uint32_t seen = held;
    if (!state_.compare_exchange_strong(seen, free, memory_order::release, memory_order::relaxed)) [[unlikely]]
      unlock_slowly();
  }

 private:
  using at_once = detail::impatient<Machine>;

  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t held = 1;
  static constexpr std::uint32_t asleep = 2;
  static constexpr std::uint32_t line = 4;
  static constexpr std::uint32_t one_pass = 8;
  static constexpr std::uint32_t highest = 1U << 28;

  static constexpr std::uint32_t waiting = 0;
  static constexpr std::uint32_t woken = 1;

  /// Looks beside a line, as mutex has them.
  static constexpr std::uint32_t looks_beside_line = 32;

  /// On the waiter's stack, from when it stands in line until it has the lock.
  struct node {
    typename Machine::template atomic<node*> next{nullptr};
    typename Machine::template atomic<std::uint32_t> word{waiting};
  };

  static constexpr bool has_line(std::uint32_t v) { return (v & line) != 0; }
  static constexpr std::uint32_t passes(std::uint32_t v) { return v / one_pass; }

  /// Takes the lock, past the line if that may be passed once more; declines after so many looks.
  [[nodiscard]] bool take_within(std::uint32_t most) noexcept {
    using answer = attempt<std::uint32_t>;
    const auto take = [most, limit = limit_](std::uint32_t v, std::uint32_t round) {
      if (has_line(v) && passes(v) >= limit) return answer::decline();
      if ((v & held) == 0) return answer::write((has_line(v) ? v + one_pass : v) | held);
      const std::uint32_t patience = has_line(v) && most > looks_beside_line ? looks_beside_line : most;
      return round < patience ? answer::again() : answer::decline();
    };
    const auto outcome = Machine::update(state_, take, memory_order::acquire, memory_order::relaxed);
    if (!outcome.written) return false;
    if (has_line(outcome.seen) && passes(outcome.seen) + 1 == limit_) mark_last();
    return true;
  }

  /// The line as it is now will be served before anybody passes again.
  void mark_last() noexcept {
    const auto keep = [](node* last) { return attempt<node*>::write(last); };
    until_ = Machine::update(tail_, keep, memory_order::relaxed, memory_order::relaxed).seen;
  }

  /// Apart from lock, which needs no stack.
  [[gnu::noinline]] void lock_slowly() noexcept {
    const std::uint32_t most = Machine::spin_looks().count;
    if (most != 0 && take_within(most)) return;
    node mine;
    node* const before = tail_.exchange(&mine, memory_order::acq_rel);
    if (before == nullptr) {
      front_ = &mine;
      state_.fetch_or(line, memory_order::relaxed);
    } else {
      before->next.store(&mine, memory_order::release);
      Waiting::template wait<at_once>(mine.word, waiting);
    }
    take_as_front(mine);
    leave_line(mine);
  }

  void take_as_front(node& mine) noexcept {
    const auto take_or_sign = [](std::uint32_t v) {
      return attempt<std::uint32_t>::write((v & held) == 0 ? v | held : v | asleep);
    };
    for (;;) {
      mine.word.store(waiting, memory_order::relaxed);
      const auto found = Machine::update(state_, take_or_sign, memory_order::acq_rel, memory_order::relaxed);
      if ((found.seen & held) == 0) return;
      Waiting::template wait<at_once>(mine.word, waiting);
    }
  }

  /// Makes the next one the front.
  void leave_line(node& mine) noexcept {
    const bool all_served = until_ == &mine;
    if (all_served) until_ = nullptr;
    const std::uint32_t passed = all_served ? 0 : passes(state_.load(memory_order::relaxed)) * one_pass;
    node* next = mine.next.load(memory_order::acquire);
    if (next == nullptr) {
      state_.store(held, memory_order::relaxed);
      node* last = &mine;
      if (tail_.compare_exchange_strong(last, nullptr, memory_order::release, memory_order::relaxed)) return;
      next = Machine::await(mine.next, memory_order::acquire, [](const node* n) { return n != nullptr; });
    }
    front_ = next;
    state_.store(passed | line | asleep | held, memory_order::relaxed);
  }

  [[gnu::noinline]] void unlock_slowly() noexcept {
    const std::uint32_t old = state_.fetch_and(~(held | asleep), memory_order::acq_rel);
    if ((old & asleep) == 0) return;
    node* const front = front_;
    Waiting::template hand_over<Machine>(front->word, woken, memory_order::release);
  }

  typename Machine::template atomic<std::uint32_t> state_{free};
  std::uint32_t limit_ = usual_bypasses.most;
  typename Machine::template atomic<node*> tail_{nullptr};
  typename Machine::template plain<node*> front_{nullptr};  // written by the holder, or by the first in a new line
  typename Machine::template plain<node*> until_{nullptr};  // the holder's
};

using fair_mutex = offered<basic_fair_mutex_lock<>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
