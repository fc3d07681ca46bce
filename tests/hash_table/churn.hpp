// Threads that put, take and look at the same time, each with keys of its own and one that all share.

#ifndef SYNCHRO_TESTS_HASH_TABLE_CHURN_HPP
#define SYNCHRO_TESTS_HASH_TABLE_CHURN_HPP

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <thread>
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

/// A table without its type, so that what is done with all of them is compiled once.
class any_table {
 public:
  any_table() = default;
  virtual ~any_table() = default;
  any_table(const any_table&) = delete;
  any_table& operator=(const any_table&) = delete;

  virtual bool insert(std::uint32_t key, const triple& value) = 0;
  virtual bool insert_or_assign(std::uint32_t key, const triple& value) = 0;
  virtual bool erase(std::uint32_t key) = 0;
  virtual std::optional<triple> find(std::uint32_t key) = 0;
  virtual std::size_t size() = 0;
  virtual void for_each(void (*look)(void* at, std::uint32_t key, const triple& value), void* at) = 0;
};

template <class Table>
class table_holder final : public any_table {
 public:
  explicit table_holder(Table& table) : table_{table} {}

  bool insert(std::uint32_t key, const triple& value) override { return table_.insert(key, value); }
  bool insert_or_assign(std::uint32_t key, const triple& value) override { return table_.insert_or_assign(key, value); }
  bool erase(std::uint32_t key) override { return table_.erase(key); }
  std::optional<triple> find(std::uint32_t key) override { return table_.find(key); }
  std::size_t size() override { return table_.size(); }
  void for_each(void (*look)(void* at, std::uint32_t key, const triple& value), void* at) override {
    table_.for_each([&](std::uint32_t key, const triple& value) { look(at, key, value); });
  }

 private:
  Table& table_;
};

/// One thread's part: what it knows of its own keys against what the table says. Returns how often they differed.
unsigned churn_own_keys(any_table& table, std::uint32_t thread, unsigned threads, unsigned rounds, std::uint32_t keys);

/// Threads together. Returns how often the table differed for one of them, and how much of what is left in it is wrong.
unsigned churn(any_table& table, unsigned threads, unsigned rounds, std::uint32_t keys);

/// A table of triples, with readers that lock and with readers that do not.
template <class Locking>
using table_of_triples = basic_hash_table<std::uint32_t, triple, hardware, Locking>;

template <class Locking>
void churn_in_a_growing_table() {
  table_of_triples<Locking> table{1};
  table_holder held{table};
  EXPECT_EQ(churn(held, 3, 600, 60), 0U);
}

/// For who spins without ever giving way, and so takes a processor each; the tests may have fewer.
template <class Locking>
void churn_alone() {
  table_of_triples<Locking> table{1};
  table_holder held{table};
  EXPECT_EQ(churn_own_keys(held, 0, 1, 400, 60), 0U);
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
    if constexpr (Variant::waiting::name != std::string_view{"spin"}) {
      churn_in_a_growing_table<locked_by<lock>>();
      churn_in_a_growing_table<wholly_locked_by<lock>>();
    } else {
      churn_alone<locked_by<lock>>();
      churn_alone<wholly_locked_by<lock>>();
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
