// Ring: a bounded queue between one sender and one receiver.
//
// Problem. In a stream of messages, sender and receiver should run at the same time and touch the other's cache lines as
// seldom as possible. A queue that reads the other side's index at every message pays a transfer for each; where each
// message is waited for, the line of an index is one more to wait for than the message's.
//
// Picture.   slots     [ turn | message ]   a power of two
//                          ^head    ^tail
//            lines     | slots | tail, its limit | head |
//
//   turn of the slot at position p      p + 1 - n        of the round before, n slots ago: the receiver waits
//                                       p + 1            the message at p is there
//
//   send      the sender keeps where tail may go by the head that it saw last, and reads head only if tail is there. Writes
//             the message, then the turn.
//   receive   waits for the turn, reads the message, then writes head.
//   close     raises a bit in the turn of the slot at tail, without changing the turn. A message that is there still is
//             received; a receiver that comes to that slot for the next one sees that there is none.
//   full      a sender that sends into each slot as it becomes free works on the lines that the receiver works on, and
//             both wait for them at every message. So it gives the receiver time to free eight lines, and looks
//             rarely meanwhile; it does not insist.
//
// Only the sender writes slots, so a message that is waited for comes in one transfer of the slot's line. In a stream the
// receiver takes all messages of a line, or calls for lines that are further on, and the sender reads head once for many. A
// turn has one writer and one thread that waits on it, and head likewise, so that thread may sleep (ring with spin_park).
//
// Choose it for a stream between two threads: pipelines, logging, audio. Do not choose it for requests and answers (a
// `channel` costs one line fewer), or where several threads send or receive.
//
// `synchro::ring<T>{1024}` holds 1024 messages, rounded up to a power of two; 0, or more than 2^29, throws
// std::length_error, for positions have 30 bits and come round. A slot takes the next power of two above the message
// and four bytes, or whole lines. close() does not wait.
//
// Memory orders.
//   access                           order     pairs with
//   send: wait for, load of head     acquire   the receiver's store of head (release): its copy of the slot is finished
//   send: looks while it is full     acquire   the same
//   send: store of turn              release   the receiver's wait, load (acquire): the message was written
//   receive: wait for, load of turn  acquire   the sender's store of turn
//   receive: store of head           release   the sender's wait (acquire)
//   load of one's own head           relaxed   nothing: nobody else writes it but for the mark of the sleeper
//   close: store of closed           release   is_closed: what was done before close() is seen
//   send, close: load of closed      relaxed   nothing: only the sender writes it
//   close: store of turn             release   the receiver's wait, load (acquire)
//   is_closed: load                  acquire   the store of closed
//
// Source: Lamport: Specifying Concurrent Program Modules, ACM TOPLAS 5(2), 1983 (the queue without a lock); what says in
// the slot that it is full, and the copy: Giacomoni, Moseley, Vachharajani: FastForward for Efficient Pipeline Parallelism,
// PPoPP 2008, and Lee, Bu, Chandranmenon: A Lock-Free, Cache-Efficient Shared Ring Buffer for Multi-Core Architectures, ANCS
// 2009.

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
    if (has_come_to_limit()) {
      if (was_closed()) return false;
      reach_for(head_.load(memory_order::acquire));
      if (has_come_to_limit()) return false;
    }
    put(message);
    return true;
  }

  /// No more will be sent; what was sent is received first. The sender calls it; a second call does nothing. The receiver may
  /// destroy the ring when receive() has returned nothing, but not because is_closed() is true: close() may be under way.
  void close() noexcept {
    if (was_closed()) return;
    closed_.store(1, memory_order::release);
    const std::uint32_t tail = tail_;
    limit_ = tail;
    Waiting::template hand_over<Machine>(at(tail).turn, turn_before(tail) | closed_bit, memory_order::release);
  }

  // The receiver's end.

  /// Waits for a message. Nothing if the ring is closed and empty.
  [[nodiscard]] std::optional<T> receive() noexcept { return receive_by(Machine::never); }

  /// Nothing if the ring is empty.
  [[nodiscard]] std::optional<T> try_receive() noexcept {
    const std::uint32_t head = own_head();
    slot& next = at(head);
    const bool is_there = index_of(next.turn.load(memory_order::acquire)) == turn_of(head);
    return is_there ? take(next, head) : std::nullopt;
  }

  /// Whether the sender has closed it. There may be messages left.
  [[nodiscard]] bool is_closed() const noexcept { return closed_.load(memory_order::acquire) != 0; }

 protected:
  /// With positions that begin elsewhere: tests begin just before they come round.
  basic_ring(std::size_t messages, std::uint32_t first)
      : mask_{mask_for(messages)},
        slots_{new slot[capacity()]},
        tail_{first & index_bits},
        limit_{index_of(first + mask_ + 1)},
        head_{first & index_bits} {
    for (std::uint32_t i = 0; i <= mask_; ++i) at(first + i).turn.store(turn_before(first + i), memory_order::relaxed);
  }

 private:
  friend detail::timed_messages<basic_ring, T>;

  using word = typename Machine::template atomic<std::uint32_t>;
  using copy = typename Machine::template plain<std::uint32_t>;

  using content = typename Machine::template plain<T>;

  // On one line, if it has room.
  static constexpr std::size_t bytes_on_one_line = std::min(std::bit_ceil(sizeof(T) + sizeof(word)), cpu::cache_line);
  struct alignas(std::max(bytes_on_one_line, alignof(content))) slot {
    word turn{0};
    content message;
  };

  static constexpr std::uint32_t mark = 0x8000'0000;  // the waiting policy's
  static constexpr std::uint32_t closed_bit = 0x4000'0000;
  static constexpr std::uint32_t index_bits = closed_bit - 1;

  // How much a sender that found it full hopes for, how often it looks for that, and how many pauses it rests between.
  // Where several slots share a line its looks delay more messages.
  static constexpr std::size_t slots_in_line = std::max<std::size_t>(cpu::cache_line / sizeof(slot), 1);
  static constexpr std::size_t slots_freed = 8 * slots_in_line;
  static constexpr std::uint32_t looks_when_full = 8;
  static constexpr std::uint32_t rest_when_full = slots_in_line == 1 ? 16 : 32;

  // How far ahead a receiver calls for slots that have a line each. To see that a message is there takes its line, so lines
  // would come one by one.
  static constexpr std::uint32_t slots_ahead = 12;

  static constexpr std::uint32_t index_of(std::uint32_t v) { return v & index_bits; }

  static std::uint32_t mask_for(std::size_t messages) {
    if (messages == 0 || messages > most_messages) detail::raise(std::length_error{"a ring holds 1 to 2^29 messages"});
    return static_cast<std::uint32_t>(std::bit_ceil(messages)) - 1;
  }

  slot& at(std::uint32_t position) const { return slots_[position & mask_]; }
  static std::uint32_t turn_of(std::uint32_t position) { return index_of(position + 1); }
  /// The slot's word until the message at this position is there.
  std::uint32_t turn_before(std::uint32_t position) const { return index_of(position - mask_); }

  /// Only the receiver calls it: the sender changes nothing but the mark.
  std::uint32_t own_head() const { return head_.load(memory_order::relaxed) & ~mark; }
  /// For the sender.
  bool was_closed() const { return closed_.load(memory_order::relaxed) != 0; }

  /// Full, by the head that was seen last, or closed.
  bool has_come_to_limit() const { return static_cast<std::uint32_t>(tail_) == limit_; }
  void reach_for(std::uint32_t head) { limit_ = index_of(head + mask_ + 1); }

  void put(const T& message) {
    const std::uint32_t tail = tail_;
    slot& next = at(tail);
    next.message = message;
    tail_ = index_of(tail + 1);  // first: a receiver that has the last message may destroy the ring
    Waiting::template hand_over<Machine>(next.turn, turn_of(tail), memory_order::release);
  }

  /// The message in the slot at `head`, which is there.
  std::optional<T> take(slot& next, std::uint32_t head) {
    if (slots_in_line == 1 && mask_ >= 4 * slots_ahead) Machine::prefetch_for_write(&at(head + slots_ahead));
    const std::optional<T> message{static_cast<T>(next.message)};
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
  void hope_for_more() {
    const std::uint32_t tail = tail_;
    const std::size_t nearly = capacity() - (capacity() + 7) / 8;
    const std::size_t left = capacity() - std::min((capacity() + 1) / 2, slots_freed);
    const auto freed = [=](std::uint32_t head, std::uint32_t round) {
      return index_of(tail - head) <= (round == 0 ? nearly : left) ? look::done() : look::retry(rest_when_full);
    };
    if (const auto seen = Machine::await_until(head_, memory_order::acquire, freed, looks{looks_when_full}))
      reach_for(*seen);
  }

  /// At the limit. False if it is closed, or the time is up.
  bool await_room(typename Machine::deadline until) {
    if (was_closed()) return false;
    hope_for_more();
    if (has_come_to_limit()) {
      // Full: head is as far behind as it can be, and waits there until something is taken.
      const auto seen = Waiting::template wait_until<Machine>(head_, index_of(limit_ - mask_ - 1), until);
      if (!seen) return false;
      reach_for(*seen);
    }
    return true;
  }

  bool send_by(const T& message, typename Machine::deadline until) {
    if (has_come_to_limit() && !await_room(until)) return false;
    put(message);
    return true;
  }

  std::optional<T> receive_by(typename Machine::deadline until) {
    const std::uint32_t head = own_head();
    slot& next = at(head);
    if (next.turn.load(memory_order::acquire) == turn_of(head)) return take(next, head);
    const auto seen = Waiting::template wait_until<Machine>(next.turn, turn_before(head), until);
    return seen && index_of(*seen) == turn_of(head) ? take(next, head) : std::nullopt;
  }

  // Written when the ring is made, and closed.
  const std::uint32_t mask_;
  word closed_{0};
  const std::unique_ptr<slot[]> slots_;
  // The sender's line.
  alignas(2 * cpu::cache_line) copy tail_;
  copy limit_;  // of tail, by the head that was seen last; tail itself, when it is closed
  // The receiver's line. The sender reads it when tail has come to its limit.
  alignas(2 * cpu::cache_line) word head_;
};

template <class T>
using ring = basic_ring<T>;
/// Both ends sleep after a while of waiting.
template <class T>
using sleeping_ring = basic_ring<T, hardware, spin_park>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
