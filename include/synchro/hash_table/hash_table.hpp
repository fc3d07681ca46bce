// Hash table: keys and values that many threads read and write at the same time.
//
// Problem. One lock around a map makes all threads wait for each other. A lock for each bucket does not, but readers still
// write to the lock, so that its line goes from one to the other, a chain of nodes costs a cache miss each, and whoever makes the
// table larger stops everybody.
//
// Picture.   bucket    | version, head | keys ... | next | values ... |      whole lines; 3 slots for pairs of 16 bytes
//                                                   '-> another block, if more keys have this bucket than it has slots
//
//   find       waits until the version is even, compares all keys of the block at once, copies the value, and is done
//              if the version is still the same. It writes nothing. Of the blocks behind, the head has a Bloom filter.
//   others     make the version odd, change slots, make it even again (bucket_lock.hpp: or take a lock of the catalog). Where the
//              version is the lock, and keys are scalars that std::equal_to compares, they look as find does, and lock only what is
//              to be changed and still as they saw it; or what somebody else is changing, or has still to split.
//   growth     when there are about half as many blocks beside the buckets as buckets, a segment of as many buckets is added, and
//              nothing else happens. Bucket b is split, into b and b + n, by the first writer who comes to it; whoever puts
//              something in splits two more. Until then b answers for both: the head of b + n says that nothing is there
//              yet. No bucket moves, nothing is freed, nobody stops; the writer that adds the segment takes the time to clear it.
//
//   iteration  weakly consistent: an element that is there all the while is met once, one that comes or goes meanwhile once
//              or not at all; each bucket is seen at one moment.
//
// Keys and values that are trivially copyable are read without a lock; of others readers take the bucket's lock. For the
// former a reader may call Equal with a key that nobody put (half of one key, half of another), or with one that was erased
// meanwhile, whatever it pointed to; the result is thrown away. A thread that changes the table asks it under the bucket's lock.
//
// Choose it for maps that several threads write, or that are read much. Do not choose it for what one thread uses (a flat
// map takes two thirds of the memory), where elements must be in order, or where one bucket is written all the time (a
// handful of hot keys: delegation/ keeps their lines in one place). It does not shrink.
//
// Memory orders. Slots, links and heads: table_cell.hpp and table_memory.hpp; versions and locks: bucket_lock.hpp.
//   access                          order     pairs with
//   look: version                   acquire   unlock's store: all that was changed before
//   look: head, next                acquire   their stores (release): the odd version before them, and a new block's words
//   lock: head                      acquire   the same: a writer that splits a bucket fills the new one without its lock
//   look: second look at version    relaxed   nothing: the acquires before it order it
//   load of the number of bits      acquire   grow's store: the segment, and how many buckets are to be split
//   a new bucket's head: store      release   the acquire load of a thread that comes to it: its slots
//   left: claim by compare-and-swap acquire   the last split's subtraction (release): the growth before is over
//   left: subtraction               release   that
//   left: store                     release   the next claim
//   left: load                      relaxed   nothing: a thread that looks only offers to help
//   cursor: addition                relaxed   nothing: any bucket may be helped by anybody
//   number of bits: store           release   its loads
//
// Source: buckets in cache lines: David, Guerraoui, Trigonakis: Everything You Always Wanted to Know about Synchronization but
// Were Afraid to Ask, SOSP 2013, section 4.3 (ssht), and: Asynchronized Concurrency, ASPLOS 2015 (CLHT); buckets that are split
// in place: Fagin, Nievergelt, Pippenger, Strong: Extendible Hashing, ACM TODS 4(3), 1979, and Larson: Dynamic Hash Tables,
// CACM 31(4), 1988; a filter of those behind: Bloom: Space/Time Trade-offs in Hash Coding with Allowable Errors, CACM 13(7),
// 1970, in eight bits of each bucket as boost::unordered_flat_map has it; versions: sync/seqlock.hpp.

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
#include "synchro/hash_table/table_hash.hpp"
#include "synchro/hash_table/table_match.hpp"
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

/// Any thread may call anything but the destructor. What throws (a hash, an Equal, a copy, std::bad_alloc) has changed
/// nothing, and passes through. Example:
///
///     synchro::hash_table<std::uint64_t, session> sessions;
///     sessions.insert_or_assign(id, s);
///     if (const auto found = sessions.find(id)) use(*found);
///     sessions.update(id, [](session& s) { ++s.requests; });
template <class Key, class T, class Machine = hardware, class Locking = own_word<>, class Hash = std::hash<Key>,
          class Equal = std::equal_to<Key>, unsigned Slots = detail::best_slots<Key, T>()>
class basic_hash_table : private detail::table_buckets<detail::table_block<Key, T, Machine, Slots>, Machine, Locking> {
  using buckets = detail::table_buckets<detail::table_block<Key, T, Machine, Slots>, Machine, Locking>;
  using block = typename buckets::block;
  using cell = detail::table_cell<T, Machine>;
  using writing = typename buckets::template holding<true>;
  using held = typename buckets::held;

 public:
  /// How values are handed in: those that are copied word by word where they stand, others to be moved from.
  using given = std::conditional_t<detail::copied_as_words<T> && !detail::short_word<T>, const T&, T>;
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
    return change(key, is_nowhere, [&](writing& w, const place& spot) {
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
  bool insert(Key key, given value) { return put<false>(key, value); }
  /// False if the key was there: its value is replaced.
  bool insert_or_assign(Key key, given value) { return put<true>(key, value); }

  /// False if the key is not there.
  bool erase(const Key& key) {
    return change(key, is_nowhere, [&](writing& w, const place& spot) {
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
  /// The memory of buckets and the blocks beside them.
  [[nodiscard]] std::size_t bytes() const { return buckets::bytes(); }

 private:
  using buckets::at, buckets::bits_for, buckets::drop_all, buckets::elements_of, buckets::for_each_bucket,
      buckets::is_still, buckets::low, buckets::serves, buckets::tidy;

  using keys = detail::table_match<Key, Equal>;
  using passed = typename keys::passed;

  struct place {
    block* in;
    unsigned slot;  // Slots: nowhere
  };
  static constexpr unsigned unsure = Slots + 1;  // the bucket was changed meanwhile
  static constexpr auto is_nowhere = [](const place& spot) { return spot.slot == Slots; };
  /// What a reader without a lock saw; blurred: somebody changed the bucket meanwhile.
  enum class sight : std::uint8_t { nothing, found, blurred };

  static constexpr bool claims = Locking::version_is_lock && keys::compares_any;
  static constexpr bool shares = requires(typename Locking::template locks<Machine> & l) {
    l.lock_shared(std::uint64_t{});
  };
  using reading = typename buckets::template holding<!shares>;

  basic_hash_table(unsigned bits, bool grows, const shape& threads, Hash hash, Equal equal)
      : buckets{bits, threads}, grows_{grows}, hash_{std::move(hash)}, equal_{std::move(equal)} {}

  std::uint64_t hash_of(const Key& key) const { return detail::spread(detail::whole_hash(hash_, key)); }

  // Without the bucket's lock.

  /// copy(cell) if the key is there; perhaps more than once, and the last time counts. What is seldom is done by functions of
  /// their own that come last: calls need a stack, and here is none.
  template <class Copy>
  bool look_for(passed key, Copy copy) const {
    const std::uint64_t hash = hash_of(key);
    held h;
    if (!buckets::glance(hash, h)) [[unlikely]]
      return look_until_sharp(key, copy);
    const unsigned slot = match(*h.home, h.head, key);
    if (slot != Slots) {
      copy(std::as_const(*h.home).values[slot]);
      if (is_still(*h.home, h.seen)) [[likely]]
        return true;
    } else if (may_be_behind(h, hash)) [[unlikely]] {
      return look_behind(*h.home, h.seen, key, copy);
    } else if (is_still(*h.home, h.seen)) [[likely]] {
      return false;
    }
    return look_until_sharp(key, copy);
  }
  template <class Copy>
  [[gnu::noinline]] bool look_behind(const block& home, std::uint32_t version, passed key, Copy copy) const {
    const sight seen = look_into(home, version, place_behind(home, version, key), copy);
    return seen == sight::blurred ? look_until_sharp(key, copy) : seen == sight::found;
  }
  template <class Copy>
  [[gnu::noinline]] bool look_until_sharp(passed key, Copy copy) const {
    const std::uint64_t hash = hash_of(key);
    for (held h;;)
      if (buckets::gaze(hash, h))
        if (const sight seen = look_into(*h.home, h.seen, place_in(h, hash, key), copy); seen != sight::blurred)
          return seen == sight::found;
  }
  template <class Copy>
  sight look_into(const block& home, std::uint32_t version, const place& spot, Copy& copy) const {
    if (spot.slot < Slots) copy(std::as_const(*spot.in).values[spot.slot]);
    if (spot.slot == unsure || !is_still(home, version)) return sight::blurred;
    return spot.slot < Slots ? sight::found : sight::nothing;
  }

  /// Where the key is, if the bucket is still as it was seen.
  [[gnu::always_inline]] place place_in(const held& h, std::uint64_t hash, passed key) const {
    if (const unsigned slot = match(*h.home, h.head, key); slot != Slots) return {h.home, slot};
    if (!may_be_behind(h, hash)) [[likely]]
      return {nullptr, Slots};
    return place_behind(*h.home, h.seen, key);
  }
  static bool may_be_behind(const held& h, std::uint64_t hash) { return (h.head & block::in_filter(hash)) != 0; }
  /// In the blocks behind it, if each was the bucket's when it was looked into.
  [[gnu::noinline]] place place_behind(const block& home, std::uint32_t version, passed key) const {
    for (block* b = home.next.load(memory_order::acquire); b != nullptr; b = b->next.load(memory_order::acquire)) {
      if (!is_still(home, version)) return {nullptr, unsure};
      if (const unsigned slot = match(*b, b->head.load(memory_order::acquire), key); slot != Slots) return {b, slot};
    }
    return {nullptr, Slots};
  }

  unsigned match(const block& b, std::uint32_t head, passed key) const { return keys::slot_in(b, head, key, equal_); }

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
  /// A bucket that is to be changed, and where in it the key is. left: it is not locked, for that place is left as it is.
  enum class grip : std::uint8_t { none, left, taken };
  struct at_hand {
    grip has = grip::none;
    bool has_begun = false;
    held bucket;
    place spot;
  };

  /// f(writing&, place) with the bucket of this key, and where in it the key is. False if the place is left as it is.
  template <class Left, class F>
  [[gnu::always_inline]] bool change(passed key, Left is_left, F f) {
    at_hand it;
    if constexpr (claims) it = take_as_seen(key, is_left);
    if (it.has == grip::none) [[unlikely]]
      it = take(key, is_left);
    if (it.has == grip::left) return false;
    writing w{*this, it.bucket, it.has_begun};
    return f(w, it.spot);
  }
  template <class Left>
  [[gnu::always_inline]] at_hand take_as_seen(passed key, Left is_left) {
    held h;
    const std::uint64_t hash = hash_of(key);
    if (!buckets::glance(hash, h)) [[unlikely]]
      return {};
    const place spot = place_in(h, hash, key);
    if (spot.slot == unsure) [[unlikely]]
      return {};
    if (is_left(spot)) return {is_still(*h.home, h.seen) ? grip::left : grip::none, false, h, spot};
    return {buckets::claim(h) ? grip::taken : grip::none, false, h, spot};
  }
  template <class Left>
  [[gnu::noinline]] at_hand take(passed key, Left is_left) {
    const std::uint64_t hash = hash_of(key);
    for (;;) {
      writing w{*this, hash};
      if (w.as_locked().is_unsplit()) [[unlikely]] {
        if (split(w.as_locked())) w.has_begun();
        if (!serves(w.home().own_head(), w.as_locked().index, hash)) continue;
      }
      const place spot = search(w, key);
      if (is_left(spot)) return {grip::left, false, {}, spot};
      at_hand it{grip::taken, false, w.as_locked(), spot};
      it.bucket.head = w.home().own_head();
      it.has_begun = w.hand_over();
      return it;
    }
  }

  template <bool Replaces>
  [[gnu::always_inline]] bool put(Key& key, std::remove_reference_t<given>& value) {
    bool crowded = false;
    const auto is_left = [](const place& spot) { return spot.slot != Slots && !Replaces; };
    const bool added = change(key, is_left, [&](writing& w, const place& spot) {
      if (spot.slot == Slots) {
        crowded = add(w, key, value);
      } else {
        w.begins();
        spot.in->values[spot.slot].replace(std::move(value));
      }
      return spot.slot == Slots;
    });
    if (crowded) grow();
    if (left_.load(memory_order::relaxed) != 0) [[unlikely]]
      help();
    return added;
  }
  /// True if it took another block.
  [[gnu::always_inline]] bool add(writing& w, Key& key, std::remove_reference_t<given>& value) {
    std::uint32_t head = w.as_locked().head;
    typename buckets::room to{&w.home(), nullptr};
    std::uint32_t in_filter = 0;
    if ((~head & block::every) == 0) [[unlikely]] {
      in_filter = block::in_filter(hash_of(key));
      to = buckets::room_behind(w.home());
      head = to.in->own_head();
    }
    w.begins();
    if (in_filter != 0) [[unlikely]]
      w.home().add_to_filter(in_filter);
    to.in->take(head, std::move(key), std::move(value));
    if (to.last != nullptr) [[unlikely]]
      to.last->link(to.in);
    return to.last != nullptr;
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
    const std::uint32_t head = h.home->own_head();
    h.home->head.store(block::head_of(depth + 2, block::used(head), block::filter(head)), memory_order::release);
    tidy(*h.home);
    left_.fetch_sub(1, memory_order::release);
    return true;
  }
  /// How many do.
  std::size_t mark_leaving(block& home, unsigned bit) const {
    std::size_t n = 0;
    for (block* b = &home; b != nullptr; b = b->own_next()) {
      const std::uint32_t head = b->own_head() & ~block::every_leaving;
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
