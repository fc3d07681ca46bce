#include "terminal/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <map>
#include <new>
#include <sstream>

#include "platform/emulator.hpp"
#include "platform/facts.hpp"
#include "results/document.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/described.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::terminal {

namespace {

std::string version() {
  const auto tool = platform::tool_facts();
  const auto word = [&](const char* name) {
    return tool.contains(name) && tool[name].is_string() ? tool[name].get<std::string>() : std::string{"unknown"};
  };
  const auto emulator = platform::emulator();
  const std::string by = emulator ? fmt::format(" (emulated: {})", *emulator) : "";
  return fmt::format("synchroscope {}{}\ngit {}\ncompiler {}\nflags {}\nlibc {}\nschema {}, {}", word("version"), by,
                     word("git"), word("compiler"), word("flags"), word("libc"), results::schema_name,
                     results::schema_of_matrices);
}

const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(one->get_name());
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& of) {
  std::vector<std::string> names;
  for (const CLI::Option* o : of.get_options())
    for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
  return names;
}

// Mistakes that CLI11 finds, in our words.

std::string sentence_about_extras(CLI::App& app) {
  const auto extras = app.remaining(true);
  const auto found = std::find_if(extras.begin(), extras.end(), [](const auto& e) { return e.starts_with("-"); });
  const std::string word = found != extras.end() ? *found : extras.empty() ? "" : extras.front();
  const CLI::App& of = innermost(app);
  const std::string typed = results::printable(word.substr(0, word.find('=')), 80);
  if (word.size() > 1 && word[0] == '-')
    return no_such(&of == &app ? "option" : of.get_name() + " option", typed, names_of_options(of));
  if (&of == &app) return no_such("command", typed, names_of_commands(app));
  return fmt::format("{0} does not take '{1}'; synchroscope {0} --help says what it takes", of.get_name(), typed);
}

std::string sentence_about_missing(const CLI::App& of, const std::string& said) {
  if (!said.empty()) return said;
  const auto needed = of.get_options([](const CLI::Option* o) { return o->get_required(); });
  return fmt::format("{0} needs {1}; synchroscope {0} --help says more", of.get_name(),
                     needed.size() == 1 ? "a results file" : counted(needed.size(), "results file"));
}

/// One reading of the command line.
class reading {
 public:
  reading(const program_facts& facts, const std::vector<command>& all)
      : facts_{facts}, all_{all}, app_{facts.about, "synchroscope"} {
    app_.require_subcommand(facts.usual.empty() ? 1 : 0, 1);
    app_.set_version_flag("--version", version);
    for (const command& one : all) {
      options its{*app_.add_subcommand(one.name, one.line)};
      deeds_[one.name] = one.declare(its);
    }
    app_.add_subcommand("help", "Help for a command, as COMMAND --help")
        ->add_option("command", help_of_, "A command; without it, a summary of all")
        ->type_name("COMMAND");
    app_.footer(facts.examples);  // last, for commands inherit it when they are added
  }

  status read_and_perform(const words& typed) {
    if (typed.size() == 2 && typed.back() == describe_word) {
      print(described(app_));
      return status::done;
    }
    if (typed.size() > 1 && passes_on(typed[1])) return deeds_.at(typed[1])(typed);
    refuse_options_without_values(typed);
    try {
      app_.parse(typed_without_name(typed));
    } catch (const CLI::Success& e) {
      std::ostringstream out;
      app_.exit(e, out, out);
      tell(out.str());
      return status::done;
    } catch (const CLI::ParseError& e) {
      fail_usage(sentence_about(e));
    }
    const std::string name = app_.get_subcommands().empty() ? facts_.usual : innermost(app_).get_name();
    return name == "help" ? help(typed.front()) : deeds_.at(name)(typed);
  }

 private:
  /// Whether that is a command whose words are another program's to read, "--" among them.
  [[nodiscard]] bool passes_on(const std::string& word) const {
    const auto of_that_name = app_.get_subcommands([&](const CLI::App* one) { return one->get_name() == word; });
    return !of_that_name.empty() && of_that_name.front()->get_prefix_command();
  }

  /// CLI11 takes whatever comes next for an option's value: after "--label=", and where it is an option itself.
  void refuse_options_without_values(const words& typed) const {
    const auto named =
        app_.get_subcommands([&](const CLI::App* one) { return typed.size() > 1 && one->get_name() == typed[1]; });
    if (named.empty()) return;
    const auto option_in = [&](const std::string& word) {
      return word.starts_with("-") ? named.front()->get_option_no_throw(word.substr(0, word.find('='))) : nullptr;
    };
    for (std::size_t i = 2; i < typed.size() && typed[i] != "--"; ++i) {
      const CLI::Option* const its = option_in(typed[i]);
      if (its == nullptr || its->get_items_expected_min() == 0) continue;
      const std::size_t equals = typed[i].find('=');
      const bool option_follows = i + 1 < typed.size() && option_in(typed[i + 1]) != nullptr;
      if (equals == std::string::npos ? option_follows : equals + 1 == typed[i].size())
        fail_usage(typed[i].substr(0, equals) + " needs a value");
    }
  }

  /// As CLI11 takes them: the last one first.
  static words typed_without_name(const words& typed) { return {typed.rbegin(), typed.rend() - 1}; }

  /// The same as `COMMAND --help`, or `--help`.
  status help(const std::string& program) {
    const auto known = names_of_commands(app_);
    if (!help_of_.empty() && std::find(known.begin(), known.end(), help_of_) == known.end())
      fail_usage(no_such("command", help_of_, known));
    words asked{program};
    if (!help_of_.empty()) asked.push_back(help_of_);
    asked.emplace_back("--help");
    return reading{facts_, all_}.read_and_perform(asked);
  }

  std::string sentence_about(const CLI::ParseError& e) {
    if (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr) return sentence_about_extras(app_);
    const std::string what = e.what();
    if (dynamic_cast<const CLI::RequiredError*>(&e) != nullptr) {
      const CLI::App& of = innermost(app_);
      const auto known =
          std::find_if(all_.begin(), all_.end(), [&](const command& c) { return c.name == of.get_name(); });
      return known == all_.end() ? "this program needs a command; --help names them"
                                 : sentence_about_missing(of, known->needs);
    }
    if (what.starts_with("--") && what.ends_with(" missing")) return what.substr(0, what.find(':')) + " needs a value";
    return results::printable(what, 400);
  }

  const program_facts& facts_;
  const std::vector<command>& all_;
  CLI::App app_;
  std::map<std::string, deed> deeds_;
  std::string help_of_;
};

}  // namespace

int program(int argc, char** argv, const program_facts& facts, const std::vector<command>& all) noexcept {
  const auto end = [](const std::string& sentence, status s) {
    say("synchroscope: " + results::printable(sentence, 1000));  // it may quote what was typed or read
    return static_cast<int>(s);
  };
  prepare_streams();
  try {
    return static_cast<int>(reading{facts, all}.read_and_perform(words_typed(argc, argv)));
  } catch (const failure& e) {
    return end(e.what(), e.code);
  } catch (const reader_gone&) {
    return static_cast<int>(reader_gone::code);
  } catch (const std::bad_alloc&) {
    return end("there is not enough memory", status::cannot);
  } catch (const std::exception& e) {
    return end(e.what(), status::cannot);
  } catch (...) {
    return end("internal error", status::cannot);
  }
}

}  // namespace synchro::terminal
