#include <fmt/format.h>

#include <memory>

#include "model_checker/subject.hpp"
#include "results/json_fields.hpp"
#include "terminal/command.hpp"
#include "terminal/console.hpp"
#include "terminal/list_options.hpp"
#include "terminal/parse_values.hpp"
#include "verify/commands.hpp"

namespace synchro::verify {

namespace {

using json = nlohmann::ordered_json;

/// A primitive under waiting policies of which one is proved has a row for each name.
json primitives_json() {
  json all = json::array();
  for (const model_checker::subject& s : model_checker::all_subjects()) {
    const auto add = [&](const std::string& name, const json& proved_as) {
      all.push_back({{"name", name}, {"header", s.header}, {"programs", s.checks.size()}, {"proved_as", proved_as}});
    };
    add(s.name, nullptr);
    for (const std::string& name : s.also) add(name, s.name);
  }
  return all;
}

std::string primitives_text() {
  std::string text = fmt::format("{:<30} {:>8}  {}\n", "", "programs", "header");
  for (const json& one : primitives_json())
    text += fmt::format("{:<30} {:>8}  {}{}\n", one["name"].get<std::string>(), one["programs"].get<std::size_t>(),
                        one["header"].get<std::string>(),
                        one["proved_as"].is_null() ? "" : ", proved as " + one["proved_as"].get<std::string>());
  return text;
}

}  // namespace

command list_primitives_command() {
  return {"list", "What is proved", [](options& its) -> deed {
            const auto typed = std::make_shared<list_options>();
            typed->declare(its);
            return [typed](const words&) {
              if (typed->what != "primitives") fail_usage(no_such("list here of", typed->what, {"primitives"}));
              typed->as_json ? print(results::dump(primitives_json(), 2) + "\n") : tell(primitives_text());
              return status::done;
            };
          }};
}

}  // namespace synchro::verify
