// Primitives of the standard library. The originals have the standard's names already; the adapters only describe them.

#ifndef SYNCHRO_PEERS_STD_HPP
#define SYNCHRO_PEERS_STD_HPP

#include <mutex>
#include <shared_mutex>

#include "peers/peer.hpp"

namespace synchro::peers {

class std_mutex : public std::mutex {
 public:
  static constexpr lock_traits traits{.judgement = "the default, and a sound one; sleeps as soon as it has to wait",
                                      .citation = "ISO C++, [thread.mutex.class]"};
  static constexpr const char* waits = "park";
  static constexpr bool parks = true;
};

class std_shared_mutex : public std::shared_mutex {
 public:
  static constexpr lock_traits traits{
      .judgement = "readers that hold it for long; not for short sections, where the reader count is the bottleneck",
      .citation = "ISO C++, [thread.sharedmutex.class]"};
  static constexpr const char* waits = "park";
  static constexpr bool parks = true;
};

}  // namespace synchro::peers

#endif
