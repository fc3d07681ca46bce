// Queue: bounded, any number of senders and receivers.
//
// Problem. Many threads produce, many consume. A queue under a lock makes all of them wait for each other; one whose ends
// are two counters alone cannot tell whether the slot that a counter names is already written, or already read.
//
// Picture.   slot      [ turn | message ]   a cache line each, a power of two of them, at least two
//            lines     | tail, closed | head | slots ...
//
//   turn of the slot at position p      p        free: the sender of p may write
//                                       p + 1    full: the receiver of p may read
//                                       p + n    free for the next round, n slots later
//
//   send      takes position p by adding one to tail, if the slot's turn is p; writes the message, then turn p + 1.
//   receive   takes position p by adding one to head, if the slot's turn is p + 1; reads the message, then writes turn
//             p + n.
//   close     raises a bit in tail: no position can be taken after that. All that were taken before are received first.
//   empty     the receiver looks at the slot alone for a while, and only then at tail as well, which says whether the queue is
//             closed: each look at tail takes its line from the senders.
//
// Senders meet at tail and receivers at head only; a sender and a receiver meet at a slot. Positions have 63 bits and do
// not come round in a lifetime.
//
// `synchro::queue<T>{1024}` holds 1024 messages, rounded up to a power of two (2 at least); 0, or more than 2^29,
// throws std::length_error. Messages of one sender are received in the order in which it sent them. Anybody may call
// close(), which does not wait.
//
//   synchro::sleeping_queue<job> jobs{1024};
//
//   void worker() {
//     while (const auto j = jobs.receive()) work(*j);
//   }
//
// It is no lock-free queue in the strict sense: a sender that is stopped between taking a position and writing its slot
// holds up the receivers behind it, though not the senders. try_receive then finds nothing, try_send no room.
//
// Choose it to hand work to a pool of threads. Do not choose it between two threads (`ring` costs a fraction), nor where
// a receiver must know who has sent (`mailbox`). With spin_park a thread sleeps on an event count, which wakes all that
// sleep at each message: with many idle receivers a counting_semaphore beside it wakes one.
//
// Memory orders.
//   access                              order     pairs with
//   load of tail, of head               relaxed   nothing: the slot's turn says whether it is still true
//   send, receive: load of turn         acquire   the store of turn by the other side (release): its message was written,
//                                                 or its copy is finished; and the position it took is seen
//   send: compare-and-swap of tail      relaxed   nothing: the turn publishes the message
//   receive: compare-and-swap of head   relaxed   nothing
//   send, receive: store of turn        release   the load of turn
//   wait: turn, tail                    relaxed   nothing: the attempt that follows looks again
//   receive: load of tail, if empty     acquire   close: what was done before it is seen
//   close: fetch_or of tail             release   that
//
// Source: Vyukov: Bounded MPMC queue, 1024cores.net, 2010 (a turn in each slot); sleeping as in sync/event_count.hpp.

#ifndef SYNCHRO_MESSAGES_QUEUE_HPP
#define SYNCHRO_MESSAGES_QUEUE_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "synchro/deadline.hpp"
#include "synchro/detail/exceptions.hpp"
#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/sync/event_count.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// A spinning thread need not be woken.
struct no_event_count {
  void notify() noexcept {}
};

}  // namespace detail

/// Any thread may send, receive and close. T is trivially copyable. Example:
///
///     synchro::sleeping_queue<job> jobs{1024};
///     // any producer          // any worker
///     jobs.send(next());       while (const auto j = jobs.receive()) work(*j);
///     jobs.close();
template <class T, class Machine = hardware, class Waiting = spin>
class basic_queue : public detail::timed_messages<basic_queue<T, Machine, Waiting>, T> {
  static_assert(std::is_trivially_copyable_v<T>, "a message is copied as bytes from one cache to the other");
  static_assert(std::is_default_constructible_v<T>, "an empty slot holds a message that nobody sent");

 public:
  using value_type = T;
  static constexpr bool parks = Waiting::parks;
  static constexpr std::size_t most_messages = std::size_t{1} << 29;

  /// Room for this many messages, or the next power of two, at least 2; the memory is taken here. Throws std::length_error
  /// if that is 0 or more than `most_messages`, and std::bad_alloc.
  explicit basic_queue(std::size_t messages) : mask_{mask_for(messages)}, slots_{new slot[capacity()]} {
    for (position p = 0; p <= mask_; ++p) at(p).turn.store(p, memory_order::relaxed);
  }
  basic_queue(const basic_queue&) = delete;
  basic_queue& operator=(const basic_queue&) = delete;

  [[nodiscard]] std::size_t capacity() const noexcept { return static_cast<std::size_t>(mask_) + 1; }

  /// Waits while the queue is full. False, and nothing is sent, if it is closed.
  bool send(const T& message) noexcept { return send_by(message, Machine::never); }

  /// False, and nothing is sent, if the queue is full or closed.
  [[nodiscard]] bool try_send(const T& message) noexcept { return attempt_to_send(message).is == answer::done; }

  /// No more will be sent; what was sent is received first. A second call does nothing.
  void close() noexcept {
    tail_.fetch_or(closed, memory_order::release);
    filled_.notify();
    emptied_.notify();
  }

  /// Waits for a message. Nothing if the queue is closed and empty.
  [[nodiscard]] std::optional<T> receive() { return receive_by(Machine::never); }

  /// Nothing if there is no message that is whole.
  [[nodiscard]] std::optional<T> try_receive() {
    T message{};
    return attempt_to_receive(message).is == answer::done ? std::optional{message} : std::nullopt;
  }

  /// Whether somebody has closed it. There may be messages left.
  [[nodiscard]] bool is_closed() const noexcept { return (tail_.load(memory_order::acquire) & closed) != 0; }

 private:
  friend detail::timed_messages<basic_queue, T>;

  using position = std::uint64_t;
  using word = typename Machine::template atomic<position>;
  /// A thread that comes to the event count has looked at the queue.
  using sleepers = std::conditional_t<parks, basic_event_count<Machine, detail::at_once>, detail::no_event_count>;
  using deadline = typename Machine::deadline;

  static constexpr position closed = position{1} << 63;
  static constexpr std::uint32_t looks_at_slot = 64;

  struct alignas(cpu::cache_line) slot {
    word turn{0};
    typename Machine::template plain<T> message{T{}};
  };

  enum class answer : std::uint8_t { done, not_yet, never };
  /// The outcome of an attempt, and the position at which it would have to be repeated.
  struct outcome {
    answer is;
    position at = 0;
  };

  static position mask_for(std::size_t messages) {
    if (messages == 0 || messages > most_messages) detail::raise(std::length_error{"a queue holds 1 to 2^29 messages"});
    return std::bit_ceil(messages < 2 ? std::size_t{2} : messages) - 1;
  }
  /// Positions are compared by their difference.
  static bool is_before(position a, position b) { return static_cast<std::int64_t>(a - b) < 0; }
  slot& at(position p) { return slots_[static_cast<std::size_t>(p & mask_)]; }

  outcome attempt_to_send(const T& message) {
    position p = tail_.load(memory_order::relaxed);
    while ((p & closed) == 0) {
      slot& mine = at(p);
      const position turn = mine.turn.load(memory_order::acquire);
      if (is_before(turn, p)) return {answer::not_yet, p};
      if (turn != p) {
        p = tail_.load(memory_order::relaxed);  // others have taken it: by their turn this one sees the next
      } else if (tail_.compare_exchange_strong(p, p + 1, memory_order::relaxed, memory_order::relaxed)) {
        mine.message = message;
        mine.turn.store(p + 1, memory_order::release);
        filled_.notify();
        return {answer::done};
      }
    }
    return {answer::never};
  }

  outcome attempt_to_receive(T& message) {
    position p = head_.load(memory_order::relaxed);
    for (;;) {
      slot& mine = at(p);
      const position turn = mine.turn.load(memory_order::acquire);
      if (is_before(turn, p + 1)) return {answer::not_yet, p};
      if (turn != p + 1) {
        p = head_.load(memory_order::relaxed);
      } else if (head_.compare_exchange_strong(p, p + 1, memory_order::relaxed, memory_order::relaxed)) {
        message = mine.message;
        mine.turn.store(p + capacity(), memory_order::release);
        emptied_.notify();
        return {answer::done};
      }
    }
  }

  template <class Limit>
  bool send_within(const T& message, const Limit& limit) {
    return send_by(message, deadline_of<Machine>(limit));
  }
  template <class Limit>
  std::optional<T> receive_within(const Limit& limit) {
    return receive_by(deadline_of<Machine>(limit));
  }

  bool send_by(const T& message, deadline until) {
    const auto attempt = [&] { return attempt_to_send(message); };
    const auto may_go_on = [](position turn, position p, position tail) {
      return !is_before(turn, p) || (tail & closed) != 0;
    };
    const auto over = [](position) { return false; };  // an attempt tells
    return finish(attempt, may_go_on, over, emptied_, until) == answer::done;
  }
  std::optional<T> receive_by(deadline until) {
    T message{};
    const auto attempt = [&] { return attempt_to_receive(message); };
    const auto may_go_on = [](position turn, position p, position tail) {
      return !is_before(turn, p + 1) || tail == (p | closed);
    };
    const auto over = [this](position p) { return tail_.load(memory_order::acquire) == (p | closed); };
    return finish(attempt, may_go_on, over, filled_, until) == answer::done ? std::optional{message} : std::nullopt;
  }

  /// Attempts until it is decided, or the time is up.
  template <class Attempt, class MayGoOn, class Over>
  answer finish(Attempt attempt, MayGoOn may_go_on, Over over, sleepers& changed, deadline until) {
    for (;;) {
      outcome o = attempt();
      if (o.is != answer::not_yet) return o.is;
      if (look_first(o.at, may_go_on, changed)) continue;
      if constexpr (parks) {
        const auto key = changed.prepare();
        o = attempt();
        if (o.is != answer::not_yet) return o.is;
        if (over(o.at)) return answer::never;
        if (!changed.wait_until(key, until)) return attempt().is;
      } else {
        if (over(o.at)) return answer::never;
        const auto step = [=, p = o.at](position turn, position tail, std::uint32_t round) {
          return may_go_on(turn, p, tail) ? look::done() : Waiting::retry(round + looks_at_slot);
        };
        if (!Machine::await_any_until(memory_order::relaxed, step, until, at(o.at).turn, tail_)) return answer::not_yet;
      }
    }
  }

  /// Looks at the slot alone for a while; whether the next attempt may succeed.
  template <class MayGoOn>
  bool look_first(position p, MayGoOn may_go_on, sleepers& changed) {
    const auto look_for = [&]<class Rest>(Rest rest, looks many) {
      const auto step = [=](position turn, std::uint32_t round) {
        return may_go_on(turn, p, 0) ? look::done() : rest(round);
      };
      return Machine::await_until(at(p).turn, memory_order::relaxed, step, many).has_value();
    };
    if constexpr (parks) return Waiting::template look_first<Machine>(&changed, look_for);
    return look_for([](std::uint32_t round) { return Waiting::retry(round); }, looks{looks_at_slot});
  }

  const position mask_;
  const std::unique_ptr<slot[]> slots_;
  alignas(cpu::cache_line) word tail_{0};
  alignas(cpu::cache_line) word head_{0};
  alignas(cpu::cache_line) [[no_unique_address]] sleepers filled_;
  [[no_unique_address]] sleepers emptied_;
};

template <class T>
using queue = basic_queue<T>;
/// Waiting threads sleep.
template <class T>
using sleeping_queue = basic_queue<T, hardware, yield_then_park>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
