// Primitives of oneAPI Threading Building Blocks. All of them spin for a while and then yield between looks.

#ifndef SYNCHRO_PEERS_TBB_HPP
#define SYNCHRO_PEERS_TBB_HPP

#include <oneapi/tbb/queuing_mutex.h>
#include <oneapi/tbb/spin_mutex.h>
#include <oneapi/tbb/spin_rw_mutex.h>

#include "peers/peer.hpp"

namespace synchro::peers {

class tbb_spin_mutex : public tbb::spin_mutex {
 public:
  static constexpr lock_traits traits{.judgement = "very short sections and few threads; unfair, and never sleeps",
                                      .citation = "oneAPI Threading Building Blocks, spin_mutex"};
  static constexpr const char* waits = "yield";
  static constexpr bool parks = false;
};

class tbb_spin_rw_mutex : public tbb::spin_rw_mutex {
 public:
  static constexpr lock_traits traits{
      .judgement = "very short sections, mostly readers, few threads; writers go first, and nobody sleeps",
      .citation = "oneAPI Threading Building Blocks, spin_rw_mutex"};
  static constexpr const char* waits = "yield";
  static constexpr bool parks = false;
};

namespace detail {

/// The original has one form, a scoped lock that is the queue node.
class tbb_queuing_mutex {
 public:
  static constexpr lock_traits traits{
      .judgement = "one hot lock and a processor per thread, served in order of arrival; not with more threads",
      .fair = fairness::first_come,
      .bypass = 0,
      .citation = "oneAPI Threading Building Blocks, queuing_mutex"};
  static constexpr const char* waits = "yield";
  static constexpr bool parks = false;

  class alignas(cpu::cache_line) node {
    friend class tbb_queuing_mutex;
    tbb::queuing_mutex::scoped_lock held;
  };

  void lock(node& mine) { mine.held.acquire(mutex_); }
  bool try_lock(node& mine) { return mine.held.try_acquire(mutex_); }
  void unlock(node& mine) { mine.held.release(); }

 private:
  tbb::queuing_mutex mutex_;
};

}  // namespace detail

using tbb_queuing_mutex = with_pooled_nodes<detail::tbb_queuing_mutex>;

}  // namespace synchro::peers

#endif
