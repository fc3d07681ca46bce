// The options of a command, as it declares them. Thin over CLI11, which costs seconds to compile and is seen by
// options.cpp, command.cpp and described.cpp alone.

#ifndef SYNCHRO_TERMINAL_OPTIONS_HPP
#define SYNCHRO_TERMINAL_OPTIONS_HPP

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace synchro::terminal {

/// One option or word of a command. All functions return it, for more to be said of it.
class option {
 public:
  explicit option(CLI::Option* there) : there_{there} {}

  option& called(const std::string& what);    ///< What the help calls its value: FILE, NAME.
  option& grouped(const std::string& title);  ///< In the help it stands under this title.
  option& required();
  option& excludes(const option& other);
  option& needs(const option& other);
  option& one_at_a_time();  ///< Each value is preceded by the option's name.

 private:
  CLI::Option* there_;
};

/// What a command takes. What is declared is written when the command line has been read, so it must live that long; what
/// was not typed stays as it is.
class options {
 public:
  explicit options(CLI::App& command) : command_{&command} {}

  option value(const std::string& names, std::string& to, const std::string& line);
  option value(const std::string& names, std::optional<std::string>& to, const std::string& line);
  option values(const std::string& names, std::vector<std::string>& to, const std::string& line);
  /// A comma list; given several times, their parts together.
  option list(const std::string& names, std::optional<std::string>& to, const std::string& line);
  option flag(const std::string& names, bool& to, const std::string& line);
  /// What the help ends with.
  void ends_with(const std::string& text);
  /// All words that follow are somebody else's: none is an option, none a mistake.
  void passes_on();

 private:
  CLI::App* command_;
};

}  // namespace synchro::terminal

#endif
