// Code that breaks the rules of the machine concept, one piece for each CASE. Case 0 keeps them and compiles; every
// other case must not, for the reason that stands beside it in CMakeLists.txt.

#include "library/recorder.hpp"
#include "synchro/locks/array.hpp"
#include "synchro/locks/big_reader.hpp"
#include "synchro/locks/hierarchical/hticket.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/phase_fair.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket_plain.hpp"
#include "synchro/locks/ticket_prefetch.hpp"
#include "synchro/locks/ttas.hpp"

namespace synchro::tests {

using word = recorder::atomic<std::uint32_t>;

struct not_a_machine : recorder {
  static void fence() = delete;
};

[[maybe_unused]] void piece(word& w, memory_order variable) {
  [[maybe_unused]] std::uint32_t seen = 0;
  [[maybe_unused]] recorder::plain<int> a;
  [[maybe_unused]] recorder::plain<int> b;
  static_cast<void>(variable);
#if CASE == 0
  w.store(w.load(memory_order::acquire), memory_order::release);
  w.compare_exchange_strong(seen, 1, memory_order::acq_rel, memory_order::relaxed);
#elif CASE == 1
  w.load();
#elif CASE == 2
  w.load(variable);
#elif CASE == 3
  w.load(memory_order::seq_cst);
#elif CASE == 4
  w.load(memory_order::release);
#elif CASE == 5
  w.store(1, memory_order::acquire);
#elif CASE == 6
  w.exchange(1, memory_order::seq_cst);
#elif CASE == 7
  w.compare_exchange_strong(seen, 1, memory_order::acquire);
#elif CASE == 8
  w.compare_exchange_strong(seen, 1, memory_order::acquire, memory_order::release);
#elif CASE == 9
  w = 1;
#elif CASE == 10
  seen = w;
#elif CASE == 11
  ++w;
#elif CASE == 12
  recorder::await(w, memory_order::release, [](std::uint32_t) { return true; }), recorder::await(w, variable, 1);
#elif CASE == 13
  w.load(memory_order::consume);
#elif CASE == 14
  a = b;
#elif CASE == 15
  static_assert(machine<not_a_machine>);
#elif CASE == 16
  basic_array_lock<hardware, spin_park> sleeping_on_a_shared_slot;
#elif CASE == 17
  basic_mutex_lock<hardware, spin> mutex_that_cannot_sleep;
#elif CASE == 18
  basic_tas_lock<hardware, spin_park> sleeper;
#elif CASE == 19
  basic_ttas_lock<hardware, spin_park> sleeper;
#elif CASE == 20
  basic_ticket_lock<hardware, spin_park> sleeper;
#elif CASE == 21
  basic_ticket_plain_lock<hardware, spin_park> sleeper;
#elif CASE == 22
  basic_ticket_prefetch_lock<hardware, spin_park> sleeper;
#elif CASE == 23
  basic_hticket_lock<hardware, spin_park> sleeper;
#elif CASE == 24
  basic_phase_fair_lock<hardware, spin_park> sleeper;
#elif CASE == 25
  basic_big_reader_lock<hardware, spin_park> sleeper;
#endif
}

}  // namespace synchro::tests
