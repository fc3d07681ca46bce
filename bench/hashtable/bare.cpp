#include "bare.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

#include "../bare_thread.hpp"
#include "synchro/hash_table/hash_table.hpp"

namespace bare {

namespace {

constexpr std::size_t buckets = 512, in_each = 24;
constexpr double window_ns = 20e6;

struct line {
  std::array<std::uint64_t, 8> words;
};

line line_of(std::uint64_t key) {
  line l;
  l.words.fill(key);
  return l;
}

/// Marsaglia: Xorshift RNGs, 2003.
struct shifting {
  std::uint64_t state;
  std::uint64_t operator()() {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  }
};

template <class Get, class Put, class Remove>
double loop(int cpu, const std::vector<std::uint64_t>& keys, Get get, Put put, Remove remove) {
  double ns = -1;
  std::thread alone{[&] {
    if (!pin(cpu)) return;
    for (std::size_t i = 0; i < keys.size(); i += 2) put(keys[i], line_of(keys[i]));
    shifting numbers{0x2545'f491'4f6c'dd1d};
    std::uint64_t done = 0;
    bool right = true;
    const double begin = now_ns();
    double end = begin;
    for (; end - begin < window_ns; end = now_ns())
      for (int i = 0; i < 1000; ++i, ++done) {
        const std::uint64_t n = numbers();
        const std::uint64_t key = keys[static_cast<std::size_t>((n >> 32) * keys.size() >> 32)];
        const std::uint64_t what = (n & 0xffff) * 10 >> 16;
        if (what >= 2) {
          if (const std::optional<line> found = get(key))
            right = right && found->words[0] == key && found->words[7] == key;
        } else if (what == 0) {
          put(key, line_of(key));
        } else {
          remove(key);
        }
      }
    if (right) ns = (end - begin) / static_cast<double>(done);
  }};
  alone.join();
  return ns;
}

/// Neighbours in the list are in different places of the table.
std::vector<std::uint64_t> mixed(std::vector<std::uint64_t> keys) {
  shifting numbers{0x9e37'79b9'7f4a'7c15};
  for (std::size_t i = keys.size(); i > 1; --i) std::swap(keys[i - 1], keys[numbers() % i]);
  return keys;
}

}  // namespace

double of_unordered_map(int cpu) {
  std::mutex mutex;
  std::unordered_map<std::uint64_t, line> map{buckets};
  std::vector<std::uint64_t> keys;
  for (std::uint64_t k = 1; k <= buckets * in_each; ++k) keys.push_back(k);
  return loop(
      cpu, mixed(keys),
      [&](std::uint64_t k) -> std::optional<line> {
        const std::lock_guard held{mutex};
        const auto found = map.find(k);
        if (found == map.end()) return std::nullopt;
        return found->second;
      },
      [&](std::uint64_t k, const line& l) {
        const std::lock_guard held{mutex};
        map.try_emplace(k, l);
      },
      [&](std::uint64_t k) {
        const std::lock_guard held{mutex};
        map.erase(k);
      });
}

double of_own_table(int cpu) {
  synchro::hash_table<std::uint64_t, line> table{synchro::fixed_buckets{buckets}};
  std::vector<std::uint64_t> keys;
  std::array<unsigned, buckets> in{};
  for (std::uint64_t k = 1; keys.size() < buckets * in_each; ++k)
    if (in[table.bucket(k)]++ < in_each) keys.push_back(k);
  return loop(
      cpu, mixed(keys), [&](std::uint64_t k) { return table.find(k); },
      [&](std::uint64_t k, const line& l) { table.insert(k, l); }, [&](std::uint64_t k) { table.erase(k); });
}

}  // namespace bare
