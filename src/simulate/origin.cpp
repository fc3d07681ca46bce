#include "simulate/origin.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "platform/facts.hpp"

namespace synchro::simulate {

namespace {

using json = nlohmann::ordered_json;

json model_facts(const simulator::model& m) {
  json facts{{"name", m.name()}};
  for (const char* field : {"title", "source", "assumptions"})
    if (m.document().contains(field)) facts[field] = m.document()[field];
  facts["processors"] = m.processors();
  facts["constants"] = json::array();
  for (const simulator::knob& k : m.knobs())
    facts["constants"].push_back({{"name", k.name}, {"value", k.value}, {"kind", k.kind}, {"from", k.from}});
  facts["derived_rows"] = m.derived();
  return facts;
}

results::warning warning_about(const simulator::model& m) {
  json assumed = json::array(), fitted = json::array();
  for (const simulator::knob& k : m.knobs()) {
    if (k.kind == "assumed") assumed.push_back(k.name);
    if (k.kind == "fitted") fitted.push_back(k.name + ": " + k.from);
  }
  const std::string advice = fmt::format(
      "{}: what follows is computed from a model; {} of its constants are assumed and {} fitted. docs/simulation.md "
      "says how far to trust it.",
      m.name(), assumed.size(), fitted.size());
  return {"simulated", {{"machine", m.name()}, {"assumed", assumed}, {"fitted", fitted}}, advice};
}

}  // namespace

json kept(const simulator::model& m) {
  const char* const built_in = simulator::built_in_model(m.name());
  const bool is_part = built_in != nullptr && json::parse(built_in) == m.document();
  return is_part ? json(m.name()) : m.document();
}

results::document origin_of(const cli::recording& how, std::uint64_t seed, json request,
                            const std::vector<simulations::model_ptr>& models) {
  results::document d;
  d.id = results::new_id();
  d.label = how.label;
  d.tool = platform::tool_facts();
  d.invocation = {{"argv", how.argv},
                  {"seed", seed},
                  {"started", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
                  {"wall_s", nullptr},
                  {"request", std::move(request)}};
  json list = json::array();
  std::string names;
  for (const simulations::model_ptr& m : models) {
    list.push_back(model_facts(*m));
    if (models.size() > 1) list.back()["topology"] = simulations::topology_facts(*m);
    names += (names.empty() ? "" : ", ") + m->name();
    d.warnings.push_back(warning_about(*m));
  }
  d.machine = {{"kind", "simulated"}, {"model_name", names}, {"models", std::move(list)}};
  d.topology = models.size() == 1 ? simulations::topology_facts(*models.front()) : json::object();
  d.os = json::object();
  d.clock = {{"source", "simulated"}};
  if (models.size() == 1) d.clock["hz"] = models.front()->ghz() * 1e9;
  return d;
}

}  // namespace synchro::simulate
