// Atomic operations as the paper's authors have measured them: libslock (github.com/tudordavid/libslock, bmarks/atomic_bench.c,
// include/atomic_ops.h, scripts/test.sh). Claims about contended atomic operations are about these.
//
//   name               a call                                      on SPARC (and Solaris' libc, atomic.s)
//   libslock/fai       a fetch-and-increment                       a load, then compare-and-swap until one succeeds, each with
//                                                                  what the last one found
//   libslock/swap      a swap                                      the same, but each with a load of its own
//   libslock/cas       0 to 1, and 1 to 0, in turn                 a load before it, for it is of a byte
//   libslock/tas       a test-and-set; who found it free frees it  the same
//   libslock/cas_fai   a load and a compare-and-swap, until one    the same, with a load more for the byte
//                      succeeds
//
// Each call is an attempt, whatever came of it. After each one a thread pauses, the longer the more threads there are, and not at
// all alone. Where writes go to the line's home, a call comes with what else the benchmark's loop does: a look at the word that
// says when to stop, and a count on a line of the thread's own. Where cores write, what an operation on an own line costs is
// that loop's in the paper (5.4), so these are in it.

#ifndef SYNCHRO_SIMULATIONS_PAPER_ATOMICS_HPP
#define SYNCHRO_SIMULATIONS_PAPER_ATOMICS_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/atomics/throughput.hpp"
#include "simulator/model.hpp"

namespace synchro::simulations {

struct paper_atomic {
  std::string name;
  experiments::atomics::outcome (*contend)(const experiments::atomics::conditions&);
};

[[nodiscard]] const std::vector<paper_atomic>& paper_atomics();

/// The pause after each call, of so many threads, in cycles: what scripts/test.sh asks for, in the turns of an empty loop that
/// libslock makes of it (cpause in include/utils.h).
[[nodiscard]] std::uint64_t pause_of_paper_atomics(const simulator::model& m, unsigned threads);

}  // namespace synchro::simulations

#endif
