// The process that answers: what it is asked by its words, and the lines that it writes.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/database/database.hpp"
#include "experiments/database/linux/protocol.hpp"
#include "experiments/database/monetdb.hpp"
#include "experiments/database/tpch.hpp"

namespace synchro::experiments {

namespace {

using namespace database;

std::uint64_t digest_of(const std::vector<std::string>& rows) {
  std::uint64_t sum = 0;
  for (const std::string& row : rows) {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325;  // FNV-1a
    for (const char c : row) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
    sum += hash;
  }
  return sum;
}

double ns_of(monetdb& db, const std::string& query) {
  const auto begin = std::chrono::steady_clock::now();
  db.run(query);
  return std::chrono::duration<double, std::nano>{std::chrono::steady_clock::now() - begin}.count();
}

/// LIBRARIES DATABASE DATA
void load(const std::vector<std::string>& words) {
  monetdb db{words.at(0), words.at(1), 1};
  for (const tpch::table& t : tpch::tables) {
    db.run(fmt::format("create table {} ({})", t.name, t.columns));
    const auto file = std::filesystem::path{words.at(2)} / fmt::format("{}.tbl", t.name);
    db.run(fmt::format(R"(copy into {} from '{}' using delimiters '|', E'\n')", t.name, file.string()));
  }
}

/// LIBRARIES DATABASE SCALE THREADS ROUNDS
void answer_all(const std::vector<std::string>& words) {
  monetdb db{words.at(0), words.at(1), static_cast<unsigned>(std::stoul(words.at(3)))};
  const auto rounds = static_cast<std::size_t>(std::stoul(words.at(4)));
  for (std::size_t i = 1; i <= tpch::query_count; ++i) {
    const std::string query = tpch::query(i, std::stod(words.at(2)));
    const auto rows = db.rows(query);
    std::vector<double> times;
    for (std::size_t round = 0; round < rounds; ++round) times.push_back(ns_of(db, query));
    std::sort(times.begin(), times.end());
    fmt::print("{} {} {} {:.0f}\n", i, digest_of(rows), rows.size(), times.empty() ? 0.0 : times[times.size() / 2]);
  }
}

/// LIBRARIES DATABASE SCALE QUERY: its rows, for whoever holds them against another's.
void print_answer(const std::vector<std::string>& words) {
  monetdb db{words.at(0), words.at(1), 1};
  for (const std::string& row : db.rows(tpch::query(std::stoul(words.at(3)), std::stod(words.at(2)))))
    fmt::print("{}\n", row);
}

/// SCALE QUERY: its text.
void print_query(const std::vector<std::string>& words) {
  fmt::print("{}\n", tpch::query(std::stoul(words.at(1)), std::stod(words.at(0))));
}

void print_tables() {
  for (const tpch::table& t : tpch::tables) fmt::print("{}\t{}\n", t.name, t.columns);
}

}  // namespace

std::optional<int> answered_for_another_process(int argc, const char* const* argv) {
  if (argc < 3 || std::string{argv[1]} != protocol::mark) return std::nullopt;
  const std::string what = argv[2];
  const std::vector<std::string> words(argv + 3, argv + argc);
  try {
    if (what == protocol::load) load(words);
    if (what == protocol::answer) answer_all(words);
    if (what == "rows") print_answer(words);
    if (what == "query") print_query(words);
    if (what == "tables") print_tables();
    std::fflush(stdout);
    return EXIT_SUCCESS;
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}

}  // namespace synchro::experiments
