// Locks as the paper's authors have published them: libslock (github.com/tudordavid/libslock, src and include). Claims about the
// paper's locks are about these, which wait otherwise than the library's.
//
//   name                on the Opteron              on the Xeon           on one socket
//   libslock/tas        a test-and-set, a pause     the same              the same
//   libslock/ttas       fetches the line for        looks; after a        looks; the same
//                       writing before each look    failed try a random
//                                                   rest below a limit
//                                                   that doubles
//   libslock/ticket     fetches; 512 turns a place, the same, without     a pause
//                       128 if next                 fetching
//   libslock/array      a flag for each thread, which its user clears before it sets the next one
//   libslock/mcs, clh   24 pauses, and fetches      a pause               a pause
//   libslock/hticket    128 tickets for each socket, then the next one
//   libslock/hclh       a queue for each socket, whose head appends it to that of all
//   libslock/mutex      this library's mutex, for there is no system on a model
//
// What a thread keeps for a lock is made by the thread, as in libslock. Its benchmark has a full fence before each release and one
// after it, and draws one of several locks by three numbers in memory (bmarks/stress_test.c). Its other programs are in
// libslock_programs.hpp. Left out: the division by which `array` finds its slot, and the longer rests of who looks twice at the
// same place in line.

#ifndef SYNCHRO_SIMULATIONS_PAPER_LOCKS_HPP
#define SYNCHRO_SIMULATIONS_PAPER_LOCKS_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/locks/lock_table.hpp"
#include "simulator/model.hpp"

namespace synchro::simulations {

/// Names of the three beside the library's ticket locks: its waiters look all the time, rest, or rest and fetch.
inline constexpr const char* paper_ticket_plain_name = "ticket_paper_plain";
inline constexpr const char* paper_ticket_name = "ticket_paper";
inline constexpr const char* paper_ticket_prefetch_name = "ticket_paper_prefetch";

/// Names of what libslock has begin so.
inline const std::string paper_library = "libslock/";

/// libslock's locks in the loops of its benchmarks.
[[nodiscard]] const std::vector<experiments::lock_bodies>& paper_locks();

/// What libslock has of that name, a lock or an atomic operation: "libslock/mcs" for "mcs". The name itself if it has none.
[[nodiscard]] std::string of_the_paper(const std::string& name);
/// The other way round.
[[nodiscard]] std::string of_the_library(const std::string& name);

[[nodiscard]] bool is_paper_ticket(const std::string& lock);
/// What a thread of the program that measures them rests after each release, cycles (scripts/test.sh: -p 100).
inline constexpr std::uint64_t paper_ticket_rest = 100;
/// Of so many acquisitions of a thread it times one.
inline constexpr unsigned paper_ticket_timed_one_of = 11;
/// All threads on one lock of that name, in the simulated world that there is (libslock_programs.hpp): `waits_ns`, and nothing else.
[[nodiscard]] experiments::locks::contention_result paper_ticket(const std::string& variant,
                                                                 const experiments::locks::contention_task& task);

/// A load and then a store of a line that a core of the same die has modified, with or without a prefetch for writing
/// before.
[[nodiscard]] double read_then_write_cycles(const simulator::model& m, bool prefetching);

}  // namespace synchro::simulations

#endif
