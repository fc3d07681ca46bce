// Hash table: keys and values that many threads read and write at the same time.
//
// Problem. One lock around a map makes all threads wait for each other. A lock for each bucket does not, but readers still
// write to the lock, so that its line goes from one to the other, a chain of nodes costs a cache miss each, and who makes the
// table larger stops everybody.
//
// Picture.   bucket    | version, head | keys ... | next | values ... |      whole lines; 7 slots for pairs of 16 bytes
//                                                   '-> another block, if more keys have this bucket than it has slots
//
//   find       waits until the version is even, compares all keys of the block at once, copies the value, and is content
//              if the version is still the same. It writes nothing.
//   others     make the version odd, change slots, make it even again (bucket_lock.hpp: or take a lock of the catalog).
//   growth     when there are about half as many blocks beside the buckets as buckets, a segment of as many buckets is added, and
//              nothing else happens. Bucket b is split, into b and b + n, by the first writer who comes to it; whoever puts
//              something in splits two more. Until then b answers for both: the head of b + n says that nothing is there
//              yet. No bucket moves, nothing is freed, nobody stops; who adds the segment takes the time to clear it.
//
//   iteration  weakly consistent: an element that is there all the while is met once, one that comes or goes meanwhile once
//              or not at all; each bucket is seen at one moment.
//
// Keys and values that are trivially copyable are read without a lock; of others readers take the bucket's lock. An Equal
// for the former may be asked about a key that nobody put, made of halves of two; its answer is thrown away.
//
// Choose it for maps that several threads write, or that are read much. Do not choose it for what one thread uses (a flat
// map takes two thirds of the memory), where elements must be in order, or where one bucket is written all the time (a
// handful of hot keys: delegation/ keeps their lines in one place). It does not shrink.
//
// Memory orders. Slots, links and heads: table_cell.hpp and table_memory.hpp; versions and locks: bucket_lock.hpp.
//   access                          order     pairs with
//   find: version, wait if odd      acquire   unlock's store: all that was changed before
//   find: head, next                acquire   their stores (release): the odd version before them, and a new block's words
//   lock: head                      acquire   the same: who splits a bucket fills the new one without its lock
//   find: second look at version    relaxed   nothing: the acquires before it order it
//   load of the number of bits      acquire   grow's store: the segment, and how many buckets are to be split
//   a new bucket's head: store      release   the acquire load of who comes to it: its slots
//   left: claim by compare-and-swap acquire   the last split's subtraction (release): the growth before is over
//   left: subtraction               release   that
//   left: store                     release   the next claim
//   left: load                      relaxed   nothing: who looks, only offers to help
//   cursor: addition                relaxed   nothing: any bucket may be helped by anybody
//   number of bits: store           release   its loads
//
// Source: buckets in cache lines: David, Guerraoui, Trigonakis: Everything You Always Wanted to Know about Synchronization but
// Were Afraid to Ask, SOSP 2013, section 4.3 (ssht), and: Asynchronized Concurrency, ASPLOS 2015 (CLHT); buckets that are split
// in place: Fagin, Nievergelt, Pippenger, Strong: Extendible Hashing, ACM TODS 4(3), 1979, and Larson: Dynamic Hash Tables,
// CACM 31(4), 1988; versions: sync/seqlock.hpp.

#ifndef SYNCHRO_HASH_TABLE_HASH_TABLE_HPP
#define SYNCHRO_HASH_TABLE_HASH_TABLE_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "synchro/detail/exceptions.hpp"
#include "synchro/hardware.hpp"
#include "synchro/hash_table/bucket_lock.hpp"
#include "synchro/hash_table/table_buckets.hpp"
#include "synchro/hash_table/table_cell.hpp"
#include "synchro/hash_table/table_memory.hpp"
#include "synchro/shape.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// A number of buckets that stays as it is; it is rounded up to a power of two.
struct fixed_buckets {
  std::size_t count;
};

namespace detail {

/// std::hash of an integer is the integer itself, and on a system of 32 bits only its lower half: then the whole is taken.
template <class Hash, class Key>
std::uint64_t whole_hash(const Hash& hash, const Key& key) {
  if constexpr (std::is_same_v<Hash, std::hash<Key>> && std::is_integral_v<Key> && sizeof(Key) > sizeof(std::size_t))
    return static_cast<std::uint64_t>(key);
  else
    return hash(key);
}

}  // namespace detail

/// Any thread may call anything but the destructor. What throws (a hash, an Equal, a copy, std::bad_alloc) has changed
/// nothing, and passes through. Example:
///
///     synchro::hash_table<std::uint64_t, session> sessions;
///     sessions.insert_or_assign(id, s);
///     if (const auto found = sessions.find(id)) use(*found);
///     sessions.update(id, [](session& s) { ++s.requests; });
template <class Key, class T, class Machine = hardware, class Locking = own_word<>, class Hash = std::hash<Key>,
          class Equal = std::equal_to<Key>, unsigned Slots = detail::best_slots(sizeof(Key) + sizeof(T))>
class basic_hash_table : private detail::table_buckets<detail::table_block<Key, T, Machine, Slots>, Machine, Locking> {
  using buckets = detail::table_buckets<detail::table_block<Key, T, Machine, Slots>, Machine, Locking>;
  using block = typename buckets::block;
  using cell = detail::table_cell<T, Machine>;
  using writing = typename buckets::template holding<true>;
  using held = typename buckets::held;

 public:
  /// How values are handed in: those that are copied word by word where they stand, others to be moved from.
  using given = std::conditional_t<detail::copied_as_words<T>, const T&, T>;
  using key_type = Key;
  using mapped_type = T;
  using size_type = std::size_t;
  using hasher = Hash;
  using key_equal = Equal;
  static constexpr unsigned slots_per_bucket = Slots;
  /// Whether readers take no lock.
  static constexpr bool optimistic =
      detail::copied_as_words<Key> && detail::copied_as_words<T> && !Locking::readers_lock;

  /// Takes memory for so many elements; it grows. `threads`: whom locks that ask for a shape are made for; without, they
  /// find one themselves. Throws std::bad_alloc.
  explicit basic_hash_table(std::size_t elements = 64, Hash hash = {}, Equal equal = {}, const shape& threads = {})
      : basic_hash_table(bits_for((elements + Slots - 1) / Slots), true, threads, hash, equal) {}
  explicit basic_hash_table(fixed_buckets fixed, Hash hash = {}, Equal equal = {}, const shape& threads = {})
      : basic_hash_table(bits_for(fixed.count), false, threads, hash, equal) {}
  /// A copy of the value; nothing if the key is not there.
  [[nodiscard]] std::optional<T> find(const Key& key) const {
    std::optional<T> found;
    if constexpr (optimistic) {
      if (!look_for(key, [&found](const cell& value) { value.read(found.emplace()); })) found.reset();
    } else {
      visit(key, [&found](const T& value) { found.emplace(value); });
    }
    return found;
  }
  /// Copies the value to `to`, which saves a copy. False if the key is not there; `to` may have been written to.
  bool find(const Key& key, T& to) const {
    if constexpr (optimistic)
      return look_for(key, [&to](const cell& value) { value.read(to); });
    else
      return visit(key, [&to](const T& value) { to = value; });
  }
  [[nodiscard]] bool contains(const Key& key) const {
    if constexpr (optimistic)
      return look_for(key, [](const cell&) {});
    else
      return visit(key, [](const T&) {});
  }

  /// f(const T&), of a copy or under the bucket's lock. False if the key is not there. f must not use the table.
  template <class F>
  bool visit(const Key& key, F f) const {
    if constexpr (optimistic) {
      const std::optional<T> found = find(key);
      if (found) f(*found);
      return found.has_value();
    } else {
      const reading r{*this, hash_of(key)};
      const place spot = search(r, key);
      if (spot.in != nullptr) f(std::as_const(*spot.in).values[spot.slot].read());
      return spot.in != nullptr;
    }
  }

  /// f(T&), under the bucket's lock. False if the key is not there. f must not use the table. A trivially copyable value that
  /// f has changed before it threw stays as it was; of others f answers for itself.
  template <class F>
  bool update(const Key& key, F f) {
    return change(hash_of(key), [&](writing& w) {
      const place spot = search(w, key);
      if (spot.in == nullptr) return false;
      if constexpr (detail::copied_as_words<T>) {
        T value = spot.in->values[spot.slot].read();
        f(value);
        w.begins();
        spot.in->values[spot.slot].fill(value);
      } else {
        w.begins();
        f(spot.in->values[spot.slot].read());
      }
      return true;
    });
  }

  /// False, and nothing is changed, if the key is there.
  bool insert(Key key, given value) { return put(key, value, false); }
  /// False if the key was there: its value is replaced.
  bool insert_or_assign(Key key, given value) { return put(key, value, true); }

  /// False if the key is not there.
  bool erase(const Key& key) {
    return change(hash_of(key), [&](writing& w) {
      const place spot = search(w, key);
      if (spot.in == nullptr) return false;
      w.begins();
      spot.in->drop(spot.slot);
      if (w.home().own_next() != nullptr && elements_of(w.home()) < Slots) tidy(w.home());
      return true;
    });
  }

  /// f(const Key&, const T&) for the elements, each under its bucket's lock. f must not use the table.
  template <class F>
  void for_each(F f) const {
    for_each_bucket([&f](const writing& w) {
      for (const block* b = &w.home(); b != nullptr; b = b->own_next())
        for (std::uint32_t left = block::used(b->own_head()); left != 0; left &= left - 1) {
          const auto slot = static_cast<unsigned>(std::countr_zero(left));
          f(b->keys[slot].read(), b->values[slot].read());
        }
    });
  }
  /// Counts the elements: looks at every bucket. Weakly consistent, as for_each.
  [[nodiscard]] std::size_t size() const {
    std::size_t n = 0;
    for_each_bucket([&n](const writing& w) { n += elements_of(w.home()); });
    return n;
  }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Erases, bucket by bucket, what is there.
  void clear() {
    for_each_bucket([this](writing& w) {
      w.begins();
      drop_all(w.home());
      tidy(w.home());
    });
  }

  [[nodiscard]] std::size_t bucket_count() const { return std::size_t{1} << buckets::bits(); }
  /// The bucket that has the key, or will have it.
  [[nodiscard]] std::size_t bucket(const Key& key) const {
    return static_cast<std::size_t>(hash_of(key) & low(buckets::bits()));
  }
  /// Of buckets and the blocks beside them.
  [[nodiscard]] std::size_t bytes() const { return buckets::bytes(); }

 private:
  using buckets::at, buckets::bits_for, buckets::drop_all, buckets::elements_of, buckets::for_each_bucket, buckets::low,
      buckets::serves, buckets::spares, buckets::tidy;

  /// Keys of a word are handed on by value: compilers keep them in a register.
  static constexpr bool short_key = detail::copied_as_words<Key> && sizeof(Key) <= sizeof(std::uint64_t);
  using passed = std::conditional_t<short_key, const Key, const Key&>;

  struct place {
    block* in;
    unsigned slot;
  };
  /// What a reader without a lock saw; blurred: somebody changed the bucket meanwhile.
  enum class sight : std::uint8_t { nothing, found, blurred };

  static constexpr bool shares = requires(typename Locking::template locks<Machine> & l) {
    l.lock_shared(std::uint64_t{});
  };
  using reading = typename buckets::template holding<!shares>;

  basic_hash_table(unsigned bits, bool grows, const shape& threads, Hash hash, Equal equal)
      : buckets{bits, threads}, grows_{grows}, hash_{std::move(hash)}, equal_{std::move(equal)} {}

  /// 32 bits, in the last of which every bit of the user's hash counts: many a hash is the key itself.
  std::uint64_t hash_of(const Key& key) const {
    constexpr std::uint64_t golden = 0x9e37'79b9'7f4a'7c15;
    const std::uint64_t h = detail::whole_hash(hash_, key) * golden;
    return (h ^ h >> 32) * golden >> 32;
  }

  // Readers.

  /// copy(cell) if the key is there; perhaps more than once, and the last time counts. Whoever must wait does so in a
  /// function of its own: calls need a stack, and here is none.
  template <class Copy>
  bool look_for(const Key& key, Copy copy) const {
    const std::uint64_t hash = hash_of(key);
    const sight seen = look_once<false>(hash, key, copy);
    if (seen == sight::blurred) [[unlikely]]
      return look_until_sharp(hash, key, copy);
    return seen == sight::found;
  }
  template <class Copy>
  [[gnu::noinline]] bool look_until_sharp(std::uint64_t hash, passed key, Copy copy) const {
    for (;;)
      if (const sight seen = look_once<true>(hash, key, copy); seen != sight::blurred) return seen == sight::found;
  }

  template <bool Waits>
  static std::uint32_t version_of(const block& home) {
    if constexpr (Waits)
      return Machine::await(home.version, memory_order::acquire, [](std::uint32_t v, std::uint32_t round) {
        return v % 2 == 0 ? look::content() : spin_yield::again(round);
      });
    else
      return home.version.load(memory_order::acquire);
  }

  template <bool Waits, class Copy>
  sight look_once(std::uint64_t hash, passed key, Copy copy) const {
    const unsigned bits = buckets::bits();
    std::uint64_t index = hash & low(bits);
    const block* home = &at(index);
    std::uint32_t version = version_of<Waits>(*home);
    if (!Waits && version % 2 != 0) [[unlikely]]
      return sight::blurred;
    std::uint32_t head = home->head.load(memory_order::acquire);
    if (block::depth(head) != bits + 1) [[unlikely]] {
      if (!Waits) return sight::blurred;
      if (block::depth(head) == 0) {
        index &= low(bits - 1);
        home = &at(index);
        version = version_of<Waits>(*home);
        head = home->head.load(memory_order::acquire);
      }
      if (!serves(head, index, hash)) return sight::blurred;
    }
    return look_into(*home, version, head, key, copy);
  }
  template <class Copy>
  sight look_into(const block& home, std::uint32_t version, std::uint32_t head, passed key, Copy copy) const {
    const auto sharp = [&](sight seen) {
      return home.version.load(memory_order::relaxed) == version ? seen : sight::blurred;
    };
    for (const block* b = &home;;) {
      const block* const next = b->next.load(memory_order::acquire);  // early, for values stand on its line
      const unsigned slot = match(*b, head, key);
      if (slot != Slots) {
        copy(b->values[slot]);
        return sharp(sight::found);
      }
      if (const sight seen = sharp(sight::nothing); next == nullptr || seen == sight::blurred) return seen;
      b = next;
      head = b->head.load(memory_order::acquire);
    }
  }

  /// The slot with this key; Slots if there is none. Short keys are all compared, for a branch that nobody can foresee costs
  /// more.
  unsigned match(const block& b, std::uint32_t head, passed key) const {
    if constexpr (short_key) {
      const std::uint32_t found = equals(b, key, std::make_integer_sequence<unsigned, Slots>{}) & block::used(head);
      return found == 0 ? Slots : static_cast<unsigned>(std::countr_zero(found));
    } else {
      for (std::uint32_t left = block::used(head); left != 0; left &= left - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(left));
        if (equal_(b.keys[slot].read(), key)) return slot;
      }
      return Slots;
    }
  }

  /// A bit for each slot with this key; written out, for compilers do not unroll it, from the last, for "twice and one
  /// more" is one instruction.
  template <unsigned... Slot>
  std::uint32_t equals(const block& b, passed key, std::integer_sequence<unsigned, Slot...>) const {
    std::uint32_t found = 0;
    ((found = 2 * found + static_cast<std::uint32_t>(equal_(b.keys[Slots - 1 - Slot].read(), key))), ...);
    return found;
  }

  // Under the bucket's lock.

  template <bool Alone>
  place search(const typename buckets::template holding<Alone>& in, passed key) const {
    std::uint32_t head = in.home().own_head();
    for (block* b = &in.home();;) {
      if (const unsigned slot = match(*b, head, key); slot != Slots) return {b, slot};
      b = b->own_next();
      if (b == nullptr) return {nullptr, Slots};
      head = b->own_head();
    }
  }
  /// f(writing&) with the bucket of this hash.
  template <class F>
  bool change(std::uint64_t hash, F f) {
    for (;;) {
      writing w{*this, hash};
      if (w.as_locked().is_unsplit()) [[unlikely]] {
        if (split(w.as_locked())) w.has_begun();
        if (!serves(w.home().own_head(), w.as_locked().index, hash)) continue;
      }
      return f(w);
    }
  }

  bool put(Key& key, std::remove_reference_t<given>& value, bool replaces) {
    bool crowded = false;
    const bool added = change(hash_of(key), [&](writing& w) {
      const place spot = search(w, key);
      if (spot.in == nullptr) {
        crowded = add(w, key, value);
      } else if (replaces) {
        w.begins();
        spot.in->values[spot.slot].replace(std::move(value));
      }
      return spot.in == nullptr;
    });
    if (crowded) grow();
    if (left_.load(memory_order::relaxed) != 0) [[unlikely]]
      help();
    return added;
  }
  /// True if it took another block.
  bool add(writing& w, Key& key, std::remove_reference_t<given>& value) {
    block* const b = buckets::room_in(w.home());
    const std::uint32_t head = b->own_head();
    if ((~head & block::every) != 0) [[likely]] {
      w.begins();
      b->take(head, std::move(key), std::move(value));
      return false;
    }
    block* const more = spares().take();
    w.begins();
    more->take(more->own_head(), std::move(key), std::move(value));
    b->link(more);
    return true;
  }

  // Growth.

  [[gnu::noinline]] void grow() noexcept {
    if (!grows_) return;
    std::uint64_t none = 0;
    if (!left_.compare_exchange_strong(none, 1, memory_order::acquire, memory_order::relaxed)) return;
    const unsigned bits = buckets::bits();
    block* const added =
        bits < buckets::segments::most_bits && buckets::is_crowded(bits) ? buckets::new_segment(bits) : nullptr;
    left_.store(added != nullptr ? std::uint64_t{1} << bits : 0, memory_order::release);
    if (added != nullptr) buckets::add(added, bits);
  }

  /// Two buckets nearer to the end of the growth.
  [[gnu::noinline]] void help() noexcept {
    for (int i = 0; i != 2; ++i) {
      const unsigned bits = buckets::bits();
      if (buckets::are_the_first(bits)) return;
      const std::uint64_t index = cursor_.fetch_add(1, memory_order::relaxed) & low(bits - 1);
      writing w{*this, index, bits};
      if (w.as_locked().is_unsplit() && split(w.as_locked())) w.has_begun();
    }
  }

  /// Of the bucket that is held, those that belong to the new one go there. False, and nothing is changed, if there is no
  /// memory or a hash throws: the bucket goes on to answer for both.
  [[gnu::noinline]] bool split(held h) noexcept {
    const unsigned depth = h.depth();
    block* more = nullptr;
    const auto made = [&] { return more = buckets::room_for(mark_leaving(*h.home, depth)), true; };
    if (!detail::or_if_thrown(made, [] { return false; })) return false;
    buckets::begin(h);
    buckets::move_leaving(*h.home, at(h.index | std::uint64_t{1} << depth), more, depth + 1);
    h.home->head.store(block::head_of(depth + 2, block::used(h.home->own_head())), memory_order::release);
    tidy(*h.home);
    left_.fetch_sub(1, memory_order::release);
    return true;
  }
  /// How many do.
  std::size_t mark_leaving(block& home, unsigned bit) const {
    std::size_t n = 0;
    for (block* b = &home; b != nullptr; b = b->own_next()) {
      const std::uint32_t head = b->own_head() & 0xffff;
      std::uint32_t leaving = 0;
      for (std::uint32_t left = block::used(head); left != 0; left &= left - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(left));
        leaving |= static_cast<std::uint32_t>(hash_of(b->keys[slot].read()) >> bit & 1) << slot;
      }
      b->head.store(head | leaving << 16, memory_order::release);
      n += static_cast<std::size_t>(std::popcount(leaving));
    }
    return n;
  }

  // Written once, when the table is made.
  const bool grows_;
  [[no_unique_address]] Hash hash_;
  [[no_unique_address]] Equal equal_;
  // Written all the while of a growth.
  alignas(cpu::cache_line) typename Machine::template atomic<std::uint64_t> left_{0};  // to be split; 1 is a claim, too
  typename Machine::template atomic<std::uint64_t> cursor_{0};
};

template <class Key, class T, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
using hash_table = basic_hash_table<Key, T, hardware, own_word<>, Hash, Equal>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
