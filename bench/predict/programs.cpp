// Small programs whose throughput is foretold: predicted_program SHAPE THREADS SECONDS TURNS. Prints what all threads did in a second.
// predicted_program turns: prints how many TURNS of its loop this processor makes in a nanosecond.
//
// Work is turns of a loop, and not waiting for a moment: a thread that is off its processor does none of it. How many turns
// stand for a nanosecond is told, so that all runs of a program have the same work, however fast the processor was when each began.
// A round is a critical section, or what stands with its shape.

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "../bare_thread.hpp"
#ifdef WITH_SQLITE
#include <sqlite3.h>
#endif

pthread_mutex_t first_mutex = PTHREAD_MUTEX_INITIALIZER;  // their names are to be found
pthread_mutex_t second_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t table_mutexes[16];

namespace {

std::atomic<bool> over{false};
double turns_per_ns = 1;

double measured_turns_per_ns() {
  constexpr unsigned turns = 20'000'000;
  std::array<double, 25> times;
  for (double& ns : times) {
    const double from = bare::now_ns();
    bare::work(turns);
    ns = bare::now_ns() - from;
  }
  std::sort(times.begin(), times.end());
  return turns / times[times.size() / 2];
}

void work(double ns) { bare::work(static_cast<unsigned>(ns * turns_per_ns)); }

struct dice {
  std::uint64_t state;
  double next() {
    state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return static_cast<double>(state >> 11) * 0x1p-53;
  }
  double around(double mean) { return -mean * std::log(1 - next()); }  // exponential
};

void with(pthread_mutex_t& m, double hold) {
  pthread_mutex_lock(&m);
  work(hold);
  pthread_mutex_unlock(&m);
}

using body = void (*)(dice&);

void alone(dice& d) { work(d.around(1000)); }
void short_sections(dice& d) { with(first_mutex, 100), work(d.around(1000)); }
void long_sections(dice& d) { with(first_mutex, d.around(5000)), work(d.around(15'000)); }
void busy(dice& d) { with(first_mutex, 400), work(d.around(400)); }
void two_locks(dice& d) {
  with(first_mutex, 200), work(d.around(300));
  with(second_mutex, 600), work(d.around(1200));
}
void table(dice& d) { with(table_mutexes[static_cast<unsigned>(16 * d.next())], 200), work(d.around(400)); }
void nested(dice& d) {
  pthread_mutex_lock(&first_mutex);
  work(200), with(second_mutex, 150), work(100);
  pthread_mutex_unlock(&first_mutex);
  work(d.around(1500));
}
// One section in fifty is a hundred times as long as the others.
void rare(dice& d) { with(first_mutex, d.next() < 0.02 ? 20'000 : 200), work(d.around(1500)); }

/// A map of 10,000 keys at most: what the mutex protects moves between the processors, as a real program's data does.
void map(dice& d) {
  static std::map<unsigned, unsigned> entries;
  const auto key = static_cast<unsigned>(10'000 * d.next());
  const double what = d.next();
  pthread_mutex_lock(&first_mutex);
  if (what < 0.1)
    entries.emplace(key, key);
  else if (what < 0.2)
    entries.erase(key);
  else if (const auto found = entries.find(key); found != entries.end())
    ++found->second;
  pthread_mutex_unlock(&first_mutex);
  work(d.around(2000));
}

/// Lines of 40 to 240 characters, made without the lock and appended to one buffer with it.
void log_lines(dice& d) {
  static std::array<char, 1 << 16> buffer;
  static std::size_t end = 0;
  std::array<char, 240> line;
  const auto size = static_cast<std::size_t>(40 + 200 * d.next());
  std::memset(line.data(), 'a' + static_cast<int>(25 * d.next()), size);
  pthread_mutex_lock(&second_mutex);
  if (end + size > buffer.size()) end = 0;
  std::memcpy(buffer.data() + end, line.data(), size);
  end += size;
  pthread_mutex_unlock(&second_mutex);
  work(d.around(800));
}

const std::vector<std::pair<const char*, body>> bodies{
    {"alone", alone}, {"short", short_sections}, {"long", long_sections}, {"busy", busy}, {"two", two_locks},
    {"table", table}, {"nested", nested},        {"rare", rare},          {"map", map},   {"log", log_lines}};

#ifdef WITH_SQLITE
/// Queries of one connection that all threads share, in a table that is in memory.
class queries {
 public:
  explicit queries(sqlite3* db) { sqlite3_prepare_v2(db, "SELECT v FROM t WHERE k = ?", -1, &query_, nullptr); }
  void run(dice& d) {
    sqlite3_bind_int(query_, 1, static_cast<int>(1000 * d.next()));
    while (sqlite3_step(query_) == SQLITE_ROW) sum_ += sqlite3_column_int(query_, 0);
    sqlite3_reset(query_);
    work(d.around(1000));
  }
  ~queries() { sqlite3_finalize(query_); }

 private:
  sqlite3_stmt* query_ = nullptr;
  long sum_ = 0;
};

sqlite3* made_table() {
  sqlite3* db = nullptr;
  sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nullptr);
  sqlite3_exec(
      db,
      "CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) INSERT INTO t SELECT i, i FROM n;",
      nullptr, nullptr, nullptr);
  return db;
}
#endif

using one_round = std::function<void(dice&)>;

std::function<one_round()> rounds_of(const char* shape) {
  for (const auto& [name, what] : bodies)
    if (std::strcmp(shape, name) == 0) return [what = what] { return one_round{what}; };
#ifdef WITH_SQLITE
  if (std::strcmp(shape, "sqlite") == 0) {
    sqlite3* const db = made_table();
    return [db] { return [mine = std::make_shared<queries>(db)](dice& d) { mine->run(d); }; };
  }
#endif
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "turns") == 0) return std::printf("%.6g\n", measured_turns_per_ns()) < 0;
  const auto make = argc == 5 ? rounds_of(argv[1]) : nullptr;
  turns_per_ns = argc == 5 ? std::atof(argv[4]) : 0;
  if (!make || !(turns_per_ns > 0)) return 2;
  for (auto& m : table_mutexes) pthread_mutex_init(&m, nullptr);
  std::vector<double> done(static_cast<std::size_t>(std::atoi(argv[2])));
  std::vector<std::thread> team;
  const double from = bare::now_ns();
  for (std::size_t i = 0; i < done.size(); ++i)
    team.emplace_back([&, i] {
      const one_round once = make();
      dice d{i * 7919 + 1};
      double mine = 0;
      for (; !over.load(std::memory_order_relaxed); ++mine) once(d);
      done[i] = mine;
    });
  std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(argv[3])));
  over = true;
  const double to = bare::now_ns();
  for (std::thread& t : team) t.join();
  double all = 0;
  for (const double n : done) all += n;
  std::printf("%.1f\n", all / (to - from) * 1e9);
}
