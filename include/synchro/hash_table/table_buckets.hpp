// The buckets of a hash table: where they are, how one of them is held, and how their number doubles.
//
// hash_table.hpp says what all that is for, and with what the accesses pair; table_memory.hpp has a picture of the segments.

#ifndef SYNCHRO_HASH_TABLE_TABLE_BUCKETS_HPP
#define SYNCHRO_HASH_TABLE_TABLE_BUCKETS_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "synchro/detail/exceptions.hpp"
#include "synchro/hardware.hpp"
#include "synchro/hash_table/table_memory.hpp"
#include "synchro/shape.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

template <class Block, class Machine, class Locking>
class table_buckets {
 public:
  using block = Block;
  using segments = table_segments<block, Machine>;

  /// A bucket as it was when its lock was taken, or when somebody looked at it: values, so that compilers keep them in registers.
  struct held {
    block* home;
    std::uint64_t index;
    unsigned bits;       // of the table
    std::uint32_t seen;  // the version
    std::uint32_t head;

    /// How many of the hash's last bits are the bucket's number.
    [[nodiscard]] unsigned depth() const { return block::depth(head) - 1; }
    /// The first question is the one that was asked already: compilers do not ask the second.
    [[nodiscard]] bool is_unsplit() const { return block::depth(head) != bits + 1 && block::depth(head) <= bits; }
  };

  /// A bucket whose lock the caller has, alone or with other readers.
  template <bool Alone>
  class holding {
   public:
    /// The bucket of the hash, as far as the table has been split.
    holding(const table_buckets& of, std::uint64_t hash) : holding{of, of.template lock_that_of<Alone>(hash)} {}
    /// The bucket of this number, which is there already.
    holding(const table_buckets& of, std::uint64_t index, unsigned bits)
        : holding{of, of.template lock<Alone>(index, bits)} {}
    /// A bucket that the caller has locked, and has perhaps begun to change.
    holding(const table_buckets& of, const held& h, bool changed = false)
        : table_{of}, home_{h.home}, index_{h.index}, bits_{h.bits}, seen_{h.seen}, head_{h.head}, changed_{changed} {}
    [[gnu::always_inline]] ~holding() {
      if (!handed_over_) table_.template unlock<Alone>(as_locked(), changed_);
    }
    holding(const holding&) = delete;
    holding& operator=(const holding&) = delete;

    [[nodiscard]] block& home() const { return *home_; }
    [[nodiscard]] held as_locked() const { return {home_, index_, bits_, seen_, head_}; }
    /// From now on something changes.
    [[gnu::always_inline]] void begins() {
      if (!std::exchange(changed_, true)) table_.begin(as_locked());
    }
    /// Somebody else has begun.
    void has_begun() { changed_ = true; }
    /// It stays locked. Whether something has begun to change.
    bool hand_over() {
      handed_over_ = true;
      return changed_;
    }

   private:
    const table_buckets& table_;
    block* const home_;
    const std::uint64_t index_;
    const unsigned bits_;
    const std::uint32_t seen_, head_;
    bool changed_, handed_over_ = false;
  };

  /// Throws std::bad_alloc.
  table_buckets(unsigned bits, const shape& threads)
      : first_bits_{bits}, first_low_{low(bits)}, locks_{std::size_t{1} << bits, threads}, bits_{bits} {
    block* const first = segments::make(bits);
    for (std::uint64_t b = 0; b >> bits == 0; ++b)
      first[b].head.store(block::head_of(bits + 1, 0), memory_order::relaxed);
    place(0, first);
  }
  ~table_buckets() {
    const unsigned bits = this->bits();
    for (std::uint64_t b = std::uint64_t{1} << bits; b-- != 0;) {
      drop_all(at(b));
      for (block* more = at(b).own_next(); more != nullptr;) Machine::destroy(std::exchange(more, more->own_next()));
    }
    for (unsigned s = 0; s <= bits - first_bits_; ++s)
      segments::destroy(&at(before(s)), s == 0 ? first_bits_ : first_bits_ + s - 1);
  }
  table_buckets(const table_buckets&) = delete;
  table_buckets& operator=(const table_buckets&) = delete;

  /// So many that there are at least so many buckets. Throws std::bad_alloc if nobody has so many.
  static unsigned bits_for(std::size_t buckets) {
    if (buckets > std::size_t{1} << segments::most_bits) detail::raise(std::bad_alloc{});
    return static_cast<unsigned>(std::bit_width(std::max<std::size_t>(buckets, 1) - 1));
  }
  static constexpr std::uint64_t low(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

  [[nodiscard]] unsigned bits() const { return bits_.load(memory_order::acquire); }
  block& at(std::uint64_t index) const {
    // Without a branch, for which segment it is nobody can foresee. The number of the highest bit, as compilers know it.
    const auto s = static_cast<std::uint64_t>(std::countl_zero((index >> first_bits_) << 1 | 1)) ^ 63;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the origin of most segments is no object
    return *reinterpret_cast<block*>(origin(s) + static_cast<std::uintptr_t>(index) * sizeof(block));
  }
  /// Whether the bucket of this head and number is that of the hash.
  static bool serves(std::uint32_t head, std::uint64_t index, std::uint64_t hash) {
    return block::depth(head) != 0 && (hash & low(block::depth(head) - 1)) == index;
  }

  [[nodiscard]] std::size_t bytes() const {
    return ((std::size_t{1} << bits()) + static_cast<std::size_t>(spares_.made())) * sizeof(block);
  }

  /// f(holding<true>&) with each bucket, as it is at that moment.
  template <class F>
  void for_each_bucket(F f) const {
    for (std::uint64_t b = 0; b >> first_bits_ == 0; ++b) descend(b, first_bits_, f);
  }
  /// Those whose number ends in these bits of the index: itself, and the halves that it has given away since it had so few.
  template <class F>
  void descend(std::uint64_t index, unsigned bits, F& f) const {
    unsigned depth = bits;
    {
      holding<true> w{*this, index, bits};
      depth = w.as_locked().depth();
      f(w);
    }
    for (; bits != depth; ++bits) descend(index | std::uint64_t{1} << bits, bits + 1, f);
  }

  // Without the bucket's lock.

  /// The bucket of the hash. False if somebody changes it, or if it has not been split as the table has. Of a table that has
  /// not grown without asking for the segment.
  [[gnu::always_inline]] bool glance(std::uint64_t hash, held& h) const {
    const unsigned bits = this->bits();
    if (bits == first_bits_) [[likely]] {
      h.index = hash & first_low_;
      h.home = &first()[static_cast<std::size_t>(h.index)];
    } else {
      h.index = hash & low(bits);
      h.home = &at(h.index);
    }
    h.bits = bits;
    h.seen = h.home->version.load(memory_order::acquire);
    h.head = h.home->head.load(memory_order::acquire);
    return h.seen % 2 == 0 && block::depth(h.head) == bits + 1;
  }
  /// The same, when nobody changes it. False if it was split meanwhile.
  bool gaze(std::uint64_t hash, held& h) const {
    const unsigned bits = this->bits();
    h = gaze_at(hash & low(bits), bits);
    if (block::depth(h.head) == 0) h = gaze_at(h.index & low(bits - 1), bits);
    return serves(h.head, h.index, hash);
  }
  static bool is_still(const block& home, std::uint32_t version) {
    return home.version.load(memory_order::relaxed) == version;
  }
  /// True if the caller has its lock now, and it is as it was seen.
  bool claim(const held& h) const { return locks_.claim(h.home->version, h.seen); }

  // Under the bucket's lock.

  void begin(const held& h) const { locks_.begin(h.home->version, h.seen); }
  static std::size_t elements_of(const block& home) {
    std::size_t n = 0;
    for (const block* b = &home; b != nullptr; b = b->own_next()) n += block::count(b->own_head());
    return n;
  }
  static void drop_all(block& home) noexcept {
    for (block* b = &home; b != nullptr; b = b->own_next())
      for (std::uint32_t left = block::used(b->own_head()); left != 0; left &= left - 1)
        b->drop(static_cast<unsigned>(std::countr_zero(left)));
  }
  /// Fills the first block from the others, and gives back those that are empty. The filter keeps whom it had while there are
  /// others.
  void tidy(block& home) noexcept {
    block* last = &home;
    for (block* b = home.own_next(); b != nullptr;) {
      for (std::uint32_t left = block::used(b->own_head()); left != 0 && block::used(home.own_head()) != block::every;
           left &= left - 1)
        home.move_in(*b, static_cast<unsigned>(std::countr_zero(left)));
      block* const next = b->own_next();
      if (block::used(b->own_head()) == 0) {
        last->link(next);
        spares_.give_back(b);
      } else {
        last = b;
      }
      b = next;
    }
    if (last == &home) home.leave(block::filter(~0U));
  }
  /// A block with a free slot, behind the first, and if it is a new one, behind which it is to be linked.
  struct room {
    block* in;
    block* last;
  };
  /// Throws std::bad_alloc.
  [[gnu::noinline]] room room_behind(block& home) {
    block* last = &home;
    while (last->own_next() != nullptr) {
      last = last->own_next();
      if (block::used(last->own_head()) != block::every) return {last, nullptr};
    }
    return {spares_.take(), last};
  }

  // Growth.

  /// Whether there are as many blocks beside the buckets that it should grow: about half as many, and for some numbers of
  /// slots as many that it doubles when a flat map of a power of two would have had to, 7/8 full, and not shortly before.
  bool is_crowded(unsigned bits) {
    constexpr unsigned eighths = block::slots % 3 == 0 ? 5 : block::slots == 5 ? 7 : 4;
    return spares_.more_in_use_than((std::uint64_t{1} << bits) * eighths / 8);
  }
  /// Null if there is no memory: the table goes on as it is, and the next one who takes a block tries again.
  static block* new_segment(unsigned bits) noexcept {
    return or_if_thrown([&] { return segments::make(bits); }, [] { return static_cast<block*>(nullptr); });
  }
  void add(block* segment, unsigned bits) {
    place(bits - first_bits_ + 1, segment);
    bits_.store(bits + 1, memory_order::release);
  }
  [[nodiscard]] bool are_the_first(unsigned bits) const { return bits == first_bits_; }

  /// Blocks for so many elements, beside the first. Throws std::bad_alloc.
  block* room_for(std::size_t elements) {
    block* made = nullptr;
    undone_if_thrown(
        [&] {
          for (; elements > block::slots; elements -= block::slots) {
            block* const more = spares_.take();
            more->link(made);
            made = more;
          }
        },
        [&] {
          while (made != nullptr) spares_.give_back(std::exchange(made, made->own_next()));
        });
    return made;
  }
  /// Moves the elements that are marked into the empty bucket `to`, and makes it a bucket of so many bits.
  static void move_leaving(block& home, block& to, block* spares, unsigned bits) noexcept {
    block* fills = &to;
    for (block* b = &home; b != nullptr; b = b->own_next()) {
      for (std::uint32_t left = block::leaving(b->own_head()); left != 0; left &= left - 1) {
        if (block::used(fills->own_head()) == block::every) fills = fills == &to ? spares : fills->own_next();
        fills->move_in(*b, static_cast<unsigned>(std::countr_zero(left)));
      }
    }
    to.link(spares);
    // Those of the first block went first: behind are only some that were behind.
    const std::uint32_t filter = spares == nullptr ? 0 : block::filter(home.own_head());
    to.head.store(block::head_of(bits + 1, block::used(to.own_head()), filter), memory_order::release);
  }

 private:
  held gaze_at(std::uint64_t index, unsigned bits) const {
    block& home = at(index);
    const std::uint32_t seen = Machine::await(
        home.version, memory_order::acquire,
        [](std::uint32_t v, std::uint32_t round) { return v % 2 == 0 ? look::done() : spin_yield::retry(round); });
    return {&home, index, bits, seen, home.head.load(memory_order::acquire)};
  }
  template <bool Alone>
  held lock(std::uint64_t index, unsigned bits) const {
    block* const home = &at(index);
    std::uint32_t seen = 0;
    if constexpr (Alone) {
      Machine::prefetch_for_write(home);
      if constexpr (sizeof(block) > cpu::cache_line) Machine::prefetch_for_write(&home->next);
      seen = locks_.lock(home->version, index);
    } else {
      locks_.lock_shared(index);
    }
    return {home, index, bits, seen, home->head.load(memory_order::acquire)};
  }
  template <bool Alone>
  void unlock(const held& h, bool changed) const noexcept {
    if constexpr (Alone)
      locks_.unlock(h.home->version, h.index, h.seen, changed);
    else
      locks_.unlock_shared(h.index);
  }
  template <bool Alone>
  held lock_that_of(std::uint64_t hash) const {
    const unsigned bits = this->bits();
    const held h = lock<Alone>(hash & low(bits), bits);
    if (block::depth(h.head) == bits + 1) [[likely]]
      return h;
    return lock_instead<Alone>({h.home, h.index, h.bits, h.seen, h.head}, hash);
  }
  /// The table is growing: goes to the bucket that has not been split yet, or to one that has been meanwhile.
  template <bool Alone>
  [[gnu::noinline]] held lock_instead(held h, std::uint64_t hash) const {
    while (!serves(h.head, h.index, hash)) {
      unlock<Alone>(h, false);
      const unsigned bits = block::depth(h.head) == 0 ? h.bits : this->bits();
      h = lock<Alone>(hash & low(block::depth(h.head) == 0 ? bits - 1 : bits), bits);
    }
    return h;
  }

  // A segment is known by where bucket 0 would be if all buckets stood in one row: a bucket's number is its place.
  void place(unsigned s, block* segment) {
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(segment) - before(s) * sizeof(block);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the same
    segments_[s].store(reinterpret_cast<block*>(at), memory_order::relaxed);
  }
  [[nodiscard]] block* first() const { return segments_[0].load(memory_order::relaxed); }
  [[nodiscard]] std::uintptr_t origin(std::uint64_t s) const {
    return reinterpret_cast<std::uintptr_t>(segments_[s].load(memory_order::relaxed));
  }
  /// How many buckets are in the segments before it.
  [[nodiscard]] std::uintptr_t before(unsigned s) const {
    return static_cast<std::uintptr_t>(std::uint64_t{1} << s >> 1 << first_bits_);
  }

  // Written once, when the table is made.
  const unsigned first_bits_;
  const std::uint64_t first_low_;
  mutable typename Locking::template locks<Machine> locks_;
  // Written once in a growth.
  typename Machine::template atomic<std::uint32_t> bits_;
  typename Machine::template atomic<block*> segments_[segments::most_bits + 1];
  // Written all the while.
  alignas(cpu::cache_line) spare_blocks<block, Machine> spares_;
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
