// What the arguments of a benchmark say.

#ifndef SYNCHRO_BENCH_ARGUMENT_HPP
#define SYNCHRO_BENCH_ARGUMENT_HPP

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace synchro::bench {

/// The whole number that is `text`, from `least` (0 or 1) on. Throws std::invalid_argument: a sentence that ends with `usage`.
[[nodiscard]] inline unsigned number_in(std::string_view text, std::string_view usage, unsigned least = 1) {
  unsigned value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error != std::errc{} || value < least)
    throw std::invalid_argument{fmt::format("'{}' is not a {}number; {}", text, least == 0 ? "" : "positive ", usage)};
  return value;
}

struct rounds_and_seed {
  unsigned rounds;
  std::uint64_t seed;
};

/// What `PROGRAM [ROUNDS] [SEED]` asks for. Throws std::invalid_argument.
inline rounds_and_seed rounds_and_seed_of(const std::string& program, int argc, char** argv) {
  const std::string usage = program + " [ROUNDS] [SEED]";
  return {argc > 1 ? number_in(argv[1], usage) : 31, argc > 2 ? number_in(argv[2], usage) : std::random_device{}()};
}

}  // namespace synchro::bench

#endif
