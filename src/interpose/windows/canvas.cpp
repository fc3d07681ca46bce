// `top` has nothing to look at on Windows.

#include "interpose/canvas.hpp"

#include "terminal/failure.hpp"

namespace synchro::interpose {

struct canvas::state {};

bool canvas::is_possible() { return false; }
canvas::canvas() { terminal::fail_cannot("top is not available on Windows"); }
canvas::~canvas() = default;
std::size_t canvas::width() const { return 0; }
std::size_t canvas::height() const { return 0; }
void canvas::draw(const std::vector<screen_line>&) {}
std::optional<int> canvas::pressed(double) { return std::nullopt; }

}  // namespace synchro::interpose
