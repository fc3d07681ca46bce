// Queues of other libraries between the two threads of messages.pair. Theirs decline where ours wait: whoever finds no room
// or no message looks again after a pause, as our spin does.

#ifndef SYNCHRO_EXPERIMENTS_MESSAGES_PEER_PAIRS_HPP
#define SYNCHRO_EXPERIMENTS_MESSAGES_PEER_PAIRS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "catalog/rows.hpp"
#include "experiments/messages/pair.hpp"
#include "measure/host.hpp"
#include "synchro/os.hpp"

namespace synchro::experiments::messages {

/// `Queue` as in peers::queue_peer_line.
template <template <class> class Queue>
struct polled {
  static constexpr std::size_t room = rings<hardware, spin>::room;

  template <class Message>
  class alignas(cpu::cache_line) line {  // the two must not share one
   public:
    void send(const Message& m) {
      while (!queue_.try_send(m)) cpu::pause();
    }
    std::optional<Message> receive() {
      std::optional<Message> got{std::in_place};
      while (!queue_.try_receive(*got)) cpu::pause();
      return got;
    }

   private:
    Queue<Message> queue_{room};
  };
  template <class Message>
  struct lines {
    line<Message> there, back;
  };
};

struct peer_pair {
  std::string name;
  pair_runner (*runner_of)(const std::string& size);
};

template <class Line>
void add_line(std::vector<peer_pair>& pairs) {
  pairs.push_back({Line::name, pair_runner_of<measure::host, polled<Line::template queue>>});
}

/// As generated.
void add_peer_pairs(std::vector<peer_pair>& pairs);

/// Those whose library was there when the program was built, in the order of the catalog.
[[nodiscard]] inline const std::vector<peer_pair>& peer_pairs() {
  static const std::vector<peer_pair> all = catalog::rows_of(add_peer_pairs);
  return all;
}

}  // namespace synchro::experiments::messages

#endif
