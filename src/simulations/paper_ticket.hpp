// The ticket lock with the back-off that the paper measured: the shipped lock under another way of looking.

#ifndef SYNCHRO_SIMULATIONS_PAPER_TICKET_HPP
#define SYNCHRO_SIMULATIONS_PAPER_TICKET_HPP

#include <cstdint>

#include "simulator/model.hpp"

namespace synchro::simulations {

/// Median cycles of acquiring and releasing, all threads on one lock; the median over six seeds.
[[nodiscard]] double paper_ticket_cycles(const simulator::model& m, bool prefetching, unsigned threads,
                                         std::uint64_t seed);

/// A load and then a store of a line that a core of the same die has modified, with or without a prefetch for writing
/// before.
[[nodiscard]] double read_then_write_cycles(const simulator::model& m, bool prefetching);

}  // namespace synchro::simulations

#endif
