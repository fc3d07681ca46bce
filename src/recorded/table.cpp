#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "recorded/shown.hpp"
#include "results/text.hpp"
#include "statistics/statistics.hpp"

namespace synchro::recorded {

namespace {

constexpr std::size_t most_rows = 20;

/// Locks of one name.
struct row {
  std::string name;
  std::size_t locks = 0;
  std::vector<const lock*> all = {};
  lock sum = {};
};

void add(lock& to, const lock& l) {
  to.what = l.what;
  to.samples += l.samples, to.contended += l.contended, to.hand_offs += l.hand_offs, to.across += l.across;
  to.holds += l.holds, to.hold_ns += l.hold_ns, to.wait_ns += l.wait_ns, to.long_ns += l.long_ns;
  to.condition_waits += l.condition_waits, to.condition_ns += l.condition_ns;
  to.threads = std::max(to.threads, l.threads), to.more_threads = to.more_threads || l.more_threads;
  for (std::size_t i = 0; i < to.wait.size(); ++i)
    to.wait[i] += l.wait[i], to.long_wait[i] += l.long_wait[i], to.hold[i] += l.hold[i];
}

std::vector<row> rows_of(const process& p) {
  std::map<std::string, row> by_name;
  for (const lock& l : p.locks) {
    if (!has_counts(l)) continue;
    const std::string name = *l.side() == 0 ? l.name() : fmt::format("{} ({})", l.name(), l.side());
    row& r = by_name[name];
    r.name = name;
    ++r.locks;
    add(r.sum, l);
  }
  std::vector<row> rows;
  rows.reserve(by_name.size());
  for (auto& [name, r] : by_name) rows.push_back(std::move(r));
  std::stable_sort(rows.begin(), rows.end(), [&](const row& a, const row& b) {
    return std::pair{wait_of(a.sum, p.every).value, a.sum.samples} >
           std::pair{wait_of(b.sum, p.every).value, b.sum.samples};
  });
  return rows;
}

std::string time_text(double ns) {
  if (ns < 999.5) return fmt::format("{:.0f} ns", ns);
  if (ns < 999.5e3) return fmt::format("{:.3g} us", ns / 1e3);
  if (ns < 999.5e6) return fmt::format("{:.3g} ms", ns / 1e6);
  return fmt::format("{:.1f} s", ns / 1e9);
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "" : fmt::format("{:.3g}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string below_text(std::optional<double> ns) { return ns ? fmt::format("<{}", time_text(*ns)) : ""; }

/// "20.3 ms ±4%"; "<154 us" where it may be nothing.
std::string estimate_text(const estimate& e) {
  if (e.scatter == 0) return time_text(e.value);
  if (e.scatter >= e.value) return below_text(e.high());
  return fmt::format("{} ±{:.0f}%", time_text(e.value), std::max(1.0, 100 * e.scatter / e.value));
}

/// Neither the total nor the place in the order that follows from it is sure.
bool is_doubtful(const std::vector<row>& rows, std::size_t i, unsigned every) {
  const estimate mine = wait_of(rows[i].sum, every);
  if (hardly_waited(rows[i].sum, every)) return true;
  if (mine.value == 0 || i + 1 == rows.size()) return false;
  const estimate next = wait_of(rows[i + 1].sum, every);
  return next.value > 0 && mine.value - next.value < std::hypot(mine.scatter, next.scatter);
}

std::string count_text(std::uint64_t n) { return n == 0 ? "" : fmt::format("{}", n); }

void add_row(std::vector<views::column>& values, const row& r, unsigned every, bool doubtful) {
  const lock& l = r.sum;
  const bool shared = l.what == platform::lock_recording::sort::reading;  // nobody hands it on
  const std::string entries[] = {
      fmt::format("{:.0f}", acquisitions_of(l, every).value),
      percent_text(l.contended, l.samples),
      estimate_text(wait_of(l, every)) + (doubtful ? " ?" : ""),
      below_text(wait_percentile(l, every, 99)),
      l.holds == 0 ? "" : time_text(static_cast<double>(l.hold_ns) / static_cast<double>(l.holds)),
      below_text(percentile(l.hold, 99)),
      fmt::format("{}{}", l.threads, l.more_threads ? "+" : ""),
      shared ? "" : percent_text(l.hand_offs, l.samples),
      shared ? "" : percent_text(l.across, l.samples),
      count_text(l.condition_waits)};
  for (std::size_t i = 0; i < values.size(); ++i) values[i].entries.push_back({entries[i], "", ""});
}

std::string table_of(const process& p, const views::style& s) {
  const std::vector<row> all = rows_of(p);
  const auto rest = all.size() - std::min(all.size(), most_rows);
  const std::vector<row> rows(all.begin(), all.end() - static_cast<std::ptrdiff_t>(rest));
  std::vector<views::column> labels{{"", "lock", {}}}, values;
  for (const auto& [group, name] :
       std::initializer_list<std::pair<const char*, const char*>>{{"", "acquired"},
                                                                  {"", "contended"},
                                                                  {"waited", "total"},
                                                                  {"waited", "99%"},
                                                                  {"held", "mean"},
                                                                  {"held", "99%"},
                                                                  {"", "threads"},
                                                                  {"handed on", "to another"},
                                                                  {"handed on", "domain"},
                                                                  {"", "condition waits"}})
    values.push_back({group, name, {}});
  bool doubtful = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const row& r = rows[i];
    const std::string name = r.locks == 1 ? r.name : fmt::format("{} ({} locks)", r.name, r.locks);
    labels[0].entries.push_back({results::printable(name, 60), "", ""});
    add_row(values, r, p.every, is_doubtful(all, i, p.every));
    doubtful = doubtful || is_doubtful(all, i, p.every);
  }
  std::string text = views::render(labels, values, s);
  if (rest > 0) text += fmt::format("and {} more, in the JSON document\n", rest);
  if (doubtful)
    text += fmt::format(
        "? waits in fewer than {} samples, or not surely longer than the next: the place in the order is not sure\n",
        results::fewest_for_an_interval);
  return text;
}

std::string calls_text(const std::vector<code_location>& calls) {
  std::string text;
  for (const code_location& p : calls) text += fmt::format("      {}\n", results::printable(text_of(p), 200));
  return text.empty() ? "      (unknown)\n" : text;
}

std::string cycles_of(const process& p) {
  std::string text;
  for (const auto& cycle : cycles(p)) {
    text += fmt::format(
        "\nLock-order cycle of {} locks, a potential deadlock: threads in different parts of it can block each "
        "other.\n",
        cycle.size());
    for (const order& o : cycle)
      text += fmt::format("  with {} held, {} was taken by thread {} at\n{}",
                          results::printable(p.locks[o.held].name(), 100),
                          results::printable(p.locks[o.next].name(), 100), o.thread, calls_text(o.calls));
  }
  return text;
}

std::string losses_of(const process& p) {
  std::string text;
  if (p.lost_samples != 0) text += fmt::format("not kept: {} samples, of locks beyond 65,534\n", p.lost_samples);
  if (p.lost_orders != 0) text += fmt::format("not kept: {} orders of locks\n", p.lost_orders);
  return text;
}

bool locks_mutex(const process& p) {
  using platform::lock_recording::sort;
  return std::any_of(p.locks.begin(), p.locks.end(),
                     [](const lock& l) { return l.what == sort::mutex || l.what == sort::spin; });
}

bool has_anything(const process& p) { return !rows_of(p).empty() || !cycles(p, 1).empty(); }

}  // namespace

std::string table_of(const run& r, const views::style& s) {
  std::string text;
  std::size_t silent = 0;
  std::uint64_t children = 0;
  for (const process& p : r.processes) {
    children += p.lost_children;
    if (!has_anything(p)) {
      ++silent;
      continue;
    }
    const std::string time = p.seconds ? fmt::format(", {:.3g} s", *p.seconds) : "";
    text += fmt::format("\n{} (process {}{}, {} locked)\n", results::printable(p.program, 100), p.pid, time,
                        p.threads == 1 ? "1 thread" : fmt::format("{} threads", p.threads));
    text += table_of(p, s) + losses_of(p) + cycles_of(p);
  }
  if (silent != 0)
    text += fmt::format("\n{} with no lock sampled\n", silent == 1 ? "1 process" : fmt::format("{} processes", silent));
  if (children != 0)
    text += fmt::format("\nnot recorded: {}, which could not write\n",
                        children == 1 ? "1 child process" : fmt::format("{} child processes", children));
  if (r.processes.empty()) return fmt::format("{}\n", nothing_recorded);
  if (std::none_of(r.processes.begin(), r.processes.end(), locks_mutex)) text += fmt::format("\n{}\n", no_mutex);
  return text + fmt::format(
                    "\n"
                    "One acquisition in {} was sampled; counts and totals are that many times the samples. Waits of {} "
                    "ns and more were all counted. ±: two standard deviations. Mutexes: {}.\n",
                    r.every, platform::lock_recording::long_wait, r.lock);
}

}  // namespace synchro::recorded
