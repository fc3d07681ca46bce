// Libraries of Rust as contenders, where cargo is there to build them. Their functions are always called.

#ifndef SYNCHRO_BENCH_RUST_RUST_HPP
#define SYNCHRO_BENCH_RUST_RUST_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

extern "C" {
void parking_lot_init(std::uint32_t* mutex);
void parking_lot_lock(std::uint32_t* mutex);
void parking_lot_unlock(std::uint32_t* mutex);
void parking_lot_shared_init(std::uint64_t* lock);
void parking_lot_shared_lock(std::uint64_t* lock);
void parking_lot_shared_unlock(std::uint64_t* lock);
void parking_lot_shared_lock_shared(std::uint64_t* lock);
void parking_lot_shared_unlock_shared(std::uint64_t* lock);

struct crossbeam_channel;
crossbeam_channel* crossbeam_channel_new(std::size_t room);
void crossbeam_channel_send(const crossbeam_channel*, std::uint64_t message);
std::uint64_t crossbeam_channel_receive(const crossbeam_channel*);
void crossbeam_channel_delete(crossbeam_channel*);

struct flume;
flume* flume_new(std::size_t room);
void flume_send(const flume*, std::uint64_t message);
std::uint64_t flume_receive(const flume*);
void flume_delete(flume*);

struct array_queue;
array_queue* array_queue_new(std::size_t room);
bool array_queue_push(const array_queue*, std::uint64_t message);
bool array_queue_pop(const array_queue*, std::uint64_t* message);
void array_queue_delete(array_queue*);

struct dashmap;
dashmap* dashmap_new();
bool dashmap_get(const dashmap*, std::uint64_t key, std::array<std::uint64_t, 8>* to);
bool dashmap_put(const dashmap*, std::uint64_t key, const std::array<std::uint64_t, 8>* value);
bool dashmap_remove(const dashmap*, std::uint64_t key);
std::size_t dashmap_count(const dashmap*);
void dashmap_delete(dashmap*);
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

/// Owns what Rust has made.
template <class T, void (*Delete)(T*)>
struct deleter {
  void operator()(T* made) const { Delete(made); }
};
template <class T, void (*Delete)(T*)>
using owned = std::unique_ptr<T, deleter<T, Delete>>;

}  // namespace synchro::bench

#endif
