// Rust's dashmap: shards, each a map under a reader-writer lock whose waiters sleep.

#ifndef SYNCHRO_BENCH_HASHTABLE_DASH_MAP_HPP
#define SYNCHRO_BENCH_HASHTABLE_DASH_MAP_HPP

#include <cstddef>
#include <cstdint>

#include "../rust/rust.hpp"
#include "experiments/hashtable/workload.hpp"
#include "synchro/shape.hpp"

namespace synchro::bench {

class dash_map {
  using payload = experiments::hashtable::payload;

 public:
  static constexpr const char* name = "dashmap";
  static constexpr const char* waits = "park";

  dash_map(unsigned /*buckets*/, const shape& /*team*/) {}

  bool get(std::uint64_t key, payload& to) const { return dashmap_get(map_.get(), key, &to.words); }
  bool put(std::uint64_t key, const payload& p) { return dashmap_put(map_.get(), key, &p.words); }
  bool remove(std::uint64_t key) { return dashmap_remove(map_.get(), key); }
  [[nodiscard]] std::size_t count() const { return dashmap_count(map_.get()); }

 private:
  owned<dashmap, dashmap_delete> map_{dashmap_new()};
};

}  // namespace synchro::bench

#endif
