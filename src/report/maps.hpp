// Maps of many processors in short, as a page has them: a page has no room for a million cells.

#ifndef SYNCHRO_REPORT_MAPS_HPP
#define SYNCHRO_REPORT_MAPS_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "results/matrix.hpp"

namespace synchro::report {

/// The same with the cells of each large map behind each other. Behind all others come those of which map_json() makes an overview.
[[nodiscard]] results::document maps_together(results::document d);

/// As results::first_stretch(), of a large map.
[[nodiscard]] results::stretch first_stretch(std::span<const results::cell> cells);

/// That map (results::matrix_json() says what stands in it).
/// Of more than `largest_map` processors it is an overview: neighbours in `order` (of the topology; others follow by number) are one
/// row and column together, called by the first of them. Of their fields that with the median value stands for all.
[[nodiscard]] nlohmann::ordered_json map_json(std::span<const results::cell> cells,
                                              std::span<const std::int64_t> order);

inline constexpr std::size_t largest_map = 1024;

/// How many cells, from the first on, are on a page one by one, whether in short or not: there what is said of a cell finds it by
/// its place. So many pairs are in no page that has them all: their cells alone are beyond any limits::detailed (page.hpp) in use.
[[nodiscard]] std::size_t before_overviews(std::span<const results::cell> cells);

}  // namespace synchro::report

#endif
