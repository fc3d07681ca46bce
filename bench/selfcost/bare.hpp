// Bare loops: what the throughput experiments are held against. Of this project they have the locks, and nothing else.

#ifndef BENCH_SELFCOST_BARE_HPP
#define BENCH_SELFCOST_BARE_HPP

#include <string>
#include <vector>

namespace bare {

/// Nanoseconds of one successful operation of the whole team, one thread on each of these processors, for about 20 ms.
/// Negative if a thread could not be pinned.
double atomics(const std::string& operation, const std::vector<int>& cpus);

/// Nanoseconds of taking one of n locks at random, adding to the one word that it protects, and giving it back. bare.cpp
/// is compiled once for each place.
template <unsigned Place>
double locks(const std::string& lock, unsigned n, const std::vector<int>& cpus);

}  // namespace bare

#endif
