// The body of locks.throughput, as the experiment has it, at several places in the program.

#ifndef BENCH_SELFCOST_HOUSE_HPP
#define BENCH_SELFCOST_HOUSE_HPP

#include <string>

#include "experiments/locks/lock_table.hpp"

namespace house {

/// house.cpp is compiled once for each place.
template <unsigned Place>
synchro::experiments::lock_bodies row(const std::string& lock);

}  // namespace house

#endif
