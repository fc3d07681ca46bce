#include "profile/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "profile/groups.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "statistics/statistics.hpp"

namespace synchro::profile {

namespace {

/// Below this share of the run nothing is to be gained that a reader would notice.
constexpr double little = 0.01;
/// Held for so much of the run, a lock makes threads queue for what it protects.
constexpr double crowded = 0.5;
/// Beside holds as long as this, in ns, the slowest hand-off (a sleeper that must be woken) is short.
constexpr double long_hold = 100'000;
/// With so few acquisitions one in twenty may be contended and none was seen.
constexpr std::uint64_t fewest_samples = 60;
/// Sampled totals differ that are so many standard deviations apart.
constexpr double deviations = 2;

std::string time_of(double ns) { return results::quantity(ns, "ns", true); }
std::string share_of(double share) { return results::digits(100 * share) + " %"; }
double number(std::uint64_t n) { return static_cast<double>(n); }

/// How long the program ran, in ns; nothing where that is not known.
std::optional<double> run_of(const group& g) {
  const auto& seconds = g.process->seconds;
  return seconds && *seconds > 0 ? std::optional{*seconds * 1e9} : std::nullopt;
}

double waited(const group& g) { return number(g.waited()); }
double middle(const bucket& b) { return 1.5 * number(std::max<std::uint64_t>(b.from_ns, 1)); }

/// The standard deviation of waited(): each wait that is not long was seen with the chance of one in K.
double scatter(const group& g) {
  const double every = number(g.process->every);
  const double squares = std::accumulate(g.waits.begin(), g.waits.end(), 0.0, [](double sum, const bucket& b) {
    return sum + number(b.count) * middle(b) * middle(b);
  });
  return every * std::sqrt(squares * (1 - 1 / every));
}

/// Waits that were seen, and for how much of the total each stands.
struct weight {
  double each = 0;
  std::uint64_t count = 0;
};

std::vector<weight> seen(const group& g) {
  std::vector<weight> all;
  for (const bucket& b : g.waits) all.push_back({middle(b) * number(g.process->every), b.count});
  for (const bucket& b : g.longs) all.push_back({middle(b), b.count});
  return all;
}

std::uint64_t seen_count(const group& g) {
  std::uint64_t n = 0;
  for (const weight& w : seen(g)) n += w.count;
  return n;
}

/// How few of the waits that were seen, those that stand for most, are half of the time.
std::uint64_t waits_of_half(const group& g) {
  std::vector<weight> most = seen(g);
  std::sort(most.begin(), most.end(), [](const weight& a, const weight& b) { return a.each > b.each; });
  double left = 0;
  for (const weight& w : most) left += number(w.count) * w.each / 2;
  std::uint64_t n = 0;
  for (const weight& w : most) {
    const auto needed = static_cast<std::uint64_t>(std::ceil(left / w.each));
    if (needed <= w.count) return n + needed;
    n += w.count, left -= number(w.count) * w.each;
  }
  return n;
}

remedy again(const stored& s, const std::string& file) {
  remedy r{{"synchroscope", "profile", "--every", "1", "-o", file, "--"},
           "profiles it again, and samples each acquisition"};
  r.words.insert(r.words.end(), s.command.begin(), s.command.end());
  return r;
}

remedy elsewhere(const stored& s) {
  remedy r{{"perf", "record", "-g", "--"}, "shows where its processor time goes"};
  r.words.insert(r.words.end(), s.command.begin(), s.command.end());
  return r;
}

remedy trial(const stored& s) {
  remedy r{{"synchroscope", "tune", "--"}, "runs the program with every lock in turn"};
  r.words.insert(r.words.end(), s.command.begin(), s.command.end());
  return r;
}

remedy counsel(const group& g, const std::string& file) {
  return {{"synchroscope", "advise", "results.json", "--profile", file, "--lock", g.name},
          "says which lock, and how many of them, by what was measured on this machine (synchroscope tour)"};
}

verdict without_waits(const stored& s, const std::vector<group>& all, const std::string& file) {
  std::uint64_t samples = 0, every = 1, lost = 0;
  for (const group& g : all) samples += g.samples;
  for (const stored_process& p : s.processes) every = std::max(every, p.every), lost += p.lost_samples;
  verdict v;
  v.finding = samples == 0 ? "No lock was seen to be taken."
                           : fmt::format("No thread was seen to wait for a lock, in {} acquisition{} that {} sampled.",
                                         samples, samples == 1 ? "" : "s", samples == 1 ? "was" : "were");
  v.advice = "Another lock gains nothing here: look elsewhere.";
  v.remedies = {elsewhere(s)};
  if (samples >= fewest_samples || every == 1) return v;
  v.doubts.push_back(
      fmt::format("One acquisition in {} was sampled, so little was seen of locks that are taken seldom.", every));
  v.remedies.insert(v.remedies.begin(), again(s, file));
  return v;
}

/// "52.4 ms, which is 1.61 % of the 3.25 s that it ran"
std::string extent(const group& g) {
  const double ns = waited(g);
  if (!run_of(g)) return fmt::format("{}, all threads together", time_of(ns));
  const double run = *run_of(g);
  if (ns < run)
    return fmt::format("{}, all threads together, in the {} that the program ran: {}", time_of(ns), time_of(run),
                       share_of(ns / run));
  return fmt::format("{}, all threads together, in the {} that the program ran: {} threads waited on average",
                     time_of(ns), time_of(run), results::digits(ns / run));
}

std::string what(const group& g) {
  const std::size_t n = g.addresses.size();
  return n == 1 ? shown_name(g.name) : fmt::format("{} ({} locks)", shown_name(g.name), n);
}

std::string subject(const group& g) {
  const std::size_t n = g.addresses.size();
  return n == 1 ? fmt::format("lock {} is", shown_name(g.name)) : fmt::format("{} locks {} are", n, shown_name(g.name));
}

/// The share of the run in which one of its locks is held by somebody alone.
double held(const group& g) {
  return number(g.alone_ns) * number(g.process->every) / (*run_of(g) * number(g.addresses.size()));
}

double mean_hold(const group& g) { return g.holds == 0 ? 0 : number(g.hold_ns) / number(g.holds); }

void advise_on(verdict& v, const stored& s, const group& g, const std::string& file) {
  const std::string less = "do less while it is held, or split what it protects among several locks.";
  if (run_of(g) && waited(g) < little * *run_of(g)) {
    v.advice = "Another lock can save no more than that: look elsewhere.";
    v.remedies = {elsewhere(s)};
  } else if (run_of(g) && held(g) >= crowded) {
    v.advice = fmt::format("It is held for {} of that time, so threads queue for it whichever lock it is: {}",
                           share_of(std::min(1.0, held(g))), less);
    v.remedies = {counsel(g, file), trial(s)};
  } else if (mean_hold(g) >= long_hold) {
    v.advice = fmt::format("It is held for {} at a time, and every lock's hand-off is short beside that: {}",
                           time_of(mean_hold(g)), less);
    v.remedies = {counsel(g, file), trial(s)};
  } else if (g.holds == 0) {
    v.advice = "It was not seen how long it is held, so it is not known whether another lock would help.";
    v.remedies = {trial(s)};
    v.doubts.emplace_back("No whole acquisition of it was sampled: only its long waits were timed.");
  } else {
    v.advice = fmt::format("{} Another lock may pass it on sooner.",
                           run_of(g) ? fmt::format("It is held for only {} of that time.", share_of(held(g)))
                                     : "How much of the time it is held is not known.");
    v.remedies = {trial(s), counsel(g, file)};
  }
}

void doubt(verdict& v, const stored& s, const std::vector<group>& all, const std::string& file) {
  const group& g = all.front();
  const std::uint64_t half = waits_of_half(g);
  const std::uint64_t waits = seen_count(g);
  if (waits < results::fewest_for_an_interval)
    v.doubts.push_back(fmt::format("Only {} for it {} seen.", waits == 1 ? "one wait" : fmt::format("{} waits", waits),
                                   waits == 1 ? "was" : "were"));
  else if (half < results::fewest_for_an_interval)
    v.doubts.push_back(fmt::format("Half of that time is {} of the {} waits that were seen.",
                                   half == 1 ? "one" : fmt::format("{}", half), waits));
  if (all.size() > 1 && all[1].waited() > 0) {
    const group& next = all[1];
    if (waited(g) - waited(next) < deviations * std::hypot(scatter(g), scatter(next)))
      v.doubts.push_back(fmt::format("It is not resolved that it is waited for longer than {} ({}).", what(next),
                                     time_of(waited(next))));
  }
  if (!v.doubts.empty() && g.process->every > 1) v.remedies.insert(v.remedies.begin(), again(s, file));
  if (!run_of(g))
    v.doubts.emplace_back("The program did not end by itself, so how long it ran, and the share of it, is not known.");
}

}  // namespace

verdict verdict_on(const stored& s, const std::string& file) {
  const std::vector<group> all = groups_of(s);
  if (all.empty() || all.front().waited() == 0) return without_waits(s, all, file);
  const group& g = all.front();
  verdict v;
  v.lock = g.name, v.pid = g.process->pid;
  v.finding = fmt::format("The {} waited for longest: {}.", subject(g), extent(g));
  advise_on(v, s, g, file);
  doubt(v, s, all, file);
  return v;
}

}  // namespace synchro::profile
