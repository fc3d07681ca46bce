// Boost's concurrent_flat_map (1.83): open addressing, and a spinlock for each group of fifteen elements.

#ifndef SYNCHRO_PEERS_TABLES_BOOST_HPP
#define SYNCHRO_PEERS_TABLES_BOOST_HPP

#include <boost/unordered/concurrent_flat_map.hpp>
#include <cstddef>
#include <cstdint>

#include "synchro/shape.hpp"

namespace synchro::peers {

template <class Payload>
class boost_flat_map {
 public:
  static constexpr const char* waits = "yield";

  boost_flat_map(unsigned buckets, const shape& /*team*/) : map_{buckets} {}

  bool get(std::uint64_t key, Payload& to) const {
    return map_.cvisit(key, [&to](const auto& found) { to = found.second; }) != 0;
  }
  bool put(std::uint64_t key, const Payload& p) { return map_.emplace(key, p); }
  bool remove(std::uint64_t key) { return map_.erase(key) != 0; }
  [[nodiscard]] std::size_t count() const { return map_.size(); }

 private:
  boost::concurrent_flat_map<std::uint64_t, Payload> map_;
};

}  // namespace synchro::peers

#endif
