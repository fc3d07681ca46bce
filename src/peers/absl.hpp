// Primitives of Abseil.

#ifndef SYNCHRO_PEERS_ABSL_HPP
#define SYNCHRO_PEERS_ABSL_HPP

#include <absl/synchronization/mutex.h>

#include "peers/peer.hpp"

namespace synchro::peers {

class absl_mutex {
 public:
  static constexpr lock_traits traits{
      .judgement = "one word for writers, readers and conditions; spins for a while, then queues and sleeps",
      .citation = "Abseil, absl::Mutex"};
  static constexpr const char* waits = "park";
  static constexpr bool parks = true;

  void lock() { mutex_.Lock(); }
  bool try_lock() { return mutex_.TryLock(); }
  void unlock() { mutex_.Unlock(); }

  void lock_shared() { mutex_.ReaderLock(); }
  bool try_lock_shared() { return mutex_.ReaderTryLock(); }
  void unlock_shared() { mutex_.ReaderUnlock(); }

 private:
  absl::Mutex mutex_;
};

}  // namespace synchro::peers

#endif
