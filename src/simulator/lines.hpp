// Cache lines of the simulated machine, found by address and numbered in the order of allocation and first use, so that
// nothing depends on where the system put them.

#ifndef SYNCHRO_SIMULATOR_LINES_HPP
#define SYNCHRO_SIMULATOR_LINES_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include "simulator/model.hpp"

namespace synchro::simulator {

enum class access : std::uint8_t { load, store, cas, fai, tas, swap, prefetch };
[[nodiscard]] constexpr bool writes(access a) { return a != access::load; }
[[nodiscard]] constexpr bool is_atomic(access a) { return a >= access::cas && a <= access::swap; }
/// The row of the tables.
[[nodiscard]] constexpr operation row_of(access a) {
  return a == access::prefetch ? operation::store : static_cast<operation>(a);
}

struct thread;
using line_index = std::uint32_t;

/// An access that waits for its line, or is being served.
struct request {
  access what = access::load;
  bool buffered = false;  ///< A store from a buffer: its thread does not wait for it.
  bool ahead = false;     ///< Asked for before it is needed: its thread does not wait for it either.
  std::uint8_t size = 0;
  thread* from = nullptr;
  line_index line = 0;
  std::uint32_t holder = 0;  ///< The core that answers; of a line that no core has, its home.
  ticks sooner = 0;          ///< So much earlier the core asked, if the line was free.
  ticks sent = 0;            ///< When it leaves its core.
  ticks latency = 0;
  ticks occupancy = 0;
  void* address = nullptr;
  std::uint64_t value = 0;
  request* next = nullptr;
};

/// A thread in the list of those that wait for a line to change.
struct waiter {
  thread* who = nullptr;
  line_index line = 0;
  waiter* previous = nullptr;
  waiter* next = nullptr;
};

struct line {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  state in = state::invalid;
  level at = level::l1;          ///< Where the only holder has it.
  bool busy = false;             ///< The first request is being served.
  std::uint32_t owner = nobody;  ///< Core; of a line modified, owned or exclusive.
  std::uint32_t last = nobody;   ///< Thread that brought it into its state (by processor).
  std::uint32_t home = 0;        ///< A core of the home die, or the home tile.
  std::uint32_t version = 0;     ///< Counts what takes copies away.
  ticks written = 0;             ///< When a core last fetched it to write.
  ticks reaches_owner = 0;       ///< When the request at hand takes the line from its owner.
  request* first = nullptr;
  request* last_request = nullptr;
  waiter* waiting = nullptr;
};

class line_table {
 public:
  static constexpr std::size_t bytes = 64;  ///< Of a line.

  explicit line_table(const model& m) : model_{m}, words_{(m.cores() + 63) / 64} { slots_.resize(1024); }

  /// The line of an address. One that nobody has placed is homed at `toucher` (a core).
  line_index find(const void* p, unsigned toucher) {
    const auto key = reinterpret_cast<std::uintptr_t>(p) / bytes;
    for (std::size_t i = hash(key);; ++i) {
      slot& s = slots_[i & (slots_.size() - 1)];
      if (s.key == key) return s.index;
      if (s.key == 0) return add(key, toucher);
    }
  }

  [[nodiscard]] line& operator[](line_index i) { return lines_[i]; }
  [[nodiscard]] const line& operator[](line_index i) const { return lines_[i]; }
  [[nodiscard]] std::size_t size() const { return lines_.size(); }

  /// Memory whose lines are homed at this core's die or, on a machine whose tiles are homes, spread over the tiles.
  void* allocate(std::size_t size, std::size_t alignment, unsigned core);
  /// From now on: also there at the core that allocates.
  void home_here(bool here) { here_ = here; }

  // Which cores have a copy.
  [[nodiscard]] bool has_copy(line_index l, unsigned core) const {
    return (sharers_[l * words_ + core / 64] >> core % 64 & 1) != 0;
  }
  void add_copy(line_index l, unsigned core) { sharers_[l * words_ + core / 64] |= std::uint64_t{1} << core % 64; }
  void drop_copies(line_index l) {
    for (std::size_t w = 0; w < words_; ++w) sharers_[l * words_ + w] = 0;
  }
  template <class Visit>
  void each_copy(line_index l, Visit visit) const {
    (void)find_copy(l, 0, static_cast<unsigned>(64 * words_), [&](unsigned core) {
      visit(core);
      return false;
    });
  }
  /// The first of the cores from `first` up to, not including, `end` that has a copy and that `accept` takes; or nobody.
  template <class Accept>
  [[nodiscard]] unsigned find_copy(line_index l, unsigned first, unsigned end, Accept accept) const {
    for (std::size_t w = first / 64; w * 64 < end; ++w) {
      std::uint64_t left = sharers_[l * words_ + w];
      if (w == first / 64) left &= ~std::uint64_t{0} << first % 64;
      for (; left != 0; left &= left - 1) {
        const unsigned core = static_cast<unsigned>(w * 64) + static_cast<unsigned>(__builtin_ctzll(left));
        if (core >= end) return line::nobody;
        if (accept(core)) return core;
      }
    }
    return line::nobody;
  }

 private:
  /// Their alignment, too: what makes a number of an address (a table of locks) makes the same one in every run.
  static constexpr std::size_t usual_block = 1 << 20;

  struct slot {
    std::uintptr_t key = 0;
    line_index index = 0;
  };
  struct region {
    std::uintptr_t end;
    unsigned core;
    bool spread;
    std::uint64_t first_line;
  };
  struct block_deleter {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{usual_block}); }
  };

  [[nodiscard]] std::size_t hash(std::uintptr_t key) const {
    return static_cast<std::size_t>(key * 0x9e37'79b9'7f4a'7c15 >> 20);
  }
  line_index add(std::uintptr_t key, unsigned toucher);
  [[nodiscard]] std::uint32_t home_of(std::uintptr_t key, unsigned toucher) const;
  [[nodiscard]] std::uint32_t home_for(unsigned core) const;
  void grow();

  const model& model_;
  std::size_t words_;
  bool here_ = false;
  std::vector<slot> slots_;
  std::vector<line> lines_;
  std::vector<std::uint64_t> sharers_;
  std::map<std::uintptr_t, region> regions_;
  std::vector<std::unique_ptr<std::byte[], block_deleter>> blocks_;
  std::byte* free_ = nullptr;
  std::size_t free_bytes_ = 0;
  std::uint64_t lines_allocated_ = 0;
};

}  // namespace synchro::simulator

#endif
