// libcuckoo's table: two buckets for each key, and a spinlock for each of some thousand groups of buckets.

#ifndef SYNCHRO_PEERS_TABLES_CUCKOO_HPP
#define SYNCHRO_PEERS_TABLES_CUCKOO_HPP

#include <cstddef>
#include <cstdint>
#include <libcuckoo/cuckoohash_map.hh>

#include "synchro/shape.hpp"

namespace synchro::peers {

template <class Payload>
class cuckoo_map {
 public:
  static constexpr const char* waits = "spin";

  cuckoo_map(unsigned buckets, const shape& /*team*/) : map_{buckets} {}

  bool get(std::uint64_t key, Payload& to) const { return map_.find(key, to); }
  bool put(std::uint64_t key, const Payload& p) { return map_.insert(key, p); }
  bool remove(std::uint64_t key) { return map_.erase(key); }
  [[nodiscard]] std::size_t count() const { return map_.size(); }

 private:
  libcuckoo::cuckoohash_map<std::uint64_t, Payload> map_;
};

}  // namespace synchro::peers

#endif
