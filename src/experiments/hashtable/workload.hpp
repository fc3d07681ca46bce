// What is done to a hash table, and by whom: the keys, how they are drawn, and what comes out.
//
// There are `buckets` times twice `load` keys, so many in each bucket; half of them are there when the threads begin. Each
// operation has a key, and is a get (80 %), a put or a remove (10 % each), so that about as many stay. A put of a key that
// is there changes nothing. The payload says of which key it is. What a thread does is drawn before it begins, in the order in
// which it does it: a random number and a look into the list of keys cost as much as a part of an operation.

#ifndef SYNCHRO_EXPERIMENTS_HASHTABLE_WORKLOAD_HPP
#define SYNCHRO_EXPERIMENTS_HASHTABLE_WORKLOAD_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/laboratory.hpp"

namespace synchro::experiments::hashtable {

using key = std::uint64_t;

/// A line, as in the paper.
struct payload {
  std::array<std::uint64_t, 8> words{};

  static payload of(key k) {
    payload p;
    p.words.fill(k);
    p.words.back() = ~k;
    return p;
  }
  [[nodiscard]] bool is_of(key k) const { return words.front() == k && words.back() == ~k; }
};

struct table_task {
  std::vector<unsigned> cpus = {};  ///< As for a laboratory's team.
  unsigned threads = 1;
  unsigned buckets = 12;
  unsigned load = 12;   ///< Elements in a bucket, in the mean.
  bool skewed = false;  ///< Keys are drawn by Zipf's law, otherwise all alike.
  double window_ns = 20e6;
  std::uint64_t seed = 1;
};

struct table_outcome {
  std::vector<double> operations;  ///< Of each thread.
  double elapsed_ns = 0;           ///< From the first thread's start to the last one's end.
  std::optional<std::string> broken = std::nullopt;
  measure::team_report team = {};
};

/// Of the threads of a table by message passing one in three serves; one thread alone is a client beside one server.
inline constexpr unsigned most_clients = 64;
[[nodiscard]] inline unsigned servers_of(unsigned threads) { return std::max(1U, threads / 3); }
[[nodiscard]] inline unsigned clients_of(unsigned threads) { return threads > 1 ? threads - servers_of(threads) : 1; }

/// Multiplies, and takes the upper half (Knuth, The Art of Computer Programming 2, 3.3.4).
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_{seed * 0x9e37'79b9'7f4a'7c15} {}
  std::uint32_t next() noexcept {
    state_ = state_ * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
    return static_cast<std::uint32_t>(state_ >> 32);
  }
  std::uint32_t below(std::uint32_t n) noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{next()} * n) >> 32);
  }

 private:
  std::uint64_t state_;
};

/// Draws one of n by Zipf's law with exponent 0.99, that of the usual benchmarks of key-value stores: an alias table (Vose: A
/// Linear Algorithm for Generating Random Numbers with a Given Distribution, 1991), two numbers a draw. The most frequent
/// are not neighbours: who is the how manieth is a permutation.
class zipf {
 public:
  explicit zipf(std::uint32_t n) : places_(n) {
    std::vector<double> share(n);
    double sum = 0;
    for (std::uint32_t rank = 0; rank < n; ++rank) sum += share[rank] = std::pow(rank + 1, -0.99);
    for (double& s : share) s *= n / sum;
    std::vector<std::uint32_t> small, large;
    for (std::uint32_t i = 0; i < n; ++i) (share[i] < 1 ? small : large).push_back(i);
    for (std::uint32_t i = 0; i < n; ++i) places_[i] = {~0U, i};
    while (!small.empty() && !large.empty()) {
      const std::uint32_t less = small.back(), more = large.back();
      small.pop_back();
      places_[less] = {static_cast<std::uint32_t>(share[less] * 4294967295.0), more};
      share[more] -= 1 - share[less];
      if (share[more] >= 1) continue;
      large.pop_back();
      small.push_back(more);
    }
  }
  std::uint32_t draw(dice& by) const noexcept {
    const std::uint32_t at = by.below(static_cast<std::uint32_t>(places_.size()));
    return by.next() <= places_[at].limit ? at : places_[at].other;
  }

 private:
  struct place {
    std::uint32_t limit, other;
  };
  std::vector<place> places_;
};

/// The keys of a task, in an order in which neighbours are of different buckets; every other one is there at the beginning.
[[nodiscard]] std::vector<key> keys_of(unsigned buckets, unsigned load, std::uint64_t seed);

enum class act : std::uint8_t { put, remove, get };

/// In one word, for a thread goes through many of them.
class operation {
 public:
  operation(key k, act what) : word_{k << 2 | static_cast<std::uint64_t>(what)} {}
  [[nodiscard]] key on() const { return word_ >> 2; }
  [[nodiscard]] act what() const { return static_cast<act>(word_ & 3); }

 private:
  std::uint64_t word_;
};

/// What one thread does in this time, over and over: two for each key, 16384 at least, 2^20 (8 MiB) at most, and no more than it
/// could do if each took 4 ns. `skew` is null where all keys are alike.
[[nodiscard]] std::vector<operation> draw_operations(const std::vector<key>& keys, const zipf* skew, double window_ns,
                                                     std::uint64_t seed);

/// What a thread counted.
struct counts {
  std::uint64_t operations = 0;
  std::uint64_t added = 0, removed = 0;
  std::uint64_t torn = 0;  ///< Payloads that were not of their key.
};

/// One sentence if what is there afterwards is not what was put and not removed.
[[nodiscard]] std::optional<std::string> fault(std::uint64_t at_first, const counts& all, std::uint64_t there);

}  // namespace synchro::experiments::hashtable

#endif
