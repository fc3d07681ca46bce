#include "memory.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cstdio>

namespace synchro::bench {

namespace {

/// Of this process, in memory; negative if the system does not say.
double resident_bytes() {
  std::FILE* const f = std::fopen("/proc/self/statm", "r");
  if (f == nullptr) return -1;
  unsigned long all = 0, resident = 0;
  const int read = std::fscanf(f, "%lu %lu", &all, &resident);
  std::fclose(f);
  return read == 2 ? static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) : -1;
}

}  // namespace

double bytes_of(const experiments::table_bodies& table, std::uint64_t elements) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    const double before = resident_bytes();
    table.fill(elements, [&] {
      const double bytes = resident_bytes() - before;
      _exit(write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
    });
    _exit(1);
  }
  double bytes = -1;
  close(ends[1]);
  if (child < 0 || read(ends[0], &bytes, sizeof bytes) != sizeof bytes) bytes = -1;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return bytes;
}

double bytes_of_flat_map(std::uint64_t elements) {
  constexpr std::uint64_t slot = 1 + sizeof(experiments::hashtable::key) + sizeof(experiments::hashtable::payload);
  return static_cast<double>(slot * std::bit_ceil((elements * 8 + 6) / 7));
}

}  // namespace synchro::bench
