// A machine among published ones, by the same figures.

#ifndef SYNCHRO_VIEWS_RANKING_HPP
#define SYNCHRO_VIEWS_RANKING_HPP

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace synchro::views {

/// Machines by figures in nanoseconds, the shortest first.
struct ranking {
  struct figure {
    std::string title;
    bool ranked = true;
  };
  struct machine {
    std::string name;  ///< Empty: the one that is asked about.
    std::size_t processors = 0;
    std::vector<std::vector<double>> values;  ///< For each figure: none, one, or several.
  };
  std::string title, note;
  std::vector<figure> figures;
  std::vector<machine> machines;
};

/// As the page takes it: {title, note, figures: [{title, rank, of}], machines: [{name, processors, values: [[...]]}]}.
/// A figure that the machine has no place by has no rank.
[[nodiscard]] nlohmann::ordered_json to_json(const ranking& r);

}  // namespace synchro::views

#endif
