// Channel: one sender, one receiver, and a message that travels in one cache line.
//
// Problem. To pass a few words from one thread to another, most programs take a lock and a queue, and pay for three or
// four cache lines. If the message and the flag that says "it is there" share one line, the line goes to the receiver once
// and comes back once: two transfers for a message and for the room for the next.
//
// Picture.   | word | message ......................... |   one cache line, if sizeof(T) leaves room for the word's four bytes
//              empty   the sender's turn
//              full    the receiver's turn
//              closed  the sender said that no more will come
//
//   send      waits until the word is not full, writes the message, then the word.
//   receive   waits until the word is not empty, copies the message, then gives the word back.
//   close     waits until the last message was taken, then writes `closed`: nothing that was sent is lost.
//
// Sender and receiver take turns, so each value of the word has one thread that may change it, and plain stores do. The
// thread that waits is alone in waiting, so it may sleep on the word (channel with spin_park).
//
//   struct request {
//     int key;
//   };
//   synchro::channel<request> requests;
//   synchro::channel<int> answers;
//
//   void server() {
//     while (const auto r = requests.receive()) answers.send(2 * r->key);
//     answers.close();
//   }
//   int ask(int key) {
//     requests.send({key});
//     return *answers.receive();
//   }
//
// Choose it for requests and answers: the sender has little to do before the answer comes. Do not choose it for a
// stream of messages: with one slot, sender and receiver wait for each other at every message, and its line goes over
// twice. Two threads on processors of their own need 10 to 30 times as long for a message as through a plain ring
// (`./dev bench queues`); take a `ring`. Messages of several senders to one receiver: a `mailbox`.
//
// Memory orders.
//   access                          order     pairs with
//   send, close: wait for not full  acquire   the store of `empty` (release): the receiver has finished its copy
//   send: store of `full`           release   the receiver's wait (acquire): the message was written
//   receive: wait for not empty     acquire   the store of `full` or `closed`
//   receive: store of `empty`       release   the sender's wait (acquire)
//   close: store of `closed`        release   the receiver's wait (acquire): what was done before the end is seen
//   is_closed: load                 acquire   the same
//
// Source: David, Guerraoui, Trigonakis: Everything You Always Wanted to Know About Synchronization but Were Afraid to Ask,
// SOSP 2013, sections 4.3 and 6.2 (libssmp).

#ifndef SYNCHRO_MESSAGES_CHANNEL_HPP
#define SYNCHRO_MESSAGES_CHANNEL_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "synchro/deadline.hpp"
#include "synchro/detail/timed.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// What the word of a channel says, below the mark of the waiting policy.
struct channel_word {
  static constexpr std::uint32_t empty = 0;
  static constexpr std::uint32_t full = 1;
  static constexpr std::uint32_t closed = 2;
  static constexpr std::uint32_t mark = 0x8000'0000;  // the waiting policy's

  static constexpr std::uint32_t of(std::uint32_t word) { return word & ~mark; }
};

}  // namespace detail

/// One thread sends, one thread receives; each end may move to another thread if the two threads synchronize.
/// T is trivially copyable. Example:
///
///     synchro::channel<request> requests;
///     // client                                   // server
///     requests.send({key, 7});                    while (const auto r = requests.receive()) serve(*r);
///     requests.close();
template <class T, class Machine = hardware, class Waiting = spin>
class alignas(cpu::cache_line) basic_channel : public detail::timed_messages<basic_channel<T, Machine, Waiting>, T> {
  static_assert(std::is_trivially_copyable_v<T>, "a message is copied as bytes from one cache to the other");
  static_assert(std::is_default_constructible_v<T>, "an empty channel holds a message that nobody sent");

 public:
  using value_type = T;
  static constexpr bool parks = Waiting::parks;

  basic_channel() = default;
  basic_channel(const basic_channel&) = delete;
  basic_channel& operator=(const basic_channel&) = delete;

  // The sender's end.

  /// Waits until the last message was taken. False, and nothing is sent, if the channel is closed.
  bool send(const T& message) noexcept { return put(message, Waiting::template wait<Machine>(word_, words::full)); }

  /// False, and nothing is sent, if the last message was not taken yet, or the channel is closed.
  [[nodiscard]] bool try_send(const T& message) noexcept {
    const std::uint32_t seen = word_.load(memory_order::acquire);
    return words::of(seen) != words::full && put(message, seen);
  }

  /// No more will be sent. Waits until the last message was taken. The sender calls it; a second call does nothing.
  void close() noexcept {
    if (words::of(Waiting::template wait<Machine>(word_, words::full)) == words::closed) return;
    Waiting::template hand_over<Machine>(word_, words::closed, memory_order::release);
  }

  // The receiver's end.

  /// Waits for a message. Nothing if the channel is closed.
  [[nodiscard]] std::optional<T> receive() noexcept {
    return take(Waiting::template wait<Machine>(word_, words::empty));
  }

  /// Nothing if there is no message yet, or the channel is closed.
  [[nodiscard]] std::optional<T> try_receive() noexcept { return take(word_.load(memory_order::acquire)); }

  /// Either end may ask: whether the sender has closed it, and so all messages were taken.
  [[nodiscard]] bool is_closed() const noexcept {
    return words::of(word_.load(memory_order::acquire)) == words::closed;
  }

 private:
  template <class, std::size_t, class, class>
  friend class basic_mailbox;
  friend detail::timed_messages<basic_channel, T>;

  using words = detail::channel_word;

  bool put(const T& message, std::uint32_t seen) {
    if (words::of(seen) == words::closed) return false;
    message_ = message;
    Waiting::template hand_over<Machine>(word_, words::full, memory_order::release);
    return true;
  }

  std::optional<T> take(std::uint32_t seen) {
    if (words::of(seen) != words::full) return std::nullopt;
    const std::optional<T> message{static_cast<T>(message_)};
    Waiting::template hand_over<Machine>(word_, words::empty, memory_order::release);
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

  bool send_by(const T& message, typename Machine::deadline until) {
    const auto seen = Waiting::template wait_until<Machine>(word_, words::full, until);
    return seen && put(message, *seen);
  }

  std::optional<T> receive_by(typename Machine::deadline until) {
    const auto seen = Waiting::template wait_until<Machine>(word_, words::empty, until);
    return seen ? take(*seen) : std::nullopt;
  }

  typename Machine::template atomic<std::uint32_t> word_{words::empty};
  typename Machine::template plain<T> message_{T{}};
};

template <class T>
using channel = basic_channel<T>;
/// Both ends sleep after a while of waiting.
template <class T>
using sleeping_channel = basic_channel<T, hardware, spin_park>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
