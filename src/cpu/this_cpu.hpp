// Instructions of the processor that the instrument needs besides those of the library (synchro/cpu): one file for each
// architecture, chosen here and nowhere else. Each defines in namespace synchro::this_cpu
//
//   architecture                What a kernel of this architecture calls it, or how that begins ("ppc64" of "ppc64le"); empty if
//                               that is not known.
//   has_counter, counter_name   Whether programs can read a counter of the processor, and what results call it.
//   counter()                   That counter, read neither before what stands before it nor after what follows.
//   counter_is_invariant()      Whether the processor promises one rate in all power states.
//   hypervisor_signature()      Of the hypervisor whose guest it is, empty if there is none; nothing where the processor
//                               has no word for it.
//   hosts_hypervisor()          Whether that hypervisor is of the system that runs on the machine itself, and this in it.
//   can_flush_lines()           Whether programs can evict a line from every cache:
//   flush_line(p)               does so, before anything that follows.
//   has_fence_instructions      Whether these are single instructions whose cost can be measured:
//   load_fence(), store_fence(), full_fence(), no_operation()
//   atomic_forms                A std::tuple of the forms of instructions that read-modify-writes can take, where a processor has
//                               several: each has a name, unavailable(), fetch_add(word, n), exchange(word, n) and, if it has such
//                               an instruction, compare_exchange(word, expected, n). Each returns what it found. All acquire and release. What a compiler makes of std::atomic is one of them, or chooses
//                               at run time.
//   tpause, umwait, mwaitx      Rests until a line is written or a time has come. Each has until_next_look(word, seen) and
//                               unavailable(): why this processor cannot, nothing if it can.

#ifndef SYNCHRO_CPU_THIS_CPU_HPP
#define SYNCHRO_CPU_THIS_CPU_HPP

#if defined(__x86_64__)
#include "cpu/x86.hpp"
#elif defined(__aarch64__)
#include "cpu/aarch64.hpp"
#elif defined(__riscv) && __riscv_xlen == 64
#include "cpu/riscv64.hpp"
#elif defined(__powerpc64__)
#include "cpu/ppc64.hpp"
#elif defined(__s390x__)
#include "cpu/s390x.hpp"
#elif defined(__sparc__) && defined(__arch64__)
#include "cpu/sparc64.hpp"
#else
#include "cpu/generic.hpp"
#endif

#endif
