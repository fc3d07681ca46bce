// What is said when the system starts fewer threads than a measurement needs.

#ifndef SYNCHRO_MEASURE_TOO_FEW_THREADS_HPP
#define SYNCHRO_MEASURE_TOO_FEW_THREADS_HPP

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <system_error>

namespace synchro::measure {

[[nodiscard]] inline std::runtime_error too_few_threads(std::size_t started, std::size_t wanted,
                                                        const std::error_code& why) {
  return std::runtime_error{
      fmt::format("the system started only {} of {} threads ({})", started, wanted, why.message())};
}

}  // namespace synchro::measure

#endif
