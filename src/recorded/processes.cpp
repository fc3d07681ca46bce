#include "recorded/processes.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "platform/symbols.hpp"
#include "recorded/recording.hpp"
#include "statistics/statistics.hpp"

namespace synchro::recorded {

namespace {

const platform::symbol_table& table_of_symbols(const std::string& path) {
  static std::map<std::string, platform::symbol_table> tables;
  return tables.try_emplace(path, path).first->second;
}

/// Not where a lock is made that a library makes for its user.
bool is_of_runtime(const code_location& p) {
  const std::string file = p.module.substr(p.module.rfind('/') + 1);
  return file.starts_with("libc.so") || file.starts_with("libstdc++.so") || file.starts_with("libpthread");
}

histogram counts_of(const layout::histogram& h) {
  histogram counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = h.counts[i].load();
  return counts;
}

lock lock_of(const layout::lock& l, const names& known, const std::vector<layout::stack>& stacks) {
  lock out = named(l, known, stacks);
  out.samples = l.samples.load(), out.contended = l.contended.load();
  out.hand_offs = l.hand_offs.load(), out.across = l.across.load();
  out.holds = l.holds.load(), out.hold_ns = l.hold_ns.load(), out.wait_ns = l.wait_ns.load();
  out.long_ns = l.long_ns.load();
  out.gaps = l.gaps.load(), out.gap_ns = l.gap_ns.load();
  out.condition_waits = l.condition_waits.load(), out.condition_ns = l.condition_ns.load();
  for (const auto& bits : l.threads) out.threads += static_cast<unsigned>(std::popcount(bits.load()));
  out.more_threads = (l.threads[std::size(l.threads) - 1].load() >> 63) != 0;
  out.wait = counts_of(l.wait), out.hold = counts_of(l.hold), out.gap = counts_of(l.gap);
  for (std::size_t i = layout::long_bucket; i < out.wait.size(); ++i) std::swap(out.wait[i], out.long_wait[i]);
  return out;
}

process process_of(const layout::header& h) {
  process p;
  p.pid = h.pid, p.parent = h.parent, p.every = std::max(h.every, 1U), p.clock_ns = h.clock, p.begun = h.begun;
  p.program = text_in(h.program);
  if (const std::uint64_t ended = h.ended.load(); ended > h.begun)
    p.seconds = static_cast<double>(ended - h.begun) / 1e9;
  p.threads = h.threads.load();
  p.lost_samples = h.lost_samples.load(), p.lost_spans = h.lost_spans.load(), p.lost_orders = h.lost_orders.load();
  p.lost_path_ns = h.lost_path_ns.load();
  p.lost_children = h.heirs.load();
  return p;
}

std::optional<std::uint64_t> queued_of(const layout::thread& t) {
  const std::uint64_t queued = t.queued.load();
  if (t.queued_before == t.unknown || queued == t.unknown || queued < t.queued_before) return std::nullopt;
  return queued - t.queued_before;
}

std::optional<process> read_recording(const recording& from) {
  layout::header h{};
  if (!from.read_header(h)) return std::nullopt;
  const auto modules = objects_of<layout::modules, layout::module>(from, h.modules);
  const auto stacks = objects_of<layout::stacks, layout::stack>(from, h.stacks.load());
  const auto locks = objects_of<layout::locks, layout::lock>(from, h.locks.load());
  const names known{modules};
  process p = process_of(h);
  for (const auto& l : locks) p.locks.push_back(lock_of(l, known, stacks));
  find_arrays(p.locks);
  const auto is_lock = [&](std::size_t n) { return n != 0 && n <= locks.size(); };
  for (const auto& o : objects_of<layout::orders, layout::order>(from, h.orders.load()))
    if (is_lock(o.held) && is_lock(o.next))
      p.orders.push_back({o.held - 1U, o.next - 1U, o.thread, known.of(stacks, o.stack)});
  for (const auto& s : objects_of<layout::spans, layout::span>(from, h.spans.load()))
    if (s.from.load() != 0 && is_lock(s.lock))
      p.spans.push_back({s.from.load(), s.wait, s.hold, s.thread, s.lock - 1U});
  for (const auto& w : objects_of<layout::paths, layout::path>(from, h.paths.load()))
    if (is_lock(w.lock)) p.paths.push_back({w.lock - 1U, known.of(stacks, w.stack), w.waits.load(), w.ns.load()});
  for (const auto& t : objects_of<layout::threads, layout::thread>(from, h.threads.load()))
    if (const std::uint64_t seen = t.seen.load(), worked = t.worked.load(); seen > t.begun && worked > t.worked_before)
      p.by_thread.push_back(
          {t.thread, seen - t.begun, worked - t.worked_before, t.samples.load(), t.condition_ns.load(), queued_of(t)});
  for (const auto& two : objects_of<layout::pairs, layout::pair>(from, layout::pairs::most))
    if (const std::uint32_t both = two.both.load(); is_lock(both >> 16) && is_lock(both & 0xFFFF))
      p.pairs.push_back(
          {(both >> 16) - 1U, (both & 0xFFFF) - 1U, two.follows.load(), two.inside.load(), two.tried.load()});
  return p;
}

/// The process that made this file, and those that took further parts of it.
std::vector<process> processes_of(const std::string& path) {
  const platform::own_file file{path};
  std::vector<process> all;
  for (std::size_t part = 0; part < layout::most_parts; ++part)
    if (auto p = read_recording({file, part * layout::bytes})) all.push_back(std::move(*p));
  if (!all.empty()) all[0].lost_children -= std::min<std::uint64_t>(all[0].lost_children, all.size() - 1);
  return all;
}

constexpr double deviations = 2;

/// The share of the acquisitions that were not looked at.
double unseen(unsigned every) { return 1 - 1.0 / every; }

/// The scatter of a total: each was seen with the chance of one in `every`.
double scatter_of(const histogram& h, unsigned every) {
  double squares = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double middle = 1.5 * static_cast<double>(std::uint64_t{1} << i);
    squares += h[i] * middle * middle;
  }
  return deviations * every * std::sqrt(squares * unseen(every));
}

using chain = std::vector<std::size_t>;  // places in process::orders

/// The shortest way along orders from one lock to another; empty if there is none.
chain way(const process& p, const std::vector<chain>& from, std::size_t begin, std::size_t end) {
  std::map<std::size_t, std::size_t> reached_by;
  std::vector<std::size_t> open{begin};
  for (std::size_t i = 0; i < open.size() && reached_by.count(end) == 0; ++i)
    for (const std::size_t o : from[open[i]])
      if (const std::size_t next = p.orders[o].next; reached_by.try_emplace(next, o).second) open.push_back(next);
  chain back;
  if (reached_by.count(end) == 0) return back;
  for (std::size_t at = end; back.empty() || at != begin; at = p.orders[back.back()].held)
    back.push_back(reached_by.at(at));
  return {back.rbegin(), back.rend()};
}

/// For each lock the orders that begin there, without those that can be in no cycle.
std::vector<chain> in_question(const process& p) {
  std::vector<bool> gone(p.orders.size());
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<bool> left(p.locks.size()), entered(p.locks.size());
    for (std::size_t i = 0; i < p.orders.size(); ++i)
      if (!gone[i]) left[p.orders[i].held] = entered[p.orders[i].next] = true;
    for (std::size_t i = 0; i < p.orders.size(); ++i)
      if (!gone[i] && !(entered[p.orders[i].held] && left[p.orders[i].next])) gone[i] = changed = true;
  }
  std::vector<chain> from(p.locks.size());
  for (std::size_t i = 0; i < p.orders.size(); ++i)
    if (!gone[i]) from[p.orders[i].held].push_back(i);
  return from;
}

}  // namespace

code_location names::of(std::uint64_t address, bool is_call) const {
  const auto inside = [&](const layout::module& m) { return m.from <= address && address < m.to; };
  const auto found = std::find_if(modules_.rbegin(), modules_.rend(), inside);
  if (found == modules_.rend()) return {"", address, "", 0};
  code_location p{text_in(found->path), address - found->bias, "", 0};
  if (const auto s = table_of_symbols(p.module).at(p.offset - (is_call ? 1 : 0)))
    p.symbol = s->name, p.into = s->into + (is_call ? 1 : 0), p.size = s->size;
  return p;
}

std::vector<code_location> names::of(const std::vector<layout::stack>& stacks, std::uint32_t number) const {
  std::vector<code_location> calls;
  if (number == 0 || number > stacks.size()) return calls;
  const layout::stack& s = stacks[number - 1];
  for (std::size_t i = 0; i < std::min<std::size_t>(s.depth, layout::stack::most); ++i)
    calls.push_back(of(s.calls[i], true));
  return calls;
}

lock named(const layout::lock& l, const names& known, const std::vector<layout::stack>& stacks) {
  lock out;
  out.address = l.address, out.what = l.what;
  out.object = known.of(l.address, false);
  out.initialised = l.initialised != 0;
  out.made_at = known.of(stacks, l.made_at);
  return out;
}

const code_location* own_call(const std::vector<code_location>& calls) {
  const auto own = std::find_if_not(calls.begin(), calls.end(), is_of_runtime);
  return own == calls.end() ? nullptr : &*own;
}

std::string text_of(const code_location& p) {
  const auto plus = [](const std::string& what, std::uint64_t into) {
    return into == 0 ? what : fmt::format("{}+{:#x}", what, into);
  };
  if (!p.symbol.empty() && p.step > 0) return fmt::format("{}[{}]", p.symbol, p.into / p.step);
  if (!p.symbol.empty()) return plus(p.symbol, p.into);
  if (p.module.empty()) return fmt::format("{:#x}", p.offset);
  return fmt::format("{}+{:#x}", p.module.substr(p.module.rfind('/') + 1), p.offset);
}

std::string lock::name() const {
  if (!object.module.empty()) return text_of(object);
  const code_location* const own = own_call(made_at);
  if (own == nullptr) return fmt::format("{:#x}", address);
  return fmt::format("made at {}", text_of(*own));
}

std::uint64_t lock::least_bytes() const {
  using enum layout::sort;
  return what == mutex ? sizeof(pthread_mutex_t) : what == spin ? sizeof(pthread_spinlock_t) : sizeof(pthread_rwlock_t);
}

/// Two may be members of anything.
constexpr std::size_t fewest_of_an_array = 3;

void find_arrays(std::vector<lock>& locks) {
  std::map<std::pair<std::string, std::uint64_t>, std::vector<lock*>> objects;  // by module and where the object begins
  for (lock& l : locks) l.object.step = 0;
  for (lock& l : locks)
    if (!l.object.symbol.empty() && l.object.size > 0)
      objects[{l.object.module, l.object.offset - l.object.into}].push_back(&l);
  for (const auto& [begin, held] : objects) {
    const code_location& first = held.front()->object;
    std::uint64_t step = first.size, bytes = 0;
    std::set<std::uint64_t> places;
    for (const lock* l : held) {
      const std::uint64_t into = l->object.into;
      step = std::gcd(step, std::max(into, first.into) - std::min(into, first.into));
      bytes = std::max(bytes, l->least_bytes()), places.insert(into);
    }
    if (places.size() < fewest_of_an_array || step < bytes || step >= 2 * bytes) continue;
    for (lock* l : held) l->object.step = step;
  }
}

const char* lock::kind() const {
  using enum layout::sort;
  return what == mutex ? "mutex" : what == spin ? "spinlock" : "rwlock";
}

const char* lock::side() const {
  using enum layout::sort;
  return what == writing ? "writing" : what == reading ? "reading" : "";
}

std::vector<std::string> files_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> all;
  std::filesystem::directory_iterator each{folder, error};
  for (; !error && each != std::filesystem::directory_iterator{}; each.increment(error))
    all.push_back(each->path().string());
  if (error) throw std::runtime_error{fmt::format("the recordings in {} cannot be read: {}", folder, error.message())};
  return all;
}

std::vector<process> read_recordings(const std::string& folder) {
  std::vector<process> all;
  for (const std::string& file : files_in(folder))
    for (process& p : processes_of(file)) all.push_back(std::move(p));
  std::sort(all.begin(), all.end(), [](const process& a, const process& b) { return a.begun < b.begun; });
  return all;
}

std::vector<std::vector<order>> cycles(const process& p, std::size_t most) {
  const auto from = in_question(p);
  std::vector<std::vector<std::size_t>> seen;
  std::vector<std::vector<order>> all;
  for (const chain& begins : from)
    for (const std::size_t first : begins) {
      if (all.size() == most) return all;
      chain cycle = way(p, from, p.orders[first].next, p.orders[first].held);
      if (cycle.empty()) continue;
      cycle.insert(cycle.begin(), first);
      std::vector<order> orders;
      std::vector<std::size_t> locks;
      for (const std::size_t o : cycle) orders.push_back(p.orders[o]), locks.push_back(p.orders[o].held);
      std::sort(locks.begin(), locks.end());
      if (std::find(seen.begin(), seen.end(), locks) != seen.end()) continue;
      seen.push_back(locks);
      all.push_back(std::move(orders));
    }
  return all;
}

std::optional<double> percentile(const histogram& h, double percent) {
  lock l;
  l.wait = h;
  return wait_percentile(l, 1, percent);
}

std::optional<double> wait_percentile(const lock& l, unsigned every, double percent) {
  const auto count = [&](std::size_t i) { return static_cast<double>(every) * l.wait[i] + l.long_wait[i]; };
  double all = 0, below = 0;
  for (std::size_t i = 0; i < l.wait.size(); ++i) all += count(i);
  if (all == 0) return std::nullopt;
  for (std::size_t i = 0; i < l.wait.size(); ++i) {
    below += count(i);
    if (below >= all * percent / 100) return static_cast<double>(std::uint64_t{2} << i);
  }
  return std::nullopt;
}

estimate acquisitions_of(const lock& l, unsigned every) {
  std::uint64_t longs = 0;
  for (const auto n : l.long_wait) longs += n;
  const auto samples = static_cast<double>(l.samples);
  // Among 3 K acquisitions none is a sample once in twenty times.
  const double scatter =
      samples == 0 && every > 1 ? 3.0 * every : deviations * every * std::sqrt(samples * unseen(every));
  return {std::max(every * samples, static_cast<double>(longs)), scatter,
          std::max(samples, static_cast<double>(longs))};
}

estimate wait_of(const lock& l, unsigned every) {
  return {static_cast<double>(l.wait_ns) * every + static_cast<double>(l.long_ns), scatter_of(l.wait, every),
          static_cast<double>(l.wait_ns + l.long_ns)};
}

bool has_counts(const lock& l) { return l.samples != 0 || l.condition_waits != 0 || l.long_ns != 0; }

bool hardly_waited(const lock& l, unsigned every) {
  std::uint64_t seen = 0;
  for (const auto n : l.wait) seen += n;
  return every > 1 && seen > 0 && seen < results::fewest_for_an_interval && l.wait_ns * every > l.long_ns;
}

estimate hold_of(const lock& l, unsigned every) {
  const auto seen = static_cast<double>(l.hold_ns);
  return {seen * every, scatter_of(l.hold, every), seen};
}

}  // namespace synchro::recorded
