#include "cli/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "terminal/parse_values.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

using namespace std::chrono_literals;

constexpr std::size_t bar_cells = 24;

double share_done(const experiments::progress& p) {
  if (p.repetitions_all == 0) return 1;
  return std::min(1.0, static_cast<double>(p.repetitions_done) / static_cast<double>(p.repetitions_all));
}

std::string time_left(const experiments::progress& p) {
  return (p.repeats ? "at most " : "") + duration_text(p.seconds_left) + " left";
}

std::string what_is_next(const experiments::progress& p) {
  if (p.now == nullptr) return "";
  return (p.repeats ? "again, because it is uncertain: " : "") + p.now->what->name + " " + p.now->at.to_string();
}

}  // namespace

std::string progress_bar::line(const experiments::progress& p, const screen& where) {
  const double share = share_done(p);
  const auto full = static_cast<std::size_t>(std::floor(share * bar_cells));
  const std::string head = fmt::format("{:3.0f} % ", std::floor(share * 100));
  std::string tail = " " + time_left(p);
  const std::size_t width = where.width.value_or(80);
  const std::size_t fixed = head.size() + bar_cells + tail.size() + 3;
  if (const std::string next = what_is_next(p); width > fixed + 8 && !next.empty())
    tail += "  " + next.substr(0, width - fixed);
  const views::style style = style_for(where);
  return head + views::painted(std::string(full, '#'), views::tone::heading, style) +
         views::painted(std::string(bar_cells - full, '-'), views::tone::dim, style) + tail;
}

void progress_bar::show(const experiments::progress& p) {
  if (silent_) return;
  const auto now = clock::now();
  const bool end = p.now == nullptr;
  if (!end && last_ != clock::time_point::min() && now - last_ < (where_.terminal ? 100ms : 10s)) return;
  last_ = now;
  if (!where_.terminal) {
    if (!end) say(fmt::format("{:.0f} %, {}: {}", std::floor(share_done(p) * 100), time_left(p), what_is_next(p)));
    return;
  }
  const std::size_t columns = line(p, {where_.terminal, false, where_.width}).size();
  const std::size_t leftover = drawn_ > columns ? drawn_ - columns : 0;
  say_raw("\r" + line(p, where_) + std::string(leftover, ' '));
  drawn_ = columns;
}

void progress_bar::clear() {
  if (drawn_ > 0) say_raw("\r" + std::string(drawn_, ' ') + "\r");
  drawn_ = 0;
}

}  // namespace synchro::cli
