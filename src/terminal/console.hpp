// The terminal and the keyboard: what may be drawn where, and whether someone has asked us to stop.

#ifndef SYNCHRO_TERMINAL_CONSOLE_HPP
#define SYNCHRO_TERMINAL_CONSOLE_HPP

#include <optional>
#include <string>
#include <vector>

#include "terminal/failure.hpp"
#include "views/grid.hpp"

namespace synchro::terminal {

/// What a stream can show.
struct screen {
  bool terminal = false;                ///< A terminal that can go back to the start of a line.
  bool colours = false;                 ///< And show colours: a terminal, not TERM=dumb, NO_COLOR unset or empty.
  std::optional<unsigned> width = {};   ///< Columns, of a terminal,
  std::optional<unsigned> height = {};  ///< and its lines.
};
[[nodiscard]] screen standard_output();
[[nodiscard]] screen standard_error();

/// How tables and words are to be painted there: in the language's characters, as wide as the terminal is.
[[nodiscard]] views::style style_for(const screen& s);

/// At the start of the program. Where the caller has closed standard input, output or error, something that cannot be
/// written takes its place: the next file to be opened, a journal, would otherwise get its number, and what we print.
/// And a file that grows beyond what is allowed (`ulimit -f`) is an error of the write, not the end of the program.
void prepare_streams();

/// The words of the command line, in UTF-8 where a system would hand main() another encoding.
[[nodiscard]] std::vector<std::string> words_typed(int argc, char** argv);

/// Nobody reads standard output any more (`| head`): the program ends in silence, with a shell's status of a broken pipe.
/// It is no std::exception, for nobody but program() (command.hpp) is to catch it.
struct reader_gone {
  static constexpr auto code = static_cast<status>(141);
};

/// Puts the text on standard output, all of it. Throws failure if that cannot be (no space), and reader_gone.
void print(const std::string& text);
/// The same for a text for people: on a terminal its lines are cut between words (folded.hpp).
void tell(const std::string& text);
/// As print(), through the user's pager (PAGER, else less) where standard output is a terminal; where there is none, or it
/// cannot be started, as print() does.
void print_pages(const std::string& text);
/// Puts a line on standard error, without what could harm a terminal, cut as tell() does; nothing can be done if that
/// fails.
void say(const std::string& line);
/// The same without the end of the line.
void say_raw(const std::string& text);

/// Asks a person at the terminal and waits for a line, without its end; nothing where there is nobody to answer: standard input or
/// error is no terminal, or this program is not in its foreground.
[[nodiscard]] std::optional<std::string> answer_to(const std::string& question);

/// The name this computer goes by; empty if the system does not tell. Recorded only when asked for.
[[nodiscard]] std::string computer_name();

/// While alive, Ctrl-C, a request to terminate and a closed terminal only raise a flag; asking a second time ends the
/// program at once. A reader that has gone away does not end it either.
class interrupt_watch {
 public:
  interrupt_watch();
  ~interrupt_watch();
  interrupt_watch(const interrupt_watch&) = delete;
  interrupt_watch& operator=(const interrupt_watch&) = delete;

  /// From here on a signal does what it did before: what comes may take for ever.
  static void let_go() noexcept;

  /// While alive, asking a second time ends nothing either: for what must be put in order before the end.
  class patience {
   public:
    patience() noexcept;
    ~patience();
    patience(const patience&) = delete;
    patience& operator=(const patience&) = delete;
  };

  [[nodiscard]] static bool raised() noexcept;
  /// What the program is to end with when the flag is raised.
  [[nodiscard]] static status ends_with() noexcept;
};

}  // namespace synchro::terminal

#endif
