// The programs that try the hash table: what a key has is what a map would have if the calls came one after the other, no
// value is seen by halves, nothing is lost in a growth, and what stays is met once by who goes through the table.

#include <array>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/harnesses/told_hash.hpp"
#include "model_checker/subject.hpp"
#include "synchro/hash_table/hash_table.hpp"
#include "synchro/hash_table/served_hash_table.hpp"
#include "synchro/locks/ttas.hpp"

namespace synchro::model_checker {

namespace {

using field = explored::plain<std::uint32_t>;

/// Three words; the first and the last belong together.
struct twin {
  std::array<std::uint32_t, 3> words{};
  static twin of(std::uint32_t n) { return {{n, 0, ~n}}; }
};

std::uint32_t number_in(const twin& value) {
  expect(value.words[2] == ~value.words[0], "a value was seen by halves");
  return value.words[0];
}
/// Zero if there is none.
std::uint32_t number_in(const std::optional<twin>& found) { return found ? number_in(*found) : 0; }

using lock_free_reads = own_word<spin>;
/// With every bucket locked before it is looked into, as where somebody is in the way: so small that all schedules of two growths fit.
struct locked_first : own_word<spin> {
  static constexpr bool version_is_lock = false;
};
using guarded_writes = locked_by<basic_ttas_lock<explored, spin>>;
using all_guarded = wholly_locked_by<basic_ttas_lock<explored, spin>>;

template <class Locking>
struct scene_of {
  basic_hash_table<std::uint32_t, twin, explored, Locking, told_hash, std::equal_to<std::uint32_t>, 1> table;
  std::array<field, 3> told{};

  explicit scene_of(std::size_t elements = 1) : table{elements} {}
  explicit scene_of(fixed_buckets buckets) : table{buckets} {}

  std::uint32_t get(std::uint32_t key) const { return number_in(table.find(key)); }
  bool put(std::uint32_t key, std::uint32_t n) { return table.insert(key, twin::of(n)); }
  bool assign(std::uint32_t key, std::uint32_t n) { return table.insert_or_assign(key, twin::of(n)); }
};

/// The same with values of one word, for programs with more buckets or slots.
template <class Locking, unsigned Slots>
struct numbers {
  basic_hash_table<std::uint32_t, std::uint32_t, explored, Locking, told_hash, std::equal_to<std::uint32_t>, Slots>
      table;

  explicit numbers(std::size_t elements) : table{elements} {}
  explicit numbers(fixed_buckets buckets) : table{buckets} {}

  std::uint32_t get(std::uint32_t key) const { return table.find(key).value_or(0); }
  void put(std::uint32_t key) { expect(table.insert(key, key + 10), "a key that nobody put was there"); }
  void remove(std::uint32_t key) { expect(table.erase(key), "a key that was put was not there"); }
};

/// A value that has memory of its own, and how many there are.
struct owner {
  static inline int alive = 0;

  owner() : owner(0) {}
  owner(std::uint32_t n) : number{std::make_unique<std::uint32_t>(n)} {
    ++alive;
  }  // NOLINT(google-explicit-constructor)
  owner(const owner& from) : owner(*from.number) {}
  owner(owner&& from) noexcept : number{std::move(from.number)} { ++alive; }
  owner& operator=(const owner& from) {
    number = std::make_unique<std::uint32_t>(*from.number);
    return *this;
  }
  owner& operator=(owner&& from) noexcept {
    number = std::move(from.number);
    return *this;
  }
  ~owner() { --alive; }

  std::unique_ptr<std::uint32_t> number;
};
std::uint32_t number_in(const owner& value) { return *value.number; }
std::uint32_t number_in(std::uint32_t value) { return value; }

/// A table of owners that forgets to end the value that it replaces.
template <class Table>
struct table_that_leaks : Table {
  using Table::Table;
  bool insert_or_assign(std::uint32_t key, const owner& value) {
    if (this->contains(key)) ++owner::alive;  // as if the one before had been written over
    return Table::insert_or_assign(key, value);
  }
};

template <class Value, class Locking>
using table_of = basic_hash_table<std::uint32_t, Value, explored, Locking, told_hash, std::equal_to<std::uint32_t>, 1>;

/// Each way to ask, of keys that are there, are another's or have gone, in a table that has grown; no value is lost or left.
template <class Value, class Table>
program asked(const std::string& name) {
  struct nobody {};
  stage<nobody> s{name + ", asked in each way", 1};
  s.does([](nobody&, unsigned) {
    constexpr std::uint32_t keys = 4;
    owner::alive = 0;
    {
      Table table{1};
      for (std::uint32_t key = 1; key <= keys; ++key) expect(table.insert(key, Value(10 * key)), "a key was there");
      expect(!table.insert(2, Value(5)), "a key that was put was not there");
      expect(!table.insert_or_assign(1, Value(7)), "a key that was put was not there");
      Value to(0);
      expect(table.find(1, to) && number_in(to) == 7, "a value was not replaced");
      std::uint32_t visited = 0;
      expect(table.visit(3, [&](const Value& value) { visited = number_in(value); }) && visited == 30, "not visited");
      expect(table.contains(4) && !table.contains(keys + 1), "a key is there that nobody put, or is not");
      expect(table.erase(2) && !table.erase(2) && !table.contains(2) && !table.find(2, to), "a key has not gone");
      const auto found = table.find(4);
      expect(found && number_in(*found) == 40 && !table.find(2), "a value is another");
      expect(table.size() == keys - 1, "there are more keys than were put, or fewer");
    }
    expect(owner::alive == 0, "a value is left when its table has gone");
  });
  return s.done();
}

/// One writes a value twice, the other reads it twice: whole, and not backwards.
template <class Locking>
program read_whole(const std::string& name) {
  stage<scene_of<Locking>> s{name + ", read while written", 2, fixed_buckets{1}};
  s.does([](scene_of<Locking>& it, unsigned t) {
    if (t == 0) {
      expect(it.assign(1, 1), "a key was there before anybody put it");
      expect(!it.assign(1, 2), "a key that was put was not there");
      return;
    }
    const std::uint32_t first = it.get(1), second = it.get(1);
    expect(first <= 2 && second <= 2 && first <= second, "a value came back");
  });
  return s.done();
}

/// Two put the same key: it was new to one of them, and has that one's value.
template <class Locking>
program put_by_two(const std::string& name) {
  stage<scene_of<Locking>> s{name + ", put by two", 2, fixed_buckets{1}};
  s.does([](scene_of<Locking>& it, unsigned t) { it.told[t] = it.put(1, t + 1) ? 1U : 0U; });
  s.then_checks([](scene_of<Locking>& it) {
    expect(it.told[0] + it.told[1] == 1, "a key was new to two, or to none");
    expect(it.get(1) == (it.told[0] == 1 ? 1U : 2U), "a value was replaced by one that was refused");
  });
  return s.done();
}

/// One takes out what the other puts in: it is there at the end unless it was taken.
template <class Locking>
program put_and_removed(const std::string& name) {
  stage<scene_of<Locking>> s{name + ", put and removed", 2, fixed_buckets{1}};
  s.does([](scene_of<Locking>& it, unsigned t) {
    if (t == 0)
      it.told[0] = it.put(1, 1) && it.put(2, 2) ? 1U : 0U;  // the second has no place in the bucket's first block
    else
      it.told[1] = it.table.erase(1) ? 1U : 0U;
  });
  s.then_checks([](scene_of<Locking>& it) {
    expect(it.told[0] == 1, "a key that nobody put was there");
    expect(it.get(1) == 1 - it.told[1], "a removed key is there, or one that is there was lost");
    expect(it.get(2) == 2, "another key was lost");
    expect(it.table.size() == 2 - it.told[1], "it counts others than it has");
  });
  return s.done();
}

/// A block goes from one bucket to another while somebody reads it.
template <class Locking>
program block_used_again(const std::string& name) {
  stage<scene_of<Locking>> s{name + ", a block used again", 2, fixed_buckets{2}};
  s.warms_up([](scene_of<Locking>& it, unsigned t) {
    if (t == 0) it.put(0, 10), it.put(1, 11), it.put(2, 12);
  });
  s.does([](scene_of<Locking>& it, unsigned t) {
    if (t == 0) {
      it.table.erase(0);  // 2 moves into the first block, and the other is free
      it.put(3, 13);      // which takes it, beside 1
    } else {
      expect(it.get(2) == 12, "a key that was there all the while was not found");
    }
  });
  s.then_checks([](scene_of<Locking>& it) {
    expect(it.get(0) == 0 && it.get(1) == 11 && it.get(2) == 12 && it.get(3) == 13, "a key was lost");
  });
  return s.done();
}

/// An element goes from the second block of its bucket to the first one while somebody looks for it.
template <class Locking>
program moved_under_a_reader(const std::string& name) {
  using scene = numbers<Locking, 2>;
  stage<scene> s{name + ", moved under a reader", 2, fixed_buckets{1}};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.put(1), it.put(2), it.put(3), it.remove(1);
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0)
      it.remove(2);  // 3 alone is left, and both have been behind it
    else
      expect(it.get(3) == 13, "a key that was there all the while was not found");
  });
  s.then_checks([](scene& it) { expect(it.get(2) == 0 && it.get(3) == 13, "a key was lost, or is still there"); });
  return s.done();
}

/// The same behind two blocks, of which the one in between goes.
template <class Locking>
program moved_behind_a_block(const std::string& name) {
  using scene = numbers<Locking, 2>;
  stage<scene> s{name + ", moved from behind a block that goes", 2, fixed_buckets{1}};
  s.warms_up([](scene& it, unsigned t) {
    if (t != 0) return;
    for (const std::uint32_t key : {1U, 2U, 3U, 4U, 5U}) it.put(key);
    for (const std::uint32_t key : {1U, 2U, 3U}) it.remove(key);
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0)
      it.remove(4);  // 5 alone is left
    else
      expect(it.get(5) == 15, "a key that was there all the while was not found");
  });
  s.then_checks([](scene& it) { expect(it.get(4) == 0 && it.get(5) == 15, "a key was lost, or is still there"); });
  return s.done();
}

/// A value that is no words, and guards what it points to.
struct guardian {
  explicit guardian(field& f) : of{&f} {}
  guardian(guardian&& from) noexcept : of{from.of} {}
  guardian& operator=(guardian&&) = delete;
  ~guardian() {}  // NOLINT(modernize-use-equals-default): with a default one it would be words

  field* of;
};

/// One reads under the bucket's lock what the other changes under it.
template <class Locking>
program visited_and_updated(const std::string& name) {
  struct scene {
    field guarded{};
    table_of<guardian, Locking> table{fixed_buckets{1}};
    scene() { table.insert(1, guardian{guarded}); }
  };
  stage<scene> s{name + ", visited and updated", 2};
  s.does([](scene& it, unsigned t) {
    const bool found = t == 0 ? it.table.visit(1, [](const guardian& g) { expect(*g.of <= 1, "a value is another"); })
                              : it.table.update(1, [](guardian& g) { *g.of = 1; });
    expect(found, "a key that was there was not found");
  });
  s.then_checks([](scene& it) { expect(it.guarded == 1, "an update was lost"); });
  return s.done();
}

/// A key that was removed long ago: its slot has another's when the bucket is split.
template <class Locking>
program slot_used_again_and_split(const std::string& name) {
  using scene = numbers<Locking, 1>;
  stage<scene> s{name + ", a slot used again and split", 2, std::size_t{1}};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.put(1), it.remove(1);
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0)
      it.put(2), it.put(3);
    else
      expect(it.get(1) == 0, "a removed key came back");
  });
  s.then_checks([](scene& it) { expect(it.get(2) == 12 && it.get(3) == 13, "a key was lost in the growth"); });
  return s.done();
}

/// A key is removed while somebody looks for it, and its slot is another's: the reader finds nothing, or its own value.
template <class Locking>
program slot_used_again_under_a_reader(const std::string& name) {
  using scene = numbers<Locking, 1>;
  stage<scene> s{name + ", a slot used again under a reader", 2, fixed_buckets{1}};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.put(1);
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0) return it.remove(1), it.put(2);
    const std::uint32_t found = it.get(1);
    expect(found == 0 || found == 11, "a value is another key's");
  });
  s.then_checks([](scene& it) { expect(it.get(1) == 0 && it.get(2) == 12, "a key was lost, or is still there"); });
  return s.done();
}

/// A bucket is locked, and nothing in it changes, while somebody looks behind its first block.
template <class Locking>
program counted_under_a_remover(const std::string& name) {
  using scene = numbers<Locking, 1>;
  stage<scene> s{name + ", counted under a remover", 2, fixed_buckets{1}};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.put(1), it.put(2);
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      const std::size_t n = it.table.size();
      return expect(n == 1 || n == 2, "it counts others than it has");
    }
    expect(it.get(2) == 12, "a key that was there all the while was not found");
    it.remove(2);
  });
  s.then_checks([](scene& it) { expect(it.get(1) == 11 && !it.table.contains(2), "a key was lost, or is there"); });
  return s.done();
}

/// What shares a bucket is cleared at once.
template <class Locking>
program cleared_under_a_reader(const std::string& name) {
  using scene = numbers<Locking, 2>;
  stage<scene> s{name + ", cleared under a reader", 2, fixed_buckets{1}};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.put(1), it.put(2);
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0) return it.table.clear();
    const std::uint32_t first = it.get(1), second = it.get(2);
    expect(first == 11 || first == 0, "a value is another key's");
    expect(second == 12 || second == 0, "a value is another key's");
    expect(first != 0 || second == 0, "a bucket was seen half cleared");
  });
  s.then_checks([](scene& it) { expect(it.table.empty(), "what was cleared is there"); });
  return s.done();
}

/// Both add to one value.
template <class Locking>
program updated(const std::string& name) {
  stage<scene_of<Locking>> s{name + ", updated by two", 2, fixed_buckets{1}};
  s.warms_up([](scene_of<Locking>& it, unsigned t) {
    if (t == 0) it.put(1, 1);
  });
  s.does([](scene_of<Locking>& it, unsigned) {
    const bool found = it.table.update(1, [](twin& v) { v = twin::of(number_in(v) + 1); });
    expect(found, "a key that was there was not found");
  });
  s.then_checks([](scene_of<Locking>& it) { expect(it.get(1) == 3, "an update was lost"); });
  return s.done();
}

/// One updates a value, or writes another, while the other reads it: the first in its bucket, or one behind it in a bucket that a
/// split has filled.
template <class Locking>
program read_while(const std::string& name, bool is_updated, std::uint32_t key) {
  using scene = scene_of<Locking>;
  stage<scene> s{name, 2, std::size_t{1}};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.put(1, 1), it.put(3, 1);
  });
  s.does([=](scene& it, unsigned t) {
    if (t == 0) {
      const bool is_new = is_updated ? !it.table.update(key, [](twin& v) { v = twin::of(2); }) : it.assign(key, 2);
      return expect(!is_new, "a key that was put was not there");
    }
    const std::uint32_t n = it.get(key);
    expect(n == 1 || n == 2, "a value that nobody wrote");
  });
  s.then_checks([=](scene& it) { expect(it.get(key) == 2 && it.get(4 - key) == 1, "a value was lost"); });
  return s.done();
}

/// One bucket becomes two, unless `other`, which the second thread does, makes room before.
template <class Locking, class Other, class Check>
program grown(const std::string& name, Other other, Check check) {
  stage<scene_of<Locking>> s{name, 2, std::size_t{1}};
  s.warms_up([](scene_of<Locking>& it, unsigned t) {
    if (t == 0) it.put(1, 11);
  });
  s.does([other](scene_of<Locking>& it, unsigned t) {
    if (t == 0)
      expect(it.put(2, 12), "a key that nobody put was there");
    else
      other(it);
  });
  s.then_checks([check](scene_of<Locking>& it) {
    expect(it.get(2) == 12, "a key was lost in the growth");
    check(it);
  });
  return s.done();
}

template <class Locking>
program grown_under_a_reader(const std::string& name) {
  using scene = scene_of<Locking>;
  return grown<Locking>(
      name + ", grown under a reader", [](scene& it) { expect(it.get(1) == 11, "a key was not found in a growth"); },
      [](scene& it) { expect(it.get(1) == 11, "a key was lost in the growth"); });
}
template <class Locking>
program grown_under_a_writer(const std::string& name) {
  using scene = scene_of<Locking>;
  return grown<Locking>(
      name + ", grown under a writer", [](scene& it) { expect(!it.assign(1, 21), "a key was not found in a growth"); },
      [](scene& it) {
        expect(it.get(1) == 21, "a value was lost in the growth");
        expect(it.put(3, 13) && it.put(4, 14), "a key that nobody put was there");
        expect(it.table.bucket_count() == 4, "it does not grow a second time");
      });
}
template <class Locking>
program grown_under_a_remover(const std::string& name) {
  using scene = scene_of<Locking>;
  return grown<Locking>(
      name + ", grown under a remover", [](scene& it) { expect(it.table.erase(1), "a key was not found in a growth"); },
      [](scene& it) { expect(it.get(1) == 0 && it.table.size() == 1, "a removed key came back"); });
}
template <class Locking>
program grown_by_two(const std::string& name) {
  using scene = numbers<Locking, 1>;
  stage<scene> s{name + ", grown by two", 2, std::size_t{1}};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.put(1);
  });
  s.does([](scene& it, unsigned t) { it.put(2 + t); });
  s.then_checks([](scene& it) {
    for (std::uint32_t key = 1; key != 4; ++key) expect(it.get(key) == key + 10, "a key was lost in the growth");
  });
  return s.done();
}
template <class Locking>
program gone_through(const std::string& name) {
  using scene = scene_of<Locking>;
  return grown<Locking>(
      name + ", gone through while it grows",
      [](scene& it) {
        std::uint32_t times = 0, others = 0;
        it.table.for_each([&](std::uint32_t key, const twin& v) {
          expect(number_in(v) == key + 10, "a key was met with another's value");
          ++(key == 1 ? times : others);
        });
        expect(times == 1, "what was there all the while was not met once");
        expect(others <= 1, "what came meanwhile was met twice");
      },
      [](scene&) {});
}

/// Alone: grows twice, is emptied, and used again.
template <class Locking>
program alone(const std::string& name) {
  stage<scene_of<Locking>> s{name + ", alone", 1, std::size_t{1}};
  s.does([](scene_of<Locking>& it, unsigned) {
    for (std::uint32_t key = 1; key <= 4; ++key) expect(it.put(key, key), "a key that nobody put was there");
    expect(it.table.bucket_count() == 4, "it has not grown");
    for (std::uint32_t key = 1; key <= 4; ++key) expect(it.get(key) == key, "a key was lost");
    expect(it.table.size() == 4, "it counts others than it has");
    expect(it.table.bytes() % cpu::cache_line == 0, "it takes parts of lines");
    it.table.clear();
    expect(it.table.empty() && it.put(1, 7) && it.get(1) == 7, "what was cleared is there");
  });
  return s.done();
}

/// Alone: blocks that came back, by elements that were removed or by a bucket that was cleared, are another bucket's before others
/// are made.
template <class Locking>
program blocks_come_back(const std::string& name) {
  using scene = numbers<Locking, 1>;
  stage<scene> s{name + ", blocks come back", 1, fixed_buckets{2}};
  s.does([](scene& it, unsigned) {
    std::size_t bytes = 0;
    for (unsigned round = 0; round != 3; ++round) {
      const std::array<std::uint32_t, 3> keys{round % 2, round % 2 + 2, round % 2 + 4};
      for (const std::uint32_t key : keys) it.put(key);
      expect(bytes == 0 || it.table.bytes() == bytes, "memory that came back was not used again");
      bytes = it.table.bytes();
      if (round == 1) {
        it.table.clear();
      } else {
        for (const std::uint32_t key : keys) it.remove(key);
      }
    }
  });
  return s.done();
}

/// Alone: a block that a split has emptied is another bucket's.
template <class Locking>
program block_of_a_split(const std::string& name) {
  using scene = numbers<Locking, 1>;
  stage<scene> s{name + ", a block that a split has emptied", 1, std::size_t{1}};
  s.does([](scene& it, unsigned) {
    it.put(0), it.put(1);
    expect(it.table.bucket_count() == 2, "it has not grown");
    const std::size_t bytes = it.table.bytes();
    it.put(3);
    expect(it.table.bytes() == bytes, "memory that came back was not used again");
  });
  return s.done();
}

/// Alone: it grows when there are more blocks beside the buckets than half as many as buckets, not before; and again, if
/// nobody has written to what was split.
template <class Locking>
program grown_when_crowded(const std::string& name) {
  using scene = numbers<Locking, 1>;
  stage<scene> s{name + ", grown when it is crowded", 1, std::size_t{2}};
  s.does([](scene& it, unsigned) {
    const auto put = [&it](std::initializer_list<std::uint32_t> keys, std::size_t buckets) {
      for (const std::uint32_t key : keys) it.put(key);
      expect(it.table.bucket_count() == buckets, "it has grown too early, or not at all");
    };
    put({0, 2}, 2);
    it.remove(0), it.remove(2);
    put({0, 2}, 2);
    put({4}, 4);
    put({8, 12}, 8);
    for (const std::uint32_t key : {0U, 2U, 4U, 8U, 12U})
      expect(it.get(key) == key + 10, "a key was lost in the growth");
  });
  return s.done();
}

/// Alone: every bit for slots is in use.
template <class Locking>
program eight_slots(const std::string& name) {
  using scene = numbers<Locking, 8>;
  stage<scene> s{name + ", eight slots", 1, fixed_buckets{1}};
  s.does([](scene& it, unsigned) {
    for (std::uint32_t key = 0; key != 8; ++key) it.put(key);
    for (std::uint32_t key = 8; key-- != 0;) {
      expect(it.table.size() == key + 1, "it counts others than it has");
      it.remove(key);  // an odd one first: its last bit is one of the depth's
    }
    expect(it.table.empty(), "it counts others than it has");
  });
  return s.done();
}

template <class Locking>
subject proved(const std::string& name) {
  subject s{name, "synchro/hash_table/hash_table.hpp", {}};
  for (program& p :
       std::vector{read_whole<Locking>(name), put_by_two<Locking>(name), put_and_removed<Locking>(name),
                   block_used_again<Locking>(name), updated<Locking>(name), grown_under_a_reader<Locking>(name),
                   grown_under_a_writer<Locking>(name), grown_under_a_remover<Locking>(name),
                   gone_through<Locking>(name), moved_under_a_reader<Locking>(name), alone<Locking>(name),
                   blocks_come_back<Locking>(name), grown_when_crowded<Locking>(name), eight_slots<Locking>(name)})
    s.checks.push_back({std::move(p), depth::exhausted});
  // With the lock's words beside those of the bucket they are ten times as large, and grow no otherwise.
  if constexpr (std::is_same_v<Locking, lock_free_reads>) {
    s.checks.push_back({grown_by_two<Locking>(name), depth::exhausted});
    s.checks.push_back({grown_by_two<locked_first>(name + ", locked first"), depth::exhausted});
    s.checks.push_back({visited_and_updated<Locking>(name), depth::exhausted});
    s.checks.push_back({moved_behind_a_block<Locking>(name), depth::exhausted});
    s.checks.push_back({slot_used_again_and_split<Locking>(name), depth::as_far_as_fits});
  }
  for (program& p :
       std::vector{slot_used_again_under_a_reader<Locking>(name), counted_under_a_remover<Locking>(name),
                   cleared_under_a_reader<Locking>(name), read_while<Locking>(name + ", read while updated", true, 1),
                   read_while<Locking>(name + ", read behind a block while written", false, 3),
                   block_of_a_split<Locking>(name)})
    s.checks.push_back({std::move(p), depth::exhausted});
  return s;
}

// ---- by message passing

/// Keys and values that fit into one step of the explored machine beside what is asked.
struct served_scene {
  basic_served_hash_table<std::uint16_t, std::uint16_t, explored, spin, 2> table;
  std::array<field, 2> told{};

  explicit served_scene(served_by team) : table{team, fixed_buckets{1}} {}

  std::uint32_t now(std::uint16_t key) { return table.part(table.part_of(key)).find(key).value_or(0); }
};

/// Two clients put the same key: it was new to one of them, and has that one's value.
program served_to_two(const std::string& name) {
  stage<served_scene> s{name + ", put by two", 3, served_by{1, 2}};
  s.does([](served_scene& it, unsigned t) {
    if (t == 2) return it.table.serve(0);
    auto mine = it.table.join(t);
    it.told[t] = mine.insert(1, static_cast<std::uint16_t>(t + 1)) ? 1U : 0U;
  });
  s.then_checks([](served_scene& it) {
    expect(it.told[0] + it.told[1] == 1, "a key was new to two, or to none");
    expect(it.now(1) == (it.told[0] == 1 ? 1U : 2U), "a value was replaced by one that was refused");
    expect(it.table.size() == 1, "it counts others than it has");
  });
  return s.done();
}

/// One client takes out what the other puts in: it is there at the end unless it was taken.
program served_and_removed(const std::string& name) {
  stage<served_scene> s{name + ", put and removed", 3, served_by{1, 2}};
  s.does([](served_scene& it, unsigned t) {
    if (t == 2) return it.table.serve(0);
    auto mine = it.table.join(t);
    it.told[t] = (t == 0 ? mine.insert_or_assign(1, 5) : mine.erase(1)) ? 1U : 0U;
  });
  s.then_checks([](served_scene& it) {
    expect(it.told[0] == 1, "a key that nobody put was there");
    expect(it.now(1) == (it.told[1] == 1 ? 0U : 5U), "a removed key is there, or one that is there was lost");
  });
  return s.done();
}

/// One client: the last call is the last. The server ends when it has left.
program served_in_order(const std::string& name) {
  stage<served_scene> s{name + ", one client", 2, served_by{1, 1}};
  s.does([](served_scene& it, unsigned t) {
    if (t == 1) return it.table.serve(0);
    auto mine = it.table.join(0);
    expect(mine.insert(2, 7) && mine.insert(3, 9), "a key that nobody put was there");
    expect(mine.find(2) == std::uint16_t{7}, "a key that was put was not found");
    expect(!mine.insert_or_assign(2, 8) && mine.erase(3), "a key that was put was not there");
    expect(mine.find(2) == std::uint16_t{8} && !mine.contains(3), "the last call was not the last");
  });
  return s.done();
}

subject served(const std::string& name) {
  subject s{name, "synchro/hash_table/served_hash_table.hpp", {}};
  for (program& p : std::vector{served_to_two(name), served_and_removed(name), served_in_order(name)})
    s.checks.push_back({std::move(p), depth::exhausted});
  return s;
}

// ---- seeded bugs

/// A server that answers before it has done what was asked, and a client that looks for itself.
program answered_too_early() {
  struct scene {
    basic_channel<std::uint32_t, explored, spin> asked, answered;
    field value{0};
  };
  stage<scene> s{"put by a server", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 1) {
      const std::uint32_t value = *it.asked.receive();
      it.answered.send(1);
      it.value = value;
      return;
    }
    it.asked.send(5);
    expect(it.answered.receive() == 1U, "there was no answer");
    expect(it.value == 5, "what was put is not there");
  });
  return s.done();
}

/// A reader that is satisfied by an even version before it, and does not look again.
program half_an_update() {
  struct scene {
    explored::atomic<std::uint32_t> version{0};
    std::array<explored::atomic<std::uint32_t>, 2> value{};
  };
  stage<scene> s{"value of two words", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      it.version.store(1, memory_order::relaxed);
      for (auto& word : it.value) word.store(1, memory_order::release);
      it.version.store(2, memory_order::release);
      return;
    }
    explored::await(it.version, memory_order::acquire, [](std::uint32_t v) { return v % 2 == 0; });
    const std::uint32_t first = it.value[0].load(memory_order::acquire);
    expect(first == it.value[1].load(memory_order::acquire), "a value was seen by halves");
  });
  return s.done();
}

/// A table that is copied into a larger one, bucket by bucket under the bucket's lock; who puts something takes the lock of
/// the old bucket and does not look whether it was copied meanwhile.
struct table_that_forgets {
  struct bucket {
    basic_ttas_lock<explored, spin> lock;
    field value{0};
  };
  std::array<bucket, 2> tables;
  explored::atomic<bucket*> now{&tables[0]};

  void put(std::uint32_t value) {
    bucket* const to = now.load(memory_order::acquire);
    to->lock.lock();
    to->value = value;
    to->lock.unlock();
  }
  void grow() {
    tables[0].lock.lock();
    tables[1].value = static_cast<std::uint32_t>(tables[0].value);
    now.store(&tables[1], memory_order::release);
    tables[0].lock.unlock();
  }
};

program lost_in_a_resize() {
  stage<table_that_forgets> s{"put during a resize", 2};
  s.does([](table_that_forgets& it, unsigned t) {
    if (t == 0)
      it.put(1);
    else
      it.grow();
  });
  s.then_checks([](table_that_forgets& it) {
    expect(it.now.load(memory_order::relaxed)->value == 1, "what was put is not there");
  });
  return s.done();
}

}  // namespace

void add_tables(subjects& to);
void add_tables(subjects& to) {
  to.push_back(proved<lock_free_reads>("hash_table"));
  to.push_back(proved<guarded_writes>("hash_table/locked"));
  to.push_back(proved<all_guarded>("hash_table/wholly_locked"));
  const auto add_asked = [&to]<class Locking>(const std::string& name, Locking) {
    for (subject& s : to) {
      if (s.name != name) continue;
      s.checks.push_back({asked<std::uint32_t, table_of<std::uint32_t, Locking>>(name), depth::exhausted});
      s.checks.push_back({asked<owner, table_of<owner, Locking>>(name + ", owners"), depth::exhausted});
    }
  };
  add_asked("hash_table", lock_free_reads{});
  add_asked("hash_table/wholly_locked", all_guarded{});
  to.push_back(served("served_hash_table"));
}

void add_seeded_tables(subjects& to);
void add_seeded_tables(subjects& to) {
  to.push_back(
      seeded("table_that_leaks", asked<owner, table_that_leaks<table_of<owner, all_guarded>>>("replaced values stay")));
  to.push_back(seeded("reader_of_half_an_update", half_an_update()));
  to.push_back(seeded("resize_that_loses_a_put", lost_in_a_resize()));
  to.push_back(seeded("server_that_answers_too_early", answered_too_early()));
}

}  // namespace synchro::model_checker
