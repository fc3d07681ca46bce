#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/tour.hpp"
#include "cli/words.hpp"
#include "results/text.hpp"
#include "results/units.hpp"

namespace synchro::cli {

namespace {

using results::cell;
using results::coordinate;
using json = nlohmann::ordered_json;
using place = std::vector<std::pair<std::string, coordinate>>;

/// Looks values up, and says them.
class reader {
 public:
  reader(const results::document& d, const results::style& style) : d_{d}, style_{style} {}

  /// The first value of this metric at these coordinates, whatever the others are; processors that moved apart are
  /// another cell and not looked at.
  [[nodiscard]] std::optional<double> find(const std::string& experiment, const std::string& metric,
                                           const place& at) const {
    for (const cell& c : d_.cells)
      if (c.experiment == experiment && c.metric == metric && c.value && c.at.find("mode") == nullptr && matches(c, at))
        return c.value;
    return std::nullopt;
  }

  /// Values of an axis that occur in an experiment, in their order.
  [[nodiscard]] std::vector<coordinate> values(const std::string& experiment, const std::string& axis) const {
    std::vector<coordinate> found;
    for (const cell& c : d_.cells)
      if (const coordinate* v = c.at.find(axis);
          c.experiment == experiment && v != nullptr && std::find(found.begin(), found.end(), *v) == found.end())
        found.push_back(*v);
    return found;
  }

  [[nodiscard]] std::string ns(double value) const { return results::quantity(value, "ns", style_.utf8); }
  [[nodiscard]] std::string rate(double value) const { return results::quantity(value, "op/s", style_.utf8); }
  [[nodiscard]] const results::style& style() const { return style_; }
  [[nodiscard]] const results::document& document() const { return d_; }

 private:
  static bool matches(const cell& c, const place& at) {
    return std::all_of(at.begin(), at.end(), [&](const auto& want) {
      const coordinate* const has = c.at.find(want.first);
      return has != nullptr && *has == want.second;
    });
  }

  const results::document& d_;
  results::style style_;
};

std::string section(const reader& r, const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = "\n" + results::painted(title, results::tone::heading, r.style()) + "\n";
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

std::string fact(const json& facts, const char* name) {
  return facts.contains(name) && facts[name].is_string() ? results::printable(facts[name].get<std::string>(), 80) : "";
}

std::string machine_line(const reader& r) {
  const json& cpus = r.document().topology.contains("cpus") ? r.document().topology["cpus"] : json::array();
  std::string name = fact(r.document().machine, "model_name");
  if (name.empty()) name = "a machine that does not tell its name";
  return fmt::format("{}, {}", name, counted(cpus.size(), "processor"));
}

std::vector<std::string> about_memory(const reader& r) {
  static const std::vector<std::pair<std::string, std::string>> levels{
      {"l1", "the first cache"}, {"l2", "the second cache"}, {"llc", "the last cache"}, {"ram", "memory"}};
  std::vector<std::string> parts;
  for (const auto& [level, where] : levels)
    if (const auto v = r.find("coherence.local", "latency", {{"level", level}}))
      parts.push_back(fmt::format("{} from {}", r.ns(*v), where));
  return parts.empty() ? parts : std::vector{"A load takes " + enumerate(parts) + "."};
}

/// What a hand-over costs, by distance if the machine has more than one.
std::vector<std::string> about_distance(const reader& r) {
  std::vector<std::string> lines;
  for (const coordinate& from : r.values("coherence.pairs", "from"))
    for (const coordinate& to : r.values("coherence.pairs", "to")) {
      const auto cas = r.find("coherence.pairs", "latency", {{"from", from}, {"to", to}, {"protocol", "cas"}});
      const auto two = r.find("coherence.pairs", "latency", {{"from", from}, {"to", to}, {"protocol", "handover"}});
      if (cas && two)
        lines.push_back(
            fmt::format("From processor {} to {}: {} by compare-and-swap on one line, {} by a message and "
                        "its answer on two.",
                        results::to_string(from), results::to_string(to), r.ns(*cas), r.ns(*two)));
    }
  return lines;
}

std::vector<std::string> about_sharing(const reader& r) {
  std::vector<std::string> lines;
  for (const coordinate& distance : r.values("coherence.states", "distance")) {
    const auto load =
        r.find("coherence.states", "latency", {{"operation", "load"}, {"state", "modified"}, {"distance", distance}});
    const auto cas =
        r.find("coherence.states", "latency", {{"operation", "cas"}, {"state", "modified"}, {"distance", distance}});
    const std::string where = results::to_string(distance);
    if (load && cas)
      lines.push_back(where == "same_cpu"
                          ? fmt::format("A line this processor wrote itself: {} to read, {} to compare-and-swap.",
                                        r.ns(*load), r.ns(*cas))
                          : fmt::format("A line another one wrote ({}): {} to read, {} to compare-and-swap.", where,
                                        r.ns(*load), r.ns(*cas)));
  }
  return lines;
}

std::vector<std::string> about_atomics(const reader& r) {
  std::vector<std::string> lines;
  const auto alone = r.find("atomics.throughput", "throughput", {{"operation", "fai"}, {"threads", std::int64_t{1}}});
  if (!alone) return lines;
  lines.push_back(fmt::format("One thread adds to a counter {} times a second.", r.rate(*alone)));
  for (const coordinate& threads : r.values("atomics.throughput", "threads")) {
    if (threads == coordinate{std::int64_t{1}}) continue;
    const place crowd{{"operation", "fai"}, {"threads", threads}};
    if (const auto v = r.find("atomics.throughput", "throughput", crowd))
      lines.push_back(fmt::format("{} threads on one counter manage {} between them, {:.2g} times what one does alone.",
                                  results::to_string(threads), r.rate(*v), *v / *alone));
  }
  return lines;
}

/// The locks side by side: rows are locks, columns are threads.
std::string about_locks(const reader& r) {
  const auto names = r.values("locks.throughput", "lock");
  const auto crowds = r.values("locks.throughput", "threads");
  if (names.empty()) return "";
  results::column labels{"", "lock", {}};
  std::vector<results::column> columns;
  for (const coordinate& lock : names) labels.entries.push_back({results::to_string(lock), "", ""});
  for (const coordinate& threads : crowds) {
    results::column one{"threads, all on one lock", results::to_string(threads), {}};
    for (const coordinate& lock : names) {
      const auto v = r.find("locks.throughput", "throughput", {{"lock", lock}, {"threads", threads}});
      one.entries.push_back({v ? r.rate(*v) : "-", "", ""});
    }
    columns.push_back(std::move(one));
  }
  return "\n" + results::painted("Locks", results::tone::heading, r.style()) +
         ": how often a second a lock is taken, with a short pause after each release\n" +
         results::render({labels}, columns, r.style());
}

std::vector<std::string> about_trust(const results::document& d) {
  std::vector<std::string> lines;
  std::size_t measured = 0, doubtful = 0;
  for (const cell& c : d.cells) {
    if (!c.value) continue;
    ++measured;
    if (c.quality == results::flag::unreliable) ++doubtful;
  }
  lines.push_back(doubtful == 0 ? fmt::format("All {} values are sure to 10 % or better.", measured)
                                : fmt::format("{} of {} values are uncertain by 10 % or more; the tables mark them.",
                                              doubtful, measured));
  for (const auto& w : d.warnings) lines.push_back(results::printable(w.advice, 400));
  if (!d.complete) lines.push_back("The tour was cut short.");
  return lines;
}

}  // namespace

std::string summary(const results::document& d, const results::style& style) {
  const reader r{d, style};
  return results::painted(machine_line(r), results::tone::heading, style) + "\n" +
         section(r, "Memory", about_memory(r)) + section(r, "Handing a cache line over", about_distance(r)) +
         section(r, "Sharing", about_sharing(r)) + section(r, "Atomic operations", about_atomics(r)) + about_locks(r) +
         section(r, "How far to trust this", about_trust(d));
}

}  // namespace synchro::cli
