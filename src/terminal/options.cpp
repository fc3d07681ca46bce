#include "terminal/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace synchro::terminal {

option& option::called(const std::string& what) { return there_->type_name(what), *this; }
option& option::grouped(const std::string& title) { return there_->group(title), *this; }
option& option::required() { return there_->required(), *this; }
option& option::excludes(const option& other) { return there_->excludes(other.there_), *this; }
option& option::needs(const option& other) { return there_->needs(other.there_), *this; }
option& option::one_at_a_time() { return there_->allow_extra_args(false), *this; }

option options::value(const std::string& names, std::string& to, const std::string& line) {
  return option{command_->add_option(names, to, line)};
}

option options::value(const std::string& names, std::optional<std::string>& to, const std::string& line) {
  return option{command_->add_option_function<std::string>(
      names, [&to](const std::string& typed) { to = typed; }, line)};
}

option options::values(const std::string& names, std::vector<std::string>& to, const std::string& line) {
  return option{command_->add_option(names, to, line)};
}

option options::list(const std::string& names, std::optional<std::string>& to, const std::string& line) {
  // CLI11 puts the texts of an option that is given several times on lines of their own. It could put commas itself, but then
  // it also takes empty parts away, and the next option for a value.
  const auto with_commas = [&to](std::string typed) {
    std::replace(typed.begin(), typed.end(), '\n', ',');
    to = std::move(typed);
  };
  return option{command_->add_option_function<std::string>(names, with_commas, line)->join()};
}

option options::flag(const std::string& names, bool& to, const std::string& line) {
  return option{command_->add_flag(names, to, line)};
}

void options::ends_with(const std::string& text) { command_->footer(text); }

void options::passes_on() {
  command_->set_help_flag();
  command_->prefix_command();
}

}  // namespace synchro::terminal
