// std::unordered_map under one lock.

#ifndef SYNCHRO_PEERS_TABLES_STD_HPP
#define SYNCHRO_PEERS_TABLES_STD_HPP

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "synchro/shape.hpp"

namespace synchro::peers {

/// Readers hold `Reading`, a lock of the mutex.
template <class Payload, class Mutex, class Reading>
class map_under {
 public:
  static constexpr const char* waits = "park";

  map_under(unsigned buckets, const shape& /*team*/) : map_{buckets} {}

  bool get(std::uint64_t key, Payload& to) const {
    const Reading held{mutex_};
    const auto found = map_.find(key);
    if (found == map_.end()) return false;
    to = found->second;
    return true;
  }
  bool put(std::uint64_t key, const Payload& p) {
    const std::lock_guard held{mutex_};
    return map_.try_emplace(key, p).second;
  }
  bool remove(std::uint64_t key) {
    const std::lock_guard held{mutex_};
    return map_.erase(key) != 0;
  }
  [[nodiscard]] std::size_t count() const { return map_.size(); }

 private:
  mutable Mutex mutex_;
  std::unordered_map<std::uint64_t, Payload> map_;
};

template <class Payload>
using map_under_mutex = map_under<Payload, std::mutex, std::lock_guard<std::mutex>>;
template <class Payload>
using map_under_shared_mutex = map_under<Payload, std::shared_mutex, std::shared_lock<std::shared_mutex>>;

}  // namespace synchro::peers

#endif
