// Primitives of nsync.

#ifndef SYNCHRO_PEERS_NSYNC_HPP
#define SYNCHRO_PEERS_NSYNC_HPP

#include <nsync.h>

#include "peers/peer.hpp"

namespace synchro::peers {

class nsync_mu {
 public:
  static constexpr lock_traits traits{
      .judgement = "two words for writers and readers; queues and sleeps, and lets no waiter starve",
      .citation = "Burrows: nsync, nsync_mu"};
  static constexpr const char* waits = "park";
  static constexpr bool parks = true;

  nsync_mu() { nsync::nsync_mu_init(&mu_); }
  nsync_mu(const nsync_mu&) = delete;
  nsync_mu& operator=(const nsync_mu&) = delete;

  void lock() { nsync::nsync_mu_lock(&mu_); }
  bool try_lock() { return nsync::nsync_mu_trylock(&mu_) != 0; }
  void unlock() { nsync::nsync_mu_unlock(&mu_); }

  void lock_shared() { nsync::nsync_mu_rlock(&mu_); }
  bool try_lock_shared() { return nsync::nsync_mu_rtrylock(&mu_) != 0; }
  void unlock_shared() { nsync::nsync_mu_runlock(&mu_); }

 private:
  nsync::nsync_mu mu_;
};

}  // namespace synchro::peers

#endif
