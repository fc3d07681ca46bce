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
//   os::yield()                          Lets other threads run first.
//   os::linux_call(number, words...)     Linux's system call of this number of this processor; -1 on any other system.
//   os::own<T>()                         The calling thread's one T, constant-initialised. It is there until after the calls
//                                        at the thread's end.
//   os::thread_exit_hook<F>{}.arm(p)     Calls F(p) when the calling thread ends, after its C++ thread-exit
//                                        destructors; may be armed anew in F. Returns false if it cannot.
//   os::fork_hook<F>{}.arm()             Calls F() in the child when this process forks, from now on.
//   os::keep_loaded(p)                   The shared library that contains this address stays loaded until the process
//                                        ends. Hooks and the table of domains see to it themselves.
//
// and, behind a door of their own for code that needs them (synchro/domains.hpp),
//
//   os::allowed_cpus()                   The processors the calling thread may use, by their system numbers, ascending.
//   os::domain_of(cpu)                   The number of the last-level-cache domain of a processor: dense from 0 over
//                                        those that the first thread to ask may use, the other domains after them.
//
//   cpu::pause()                         Tells the processor that this is a waiting loop.
//   cpu::rest_until_written(word, seen)  Rests until the word is written, or for any other reason, if it holds `seen`: for a waiter
//                                        that looks again, and has no deadline. pause() where there is no instruction for it.
//   cpu::prefetch_for_write(p)           Asks for the line of `p` in a writable state.
//   cpu::cache_line                      Bytes that two writers must keep between them.
//   cpu::why_no_transactions()           Null if the processor says that it has hardware transactions, or a sentence.
//                                        Without them nothing of what follows may be called.
//   cpu::begin_transaction()             As machines' (synchro/transactions.hpp), and the same with is_in_transaction(),
//                                        end_transaction(), abort_transaction_to_retry() and abort_transaction_for_good().

#ifndef SYNCHRO_OS_HPP
#define SYNCHRO_OS_HPP

#include "synchro/version.hpp"

#if defined(__linux__) && !defined(SYNCHRO_GENERIC_SYSTEM)
#include "synchro/os/linux.hpp"
#elif defined(_WIN32) && !defined(SYNCHRO_GENERIC_SYSTEM)
#include "synchro/os/windows.hpp"
#else
#include "synchro/os/generic.hpp"
#endif

#if (defined(_M_X64) || defined(_M_IX86)) && !defined(__GNUC__) && !defined(__clang__)
#include "synchro/cpu/x86_msvc.hpp"
#elif defined(__x86_64__)
#include "synchro/cpu/x86.hpp"
#elif defined(__i386__)
#include "synchro/cpu/i386.hpp"
#elif defined(__aarch64__)
#include "synchro/cpu/aarch64.hpp"
#elif defined(__arm__) && __ARM_ARCH >= 7
#include "synchro/cpu/arm.hpp"
#elif defined(__riscv) && __riscv_xlen == 64
#include "synchro/cpu/riscv64.hpp"
#elif defined(__powerpc64__)
#include "synchro/cpu/ppc64.hpp"
#elif defined(__s390x__)
#include "synchro/cpu/s390x.hpp"
#elif defined(__sparc__) && defined(__arch64__)
#include "synchro/cpu/sparc64.hpp"
#else
#include "synchro/cpu/generic.hpp"
#endif

#endif
