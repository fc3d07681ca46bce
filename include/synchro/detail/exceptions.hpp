// What throws, and what undoes, in programs with exceptions and in those that are compiled without (-fno-exceptions). There, what
// would have been thrown ends the program with a sentence on standard error.

#ifndef SYNCHRO_DETAIL_EXCEPTIONS_HPP
#define SYNCHRO_DETAIL_EXCEPTIONS_HPP

#include <cstdio>
#include <cstdlib>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace detail {

#if defined(__cpp_exceptions)

inline constexpr bool has_exceptions = true;

template <class Exception>
[[noreturn]] void raise(const Exception& e) {
  throw e;
}

/// Returns what f returns, or what handler() returns for whatever f throws.
template <class F, class Handler>
[[gnu::always_inline]] inline decltype(auto) or_if_thrown(F&& f, Handler&& handler) {
  try {
    return f();
  } catch (...) {
    return handler();
  }
}

/// Returns what f returns. Whatever it throws goes on after undo().
template <class F, class Undo>
[[gnu::always_inline]] inline decltype(auto) undone_if_thrown(F&& f, Undo&& undo) {
  try {
    return f();
  } catch (...) {
    undo();
    throw;
  }
}

#else

inline constexpr bool has_exceptions = false;

template <class Exception>
[[noreturn]] void raise(const Exception& e) {
  std::fprintf(stderr, "synchro: %s\n", e.what());
  std::abort();
}

template <class F, class Handler>
[[gnu::always_inline]] inline decltype(auto) or_if_thrown(F&& f, Handler&&) {
  return f();
}

template <class F, class Undo>
[[gnu::always_inline]] inline decltype(auto) undone_if_thrown(F&& f, Undo&&) {
  return f();
}

#endif

}  // namespace detail
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
