// The hash table against std::unordered_map, alone and under threads.

#include "synchro/hash_table/hash_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "hash_table/churn.hpp"
#include "synchro/domains.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/shared_mutex.hpp"

namespace synchro {
namespace {

using tests::in_threads;
using tests::triple;

/// All keys in few buckets.
struct poor_hash {
  std::size_t operator()(std::uint64_t key) const { return key % 3; }
};

template <class K, class V, class Locking = own_word<>, class Hash = std::hash<K>, unsigned Slots = 0>
struct kind {
  using key = K;
  using value = V;
  static constexpr unsigned slots = Slots != 0 ? Slots : detail::best_slots<K, V>();
  using table = basic_hash_table<K, V, hardware, Locking, Hash, std::equal_to<K>, slots>;
};

template <class Kind>
class HashTable : public ::testing::Test {};
using kinds =
    ::testing::Types<kind<std::uint64_t, std::uint64_t>, kind<std::uint32_t, triple>, kind<std::string, std::string>,
                     kind<std::uint64_t, std::string>, kind<std::string, std::uint64_t>,
                     kind<std::uint64_t, std::uint64_t, own_word<>, std::hash<std::uint64_t>, 1>,
                     kind<std::uint64_t, std::uint64_t, own_word<>, poor_hash>,
                     kind<std::uint64_t, std::uint64_t, locked_by<basic_mcs_lock<hardware, spin_park>>>,
                     kind<std::uint64_t, std::uint64_t, wholly_locked_by<basic_mcs_lock<hardware, spin_park>>>,
                     kind<std::string, std::string, wholly_locked_by<shared_mutex>>>;
TYPED_TEST_SUITE(HashTable, kinds);

template <class T>
T made_of(std::uint64_t n) {
  if constexpr (std::is_same_v<T, std::string>)
    return std::string(n % 40, 'x') + std::to_string(n);
  else if constexpr (std::is_same_v<T, triple>)
    return triple::of(static_cast<std::uint32_t>(n));
  else
    return static_cast<T>(n);
}

/// A million operations would find no more: the model has met every size from nothing to the whole table and back.
TYPED_TEST(HashTable, IsTheModelAfterRandomOperations) {
  using K = typename TypeParam::key;
  using V = typename TypeParam::value;
  typename TypeParam::table table{1};
  std::unordered_map<K, V> model;
  std::mt19937_64 random{1};
  for (unsigned i = 0; i < 20'000; ++i) {
    const bool shrinks = i / 4000 % 2 == 1;
    const K key = made_of<K>(random() % 700);
    const V value = made_of<V>(random() % 100'000);
    switch (random() % (shrinks ? 8 : 6)) {
      case 0:
      case 1:
        ASSERT_EQ(table.insert(key, value), model.emplace(key, value).second);
        break;
      case 2:
        ASSERT_EQ(table.insert_or_assign(key, value), model.insert_or_assign(key, value).second);
        break;
      case 3: {
        const auto it = model.find(key);
        if (it != model.end()) it->second = value;
        ASSERT_EQ(table.update(key, [&](V& v) { v = value; }), it != model.end());
        break;
      }
      case 4: {
        const auto it = model.find(key);
        ASSERT_EQ(table.contains(key), it != model.end());
        ASSERT_EQ(table.find(key), it == model.end() ? std::nullopt : std::optional<V>{it->second});
        V copy{};
        ASSERT_EQ(table.find(key, copy), it != model.end());
        ASSERT_TRUE(it == model.end() || copy == it->second);
        ASSERT_EQ(table.visit(key, [&](const V& v) { EXPECT_EQ(v, it->second); }), it != model.end());
        break;
      }
      default:
        ASSERT_EQ(table.erase(key), model.erase(key) == 1);
    }
  }
  ASSERT_EQ(table.size(), model.size());
  std::unordered_map<K, V> met;
  table.for_each([&](const K& key, const V& value) { EXPECT_TRUE(met.emplace(key, value).second) << "met twice"; });
  EXPECT_EQ(met, model);
  table.clear();
  EXPECT_TRUE(table.empty());
  for (const auto& [key, value] : model) EXPECT_FALSE(table.contains(key));
}

TYPED_TEST(HashTable, LosesNothingWhileItGrows) {
  using K = typename TypeParam::key;
  using V = typename TypeParam::value;
  constexpr unsigned threads = 4, each = 500;
  typename TypeParam::table table{1};
  const std::size_t before = table.bucket_count();
  std::vector<unsigned> missed(threads);
  in_threads(threads, [&](unsigned t) {
    for (unsigned i = 0; i < each; ++i) {
      const unsigned n = i * threads + t;
      if (!table.insert(made_of<K>(n), made_of<V>(n))) ++missed[t];
      if (table.find(made_of<K>(n / 2 / threads * threads + t)) != made_of<V>(n / 2 / threads * threads + t))
        ++missed[t];
    }
  });
  EXPECT_EQ(missed, std::vector<unsigned>(threads));
  EXPECT_GT(table.bucket_count(), before);
  EXPECT_EQ(table.size(), threads * each);
  for (unsigned n = 0; n < threads * each; ++n) EXPECT_EQ(table.find(made_of<K>(n)), made_of<V>(n)) << n;
}

TEST(HashTableOfTriples, KeepsEachThreadsKeysApart) {
  tests::table_of_triples<own_word<>> table{1};
  tests::table_holder held{table};
  EXPECT_EQ(tests::churn(held, 4, 4000, 200), 0U);
}

/// One key, written all the while: whoever reads it has one of the values whole.
TEST(HashTableOfTriples, IsReadWhole) {
  basic_hash_table<std::uint32_t, triple> table{1};
  table.insert(7, triple::of(0));
  std::atomic<bool> over{false};
  std::vector<unsigned> wrong(3);
  in_threads(3, [&](unsigned t) {
    if (t == 0) {
      for (std::uint32_t n = 1; n < 20'000; ++n) {
        table.insert_or_assign(7, triple::of(n));
        if (n % 5 == 0) table.insert(n, triple::of(n));
        if (n % 5 == 3) table.erase(n - 3);
      }
      over.store(true);
      return;
    }
    std::uint32_t last = 0;
    while (!over.load()) {
      const auto found = table.find(7);
      if (!found || !found->is_whole() || found->a < last) ++wrong[t];
      if (found) last = found->a;
    }
  });
  EXPECT_EQ(wrong, std::vector<unsigned>(3));
}

TEST(HashTableOfTriples, IsUpdatedByOneAtATime) {
  basic_hash_table<std::uint32_t, std::uint64_t> table;
  for (std::uint32_t key = 0; key < 5; ++key) table.insert(key, 0);
  in_threads(4, [&](unsigned) {
    for (std::uint32_t i = 0; i < 5000; ++i) table.update(i % 5, [](std::uint64_t& v) { ++v; });
  });
  for (std::uint32_t key = 0; key < 5; ++key) EXPECT_EQ(table.find(key), 4 * 1000U);
}

/// What stays is met once; what comes and goes at most once; while the table grows from one bucket.
TEST(HashTableIteration, MeetsOnceWhatStays) {
  hash_table<std::uint64_t, std::uint64_t> table{1};
  constexpr std::uint64_t staying = 300;
  for (std::uint64_t key = 0; key < staying; ++key) table.insert(key, key);
  std::atomic<bool> over{false};
  unsigned wrong = 0;
  in_threads(3, [&](unsigned t) {
    if (t == 0) {
      for (unsigned round = 0; round < 40; ++round) {
        std::map<std::uint64_t, unsigned> met;
        table.for_each([&](std::uint64_t key, std::uint64_t) { ++met[key]; });
        for (const auto& [key, times] : met) wrong += times != 1;
        for (std::uint64_t key = 0; key < staying; ++key) wrong += met.count(key) != 1;
        wrong += table.size() < staying;
      }
      over.store(true);
      return;
    }
    std::mt19937_64 random{t};
    for (std::uint64_t most = 10; !over.load(); most = std::min<std::uint64_t>(most + 1, 20'000)) {
      const std::uint64_t key = staying + (random() % most) * 2 + t - 1;
      if (random() % 3 == 0)
        table.erase(key);
      else
        table.insert(key, key);
    }
  });
  EXPECT_EQ(wrong, 0U);
}

/// With so many words in a value.
template <std::size_t Words>
void expect_little_memory() {
  using value = std::array<std::uint64_t, Words>;
  hash_table<std::uint64_t, value> table;
  std::mt19937_64 random{3};
  for (std::size_t n = 1; n <= 120'000; ++n) {
    table.insert(random(), value{});
    if (n < 400 || n % 97 != 0) continue;
    // A key, a value, and a byte of a tag for each slot; a power of two, of which an eighth stays free.
    const std::size_t flat = (8 * (1 + Words) + 1) * std::bit_ceil((n * 8 + 6) / 7);
    ASSERT_LE(static_cast<double>(table.bytes()), 1.5 * static_cast<double>(flat)) << n << " elements";
  }
}

TEST(HashTableMemory, IsOneAndAHalfTimesThatOfAFlatMapAtMost) { expect_little_memory<1>(); }
TEST(HashTableMemory, IsNoMoreOfValuesOfALine) { expect_little_memory<8>(); }
template <class K, class V, unsigned Slots = detail::best_slots<K, V>()>
std::size_t bytes_of_a_block() {
  return sizeof(detail::table_block<K, V, hardware, Slots>);
}
/// As many slots as go into a line, and no more.
template <class K, class V>
void expect_one_line() {
  constexpr unsigned slots = detail::best_slots<K, V>();
  EXPECT_EQ((bytes_of_a_block<K, V>()), detail::line_of_blocks) << sizeof(K) << " and " << sizeof(V);
  if constexpr (slots < 8) {
    EXPECT_GT((bytes_of_a_block<K, V, slots + 1>()), detail::line_of_blocks) << sizeof(K) << " and " << sizeof(V);
  }
}
TEST(HashTableMemory, BlocksAreAsLargeAsIsReckoned) {
  using three_words = std::array<std::uint32_t, 3>;
  EXPECT_EQ((bytes_of_a_block<three_words, std::uint32_t>()),
            (detail::block_bytes<three_words, std::uint32_t>(detail::best_slots<three_words, std::uint32_t>())));
  EXPECT_EQ((bytes_of_a_block<std::uint32_t, three_words, 8>()), (detail::block_bytes<std::uint32_t, three_words>(8)));
  EXPECT_EQ((bytes_of_a_block<std::uint8_t, std::string, 5>()), (detail::block_bytes<std::uint8_t, std::string>(5)));
}
TEST(HashTableMemory, SmallPairsStandInOneLine) {
  expect_one_line<std::uint64_t, std::uint64_t>();
  expect_one_line<std::uint32_t, std::uint32_t>();
  expect_one_line<std::uint64_t, bool>();
  expect_one_line<std::uint32_t, bool>();
  expect_one_line<std::uint8_t, std::uint8_t>();
}
TEST(HashTableMemory, IsNoMoreOfThreeSlotsAndOfFive) {
  static_assert(cpu::cache_line != 64 ||
                hash_table<std::uint64_t, std::array<std::uint64_t, 5>>::slots_per_bucket == 5);
  expect_little_memory<5>();
  static_assert(cpu::cache_line != 64 ||
                hash_table<std::uint64_t, std::array<std::uint64_t, 6>>::slots_per_bucket == 3);
  expect_little_memory<6>();
}

TEST(HashTableMemory, DoesNotCreepUnderChurn) {
  hash_table<std::uint64_t, std::uint64_t> table;
  constexpr std::uint64_t most = 5000;
  std::mt19937_64 random{5};
  for (std::uint64_t key = 0; key < most; ++key) table.insert(key, key);
  const std::size_t before = table.bucket_count();
  for (std::uint64_t i = 0; i < 400'000; ++i) {
    table.erase(i);
    table.insert(i + most, i);
  }
  EXPECT_EQ(table.size(), most);
  EXPECT_LE(table.bucket_count(), 2 * before);
}

TEST(HashTableBuckets, StayAsManyAsTheyWereFixedTo) {
  basic_hash_table<std::uint64_t, std::uint64_t> table{fixed_buckets{12}};
  EXPECT_EQ(table.bucket_count(), 16U);
  for (std::uint64_t key = 0; key < 1000; ++key) {
    EXPECT_LT(table.bucket(key), 16U);
    EXPECT_TRUE(table.insert(key, key));
  }
  EXPECT_EQ(table.bucket_count(), 16U);
  EXPECT_EQ(table.size(), 1000U);
  for (std::uint64_t key = 0; key < 1000; ++key) EXPECT_EQ(table.find(key), key);
}

TEST(HashTableBuckets, TooManyAreRefused) {
  constexpr std::size_t too_many = std::size_t{1} << (sizeof(std::size_t) == 8 ? 40 : 31);
  EXPECT_THROW((basic_hash_table<std::uint64_t, std::uint64_t>{fixed_buckets{too_many}}), std::bad_alloc);
}

/// Keys that differ in few bits, high or low, spread all the same: in as many buckets as there are keys, no bucket has
/// twenty.
TEST(HashTableBuckets, AreSpreadBySimpleKeys) {
  for (unsigned shift = 0; shift <= 52; shift += 4) {
    basic_hash_table<std::uint64_t, std::uint64_t> table{fixed_buckets{4096}};
    std::map<std::size_t, unsigned> keys_in;
    unsigned most = 0;
    for (std::uint64_t n = 0; n < 4096; ++n) most = std::max(most, ++keys_in[table.bucket(n << shift)]);
    EXPECT_LT(most, 20U) << "shift " << shift;
  }
}

/// Keys at even steps, from 0 or from a time or an address on, too: with as many buckets as keys none has sixteen.
TEST(HashTableBuckets, AreSpreadByKeysAtEvenSteps) {
  basic_hash_table<std::uint64_t, std::uint64_t> table{fixed_buckets{64}};
  std::vector<std::uint64_t> steps{3140, 9931, 86400, 233086};
  for (std::uint64_t step = 1; step <= 1000; ++step) steps.push_back(step);
  for (const std::uint64_t first :
       {std::uint64_t{0}, std::uint64_t{1'700'000'000'000}, std::uint64_t{0x7f12'3456'7890}})
    for (const std::uint64_t step : steps) {
      std::array<unsigned, 64> keys_in{};
      for (std::uint64_t n = 0; n < 64; ++n) ++keys_in.at(table.bucket(first + n * step));
      EXPECT_LT(*std::max_element(keys_in.begin(), keys_in.end()), 16U) << first << " and steps of " << step;
    }
}

struct same_text {
  bool operator()(const char* a, const char* b) const { return std::strcmp(a, b) == 0; }
};
struct hash_of_text {
  std::size_t operator()(const char* text) const { return std::hash<std::string_view>{}(text); }
};
TEST(HashTableKeys, MayBePointersThatAnEqualFollows) {
  basic_hash_table<const char*, int, hardware, own_word<>, hash_of_text, same_text> table;
  EXPECT_TRUE(table.insert("one", 1));
  EXPECT_TRUE(table.insert("two", 2));
  EXPECT_FALSE(table.insert(std::string{"one"}.c_str(), 3));
  EXPECT_EQ(table.find(std::string{"two"}.c_str()), 2);
}

/// Each thread erases its keys and frees their characters, which the other's insert and erase may not read any more.
TEST(HashTableKeys, MayBeFreedOnceTheyAreErased) {
  basic_hash_table<std::string_view, std::string, hardware, own_word<>, std::hash<std::string_view>> table{
      fixed_buckets{1}};
  const auto work = [&table](const char* name) {
    for (int i = 0; i < 20000; ++i) {
      const auto text = std::make_unique<std::string>(std::string(4000, 'x') + name + std::to_string(i % 3));
      EXPECT_TRUE(table.insert(*text, *text));
      EXPECT_TRUE(table.erase(*text));
    }
  };
  std::thread one{work, "one"}, two{work, "two"};
  one.join(), two.join();
  EXPECT_TRUE(table.empty());
}

TEST(HashTableObjects, AreDestroyedOnce) {
  const auto watched = std::make_shared<int>(1);
  {
    basic_hash_table<std::uint64_t, std::shared_ptr<int>, hardware, own_word<>, poor_hash> table{1};
    for (std::uint64_t key = 0; key < 100; ++key) table.insert(key, watched);
    EXPECT_EQ(watched.use_count(), 101);
    for (std::uint64_t key = 0; key < 50; ++key) table.insert_or_assign(key, nullptr);
    EXPECT_EQ(watched.use_count(), 51);
    for (std::uint64_t key = 50; key < 60; ++key) table.erase(key);
    EXPECT_EQ(watched.use_count(), 41);
  }
  EXPECT_EQ(watched.use_count(), 1);
}

TEST(HashTableLayout, FillsLines) {
  constexpr bool short_lines = cpu::cache_line == 64;  // the others have 128 bytes, or two blocks each
  using small =
      detail::table_block<std::uint64_t, std::uint64_t, hardware, detail::best_slots<std::uint64_t, std::uint64_t>()>;
  EXPECT_EQ(small::slots, short_lines ? 3U : 7U);
  EXPECT_EQ(sizeof(small), short_lines ? 64U : 128U);
  struct payload {
    std::uint64_t words[8];
  };
  using large = detail::table_block<std::uint64_t, payload, hardware, detail::best_slots<std::uint64_t, payload>()>;
  EXPECT_EQ(large::slots, short_lines ? 6U : 5U);
  EXPECT_EQ(sizeof(large), short_lines ? 448U : 384U);
}

}  // namespace
}  // namespace synchro
