// The small programs: each does one thing that the tour tells of, with nothing of this project in it. Nanoseconds;
// negative if a thread could not be pinned.

#ifndef BENCH_TRUTH_PLAIN_HPP
#define BENCH_TRUTH_PLAIN_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace plain {

double load(std::size_t bytes, int cpu);  // one of many dependent loads, all over so much memory
/// One of many dependent loads, or of compare-and-swaps, of lines that the owner has just written.
double modified_line(int owner, int reader, bool cas);
/// lock() and unlock() of each of 128 locks of this name in turn; throws std::out_of_range if no loop is here for it.
double free_lock(const std::string& name, int cpu);
bool has_loop(const std::string& lock);

/// What decides how nearly two programs that make one of the calls can agree.
enum class kind_of_call {
  inlined,  ///< Free, and in the loop itself.
  called,  ///< Free, in a shared library: where the loop lies decided by up to 28 % (pthread_mutex_unlock, four builds).
  wakes,   ///< Of threads of one processor, of which one sleeps.
};

/// One of the paper's calls, by a primitive: a free operation on each of 256 objects in turn, or what threads do.
struct timed_call {
  std::string call, primitive;
  kind_of_call kind;
  std::function<double(int cpu)> measured;
};
const std::vector<timed_call>& timed_calls();
const timed_call* timed_call_of(const std::string& call, const std::string& primitive);  // null if there is none

double ticket_ping_pong(int a, int b);  // a ticket lock of fifteen lines passes to the other thread
double wake_by_futex(int waker, int sleeper,
                     double idle_ns);         // from before FUTEX_WAKE to the sleeper's first instruction
double wake_by_flag(int waker, int spinner);  // the same with a flag that the other thread looks at
double breakeven(int a, int b);               // work of which half, done by a thread that a futex wakes, is no gain

/// Nanoseconds from one line of 64 bytes to the next, of all these threads together, each of which reads so much memory of its own.
double read_memory(const std::vector<int>& cpus, std::size_t bytes);

// Nanoseconds from one operation to the next, of a thread on each of these processors.
/// 1024 accounts; nine transactions in ten are transfers, one adds up all; under one std::mutex, or by the library's stm.
double bank(const std::vector<int>& cpus, bool by_stm);
/// 128 of 256 keys in a list; 1024 of 2048 in 128. One in five inserts or erases.
double sorted_list(const std::vector<int>& cpus, bool by_stm);
double sorted_lists(const std::vector<int>& cpus, bool by_stm);
/// 80 % get, 10 % put, 10 % remove, of 512 times 24 keys of which half are there. std::unordered_map under a std::mutex; the
/// library's table, 512 buckets with 24 keys each.
double unordered_map(const std::vector<int>& cpus);
double own_table(const std::vector<int>& cpus);
/// A counter is changed under one of the library's locks, or by its combiner.
double sections_under_ticket(const std::vector<int>& cpus);
double sections_under_mutex(const std::vector<int>& cpus);
double sections_by_cc_synch(const std::vector<int>& cpus);
/// One thread on `caller` has a counter changed by one that serves on `server`: median of batches.
double served(int server, int caller);

/// Mean over cpus.size() - 1 sleepers, one futex for each `group` of them. The waker runs on the first processor.
double wake_many(const std::vector<int>& cpus, unsigned group);
/// So many threads on these processors, each with work that takes one thread `share_ns` alone; `permits` of them work at
/// a time (0: all at once). The time for all, for each nanosecond of a share.
double limited(const std::vector<int>& cpus, unsigned threads, unsigned permits, double share_ns);

}  // namespace plain

#endif
