// A lock that the triggering thread holds while others wait for it: the way to wait without a condition variable.
//
// There are two locks. Sleepers of an even trigger wait for the one, of an odd trigger for the other, and the triggering
// thread takes the other (arm) before it lets the one go (trigger). A volatile flag tells a sleeper that it was the
// trigger that let it in.

#ifndef SYNCHRO_PEERS_WAKES_HELD_GATE_HPP
#define SYNCHRO_PEERS_WAKES_HELD_GATE_HPP

#include "peers/wakes/wake_peer.hpp"

namespace synchro::peers {

/// To be made, armed, triggered and destroyed by one thread, the holder.
template <class Lock>
class held_gate {
 public:
  explicit held_gate(unsigned sleepers) : rounds_{sleepers} { gates_[0].lock.lock(); }
  ~held_gate() {
    gates_[triggers_ % 2].lock.unlock();
    if (armed_) gates_[(triggers_ + 1) % 2].lock.unlock();
  }
  held_gate(const held_gate&) = delete;
  held_gate& operator=(const held_gate&) = delete;

  void wait(unsigned i) {
    const std::uint32_t seen = rounds_.next(i);
    gate& mine = gates_[seen % 2];
    for (bool open = false; !open;) {
      mine.lock.lock();
      open = mine.opened != seen / 2;
      mine.lock.unlock();
    }
  }
  void arm() {
    gates_[(triggers_ + 1) % 2].lock.lock();
    armed_ = true;
  }
  void trigger() {
    gate& now = gates_[triggers_ % 2];
    ++triggers_;
    armed_ = false;
    now.opened = now.opened + 1;
    now.lock.unlock();
  }

 private:
  struct alignas(2 * cpu::cache_line) gate {
    Lock lock;
    volatile std::uint32_t opened = 0;
  };

  gate gates_[2];
  std::uint32_t triggers_ = 0;
  bool armed_ = false;
  detail::own_rounds rounds_;
};

}  // namespace synchro::peers

#endif
