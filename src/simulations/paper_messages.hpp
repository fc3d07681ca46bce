// Messages as the paper's authors have published their library: libssmp (github.com/trigonak/ssmp, src/platform). Its claims are
// about that library, whose ends look otherwise than a channel's and a mailbox's do.
//
//   Picture   one line from each sender to each receiver: the words, and a flag that says whose turn it is. Each end has a
//             message in a line of its own, from which and to which it copies
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
// With several sockets and no directory, each send, and each receive from one sender, ends with a fence; with one socket each
// copy of more than 16 bytes does. A server looks at one client after the other, from the one behind the last that it served,
// and takes what it finds. Where it fetches, it then asks for the lines of the answer and of the next client.
//
// Who is in which socket libssmp takes from the numbers of the processes. In its program of two (one2one.c) these are 0 and 1,
// of one socket, wherever they run: two never claim. Its server counts clients from 0 and looks up the process of that number,
// which is the client before, or itself: it claims from the second client of another socket on. Of several servers this file has
// the same, where numbers are further apart.
//
// Left out: a load fence before each look of a receiver in a socket of the Xeon, which waits for no more than the look does,
// and that the flag is in the last word of the copy: here it is a store of its own.
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
#include <vector>

#include "experiments/messages/server.hpp"
#include "simulations/copying.hpp"
#include "synchro/hash_table/served_hash_table.hpp"

namespace synchro::simulations {

/// How the ends of a channel look: plainly even where libssmp fetches, as two processes do, or as a server and its clients.
enum class paper_looks : std::uint8_t { plain, of_two, of_server };

/// A thread's own message, in which it sets a word before it sends. What is in it nobody asks; what it costs counts.
template <class Message>
class alignas(cpu::cache_line) own_message {
 public:
  void copy_from() {
    number_ = 0;
    static_cast<void>(static_cast<Message>(whole_));
  }
  void copy_to(const Message& m) { whole_ = m; }

 private:
  copying::plain<Message> whole_{Message{}};
  simulated::plain<std::uint32_t> number_{0};
};

/// One sender, one receiver.
template <class Message, paper_looks Looks = paper_looks::of_server>
class alignas(cpu::cache_line) paper_channel {
  using word = simulated::atomic<std::uint32_t>;

 public:
  static constexpr std::uint32_t empty = 0, full = 1, locked = 2, closed = 3;

  void send(const Message& m) {
    await_turn(sender, empty);
    sent_.copy_from();
    message_ = m;
    copied();
    flag_.store(full, memory_order::release);
    if (fences()) simulated::fence();
  }
  /// Of a sender who knows that the line is empty (ssmp_send_no_sync): there is no fence on the Xeon either.
  void send_unlooking(const Message& m) {
    sent_.copy_from();
    message_ = m;
    copied();
    flag_.store(full, memory_order::release);
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

  /// Whether the sender is in another socket.
  [[nodiscard]] bool is_apart() { return claims(receiver); }
  /// What the flag says; `full` means that the message is the caller's.
  [[nodiscard]] std::uint32_t look(bool claiming) {
    if (claiming) return claim(full);
    if (fetches()) fetch();
    return flag_.load(memory_order::acquire);
  }
  [[nodiscard]] Message take() {
    const Message m = message_;
    taken_.copy_to(m);
    copied();
    flag_.store(empty, memory_order::release);
    return m;
  }
  void fetch() const { simulated::prefetch_for_write(&flag_); }
  [[nodiscard]] const word& flag() const { return flag_; }
  [[nodiscard]] static bool fetches() { return Looks != paper_looks::plain && machine().directory_hop(); }

 private:
  enum end : std::uint8_t { sender, receiver };

  static const simulator::model& machine() { return simulator::world::current().machine(); }
  static bool fences() { return !machine().directory_hop() && machine().dies() > 1; }
  static std::uint32_t pauses_as_long_as(simulator::ticks t) {
    return static_cast<std::uint32_t>((t + machine().pause() - 1) / machine().pause());
  }

  static void copied() {
    if (machine().dies() == 1 && sizeof(Message) > 16) simulated::fence();
  }

  /// Each end says where it runs when it comes first, and counts as near until then.
  bool claims(end me) {
    if (Looks != paper_looks::of_server || !fences()) return false;
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
  own_message<Message> sent_, taken_;
  std::array<std::optional<unsigned>, 2> cores_;  // of its ends; no part of the machine
};

template <paper_looks Looks>
struct paper_channels {
  template <class Message>
  struct lines {
    paper_channel<Message, Looks> there, back;
  };
};

/// The processors with those of servers first, which are each third one, from the first on; so the paper's programs with
/// servers have them.
inline std::vector<unsigned> with_servers_first(const std::vector<unsigned>& team, std::size_t servers) {
  std::vector<unsigned> all, clients;
  for (std::size_t i = 0; i != team.size(); ++i)
    (i % 3 == 0 && all.size() < servers ? all : clients).push_back(team[i]);
  all.insert(all.end(), clients.begin(), clients.end());
  return all;
}

/// A server and its clients.
template <class Message, class Answer = Message>
struct paper_office {
  static constexpr std::size_t room = experiments::messages::most_clients;
  using channel = paper_channel<Message>;
  using answers_of = std::array<paper_channel<Answer>, room>;

  class mailbox {
   public:
    struct received {
      std::size_t client;
      Message message;
    };
    explicit mailbox(answers_of& answers) : answers_{answers} {}

    [[nodiscard]] channel& from(std::size_t client) { return in_[client]; }
    /// Whether the server claims that client's messages: by the place of the process before it (above).
    [[nodiscard]] bool claims(std::size_t client) {
      const bool apart = client != 0 && in_[client - 1].is_apart();
      static_cast<void>(in_[client].is_apart());  // says where the server is
      return apart;
    }

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
        for (asked = std::max(asked, next_ + 1); asked < clients && !claims(asked); ++asked)
          if (!w.ask_ahead(channel::fetches() ? simulator::access::prefetch : simulator::access::load,
                           &in_[asked].flag(), w.came_to_it()))
            break;
        const std::uint32_t seen = in_[next_].look(claims(next_));
        if (seen == channel::full) found = next_;
        if (seen == channel::closed) closed_ |= std::uint64_t{1} << next_;
      }
      w.loads_are_independent(false);
      if (next_ == clients) next_ = 0;
      return found;
    }

    std::array<channel, room> in_;
    answers_of& answers_;
    std::size_t next_ = 0;
    std::uint64_t closed_ = 0;
  };

  answers_of answers;
  mailbox requests{answers};
};

/// The ways of a table between its clients and one of its servers.
struct paper_ways {
  template <class Request, class Reply>
  struct office : paper_office<Request, Reply> {
    office(unsigned, served_by) {}
  };
};

}  // namespace synchro::simulations

#endif
