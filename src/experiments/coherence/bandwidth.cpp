#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <vector>

#include "experiments/coherence/coherence.hpp"
#include "experiments/framework/axes.hpp"
#include "measure/host.hpp"

namespace synchro::experiments {

namespace {

using measure::host;
using word = std::uint64_t;

constexpr std::uint64_t mebi = 1024 * 1024;
constexpr std::size_t words_of_page = 4096 / sizeof(word);
constexpr std::size_t words_of_chunk = 64 * words_of_page;  ///< After each, a thread looks at the clock.

/// Of the threads the fewest that have one of these caches in common.
std::uint64_t fewest_together(const platform::topology& machine, const platform::cache_level& caches,
                              std::uint64_t threads) {
  const std::vector<unsigned> team = platform::place(machine, platform::placement::compact, threads);
  std::uint64_t fewest = threads;
  for (const std::vector<unsigned>& group : caches.groups) {
    const auto is_in = [&](unsigned cpu) { return std::find(group.begin(), group.end(), cpu) != group.end(); };
    const auto here = static_cast<std::uint64_t>(std::count_if(team.begin(), team.end(), is_in));
    if (here > 0) fewest = std::min(fewest, here);
  }
  return fewest;
}

/// What one thread is to go through: those who share a last level of cache, compactly placed, four times its size.
std::uint64_t wanted_bytes(const platform::topology& machine, std::uint64_t threads) {
  const platform::cache_level* last = nullptr;
  for (const platform::cache_level& c : machine.caches)
    if (last == nullptr || c.level > last->level) last = &c;
  if (last == nullptr || last->bytes == 0) return 64 * mebi;
  return std::max(4 * last->bytes / fewest_together(machine, *last, threads), 16 * mebi);
}

/// What it goes through: where all are to take more than a quarter of the memory, that much, if it is half of what is wanted at
/// least; otherwise 0.
std::uint64_t bytes_of_thread(const platform::topology& machine, std::uint64_t threads) {
  constexpr std::uint64_t chunk = words_of_chunk * sizeof(word);
  const std::uint64_t wanted = wanted_bytes(machine, threads), usable = machine.usable_memory();
  const std::uint64_t bytes = usable == 0 ? wanted : std::min(wanted, usable / 4 / threads);
  return 2 * bytes < wanted ? 0 : bytes / chunk * chunk;
}

/// "a quarter of the 512 MiB that a control group leaves to this process"
std::string told_quarter(const platform::topology& machine) {
  const std::uint64_t usable = machine.usable_memory();
  return fmt::format("a quarter of the {} MiB {}", usable / mebi,
                     usable < machine.memory_bytes ? "that a control group leaves to this process" : "of memory");
}

std::uint64_t threads_of(const coordinates& at) { return static_cast<std::uint64_t>(at.number("threads")); }

std::optional<std::string> unavailable(const setting& s, const coordinates& at) {
  if (more_threads_than_processors(s, at)) return "threads that share a processor read no more than one";
  if (bytes_of_thread(s.machine, threads_of(at)) != 0) return std::nullopt;
  return fmt::format("the caches are only passed by if {} MiB are read, and {} is less than half of that",
                     threads_of(at) * wanted_bytes(s.machine, threads_of(at)) / mebi, told_quarter(s.machine));
}

/// Says so where a thread goes through less than it should; such a cell is not compared with others.
void tell_what_was_cut(repetition& r, const platform::topology& machine, std::uint64_t threads) {
  const std::uint64_t wanted = wanted_bytes(machine, threads), bytes = bytes_of_thread(machine, threads);
  if (bytes + words_of_chunk * sizeof(word) > wanted) return;
  r.conditions["bytes_of_thread"] = static_cast<double>(bytes);
  r.bounded = fmt::format("each thread went through {} MiB, not through {}: all take {}", bytes / mebi, wanted / mebi,
                          told_quarter(machine));
}

double duration_s(const setting& s) { return s.thoroughness == level::full ? 0.2 : 0.05; }

double seconds(const setting& s, const coordinates& at) {
  constexpr double prepared_a_second = 1e9;
  const auto all = static_cast<double>(threads_of(at) * bytes_of_thread(s.machine, threads_of(at)));
  return duration_s(s) + 0.001 + all / prepared_a_second;
}

/// A word of every 64 bytes, which brings all of its line: lines are not shorter. Four sums, so that no addition waits for the
/// one before.
word sum_of(const word* words) {
  constexpr std::size_t line = 64 / sizeof(word);
  word a = 0, b = 0, c = 0, d = 0;
  for (std::size_t i = 0; i < words_of_chunk; i += 4 * line) {
    a += words[i];
    b += words[i + line];
    c += words[i + 2 * line];
    d += words[i + 3 * line];
  }
  return a + b + c + d;
}

/// One thread's part.
struct alignas(128) reading {
  std::uint64_t start = 0, stop = 0, chunks = 0, wrong = 0;
};

/// A page that nobody has written is the same page of zeros as all others: each gets a one.
void write_ones(word* words, std::size_t count) {
  for (std::size_t i = 0; i < count; i += words_of_page) words[i] = 1;
}

void read_for(double ns, const word* words, std::size_t count, reading& r) {
  r.start = r.stop = host::now();
  for (std::size_t at = 0; host::to_ns(r.stop - r.start) < ns; at = (at + words_of_chunk) % count) {
    if (sum_of(words + at) != words_of_chunk / words_of_page) ++r.wrong;
    std::atomic_signal_fence(std::memory_order::seq_cst);  // a sum is not taken from the pass before
    ++r.chunks;
    r.stop = host::now();
  }
}

repetition to_repetition(const std::vector<reading>& all) {
  repetition r;
  std::uint64_t first = all.front().start, last = 0, chunks = 0;
  for (const reading& one : all) {
    first = std::min(first, one.start);
    last = std::max(last, one.stop);
    chunks += one.chunks;
    if (one.wrong != 0) r.broken = fmt::format("{} chunks of memory did not hold what was written", one.wrong);
  }
  const double bytes = static_cast<double>(chunks * words_of_chunk * sizeof(word));
  r.observations = {{"read", bytes / (host::to_ns(last - first) * 1e-9)}};
  return r;
}

/// Throws what keeps it from memory; the others do not wait for this thread then.
std::unique_ptr<platform::fresh_memory> memory_or_leave(std::uint64_t bytes, std::barrier<>& others) try {
  return std::make_unique<platform::fresh_memory>(bytes, std::nullopt, platform::pages::large);
} catch (...) {
  others.arrive_and_drop();
  throw;
}

repetition measure_bandwidth(const setting& s, const coordinates& at, std::uint64_t /*seed*/) {
  const auto threads = static_cast<unsigned>(threads_of(at));
  const std::uint64_t bytes = bytes_of_thread(s.machine, threads);
  std::vector<reading> all(threads);
  std::barrier prepared{static_cast<std::ptrdiff_t>(threads)};
  const measure::team_report team = host::team(team_of(s, at), threads, [&](unsigned me) {
    const auto memory = memory_or_leave(bytes, prepared);
    auto* const words = static_cast<word*>(memory->data());
    write_ones(words, bytes / sizeof(word));
    prepared.arrive_and_wait();
    read_for(duration_s(s) * 1e9, words, bytes / sizeof(word), all[me]);
    prepared.arrive_and_wait();  // giving memory back is work of the system's, which would disturb who still reads
  });
  repetition r = to_repetition(all);
  tell_what_was_cut(r, s.machine, threads);
  add_to(r, team);
  return r;
}

}  // namespace

experiment coherence_bandwidth() {
  experiment e;
  e.name = "coherence.bandwidth";
  e.line = "how fast threads together read memory, one cache line after another";
  e.source = "McCalpin: STREAM, sustainable memory bandwidth in high performance computers";
  axis threads = threads_axis();
  threads.values = [all = threads.values](const setting& s) {
    std::vector<coordinate> some = all(s);
    std::erase_if(some, [&](const coordinate& n) {
      return std::get<std::int64_t>(n) > static_cast<std::int64_t>(s.machine.processors.size());
    });
    return some;
  };
  e.axes = {threads};
  e.metrics = {
      {"read", "B/s", better::higher,
       "Bytes of the cache lines that all threads have read, divided by the time from the first start to the last end. "
       "Every thread reads a word of each line of its own memory, in order, until its time is over. Threads that share "
       "a last level of cache read four times its size, or twice where a quarter of the memory is not more."}};
  e.unavailable = unavailable;
  e.seconds = seconds;
  e.processors = processors_of;
  e.measure = measure_bandwidth;
  present_coherence_bandwidth(e);
  return e;
}

}  // namespace synchro::experiments
