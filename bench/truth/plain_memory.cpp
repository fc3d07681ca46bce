// Memory read from the beginning to the end.

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"
#include "plain.hpp"

namespace {

constexpr std::size_t line = 64, page = 4096;

/// The first byte of each line of so many, eight at a time.
std::uint64_t read_lines(const unsigned char* at, std::size_t lines) {
  std::uint64_t sum[8] = {};
  for (; lines >= 8; lines -= 8, at += 8 * line)
    for (std::size_t i = 0; i != 8; ++i) sum[i] += at[i * line];
  std::uint64_t all = 0;
  for (const std::uint64_t s : sum) all += s;
  return all;
}

}  // namespace

double plain::read_memory(const std::vector<int>& cpus, std::size_t bytes) {
  constexpr double window_ns = 50e6;
  constexpr std::size_t stretch = 2048;  // lines between two looks at the clock
  std::atomic<std::size_t> ready{0}, done{0};
  std::atomic<bool> failed{false};
  std::vector<double> begins(cpus.size()), ends(cpus.size()), lines(cpus.size());
  std::vector<std::thread> team;
  for (std::size_t me = 0; me != cpus.size(); ++me)
    team.emplace_back([&, me] {
      void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (!bare::pin(cpus[me]) || p == MAP_FAILED) failed = true;
      auto* const all = static_cast<unsigned char*>(p);
      if (!failed) {
        madvise(p, bytes, MADV_HUGEPAGE);
        for (std::size_t i = 0; i < bytes; i += page) all[i] = 1;  // few lines are to be written back later
      }
      for (++ready; ready.load() < cpus.size();) bare::rest();
      if (failed) return;
      const double begin = bare::now_ns();
      double now = begin, seen = 0;
      for (std::size_t at = 0; now - begin < window_ns; now = bare::now_ns(), seen += stretch) {
        if (read_lines(all + at * line, stretch) != stretch * line / page) failed = true;
        at = at + 2 * stretch <= bytes / line ? at + stretch : 0;
      }
      begins[me] = begin, ends[me] = now, lines[me] = seen;
      for (++done; done.load() < cpus.size();) bare::rest();
      munmap(p, bytes);
    });
  for (std::thread& t : team) t.join();
  if (failed) return -1;
  double sum = 0;
  for (const double n : lines) sum += n;
  return (*std::max_element(ends.begin(), ends.end()) - *std::min_element(begins.begin(), begins.end())) / sum;
}
