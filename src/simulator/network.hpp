// The network of a simulated machine for messages between cores: what is under way to whom.
//
// A message is a header and words. It takes the receiver's port when its header arrives, and keeps it to its last word
// (wormhole routing), so that the words of two messages never mix: what comes later waits behind it. A message enters only
// when there is room for all its words at the receiver, who gives room back with each word that it takes. Senders that find
// none stand in line. Links between cores are never busy.
//
// The class knows no clock and no threads but their numbers: world_messages.cpp tells it when things happen, and what they
// cost.

#ifndef SYNCHRO_SIMULATOR_NETWORK_HPP
#define SYNCHRO_SIMULATOR_NETWORK_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "simulator/model.hpp"

namespace synchro::simulator {

class network {
 public:
  /// Of so many words for each receiver.
  explicit network(std::size_t room) : room_{room} {}

  /// From now on it is empty, and between so many threads.
  void connect(unsigned threads) { ports_ = std::vector<port>(threads); }

  /// Claims room for a message. False, and the sender stands in line, if there is none; a message that is larger than all
  /// room waits until nothing else is under way to the receiver.
  [[nodiscard]] bool claim(unsigned from, unsigned to, std::size_t words);
  /// The header of a message is sent that has claimed room; it will arrive then.
  void open(unsigned from, unsigned to, std::size_t words, ticks arrives);
  /// The next word of the message that this sender has opened.
  void add(unsigned from, unsigned to, std::uint64_t word, ticks arrives);

  /// When the word that the receiver takes next is there; nothing if it was not sent yet.
  [[nodiscard]] std::optional<ticks> next_at(unsigned to) const;
  std::uint64_t take(unsigned to);
  /// The sender that was first in line, now that there is room for its message, which is claimed for it.
  [[nodiscard]] std::optional<unsigned> admitted(unsigned to);

 private:
  struct message {
    unsigned from;
    std::size_t left;  ///< Words that were not taken.
    ticks arrives;     ///< Its header.
    std::deque<std::pair<ticks, std::uint64_t>> words = {};
  };
  struct port {
    std::list<message> messages = {};  ///< As their headers arrive.
    std::size_t claimed = 0;
    std::deque<std::pair<unsigned, std::size_t>> line = {};  ///< Senders without room, and how much they need.
  };

  [[nodiscard]] bool has_room(const port& p, std::size_t words) const {
    return p.claimed == 0 || p.claimed + words <= room_;
  }

  std::size_t room_;
  std::vector<port> ports_;
};

}  // namespace synchro::simulator

#endif
