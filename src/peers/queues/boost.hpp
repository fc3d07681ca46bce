// Boost.Lockfree's queue between one sender and one receiver.

#ifndef SYNCHRO_PEERS_QUEUES_BOOST_HPP
#define SYNCHRO_PEERS_QUEUES_BOOST_HPP

#include <boost/lockfree/spsc_queue.hpp>
#include <cstddef>

namespace synchro::peers {

/// A queue of a catalog is made for so many messages; try_send says whether there was room, try_receive whether there was a
/// message.
template <class Message>
class boost_spsc_queue {
 public:
  explicit boost_spsc_queue(std::size_t messages) : queue_{messages} {}

  bool try_send(const Message& m) { return queue_.push(m); }
  bool try_receive(Message& to) { return queue_.pop(to); }

 private:
  boost::lockfree::spsc_queue<Message> queue_;
};

}  // namespace synchro::peers

#endif
