// Tables that only score the models, besides claims and curves of locks (claims/held_out.hpp): the paper's machines as
// others, or its authors at another time, measured them.

#ifndef SYNCHRO_SIMULATIONS_DRAWN_TABLES_HPP
#define SYNCHRO_SIMULATIONS_DRAWN_TABLES_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulations/prover.hpp"

namespace synchro::simulations {

enum class table_figure : std::uint8_t {
  memory,                 ///< Cycles of a load from memory.
  transfer,               ///< Cycles of a compare-and-swap on a line that another core has modified.
  one_way,                ///< Cycles of a message of a line.
  there_and_back,         ///< Cycles until its answer is there.
  served_one_way,         ///< Million messages a second that one server takes.
  served_there_and_back,  ///< Million that it answers.
};

struct table_point {
  std::string_view table;  ///< As the draw calls it.
  const char* machine;
  table_figure what;
  const char* distance;    ///< Empty where there is a server.
  std::int64_t processes;  ///< The server and its clients.
  double measured;
  double predicted = 0;
  bool given = false;  ///< The model's own price, from a table of the same machine.
};

/// As published; nothing is predicted.
[[nodiscard]] std::span<const table_point> published_tables();

[[nodiscard]] std::vector<table_point> predicted_tables(prover& p);

/// A table of the points, and by how much they are off.
[[nodiscard]] std::string tables_in_words(const std::vector<table_point>& all);

}  // namespace synchro::simulations

#endif
