// Maps of many processors in short: a page has no room for a million cells that differ by two numbers each.

#ifndef SYNCHRO_REPORT_MAPS_HPP
#define SYNCHRO_REPORT_MAPS_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "results/document.hpp"

namespace synchro::report {

/// The same with the cells of each large map behind each other: those that differ by `from` and `to` alone. Behind all others
/// come those of which map_json() makes an overview.
[[nodiscard]] results::document maps_together(results::document d);

/// How many of these cells, from the first on (at least that), belong together, and whether they are one large map.
struct stretch {
  std::size_t cells = 1;
  bool is_map = false;
};
[[nodiscard]] stretch first_stretch(std::span<const results::cell> cells);

/// That map. `map` is one of its cells, with what all have in common; `processors` are rows (`from`) and columns (`to`), `block` of them one.
/// packed() says what the rest is.
/// A map of more than `largest_map` processors is an overview: neighbours in `order` (of the topology; others follow by number) are one
/// row and column together, called by the first of them. The field with the median value stands for all of theirs.
[[nodiscard]] nlohmann::ordered_json map_json(std::span<const results::cell> cells,
                                              std::span<const std::int64_t> order);

inline constexpr std::size_t largest_map = 1024;

/// How many cells, from the first on, are on a page one by one, whether in short or not: there what is said of a cell finds it by
/// its place. So many pairs are in no page that has them all: their cells alone are beyond any limits::detailed (page.hpp) in use.
[[nodiscard]] std::size_t before_overviews(std::span<const results::cell> cells);

}  // namespace synchro::report

#endif
