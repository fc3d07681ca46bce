// Programs for what tables seldom come to: no memory when they grow, split or take a block; functions of the user that throw; values
// of many words; and locks that readers share.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/harnesses/told_hash.hpp"
#include "model_checker/subject.hpp"
#include "synchro/hash_table/hash_table.hpp"
#include "synchro/hash_table/served_hash_table.hpp"
#include "synchro/locks/big_reader.hpp"
#include "synchro/locks/phase_fair.hpp"
#include "synchro/locks/ttas.hpp"

namespace synchro::model_checker {

namespace {

/// The machine that has memory for some objects, then for one not, and then again for all.
struct short_of_memory : explored {
  static inline int left = -1;

  template <class T, class... Arguments>
  static T* make(Arguments&&... arguments) {
    if (left >= 0 && left-- == 0) throw std::bad_alloc{};
    return explored::make<T>(std::forward<Arguments>(arguments)...);
  }
};

/// Throws for the key that it is told to.
struct hash_that_throws : told_hash {
  static inline std::uint32_t refused = 0;
  std::size_t operator()(std::uint32_t key) const {
    if (refused != 0 && key == refused) throw key;
    return told_hash::operator()(key);
  }
};

template <class Machine, class Hash>
using small_table =
    basic_hash_table<std::uint32_t, std::uint32_t, Machine, own_word<spin>, Hash, std::equal_to<std::uint32_t>, 1>;

template <class Table>
void put(Table& table, std::initializer_list<std::uint32_t> keys) {
  for (const std::uint32_t key : keys) expect(table.insert(key, key + 10), "a key that nobody put was there");
}
template <class Table>
void expect_only(const Table& table, std::initializer_list<std::uint32_t> keys) {
  for (const std::uint32_t key : keys) expect(table.find(key) == key + 10, "a key was lost");
  expect(table.size() == keys.size(), "it counts others than it has");
}
/// Whether fn throws an E.
template <class E, class F>
bool throws(F fn) {
  try {
    fn();
    return false;
  } catch (const E&) {
    return true;
  }
}

struct nobody {};

template <class F>
program by_itself(const std::string& name, F body) {
  stage<nobody> s{name, 1};
  s.does([body](nobody&, unsigned) { body(); });
  return s.done();
}

using poor_table = small_table<short_of_memory, told_hash>;

/// A put that finds no memory for its block has changed nothing, nor how soon the table grows.
program no_block() {
  return by_itself("hash_table, no memory for a block", [] {
    short_of_memory::left = -1;
    poor_table table{2};
    put(table, {0, 1});
    short_of_memory::left = 0;
    expect(throws<std::bad_alloc>([&] { table.insert(2, 12); }), "there was memory");
    expect_only(table, {0, 1});
    put(table, {2});
    expect(table.bucket_count() == 2, "it has grown for a block that it has not got");
    put(table, {4});
    expect(table.bucket_count() == 4, "it has not grown");
    expect_only(table, {0, 1, 2, 4});
  });
}

/// The machine that has no memory for its second thread.
struct no_memory_for_one : explored {
  template <class T, class... Arguments>
  static T* make(Arguments&&... arguments) {
    if (world::current().self() == 1) throw std::bad_alloc{};
    return explored::make<T>(std::forward<Arguments>(arguments)...);
  }
};

/// Each puts beside a key that has the bucket. One finds no memory for its block, while the other takes one: it has changed nothing.
program no_block_for_one() {
  struct scene {
    small_table<no_memory_for_one, told_hash> table{fixed_buckets{2}};
    scene() { put(table, {0, 1}); }
  };
  stage<scene> s{"hash_table, no memory for one of two", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) return put(it.table, {2});
    expect(throws<std::bad_alloc>([&] { it.table.insert(3, 13); }), "there was memory");
  });
  s.then_checks([](scene& it) {
    expect_only(it.table, {0, 1, 2});
    expect(!it.table.contains(3), "a key is there for which there was no memory");
  });
  return s.done();
}

void await_set(const explored::atomic<std::uint32_t>& word) {
  explored::await(word, memory_order::relaxed, [](std::uint32_t v) { return v != 0; });
}

/// The machine whose first thread has memory for a growth when the second has put something meanwhile.
struct slow_to_grow : explored {
  struct steps {
    explored::atomic<std::uint32_t> asked{0}, has_put{0};
  };
  template <class T>
  static constexpr bool is_segment = requires(T& t) {
    t.blocks;
  };

  template <class T, class... Arguments>
  static T* make(Arguments&&... arguments) {
    if (is_segment<T> && world::current().self() == 0) {
      global<steps>().asked.store(1, memory_order::relaxed);
      await_set(global<steps>().has_put);
    }
    return explored::make<T>(std::forward<Arguments>(arguments)...);
  }
};

/// Who puts something while another has begun to let one bucket become two helps nobody: there are no others yet.
program put_before_it_has_grown() {
  struct scene {
    small_table<slow_to_grow, told_hash> table{1};
    scene() { put(table, {1}); }
  };
  stage<scene> s{"hash_table, put before one bucket has become two", 2};
  s.does([](scene& it, unsigned t) {
    auto& steps = explored::global<slow_to_grow::steps>();
    if (t == 0) return put(it.table, {2});
    await_set(steps.asked);
    put(it.table, {3});
    steps.has_put.store(1, memory_order::relaxed);
  });
  s.then_checks([](scene& it) {
    expect_only(it.table, {1, 2, 3});
    expect(it.table.bucket_count() == 2, "it has not grown, or twice");
  });
  return s.done();
}

/// It goes on as it is while there is no memory to grow or to split, and does both later. Three leave at once.
program no_room_to_grow() {
  return by_itself("hash_table, no memory to grow", [] {
    short_of_memory::left = -1;
    poor_table table{1};
    put(table, {1});
    short_of_memory::left = 1;  // a block, and no segment
    put(table, {3});
    expect(table.bucket_count() == 1, "it has grown without memory");
    expect_only(table, {1, 3});
    short_of_memory::left = 3;  // a block, a segment, and one of the two blocks for those that leave
    put(table, {5});
    expect(table.bucket_count() == 2, "it has not grown");
    expect_only(table, {1, 3, 5});
    put(table, {7});
    expect_only(table, {1, 3, 5, 7});
    for (const std::uint32_t key : {3U, 1U}) expect(table.erase(key), "a key was lost");
    expect_only(table, {5, 7});
  });
}

/// Of the blocks that a split needs some are there, and not all: they are used when it is tried again.
program some_blocks_for_a_split() {
  return by_itself("hash_table, no memory for some blocks of a split", [] {
    short_of_memory::left = -1;
    poor_table table{1};
    const std::size_t block = table.bytes();
    put(table, {1});
    for (const std::uint32_t key : {3U, 5U, 7U}) {
      short_of_memory::left = 1;  // a block, and no segment
      put(table, {key});
      expect(table.bucket_count() == 1, "it has grown without memory");
    }
    short_of_memory::left = 4;  // a block, a segment, and two of the four blocks for those that leave
    put(table, {9});
    expect_only(table, {1, 3, 5, 7, 9});
    expect(table.bytes() == (2 + 8) * block, "memory that came back was not used again");
  });
}

/// A hash that throws when a bucket is split: the bucket goes on to answer for both halves until it throws no more.
program split_throws() {
  return by_itself("hash_table, a hash throws in a split", [] {
    hash_that_throws::refused = 0;
    small_table<explored, hash_that_throws> table{1};
    put(table, {1});
    hash_that_throws::refused = 1;
    expect(throws<std::uint32_t>([&] { static_cast<void>(table.find(1)); }), "what a hash throws was lost");
    put(table, {3, 2});
    for (const std::uint32_t key : {2U, 3U}) expect(table.find(key) == key + 10, "a key was lost");
    hash_that_throws::refused = 0;
    expect_only(table, {1, 2, 3});
    put(table, {4, 5});
    expect_only(table, {1, 2, 3, 4, 5});
  });
}

/// The same of the second of two buckets.
program second_split_throws() {
  return by_itself("hash_table, a hash throws in a second split", [] {
    hash_that_throws::refused = 0;
    small_table<explored, hash_that_throws> table{2};
    put(table, {0, 1, 3});
    hash_that_throws::refused = 1;
    put(table, {2});
    expect(table.bucket_count() == 4, "it has not grown");
    for (const std::uint32_t key : {0U, 2U, 3U}) expect(table.find(key) == key + 10, "a key was lost");
    hash_that_throws::refused = 0;
    put(table, {7});
    expect_only(table, {0, 1, 2, 3, 7});
  });
}

/// Of one key all of the hash is the number of a bucket.
struct hash_that_is_a_number : hash_that_throws {
  static constexpr std::uint32_t that_is_1 = 64;
  std::size_t operator()(std::uint32_t key) const {
    return key == that_is_1 ? spreads_to_1 : hash_that_throws::operator()(key);
  }

 private:
  /// On machines that multiply 64 bits by 64 at once, and on others.
  static constexpr std::size_t spreads_to_1 = detail::spread(160'877'990) == 1 ? 160'877'990 : 360'558'300;
  static_assert(detail::spread(spreads_to_1) == 1);
};

/// While another bucket answers for that of its number, it goes there.
program hash_of_a_bucket_to_come() {
  return by_itself("hash_table, a hash is the number of a bucket to come", [] {
    constexpr std::uint32_t it = hash_that_is_a_number::that_is_1;
    hash_that_throws::refused = 0;
    small_table<explored, hash_that_is_a_number> table{1};
    put(table, {1});
    hash_that_throws::refused = 1;
    put(table, {3, it});
    for (const std::uint32_t key : {3U, it}) expect(table.find(key) == key + 10, "a key was lost");
    hash_that_throws::refused = 0;
    put(table, {2});
    expect_only(table, {1, 2, 3, it});
  });
}

/// A bucket that cannot be split is written to: whole, as if it had not been tried.
program written_where_a_split_throws() {
  using two_words = std::array<std::uint32_t, 3>;
  struct scene {
    basic_hash_table<std::uint32_t, two_words, explored, locked_by<basic_ttas_lock<explored, spin>>, hash_that_throws,
                     std::equal_to<std::uint32_t>, 1>
        table{1};
    scene() {
      hash_that_throws::refused = 0;
      table.insert(1, {1, 1, 1});
      hash_that_throws::refused = 1;
      table.insert(3, {1, 1, 1});
    }
  };
  stage<scene> s{"hash_table/locked, written where a split throws", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) return expect(!it.table.insert_or_assign(3, {2, 2, 2}), "a key that was put was not there");
    const std::optional<two_words> found = it.table.find(3);
    expect(found && found->front() == found->back(), "a value was seen by halves");
  });
  return s.done();
}

/// Of keys that are there and that are not: in one step, and as it was if the function throws.
template <class Value>
program updated_alone(const std::string& name) {
  return by_itself(name + ", updated alone", [] {
    basic_hash_table<std::uint32_t, Value, explored, own_word<spin>, told_hash, std::equal_to<std::uint32_t>, 1> table{
        fixed_buckets{2}};
    expect(table.insert(1, Value{5}) && table.insert(3, Value{6}), "a key that nobody put was there");
    const auto number = [&table](std::uint32_t key) {
      std::uint32_t n = 0;
      bool is_visited = false;
      const bool is_there = table.visit(key, [&](const Value& value) { is_visited = true, n = value.number(); });
      expect(is_visited == is_there, "a key is visited that is not there, or one that is there is not");
      return n;
    };
    const auto add = [](Value& value) { value = Value{value.number() + 1}; };
    expect(table.update(1, add) && !table.update(2, add) && table.update(3, add), "a key is there, or is not");
    expect(number(1) == 6 && number(3) == 7 && number(2) == 0, "an update was lost, or is another key's");
    expect(throws<int>([&] { table.update(1, [](Value&) { throw 1; }); }), "what a function throws was lost");
    expect(number(1) == 6 && table.update(1, add) && number(1) == 7, "a bucket is locked, or a value another");
  });
}

/// The machine that counts what it has made and not destroyed.
struct counting_memory : explored {
  static inline std::ptrdiff_t bytes = 0;

  template <class T, class... Arguments>
  static T* make(Arguments&&... arguments) {
    T* const made = explored::make<T>(std::forward<Arguments>(arguments)...);
    bytes += static_cast<std::ptrdiff_t>(sizeof(T));
    return made;
  }
  template <class T>
  static void destroy(T* p) {
    bytes -= static_cast<std::ptrdiff_t>(sizeof(T));
    explored::destroy(p);
  }
};

/// A value that owns something, and how many there are.
class counted_value {
 public:
  static inline int alive = 0;
  explicit counted_value(std::uint32_t n) : number_{n} { ++alive; }
  counted_value(counted_value&& from) noexcept : number_{std::exchange(from.number_, 0)} { ++alive; }
  counted_value& operator=(counted_value&&) = delete;
  ~counted_value() { --alive; }
  [[nodiscard]] std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_;
};
std::uint32_t number_of(const counted_value& value) { return value.number(); }
std::uint32_t number_of(std::uint32_t value) { return value; }

/// A key that stands in the table as it is, which takes no atomics: there may be more buckets. And how many there are.
struct own_key {
  static inline int alive = 0;
  std::uint32_t number;
  own_key(std::uint32_t n) : number{n} { ++alive; }  // NOLINT(google-explicit-constructor)
  own_key(const own_key& from) noexcept : number{from.number} { ++alive; }
  own_key& operator=(const own_key&) = delete;
  ~own_key() { --alive; }
  bool operator==(const own_key& other) const { return number == other.number; }
};
std::uint32_t number_of(const own_key& key) { return key.number; }
struct hash_of_its_number {
  template <class Key>
  std::size_t operator()(const Key& key) const {
    return told_hash{}(number_of(key));
  }
};

template <class Key, class Value, class Locking, unsigned Slots>
using counted_table =
    basic_hash_table<Key, Value, counting_memory, Locking, hash_of_its_number, std::equal_to<Key>, Slots>;

/// A table whose keys come in their order, so that all buckets are equally full and what it does is known at each key.
template <class Table>
struct known_table {
  using value = typename Table::mapped_type;
  static constexpr std::size_t slots = Table::slots_per_bucket;
  static constexpr std::size_t eighths = slots % 3 == 0 ? 5 : slots == 5 ? 7 : 4;

  Table table{1};
  std::size_t buckets = 1, beside = 0, unit = table.bytes();

  void expect_as_known(std::uint32_t key) const {
    expect(table.bytes() == (buckets + beside) * unit, "it takes more memory than it needs, or says so");
    expect(table.bucket(key) == (key & (buckets - 1)), "a key is in another bucket");
  }
  void put(std::uint32_t key) {
    expect(table.insert(key, value(key + 10)), "a key that nobody put was there");
    const std::size_t keys = key + 1, spare = buckets * eighths / 8;
    if (keys > buckets * slots) beside = std::max(beside, keys - buckets * slots);
    if (keys > buckets * slots + spare) buckets *= 2;
    expect(table.bucket_count() == buckets, "it has grown too early, or too late");
  }
  /// Those below `keys`, each second one, from this on.
  void expect_each_second(std::uint32_t first, std::uint32_t keys) const {
    std::uint32_t there = 0;
    for (std::uint32_t key = first; key < keys; key += 2) {
      std::uint32_t found = 0;
      expect(table.visit(key, [&](const value& v) { found = number_of(v); }), "a key was lost");
      expect(found == key + 10, "a value is another key's");
      ++there;
    }
    expect(!table.contains(keys) && table.size() == there, "it counts others than it has");
  }
  void expect_all(std::uint32_t keys) const {
    std::uint32_t visited = 0;
    table.for_each([&](const auto& key, const value& v) {
      expect(number_of(v) == number_of(key) + 10, "a key is met with another's value");
      visited |= 1U << number_of(key);
    });
    expect(visited == (1U << keys) - 1 && table.size() == keys, "not all is met");
  }
};

/// Alone: it grows when it is to, takes what memory it needs, and loses nothing, of elements or of memory.
template <class Table>
program known(const std::string& name, std::uint32_t keys, bool is_emptied) {
  return by_itself(name + ", as known" + (is_emptied ? ", emptied" : ""), [=] {
    counting_memory::bytes = 0;
    counted_value::alive = own_key::alive = 0;
    {
      known_table<Table> it;
      for (std::uint32_t key = 0; key != keys; ++key) it.put(key);
      if (is_emptied) {
        for (std::uint32_t key = 0; key < keys; key += 2)
          expect(it.table.erase(key) && !it.table.contains(key), "a key was lost, or stays");
        it.expect_each_second(1, keys);
        expect(!it.table.empty(), "what is there is not counted");
        it.table.clear();
        expect(it.table.empty() && counted_value::alive == 0, "what was cleared is there");
        expect(it.table.insert(0, typename known_table<Table>::value(10)), "what was cleared is there");
        it.expect_each_second(0, 2);
      } else {
        it.expect_all(keys);
      }
      it.expect_as_known(keys);
    }
    expect(counted_value::alive == 0 && own_key::alive == 0, "a key or a value is left when its table has gone");
    expect(counting_memory::bytes == 0, "memory is left when its table has gone, or was given back as another's");
  });
}

/// Alone: all keys have the same last bits, of which a split takes all or none.
template <unsigned Slots>
program lopsided(std::uint32_t keys) {
  return by_itself("hash_table, " + std::to_string(Slots) + " a bucket, lopsided", [keys] {
    counting_memory::bytes = 0;
    {
      counted_table<own_key, std::uint32_t, own_word<spin>, Slots> table{1};
      for (std::uint32_t i = 0; i != keys; ++i) {
        expect(table.insert(4 * i + 3, i), "a key that nobody put was there");
        expect(table.size() == i + 1 && table.contains(3), "a key was lost in the growth");
      }
      for (std::uint32_t i = 0; i != keys; ++i) {
        expect(table.find(4 * i + 3) == i && table.erase(4 * i + 3), "a key was lost");
        expect(table.size() == keys - 1 - i, "another key was lost");
      }
    }
    expect(counting_memory::bytes == 0, "memory is left when its table has gone, or was given back as another's");
  });
}

/// Alone: a bucket that is not full is split by who puts something into it. What has left is not there any more.
program put_into_a_split() {
  return by_itself("hash_table, put into what it splits", [] {
    counted_table<own_key, counted_value, own_word<spin>, 2> table{std::size_t{8}};
    const auto put = [&table](std::uint32_t key) {
      expect(table.insert(key, counted_value(key + 10)), "a key that nobody put was there");
    };
    put(7);
    for (std::uint32_t key = 0; key != 28; key += 4) put(key);  // all in one bucket of four
    expect(table.bucket_count() == 8, "it has not grown");
    put(3);  // stands beside 7 no longer
    expect(table.size() == 9, "it counts others than it has");
    for (const std::uint32_t key : {3U, 7U, 24U}) expect(table.erase(key) && !table.contains(key), "a key was lost");
    expect(table.size() == 6, "what has left is there");
  });
}

/// Alone: a split leaves a block half full, and a slot that one has left is another's when the bucket is split again.
program split_again() {
  return by_itself("hash_table, split again", [] {
    counted_table<own_key, counted_value, own_word<spin>, 3> table{std::size_t{6}};
    std::size_t n = 0;
    const auto put = [&](std::initializer_list<std::uint32_t> keys, std::size_t buckets) {
      for (const std::uint32_t key : keys)
        expect(table.insert(key, counted_value(key + 10)), "a key that nobody put was there");
      n += keys.size();
      expect(table.bucket_count() == buckets && table.size() == n, "it has other buckets, or another size");
      for (const std::uint32_t key : keys) expect(table.contains(key), "a key was lost in the growth");
    };
    put({0, 4, 8, 2, 12, 16}, 2);
    put({20}, 4);          // 2 leaves
    put({24, 28, 32}, 4);  // 24 stands where 2 stood
    put({36, 40}, 8);
    for (const std::uint32_t key : {0U, 2U, 4U, 24U}) expect(table.contains(key), "a key was lost in the growth");
  });
}

/// Alone: what is left of a bucket moves into its first block, and the other is the next one's.
program block_of_a_removal() {
  return by_itself("hash_table, a block that a removal has emptied", [] {
    basic_hash_table<std::uint32_t, std::uint32_t, explored, own_word<spin>, told_hash, std::equal_to<std::uint32_t>, 2>
        table{fixed_buckets{2}};
    put(table, {0, 1, 2, 3, 4});
    const std::size_t bytes = table.bytes();
    expect(table.erase(0) && table.erase(2), "a key was lost");
    put(table, {5});
    expect(table.bytes() == bytes, "memory that came back was not used again");
    expect_only(table, {1, 3, 4, 5});
  });
}

/// One gives a block back while the other takes one, and asks whether there are many.
program block_given_and_taken() {
  struct scene {
    small_table<explored, told_hash> table{4};
    scene() {
      put(table, {0, 1, 4});
      table.erase(0);
    }
  };
  stage<scene> s{"hash_table, a block given back beside one taken", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) return expect(it.table.erase(4), "a key was lost");
    put(it.table, {5});
  });
  s.then_checks([](scene& it) { expect_only(it.table, {1, 5}); });
  return s.done();
}

struct locked_first : own_word<spin> {
  static constexpr bool version_is_lock = false;
};
/// Who waits for the lock of one of two buckets has it when there are four, and its key in another.
program grown_under_one_that_waits() {
  struct scene {
    basic_hash_table<std::uint32_t, std::uint32_t, explored, locked_first, told_hash, std::equal_to<std::uint32_t>, 1>
        table{2};
    scene() { put(table, {0, 1, 3}); }
  };
  stage<scene> s{"hash_table, two buckets grown under one that waits", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) return put(it.table, {2});
    expect(!it.table.insert_or_assign(3, 23), "a key that was put was not there");
  });
  s.then_checks([](scene& it) {
    expect(it.table.bucket_count() == 4 && it.table.size() == 4, "it has not grown, or counts others than it has");
    expect(it.table.find(2) == 12U && it.table.find(3) == 23U, "a key was lost in the growth");
  });
  return s.done();
}

/// As many buckets as are asked for, or the next power of two; as many as hold so many elements.
template <class Asked>
program made_for(const std::string& name, Asked asked, std::size_t buckets, std::uint32_t keys = 0) {
  return by_itself("hash_table, made for " + name, [=] {
    counted_table<own_key, std::uint32_t, own_word<spin>, 3> table{asked};
    for (std::uint32_t key = 0; key != keys; ++key) table.insert(key, key);
    expect(table.bucket_count() == buckets && table.size() == keys, "it has other buckets, or another size");
  });
}
program made_for_too_many() {
  return by_itself("hash_table, made for too many", [] {
    using table = counted_table<own_key, std::uint32_t, own_word<spin>, 3>;
    expect(throws<std::bad_alloc>([] { table{fixed_buckets{~std::size_t{0}}}; }), "there are too many buckets");
  });
}

/// What tables of 1, 2, 3 and 5 slots do, with values that own something and with others, under each kind of lock.
std::vector<program> known_tables() {
  using guard = basic_ttas_lock<explored, spin>;
  using words = counted_table<std::uint32_t, std::uint32_t, own_word<spin>, 1>;
  using owners = counted_table<own_key, counted_value, own_word<spin>, 1>;
  using locked_twos = counted_table<own_key, std::uint32_t, locked_by<guard>, 2>;
  using locked_threes = counted_table<own_key, counted_value, wholly_locked_by<guard>, 3>;
  using fives = counted_table<own_key, counted_value, own_word<spin>, 5>;
  return {known<words>("hash_table", 5, false),
          known<words>("hash_table", 4, true),
          known<owners>("hash_table, owners", 12, false),
          known<owners>("hash_table, owners", 7, true),
          known<locked_twos>("hash_table/locked, 2 a bucket", 11, false),
          known<locked_twos>("hash_table/locked, 2 a bucket", 6, true),
          known<locked_threes>("hash_table/wholly_locked, 3 a bucket", 15, false),
          known<locked_threes>("hash_table/wholly_locked, 3 a bucket", 8, true),
          known<fives>("hash_table, 5 a bucket", 24, false),
          known<fives>("hash_table, 5 a bucket", 12, true),
          put_into_a_split(),
          split_again(),
          block_of_a_removal(),
          block_given_and_taken(),
          lopsided<1>(3),
          lopsided<3>(6),
          made_for("three buckets", fixed_buckets{3}, 4),
          made_for("four buckets", fixed_buckets{4}, 4),
          made_for("two buckets", fixed_buckets{2}, 2, 14),
          made_for("no bucket", fixed_buckets{0}, 1),
          made_for("no element", std::size_t{0}, 1),
          made_for("6 elements", std::size_t{6}, 2),
          made_for("7 elements", std::size_t{7}, 4),
          made_for_too_many()};
}

/// Copied as words, of which the last is not full.
template <std::size_t Parts>
struct in_words {
  in_words() = default;
  explicit in_words(std::uint32_t n) { parts.fill(static_cast<std::uint16_t>(n)); }
  [[nodiscard]] std::uint32_t number() const {
    for (const std::uint16_t each : parts) expect(each == parts[0], "a value was seen by halves");
    return parts[0];
  }
  std::array<std::uint16_t, Parts> parts{};
};
using wide = in_words<19>;  // more words than are written out
static_assert(detail::copied_as_words<wide>);

/// Not to be copied as words, so that it stands in the table and readers lock.
class whole {
 public:
  explicit whole(std::uint32_t n) : number_{n} {}
  whole(whole&& from) noexcept : number_{from.number()} {}
  whole& operator=(whole&& from) noexcept {
    number_ = from.number();
    return *this;
  }
  ~whole() = default;
  [[nodiscard]] std::uint32_t number() const { return number_; }

 private:
  explored::plain<std::uint32_t> number_;
};
static_assert(!detail::copied_as_words<whole>);

/// One replaces a value of many words while the other reads it.
program wide_read() {
  struct scene {
    basic_hash_table<std::uint32_t, wide, explored, own_word<spin>, told_hash, std::equal_to<std::uint32_t>, 1> table{
        fixed_buckets{1}};
  };
  stage<scene> s{"hash_table, many words read while written", 2};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.table.insert(1, wide{1});
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0) return expect(!it.table.insert_or_assign(1, wide{2}), "a key that was put was not there");
    const std::optional<wide> found = it.table.find(1);
    expect(found && found->number() <= 2 && found->number() != 0, "a value that nobody wrote");
  });
  return s.done();
}

/// One replaces a value of two words and takes it out while the other copies it: what was copied by halves is not found.
program read_while_erased() {
  using two_words = in_words<5>;
  struct scene {
    basic_hash_table<std::uint32_t, two_words, explored, own_word<spin>, told_hash, std::equal_to<std::uint32_t>, 1>
        table{fixed_buckets{1}};
  };
  stage<scene> s{"hash_table, read while written and erased", 2};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.table.insert(1, two_words{1});
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      expect(!it.table.insert_or_assign(1, two_words{2}), "a key that was put was not there");
      return expect(it.table.erase(1), "a key was lost");
    }
    const std::optional<two_words> found = it.table.find(1);
    expect(!found || (found->number() <= 2 && found->number() != 0), "a value that nobody wrote");
  });
  return s.done();
}

/// A key that is longer than a word, and is compared slot by slot.
struct long_key {
  std::array<std::uint32_t, 3> words{};
  static long_key of(std::uint32_t n) { return {{7, 8, n}}; }
  bool operator==(const long_key& other) const { return words == other.words; }
};
struct hash_of_the_last {
  std::size_t operator()(const long_key& key) const { return told_hash{}(key.words[2]); }
};

/// One adds a key beside another, and takes that out; the other thread finds what was there, or nothing, and nobody else's value.
program long_keys() {
  struct scene {
    basic_hash_table<long_key, std::uint32_t, explored, own_word<spin>, hash_of_the_last, std::equal_to<long_key>, 2>
        table{fixed_buckets{1}};
  };
  stage<scene> s{"hash_table, long keys", 2};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.table.insert(long_key::of(1), 11);
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      expect(it.table.insert(long_key::of(2), 12), "a key that nobody put was there");
      return expect(it.table.erase(long_key::of(1)), "a key was lost");
    }
    expect(it.table.find(long_key::of(1)).value_or(11) == 11, "a value is another key's");
    expect(it.table.find(long_key::of(2)).value_or(12) == 12, "a value is another key's");
    expect(!it.table.contains(long_key::of(3)), "a key that nobody put is there");
  });
  s.then_checks([](scene& it) {
    expect(it.table.find(long_key::of(2)) == 12U && it.table.size() == 1, "a key was lost, or is still there");
  });
  return s.done();
}

/// Readers share the locks, of which each bucket has one: two look for what a third, or nobody, is changing beside them.
template <class Lock>
program shared_by_readers(const std::string& name, const shape& team) {
  struct scene {
    basic_hash_table<std::uint32_t, whole, explored, wholly_locked_by<Lock>, told_hash, std::equal_to<std::uint32_t>, 1>
        table;
    std::array<explored::plain<std::uint32_t>, 2> seen{};

    explicit scene(const shape& threads) : table{fixed_buckets{2}, {}, {}, threads} {
      table.insert(0, whole{10}), table.insert(1, whole{11});
    }
    void look(std::uint32_t key) {
      expect(table.visit(key, [&](const whole& value) { seen[key] = seen[key] + value.number(); }), "a key was lost");
    }
  };
  stage<scene> s{name, 2, team};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      expect(!it.table.insert_or_assign(1, whole{12}), "a key that was put was not there");
      it.look(0);
    } else {
      it.look(1);
    }
  });
  s.then_checks([](scene& it) {
    const std::uint32_t seen = it.seen[1];
    expect(it.seen[0] == 10 && (seen == 11 || seen == 12), "a value that nobody wrote");
    for (const std::uint32_t key : {0U, 1U})
      expect(!it.table.insert_or_assign(key, whole{13}), "a key that was put was not there");
  });
  return s.done();
}

// ---- by message passing

/// Throws when it is asked about this key.
struct equal_that_throws {
  bool operator()(std::uint16_t a, std::uint16_t b) const {
    if (a == 13 || b == 13) throw 13;
    return a == b;
  }
};
using served_table = basic_served_hash_table<std::uint16_t, std::uint16_t, explored, spin, 2, std::hash<std::uint16_t>,
                                             equal_that_throws>;

/// What a server throws is the client's who asked, the second of two; it goes on.
program server_throws() {
  struct scene {
    served_table table{served_by{1, 2}, 1};
  };
  stage<scene> s{"served_hash_table, a server throws", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 1) return it.table.serve(0);
    it.table.join(0).leave();
    auto mine = it.table.join(1);
    expect(mine.insert(1, 7), "a key that nobody put was there");
    for (int i = 0; i != 2; ++i) expect(throws<int>([&] { mine.insert(13, 8); }), "what a server throws was lost");
    expect(mine.find(1) == std::uint16_t{7} && !mine.contains(2), "a key is lost, or is there that nobody put");
    expect(mine.erase(1) && !mine.contains(1), "a key is lost, or still there");
  });
  s.then_checks([](scene& it) { expect(it.table.size() == 0, "what has thrown has changed something"); });
  return s.done();
}

/// Alone: a part is as large as was asked, and the memory comes back.
template <class Asked>
program served_part(const std::string& name, Asked asked) {
  return by_itself("served_hash_table, made for " + name, [=] {
    counting_memory::bytes = 0;
    {
      basic_served_hash_table<std::uint16_t, std::uint16_t, counting_memory, spin, 2> table{served_by{1, 2}, asked};
      expect(table.part(0).bucket_count() == 2, "it has other buckets");
    }
    expect(counting_memory::bytes == 0, "memory is left when its table has gone");
  });
}

}  // namespace

void add_table_calls(subjects& to);
void add_table_calls(subjects& to) {
  subject made{"hash_table/calls", "synchro/hash_table/hash_table.hpp", {}};
  for (program& p : std::vector{no_block(), no_room_to_grow(), some_blocks_for_a_split(), split_throws(),
                                second_split_throws(), hash_of_a_bucket_to_come(), written_where_a_split_throws(),
                                updated_alone<wide>("hash_table, wide"), updated_alone<whole>("hash_table, whole")})
    made.checks.push_back({std::move(p), depth::exhausted});
  made.checks.push_back({no_block_for_one(), depth::exhausted});
  made.checks.push_back({put_before_it_has_grown(), depth::exhausted});
  for (program& p : known_tables()) made.checks.push_back({std::move(p), depth::exhausted});
  made.checks.push_back({grown_under_one_that_waits(), depth::as_far_as_fits});
  made.checks.push_back({wide_read(), depth::as_far_as_fits});
  made.checks.push_back({read_while_erased(), depth::as_far_as_fits});
  made.checks.push_back({long_keys(), depth::as_far_as_fits});
  made.checks.push_back({shared_by_readers<basic_phase_fair_lock<explored, spin>>("hash_table, shared by readers", {}),
                         depth::as_far_as_fits});
  made.checks.push_back({shared_by_readers<basic_big_reader_lock<explored, spin>>(
                             "hash_table, shared by readers of two domains", shape{{0, 1}}),
                         depth::as_far_as_fits});
  to.push_back(std::move(made));
  subject served{"served_hash_table/calls", "synchro/hash_table/served_hash_table.hpp", {}};
  served.checks.push_back({server_throws(), depth::exhausted});
  served.checks.push_back({served_part("two buckets", fixed_buckets{2}), depth::exhausted});
  served.checks.push_back({served_part("8 elements", std::size_t{8}), depth::exhausted});
  to.push_back(std::move(served));
}

}  // namespace synchro::model_checker
