#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "results/text.hpp"
#include "views/export.hpp"
#include "views/exports/tidy.hpp"
#include "views/pivot.hpp"

namespace synchro::views {

using namespace results;

namespace {

bool in_matrix(const cell& c) { return c.at.find("from") != nullptr && c.at.find("to") != nullptr; }

/// What tells one matrix from another; experiment and metric are among it.
std::vector<axis_values> choices(const cells& all) {
  std::vector<axis_values> axes = {{"experiment", {}}, {"metric", {}}};
  const auto add = [](axis_values& axis, const std::string& value) {
    if (std::find(axis.values.begin(), axis.values.end(), coordinate{value}) == axis.values.end())
      axis.values.emplace_back(value);
  };
  for (const cell* c : all) {
    add(axes[0], c->experiment);
    add(axes[1], c->metric);
  }
  for (axis_values& axis : axes_of(all))
    if (axis.name != "from" && axis.name != "to") axes.push_back(std::move(axis));
  std::erase_if(axes, [](const axis_values& a) { return a.values.size() < 2; });
  return axes;
}

[[noreturn]] void fail_to_choose(const std::vector<axis_values>& axes) {
  std::string offers;
  for (const axis_values& axis : axes) {
    std::vector<std::string> values;
    for (const coordinate& v : axis.values) values.push_back(printable(to_string(v), 40));
    offers = joined(offers, "; ", fmt::format("--at {}= one of {}", printable(axis.name, 40), fmt::join(values, ", ")));
  }
  throw std::runtime_error("it holds more than one matrix, choose by " + offers);
}

}  // namespace

exported to_matrix(const document& d) {
  cells all;
  for (const cell& c : d.cells)
    if (in_matrix(c)) all.push_back(&c);
  if (all.empty())
    throw std::runtime_error("it holds no matrix: no experiment in it has cells from one processor to another");
  if (const auto axes = choices(all); !axes.empty()) fail_to_choose(axes);
  std::set<coordinate> processors;
  std::map<std::pair<coordinate, coordinate>, double> there;
  for (const cell* c : all) {
    const coordinate from = *c->at.find("from"), to = *c->at.find("to");
    processors.insert({from, to});
    if (c->value) there.emplace(std::pair{from, to}, *c->value);
  }
  exported out;
  for (const coordinate& from : processors) {
    const char* separator = "";
    for (const coordinate& to : processors) {
      const auto found = there.find({from, to});
      out.content.append(separator).append(found == there.end() ? "" : exact(found->second));
      separator = ",";
    }
    out.content += '\n';
  }
  return out;
}

}  // namespace synchro::views
