// Memory orders as the explored machine takes them: literals that remember where they are written, so that each is a
// site that can be weakened, and that are refused by the compiler where they do not fit.

#ifndef SYNCHRO_MODEL_CHECKER_ORDER_HPP
#define SYNCHRO_MODEL_CHECKER_ORDER_HPP

#include <atomic>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <string>
#ifndef __clang__
#include <source_location>
#endif

// Clang 14 checks consteval constructors rightly and then generates wrong code for their arguments; there, orders are
// checked when they come.
#if defined(__clang__) && __clang_major__ < 15
#define SYNCHRO_MODEL_CHECKER_CONSTEVAL constexpr
#else
#define SYNCHRO_MODEL_CHECKER_CONSTEVAL consteval
#endif

#ifdef __clang__
#define SYNCHRO_MODEL_CHECKER_COLUMN __builtin_COLUMN()
#else
#define SYNCHRO_MODEL_CHECKER_COLUMN std::source_location::current().column()
#endif

namespace synchro::model_checker {

/// A place in the source text.
struct place {
  const char* file = "";
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

[[noreturn]] inline void not_a_memory_order_of_the_concept() { std::abort(); }
[[noreturn]] inline void not_an_order_for_a_load() { std::abort(); }
[[noreturn]] inline void not_an_order_for_a_store() { std::abort(); }

constexpr bool fits_load(std::memory_order o) {
  return o == std::memory_order::relaxed || o == std::memory_order::acquire;
}
constexpr bool fits_store(std::memory_order o) {
  return o == std::memory_order::relaxed || o == std::memory_order::release;
}
constexpr bool acquires(std::memory_order o) {
  return o == std::memory_order::acquire || o == std::memory_order::acq_rel;
}
constexpr bool releases(std::memory_order o) {
  return o == std::memory_order::release || o == std::memory_order::acq_rel;
}

/// A literal. Calling a function that is not constexpr ends a consteval constructor, and the compiler's message names
/// it.
class order {
 public:
  SYNCHRO_MODEL_CHECKER_CONSTEVAL order(std::memory_order value, const char* file = __builtin_FILE(),
                                        std::uint32_t line = __builtin_LINE(),
                                        std::uint32_t column = SYNCHRO_MODEL_CHECKER_COLUMN)
      : value_{value}, where_{file, line, column} {
    if (!fits_load(value) && !fits_store(value) && value != std::memory_order::acq_rel)
      not_a_memory_order_of_the_concept();
  }
  [[nodiscard]] constexpr std::memory_order value() const { return value_; }
  [[nodiscard]] constexpr const place& where() const { return where_; }

 private:
  std::memory_order value_;
  place where_;
};

/// What a load takes: a literal, checked by the compiler, or an order passed on, checked when it comes.
class load_order {
 public:
  SYNCHRO_MODEL_CHECKER_CONSTEVAL load_order(std::memory_order value, const char* file = __builtin_FILE(),
                                             std::uint32_t line = __builtin_LINE(),
                                             std::uint32_t column = SYNCHRO_MODEL_CHECKER_COLUMN)
      : order_{value, file, line, column} {
    if (!fits_load(value)) not_an_order_for_a_load();
  }
  load_order(order o) : order_{o} {  // NOLINT(google-explicit-constructor)
    if (!fits_load(o.value())) not_an_order_for_a_load();
  }
  operator order() const { return order_; }  // NOLINT(google-explicit-constructor)

 private:
  order order_;
};

class store_order {
 public:
  SYNCHRO_MODEL_CHECKER_CONSTEVAL store_order(std::memory_order value, const char* file = __builtin_FILE(),
                                              std::uint32_t line = __builtin_LINE(),
                                              std::uint32_t column = SYNCHRO_MODEL_CHECKER_COLUMN)
      : order_{value, file, line, column} {
    if (!fits_store(value)) not_an_order_for_a_store();
  }
  store_order(order o) : order_{o} {  // NOLINT(google-explicit-constructor)
    if (!fits_store(o.value())) not_an_order_for_a_store();
  }
  operator order() const { return order_; }  // NOLINT(google-explicit-constructor)

 private:
  order order_;
};

std::string to_string(std::memory_order o);

}  // namespace synchro::model_checker

#endif
