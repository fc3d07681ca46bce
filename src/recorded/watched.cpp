#include "recorded/watched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "recorded/recording.hpp"

namespace synchro::recorded {

namespace {

lock_counts counts_so_far(const layout::lock& l) {
  lock_counts counts{l.samples.load(), l.contended.load(),       l.wait_ns.load(), l.holds.load(),
                     l.hold_ns.load(), l.condition_waits.load(), l.waiting.load(), l.taken_at.load()};
  counts.long_ns = l.long_ns.load();
  if (counts.long_ns == 0) return counts;
  for (std::size_t i = layout::long_bucket; i < l.wait.buckets; ++i) counts.long_waits += l.wait.counts[i].load();
  return counts;
}

std::string name_with_side(const lock& l) {
  return *l.side() == 0 ? l.name() : fmt::format("{} ({})", l.name(), l.side());
}

}  // namespace

/// A part of a file, and what has been read of it.
class watched_part {
 public:
  /// Nothing if nobody has written there.
  std::optional<watched_process> look(const recording& from) {
    layout::header h{};
    if (!from.read_header(h)) return std::nullopt;
    watched_process p;
    p.pid = h.pid, p.begun = h.begun, p.program = text_in(h.program), p.every = std::max(h.every, 1U),
    p.threads = h.threads.load();
    p.over = h.ended.load() != 0;
    read_objects<layout::locks>(from, h.locks.load(), locks_);
    for (const auto& l : locks_) {
      p.locks.push_back(counts_so_far(l));
      p.locks_mutex = p.locks_mutex || l.what == layout::sort::mutex || l.what == layout::sort::spin;
    }
    learn(from, locks_);
    if (const std::uint32_t orders = h.orders.load(); orders != orders_) find_cycles(from, locks_.size(), orders);
    p.cycles = cycles_;
    p.names = names_;
    return p;
  }

 private:
  /// Names of what was not there before. Earlier moments keep what they have.
  void learn(const recording& from, const std::vector<layout::lock>& locks) {
    const bool new_places = std::any_of(locks.begin(), locks.end(), [&](const layout::lock& l) {
      return l.taken_at.load() != 0 && !names_->places.contains(l.taken_at.load());
    });
    if (locks.size() == names_->locks.size() && !new_places) return;
    layout::header h{};  // anew: what these locks refer to was counted before them
    static_cast<void>(from.read_header(h));
    const auto stacks = objects_of<layout::stacks, layout::stack>(from, h.stacks.load());
    const auto modules = objects_of<layout::modules, layout::module>(from, h.modules);
    const names known{modules};
    auto more = std::make_shared<known_names>(*names_);
    for (std::size_t i = more->locks.size(); i < locks.size(); ++i) {
      lock l = named(locks[i], known, stacks);
      more->locks.push_back(name_with_side(l));
      if (!l.object.symbol.empty()) of_objects_.push_back(std::move(l)), places_of_objects_.push_back(i);
    }
    if (locks.size() != names_->locks.size()) name_elements(*more);
    for (const auto& l : locks)
      if (const std::uint32_t n = l.taken_at.load(); n != 0 && !more->places.contains(n)) {
        const auto calls = known.of(stacks, n);
        const code_location* const own = own_call(calls);
        more->places[n] = own == nullptr ? "" : text_of(*own);
      }
    names_ = std::move(more);
  }

  /// A lock that is new may show that those before it are elements of an array.
  void name_elements(known_names& all) {
    find_arrays(of_objects_);
    for (std::size_t i = 0; i < of_objects_.size(); ++i)
      all.locks[places_of_objects_[i]] = name_with_side(of_objects_[i]);
    orders_ = 0;  // cycles have these names in them
  }

  void find_cycles(const recording& from, std::size_t locks, std::uint32_t count) {
    process p;
    p.locks.resize(locks);
    const auto is_lock = [&](std::size_t n) { return n != 0 && n <= locks; };
    for (const auto& o : objects_of<layout::orders, layout::order>(from, count))
      if (is_lock(o.held) && is_lock(o.next)) p.orders.push_back({o.held - 1U, o.next - 1U, o.thread, {}});
    cycles_.clear();
    constexpr std::size_t most = 9;
    for (const auto& cycle : recorded::cycles(p, most)) {
      std::string text;
      for (const order& o : cycle) text += (text.empty() ? "" : ", ") + names_->locks[o.held];
      cycles_.push_back(std::move(text));
    }
    orders_ = count;
  }

  std::vector<lock> of_objects_;                // locks in variables, which may be arrays,
  std::vector<std::size_t> places_of_objects_;  // and their places among all
  std::vector<layout::lock> locks_;             // megabytes, which another update would have the system clear again
  std::shared_ptr<const known_names> names_ = std::make_shared<known_names>();
  std::vector<std::string> cycles_;
  std::uint32_t orders_ = 0;
};

namespace {

const watched_process* same_in(const moment& m, const watched_process& p) {
  const auto found = std::find_if(m.processes.begin(), m.processes.end(), [&](const watched_process& other) {
    return other.pid == p.pid && other.begun == p.begun;
  });
  return found == m.processes.end() ? nullptr : &*found;
}

/// Differences of samples, until they are made rates.
struct sums {
  std::size_t locks = 0;
  lock_counts all = {};
  std::uint64_t most = 0;  ///< Samples of the lock that was taken there, all.taken_at.

  void add(const lock_counts& before, const lock_counts& now) {
    const std::uint64_t samples = now.samples - before.samples;
    ++locks;
    all.samples += samples;
    all.contended += now.contended - before.contended, all.wait_ns += now.wait_ns - before.wait_ns;
    all.long_waits += now.long_waits - before.long_waits, all.long_ns += now.long_ns - before.long_ns;
    all.holds += now.holds - before.holds, all.hold_ns += now.hold_ns - before.hold_ns;
    all.condition_waits += now.condition_waits - before.condition_waits;
    all.waiting += now.waiting;
    if (all.taken_at == 0 || samples > most) all.taken_at = now.taken_at, most = samples;
  }
};

double mean(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

lock_rates rates_of(const std::string& name, const sums& s, const watched_process& p, double seconds) {
  const auto per_second = [&](std::uint64_t n) { return static_cast<double>(n) * p.every / seconds; };
  lock_rates r;
  r.pid = p.pid, r.name = name, r.locks = s.locks;
  r.acquisitions = per_second(s.all.samples);
  r.contended = mean(s.all.contended, s.all.samples);
  const std::uint64_t waited = s.all.wait_ns * p.every + s.all.long_ns;
  r.waiting = static_cast<double>(waited) / seconds / 1e9;
  r.wait_ns = mean(waited, std::max(s.all.contended * p.every, s.all.long_waits));
  r.held = per_second(s.all.hold_ns) / 1e9, r.hold_ns = mean(s.all.hold_ns, s.all.holds);
  r.condition_waits = static_cast<double>(s.all.condition_waits) / seconds;
  r.waiting_now = s.all.waiting;
  r.place = p.place(s.all);
  return r;
}

}  // namespace

const std::string& watched_process::place(const lock_counts& l) const {
  static const std::string unknown;
  const auto found = names->places.find(l.taken_at);
  return found == names->places.end() ? unknown : found->second;
}

struct watched_file::state {
  explicit state(const std::string& path) : file{path} {}
  platform::own_file file;
  std::vector<watched_part> parts;
  bool over = false;

  /// Of one of several processes that write, where some do: only its number tells.
  [[nodiscard]] bool is_over(const watched_process& p, std::optional<bool> written) const {
    return p.over || written == false ||
           ((!written || parts.size() > 2) && !platform::is_running(static_cast<long>(p.pid)));
  }
};

watched_file::watched_file(const std::string& path) : state_{std::make_unique<state>(path)} {}
watched_file::~watched_file() = default;
watched_file::watched_file(watched_file&&) noexcept = default;
watched_file& watched_file::operator=(watched_file&&) noexcept = default;

bool watched_file::is_open() const { return state_->file.is_open(); }
bool watched_file::is_over() const { return state_->over; }

file_content watched_file::content() const {
  layout::header h{};
  const recording first{state_->file, 0};
  if (state_->file.is_anothers()) return file_content::of_another_user;
  if (first.read_header(h)) return file_content::recording;
  return first.is_of_another_version() ? file_content::of_another_version : file_content::something_else;
}

void watched_file::look(std::vector<watched_process>& to) {
  const std::optional<bool> written = state_->file.is_written();  // first: then what is read is the last
  std::vector<watched_process> all;
  for (std::size_t i = 0; i < layout::most_parts; ++i) {
    if (i == state_->parts.size()) state_->parts.emplace_back();
    auto seen = state_->parts[i].look({state_->file, i * layout::bytes});
    if (!seen) break;
    all.push_back(std::move(*seen));
  }
  for (watched_process& p : all) {
    p.over = state_->is_over(p, written);
    if (p.over)
      for (lock_counts& l : p.locks) l.waiting = 0;  // whoever waited there is no more
  }
  const auto is_over = [](const watched_process& p) { return p.over; };
  state_->over = written ? !*written : !all.empty() && std::all_of(all.begin(), all.end(), is_over);
  std::move(all.begin(), all.end(), std::back_inserter(to));
}

void watched_folder::look(std::vector<watched_process>& to) {
  for (const std::string& path : files_in(path_)) {
    const auto known = files_.find(path);
    if (known != files_.end() && !known->second) continue;
    watched_file file = known == files_.end() ? watched_file{path} : *std::move(known->second);
    if (!file.is_open()) continue;  // its process may have failed to begin it, or too many are open: later, then
    file.look(to);
    std::optional<watched_file>& place = files_[path];
    place.reset();
    if (!file.is_over()) place.emplace(std::move(file));
  }
}

std::vector<lock_rates> rates_between(const moment& before, const moment& now) {
  const double seconds = now.seconds - before.seconds;
  std::vector<lock_rates> rates;
  for (const watched_process& p : now.processes) {
    const watched_process* const earlier = same_in(before, p);
    std::map<std::string, sums> by_name;
    for (std::size_t i = 0; i < p.locks.size(); ++i) {
      const bool known = earlier != nullptr && i < earlier->locks.size();
      const lock_counts was = known ? earlier->locks[i] : lock_counts{};
      const lock_counts& is = p.locks[i];
      if (is.samples != was.samples || is.holds != was.holds || is.long_waits != was.long_waits || is.waiting != 0 ||
          is.condition_waits != was.condition_waits)
        by_name[p.names->locks[i]].add(was, is);
    }
    for (const auto& [name, sum] : by_name) rates.push_back(rates_of(name, sum, p, seconds));
  }
  return rates;
}

}  // namespace synchro::recorded
