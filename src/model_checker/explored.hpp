// The explored machine: every interleaving, and every value that the memory model lets a load return.
//
// It keeps the contract of machine.hpp for the headers as they are shipped. Values of atomics live in the world, not in
// the objects, so what an algorithm does with a pointer that leads nowhere is found out before memory is touched.
// A wait is one step that is possible as soon as it can end: the looks before that would find nothing, and only add to
// what the thread knows. Patience, back-off and deadlines are choices: a deadline may pass at any moment, and stays
// passed.

#ifndef SYNCHRO_MODEL_CHECKER_EXPLORED_HPP
#define SYNCHRO_MODEL_CHECKER_EXPLORED_HPP

#include <bit>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "model_checker/order.hpp"
#include "model_checker/world.hpp"
#include "synchro/detail/node_pool.hpp"
#include "synchro/look.hpp"
#include "synchro/machine.hpp"
#include "synchro/shape.hpp"
#include "synchro/transactions.hpp"

namespace synchro {

namespace model_checker {

/// How far the bytes of a T, copied to the begin of a word, are above its lowest bits.
template <class T>
constexpr unsigned above_lowest = std::endian::native == std::endian::big ? 64 - 8 * sizeof(T) : 0;
/// A value as a number, in the lowest bits of a word: there additions wrap as the T's own do.
template <class T>
std::uint64_t pack(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits >> above_lowest<T>;
}
template <class T>
T unpack(std::uint64_t bits) {
  T value;
  bits <<= above_lowest<T>;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T>
constexpr std::uint64_t mask_of = ~std::uint64_t{0} >> (64 - 8 * sizeof(T));

/// A value on its way into a plain field, and where that is written.
template <class T>
struct written {
  written(T v, const char* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE(),
          std::uint32_t column = SYNCHRO_MODEL_CHECKER_COLUMN)  // NOLINT(google-explicit-constructor)
      : value{v}, where{file, line, column} {}
  T value;
  place where;
};

template <class T>
T altered(T value, change how) {
  if constexpr (kind_of<T> != value_kind::other)
    if (how != change::none) return unpack<T>(stepped(pack(value), kind_of<T>, how == change::less));
  return value;
}

/// Whether a callback may refer to something outside of it.
template <class Step>
constexpr bool may_keep = !std::is_empty_v<Step> && sizeof(Step) >= sizeof(void*);

inline order_use use(const order& o) { return {o.value(), o.where()}; }
inline std::uint64_t address_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

/// An operation on one word.
inline operation on(const void* word, action what, const order& o, std::uint64_t operand = 0) {
  operation op;
  op.what = what;
  op.address[0] = address_of(word);
  op.orders[0] = use(o);
  op.operand = operand;
  return op;
}
/// One on none.
inline operation on_nothing(action what, std::uint64_t operand = 0) {
  operation op;
  op.what = what;
  op.count = 0;
  op.operand = operand;
  return op;
}

}  // namespace model_checker

struct explored {
  using order = model_checker::order;

  // Memory.

  template <class T>
  class atomic {
   public:
    atomic() : atomic(T{}) {}
    atomic(T value) : value_{value} {  // NOLINT(google-explicit-constructor)
      model_checker::world::current().make_word(this, model_checker::pack(value));
    }
    ~atomic() { model_checker::world::current().end_word(this); }
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(model_checker::load_order o) const { return run(model_checker::on(this, model_checker::action::load, o)); }
    void store(T value, model_checker::store_order o) {
      run(model_checker::on(this, model_checker::action::store, o, model_checker::pack(value)));
    }
    T exchange(T value, order o) { return change(model_checker::action::exchange, value, o); }
    T fetch_add(T n, order o) requires std::is_integral_v<T> { return change(model_checker::action::add, n, o); }
    T fetch_sub(T n, order o) requires std::is_integral_v<T> { return change(model_checker::action::subtract, n, o); }
    T fetch_or(T n, order o) requires std::is_integral_v<T> { return change(model_checker::action::bit_or, n, o); }
    T fetch_and(T n, order o) requires std::is_integral_v<T> { return change(model_checker::action::bit_and, n, o); }

    bool compare_exchange_strong(T& expected, T value, order success, model_checker::load_order failure) {
      return compare(expected, value, success, failure, false);
    }
    bool compare_exchange_weak(T& expected, T value, order success, model_checker::load_order failure) {
      return compare(expected, value, success, failure, true);
    }

   private:
    static T run(model_checker::operation op) {
      op.mask = model_checker::mask_of<T>;
      op.kind = model_checker::kind_of<T>;
      model_checker::world::current().perform(op);
      return model_checker::unpack<T>(op.values[0]);
    }
    T change(model_checker::action what, T value, order o) {
      return run(model_checker::on(this, what, o, model_checker::pack(value)));
    }
    bool compare(T& expected, T value, order success, order failure, bool weak) {
      model_checker::operation op =
          model_checker::on(this, model_checker::action::compare_exchange, success, model_checker::pack(value));
      op.orders[1] = model_checker::use(failure);
      op.expected = model_checker::pack(expected);
      op.mask = model_checker::mask_of<T>;
      op.kind = model_checker::kind_of<T>;
      op.weak = weak;
      model_checker::world::current().perform(op);
      if (!op.success) expected = model_checker::unpack<T>(op.values[0]);
      return op.success;
    }

    T value_;  // gives the object its size; the value is the world's
  };

  template <class T>
  class plain {
   public:
    plain() : plain(T{}) {}
    explicit plain(T value) : value_{value} { model_checker::world::current().make_field(this, sizeof(T)); }
    ~plain() { model_checker::world::current().end_field(this); }
    plain(const plain&) = delete;
    plain& operator=(const plain&) = delete;
    plain& operator=(model_checker::written<T> it) {
      const model_checker::change how =
          model_checker::world::current().before_write(this, it.where, model_checker::kind_of<T>);
      if (how != model_checker::change::leave_out) value_ = model_checker::altered(it.value, how);
      return *this;
    }
    operator T() const {  // NOLINT(google-explicit-constructor)
      model_checker::world::current().before_read(this);
      model_checker::world::current().after_read(&value_, sizeof value_);
      return value_;
    }
    T operator->() const requires std::is_pointer_v<T> { return static_cast<T>(*this); }

   private:
    T value_;
  };

  struct clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<clock>;
    static constexpr bool is_steady = true;
    static time_point now() { return time_point{duration{model_checker::world::current().now()}}; }
  };
  using deadline = clock::time_point;
  static constexpr deadline never = deadline::max();

  static bool expired(deadline until) {
    if (until == never) return false;
    model_checker::operation op = model_checker::on_nothing(model_checker::action::expire);
    limit_by(op, until);
    model_checker::world::current().perform(op);
    return op.success;
  }

  static void fence(const char* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE(),
                    std::uint32_t column = SYNCHRO_MODEL_CHECKER_COLUMN) {
    model_checker::operation op = model_checker::on_nothing(model_checker::action::fence);
    op.orders[0] = {memory_order::seq_cst, {file, line, column}};
    model_checker::world::current().perform(op);
  }
  static void pause(std::uint32_t) {}
  static void prefetch_for_write(const void*) {}

  // Waiting.

  template <class T, class Step, class Limit>
  static std::optional<T> await_until(const atomic<T>& word, order o, Step step, Limit until) {
    const auto found = await_any_until(o, step, until, word);
    return found ? std::optional<T>{std::get<0>(*found)} : std::nullopt;
  }
  template <class T, class Step>
  static T await(const atomic<T>& word, order o, Step step) {
    return *await_until(word, o, step, never);
  }

  template <class Step, class Limit, class... T>
  static std::optional<std::tuple<T...>> await_any_until(order o, Step step, Limit until, const atomic<T>&... words) {
    static_assert(sizeof...(T) <= model_checker::max_await_words);
    model_checker::operation op = model_checker::on(nullptr, model_checker::action::await, o);
    op.count = sizeof...(T);
    op.address = {model_checker::address_of(&words)...};
    op.ask = ask_step<Step, T...>;
    op.step = &step;
    op.asks_round = std::is_invocable_v<const Step&, const T&..., std::uint32_t>;
    op.may_keep = model_checker::may_keep<Step>;
    limit_by(op, until);
    model_checker::world::current().perform(op);
    if (!op.success) return std::nullopt;
    return values<T...>(op, std::index_sequence_for<T...>{});
  }
  template <class Step, class... T>
  static std::tuple<T...> await_any(order o, Step step, const atomic<T>&... words) {
    return *await_any_until(o, step, never, words...);
  }

  template <class T, class F, class Limit>
  static std::optional<updated<T>> update_until(atomic<T>& word, F f, order success, order failure, Limit until) {
    model_checker::operation op = model_checker::on(&word, model_checker::action::update, success);
    op.orders[1] = model_checker::use(failure);
    op.mask = model_checker::mask_of<T>;
    op.kind = model_checker::kind_of<T>;
    op.ask = ask_attempt<F, T>;
    op.step = &f;
    op.asks_round = std::is_invocable_v<const F&, const T&, std::uint32_t>;
    op.may_keep = model_checker::may_keep<F>;
    limit_by(op, until);
    model_checker::world::current().perform(op);
    if (op.gave_up) return std::nullopt;
    return updated<T>{op.success, model_checker::unpack<T>(op.values[0])};
  }
  template <class T, class F>
  static updated<T> update(atomic<T>& word, F f, order success, order failure) {
    return *update_until(word, f, success, failure, never);
  }

  template <class T, class Accept, class Limit>
  static std::optional<T> exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o,
                                         Limit until) {
    model_checker::operation op =
        model_checker::on(&word, model_checker::action::exchange_until, o, model_checker::pack(value));
    op.mask = model_checker::mask_of<T>;
    op.kind = model_checker::kind_of<T>;
    op.ask = ask_step<Accept, T>;
    op.step = &accept;
    op.asks_round = std::is_invocable_v<const Accept&, const T&, std::uint32_t>;
    op.may_keep = model_checker::may_keep<Accept>;
    limit_by(op, until);
    model_checker::world::current().perform(op);
    return op.success ? std::optional<T>{model_checker::unpack<T>(op.values[0])} : std::nullopt;
  }
  template <class T, class Accept>
  static T exchange_until(atomic<T>& word, std::type_identity_t<T> value, Accept accept, order o) {
    return *exchange_until(word, value, accept, o, never);
  }

  // Sleeping.

  static bool park(const atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
    model_checker::operation op;
    op.what = model_checker::action::park;
    op.address[0] = model_checker::address_of(&word);
    op.expected = expected;
    limit_by(op, until);
    model_checker::world::current().perform(op);
    return op.success;
  }
  static void unpark(const atomic<std::uint32_t>* word, std::uint32_t n, const char* file = __builtin_FILE(),
                     std::uint32_t line = __builtin_LINE(), std::uint32_t column = SYNCHRO_MODEL_CHECKER_COLUMN) {
    model_checker::operation op;
    op.what = model_checker::action::unpark;
    op.address[0] = model_checker::address_of(word);
    op.operand = n;
    op.orders[0].where = {file, line, column};
    model_checker::world::current().perform(op);
  }

  // Transactions.

  struct transactions {
    static constexpr unsigned attempts = 2;

    static bool are_usable() { return true; }
    static bool is_under_way() { return model_checker::world::current().is_in_transaction(); }
    static transaction_start begin() {
      model_checker::operation op = model_checker::on_nothing(model_checker::action::begin);
      model_checker::world::current().perform(op);
      return static_cast<transaction_start>(op.values[0]);
    }
    static void commit() { model_checker::world::current().commit(); }
    static void abort_to_retry(const char* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE(),
                               std::uint32_t column = SYNCHRO_MODEL_CHECKER_COLUMN) {
      abort_at({file, line, column});
    }
    static void abort_for_good(const char* file = __builtin_FILE(), std::uint32_t line = __builtin_LINE(),
                               std::uint32_t column = SYNCHRO_MODEL_CHECKER_COLUMN) {
      abort_at({file, line, column});
    }

   private:
    static void abort_at(model_checker::place where) {
      model_checker::operation op = model_checker::on_nothing(model_checker::action::abort);
      op.orders[0].where = where;
      model_checker::world::current().perform(op);
    }
  };

  // Threads and memory of their own.

  template <class T>
  static T& local() {
    static_assert(std::is_trivially_destructible_v<T>);
    const auto [at, is_new] = model_checker::world::current().local(&kind<T>, sizeof(T));
    if constexpr (is_stash<T>)
      if (is_new) model_checker::world::current().add_pool(take_from_pool_of<T>);
    return is_new ? *new (at) T{} : *static_cast<T*>(at);
  }
  template <class T>
  static T& global() {
    const auto [at, is_new] = model_checker::world::current().begin_global(&kind<T>, sizeof(T));
    if (!is_new) return *static_cast<T*>(at);
    T* const made = new (at) T{};
    model_checker::world::current().end_global();
    return *made;
  }
  template <void (*F)(void*)>
  static bool at_thread_exit(void* p) {
    model_checker::world::current().at_thread_exit(F, p);
    return true;
  }

  template <void (*F)()>
  static void at_fork() {}

  template <class T, class... Args>
  static T* make(Args&&... args) {
    return new (model_checker::world::current().allocate(sizeof(T))) T(std::forward<Args>(args)...);
  }
  template <class T>
  static void destroy(T* p) {
    p->~T();
    model_checker::world::current().free(p);
  }

  static unsigned slot() { return model_checker::world::current().self(); }
  static constexpr unsigned processors = 2;
  static unsigned processor() { return slot() % processors; }
  static unsigned domain() { return model_checker::world::current().read_domain(); }
  static shape here() {
    const model_checker::world& w = model_checker::world::current();
    shape s;
    for (unsigned t = 0; t < w.threads(); ++t) s.domain_of_thread.push_back(w.domain_of(t));
    return s;
  }
  /// How long a waiter looks before it sleeps is the schedule's choice.
  static looks spin_looks() { return looks{0}; }

 private:
  template <class T>
  static inline char kind = 0;

  /// A thread's own part of a node pool, by which the pool is known whose nodes are to be counted at the end.
  template <class T>
  static constexpr bool is_stash = requires(T& t) {
    t.top;
    t.room;
    t.leaving;
  };
  template <class T>
  static void* take_from_pool_of() {
    return node_pool<explored, std::remove_pointer_t<decltype(T::top)>>::take();
  }

  static void limit_by(model_checker::operation& op, looks) { op.within = model_checker::limit::looks; }
  static void limit_by(model_checker::operation& op, deadline until) {
    if (until == never) return;
    op.within = model_checker::limit::time;
    op.until = until.time_since_epoch().count();
  }

  template <class Step, class... T>
  static model_checker::answer ask_step(const void* step, const std::uint64_t* values, std::uint32_t round) {
    return ask_step_with<Step, T...>(step, values, round, std::index_sequence_for<T...>{});
  }
  template <class Step, class... T, std::size_t... I>
  static model_checker::answer ask_step_with(const void* step, const std::uint64_t* values, std::uint32_t round,
                                             std::index_sequence<I...>) {
    const look said = detail::ask(*static_cast<const Step*>(step), round, model_checker::unpack<T>(values[I])...);
    return {said.is_done() ? model_checker::answer::done : model_checker::answer::retry};
  }
  template <class F, class T>
  static model_checker::answer ask_attempt(const void* f, const std::uint64_t* values, std::uint32_t round) {
    const attempt<T> said = detail::ask(*static_cast<const F*>(f), round, model_checker::unpack<T>(values[0]));
    if (said.writes()) return {model_checker::answer::write, model_checker::pack(said.value())};
    return {said.declines() ? model_checker::answer::decline : model_checker::answer::retry};
  }
  template <class... T, std::size_t... I>
  static std::tuple<T...> values(const model_checker::operation& op, std::index_sequence<I...>) {
    return std::tuple<T...>{model_checker::unpack<T>(op.values[I])...};
  }
};

static_assert(machine<explored>);

}  // namespace synchro

#endif
