// Message barrier: a fixed team meets again and again, by messages only.
//
// Problem. A barrier with one counter makes its line travel to every thread, one after the other.
//
// Picture.   4 threads, 2 rounds            round 0: tell the next one        round 1: tell the second next
//                                           0 -> 1 -> 2 -> 3 -> 0             0 -> 2, 1 -> 3, 2 -> 0, 3 -> 1
//
// In round r each thread tells the one 2^r further that it has come, and waits to be told by the one 2^r before. After
// as many rounds as n - 1 has bits everybody knows, by a chain of messages, that all have come. There is a channel for
// each thread and round, so messages of one meeting cannot be taken for those of the next.
//
// `synchro::message_barrier{n}`: each of n threads calls arrive_and_wait(i) with its own number and leaves when all
// have come. Two threads must not use the same number, nor one a number of n and more.
//
// Choose it for teams whose threads have a number and a processor each. Do not choose it for a team that changes, or where
// somebody has to do something in between (`barrier`). It takes a line for each thread and round.
//
// Memory orders. Those of the channel (channel.hpp): what anybody did before it came is seen by all who leave.
//
// Source: Hensgen, Finkel, Manber: Two Algorithms for Barrier Synchronization, IJPP 17(1), 1988 (dissemination).

#ifndef SYNCHRO_MESSAGES_MESSAGE_BARRIER_HPP
#define SYNCHRO_MESSAGES_MESSAGE_BARRIER_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "synchro/detail/exceptions.hpp"
#include "synchro/hardware.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// Made for n threads, each with a number below n of its own.
template <class Machine = hardware, class Waiting = spin>
class basic_message_barrier {
 public:
  static constexpr bool parks = Waiting::parks;

  /// Throws std::length_error if there are no threads, and std::bad_alloc.
  explicit basic_message_barrier(std::size_t threads)
      : threads_{checked(threads)},
        rounds_{static_cast<std::size_t>(std::bit_width(threads - 1))},
        told_{new channel_type[threads * rounds_ + 1]} {}
  basic_message_barrier(const basic_message_barrier&) = delete;
  basic_message_barrier& operator=(const basic_message_barrier&) = delete;

  /// Waits until all have come.
  void arrive_and_wait(std::size_t me) noexcept {
    for (std::size_t round = 0; round != rounds_; ++round) {
      const std::size_t other = (me + (std::size_t{1} << round)) % threads_;
      told_[round * threads_ + other].send(come{});
      (void)told_[round * threads_ + me].receive();
    }
  }

 private:
  struct come {
    bool unused = true;
  };
  using channel_type = basic_channel<come, Machine, Waiting>;

  static std::size_t checked(std::size_t threads) {
    if (threads == 0) detail::raise(std::length_error{"a barrier is made for 1 thread at least"});
    return threads;
  }

  const std::size_t threads_;
  const std::size_t rounds_;
  const std::unique_ptr<channel_type[]> told_;
};

using message_barrier = basic_message_barrier<>;
using sleeping_message_barrier = basic_message_barrier<hardware, spin_park>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
