// Messages as the paper's authors have published their library: libssmp (github.com/trigonak/ssmp, src/platform). Its claims are
// about that library, whose ends look otherwise than a channel's and a mailbox's do.
//
//   Picture   one line from each sender to each receiver: the words, and a flag that says whose turn it is
//   receive   waits for `full`, copies the line, writes `empty`
//   send      waits for `empty`, copies the line, writes `full`
//
//   way of looking    where                       a look, and the rest after the k-th one
//   fetching          Opteron: with a directory   fetches the line for writing before; the receiver k mod 64 pauses, the sender a
//                                                 fence
//   plain             in a socket of the Xeon     a load; the receiver k mod 64 pauses, the sender a pause and a fence
//   claiming          across sockets of the Xeon  a compare-and-swap of the awaited value by `locked`; 66 cycles
//   plain             one socket                  a load; a pause
//
// With several sockets and no directory, each send, and each receive from one sender, ends with a fence. A server looks at one
// client after the other, from the one behind the last that it served, and takes what it finds. Where it fetches, it then asks
// for the lines of the answer and of the next client.
//
// A message that ends a stream is this file's: libssmp counts.

#ifndef SYNCHRO_SIMULATIONS_PAPER_MESSAGES_HPP
#define SYNCHRO_SIMULATIONS_PAPER_MESSAGES_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "experiments/messages/server.hpp"
#include "simulations/copying.hpp"

namespace synchro::simulations {

/// One sender, one receiver. Without `Fetching` a machine with a directory has plain looks, too.
template <class Message, bool Fetching = true>
class alignas(cpu::cache_line) paper_channel {
  using word = simulated::atomic<std::uint32_t>;

 public:
  static constexpr std::uint32_t empty = 0, full = 1, locked = 2, closed = 3;

  void send(const Message& m) {
    await_turn(sender, empty);
    message_ = m;
    flag_.store(full, memory_order::release);
    if (fences()) simulated::fence();
  }
  void close() {
    await_turn(sender, empty);
    flag_.store(closed, memory_order::release);
  }
  /// Nothing if the sender has closed.
  [[nodiscard]] std::optional<Message> receive() {
    if (await_turn(receiver, full) == closed) return std::nullopt;
    const Message m = take();
    if (fences()) simulated::fence();
    return m;
  }

  // For a server, which looks at several.

  [[nodiscard]] bool claims() { return claims(receiver); }
  /// What the flag says; `full` means that the message is the caller's.
  [[nodiscard]] std::uint32_t look() {
    if (claims()) return claim(full);
    if (fetches()) fetch();
    return flag_.load(memory_order::acquire);
  }
  [[nodiscard]] Message take() {
    const Message m = message_;
    flag_.store(empty, memory_order::release);
    return m;
  }
  void fetch() const { simulated::prefetch_for_write(&flag_); }
  [[nodiscard]] const word& flag() const { return flag_; }
  [[nodiscard]] static bool fetches() { return Fetching && machine().directory_hop(); }

 private:
  enum end : std::uint8_t { sender, receiver };

  static const simulator::model& machine() { return simulator::world::current().machine(); }
  static bool fences() { return !machine().directory_hop() && machine().dies() > 1; }
  static std::uint32_t pauses_as_long_as(simulator::ticks t) {
    return static_cast<std::uint32_t>((t + machine().pause() - 1) / machine().pause());
  }

  /// libssmp knows where a process runs; here each end says so when it comes first, and counts as near until then.
  bool claims(end me) {
    if (!fences()) return false;
    cores_[me] = simulator::world::current().running().core;
    const auto& there = cores_[me == sender ? receiver : sender];
    return there && machine().die_of_core(*cores_[me]) != machine().die_of_core(*there);
  }

  std::uint32_t claim(std::uint32_t awaited) {
    std::uint32_t seen = awaited;
    flag_.compare_exchange_strong(seen, locked, memory_order::acquire, memory_order::acquire);
    return seen;
  }

  std::uint32_t await_turn(end me, std::uint32_t awaited) {
    constexpr simulator::ticks between_claims = 66 * simulator::per_cycle;
    const auto is_awaited = [me, awaited](std::uint32_t seen) {
      return seen == awaited || (me == receiver && seen == closed);
    };
    if (claims(me)) {
      for (;;) {
        if (const std::uint32_t seen = claim(awaited); is_awaited(seen)) return seen;
        simulated::pause(pauses_as_long_as(between_claims));
      }
    }
    const bool fetching = fetches();
    if (fetching) fetch();
    if (fences() && me == sender) simulated::fence();
    const std::uint32_t a_fence = fences() || fetching ? pauses_as_long_as(machine().fence()) : 0;
    const std::uint32_t sender_rests = a_fence + (fetching ? 0 : 1);
    const bool grows = machine().dies() > 1;
    return simulated::await(flag_, memory_order::acquire, [=](std::uint32_t seen, std::uint32_t round) {
      if (is_awaited(seen)) return synchro::look::done();
      const synchro::look again = synchro::look::retry(me == sender ? sender_rests : grows ? round & 63 : 1);
      return fetching ? again.fetching() : again;
    });
  }

  word flag_{empty};
  copying::plain<Message> message_{Message{}};
  std::array<std::optional<unsigned>, 2> cores_;  // of its ends; no part of the machine
};

template <bool Fetching>
struct paper_channels {
  template <class Message>
  struct lines {
    paper_channel<Message, Fetching> there, back;
  };
};

/// A server and its clients.
template <class Message>
struct paper_office {
  static constexpr std::size_t room = experiments::messages::most_clients;
  using channel = paper_channel<Message>;

  class mailbox {
   public:
    struct received {
      std::size_t client;
      Message message;
    };
    explicit mailbox(std::array<channel, room>& answers) : answers_{answers} {}

    [[nodiscard]] channel& from(std::size_t client) { return in_[client]; }

    /// Nothing if all of these clients have closed.
    [[nodiscard]] std::optional<received> receive_any(std::uint64_t chosen) {
      const auto clients = static_cast<std::size_t>(std::bit_width(chosen));
      while ((chosen & ~closed_) != 0) {
        const std::optional<std::size_t> found = look_at(clients);
        if (!found) continue;
        const received got{*found, in_[*found].take()};
        if (channel::fetches()) answers_[*found].fetch(), in_[next_].fetch();
        return got;
      }
      return std::nullopt;
    }

   private:
    /// Once at each, from the next one on. A processor that predicts that there is nothing goes on to the next look meanwhile,
    /// but not beyond a compare-and-swap.
    std::optional<std::size_t> look_at(std::size_t clients) {
      simulator::world& w = simulator::world::current();
      std::size_t asked = next_;
      std::optional<std::size_t> found;
      w.loads_are_independent(true);
      for (; next_ != clients && !found; ++next_) {
        for (asked = std::max(asked, next_ + 1); asked < clients && !in_[asked].claims(); ++asked)
          if (!w.ask_ahead(channel::fetches() ? simulator::access::prefetch : simulator::access::load,
                           &in_[asked].flag(), w.came_to_it()))
            break;
        const std::uint32_t seen = in_[next_].look();
        if (seen == channel::full) found = next_;
        if (seen == channel::closed) closed_ |= std::uint64_t{1} << next_;
      }
      w.loads_are_independent(false);
      if (next_ == clients) next_ = 0;
      return found;
    }

    std::array<channel, room> in_;
    std::array<channel, room>& answers_;
    std::size_t next_ = 0;
    std::uint64_t closed_ = 0;
  };

  std::array<channel, room> answers;
  mailbox requests{answers};
};

}  // namespace synchro::simulations

#endif
