// What `top` shows on a terminal, without the terminal: updates and keys go in, lines come out.

#ifndef SYNCHRO_INTERPOSE_LOCK_SCREEN_HPP
#define SYNCHRO_INTERPOSE_LOCK_SCREEN_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "recorded/watched.hpp"

namespace synchro::interpose {

/// A key: a character, or one of these.
namespace key {
inline constexpr int up = -1, down = -2, left = -3, right = -4, page_up = -5, page_down = -6, home = -7, end = -8,
                     enter = -9, escape = -10, backspace = -11, leave = -12;
}  // namespace key

struct screen_line {
  std::string text;  ///< Printable, as wide as the screen at most.
  bool inverse = false, bold = false;
};

/// The order of rows: the largest stands first, except for names.
enum class lock_column : std::uint8_t { acquired, contended, waiting, wait, held, hold, now, name };

/// The column of this name: "waiting"; nothing if there is none.
[[nodiscard]] std::optional<lock_column> column_called(const std::string& name);
[[nodiscard]] std::vector<std::string> column_names();

struct row_choice {
  lock_column by = lock_column::waiting;
  bool reversed = false;
  std::string filter = {};  ///< Part of a name or place, in whatever case; empty: all.
};

/// The rows that are wanted, in order.
[[nodiscard]] std::vector<recorded::lock_rates> chosen_rows(std::vector<recorded::lock_rates> all,
                                                            const row_choice& by);

/// One update.
struct lock_update {
  double seconds = 0;   ///< Since the watch began.
  double interval = 0;  ///< That it tells of.
  unsigned every = 1;
  std::size_t processes = 0;      ///< That run.
  std::size_t threads = 0;        ///< Their threads that have locked something so far.
  const char* silence = nullptr;  ///< Why no mutex or spin lock was seen so far; null: one was.
  std::vector<std::string> cycles = {};
  std::vector<recorded::lock_rates> rows = {};
};

class lock_screen {
 public:
  static constexpr std::size_t least_width = 60, least_height = 8;
  static constexpr std::size_t most_updates = 600, most_rows = 200;

  /// `program`: what is looked at.
  lock_screen(std::string program, row_choice by) : program_{std::move(program)}, choice_{std::move(by)} {}

  /// The first rows of an update are kept.
  void add(lock_update update);
  void press(int pressed);
  [[nodiscard]] bool is_left() const { return left_; }
  /// A screen too small for the table has one sentence.
  [[nodiscard]] std::vector<screen_line> lines(std::size_t width, std::size_t height);

 private:
  [[nodiscard]] const lock_update& shown() const { return updates_[updates_.size() - 1 - back_]; }
  void press_in_filter(int pressed);
  void go_back(std::size_t updates);
  void go_on(std::size_t updates);
  void next_column(bool forward);
  [[nodiscard]] std::string state_text() const;
  [[nodiscard]] std::string notice() const;
  [[nodiscard]] std::string row_text(const recorded::lock_rates& r, std::size_t width) const;
  [[nodiscard]] std::string heading(std::size_t width) const;
  void add_table(std::vector<screen_line>& to, std::size_t width, std::size_t height);

  std::string program_;
  row_choice choice_;
  std::deque<lock_update> updates_;
  std::size_t back_ = 0;  ///< How many updates before the last.
  bool paused_ = false, filtering_ = false, helping_ = false, left_ = false;
  std::size_t selected_ = 0, first_ = 0;
};

/// Without a terminal: what stands above the lines, and the lines of an update, one for each lock and one for all.
[[nodiscard]] std::string heading_of_lines();
[[nodiscard]] std::string lines_of(const lock_update& update, const row_choice& by);

}  // namespace synchro::interpose

#endif
