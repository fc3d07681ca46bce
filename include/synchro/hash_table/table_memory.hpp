// The memory of a hash table: blocks of slots, which the table gives back only when it is destroyed.
//
//   block      | version, head | keys ... | next | values ... |      whole cache lines
//   head       bits 0-7 which slots are in use; 8-15 depth; 16-23 which slots leave in a split, or left in the last; 24-31 a
//              Bloom filter of the hashes in the blocks behind the bucket's first, which is empty when there are none
//   depth      of the first block of a bucket: 0, nothing is here yet; d + 1, it has the hashes that end in its number's d bits
//
//   segments   | 2^f buckets | 2^f | 2^(f+1) | 2^(f+2) | ...         each doubles the table; none ever moves
//   spares     blocks for what does not fit into its bucket's first one; those that came back are used again
//
// A reader may still look at a block that was taken out of its bucket and is another's already: it finds atomics, whatever
// they hold, and the version of the bucket tells it to begin again. For that every word that readers look at is stored with
// release while the version of its bucket is odd: also the link of a block that lies among the spares.
//
// Memory orders.
//   access                        order     pairs with
//   load of a segment             relaxed   nothing: a thread that knows so many bits (hash_table.hpp) acquired them
//   store of a segment            relaxed   nothing: the number of bits publishes it
//   next, of a spare block: load  relaxed   nothing: under the lock of the spares
//   next: store                   release   the acquire load of a reader, which then sees the odd version
//   head of a spare block: store  release   the same

#ifndef SYNCHRO_HASH_TABLE_TABLE_MEMORY_HPP
#define SYNCHRO_HASH_TABLE_TABLE_MEMORY_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "synchro/detail/exceptions.hpp"
#include "synchro/hardware.hpp"
#include "synchro/hash_table/table_cell.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// Of longer lines (z/Architecture's) two blocks share one: a block of small pairs would leave half of it empty.
inline constexpr std::size_t line_of_blocks = std::min<std::size_t>(cpu::cache_line, 128);
constexpr std::size_t whole_lines(std::size_t bytes) {
  return (bytes + line_of_blocks - 1) / line_of_blocks * line_of_blocks;
}
constexpr std::size_t aligned(std::size_t at, std::size_t alignment) {
  return (at + alignment - 1) / alignment * alignment;
}

/// The size of a block as it stands in memory (see table_block).
template <class Key, class T>
constexpr std::size_t block_bytes(std::size_t slots) {
  const std::size_t keys = aligned(8, cell_alignment<Key>) + slots * cell_bytes<Key>;
  const std::size_t next = aligned(keys, alignof(void*)) + sizeof(void*);
  return whole_lines(aligned(next, cell_alignment<T>) + slots * cell_bytes<T>);
}

/// Three to eight slots: as many as one line has where it has three, so that nobody waits for a second one; of larger pairs
/// those that waste least of their lines.
template <class Key, class T>
constexpr unsigned best_slots() {
  unsigned best = 3;
  const bool in_a_line = block_bytes<Key, T>(3) == line_of_blocks;
  for (unsigned slots = 4; slots <= 8; ++slots)
    if (in_a_line ? block_bytes<Key, T>(slots) == line_of_blocks
                  : block_bytes<Key, T>(slots) * best < block_bytes<Key, T>(best) * slots)
      best = slots;
  return best;
}

/// Two lines that are fetched together stand side by side.
constexpr std::size_t block_alignment(std::size_t bytes) {
  return bytes % (2 * line_of_blocks) == 0 ? 2 * line_of_blocks : line_of_blocks;
}

template <class Key, class T, class Machine, unsigned Slots>
struct alignas(block_alignment(block_bytes<Key, T>(Slots))) table_block {
  static_assert(Slots >= 1 && Slots <= 8, "the head has eight bits for slots");
  static constexpr unsigned slots = Slots;
  static constexpr std::uint32_t every = (1U << Slots) - 1, every_leaving = every << 16;

  typename Machine::template atomic<std::uint32_t> version{0};
  typename Machine::template atomic<std::uint32_t> head{0};
  table_cell<Key, Machine> keys[Slots];
  typename Machine::template atomic<table_block*> next{nullptr};
  table_cell<T, Machine> values[Slots];

  static std::uint32_t used(std::uint32_t head) { return head & every; }
  static std::uint32_t leaving(std::uint32_t head) { return head >> 16 & every; }
  /// How many are in use.
  static unsigned count(std::uint32_t head) {
    // Without std::popcount, which is a call where the processor may be too old for its instruction.
    std::uint32_t n = used(head);
    n -= n >> 1 & 0x55;
    n = (n & 0x33) + (n >> 2 & 0x33);
    return (n + (n >> 4)) & 0xf;
  }
  static unsigned depth(std::uint32_t head) { return head >> 8 & 0xff; }
  static std::uint32_t filter(std::uint32_t head) { return head & 0xff00'0000; }
  /// Of a hash of 32 bits (table_hash.hpp); the first of them, for the last are the bucket's number.
  static std::uint32_t in_filter(std::uint64_t hash) { return std::uint32_t{1} << (24 + (hash >> 29)); }
  static std::uint32_t head_of(unsigned depth, std::uint32_t used, std::uint32_t filter = 0) {
    return filter | depth << 8 | used;
  }

  // Only the holder of the bucket's lock may call it.

  [[nodiscard]] std::uint32_t own_head() const noexcept { return head.load(memory_order::relaxed); }
  [[nodiscard]] table_block* own_next() const noexcept { return next.load(memory_order::relaxed); }
  void leave(std::uint32_t which) noexcept { head.store(own_head() & ~which, memory_order::release); }
  void add_to_filter(std::uint32_t which) noexcept { head.store(own_head() | which, memory_order::release); }
  void link(table_block* to) noexcept { next.store(to, memory_order::release); }
  /// Into a free slot; `now` is the head, which is not read again.
  template <class K, class V>
  void take(std::uint32_t now, K&& key, V&& value) noexcept {
    const auto to = static_cast<unsigned>(std::countr_zero(~now & every));
    values[to].fill(std::forward<V>(value));
    keys[to].fill(std::forward<K>(key));
    head.store(now | 1U << to, memory_order::release);
  }
  /// What is in a slot of another block goes into a free one of this.
  void move_in(table_block& from, unsigned slot) noexcept {
    take(own_head(), std::move(from.keys[slot].read()), std::move(from.values[slot].read()));
    from.drop(slot);
  }
  void drop(unsigned slot) noexcept {
    leave(1U << slot);
    keys[slot].drop();
    values[slot].drop();
  }
};

/// 2^k blocks, made in one piece for each k.
template <class Block, class Machine>
class table_segments {
 public:
  static constexpr auto most_bytes = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  /// So many bits of a hash that one segment still is an object that may be made.
  static constexpr unsigned most_bits = std::min<unsigned>(32, std::bit_width(most_bytes / sizeof(Block)) - 1);

  static Block* make(unsigned bits) { return makers[bits](); }
  static void destroy(Block* first, unsigned bits) noexcept { destroyers[bits](first); }

 private:
  template <unsigned Bits>
  struct piece {
    piece() {}  // written out: of its own one clang keeps a picture of each block, in gigabytes
    Block blocks[std::size_t{1} << Bits];
  };
  template <unsigned Bits>
  static Block* make_piece() {
    return Machine::template make<piece<Bits>>()->blocks;
  }
  template <unsigned Bits>
  static void destroy_piece(Block* first) noexcept {
    Machine::destroy(reinterpret_cast<piece<Bits>*>(first));
  }
  template <unsigned... Bits>
  static constexpr std::array<Block* (*)(), most_bits + 1> all_makers(std::integer_sequence<unsigned, Bits...>) {
    return {make_piece<Bits>...};
  }
  template <unsigned... Bits>
  static constexpr std::array<void (*)(Block*) noexcept, most_bits + 1> all_destroyers(
      std::integer_sequence<unsigned, Bits...>) {
    return {destroy_piece<Bits>...};
  }
  static constexpr auto makers = all_makers(std::make_integer_sequence<unsigned, most_bits + 1>{});
  static constexpr auto destroyers = all_destroyers(std::make_integer_sequence<unsigned, most_bits + 1>{});
};

/// Blocks beside the buckets.
template <class Block, class Machine>
class spare_blocks {
 public:
  spare_blocks() = default;
  ~spare_blocks() {
    for (Block* b = free_; b != nullptr;) Machine::destroy(std::exchange(b, b->own_next()));
  }
  spare_blocks(const spare_blocks&) = delete;
  spare_blocks& operator=(const spare_blocks&) = delete;

  /// An empty one without a successor. Throws std::bad_alloc.
  Block* take() {
    lock_.lock();
    Block* const found = free_;
    if (found != nullptr) free_ = found->own_next();
    in_use_ = in_use_ + 1;
    lock_.unlock();
    if (found != nullptr) {
      found->link(nullptr);
      return found;
    }
    Block* const made = undone_if_thrown([] { return Machine::template make<Block>(); },
                                         [&] {
                                           lock_.lock();
                                           in_use_ = in_use_ - 1;
                                           lock_.unlock();
                                         });
    made_.fetch_add(1, memory_order::relaxed);
    return made;
  }

  void give_back(Block* empty) noexcept {
    lock_.lock();
    empty->link(free_);
    free_ = empty;
    in_use_ = in_use_ - 1;
    lock_.unlock();
  }

  [[nodiscard]] bool more_in_use_than(std::uint64_t n) {
    lock_.lock();
    const bool more = in_use_ > n;
    lock_.unlock();
    return more;
  }

  [[nodiscard]] std::uint64_t made() const { return made_.load(memory_order::relaxed); }

 private:
  basic_ttas_lock<Machine, spin_yield> lock_;
  typename Machine::template plain<Block*> free_{nullptr};
  typename Machine::template plain<std::uint64_t> in_use_{0};
  typename Machine::template atomic<std::uint64_t> made_{0};
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
