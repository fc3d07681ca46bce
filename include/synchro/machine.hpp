// The machine: all that an algorithm may ask of the world.
//
// Every algorithm of this library is written once, as a template over a Machine, and runs on three of them: `hardware`
// (std::atomic and the operating system, nothing in between), a simulator of many-cores that charges each access by the
// state of its cache line, and a model checker that tries every interleaving under the C++20 weak memory model. What runs
// in your program is what was predicted and what was proved; there is no second copy for the tools.
//
// That works only if algorithms keep to what stands here.
//
// Memory
//   atomic<T>          the member functions of std::atomic, the same size as T.
//   plain<T>           every non-atomic field that threads share; on hardware it is T itself. Read it by converting,
//                      write it by assigning.
//   order              the type of every memory-order parameter. Algorithms write the literals of std::memory_order and
//                      always write one; machines may take them by a consteval constructor, so an order that is
//                      missing, variable or seq_cst does not compile there. Loads are acquire or relaxed, stores
//                      release or relaxed, read-modify-writes any of the four.
//   fence()            sequentially consistent. It means "my store before my load", the only thing fences are for.
//   prefetch_for_write(p), pause(n)
//
// Waiting: four verbs. No other loop reads shared state, so a machine that is not hardware knows what a thread waits
// for: the simulator charges nothing until the line changes, the model checker blocks. Callbacks are pure (see look.hpp).
//   await(word, order, step)                       looks until step(value[, round]) is done; returns that value.
//                                                  An answer may ask to fetch the line for writing before the next
//                                                  look.
//   await_any(order, step, words...)               the same over several words: step(values...); returns a tuple.
//   update(word, f, success, failure)              the compare-and-swap loop: f(value[, round]) gives an attempt<T>.
//   exchange_until(word, value, accept, order)     exchanges until accept(old[, round]) is done; returns that old
//                                                  value. Exchanging over a value that is not accepted must be
//                                                  harmless.
//   Each has a form with a limit (await_until, await_any_until, update_until, and exchange_until with one argument
//   more), which is a deadline or looks{n}, and returns std::optional: nothing when the limit came first. A limit never
//   hides success: the last look comes after the clock was read.
//
// Sleeping
//   park(word, expected, until)   sleeps while the word holds `expected`; true when the deadline passed, false for any
//                                 other reason, spurious ones among them. Callers look again. Not a fence.
//   unpark(word, n)               wakes up to n sleepers. Uses nothing but the address: by now the word may be freed or
//                                 another's. Not a fence.
//
// Threads and memory of their own
//   local<T>()             the calling thread's one T, constant-initialised and trivially destructible.
//   global<T>()            the machine's one T, constant-initialised; a new run of a simulated machine has a new one.
//   at_thread_exit<F>(p)   F(p) is called when the calling thread ends; false if the machine cannot. May be asked again
//                          from inside F.
//   at_fork<F>()           from now on F() is called in the child of every fork, where the forking thread is the only
//                          one; it may be called twice. Machines whose processes do not fork do nothing.
//   make<T>(args...), destroy(p)    shared objects on the heap, aligned as T asks.
//   slot()                 a small number, dense over the threads alive: a hint for striping, never an identity.
//   processor()            a number below the constant `processors`: the processor that the thread runs on just now, or one that
//                          shares its number. A hint for striping, too: threads migrate.
//   domain()               the cache domain the thread runs in. Read it once per lock() and keep it: threads migrate.
//   here()                 the shape of the machine: one domain number per processor the calling thread may use. To a
//                          pinned thread that is one: it gives a lock that others will use a shape from elsewhere.
//   spin_looks()           how many looks a spin-then-sleep waiter spends before it sleeps.
//   clock, deadline, never, expired(deadline)
//
// Transactions, if the machine has them: a member type; see transactions.hpp.
//
// What experiments ask beyond that (teams of pinned threads, measured work, flushing a line) is the laboratory's; see
// src/measure/laboratory.hpp. Why the line runs here: docs/architecture.md.

#ifndef SYNCHRO_MACHINE_HPP
#define SYNCHRO_MACHINE_HPP

#include <atomic>
#include <concepts>
#include <cstdint>
#include <optional>
#include <tuple>

#include "synchro/look.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

struct shape;

/// Algorithms name orders as memory_order::acquire and so on, at each access.
using std::memory_order;

namespace detail {

template <class M, class T>
concept offers_memory = requires(typename M::template atomic<T>& a, const typename M::template atomic<T>& c,
                                 typename M::template plain<T>& p, T v, T* seen) {
  requires sizeof(typename M::template atomic<T>) == sizeof(T);
  { c.load(memory_order::acquire) } -> std::same_as<T>;
  a.store(v, memory_order::release);
  { a.exchange(v, memory_order::acq_rel) } -> std::same_as<T>;
  { a.compare_exchange_strong(*seen, v, memory_order::acquire, memory_order::relaxed) } -> std::same_as<bool>;
  { a.compare_exchange_weak(*seen, v, memory_order::acquire, memory_order::relaxed) } -> std::same_as<bool>;
  p = v;
  { static_cast<T>(p) } -> std::same_as<T>;
};

template <class M>
concept offers_arithmetic = requires(typename M::template atomic<std::uint32_t>& a) {
  { a.fetch_add(1U, memory_order::relaxed) } -> std::same_as<std::uint32_t>;
  { a.fetch_sub(1U, memory_order::relaxed) } -> std::same_as<std::uint32_t>;
  { a.fetch_or(1U, memory_order::relaxed) } -> std::same_as<std::uint32_t>;
  { a.fetch_and(1U, memory_order::relaxed) } -> std::same_as<std::uint32_t>;
};

struct any_step {
  look operator()(std::uint32_t) const { return look::done(); }
};
struct any_steps {
  look operator()(std::uint32_t, std::uint32_t) const { return look::done(); }
};
struct any_attempt {
  attempt<std::uint32_t> operator()(std::uint32_t) const { return attempt<std::uint32_t>::decline(); }
};

template <class M>
concept offers_waiting = requires(typename M::template atomic<std::uint32_t>& w, typename M::deadline until) {
  { M::await(w, memory_order::acquire, any_step{}) } -> std::same_as<std::uint32_t>;
  { M::await_until(w, memory_order::acquire, any_step{}, until) } -> std::same_as<std::optional<std::uint32_t>>;
  { M::await_until(w, memory_order::acquire, any_step{}, looks{1}) } -> std::same_as<std::optional<std::uint32_t>>;
  {M::await_any(memory_order::acquire, any_steps{}, w, w)};
  {M::await_any_until(memory_order::acquire, any_steps{}, until, w, w)};
  { M::update(w, any_attempt{}, memory_order::acquire, memory_order::relaxed) } -> std::same_as<updated<std::uint32_t>>;
  {
    M::update_until(w, any_attempt{}, memory_order::acquire, memory_order::relaxed, until)
    } -> std::same_as<std::optional<updated<std::uint32_t>>>;
  { M::exchange_until(w, 1U, any_step{}, memory_order::acquire) } -> std::same_as<std::uint32_t>;
  { M::exchange_until(w, 1U, any_step{}, memory_order::acquire, until) } -> std::same_as<std::optional<std::uint32_t>>;
  { M::park(w, 0U, until) } -> std::same_as<bool>;
  M::unpark(&w, 1U);
};

struct any_state {
  std::uint32_t value = 0;
};
inline void any_farewell(void*) {}
inline void any_fork() {}

template <class M>
concept offers_threads = requires(typename M::deadline until, void* p) {
  { M::template local<any_state>() } -> std::same_as<any_state&>;
  { M::template global<any_state>() } -> std::same_as<any_state&>;
  { M::template at_thread_exit<any_farewell>(p) } -> std::same_as<bool>;
  M::template at_fork<any_fork>();
  { M::template make<any_state>() } -> std::same_as<any_state*>;
  M::destroy(static_cast<any_state*>(p));
  { M::slot() } -> std::convertible_to<unsigned>;
  { M::processor() } -> std::convertible_to<unsigned>;
  requires M::processors != 0;
  { M::domain() } -> std::convertible_to<unsigned>;
  requires std::same_as<decltype(M::here()), shape>;
  { M::spin_looks() } -> std::same_as<looks>;
  { M::never } -> std::convertible_to<typename M::deadline>;
  { M::expired(until) } -> std::same_as<bool>;
  { M::clock::now() } -> std::convertible_to<typename M::deadline>;
  M::fence();
  M::pause(1U);
  M::prefetch_for_write(p);
};

}  // namespace detail

/// A world that algorithms can run in. The essay above says what each name promises.
template <class M>
concept machine = detail::offers_memory<M, std::uint32_t> && detail::offers_memory<M, std::uint64_t> &&
    detail::offers_memory<M, bool> && detail::offers_memory<M, int*> && detail::offers_arithmetic<M> &&
    detail::offers_waiting<M> && detail::offers_threads<M>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
