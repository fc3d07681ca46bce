// Mailbox: several senders, one receiver that takes from whichever has sent.
//
// Problem. A server has one channel to each client and must not wait for one of them while another has sent. Polling them
// in a fixed order lets a busy client starve the others.
//
// Picture.   client 0  |word|message|   one channel each: clients share no line with each other,
//            client 1  |word|message|   and a message is still two transfers
//            client 2  |word|message|
//
//   receive_any   looks at the words of all chosen clients until one of them is full, and takes that message: of several,
//                 the one whose turn comes next after the client served last.
//
// `synchro::mailbox<T, Clients>` is for up to 64 clients. receive_any(set) takes a set of them as bits; it returns the
// number of the client with the message, and nothing when all of the set have closed. A hash table that is served by
// messages is built on it (docs/hash_table/README.md#by-message-passing).
//
// Choose it for a server of a few dozen clients (delegation, a partitioned table). Do not choose it for hundreds: a look
// reads a line per client. The receiver spins or yields: it cannot sleep on several words.
//
// Memory orders. Those of the channel (channel.hpp); a look at the words is acquire, and pairs with the sender's store.
//
// Source: libssmp, ssmp_recv_color; David, Guerraoui, Trigonakis, SOSP 2013, section 4.3.

#ifndef SYNCHRO_MESSAGES_MAILBOX_HPP
#define SYNCHRO_MESSAGES_MAILBOX_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "synchro/hardware.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// One receiver and up to `Clients` senders (at most 64), each of which uses `from(i)` of its own.
template <class T, std::size_t Clients, class Machine = hardware, class Waiting = spin>
class basic_mailbox {
  static_assert(Clients >= 1 && Clients <= 64, "a set of clients is 64 bits");
  static_assert(!Waiting::parks, "nobody can sleep on several words");

 public:
  using channel_type = basic_channel<T, Machine, Waiting>;
  /// Bit i stands for client i.
  using client_set = std::uint64_t;
  static constexpr client_set all = ~client_set{0} >> (64 - Clients);

  struct received {
    std::size_t client;
    T message;
  };

  /// The sender's end of client i.
  [[nodiscard]] channel_type& from(std::size_t client) noexcept { return channels_[client]; }

  /// Waits for a message of one of these. Nothing if all of them have closed; of none: nothing at once.
  [[nodiscard]] std::optional<received> receive_any(client_set chosen = all) noexcept {
    const state_of_each seen = look_until_content(chosen & all, std::make_index_sequence<Clients>{});
    return take_next(seen, chosen & all);
  }

  /// Nothing if none of these has sent.
  [[nodiscard]] std::optional<received> try_receive_any(client_set chosen = all) noexcept {
    const state_of_each seen = look_once(std::make_index_sequence<Clients>{});
    return take_next(seen, chosen & all);
  }

 private:
  using state_of_each = std::array<std::uint32_t, Clients>;
  using states = detail::channel_word;

  /// Content if one of the chosen has sent, or if none of them will. The last argument is the round.
  struct one_has_sent {
    client_set chosen;

    template <class... Numbers>
    requires(sizeof...(Numbers) == Clients + 1) look operator()(Numbers... word_of_each_then_round) const {
      const std::array<std::uint32_t, Clients + 1> seen{word_of_each_then_round...};
      const client_set full = which(seen, states::full), closed = which(seen, states::closed);
      return (full & chosen) != 0 || (closed & chosen) == chosen ? look::done() : Waiting::retry(seen.back());
    }
  };

  template <std::size_t N>
  static client_set which(const std::array<std::uint32_t, N>& seen, std::uint32_t state) {
    client_set found = 0;
    for (std::size_t i = 0; i != Clients; ++i) found |= client_set{seen[i] == state} << i;
    return found;
  }

  template <std::size_t... I>
  state_of_each look_until_content(client_set chosen, std::index_sequence<I...>) {
    const auto seen = Machine::await_any(memory_order::acquire, one_has_sent{chosen}, channels_[I].word_...);
    return {std::get<I>(seen)...};
  }
  template <std::size_t... I>
  state_of_each look_once(std::index_sequence<I...>) {
    return {channels_[I].word_.load(memory_order::acquire)...};
  }

  std::optional<received> take_next(const state_of_each& seen, client_set chosen) {
    const client_set full = which(seen, states::full) & chosen;
    if (full == 0) return std::nullopt;
    const client_set not_before = full & (~client_set{0} << static_cast<unsigned>(next_));
    const auto client = static_cast<std::size_t>(std::countr_zero(not_before != 0 ? not_before : full));
    next_ = static_cast<unsigned>((client + 1) % Clients);
    return received{client, *channels_[client].take(seen[client])};
  }

  std::array<channel_type, Clients> channels_;
  typename Machine::template plain<unsigned> next_{0};  // the receiver's alone
};

template <class T, std::size_t Clients>
using mailbox = basic_mailbox<T, Clients>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
