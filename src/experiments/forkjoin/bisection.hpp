// From when on something pays: bisection on the logarithmic scale.

#ifndef SYNCHRO_EXPERIMENTS_FORKJOIN_BISECTION_HPP
#define SYNCHRO_EXPERIMENTS_FORKJOIN_BISECTION_HPP

#include <cmath>
#include <optional>

namespace synchro::experiments::forkjoin {

struct bracket {
  double no, yes;  ///< It did not pay at the one, and paid at the other.
};

/// Where `pays` begins to be true, within 2 % of the value. It climbs by doubling from the shortest length, so that long
/// ones are tried only where they must be. Nothing if it does not pay up to the longest; {0, shortest} if it always does.
template <class Pays>
std::optional<bracket> bisect(double shortest, double longest, Pays pays) {
  constexpr double near_enough = 1.02;
  bracket b{0, shortest};
  while (!pays(b.yes)) {
    b.no = b.yes;
    if (b.yes >= longest) return std::nullopt;
    b.yes = std::fmin(2 * b.yes, longest);
  }
  if (b.no == 0) return b;
  while (b.yes / b.no > near_enough) {
    const double middle = std::sqrt(b.no * b.yes);
    (pays(middle) ? b.yes : b.no) = middle;
  }
  return b;
}

}  // namespace synchro::experiments::forkjoin

#endif
