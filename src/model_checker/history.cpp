#include "model_checker/history.hpp"

#include <algorithm>
#include <bit>

#include "model_checker/hashing.hpp"

namespace synchro::model_checker {

namespace {

const char* name_of(verb what) {
  constexpr const char* names[] = {"send",  "try_send", "timed_send", "receive", "try_receive", "timed_receive",
                                   "close", "read",     "try_read",   "write",   "add",         "put",
                                   "get",   "insert",   "remove",     "contains"};
  return names[static_cast<std::size_t>(what)];
}

bool has_argument(verb what) {
  switch (what) {
    case verb::receive:
    case verb::try_receive:
    case verb::timed_receive:
    case verb::close:
    case verb::read:
    case verb::try_read:
      return false;
    default:
      return true;
  }
}

char letter(unsigned thread) { return static_cast<char>('a' + thread); }

/// Two halves of a value are told apart.
std::string number(std::uint64_t value) {
  const std::uint64_t high = value >> 32;
  const std::string low = std::to_string(value & 0xffff'ffffU);
  return high == 0 ? low : std::to_string(high) + "|" + low;
}

std::string told(const call& c) {
  std::string text = name_of(c.what);
  if (has_argument(c.what)) text += " " + number(c.argument);
  if (c.what == verb::put) text += " " + number(c.second);
  if (!c.returned) return text + " -> never";
  const bool says_only_that =
      c.result == said_yes && (c.what == verb::send || c.what == verb::close || c.what == verb::write);
  return says_only_that ? text : text + " -> " + (c.result ? number(*c.result) : "nothing");
}

/// The place of a call among those of its thread, from 1.
unsigned place_of(const history& of, std::size_t i) {
  return 1 + static_cast<unsigned>(std::count_if(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(i),
                                                 [&](const call& c) { return c.thread == of[i].thread; }));
}

/// Of each other thread the last call that had returned; the earlier ones go without saying.
std::string order_of(const history& of, std::size_t at) {
  std::string text;
  for (unsigned t = 0; t <= max_threads; ++t) {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < of.size(); ++i)
      if (of[i].thread == t && t != of[at].thread && (of[at].behind >> i & 1U) != 0) last = i;
    if (last)
      text += (text.empty() ? " after " : " and ") + std::string{letter(t)} + std::to_string(place_of(of, *last));
  }
  return text;
}

}  // namespace

std::string to_string(const history& of) {
  std::string text;
  for (unsigned t = 0; t <= max_threads; ++t) {
    bool first = true;
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (of[i].thread != t) continue;
      text += first ? (text.empty() ? "" : "; ") + std::string{letter(t)} + ": " : ", ";
      text += told(of[i]) + order_of(of, i);
      first = false;
    }
  }
  return text;
}

bool recorder::begin(unsigned thread, call made, std::uint64_t returned) {
  const auto before = static_cast<unsigned>(
      std::count_if(entries_.begin(), entries_.end(), [thread](const entry& e) { return e.made.thread == thread; }));
  if (before == most_of_a_thread) return false;
  made.thread = thread;
  made.returned = false;
  made.behind = returned;
  entries_.push_back({thread * most_of_a_thread + before, made});
  return true;
}

unsigned recorder::end(unsigned thread, std::optional<std::uint64_t> result) {
  const auto mine =
      std::find_if(entries_.rbegin(), entries_.rend(), [thread](const entry& e) { return e.made.thread == thread; });
  mine->made.result = result;
  mine->made.returned = true;
  return mine->number;
}

history recorder::all() const {
  std::vector<entry> sorted = entries_;
  std::sort(sorted.begin(), sorted.end(), [](const entry& a, const entry& b) { return a.number < b.number; });
  history calls;
  for (const entry& e : sorted) {
    call c = e.made;
    c.behind = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if ((e.made.behind >> sorted[i].number & 1U) != 0) c.behind |= std::uint64_t{1} << i;
    calls.push_back(c);
  }
  return calls;
}

std::uint64_t recorder::hash() const {
  std::uint64_t sum = 0;
  for (const auto& [number, c] : entries_) {
    std::uint64_t h = chain(number + 1, static_cast<std::uint64_t>(c.what) << 2 | std::uint64_t{c.returned} << 1 |
                                            std::uint64_t{c.result.has_value()});
    for (const std::uint64_t part : {c.argument, c.second, c.result.value_or(0), c.behind}) h = chain(h, part);
    sum += h;
  }
  return sum;
}

}  // namespace synchro::model_checker
