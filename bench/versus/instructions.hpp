// How many instructions a turn takes, with the loop around it: what callgrind counts in the functions `take_part`, which each thread
// of a contest is in while it takes turns.
//
// Of one thread only. Threads that wait for each other run by turns under callgrind, and how often each looks is no property of
// theirs.

#ifndef SYNCHRO_BENCH_INSTRUCTIONS_HPP
#define SYNCHRO_BENCH_INSTRUCTIONS_HPP

#include <fmt/format.h>
#include <stdio.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace synchro::bench {

/// The program calls itself: `PROGRAM count CONTEST SIDE TURNS`.
class instruction_counter {
 public:
  explicit instruction_counter(std::string program) : program_{std::move(program)} {}

  /// Of contest number i its side `ours` or `theirs`, which is known as `name`. Nothing without valgrind.
  std::optional<double> of_a_turn(std::size_t i, std::string_view side, const std::string& name) {
    const auto known = known_.find(name);
    if (known != known_.end()) return known->second;
    const auto all = of_turns(i, side);
    return known_[name] = all ? std::optional{static_cast<double>(*all) / turns} : std::nullopt;
  }

 private:
  static constexpr std::uint32_t turns = 100'000;

  [[nodiscard]] std::optional<std::int64_t> of_turns(std::size_t i, std::string_view side) const {
    const std::string command = fmt::format(
        "valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect='*take_part*' '{}' count {} {} {} "
        "2>&1",
        program_, i, side, turns);
    FILE* const said = popen(command.c_str(), "r");
    if (said == nullptr) return std::nullopt;
    std::optional<std::int64_t> collected;
    std::array<char, 512> line{};
    constexpr std::string_view before = "Collected : ";
    while (fgets(line.data(), line.size(), said) != nullptr) {
      const std::string_view text = line.data();
      if (const auto at = text.find(before); at != text.npos)
        collected = std::strtoll(line.data() + at + before.size(), nullptr, 10);
    }
    return pclose(said) == 0 ? collected : std::nullopt;
  }

  std::string program_;
  std::map<std::string, std::optional<double>> known_;
};

}  // namespace synchro::bench

#endif
