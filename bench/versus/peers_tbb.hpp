// oneTBB's mutexes as contenders.

#ifndef SYNCHRO_BENCH_PEERS_TBB_HPP
#define SYNCHRO_BENCH_PEERS_TBB_HPP

#include <oneapi/tbb/queuing_mutex.h>
#include <oneapi/tbb/spin_mutex.h>
#include <oneapi/tbb/spin_rw_mutex.h>

namespace synchro::bench::tbb {

/// Its scoped_lock is the queue node.
struct queuing_mutex {
  struct context {
    explicit context(queuing_mutex&) {}
    oneapi::tbb::queuing_mutex::scoped_lock node;
  };
  void lock(context& c) { c.node.acquire(inner); }
  void unlock(context& c) { c.node.release(); }
  oneapi::tbb::queuing_mutex inner;
};

}  // namespace synchro::bench::tbb

#endif
