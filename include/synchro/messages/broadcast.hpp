// Broadcast: one sender, and every message to all receivers.
//
// Problem. The same order has to reach several threads, each of which takes it at its own time, and none of which may miss
// one.
//
// Picture.   sender  ->  |word|message|   a channel to each receiver: they share no line, and a slow one holds up the
//                    ->  |word|message|   others only when it has not taken the message before
//
// `synchro::broadcast<T, Receivers>`: send(m) waits for a receiver that has not taken the message before; receiver i
// takes it from its own channel to(i). close() waits until all have taken the last one.
//
// Choose it for a few receivers that must have every message. Do not choose it where the newest value is enough (`seqlock`),
// to start threads (the wakes), or for many receivers: the sender writes a line for each.
//
// Memory orders. Those of the channel (channel.hpp).
//
// Source: libssmp, ssmp_broadcast; David, Guerraoui, Trigonakis, SOSP 2013, section 4.3.

#ifndef SYNCHRO_MESSAGES_BROADCAST_HPP
#define SYNCHRO_MESSAGES_BROADCAST_HPP

#include <array>
#include <cstddef>

#include "synchro/hardware.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// One sender; receiver i uses `to(i)` of its own: receive, try_receive, receive_for.
template <class T, std::size_t Receivers, class Machine = hardware, class Waiting = spin>
class basic_broadcast {
  static_assert(Receivers >= 1);

 public:
  using channel_type = basic_channel<T, Machine, Waiting>;
  static constexpr bool parks = Waiting::parks;

  /// The receiver's end of receiver i.
  [[nodiscard]] channel_type& to(std::size_t receiver) noexcept { return channels_[receiver]; }

  /// Sends to all of them: waits until each has taken the message before. False, and nothing is sent, if it is closed.
  bool send(const T& message) noexcept {
    bool open = true;
    for (channel_type& one : channels_) open = one.send(message) && open;
    return open;
  }

  /// No more will be sent. Waits until all have taken the last message. The sender calls it.
  void close() noexcept {
    for (channel_type& one : channels_) one.close();
  }

 private:
  std::array<channel_type, Receivers> channels_;
};

template <class T, std::size_t Receivers>
using broadcast = basic_broadcast<T, Receivers>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
