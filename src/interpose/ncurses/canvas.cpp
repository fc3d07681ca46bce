#include "interpose/canvas.hpp"

#include <curses.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdlib>

#include "results/text.hpp"
#include "terminal/failure.hpp"

namespace synchro::interpose {

namespace {

int meant_by(int code) {
  switch (code) {
    case KEY_UP:
      return key::up;
    case KEY_DOWN:
      return key::down;
    case KEY_LEFT:
      return key::left;
    case KEY_RIGHT:
      return key::right;
    case KEY_PPAGE:
      return key::page_up;
    case KEY_NPAGE:
      return key::page_down;
    case KEY_HOME:
      return key::home;
    case KEY_END:
      return key::end;
    case KEY_ENTER:
    case '\n':
    case '\r':
      return key::enter;
    case KEY_BACKSPACE:
    case '\b':
    case 127:
      return key::backspace;
    case 27:
      return key::escape;
    case KEY_RESIZE:
      return canvas::resized;
    default:
      return code < KEY_MIN ? code : 0;
  }
}

}  // namespace

/// What Ctrl-\ does otherwise would leave the terminal as it is drawn on.
struct canvas::state {
  SCREEN* screen = nullptr;
  void (*quit_before)(int) = std::signal(SIGQUIT, SIG_IGN);

  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    if (screen != nullptr) {
      endwin();
      delscreen(screen);
    }
    std::signal(SIGQUIT, quit_before);
  }
};

bool canvas::is_possible() { return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1; }

canvas::canvas() : state_{std::make_unique<state>()} {
  const char* const kind = std::getenv("TERM");
  const auto refuse = [&](const char* why) {
    terminal::fail_cannot(fmt::format("top cannot draw on this terminal: {} (TERM is '{}'); --lines prints lines", why,
                                      results::printable(kind == nullptr ? "" : kind, 40)));
  };
  if (kind == nullptr || *kind == 0) refuse("its type is unknown");
  state_->screen = newterm(nullptr, stdout, stdin);
  if (state_->screen == nullptr) refuse("its type is unknown");
  if (tigetstr("cup") == nullptr) {
    state_.reset();
    refuse("it cannot move its cursor");
  }
  set_escdelay(25);
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  curs_set(0);
  typeahead(-1);  // else curses looks for keys, and writes what it has, within an update
}

canvas::~canvas() = default;

std::size_t canvas::width() const { return static_cast<std::size_t>(std::max(getmaxx(stdscr), 1)); }
std::size_t canvas::height() const { return static_cast<std::size_t>(std::max(getmaxy(stdscr), 1)); }

void canvas::draw(const std::vector<screen_line>& lines) {
  erase();
  for (std::size_t i = 0; i < std::min(lines.size(), height()); ++i) {
    attrset((lines[i].inverse ? A_REVERSE : A_NORMAL) | (lines[i].bold ? A_BOLD : A_NORMAL));
    mvaddnstr(static_cast<int>(i), 0, lines[i].text.c_str(), static_cast<int>(width()));
  }
  attrset(A_NORMAL);
  refresh();
}

std::optional<int> canvas::pressed(double seconds) {
  // What curses has read ahead is no longer in the terminal, so it is asked first.
  int code = getch();
  if (code == ERR) {
    pollfd keys{STDIN_FILENO, POLLIN, 0};
    poll(&keys, 1, std::clamp(static_cast<int>(std::ceil(seconds * 1000)), 0, 1000));
    if ((keys.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) return key::leave;
    code = getch();
  }
  return code == ERR ? std::nullopt : std::optional{meant_by(code)};
}

}  // namespace synchro::interpose
