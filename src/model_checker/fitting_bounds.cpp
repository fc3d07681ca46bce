#include "model_checker/fitting_bounds.hpp"

#include <sstream>

#include "model_checker/embedded.hpp"

namespace synchro::model_checker {

namespace {

using bounds = std::map<std::pair<std::string, std::string>, unsigned>;

/// "mcs/park | 1 | lock 4x1; lock 3x2"
void add_line(bounds& to, const std::string& line) {
  const auto first = line.find(" | ");
  const auto second = line.find(" | ", first + 3);
  if (second == std::string::npos) return;
  const auto preemptions = static_cast<unsigned>(std::stoul(line.substr(first + 3)));
  std::string programs = line.substr(second + 3) + "; ";
  for (std::size_t at = 0, end = 0; (end = programs.find("; ", at)) != std::string::npos; at = end + 2)
    to[{line.substr(0, first), programs.substr(at, end - at)}] = preemptions;
}

}  // namespace

const bounds& fitting_bounds() {
  static const bounds all = [] {
    bounds read;
    std::istringstream in{fitting_bounds_text};
    for (std::string line; std::getline(in, line);)
      if (!line.starts_with("#")) add_line(read, line);
    return read;
  }();
  return all;
}

std::optional<unsigned> fitting_bound(const std::string& primitive, const std::string& program) {
  const auto it = fitting_bounds().find({primitive, program});
  return it == fitting_bounds().end() ? std::nullopt : std::optional{it->second};
}

}  // namespace synchro::model_checker
