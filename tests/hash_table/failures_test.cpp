// What throws has changed nothing: hashes, comparisons, copies, and memory that is not there.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "library/failing_new.hpp"
#include "synchro/domains.hpp"
#include "synchro/hash_table/hash_table.hpp"

namespace synchro {
namespace {

struct failure : std::runtime_error {
  failure() : std::runtime_error{"as told"} {}
};

/// Fails at the n-th time, if it is set.
struct fuse {
  static inline int left = -1;
  static void burns() {
    if (left >= 0 && left-- == 0) throw failure{};
  }
};

struct fragile_hash {
  std::size_t operator()(const std::uint64_t& key) const {
    fuse::burns();
    return key;
  }
};
struct fragile_equal {
  bool operator()(const std::uint64_t& a, const std::uint64_t& b) const {
    fuse::burns();
    return a == b;
  }
};
/// Its copies may fail, its moves do not.
struct fragile {
  std::uint64_t n = 0;
  fragile() = default;
  explicit fragile(std::uint64_t of) : n{of} {}
  fragile(const fragile& o) : n{o.n} { fuse::burns(); }
  fragile(fragile&& o) noexcept : n{o.n} {}
  fragile& operator=(const fragile&) = default;
  ~fragile() = default;
};

using table_of_numbers =
    basic_hash_table<std::uint64_t, std::uint64_t, hardware, own_word<>, fragile_hash, fragile_equal>;

template <class Table>
std::map<std::uint64_t, std::uint64_t> contents(const Table& table) {
  std::map<std::uint64_t, std::uint64_t> all;
  table.for_each([&](std::uint64_t key, std::uint64_t value) { all[key] = value; });
  return all;
}

/// Does `what` with a fuse of every length until it does not throw; whenever it has thrown the table is as before.
template <class Table, class F>
void fails_without_a_trace(Table& table, F what) {
  const auto before = contents(table);
  unsigned thrown = 0;
  for (int n = 0;; ++n) {
    fuse::left = n;
    try {
      what();
      fuse::left = -1;
      break;
    } catch (const failure&) {
      fuse::left = -1;
      ++thrown;
      ASSERT_EQ(contents(table), before) << "fuse of " << n;
    }
  }
  EXPECT_GT(thrown, 0U);
}

TEST(HashTableFailures, OfHashesAndComparisonsPassThrough) {
  table_of_numbers table{64};
  for (std::uint64_t key = 0; key < 20; ++key) table.insert(key, key);
  fails_without_a_trace(table, [&] { (void)table.find(3); });
  fails_without_a_trace(table, [&] { table.insert_or_assign(3, 4); });
  fails_without_a_trace(table, [&] { table.insert(21, 21); });
  fails_without_a_trace(table, [&] { table.erase(5); });
  fails_without_a_trace(table, [&] { table.update(7, [](std::uint64_t& v) { v = 8; }); });
  EXPECT_EQ(table.find(3), 4U);
  EXPECT_EQ(table.find(21), 21U);
  EXPECT_EQ(table.find(5), std::nullopt);
  EXPECT_EQ(table.find(7), 8U);
}

/// Splitting asks for the hashes of others. Where one of them throws the bucket stays whole, and nothing is lost.
TEST(HashTableFailures, OfHashesWhileItGrowsLoseNothing) {
  table_of_numbers table{1};
  std::uint64_t there = 0;
  for (std::uint64_t key = 0; key < 400; ++key) {
    fuse::left = static_cast<int>(key % 23);
    try {
      table.insert(key, key);
    } catch (const failure&) {
    }
    fuse::left = -1;
    there += table.contains(key);
    ASSERT_EQ(table.size(), there);
  }
  EXPECT_GT(there, 100U);
  for (const auto& [key, value] : contents(table)) EXPECT_EQ(table.find(key), value);
}

TEST(HashTableFailures, OfCopiesPassThrough) {
  basic_hash_table<std::uint64_t, fragile> table{1};
  const fragile one{1}, two{2};
  fuse::left = 0;
  EXPECT_THROW(table.insert(1, one), failure);
  EXPECT_EQ(table.size(), 0U);
  table.insert(1, one);
  fuse::left = 0;
  EXPECT_THROW(table.insert_or_assign(1, two), failure);
  fuse::left = 0;
  EXPECT_THROW((void)table.find(1), failure);
  EXPECT_TRUE(table.visit(1, [](const fragile& f) { EXPECT_EQ(f.n, 1U); }));
  EXPECT_TRUE(table.erase(1)) << "a lock was kept";
}

TEST(HashTableFailures, OfTheCallersFunctionsPassThrough) {
  basic_hash_table<std::uint64_t, std::uint64_t> numbers;
  basic_hash_table<std::uint64_t, std::string> words;
  numbers.insert(1, 10);
  words.insert(1, "ten");
  const auto changed_and_threw = [](auto& v) {
    v = std::remove_reference_t<decltype(v)>{};
    throw failure{};
  };
  EXPECT_THROW(numbers.update(1, changed_and_threw), failure);
  EXPECT_EQ(numbers.find(1), 10U);
  EXPECT_THROW(words.update(1, changed_and_threw), failure);
  EXPECT_EQ(words.find(1), "");
  EXPECT_THROW(numbers.for_each([](std::uint64_t, std::uint64_t) { throw failure{}; }), failure);
  EXPECT_THROW(words.visit(1, [](const std::string&) { throw failure{}; }), failure);
  EXPECT_TRUE(numbers.erase(1) && words.erase(1)) << "a lock was kept";
}

TEST(HashTableFailures, OfMemoryLeaveTheTableAsItWas) {
  basic_hash_table<std::uint64_t, std::uint64_t> table{1};
  std::uint64_t refused = 0;
  for (std::uint64_t key = 0; key < 600; ++key) {
    const std::size_t before = table.size();
    tests::allocations_left = static_cast<int>(key % 3);
    bool is_in = true;
    try {
      is_in = table.insert(key, key);
    } catch (const std::bad_alloc&) {
      is_in = false;
    }
    tests::allocations_left = -1;
    ASSERT_EQ(table.contains(key), is_in);
    ASSERT_EQ(table.size(), before + (is_in ? 1 : 0));
    if (!is_in) {
      ++refused;
      ASSERT_TRUE(table.insert(key, key)) << "a lock was kept";
    }
  }
  EXPECT_GT(refused, 0U);
  for (std::uint64_t key = 0; key < 600; ++key) EXPECT_EQ(table.find(key), key);
}

TEST(HashTableFailures, OfMemoryInTheConstructorLeaveNothing) {
  for (int n = 0; n < 18; ++n) {  // the list of locks, sixteen of them, the buckets
    tests::allocations_left = n;
    using table = basic_hash_table<std::uint64_t, std::uint64_t, hardware, locked_by<basic_ttas_lock<hardware>>>;
    EXPECT_THROW(table{100}, std::bad_alloc) << n;
    tests::allocations_left = -1;
  }
}

}  // namespace
}  // namespace synchro
