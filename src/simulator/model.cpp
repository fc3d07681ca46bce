#include "simulator/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "results/document.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulator/core_matrix.hpp"
#include "simulator/from_results.hpp"

namespace synchro::simulator {

std::size_t model::distance_number(const std::string& name) const {
  const auto found = std::find(named_.begin(), named_.end(), name);
  if (found == named_.end()) throw std::out_of_range{"the model has no distance '" + name + "'"};
  return name_number_[static_cast<std::size_t>(found - named_.begin())];
}

ticks model::extra_for_sharers(std::size_t others) const {
  if (others <= 2) return 0;
  return static_cast<ticks>(std::llround(extra_per_sharer_ * static_cast<double>(others - 2)));
}

ticks model::way_to_home(std::uint8_t distance) const {
  if (!writes_at_home_) return 0;
  const ticks load = std::max(latency(operation::load, state::modified, distance), cache(level::llc));
  return static_cast<ticks>((1 - read_occupancy_) / 2 * static_cast<double>(load));
}

ticks model::longest_transfer(const std::vector<unsigned>& processors) const {
  ticks longest = 0;
  for (const unsigned a : processors)
    for (const unsigned b : processors) {
      const bool apart = core_of(a) != core_of(b) || (a != b && threads_ > 1);
      if (!apart && !writes_at_home_) continue;
      longest = std::max(longest, latency(operation::cas, state::modified, between(core_of(a), core_of(b))));
    }
  return longest;
}

platform::topology model::topology() const {
  platform::topology t;
  for (unsigned p = 0; p < processors(); ++p) {
    const unsigned core = core_of(p), die = die_of_core(core);
    t.processors.push_back({p, core, p % threads_, core, die, die, die / dies_, die, ""});
  }
  for (unsigned d = 0; d < dies(); ++d) t.nodes.push_back(d);
  t.source = "model:" + name_;
  t.tells_dies = dies_ > 1;
  return t;
}

namespace {

constexpr std::size_t largest_model = std::size_t{4} << 20;

nlohmann::ordered_json read(const std::string& name_or_file) {
  const char* const built_in = built_in_model(name_or_file);
  return built_in != nullptr ? results::parse_json(built_in) : results::read_json(name_or_file);
}

bool is_results(const nlohmann::ordered_json& document) {
  const auto schema = document.is_object() ? document.find("schema") : document.end();
  return document.is_object() && schema != document.end() && schema->is_string() &&
         results::is_known_schema(schema->get<std::string>());
}

/// A model is copied and printed whole; what it says beside its fields has a limit, too.
model from_model(const nlohmann::ordered_json& document) {
  if (results::dump(document).size() > largest_model)
    throw std::runtime_error("it is larger than 4 MiB, which no model is");
  return model{document};
}

}  // namespace

model load_model(const std::string& name_or_file) {
  if (built_in_model(name_or_file) == nullptr && is_core_matrix(name_or_file))
    return model{model_from_matrix_file(name_or_file, std::nullopt, 1)};
  const nlohmann::ordered_json document = read(name_or_file);
  try {
    return is_results(document) ? model{model_from_results(results::document_from_json(document))}
                                : from_model(document);
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(results::printable(name_or_file, 200) + ": " + e.what());
  }
}

}  // namespace synchro::simulator
