// Calls that are recorded, for a specification to judge when all is over.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_RECORDED_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_RECORDED_HPP

#include <optional>
#include <type_traits>
#include <utility>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/history.hpp"
#include "model_checker/specifications.hpp"

namespace synchro::model_checker {

inline std::optional<std::uint64_t> as_result(bool so) { return so ? std::optional{said_yes} : std::nullopt; }
inline std::optional<std::uint64_t> as_result(std::uint32_t value) { return value; }
inline std::optional<std::uint64_t> as_result(std::uint64_t value) { return value; }
template <class T>
std::optional<std::uint64_t> as_result(const std::optional<T>& found) {
  return found ? as_result(*found) : std::nullopt;
}

/// Makes the call, and records it with what it returns. A type of the harness's own needs an as_result beside it.
template <class F>
auto recorded(verb what, std::uint64_t argument, F make) {
  call it;
  it.what = what;
  it.argument = argument;
  world::current().begin_call(it);
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    make();
    world::current().end_call(said_yes);
  } else {
    auto result = make();
    world::current().end_call(as_result(result));
    return result;
  }
}
template <class F>
auto recorded(verb what, F make) {
  return recorded(what, 0, std::move(make));
}

/// All calls recorded can be put into an order that the specification allows, from this state on.
template <specification Specification>
void expect_linearizable(const Specification& start) {
  const history calls = world::current().calls();
  if (!is_linearizable(calls, start)) world::current().fail("not linearizable", to_string(calls));
}

}  // namespace synchro::model_checker

#endif
