// An interval beside its value, where it tells more than the value does.

#ifndef SYNCHRO_RESULTS_INTERVAL_HPP
#define SYNCHRO_RESULTS_INTERVAL_HPP

#include <string>

namespace synchro::results {

/// "2.08 to 2.16", of ends as they are printed; empty where they are printed alike, for the value says the same.
[[nodiscard]] std::string from_to(const std::string& low, const std::string& high);

/// "2.12 (2.08 to 2.16)"; the value alone where the interval is empty.
[[nodiscard]] std::string with_interval(const std::string& value, const std::string& interval);

/// The same of numbers, each printed by `text`.
template <class Text>
[[nodiscard]] std::string with_interval(double value, double low, double high, const Text& text) {
  return with_interval(text(value), from_to(text(low), text(high)));
}

}  // namespace synchro::results

#endif
