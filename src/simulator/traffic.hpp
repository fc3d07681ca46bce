// What requests of different lines share on a simulated machine: the links between its dies, and the homes of its lines.
//
//   Picture       a request goes from its die to others, and answers come back, over links with two directions; each direction,
//                 and each home, serves what comes to it one after the other
//   all asked     the request goes to every other die. Each answers to the home, which then answers the requester; the data come
//                 straight from who has them (source snooping)
//   home asked    the request goes to the home, which asks the one that has the line, or all if a shared one is to be written,
//                 and hears from the requester at the end (a directory)
//
// The prices of a model are those of an idle machine, with all messages of a transfer. So only what others send delays it. All
// messages of a transfer are sent when its line begins to serve it; the time from one to the next is left out.
//
// The class knows no clock: world_accesses.cpp says what begins when.

#ifndef SYNCHRO_SIMULATOR_TRAFFIC_HPP
#define SYNCHRO_SIMULATOR_TRAFFIC_HPP

#include <cstdint>
#include <vector>

#include "simulator/model.hpp"

namespace synchro::simulator {

/// Dies by number.
struct transfer {
  unsigned requester, holder, home;
  bool to_all;     ///< A write of a shared line.
  bool with_data;  ///< The requester has no copy.
};

class traffic {
 public:
  explicit traffic(const model& m) : model_{m}, links_(m.links().size()), homes_(m.dies()) {}

  /// False: all requests are alone.
  [[nodiscard]] bool counts() const { return !links_.empty() || model_.at_home() != 0; }
  /// By how much a transfer that begins now is longer because of those that began before.
  ticks delay(const transfer& t, ticks now);

 private:
  enum class size : std::uint8_t { message, line };
  /// One that serves in turn. What belongs to one transfer does not wait for each other.
  struct server {
    ticks free = 0;      ///< When it has served all.
    ticks for_mine = 0;  ///< When it has served all that came before the transfer at hand.
    std::uint64_t mine = 0;
  };

  ticks serve(server& s, ticks takes, ticks comes);
  ticks send(unsigned from, unsigned to, size what, ticks leaves);
  ticks at_home(unsigned home, ticks comes) { return serve(homes_[home], model_.at_home(), comes); }
  ticks asking_all(const transfer& t, ticks now);
  ticks asking_home(const transfer& t, ticks now);

  const model& model_;
  std::vector<server> links_;
  std::vector<server> homes_;
  std::uint64_t transfers_ = 0;
};

}  // namespace synchro::simulator

#endif
