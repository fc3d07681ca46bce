// The table by message passing against std::unordered_map, and what it refuses.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "hash_table/churn.hpp"
#include "synchro/domains.hpp"
#include "synchro/hash_table/served_hash_table.hpp"

namespace synchro {
namespace {

using tests::in_threads;
using tests::triple;

using table_of_triples = basic_served_hash_table<std::uint32_t, triple>;

/// What `refused` throws, as a sentence.
template <class Exception, class F>
std::string sentence(F refused) {
  try {
    refused();
  } catch (const Exception& e) {
    return e.what();
  }
  return "nothing was thrown";
}

/// With a thread for each server; `f` is the only client.
template <class Table, class F>
void served_alone(Table& table, F f) {
  in_threads(table.servers() + 1, [&](unsigned t) {
    if (t != 0) return table.serve(t - 1);
    auto mine = table.join(0);
    f(mine);
  });
}

TEST(ServedHashTable, IsTheModelAfterRandomOperations) {
  served_hash_table<std::uint64_t, std::uint64_t> table{{.servers = 2, .clients = 1}, 1};
  std::unordered_map<std::uint64_t, std::uint64_t> model;
  served_alone(table, [&](auto& mine) {
    std::mt19937_64 random{1};
    for (unsigned i = 0; i < 800; ++i) {
      const std::uint64_t key = random() % 50, value = random();
      const auto it = model.find(key);
      const bool there = it != model.end();
      switch (random() % 4) {
        case 0:
          EXPECT_EQ(mine.insert(key, value), model.emplace(key, value).second);
          break;
        case 1:
          EXPECT_EQ(mine.insert_or_assign(key, value), model.insert_or_assign(key, value).second);
          break;
        case 2:
          EXPECT_EQ(mine.erase(key), model.erase(key) == 1);
          break;
        default:
          EXPECT_EQ(mine.contains(key), there);
          EXPECT_EQ(mine.find(key), there ? std::optional{it->second} : std::nullopt);
      }
    }
  });
  EXPECT_EQ(table.size(), model.size());
  std::unordered_map<std::uint64_t, std::uint64_t> met;
  for (unsigned s = 0; s != table.servers(); ++s)
    table.part(s).for_each([&](std::uint64_t key, std::uint64_t value) {
      EXPECT_TRUE(met.emplace(key, value).second) << "met twice";
      EXPECT_EQ(table.part_of(key), s);
    });
  EXPECT_EQ(met, model);
}

TEST(ServedHashTable, KeepsEachClientsKeysApart) {
  constexpr unsigned clients = 3, each = 60;
  table_of_triples table{{.servers = 2, .clients = clients}};
  std::vector<unsigned> wrong(clients);
  in_threads(table.servers() + clients, [&](unsigned t) {
    if (t >= clients) return table.serve(t - clients);
    auto mine = table.join(t);
    for (std::uint32_t i = 0; i < each; ++i) {
      const std::uint32_t key = i * clients + t;
      wrong[t] += mine.insert(key, triple::of(key)) ? 0U : 1U;
      mine.insert_or_assign(each * clients, triple::of(t));  // all write this one
      const auto own = mine.find(key / 2 / clients * clients + t), all = mine.find(each * clients);
      wrong[t] += own == triple::of(key / 2 / clients * clients + t) ? 0U : 1U;
      wrong[t] += all && all->is_whole() && all->a < clients ? 0U : 1U;
    }
    for (std::uint32_t i = 0; i < each; i += 2) wrong[t] += mine.erase(i * clients + t) ? 0U : 1U;
  });
  EXPECT_EQ(wrong, std::vector<unsigned>(clients));
  EXPECT_EQ(table.size(), clients * each / 2 + 1);
}

TEST(ServedHashTable, IsServedAgainAfterwards) {
  table_of_triples table{{.servers = 1, .clients = 2}};
  std::thread server{[&] { table.serve(0); }};
  table.join(0).insert(1, triple::of(1));
  table.join(1).leave();
  server.join();
  EXPECT_EQ(table.size(), 1U);
  table.serve(0);  // nobody is left to ask
  EXPECT_EQ(table.part(0).find(1), triple::of(1));
}

/// Keys that differ in few bits are spread over the servers, and over the buckets of each.
TEST(ServedHashTable, GivesEachServerItsShareOfSimpleKeys) {
  constexpr unsigned servers = 4, keys = 4096;
  for (unsigned shift = 0; shift <= 48; shift += 4) {
    basic_served_hash_table<std::uint64_t, std::uint64_t> table{{servers, 1}, fixed_buckets{keys}};
    std::vector<unsigned> of(servers);
    std::vector<std::vector<unsigned>> in(servers, std::vector<unsigned>(keys / servers));
    for (std::uint64_t n = 0; n < keys; ++n) {
      const unsigned s = table.part_of(n << shift);
      ASSERT_LT(s, servers);
      ++of[s];
      ++in[s][table.part(s).bucket(n << shift)];
    }
    for (unsigned s = 0; s != servers; ++s) {
      EXPECT_GT(of[s], keys / servers / 2) << "shift " << shift;
      EXPECT_LT(*std::max_element(in[s].begin(), in[s].end()), 20U) << "shift " << shift;
    }
  }
}

TEST(ServedHashTable, SharesItsBucketsOut) {
  table_of_triples table{{.servers = 3, .clients = 1}, fixed_buckets{12}};
  for (unsigned s = 0; s != 3; ++s) EXPECT_EQ(table.part(s).bucket_count(), 4U);
  table_of_triples one_more{{.servers = 3, .clients = 1}, fixed_buckets{13}};  // no fewer than that
  for (unsigned s = 0; s != 3; ++s) EXPECT_EQ(one_more.part(s).bucket_count(), 8U);
}

struct told_to_fail : std::runtime_error {
  told_to_fail() : std::runtime_error{"as told"} {}
};
/// Fails where the key 13 is looked for among others.
struct failing_equal {
  bool operator()(std::uint64_t a, std::uint64_t b) const {
    if (b == 13) throw told_to_fail{};
    return a == b;
  }
};

TEST(ServedHashTable, WhatAServerThrowsReachesItsClient) {
  basic_served_hash_table<std::uint64_t, std::uint64_t, hardware, spin_yield, 4, std::hash<std::uint64_t>,
                          failing_equal>
      table{{.servers = 1, .clients = 1}, fixed_buckets{1}};
  served_alone(table, [](auto& mine) {
    EXPECT_TRUE(mine.insert(1, 10));
    EXPECT_EQ(sentence<told_to_fail>([&] { mine.insert(13, 1); }), "as told");
    EXPECT_EQ(sentence<told_to_fail>([&] { (void)mine.find(13); }), "as told");
    EXPECT_EQ(sentence<told_to_fail>([&] { mine.erase(13); }), "as told");
    EXPECT_EQ(mine.find(1), 10U);
  });
  EXPECT_EQ(table.size(), 1U);
}

TEST(ServedHashTable, WhoHasLeftIsRefused) {
  table_of_triples table{{.servers = 1, .clients = 1}};
  served_alone(table, [&](auto& mine) {
    mine.insert(1, triple::of(1));
    mine.leave();
    mine.leave();
    EXPECT_EQ(sentence<std::logic_error>([&] { mine.insert(2, triple::of(2)); }),
              "served_hash_table: this client has left");
    EXPECT_EQ(sentence<std::logic_error>([&] { (void)table.join(0).find(1); }),
              "served_hash_table: this client has left");
  });
  EXPECT_EQ(table.size(), 1U);
}

TEST(ServedHashTable, TeamsThatCannotBeAreRefused) {
  const auto made = [](unsigned servers, unsigned clients) {
    return sentence<std::length_error>([=] { table_of_triples{{servers, clients}}; });
  };
  EXPECT_EQ(made(0, 1), "served_hash_table: there is no server");
  EXPECT_EQ(made(1, 0), "served_hash_table: there is no client");
  EXPECT_EQ(made(1, table_of_triples::most_clients), "nothing was thrown");
  EXPECT_EQ(made(1, table_of_triples::most_clients + 1),
            "served_hash_table: there are more clients than its type allows");
  table_of_triples table{{.servers = 2, .clients = 3}};
  EXPECT_EQ(sentence<std::out_of_range>([&] { table.serve(2); }), "served_hash_table: there is no such server");
  EXPECT_EQ(sentence<std::out_of_range>([&] { (void)table.part(2); }), "served_hash_table: there is no such server");
  EXPECT_EQ(sentence<std::out_of_range>([&] { (void)table.join(3); }), "served_hash_table: there is no such client");
}

}  // namespace
}  // namespace synchro
