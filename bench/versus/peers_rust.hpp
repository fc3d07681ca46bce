// Rust's parking_lot as a contender, where cargo is there to build it (parking_lot/). Its functions are always called.

#ifndef SYNCHRO_BENCH_PEERS_RUST_HPP
#define SYNCHRO_BENCH_PEERS_RUST_HPP

#include <cstdint>

extern "C" {
void parking_lot_init(std::uint32_t* mutex);
void parking_lot_lock(std::uint32_t* mutex);
void parking_lot_unlock(std::uint32_t* mutex);
void parking_lot_shared_init(std::uint64_t* lock);
void parking_lot_shared_lock(std::uint64_t* lock);
void parking_lot_shared_unlock(std::uint64_t* lock);
void parking_lot_shared_lock_shared(std::uint64_t* lock);
void parking_lot_shared_unlock_shared(std::uint64_t* lock);
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

class parking_lot_shared {
 public:
  parking_lot_shared() { parking_lot_shared_init(&lock_); }
  void lock() { parking_lot_shared_lock(&lock_); }
  void unlock() { parking_lot_shared_unlock(&lock_); }
  void lock_shared() { parking_lot_shared_lock_shared(&lock_); }
  void unlock_shared() { parking_lot_shared_unlock_shared(&lock_); }

 private:
  std::uint64_t lock_ = 0;
};

}  // namespace synchro::bench

#endif
