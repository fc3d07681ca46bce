#include <fmt/format.h>

#include <memory>

#include "cli/request.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulate/commands.hpp"
#include "simulations/simulations.hpp"
#include "simulator/model.hpp"
#include "terminal/console.hpp"
#include "terminal/list_options.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::simulate {

namespace {

using json = nlohmann::ordered_json;

std::string field(const json& document, const char* name) {
  return document.contains(name) && document[name].is_string() ? document[name].get<std::string>() : "";
}

json models_json() {
  json all = json::array();
  for (const std::string& name : simulator::built_in_models()) {
    const simulator::model m = simulator::load_model(name);
    all.push_back({{"name", name},
                   {"title", field(m.document(), "title")},
                   {"processors", m.processors()},
                   {"ghz", m.ghz()},
                   {"source", field(m.document(), "source")}});
  }
  return all;
}

/// The same on each model.
std::vector<std::string> simulated_names() {
  const auto any =
      std::make_shared<const simulator::model>(simulator::load_model(simulator::built_in_models().front()));
  return cli::experiment_names(simulations::experiments_on(any));
}

std::string models_text(const views::style& style) {
  std::string text = views::painted(fmt::format("{:<14} {:>10} {:>5}  {}", "", "processors", "GHz", "machine, source"),
                                    views::tone::dim, style) +
                     "\n";
  for (const json& m : models_json()) {
    constexpr std::size_t column = 33;
    text +=
        views::painted(fmt::format("{:<14} ", m["name"].get<std::string>()), views::tone::heading, style) +
        fmt::format("{:>10} {:>5}  {}\n", m["processors"].get<unsigned>(), m["ghz"].get<double>(),
                    m["title"].get<std::string>()) +
        views::painted(fmt::format("{:{}}{}", "", column, m["source"].get<std::string>()), views::tone::dim, style) +
        "\n";
  }
  return text + "\nExperiments that can be simulated: " + enumerate(simulated_names()) + ".\n";
}

status list_models(bool as_json) {
  as_json ? print(results::dump(models_json(), 2) + "\n") : tell(models_text(style_for(standard_output())));
  return status::done;
}

}  // namespace

command list_models_command() {
  return {"list", "The models of machines", [](options& its) -> deed {
            const auto typed = std::make_shared<list_options>();
            typed->declare(its);
            return [typed](const words&) {
              if (typed->what != "models") fail_usage(no_such("list here of", typed->what, {"models"}));
              return list_models(typed->as_json);
            };
          }};
}

}  // namespace synchro::simulate
