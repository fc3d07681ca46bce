// Rust's parking_lot as a contender, where cargo is there to build it (parking_lot/). Its functions are always called.

#ifndef SYNCHRO_BENCH_PEERS_RUST_HPP
#define SYNCHRO_BENCH_PEERS_RUST_HPP

#include <cstdint>

extern "C" {
void parking_lot_init(std::uint32_t* mutex);
void parking_lot_lock(std::uint32_t* mutex);
void parking_lot_unlock(std::uint32_t* mutex);
}

namespace synchro::bench {

class parking_lot {
 public:
  parking_lot() { parking_lot_init(&mutex_); }
  void lock() { parking_lot_lock(&mutex_); }
  void unlock() { parking_lot_unlock(&mutex_); }

 private:
  std::uint32_t mutex_ = 0;  // it takes one byte of it
};

}  // namespace synchro::bench

#endif
