#include "simulations/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "simulator/model.hpp"

namespace synchro::simulations {

namespace {

using claims::verdict;
using verdicts = std::array<verdict, corners.size()>;

nlohmann::ordered_json::json_pointer pointer_to(std::string place) {
  std::replace(place.begin(), place.end(), '.', '/');
  return nlohmann::ordered_json::json_pointer{"/" + place + "/value"};
}

/// All corners with the one end of the group agree, and with the other end on something else.
bool decides(std::size_t group, const verdicts& at) {
  std::optional<verdict> by_end[2];
  for (std::size_t i = 0; i < corners.size(); ++i) {
    std::optional<verdict>& known = by_end[corners[i][group] ? 1 : 0];
    if (known && *known != at[i]) return false;
    known = at[i];
  }
  return by_end[0] != by_end[1];
}

}  // namespace

std::size_t group_of(const std::string& place) {
  for (const char* const of_lines : {"read_occupancy", "knobs.hold", "knobs.jitter"})
    if (place == of_lines) return 2;
  for (const char* const of_overlap :
       {"core.window", "core.misses", "core.ahead", "core.stores", "knobs.store_buffer", "network.queue"})
    if (place == of_overlap) return 1;
  for (const char* const of_the_core : {"core.instructions", "core.division", "local_atomic", "pause", "network.send",
                                        "network.receive", "network.send_call", "network.receive_call"})
    if (place == of_the_core) return 0;
  if (place.starts_with("wake.")) return 0;
  if (place.starts_with("traffic.")) return 2;
  throw std::invalid_argument(fmt::format("no group of constants is said to have {}", place));
}

nlohmann::ordered_json at_corner(const nlohmann::ordered_json& model, const corner& c) {
  nlohmann::ordered_json moved = model;
  const simulator::model as_it_is{model};
  for (const simulator::knob& k : as_it_is.knobs())
    if (k.least < k.most) moved[pointer_to(k.name)] = c[group_of(k.name)] ? k.most : k.least;
  return moved;
}

nlohmann::ordered_json at_end(const nlohmann::ordered_json& model, const std::string& place, bool most) {
  nlohmann::ordered_json moved = model;
  const simulator::model as_it_is{model};
  for (const simulator::knob& k : as_it_is.knobs())
    if (k.name == place && k.least < k.most) moved[pointer_to(place)] = most ? k.most : k.least;
  return moved;
}

std::string source_of_range(const std::string& place) {
  if (place == "core.misses") return "published, but on the Tilera";
  for (const char* const published : {"core.instructions", "core.window", "network.queue"})
    if (place == published) return "published";
  if (place.starts_with("traffic.")) return "published";
  return place.starts_with("wake.") ? "none: half to double" : "none";
}

std::string over_ranges(claims::verdict nominal, const verdicts& at) {
  if (std::all_of(at.begin(), at.end(), [&](verdict v) { return v == nominal; })) return to_string(nominal);
  const auto held = std::count(at.begin(), at.end(), verdict::holds);
  std::string text = fmt::format("holds in {} of {}", held, corners.size());
  for (std::size_t g = 0; g < group_names.size(); ++g)
    if (decides(g, at)) text += fmt::format(", by {}", group_names[g]);
  return text;
}

}  // namespace synchro::simulations
