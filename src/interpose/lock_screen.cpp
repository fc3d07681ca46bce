#include "interpose/lock_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "recorded/shown.hpp"
#include "results/text.hpp"
#include "terminal/parse_values.hpp"
#include "views/findings.hpp"

namespace synchro::interpose {

namespace {

using recorded::lock_rates;

struct column_facts {
  lock_column id;
  const char *name, *heading;
  std::size_t width;
  double (*value)(const lock_rates&);
  std::string (*text)(const lock_rates&);
};

std::string count_text(double n) {
  if (n < 999.5) return fmt::format("{:.0f}", n);
  if (n < 999.5e3) return fmt::format("{:.3g}k", n / 1e3);
  return fmt::format("{:.3g}M", n / 1e6);
}

/// In five characters at most.
std::string share_text(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "<0.1%";
  return percent == 0 || percent >= 9.95 ? fmt::format("{:.0f}%", percent) : fmt::format("{:.1f}%", percent);
}

std::string time_or_none(double ns) { return ns == 0 ? "-" : views::time_text(ns); }

/// All but the name, in the order in which they stand.
constexpr column_facts columns[] = {
    {lock_column::acquired, "acquired", "acq/s", 7, [](const lock_rates& r) { return r.acquisitions; },
     [](const lock_rates& r) { return count_text(r.acquisitions); }},
    {lock_column::contended, "contended", "cont", 6, [](const lock_rates& r) { return r.contended; },
     [](const lock_rates& r) { return share_text(r.contended); }},
    {lock_column::waiting, "waiting", "waiting", 9, [](const lock_rates& r) { return r.waiting; },
     [](const lock_rates& r) { return fmt::format("{:.3f}", r.waiting); }},
    {lock_column::wait, "wait", "wait", 9, [](const lock_rates& r) { return r.wait_ns; },
     [](const lock_rates& r) { return time_or_none(r.wait_ns); }},
    {lock_column::held, "held", "held", 7, [](const lock_rates& r) { return r.held; },
     [](const lock_rates& r) { return fmt::format("{:.3f}", r.held); }},
    {lock_column::hold, "hold", "hold", 9, [](const lock_rates& r) { return r.hold_ns; },
     [](const lock_rates& r) { return time_or_none(r.hold_ns); }},
    {lock_column::now, "now", "now", 5, [](const lock_rates& r) { return static_cast<double>(r.waiting_now); },
     [](const lock_rates& r) { return fmt::format("{}", r.waiting_now); }}};

constexpr const char* name_column = "name";
constexpr std::size_t width_for_places = 120;

const column_facts& facts_of(lock_column c) {
  return *std::find_if(std::begin(columns), std::end(columns), [&](const column_facts& f) { return f.id == c; });
}

const char* name_of(lock_column c) { return c == lock_column::name ? name_column : facts_of(c).name; }

bool contains(const std::string& text, const std::string& part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

/// As wide as this.
std::string fitted(const std::string& text, std::size_t width) {
  const std::string cut = results::printable_ascii(text, width);
  return cut + std::string(width - std::min(width, cut.size()), ' ');
}

std::string with_locks(const lock_rates& r) {
  return r.locks == 1 ? r.name : fmt::format("{} ({} locks)", r.name, r.locks);
}

constexpr const char* help[] = {"Keys",
                                "  q, Ctrl-C     leave; a program that top has started ends, too",
                                "  p, space      pause, and continue",
                                "  left, right   one update back or forward; the screen shows that update",
                                "  Home, End     the oldest update that is kept; the newest",
                                "  <, >          order by the column to the left or right; n: by name",
                                "  r             reverse the order",
                                "  /             show only locks whose name or place contains what is typed",
                                "  up, down      choose a lock; the last line says where it was taken",
                                "",
                                "Columns",
                                "  acq/s         acquisitions a second",
                                "  cont          share of them that had to wait",
                                "  waiting       threads that waited, on average: of waits that have ended",
                                "  wait, hold    how long one of them waited, how long it was held, on average",
                                "  held          locks of this name that were held, on average",
                                "  now           samples that wait now: at least so many threads wait"};

}  // namespace

std::vector<std::string> column_names() {
  std::vector<std::string> names;
  for (const column_facts& f : columns) names.emplace_back(f.name);
  names.emplace_back(name_column);
  return names;
}

std::optional<lock_column> column_called(const std::string& name) {
  if (name == name_column) return lock_column::name;
  for (const column_facts& f : columns)
    if (name == f.name) return f.id;
  return std::nullopt;
}

std::vector<lock_rates> chosen_rows(std::vector<lock_rates> all, const row_choice& by) {
  std::erase_if(all, [&](const lock_rates& r) {
    return !by.filter.empty() && !contains(r.name, by.filter) && !contains(r.place, by.filter);
  });
  std::stable_sort(all.begin(), all.end(), [&](const lock_rates& a, const lock_rates& b) {
    const lock_rates &first = by.reversed ? b : a, &second = by.reversed ? a : b;
    if (by.by == lock_column::name) return first.name < second.name;
    const auto value = facts_of(by.by).value;
    if (value(first) != value(second)) return value(first) > value(second);
    return first.acquisitions > second.acquisitions;
  });
  return all;
}

void lock_screen::add(lock_update update) {
  if (update.rows.size() > most_rows) {
    update.rows = chosen_rows(std::move(update.rows), {choice_.by, choice_.reversed, {}});
    update.rows.resize(most_rows);
  }
  updates_.push_back(std::move(update));
  if (paused_) ++back_;
  if (updates_.size() > most_updates) updates_.pop_front();
  back_ = std::min(back_, updates_.size() - 1);
}

void lock_screen::go_back(std::size_t n) {
  paused_ = true;
  if (!updates_.empty()) back_ = std::min(back_ + n, updates_.size() - 1);
}

void lock_screen::go_on(std::size_t n) {
  paused_ = true;
  back_ -= std::min(back_, n);
}

void lock_screen::next_column(bool forward) {
  const auto at = static_cast<std::size_t>(
      std::find_if(std::begin(columns), std::end(columns), [&](const auto& f) { return f.id == choice_.by; }) -
      std::begin(columns));
  constexpr std::size_t count = std::size(columns);
  choice_.by = columns[at == count ? 0 : (at + (forward ? 1 : count - 1)) % count].id;
}

void lock_screen::press_in_filter(int pressed) {
  std::string& text = choice_.filter;
  if (pressed == key::enter || pressed == key::escape) filtering_ = false;
  if (pressed == key::escape) text.clear();
  if (pressed == key::backspace && !text.empty()) text.pop_back();
  if (pressed >= ' ' && pressed < 127 && text.size() < 40) text += static_cast<char>(pressed);
}

void lock_screen::press(int pressed) {
  if (pressed == key::leave) left_ = true;
  if (filtering_) return press_in_filter(pressed);
  constexpr std::size_t page = 10;
  switch (pressed) {
    case 'q':
      left_ = true;
      break;
    case 'p':
    case ' ':
      paused_ = !paused_, back_ = 0;
      break;
    case key::left:
      go_back(1);
      break;
    case key::right:
      go_on(1);
      break;
    case key::home:
      go_back(updates_.size());
      break;
    case key::end:
      paused_ = false, back_ = 0;
      break;
    case '<':
      next_column(false);
      break;
    case '>':
      next_column(true);
      break;
    case 'n':
      choice_.by = lock_column::name;
      break;
    case 'r':
      choice_.reversed = !choice_.reversed;
      break;
    case '/':
      filtering_ = true;
      break;
    case '?':
    case 'h':
      helping_ = !helping_;
      break;
    case key::escape:
      helping_ = false, choice_.filter.clear();
      break;
    case key::up:
      selected_ -= std::min<std::size_t>(selected_, 1);
      break;
    case key::down:
      ++selected_;
      break;
    case key::page_up:
      selected_ -= std::min(selected_, page);
      break;
    case key::page_down:
      selected_ += page;
      break;
    default:
      break;
  }
}

std::string lock_screen::state_text() const {
  const lock_update& u = shown();
  std::string text = fmt::format("{:.1f} s, every {:.3g} s", u.seconds, u.interval);
  if (paused_) text += fmt::format(", paused, {:.1f} s ago", updates_.back().seconds - u.seconds);
  text += fmt::format("; by {}{}", name_of(choice_.by), choice_.reversed ? ", least first" : "");
  if (!choice_.filter.empty() || filtering_)
    text += fmt::format("; with '{}{}'", choice_.filter, filtering_ ? "_" : "");
  return text;
}

std::string lock_screen::notice() const {
  const lock_update& u = shown();
  if (!u.cycles.empty())
    return fmt::format("{}: {}",
                       u.cycles.size() == 1 ? "Lock-order cycle" : fmt::format("{} lock-order cycles", u.cycles.size()),
                       u.cycles.front());
  if (u.silence != nullptr) return u.silence;
  return u.every == 1 ? "Every acquisition is sampled."
                      : fmt::format("One acquisition in {} is sampled; the rest is estimated.", u.every);
}

std::string lock_screen::heading(std::size_t width) const {
  std::string numbers;
  for (const column_facts& f : columns)
    numbers += fmt::format("{:>{}}", f.id == choice_.by ? fmt::format("*{}", f.heading) : f.heading, f.width);
  const std::size_t left = width - numbers.size();
  if (width < width_for_places) return fitted("lock", left) + numbers;
  return fitted("lock", left / 2) + numbers + fitted("  taken at", left - left / 2);
}

std::string lock_screen::row_text(const lock_rates& r, std::size_t width) const {
  std::string numbers;
  for (const column_facts& f : columns) numbers += fmt::format("{:>{}}", f.text(r), f.width);
  const std::size_t left = width - std::min(width, numbers.size());
  const std::string name = shown().processes > 1 ? fmt::format("{} {}", r.pid, with_locks(r)) : with_locks(r);
  if (width < width_for_places) return fitted(name, left) + numbers;
  return fitted(name, left / 2) + numbers + fitted("  " + r.place, left - left / 2);
}

void lock_screen::add_table(std::vector<screen_line>& to, std::size_t width, std::size_t height) {
  const auto rows = chosen_rows(shown().rows, choice_);
  selected_ = rows.empty() ? 0 : std::min(selected_, rows.size() - 1);
  first_ = std::clamp(first_, selected_ + 1 > height ? selected_ + 1 - height : 0, selected_);
  for (std::size_t i = first_; i < rows.size() && i < first_ + height; ++i)
    to.push_back({row_text(rows[i], width), i == selected_, false});
  if (rows.empty()) to.push_back({fitted("no lock was taken in this interval", width)});
  to.resize(to.size() + height -
            std::min(height, std::max<std::size_t>(rows.size() - std::min(rows.size(), first_), 1)));
  const std::string place = rows.empty() ? "" : rows[selected_].place;
  to.push_back({fitted(
      rows.empty() ? ""
                   : fmt::format("{}, taken at {}", rows[selected_].name, place.empty() ? "an unknown place" : place),
      width)});
}

std::vector<screen_line> lock_screen::lines(std::size_t width, std::size_t height) {
  if (width < least_width || height < least_height)
    return {
        {results::printable_ascii(fmt::format("too small: {} by {} are needed", least_width, least_height), width)}};
  std::vector<screen_line> all;
  if (helping_) {
    for (const char* line : help) all.push_back({fitted(line, width)});
    all.resize(std::min(all.size(), height - 1));
    all.push_back({fitted("h: back to the locks", width), true});
    return all;
  }
  if (updates_.empty()) return {{fitted(fmt::format("synchroscope top: {}: no update yet", program_), width)}};
  const lock_update& u = shown();
  const std::string facts =
      fmt::format(" {}, {} so far", u.processes == 1 ? "1 process" : fmt::format("{} processes", u.processes),
                  terminal::counted(u.threads, "thread"));
  all.push_back({fitted(program_, width - facts.size()) + facts, false, true});
  all.push_back({fitted(state_text(), width)});
  all.push_back({fitted(notice(), width), false, !u.cycles.empty()});
  all.push_back({heading(width), true});
  constexpr std::size_t around = 6;
  add_table(all, width, height - around);
  all.push_back({fitted("q leave  p pause  left/right in time  <> order  r reverse  / filter  h help", width), true});
  return all;
}

std::string heading_of_lines() {
  return "seconds\tpid\tacquired_per_s\tcontended\twaiting\twait_ns\theld\thold_ns\twaiting_now\tlock\ttaken_at\n";
}

std::string lines_of(const lock_update& update, const row_choice& by) {
  std::string text;
  double acquired = 0, waiting = 0;
  unsigned now = 0;
  const auto rows = chosen_rows(update.rows, by);
  for (const lock_rates& r : rows) {
    acquired += r.acquisitions, waiting += r.waiting, now += r.waiting_now;
    text += fmt::format("{:.3f}\t{}\t{:.0f}\t{:.4f}\t{:.4f}\t{:.0f}\t{:.4f}\t{:.0f}\t{}\t{}\t{}\n", update.seconds,
                        r.pid, r.acquisitions, r.contended, r.waiting, r.wait_ns, r.held, r.hold_ns, r.waiting_now,
                        results::printable(with_locks(r), 200), results::printable(r.place, 200));
  }
  return fmt::format("{:.3f}\t-\t{:.0f}\t-\t{:.4f}\t-\t-\t-\t{}\t(all)\t\n", update.seconds, acquired, waiting, now) +
         text;
}

}  // namespace synchro::interpose
