// oneTBB's concurrent_queue: any number of senders and receivers, and room for as many messages as there is memory for.

#ifndef SYNCHRO_PEERS_QUEUES_TBB_HPP
#define SYNCHRO_PEERS_QUEUES_TBB_HPP

#include <tbb/concurrent_queue.h>

#include <cstddef>

namespace synchro::peers {

template <class Message>
class tbb_concurrent_queue {
 public:
  explicit tbb_concurrent_queue(std::size_t /*messages*/) {}

  bool try_send(const Message& m) {
    queue_.push(m);
    return true;
  }
  bool try_receive(Message& to) { return queue_.try_pop(to); }

 private:
  tbb::concurrent_queue<Message> queue_;
};

}  // namespace synchro::peers

#endif
