// Hash tables, with nothing in them of the experiment that they are compared with; what is done was drawn before.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <unordered_map>
#include <vector>

#include "plain.hpp"
#include "synchro/hash_table/hash_table.hpp"
#include "team.hpp"

namespace {

constexpr std::size_t buckets = 512, in_each = 24;

struct line {
  std::array<std::uint64_t, 8> words;
};

line line_of(std::uint64_t key) {
  line l;
  l.words.fill(key);
  return l;
}

struct errand {
  std::uint64_t key;
  unsigned what;  ///< Of ten: 0 puts, 1 removes, the others get.
};

std::vector<errand> errands(const std::vector<std::uint64_t>& keys, std::size_t seed) {
  std::mt19937_64 random{seed};
  std::vector<errand> all;
  for (unsigned i = 0; i != 30'000; ++i)
    all.push_back({keys[random() % keys.size()], static_cast<unsigned>(random() % 10)});
  return all;
}

template <class Get, class Put, class Remove>
double loop(const std::vector<int>& cpus, std::vector<std::uint64_t> keys, Get get, Put put, Remove remove) {
  std::shuffle(keys.begin(), keys.end(), std::mt19937_64{7});  // neighbours are in different places of the table
  for (std::size_t i = 0; i < keys.size(); i += 2) put(keys[i], line_of(keys[i]));
  std::atomic<bool> wrong{false};
  const double each = plain::together(cpus, [&](std::size_t me) {
    return [&, todo = plain::round<errand>{errands(keys, me + 1)}]() mutable {
      const auto [where, deed] = todo.next();
      const std::uint64_t key = where.key;
      if (deed.what >= 2) {
        if (const std::optional<line> found = get(key))
          if (found->words[0] != key || found->words[7] != key) wrong = true;
      } else if (deed.what == 0) {
        put(key, line_of(key));
      } else {
        remove(key);
      }
    };
  });
  return wrong ? -1 : each;
}

}  // namespace

double plain::unordered_map(const std::vector<int>& cpus) {
  struct shared {
    alignas(128) std::mutex mutex;
    std::unordered_map<std::uint64_t, line> map{buckets};
  };
  const auto all = std::make_unique<shared>();
  std::vector<std::uint64_t> keys;
  for (std::uint64_t k = 1; k <= buckets * in_each; ++k) keys.push_back(k);
  return loop(
      cpus, keys,
      [&](std::uint64_t k) -> std::optional<line> {
        const std::lock_guard held{all->mutex};
        const auto found = all->map.find(k);
        if (found == all->map.end()) return std::nullopt;
        return found->second;
      },
      [&](std::uint64_t k, const line& l) {
        const std::lock_guard held{all->mutex};
        all->map.try_emplace(k, l);
      },
      [&](std::uint64_t k) {
        const std::lock_guard held{all->mutex};
        all->map.erase(k);
      });
}

double plain::own_table(const std::vector<int>& cpus) {
  synchro::hash_table<std::uint64_t, line> table{synchro::fixed_buckets{buckets}};
  std::vector<std::uint64_t> keys;
  std::array<unsigned, buckets> in{};
  for (std::uint64_t k = 1; keys.size() < buckets * in_each; ++k)
    if (in[table.bucket(k)]++ < in_each) keys.push_back(k);
  return loop(
      cpus, keys, [&](std::uint64_t k) { return table.find(k); },
      [&](std::uint64_t k, const line& l) { table.insert(k, l); }, [&](std::uint64_t k) { table.erase(k); });
}
