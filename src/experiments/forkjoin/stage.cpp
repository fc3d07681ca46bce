#include "experiments/forkjoin/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "experiments/framework/axes.hpp"
#include "measure/host.hpp"

namespace synchro::experiments::forkjoin {

namespace {

using measure::host;

constexpr double chunk_ns = 1000;
constexpr double break_ns = 5 * chunk_ns;  // a longer chunk was interrupted

void work_for(double ns) { host::work(static_cast<std::uint64_t>(std::max(0.0, ns) / host::cycles_to_ns(1.0))); }

/// The stretches of some work in chunks, in ticks of the clock.
std::vector<std::pair<std::uint64_t, std::uint64_t>> watched_work(double ns) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ran;
  std::uint64_t before = host::now();
  ran.emplace_back(before, before);
  for (double left = ns; left > 0; left -= chunk_ns) {
    work_for(std::min(left, chunk_ns));
    const std::uint64_t now = host::now();
    if (host::to_ns(now - before) > break_ns)
      ran.emplace_back(now, now);
    else
      ran.back().second = now;
    before = now;
  }
  return ran;
}

/// Where two or more ran, in order.
std::vector<stretch> shared_stretches(const std::vector<part_played>& parts) {
  std::vector<std::pair<double, int>> changes;
  for (const part_played& p : parts)
    for (const stretch& s : p.ran) changes.insert(changes.end(), {{s.from, 1}, {s.to, -1}});
  std::sort(changes.begin(), changes.end());
  std::vector<stretch> shared;
  double before = 0;
  int running = 0;
  for (const auto& [moment, change] : changes) {
    if (running >= 2 && moment > before) shared.push_back({before, moment});
    running += change;
    before = moment;
  }
  return shared;
}

double since(std::uint64_t begin, std::uint64_t moment) { return moment > begin ? host::to_ns(moment - begin) : 0; }

}  // namespace

double performance::invocation_delay() const {
  double last = 0;
  for (std::size_t i = 1; i < parts.size(); ++i) last = std::max(last, parts[i].started);
  return last;
}

double performance::parallel() const {
  double all = 0;
  for (const stretch& s : shared_stretches(parts)) all += s.to - s.from;
  return all;
}

std::optional<stretch> performance::together() const {
  const std::vector<stretch> shared = shared_stretches(parts);
  if (shared.empty()) return std::nullopt;
  return stretch{shared.front().from, shared.back().to};
}

std::optional<double> performance::smallest_gap() const {
  std::vector<double> starts;
  for (std::size_t i = 1; i < parts.size(); ++i) starts.push_back(parts[i].started);
  if (starts.size() < 2) return std::nullopt;
  std::sort(starts.begin(), starts.end());
  double least = starts.back() - starts.front();
  for (std::size_t i = 1; i < starts.size(); ++i) least = std::min(least, starts[i] - starts[i - 1]);
  return least;
}

performance perform(way& how, const std::vector<double>& shares_ns, bool watch_stretches) {
  struct alignas(2 * cpu::cache_line) mark {
    std::uint64_t started = 0, done = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ran = {};
  };
  std::vector<mark> marks(shares_ns.size());
  const way::share work = [&](unsigned i) {
    mark& m = marks[i];
    m.started = host::now();
    if (watch_stretches)
      m.ran = watched_work(shares_ns[i]);
    else
      work_for(shares_ns[i]);
    m.done = host::now();
  };
  how.settle();
  const std::uint64_t begin = host::now();
  how.run(work);
  performance seen{{}, since(begin, host::now())};
  for (const mark& m : marks) {
    part_played p{since(begin, m.started), since(begin, m.done)};
    for (const auto& [from, to] : m.ran) p.ran.push_back({since(begin, from), since(begin, to)});
    seen.parts.push_back(std::move(p));
  }
  return seen;
}

double alone(double ns) {
  const std::uint64_t begin = host::now();
  work_for(ns);
  return since(begin, host::now());
}

std::vector<double> cut_shares(double work, const std::vector<double>& lags) {
  // Those who start first share until the next one starts, and so on, as water fills a basin with steps.
  std::vector<double> sorted = lags;
  std::sort(sorted.begin(), sorted.end());
  double end = 0;
  double sum = 0;
  for (std::size_t n = 1; n <= sorted.size(); ++n) {
    sum += sorted[n - 1];
    end = (work + sum) / static_cast<double>(n);
    if (n == sorted.size() || end <= sorted[n]) break;
  }
  std::vector<double> shares;
  for (const double lag : lags) shares.push_back(std::max(0.0, end - lag));
  return shares;
}

repetition on_stage(const setting& s, const coordinates& at, const std::function<repetition(stage&)>& body,
                    std::chrono::nanoseconds patience) {
  const std::string primitive = at.word("primitive");
  const auto threads = static_cast<unsigned>(at.number("threads"));
  const std::vector<unsigned> cpus = team_of(s, at);
  const std::vector<unsigned> first{cpus.begin(), cpus.begin() + (cpus.empty() ? 0 : 1)};
  const auto seen = finish_unless_stuck<repetition>(patience, [=](pulse& heart) {
    repetition out;
    try {
      const measure::team_report team = host::team(first, 1, [&](unsigned) {
        const auto how = make_way(primitive, threads, cpus);
        stage here{*how, heart};
        out = body(here);
      });
      add_to(out, team);
    } catch (const std::system_error& e) {
      throw std::runtime_error{
          fmt::format("the system refused a team of {} threads ({})", threads, e.code().message())};
    }
    return out;
  });
  if (seen) return *seen;
  repetition lost;
  lost.broken = fmt::format("{} lost a wake-up: not all shares were done within {:.3g} s", primitive,
                            std::chrono::duration<double>(patience).count());
  return lost;
}

axis team_axis() {
  return {"threads", "how many threads do the work, the one who starts the others among them", [](const setting& s) {
            const auto cpus = static_cast<std::int64_t>(std::max<std::size_t>(2, s.machine.processors.size()));
            constexpr std::int64_t of_the_article = 4;  // one starts three
            std::set<std::int64_t> counts{2, cpus};
            if (s.thoroughness != level::quick) counts.insert(of_the_article);
            if (s.thoroughness == level::full) counts.insert(2 * cpus);
            return std::vector<coordinate>{counts.begin(), counts.end()};
          }};
}

std::optional<std::string> unavailable(const setting& s, const coordinates& at) {
  if (at.number("threads") < 2) return "there is no other thread to start";
  if (spins(at.word("primitive")) && more_threads_than_processors(s, at))
    return "workers that spin would keep the one who starts them, and each other, from the processors";
  return unavailable_of(s, at.word("primitive"));
}

std::vector<unsigned> cpus_of(const setting& s, const coordinates& at) { return processors_of(s, at); }

}  // namespace synchro::experiments::forkjoin
