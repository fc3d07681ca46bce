// Concurrency Kit's ring between one sender and one receiver. CK_RING_PROTOTYPE writes functions for a type, in C only; what
// they call is called here. Where a pointer is returned the header, which is C, returns `false`.

#ifndef SYNCHRO_PEERS_QUEUES_CK_HPP
#define SYNCHRO_PEERS_QUEUES_CK_HPP

extern "C" {
#include <ck_pr.h>
#define false 0
#include <ck_ring.h>
#undef false
}

#include <cstddef>
#include <vector>

namespace synchro::peers {

template <class Message>
class ck_message_ring {
 public:
  /// A power of two; one place of them stays free.
  explicit ck_message_ring(std::size_t messages) : slots_(messages) {
    ck_ring_init(&ring_, static_cast<unsigned>(slots_.size()));
  }

  bool try_send(const Message& m) { return _ck_ring_enqueue_sp(&ring_, slots_.data(), &m, sizeof m, nullptr); }
  bool try_receive(Message& to) { return _ck_ring_dequeue_sc(&ring_, slots_.data(), &to, sizeof to); }

 private:
  std::vector<Message> slots_;
  ck_ring_t ring_;  // has its own distances between what the two ends write
};

}  // namespace synchro::peers

#endif
