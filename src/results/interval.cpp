#include "results/interval.hpp"

namespace synchro::results {

std::string from_to(const std::string& low, const std::string& high) { return low == high ? "" : low + " to " + high; }

std::string with_interval(const std::string& value, const std::string& interval) {
  return interval.empty() ? value : value + " (" + interval + ")";
}

}  // namespace synchro::results
