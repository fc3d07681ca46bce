// The door to the operating system and the processor: the only platform `#if` of the house.
//
// Each system's file defines the same functions in `synchro::os`, each processor's the same in `synchro::cpu`; the
// contracts stand here.
//
//   os::park(word, expected, deadline)   Sleeps while the 32-bit word holds `expected`. Returns true when the deadline
//                                        has passed, false after anything else: a wake-up, another value, a signal, no
//                                        reason at all. The caller looks again. Not a fence.
//   os::unpark(word, n)                  Wakes up to `n` sleepers. Uses nothing but the address: the word may be freed.
//   os::current_cpu()                    The processor this thread runs on just now; a hint, for threads migrate.
//   os::allowed_cpus()                   The processors the calling thread may use, by their system numbers, ascending.
//   os::domain_of(cpu)                   The number of the last-level-cache domain of a processor: dense from 0 over
//                                        those that the first thread to ask may use, the other domains after them.
//   os::thread_exit_hook{f}.arm(p)       Calls f(p) when the calling thread ends, after its C++ thread-exit
//                                        destructors; may be armed anew in f. Returns false if it cannot.
//
//   cpu::pause()                         Tells the processor that this is a waiting loop.
//   cpu::prefetch_for_write(p)           Asks for the line of `p` in a writable state.
//   cpu::cache_line                      Bytes that two writers must keep between them.

#ifndef SYNCHRO_OS_HPP
#define SYNCHRO_OS_HPP

#if defined(__linux__)
#include "synchro/os/linux.hpp"
#elif defined(_WIN32)
#include "synchro/os/windows.hpp"
#else
#error "synchro knows Linux and Windows; CONTRIBUTING.md says how to add a platform"
#endif

#if defined(__x86_64__)
#include "synchro/cpu/x86.hpp"
#elif defined(__aarch64__)
#include "synchro/cpu/aarch64.hpp"
#else
#include "synchro/cpu/generic.hpp"
#endif

#endif
