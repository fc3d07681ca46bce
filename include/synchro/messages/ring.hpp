// Ring: a bounded queue between one sender and one receiver.
//
// Problem. In a stream of messages, sender and receiver should run at the same time and touch the other's cache lines as
// seldom as possible. A queue that reads the other side's index at every message pays a transfer for each.
//
// Picture.   slots     [ ][ ][m][m][m][ ][ ][ ]        a power of two
//                          ^head    ^tail
//            lines     | slots | tail, its sender's copy of head | head, its receiver's copy of tail |
//
//   send      the sender keeps a copy of head and reads the real one only if the copy says "full". Writes the slot, then
//             tail.
//   receive   the receiver keeps a copy of tail and reads the real one only if the copy says "empty". Reads the slot, then
//             writes head.
//   close     raises a bit in tail, which the receiver sees when it has taken all that was sent.
//   full      a sender that sends into each slot as it becomes free works on the lines that the receiver works on, and
//             both wait for them at every message. So it gives the receiver time to free eight lines, and looks
//             rarely meanwhile; it does not insist.
//   empty     likewise the receiver of a stream: it rests the longer before it looks the more it found when it looked
//             last, so that the sender's line comes once for many messages. A rest has to be earned: by several found
//             after a look in vain. Who finds one at a time, as where each is waited for and answered, looks at once, and
//             so does who finds what it looks for at once. For a stream in which it comes back too soon for every message
//             would look the same, it tries one rest now and then.
//
// So a line moves once per batch and not once per message, and the copies stand on the lines of those who use them. Each
// index has one writer and one thread that waits on it, so that thread may sleep (ring with spin_park).
//
// Choose it for a stream between two threads: pipelines, logging, audio. Do not choose it for requests and answers (a
// channel costs one line fewer), or where several threads send or receive.
//
// Indices have 30 bits and come round: a ring holds at most 2^29 messages.
//
// Memory orders.
//   access                           order     pairs with
//   send: wait for, load of head     acquire   the receiver's store of head (release): its copy of the slot is finished
//   send: looks while it is full     acquire   the same
//   send: store of tail              release   the receiver's wait (acquire): the slot was written
//   receive: wait for, load of tail  acquire   the sender's store of tail
//   receive: store of head           release   the sender's wait (acquire)
//   load of one's own index          relaxed   nothing: nobody else writes it but for the mark of who sleeps
//   is_closed: load                  acquire   the store of tail with the bit: what was done before close() is seen
//
// Source: Lamport: Specifying Concurrent Program Modules, ACM TOPLAS 5(2), 1983 (the queue without a lock); the copies:
// Giacomoni, Moseley, Vachharajani: FastForward for Efficient Pipeline Parallelism, PPoPP 2008, and Lee, Bu, Chandranmenon:
// A Lock-Free, Cache-Efficient Shared Ring Buffer for Multi-Core Architectures, ANCS 2009.

#ifndef SYNCHRO_MESSAGES_RING_HPP
#define SYNCHRO_MESSAGES_RING_HPP

#include <algorithm>
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
#include "synchro/look.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// One thread sends, one thread receives; each end may move to another thread if the two threads synchronize. T is
/// trivially copyable. Example:
///
///     synchro::ring<sample> samples{1024};
///     // producer                                 // consumer
///     samples.send(next());                       while (const auto s = samples.receive()) play(*s);
///     samples.close();
template <class T, class Machine = hardware, class Waiting = spin>
class basic_ring : public detail::timed_messages<basic_ring<T, Machine, Waiting>, T> {
  static_assert(std::is_trivially_copyable_v<T>, "a message is copied as bytes from one cache to the other");
  static_assert(std::is_default_constructible_v<T>, "an empty slot holds a message that nobody sent");

 public:
  using value_type = T;
  static constexpr bool parks = Waiting::parks;
  static constexpr std::size_t most_messages = std::size_t{1} << 29;

  /// Room for this many messages, or the next power of two; the memory is taken here. Throws std::length_error if that is 0
  /// or more than `most_messages`, and std::bad_alloc.
  explicit basic_ring(std::size_t messages) : basic_ring(messages, 0) {}
  basic_ring(const basic_ring&) = delete;
  basic_ring& operator=(const basic_ring&) = delete;

  [[nodiscard]] std::size_t capacity() const noexcept { return std::size_t{mask_} + 1; }

  // The sender's end.

  /// Waits while the ring is full. False, and nothing is sent, if it is closed.
  bool send(const T& message) noexcept { return send_by(message, Machine::never); }

  /// False, and nothing is sent, if the ring is full or closed.
  [[nodiscard]] bool try_send(const T& message) noexcept {
    const std::uint32_t tail = own(tail_);
    if (is_full(tail)) known_head_ = index_of(head_.load(memory_order::acquire));
    return !is_full(tail) && put(tail, message);
  }

  /// No more will be sent; what was sent is received first. The sender calls it; a second call does nothing.
  void close() noexcept { Waiting::template hand_over<Machine>(tail_, own(tail_) | closed_bit, memory_order::release); }

  // The receiver's end.

  /// Waits for a message. Nothing if the ring is closed and empty.
  [[nodiscard]] std::optional<T> receive() noexcept { return receive_by(Machine::never); }

  /// Nothing if the ring is empty.
  [[nodiscard]] std::optional<T> try_receive() noexcept {
    const std::uint32_t head = own(head_);
    if (is_empty(head)) known_tail_ = tail_.load(memory_order::acquire) & ~mark;
    return is_empty(head) ? std::nullopt : take(head);
  }

  /// Whether the sender has closed it. There may be messages left.
  [[nodiscard]] bool is_closed() const noexcept { return (tail_.load(memory_order::acquire) & closed_bit) != 0; }

 protected:
  /// With indices that begin elsewhere: tests begin just before they come round.
  basic_ring(std::size_t messages, std::uint32_t first)
      : mask_{mask_for(messages)},
        slots_{new slot[std::size_t{mask_} + 1]},
        tail_{first & index_bits},
        known_head_{first & index_bits},
        head_{first & index_bits},
        known_tail_{first & index_bits} {}

 private:
  friend detail::timed_messages<basic_ring, T>;

  using slot = typename Machine::template plain<T>;
  using word = typename Machine::template atomic<std::uint32_t>;
  using copy = typename Machine::template plain<std::uint32_t>;

  static constexpr std::uint32_t mark = 0x8000'0000;  // the waiting policy's
  static constexpr std::uint32_t closed_bit = 0x4000'0000;
  static constexpr std::uint32_t index_bits = closed_bit - 1;

  // How long an end rests between two looks at the other's line, in pauses. Where several slots share a line the sender's
  // looks delay more messages.
  static constexpr std::size_t slots_in_line = std::max<std::size_t>(cpu::cache_line / sizeof(slot), 1);
  static constexpr std::uint32_t longest_rest_when_empty = 16;
  static constexpr std::uint32_t trial_rest = 4;
  static constexpr std::uint32_t waits_per_trial = 64;
  static constexpr std::uint32_t rest_when_full = slots_in_line == 1 ? 16 : 32;
  // How much the sender hopes for, and how often it looks for that.
  static constexpr std::size_t slots_freed = 8 * slots_in_line;
  static constexpr std::uint32_t looks_when_full = 8;

  static constexpr std::uint32_t index_of(std::uint32_t v) { return v & index_bits; }

  static std::uint32_t mask_for(std::size_t messages) {
    if (messages == 0 || messages > most_messages) detail::raise(std::length_error{"a ring holds 1 to 2^29 messages"});
    return static_cast<std::uint32_t>(std::bit_ceil(messages)) - 1;
  }

  /// Of the end that calls. The other end changes nothing but the mark.
  static std::uint32_t own(const word& index) { return index.load(memory_order::relaxed) & ~mark; }

  /// How much is in it, by a head and a tail.
  static std::uint32_t in_use(std::uint32_t head, std::uint32_t tail) { return (tail - head) & index_bits; }
  bool is_full(std::uint32_t tail) const { return in_use(known_head_, tail) == capacity(); }
  /// False if it is closed and empty, too: the copy then differs by the bit.
  bool is_empty(std::uint32_t head) const { return static_cast<std::uint32_t>(known_tail_) == head; }

  bool put(std::uint32_t tail, const T& message) {
    if ((tail & closed_bit) != 0) return false;
    slots_[tail & mask_] = message;
    Waiting::template hand_over<Machine>(tail_, index_of(tail + 1), memory_order::release);
    return true;
  }

  std::optional<T> take(std::uint32_t head) {
    if (index_of(known_tail_) == head) return std::nullopt;
    const std::optional<T> message{static_cast<T>(slots_[head & mask_])};
    Waiting::template hand_over<Machine>(head_, index_of(head + 1), memory_order::release);
    return message;
  }

  template <class Limit>
  bool send_within(const T& message, const Limit& limit) {
    return try_send(message) || send_by(message, deadline_of<Machine>(limit));
  }
  template <class Limit>
  std::optional<T> receive_within(const Limit& limit) {
    return receive_by(deadline_of<Machine>(limit));
  }

  /// Until many slots are free, or a few are and it has waited long enough for more; at once if it is not nearly full.
  void await_room(std::uint32_t tail) {
    const std::size_t nearly = capacity() - (capacity() + 7) / 8;
    const std::size_t left = capacity() - std::min((capacity() + 1) / 2, slots_freed);
    const auto freed = [=](std::uint32_t head, std::uint32_t round) {
      return in_use(head, tail) <= (round == 0 ? nearly : left) ? look::content() : look::again(rest_when_full);
    };
    if (const auto seen = Machine::await_until(head_, memory_order::acquire, freed, looks{looks_when_full}))
      known_head_ = index_of(*seen);
  }

  bool send_by(const T& message, typename Machine::deadline until) {
    const std::uint32_t tail = own(tail_);
    if ((tail & closed_bit) != 0) return false;
    if (is_full(tail)) await_room(tail);
    if (is_full(tail)) {
      // Full: head is as far behind as it can be, and waits there until something is taken.
      const auto seen = Waiting::template wait_until<Machine>(head_, index_of(known_head_), until);
      if (!seen) return false;
      known_head_ = index_of(*seen);
    }
    return put(tail, message);
  }

  std::optional<T> receive_by(typename Machine::deadline until) {
    const std::uint32_t head = own(head_);
    if (is_empty(head)) {
      const std::uint32_t rested = rest_;
      if (rested != 0) Machine::pause(rested);
      known_tail_ = tail_.load(memory_order::acquire) & ~mark;
      const bool waits = is_empty(head);
      if (waits) {
        const auto seen = Waiting::template wait_until<Machine>(tail_, head, until);
        if (!seen) return std::nullopt;
        known_tail_ = *seen & ~mark;
      }
      if (waits || rested != 0) rest_ = next_rest(rested, in_use(head, known_tail_));
    }
    return take(head);
  }

  /// How long to rest before the next look, when one behind a rest, or one in vain, was followed by so many messages.
  std::uint32_t next_rest(std::uint32_t rested, std::uint32_t found) {
    if (found > 1) return std::min(found, longest_rest_when_empty);
    if (rested != 0) return 0;
    waits_ = (waits_ + 1) % waits_per_trial;
    return waits_ == 0 ? trial_rest : 0;
  }

  // Written once, when the ring is made.
  const std::uint32_t mask_;
  const std::unique_ptr<slot[]> slots_;
  // The sender's line. The receiver reads the first word when its copy is used up.
  alignas(cpu::cache_line) word tail_;
  copy known_head_;
  // The receiver's line. The sender reads the first word when its copy is used up.
  alignas(cpu::cache_line) word head_;
  copy known_tail_;
  copy rest_{0};   // before the next look, in pauses
  copy waits_{0};  // that found one, modulo waits_per_trial
};

template <class T>
using ring = basic_ring<T>;
/// Both ends sleep after a while of waiting.
template <class T>
using sleeping_ring = basic_ring<T, hardware, spin_park>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
