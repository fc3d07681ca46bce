// Threads that put, take and look at the same time, each with keys of its own and one that all share.

#ifndef SYNCHRO_TESTS_HASH_TABLE_CHURN_HPP
#define SYNCHRO_TESTS_HASH_TABLE_CHURN_HPP

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

#include "catalog/lock_line.hpp"
#include "synchro/domains.hpp"
#include "synchro/hash_table/hash_table.hpp"

namespace synchro::tests {

template <class F>
void in_threads(unsigned n, F f) {
  std::vector<std::thread> team;
  for (unsigned t = 0; t < n; ++t) team.emplace_back([&f, t] { f(t); });
  for (std::thread& t : team) t.join();
}

/// More words than one, which belong together.
struct triple {
  std::uint32_t a = 0, b = 0, c = 0;
  static triple of(std::uint32_t n) { return {n, 2 * n, ~n}; }
  [[nodiscard]] bool is_whole() const { return b == 2 * a && c == ~a; }
  friend bool operator==(const triple&, const triple&) = default;
};

/// One thread's part: what it knows of its own keys against what the table says. Returns how often they differed.
template <class Table>
unsigned churn_own_keys(Table& table, std::uint32_t thread, unsigned threads, unsigned rounds, std::uint32_t keys) {
  std::mt19937 random{thread};
  std::unordered_map<std::uint32_t, triple> model;
  unsigned wrong = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    const std::uint32_t key = static_cast<std::uint32_t>(random() % keys) * threads + thread;
    const triple value = triple::of(static_cast<std::uint32_t>(random()));
    switch (random() % 4) {
      case 0:
        wrong += table.insert(key, value) != model.emplace(key, value).second;
        break;
      case 1:
        wrong += table.insert_or_assign(key, value) != model.insert_or_assign(key, value).second;
        break;
      case 2:
        wrong += table.erase(key) != (model.erase(key) == 1);
        break;
      default: {
        const std::optional<triple> found = table.find(key);
        const auto it = model.find(key);
        wrong += found.has_value() != (it != model.end()) || (found && *found != it->second);
        const std::optional<triple> other = table.find(static_cast<std::uint32_t>(random() % (keys * threads)));
        wrong += other && !other->is_whole();
      }
    }
  }
  for (const auto& [key, value] : model) wrong += table.find(key) != std::optional{value};
  return wrong;
}

template <class Table>
void churn(Table& table, unsigned threads, unsigned rounds, std::uint32_t keys) {
  std::vector<unsigned> wrong(threads);
  in_threads(threads, [&](unsigned t) { wrong[t] = churn_own_keys(table, t, threads, rounds, keys); });
  EXPECT_EQ(wrong, std::vector<unsigned>(threads));
  std::size_t met = 0;
  table.for_each([&](std::uint32_t key, const triple& value) {
    ++met;
    EXPECT_LT(key, threads * keys);
    EXPECT_TRUE(value.is_whole());
  });
  EXPECT_EQ(met, table.size());
}

/// A table of triples, with readers that lock and with readers that do not.
template <class Locking>
using table_of_triples = basic_hash_table<std::uint32_t, triple, hardware, Locking>;

template <class Locking>
void churn_in_a_growing_table() {
  table_of_triples<Locking> table{1};
  churn(table, 3, 600, 60);
}

class locked_table_test : public testing::Test {
 public:
  explicit locked_table_test(void (*body)()) : body_{body} {}
  void TestBody() override { body_(); }

 private:
  void (*body_)();
};

template <class Line>
void churn_under() {
  Line::each([]<class Variant>(const Variant& variant) {
    SCOPED_TRACE(variant.name);
    using lock = typename Variant::template lock<hardware>;
    // Who spins without ever giving way takes a processor each; the tests may have fewer.
    if constexpr (Variant::waiting::name != std::string_view{"spin"}) {
      churn_in_a_growing_table<locked_by<lock>>();
      churn_in_a_growing_table<wholly_locked_by<lock>>();
    } else {
      table_of_triples<locked_by<lock>> table{1};
      EXPECT_EQ(churn_own_keys(table, 0, 1, 400, 60), 0U);
      table_of_triples<wholly_locked_by<lock>> other{1};
      EXPECT_EQ(churn_own_keys(other, 0, 1, 400, 60), 0U);
    }
  });
}

/// Adds the test of a table with the lock of this line of the catalog.
template <class Line>
void add_line() {
  testing::RegisterTest("HashTableLockedBy", Line::stem, nullptr, nullptr, __FILE__, __LINE__,
                        []() -> testing::Test* { return new locked_table_test{churn_under<Line>}; });
}

/// As generated: with all locks of the catalog.
void add_locked_tables();

}  // namespace synchro::tests

#endif
