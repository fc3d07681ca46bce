// What makes several accesses one: the library's transactions, or one lock around everything.
//
// Each has variables (alone, set_alone as a tvar) and runs a function of an access (read, write) atomically or, if it only
// reads, by read_only.

#ifndef SYNCHRO_EXPERIMENTS_STM_MEMORIES_HPP
#define SYNCHRO_EXPERIMENTS_STM_MEMORIES_HPP

#include <mutex>
#include <utility>

#include "synchro/stm/stm.hpp"

namespace synchro::experiments::transactions {

/// Elides: may run as transactions of the processor (stm_options), which no manager and no lock of the table sees.
template <class Stm, bool Elides, class Machine = hardware>
class by_stm {
 public:
  static constexpr bool counts_attempts = true;
  template <class T>
  using variable = basic_tvar<T, Machine>;

  template <class F>
  auto atomically(F&& f) {
    return memory_.atomically(f);
  }
  template <class F>
  auto read_only(F&& f) {
    return memory_.read_only(f);
  }

 private:
  Stm memory_{{.elide = Elides}};
};

/// A variable that nothing watches over.
template <class T>
class bare_variable {
 public:
  bare_variable() = default;
  explicit bare_variable(T v) : value{v} {}
  [[nodiscard]] T alone() const { return value; }
  void set_alone(T v) { value = v; }

  T value{};
};

struct bare_access {
  template <class T>
  [[nodiscard]] T read(const bare_variable<T>& x) const {
    return x.value;
  }
  template <class T>
  void write(bare_variable<T>& x, T v) const {
    x.value = v;
  }
};

template <class Lock>
class by_one_lock {
 public:
  static constexpr bool counts_attempts = false;
  template <class T>
  using variable = bare_variable<T>;

  template <class F>
  auto atomically(F&& f) {
    const std::lock_guard<Lock> guard{lock_};
    bare_access all;
    return f(all);
  }
  template <class F>
  auto read_only(F&& f) {
    return atomically(std::forward<F>(f));
  }

 private:
  Lock lock_;
};

}  // namespace synchro::experiments::transactions

#endif
