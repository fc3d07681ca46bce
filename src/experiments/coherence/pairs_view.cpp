// How coherence.pairs is shown.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "experiments/coherence/among_published.hpp"
#include "experiments/coherence/coherence.hpp"
#include "results/experiment_names.hpp"
#include "statistics/levels.hpp"
#include "views/findings.hpp"
#include "views/paper/tables.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

struct protocol_words {
  const char *name, *how, *briefly;
};
constexpr std::array<protocol_words, 2> protocols{
    {{"cas", "two processors take turns on one line by compare-and-swap",
      "the two take turns on it by compare-and-swap"},
     {"handover", "stores and loads on two lines", "by stores and loads on two lines"}}};

/// The levels of a machine that can be compared with another's.
struct pairs_places {
  std::optional<double> threads, nearest, farthest;
  std::vector<double> between = {};  // those two
};

pairs_places pairs_places_of(const std::vector<double>& medians) {
  pairs_places p;
  auto next = medians.begin();
  if (next != medians.end() && *next < statistics::hardware_threads_ns) p.threads = *next++;
  if (next == medians.end()) return p;
  p.nearest = *next;
  if (medians.end() - next > 1) p.farthest = medians.back(), p.between.assign(next + 1, medians.end() - 1);
  return p;
}

struct pairs_levels {
  std::size_t processors = 0;
  std::vector<double> medians = {};  // none if some processors cannot be placed
};

pairs_levels pairs_levels_of(const cells& pairs) {
  std::map<std::int64_t, std::size_t> index;
  std::vector<std::pair<std::pair<std::int64_t, std::int64_t>, double>> times;
  for (const cell* c : pairs) {
    const auto from = number_at(*c, "from"), to = number_at(*c, "to");
    if (!from || !to || *from == *to || !c->value || !(*c->value > 0)) continue;
    times.push_back({std::minmax(*from, *to), *c->value});
    for (const std::int64_t cpu : {*from, *to}) index.emplace(cpu, index.size());
  }
  statistics::distances d{index.size()};
  std::map<std::pair<std::int64_t, std::int64_t>, std::pair<double, double>> both;  // sum and count of the ways
  for (const auto& [pair, ns] : times) both[pair].first += ns, ++both[pair].second;
  for (const auto& [pair, sum] : both) d.set(index[pair.first], index[pair.second], sum.first / sum.second);
  if (statistics::distances whole = d; !statistics::complete(whole)) return {};
  pairs_levels found{index.size()};
  for (const statistics::level& l : statistics::levels_of(d)) found.medians.push_back(l.median);
  return found;
}

/// What is compared with the published matrices: those are of the same protocol.
pairs_levels pairs_comparable(const own_cells& own) {
  return pairs_levels_of(only_precise(where(own.of("latency"), "protocol", "cas")));
}

/// "26.3 ns between the nearest cores: rank 14 of 38, behind Intel Core i7 (24.1), before AMD Ryzen (27)": this one counts, too.
std::string pairs_rank(double ns, std::optional<double> pairs_places::*place, const char* what) {
  std::vector<std::pair<double, std::string>> all;
  for (const paper::core_levels& m : paper::core_to_core())
    if (const auto v = pairs_places_of(m.medians).*place) all.emplace_back(*v, m.machine);
  std::sort(all.begin(), all.end());
  const auto next = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.first >= ns; });
  std::string text = fmt::format("{:.3g} ns {}: rank {} of {}", ns, what, next - all.begin() + 1, all.size() + 1);
  if (next != all.begin()) text += fmt::format(", behind {} ({:.3g})", (next - 1)->second, (next - 1)->first);
  if (next != all.end()) text += fmt::format(", before {} ({:.3g})", next->second, next->first);
  return text;
}

/// Empty if so few pairs were measured that some processors cannot be placed.
std::string pairs_among_published(const own_cells& own) {
  const pairs_places here = pairs_places_of(pairs_comparable(own).medians);
  std::vector<std::string> ranks;
  if (here.threads)
    ranks.push_back(pairs_rank(*here.threads, &pairs_places::threads, "between hardware threads of a core"));
  if (here.nearest) ranks.push_back(pairs_rank(*here.nearest, &pairs_places::nearest, "between the nearest cores"));
  if (here.farthest) ranks.push_back(pairs_rank(*here.farthest, &pairs_places::farthest, "between the farthest ones"));
  if (ranks.empty()) return "";
  return fmt::format(
      "Moving a cache line, beside {} published machines, the shortest first (core-to-core-latency; protocol cas, too, "
      "but one run and means there, medians of batches here): {}.",
      paper::core_to_core().size(), fmt::join(ranks, "; "));
}

views::ranking::machine pairs_machine(const std::string& name, std::size_t processors,
                                      const std::vector<double>& medians) {
  const pairs_places p = pairs_places_of(medians);
  const auto one = [](const std::optional<double>& v) { return v ? std::vector{*v} : std::vector<double>{}; };
  return {name, processors, {one(p.threads), one(p.nearest), p.between, one(p.farthest)}};
}

sentences pairs_findings(const own_cells& own) {
  sentences out;
  for (const protocol_words& protocol : protocols) {
    const cells all = only_precise(where(own.of("latency"), "protocol", protocol.name));
    const cell *const nearest = least(all), *const farthest = most(all);
    if (nearest == nullptr) continue;
    const auto pair = [](const cell& c) {
      return fmt::format("processor {} to {}", name_at(c, "from"), name_at(c, "to"));
    };
    std::string text = fmt::format("Moving a cache line, the unit in which processors share memory, from {} takes {}",
                                   pair(*nearest), with_interval(*nearest));
    if (farthest->ci->first > nearest->ci->second && differ(*nearest, *farthest, all.size()))
      text += fmt::format("; from {}, the farthest{}, {}", pair(*farthest),
                          of_the_sure(own.left_out(*farthest, {"from", "to"}), extreme::most, *farthest),
                          with_interval(*farthest));
    out.push_back(fmt::format("{} (protocol {}: {}).", text, protocol.name, protocol.how));
  }
  const std::string rank = pairs_among_published(own);
  if (!rank.empty()) out.push_back(rank);
  return out;
}

std::optional<views::headline> pairs_headline(const own_cells& own) {
  for (const protocol_words& protocol : protocols) {
    const cells all = only_precise(where(own.of_any_mode("latency"), "protocol", protocol.name));
    const cell *const near = least(all), *const far = most(all);
    if (near == nullptr) continue;
    const bool apart = far->ci->first > near->ci->second && differ(*near, *far, all.size());
    const cells left_out = own.left_out(*near, {"from", "to"});
    const bool nearest = holds_for(left_out, extreme::least, *near);
    const std::string farthest =
        apart ? fmt::format("; to the farthest{}, {}", of_the_sure(left_out, extreme::most, *far), figure_of(*far))
              : "";
    return views::headline{
        figure_of(*near),
        fmt::format("to move a cache line to {} processor{}", nearest ? "the nearest" : "another", farthest),
        details({interval_of(*near), protocol.briefly}, *near), "map"};
  }
  return std::nullopt;
}

/// On a large machine there are too many pairs: one at each distance shows most.
bool is_extra_pair(const setting& s, const coordinates& at) {
  if (s.machine.processors.size() <= 4) return false;
  const auto from = static_cast<unsigned>(at.number("from")), to = static_cast<unsigned>(at.number("to"));
  return s.machine.pair_at(s.machine.between(from, to)) != std::pair{from, to};
}

}  // namespace

/// By the nearest cores, which every machine with two of them has.
std::optional<views::ranking> among_published(const results::document& d) {
  const std::string name = results::experiment_names::coherence_pairs;
  const pairs_levels here = pairs_comparable({d, name});
  if (here.medians.empty()) return std::nullopt;
  views::ranking r;
  r.title = fmt::format("This machine among {}", paper::core_to_core().size());
  r.note =
      "Median times in which a cache line goes from one processor to another that wants it by compare-and-swap, by "
      "level. "
      "Published: github.com/nviennot/core-to-core-latency (MIT licence), measured by the machines' owners, one run of "
      "each "
      "pair and the mean of its samples. Here: medians of batches, both ways. On a virtual machine the levels are "
      "those that "
      "the hypervisor gave.";
  r.figures = {{"Hardware threads of a core"}, {"Nearest cores"}, {"Levels between", false}, {"Farthest cores"}};
  r.machines.push_back(pairs_machine("", here.processors, here.medians));
  for (const paper::core_levels& m : paper::core_to_core())
    r.machines.push_back(pairs_machine(m.machine, m.processors, m.medians));
  std::stable_sort(r.machines.begin(), r.machines.end(), [](const auto& a, const auto& b) {
    constexpr std::size_t nearest = 1;
    if (a.values[nearest].empty() || b.values[nearest].empty()) return !a.values[nearest].empty();
    return a.values[nearest] < b.values[nearest];
  });
  return r;
}

void present_coherence_pairs(experiment& e) {
  e.tour = [](const setting&) { return tour_stop{{{"protocol", {"cas", "handover"}}}, is_extra_pair}; };
  e.view = {
      {},
      pairs_findings,
      pairs_headline,
      {{"map", "How far apart the processors are",
        "Memory travels between processors in lines of usually 64 bytes. Each field is the time that one line takes "
        "from the processor of its row to that of its column: near ones share a cache, far ones sit in other "
        "packages.",
        heat_map("to", "from")}}};
  e.view.about = "cache";
}

}  // namespace synchro::experiments
