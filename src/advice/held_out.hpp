// Advice held against cells that it has not seen.

#ifndef SYNCHRO_ADVICE_HELD_OUT_HPP
#define SYNCHRO_ADVICE_HELD_OUT_HPP

#include <functional>
#include <string>
#include <vector>

#include "advice/place.hpp"
#include "advice/workload.hpp"
#include "results/document.hpp"

namespace synchro::advice {

/// One place at which the best and the worst lock differ, resolved, by more than 10 %.
struct held_out_case {
  place where;
  std::string advised, best;
  double share;          ///< What the advised lock does there, of what the best does; 0 if it was not measured.
  double mutex, ticket;  ///< What these two do.
};

/// A lock within this of the best is as good.
inline constexpr double as_good = 0.9;

/// How a way to choose fares.
struct fare {
  std::size_t right = 0;  ///< Cases in which it is within 10 % of the best.
  double mean = 0;        ///< Its share of the best, the geometric mean.
};
[[nodiscard]] fare fare_of(const std::vector<held_out_case>& all, double held_out_case::*share);

/// What names a lock for a workload.
using adviser = std::function<std::string(const workload&)>;

/// Each place of `fresh` is asked about, and its cells are the judge. The adviser ought to know other cells alone.
[[nodiscard]] std::vector<held_out_case> held_out(const results::document& fresh, const adviser& advise);

/// "4 threads, 1 lock, ...: advised ticket, 96 % of mcs; mutex 60 %, ticket 96 %", a line each, and the sum.
[[nodiscard]] std::string in_words(const std::vector<held_out_case>& all);

}  // namespace synchro::advice

#endif
