// How large a program the explored machine takes. To exceed one of these is reported as a failure, never ignored.

#ifndef SYNCHRO_MODEL_CHECKER_LIMITS_HPP
#define SYNCHRO_MODEL_CHECKER_LIMITS_HPP

#include <cstddef>

namespace synchro::model_checker {

inline constexpr unsigned max_threads = 7;  ///< Besides the one that sets up and checks.
inline constexpr unsigned main_thread = max_threads;
inline constexpr std::size_t max_words = 96;      ///< Atomics alive in one execution.
inline constexpr unsigned max_messages = 250;     ///< Writes to one atomic in one execution.
inline constexpr unsigned max_operations = 1000;  ///< Of one thread in one execution.
inline constexpr unsigned max_touches = 10'000;   ///< Of plain fields, between two operations of a thread.
inline constexpr unsigned max_await_words = 4;

}  // namespace synchro::model_checker

#endif
