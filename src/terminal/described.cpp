#include "terminal/described.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace synchro::terminal {

namespace {

using json = nlohmann::ordered_json;

json described(const CLI::Option& one) {
  json names = json::array();
  for (const std::string& name : one.get_snames()) names.push_back("-" + name);
  for (const std::string& name : one.get_lnames()) names.push_back("--" + name);
  const bool takes_value = one.get_items_expected_max() > 0;
  return {{"names", names},
          {"value", takes_value ? one.get_type_name() : ""},
          {"several", one.get_items_expected_max() > 1},
          {"required", one.get_required()},
          {"group", one.get_group()},
          {"line", one.get_description()}};
}

json described_command(const CLI::App& one) {
  json options = json::array(), positionals = json::array();
  for (const CLI::Option* o : one.get_options()) (o->nonpositional() ? options : positionals).push_back(described(*o));
  return {{"name", one.get_name()},
          {"line", one.get_description()},
          {"elsewhere", one.get_prefix_command()},  // another program performs it, and describes it
          {"options", std::move(options)},
          {"positionals", std::move(positionals)},
          {"ends_with", one.get_footer()}};
}

}  // namespace

std::string described(const CLI::App& program) {
  json all = described_command(program);
  all["commands"] = json::array();
  for (const CLI::App* one : program.get_subcommands([](const CLI::App*) { return true; }))
    all["commands"].push_back(described_command(*one));
  return all.dump(1) + "\n";
}

}  // namespace synchro::terminal
