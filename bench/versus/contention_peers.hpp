// Others' mutexes, as far as they are here.

#ifndef SYNCHRO_BENCH_CONTENTION_PEERS_HPP
#define SYNCHRO_BENCH_CONTENTION_PEERS_HPP

#ifdef SYNCHRO_RUST
#include "../rust/rust.hpp"
#endif

#ifdef SYNCHRO_NSYNC
#include <nsync.h>

namespace synchro::bench {

class nsync_mutex {
 public:
  nsync_mutex() { nsync::nsync_mu_init(&mu_); }
  void lock() { nsync::nsync_mu_lock(&mu_); }
  void unlock() { nsync::nsync_mu_unlock(&mu_); }

 private:
  nsync::nsync_mu mu_;
};

}  // namespace synchro::bench
#endif

#endif
