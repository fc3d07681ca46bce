// Mutants: the same program with one memory order weakened, or one statement left out or altered by one step.

#ifndef SYNCHRO_MODEL_CHECKER_MUTATION_HPP
#define SYNCHRO_MODEL_CHECKER_MUTATION_HPP

#include <atomic>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "model_checker/operation.hpp"

namespace synchro::model_checker {

/// A literal in the source, or a fence, a wake-up or a write to a plain field, which have none.
struct site {
  std::string file;  ///< relative to the include or source folder
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t operand = 0;  ///< 1: the order for failure
  action what = action::load;
  std::memory_order written = std::memory_order::relaxed;
  value_kind kind = value_kind::other;

  auto operator<=>(const site&) const = default;
};

/// The part of a path that does not depend on where the sources stand.
std::string short_path(const char* file);

struct mutation {
  site at;
  change how = change::leave_out;
  std::memory_order weaker = std::memory_order::relaxed;  ///< of change::weaken

  [[nodiscard]] bool hits(const place& p, std::uint32_t operand, action what) const;
  /// "left out", "acquire -> relaxed"
  [[nodiscard]] std::string what_is_done() const;
  /// "ticket.hpp:96:17 await acquire -> relaxed"
  [[nodiscard]] std::string describe() const;
  /// The same in one word, for the ids of counter-examples.
  [[nodiscard]] std::string key() const;
};

/// The order one step weaker, and the statement left out and altered by one step in each way that it has.
std::vector<mutation> mutants_of(const site& s);

std::string to_string(action a);

}  // namespace synchro::model_checker

#endif
