// A terminal that is drawn on as a whole, and its keys.

#ifndef SYNCHRO_INTERPOSE_CANVAS_HPP
#define SYNCHRO_INTERPOSE_CANVAS_HPP

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "interpose/lock_screen.hpp"

namespace synchro::interpose {

/// The terminal is as it was when this object has gone.
class canvas {
 public:
  /// Whether standard input and output are a terminal.
  [[nodiscard]] static bool is_possible();

  /// Throws failure (cannot) with one sentence if the kind of the terminal is unknown or can move no cursor.
  canvas();
  ~canvas();
  canvas(const canvas&) = delete;
  canvas& operator=(const canvas&) = delete;

  [[nodiscard]] std::size_t width() const;
  [[nodiscard]] std::size_t height() const;
  void draw(const std::vector<screen_line>& lines);
  /// Waits so many seconds at most. `resized` if the terminal has another size; nothing if no key came, or a signal did.
  [[nodiscard]] std::optional<int> pressed(double seconds);
  static constexpr int resized = -100;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace synchro::interpose

#endif
