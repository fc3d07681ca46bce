#include "profile/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "profile/groups.hpp"
#include "results/names.hpp"
#include "results/text.hpp"
#include "results/units.hpp"

namespace synchro::profile {

namespace {

const group& chosen(const std::vector<group>& all, const std::string& name) {
  if (all.empty()) throw std::runtime_error("no lock was sampled");
  if (name.empty()) {
    const auto known = std::find_if(all.begin(), all.end(), [](const group& g) { return g.holds != 0; });
    return known != all.end() ? *known : all.front();
  }
  std::vector<const group*> parts;
  std::set<std::string> names;
  for (const group& g : all) {
    if (g.name == name) return g;
    if (g.name.find(name) != std::string::npos) parts.push_back(&g), names.insert(shown_name(g.name));
  }
  if (names.size() == 1) return *parts.front();
  if (names.size() > 1)
    throw std::runtime_error(fmt::format("'{}' is a part of the names of several locks: {}", shown_name(name),
                                         results::enumerate(std::vector<std::string>{names.begin(), names.end()})));
  std::vector<std::string> known;
  for (const group& g : all) known.push_back(shown_name(g.name));
  throw std::runtime_error(results::no_such("lock", name, known));
}

/// The part of a thread's time that is neither critical section nor wait, for each acquisition.
double gap_of(const group& g, double hold_ns) {
  const double all_ns = *g.process->seconds * 1e9 * static_cast<double>(g.threads);
  const double wait_ns = static_cast<double>(g.waited()) / static_cast<double>(g.acquisitions);
  return std::max(0.0, all_ns / static_cast<double>(g.acquisitions) - hold_ns - wait_ns);
}

double waiting_of(const group& g) {
  return std::min(1.0, static_cast<double>(g.waited()) / (*g.process->seconds * 1e9 * static_cast<double>(g.threads)));
}

std::vector<std::string> sources_of(const group& g, const lock_use& u, bool named) {
  const auto percent = [](double share) { return fmt::format("{:.3g} %", 100 * share); };
  std::vector<std::string> all{
      fmt::format("lock: {} of {} (process {}), {}", u.name, u.process, u.pid,
                  named            ? "as asked for"
                  : g.waited() > 0 ? "that was waited for longest"
                                   : "that was acquired most often; none was waited for"),
      fmt::format("threads: {} were seen with it", u.threads),
      fmt::format("critical: {} ns, the mean of {} holds that were measured", results::significant(u.hold_ns, 4),
                  g.holds),
      fmt::format("gap: {} ns, {} s of {} thread{} for {} acquisitions, less holds and waits",
                  results::significant(u.gap_ns, 4), results::significant(*g.process->seconds, 4), g.threads,
                  g.threads == 1 ? "" : "s", g.acquisitions),
      fmt::format("locks: {}", u.locks == 1 ? "1" : fmt::format("{} of that name", u.locks))};
  if (u.readers > 0) all.push_back(fmt::format("readers: {} of the acquisitions only read", percent(u.readers)));
  all.push_back(fmt::format("contended: {} of {} samples; waits: {} of its threads' time", percent(u.contended),
                            g.samples, percent(u.waiting)));
  return all;
}

}  // namespace

lock_use use_of(const stored& s, const std::string& name) {
  const std::vector<group> all = groups_of(s);
  const group& g = chosen(all, name);
  const std::string what = shown_name(g.name);
  if (!g.process->seconds)
    throw std::runtime_error(
        fmt::format("the process of {} did not end by itself, so how long it ran is not known", what));
  if (g.holds == 0) throw std::runtime_error(fmt::format("no hold of {} was measured", what));
  lock_use u;
  u.name = what, u.process = shown_name(g.process->program), u.pid = g.process->pid;
  u.threads = std::max<std::uint64_t>(1, g.threads), u.locks = g.addresses.size();
  u.hold_ns = static_cast<double>(g.hold_ns) / static_cast<double>(g.holds);
  u.gap_ns = gap_of(g, u.hold_ns);
  u.waiting = waiting_of(g);
  u.readers = static_cast<double>(g.reads) / static_cast<double>(g.samples);
  u.contended = static_cast<double>(g.contended) / static_cast<double>(g.samples);
  u.sources = sources_of(g, u, !name.empty());
  return u;
}

}  // namespace synchro::profile
