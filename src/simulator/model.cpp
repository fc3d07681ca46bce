#include "simulator/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "results/document.hpp"
#include "results/file.hpp"
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

model load_model(const std::string& name_or_file) {
  const char* const built_in = built_in_model(name_or_file);
  const std::string text = built_in != nullptr ? built_in : results::read_file(name_or_file);
  const auto document = nlohmann::ordered_json::parse(text, nullptr, false);
  if (document.is_discarded()) throw std::runtime_error(name_or_file + " is not JSON");
  try {
    const bool measured = document.is_object() && document.value("schema", "") == results::schema_name;
    return model{measured ? model_from_results(results::document_from_json(document)) : document};
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(name_or_file + ": " + e.what());
  }
}

}  // namespace synchro::simulator
