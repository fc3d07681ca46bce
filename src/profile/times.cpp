#include "profile/times.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>

namespace synchro::profile {

times::times(double mean, const std::vector<bucket>& counted) : mean_{mean} {
  std::map<std::uint64_t, double> together;
  for (const bucket& b : counted) together[b.from_ns] += static_cast<double>(b.count);
  double all = 0, sum = 0;
  for (const auto& [from, count] : together) {
    all += count, sum += count * middle_of({from, 0});
    from_.push_back(static_cast<double>(from)), below_.push_back(all);
  }
  for (double& share : below_) share /= all;
  if (sum > 0) stretch_ = mean / (sum / all);
}

double times::at(double which, double where) const {
  if (from_.empty()) return mean_;
  const auto found = std::lower_bound(below_.begin(), below_.end(), which);
  const double from = from_[std::min<std::size_t>(static_cast<std::size_t>(found - below_.begin()), from_.size() - 1)];
  return stretch_ * (from == 0 ? 2 * where : from * (1 + where));
}

}  // namespace synchro::profile
