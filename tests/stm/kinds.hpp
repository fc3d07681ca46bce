// The kinds of transactional memory that the tests try.

#ifndef SYNCHRO_TESTS_STM_KINDS_HPP
#define SYNCHRO_TESTS_STM_KINDS_HPP

#include <gtest/gtest.h>

#include <optional>
#include <type_traits>
#include <utility>

#include "synchro/locks/clh.hpp"
#include "synchro/locks/hierarchical/hticket.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/stm/stm.hpp"

namespace synchro {

/// A memory that takes every function behind a pointer, so that what runs transactions is compiled once and not for each
/// function of each test.
template <class Stm>
class behind_pointers : public Stm {
 public:
  using Stm::Stm;
  using typename Stm::reader;
  using typename Stm::transaction;

  template <class F>
  std::invoke_result_t<F&, transaction&> atomically(F&& fn) {
    return through<transaction>(fn, [this](any_function<transaction> f) { Stm::atomically(f); });
  }
  template <class F>
  std::invoke_result_t<F&, reader&> read_only(F&& fn) {
    return through<reader>(fn, [this](any_function<reader> f) { Stm::read_only(f); });
  }
  template <class F>
  std::invoke_result_t<F&, transaction&> irrevocably(F&& fn) {
    return through<transaction>(fn, [this](any_function<transaction> f) { Stm::irrevocably(f); });
  }

 private:
  template <class Face>
  struct any_function {
    void (*call)(const void* fn, Face& face);
    const void* fn;
    void operator()(Face& face) const { call(fn, face); }
  };

  template <class Face, class F, class Run>
  static std::invoke_result_t<F&, Face&> through(F& fn, Run run) {
    using result = std::invoke_result_t<F&, Face&>;
    const auto with = [&run]<class G>(const G& f) {
      run(any_function<Face>{[](const void* p, Face& face) { (*static_cast<const G*>(p))(face); }, &f});
    };
    if constexpr (std::is_void_v<result>) {
      with([&fn](Face& face) { fn(face); });
    } else {
      std::optional<result> returned;
      with([&fn, &returned](Face& face) { returned.emplace(fn(face)); });
      return *std::move(returned);
    }
  }
};

template <class Manager>
using managed = behind_pointers<basic_stm<hardware, spin_yield, versioned_locks<Manager>>>;
template <class Lock>
using guarded = behind_pointers<basic_stm<hardware, spin_yield, guarded_by<Lock>>>;

/// Two slots: with more threads than that some transactions run irrevocably. The first is as users meet it.
using stm_kinds =
    testing::Types<stm, managed<greedy>, managed<basic_greedy<2>>, managed<fair_commit>, managed<wholly>,
                   guarded<basic_mutex_lock<hardware>>, guarded<basic_clh_lock<hardware, spin_yield>>,
                   guarded<basic_ticket_lock<hardware, spin_yield>>, guarded<basic_hticket_lock<hardware, spin_yield>>>;

}  // namespace synchro

#endif
