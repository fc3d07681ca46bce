// The body of messages.pair: two threads that send each other messages.
//
//   one way      The first sends as fast as the line takes it, the second receives: what a message costs in a stream. A
//                channel has one slot, so each message waits until the one before was taken; a ring has room for 64.
//   round trip   The first sends and waits for the answer, which comes back on a line of its own.
//
// One way is timed by the receiver, round trips by the one who asks: in batches, each from the end of the one before.
// Every message has a number, and the receiver checks it. Two threads that do not run side by side take a time slice for
// a message: after some seconds the sender gives up, by a message that says so.

#ifndef SYNCHRO_EXPERIMENTS_MESSAGES_PAIR_HPP
#define SYNCHRO_EXPERIMENTS_MESSAGES_PAIR_HPP

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/on_demand.hpp"
#include "experiments/messages/message.hpp"
#include "measure/laboratory.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/ring.hpp"

namespace synchro::experiments::messages {

struct pair_task {
  unsigned from, to;    ///< Processors.
  unsigned samples;     ///< Batches.
  unsigned rounds;      ///< Messages or round trips of a batch.
  unsigned lead = 100;  ///< The same before the first batch.

  [[nodiscard]] std::uint32_t all() const { return lead + samples * rounds; }
};

struct pair_outcome {
  std::vector<double> one_way_ns, round_trip_ns;  ///< Of one message or round trip: a value for each batch.
  std::uint64_t wrong = 0;                        ///< Messages that were not the next one, whole.
  measure::team_report team = {};
};

/// A line of messages each way.
template <class Machine, class Waiting>
struct channels {
  template <class Message>
  struct lines {
    basic_channel<Message, Machine, Waiting> there, back;
  };
};
template <class Machine, class Waiting>
struct rings {
  static constexpr std::size_t room = 64;
  template <class Message>
  struct lines {
    basic_ring<Message, Machine, Waiting> there{room}, back{room};
  };
};

template <measure::laboratory Lab, class Message, class Lines>
class pair_trial {
 public:
  explicit pair_trial(const pair_task& task) : task_{task} {}

  /// Throws std::runtime_error with one sentence if the two threads do not run side by side.
  [[nodiscard]] pair_outcome run() {
    std::optional<typename Lab::template fresh<Lines>> memory;
    Lab::team({task_.from}, 1, [&](unsigned) { memory.emplace(); });
    Lines& lines = **memory;
    pair_outcome seen;
    std::uint64_t wrong[2] = {0, 0};
    seen.team = Lab::team({task_.from, task_.to}, 2, [&](unsigned index) {
      if (index == 0)
        seen.round_trip_ns = send_then_ask(lines, wrong[0]);
      else
        seen.one_way_ns = receive_then_answer(lines, wrong[1]);
    });
    if (given_up_)
      throw std::runtime_error("the two threads did not run side by side: something else keeps a processor");
    seen.wrong = wrong[0] + wrong[1];
    return seen;
  }

 private:
  static constexpr std::uint32_t last_word = ~std::uint32_t{0};
  static constexpr double patience_ns = 3e9;
  static constexpr std::uint32_t between_looks_at_the_clock = 64;

  /// Does something for each message after the lead; a value for each batch. Ends where `act` says that it is over.
  template <class Act>
  std::vector<double> timed(Act act) const {
    std::vector<double> each_ns;
    each_ns.reserve(task_.samples);
    std::uint32_t number = 0;
    for (; number < task_.lead; ++number)
      if (!act(number)) return each_ns;
    std::uint64_t start = Lab::now();
    for (unsigned sample = 0; sample < task_.samples; ++sample) {
      for (const std::uint32_t end = number + task_.rounds; number < end; ++number)
        if (!act(number)) return each_ns;
      const std::uint64_t stop = Lab::now();
      each_ns.push_back(Lab::to_ns(stop - start) / task_.rounds);
      start = stop;
    }
    return each_ns;
  }

  /// False if it takes too long: then the other has been told.
  bool goes_on(Lines& lines, std::uint32_t n) {
    if (n % between_looks_at_the_clock != 0 || Lab::to_ns(Lab::now() - begun_) < patience_ns) return true;
    lines.there.send(Message::numbered(last_word));
    given_up_ = true;
    return false;
  }

  std::vector<double> send_then_ask(Lines& lines, std::uint64_t& wrong) {
    for (std::uint32_t n = 0; n < task_.all(); ++n) {
      if (!goes_on(lines, n)) return {};
      lines.there.send(Message::numbered(n));
    }
    std::uint64_t odd = 0;
    std::vector<double> each_ns = timed([&](std::uint32_t n) {
      if (!goes_on(lines, n)) return false;
      lines.there.send(Message::numbered(n));
      odd += lines.back.receive()->is(n) ? 0U : 1U;
      return true;
    });
    wrong = odd;
    return each_ns;
  }

  std::vector<double> receive_then_answer(Lines& lines, std::uint64_t& wrong) const {
    std::uint64_t odd = 0;
    bool over = false;
    std::vector<double> each_ns = timed([&](std::uint32_t n) {
      const std::optional<Message> got = lines.there.receive();
      if (got->is(n)) return true;
      over = got->is(last_word);
      odd += over ? 0U : 1U;
      return !over;
    });
    for (std::uint32_t n = 0; n < task_.all() && !over; ++n) {
      const std::optional<Message> asked = lines.there.receive();
      over = asked->is(last_word);
      odd += asked->is(n) || over ? 0U : 1U;
      if (!over) lines.back.send(*asked);
    }
    wrong = odd;
    return each_ns;
  }

  pair_task task_;
  std::uint64_t begun_ = Lab::now();
  bool given_up_ = false;  // the sender's, until both have ended
};

/// By the name of the means: nothing if the laboratory has none of this name.
using pair_runner = pair_outcome (*)(const pair_task&);

/// What sends by the means of this name messages of this size; it is in the part.
inline on_demand<pair_runner(const std::string& means, const std::string& size)> pair_runner_by;

/// As generated: the names of other libraries' queues.
void add_peer_names(std::vector<std::string>& names);

template <measure::laboratory Lab, class Means>
pair_runner pair_runner_of(const std::string& size) {
  using word_lines = typename Means::template lines<word_message>;
  using line_lines = typename Means::template lines<line_message>;
  if (size == "word") return [](const pair_task& t) { return pair_trial<Lab, word_message, word_lines>{t}.run(); };
  return [](const pair_task& t) { return pair_trial<Lab, line_message, line_lines>{t}.run(); };
}

}  // namespace synchro::experiments::messages

namespace synchro::experiments {

/// What an outcome says, in time and in cycles; `broken` if a message was. What is below `shortest_ns` is limited by the clock.
[[nodiscard]] repetition record_pair(const messages::pair_outcome& o, double ns_per_cycle, double shortest_ns = 0);

}  // namespace synchro::experiments

#endif
