// oneTBB's concurrent_hash_map.

#ifndef SYNCHRO_PEERS_TABLES_TBB_HPP
#define SYNCHRO_PEERS_TABLES_TBB_HPP

#include <tbb/concurrent_hash_map.h>

#include <cstddef>
#include <cstdint>

#include "synchro/shape.hpp"

namespace synchro::peers {

template <class Payload>
class tbb_concurrent_hash_map {
  using map = tbb::concurrent_hash_map<std::uint64_t, Payload>;

 public:
  static constexpr const char* waits = "yield";

  tbb_concurrent_hash_map(unsigned buckets, const shape& /*team*/) : map_{buckets} {}

  bool get(std::uint64_t key, Payload& to) const {
    typename map::const_accessor found;
    if (!map_.find(found, key)) return false;
    to = found->second;
    return true;
  }
  bool put(std::uint64_t key, const Payload& p) { return map_.insert({key, p}); }
  bool remove(std::uint64_t key) { return map_.erase(key); }
  [[nodiscard]] std::size_t count() const { return map_.size(); }

 private:
  map map_;
};

}  // namespace synchro::peers

#endif
