#include "fleet/told.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "results/names.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "statistics/statistics.hpp"

namespace synchro::fleet {

namespace {

using results::printable;

/// No measurement of the same thing differs by more, and what does may be infinite.
constexpr double a_million = 1e6;

std::string counted(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::vector<deviation> those_of(const host_verdict& v, subject of) {
  std::vector<deviation> all;
  for (const deviation& d : v.deviations)
    if (d.of == of) all.push_back(d);
  return all;
}

bool has(const std::vector<deviation>& all, const std::string& experiment) {
  return std::any_of(all.begin(), all.end(), [&](const deviation& d) { return d.experiment == experiment; });
}

std::string worse(double by) { return by_how_much(by, "worse", "better"); }

/// "worse by 38 % in a, by 20 % in b and in 3 more experiments"
std::string experiments_text(const std::vector<deviation>& all) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i)
    parts.push_back(fmt::format("{} in {}", worse(all[i].by), printable(all[i].experiment)));
  if (all.size() > most_named) parts.push_back("otherwise in " + counted(all.size() - most_named, "more experiment"));
  return results::enumerate(parts);
}

using axes = std::map<std::string, std::string>;

axes axes_of(const cell_key& p) {
  axes all{{"metric", p.metric}};
  for (const auto& [axis, value] : p.at.entries()) all[axis] = results::to_string(value);
  return all;
}

/// What all of them have in common.
axes common_axes(const places& known, const std::vector<std::uint32_t>& cells) {
  axes common = axes_of(known[cells.front()]);
  for (const std::uint32_t c : cells) {
    const axes own = axes_of(known[c]);
    std::erase_if(common, [&](const auto& a) {
      const auto found = own.find(a.first);
      return found == own.end() || found->second != a.second;
    });
  }
  return common;
}

/// Cells of one experiment: what they have in common and its other cells have not says which they are.
std::string cells_text(const gathered& all, const host_verdict& v, const std::vector<deviation>& cells) {
  std::vector<std::uint32_t> here, called;
  for (const measured& m : all.hosts[v.host].now().cells)
    if (all.known[m.place].experiment == cells.front().experiment) here.push_back(m.place);
  for (const deviation& d : cells) called.push_back(d.place);
  const axes whole = common_axes(all.known, here);
  std::string where;
  for (const auto& [axis, value] : common_axes(all.known, called))
    if (!whole.contains(axis)) where = results::joined(where, ", ", axis + " " + printable(value, 60));
  const bool neither = all.known[cells.front().place].direction == results::better::neither;
  const std::string by = neither ? by_how_much(cells.front().by, "higher", "lower") : worse(cells.front().by);
  return fmt::format("{} in {} of {} of {}{}", by, cells.size(), counted(here.size(), "cell"),
                     printable(cells.front().experiment), where.empty() ? "" : " (" + where + ")");
}

/// Grouped by experiments, without those that are told of as a whole.
std::vector<std::string> cell_texts(const gathered& all, const host_verdict& v,
                                    const std::vector<deviation>& experiments) {
  std::vector<std::vector<deviation>> by_experiment;
  for (const deviation& d : those_of(v, subject::cell)) {
    if (has(experiments, d.experiment)) continue;
    const auto same = std::find_if(by_experiment.begin(), by_experiment.end(),
                                   [&](const auto& other) { return other.front().experiment == d.experiment; });
    if (same == by_experiment.end())
      by_experiment.push_back({d});
    else
      same->push_back(d);
  }
  std::vector<std::string> texts;
  for (const auto& cells : by_experiment)
    if (texts.size() < most_named) texts.push_back(cells_text(all, v, cells));
  if (by_experiment.size() > most_named)
    texts.push_back("otherwise in cells of " + counted(by_experiment.size() - most_named, "more experiment"));
  return texts;
}

std::string change_text(const std::vector<deviation>& changes, const host& h) {
  const deviation& d = changes.front().experiment.empty() || changes.size() == 1 ? changes.front() : changes.back();
  return fmt::format("{} than on {}{}, beside what others have changed", worse(d.by),
                     printable(h.answers.front().started.substr(0, 10)),
                     d.experiment.empty() ? " in everything" : " in " + printable(d.experiment));
}

std::string facts_text(const host_verdict& v) {
  std::vector<std::string> parts;
  for (const unlike_fact& f : v.facts)
    if (f.rare)
      parts.push_back(fmt::format("its {} is {}, not {}", f.name, printable(f.value, 60), printable(f.usual, 60)));
  return results::enumerate(parts);
}

}  // namespace

std::string by_how_much(double by, const char* more, const char* less) {
  const double factor = std::exp(std::abs(by));
  const char* const which = by > 0 ? more : less;
  if (factor > a_million) return fmt::format("{} by a factor of more than a million", which);
  if (factor >= 2) return fmt::format("{} by a factor of {}", which, results::digits(factor));
  return fmt::format("{} by {} %", which, results::two_digits(100 * (factor - 1)));
}

namespace {

/// For a host that is unlike in most experiments: they are not told one by one.
std::string whole_text(const group& g, const std::vector<deviation>& whole, const std::vector<deviation>& experiments) {
  const auto all = static_cast<std::size_t>(
      std::count_if(g.columns.begin(), g.columns.end(), [](const column& c) { return c.of == subject::experiment; }));
  if (!whole.empty())
    return fmt::format("{} in everything, as the median of {}", worse(whole.front().by), counted(all, "experiment"));
  if (experiments.size() <= most_named || 2 * experiments.size() <= all) return "";
  std::vector<double> by;
  for (const deviation& d : experiments) by.push_back(d.by);
  return fmt::format("{} in {} of {}, as their median", worse(results::median(by)), experiments.size(),
                     counted(all, "experiment"));
}

}  // namespace

std::string sentence_of(const gathered& all, const group& g, const host_verdict& v) {
  std::vector<std::string> parts;
  const auto experiments = those_of(v, subject::experiment);
  if (std::string whole = whole_text(g, those_of(v, subject::everything), experiments); !whole.empty()) {
    parts.push_back(std::move(whole));
  } else {
    if (!experiments.empty()) parts.push_back(experiments_text(experiments));
    for (std::string& text : cell_texts(all, v, experiments)) parts.push_back(std::move(text));
  }
  if (const auto scatter = those_of(v, subject::scatter); !scatter.empty())
    parts.push_back(fmt::format("its repetitions scatter {}", by_how_much(scatter.front().by, "more", "less")));
  if (const auto changes = those_of(v, subject::change); !changes.empty())
    parts.push_back(change_text(changes, all.hosts[v.host]));
  return results::joined(fmt::format("{}", fmt::join(parts, "; ")), "; ", facts_text(v));
}

namespace {

std::string how_many_of(std::size_t called, std::size_t have) {
  if (called < have) return fmt::format("{} of the {} hosts", called, have);
  return have == 2 ? "Both hosts" : fmt::format("All {} hosts", have);
}

}  // namespace

std::vector<std::string> common_causes(const gathered& all, const judgement& j) {
  std::vector<std::string> found;
  for (const few_hosts& few : facts_of_few(j)) {
    const group& g = j.groups[few.group];
    std::vector<std::size_t> called;
    std::copy_if(few.hosts.begin(), few.hosts.end(), std::back_inserter(called),
                 [&](std::size_t i) { return g.hosts[i].called; });
    if (called.size() < 2 || 2 * called.size() < few.hosts.size()) continue;
    found.push_back(fmt::format(
        "{} whose {} is {}, not {}, are called different: {}", how_many_of(called.size(), few.hosts.size()),
        few.fact.name, printable(few.fact.value, 60), printable(few.fact.usual, 60), names_of(all, g, called, 5)));
  }
  return found;
}

std::string bound_of(const judgement& j) {
  if (j.judged == 0) return "No host was compared, so none is called different.";
  return fmt::format(
      "Over all {} comparisons of {}: where no host is ill, at most {:.3g} in 100 such fleets have one that is called "
      "different; of the hosts that are called different, at most {:.3g} in 100 are called so wrongly, on average. "
      "Differences up to {:.3g} % are never reported.",
      j.comparisons, counted(j.judged, "host"), 100 * j.by.rate, 100 * j.by.rate, 100 * j.by.allowed);
}

std::string name_of(const group& g) {
  return fmt::format("{}, {}", printable(g.model),
                     g.processors == 0 ? "processors unknown" : counted(g.processors, "processor"));
}

std::string names_of(const gathered& all, const group& g, const std::vector<std::size_t>& places, std::size_t most) {
  std::vector<std::string> names;
  for (const std::size_t i : places)
    if (names.size() < most) names.push_back(printable(all.hosts[g.hosts[i].host].name, 60));
  if (places.size() > most) names.push_back(fmt::format("{} more", places.size() - most));
  return results::enumerate(names);
}

std::string why_not_judged(const group& g) {
  if (g.judged) return "";
  return fmt::format("{} alike: too few to call one ill, which takes {}", counted(g.hosts.size(), "host"),
                     fewest_alike);
}

namespace {

/// The group that has more than half of the hosts of this model whose processors are known, if it is judged.
const group* usual_of(const judgement& j, const std::string& model) {
  const auto known = [&](const group& g) { return g.model == model && g.processors != 0; };
  std::size_t hosts = 0;
  for (const group& g : j.groups)
    if (known(g)) hosts += g.hosts.size();
  const auto found = std::find_if(j.groups.begin(), j.groups.end(),
                                  [&](const group& g) { return known(g) && g.judged && 2 * g.hosts.size() > hosts; });
  return found == j.groups.end() ? nullptr : &*found;
}

}  // namespace

std::string other_processors(const gathered& all, const judgement& j, const group& g) {
  const group* const usual = usual_of(j, g.model);
  if (g.processors == 0 || usual == nullptr || usual == &g) return "";
  std::vector<std::size_t> everybody(g.hosts.size());
  std::iota(everybody.begin(), everybody.end(), 0U);
  return fmt::format("{} {} measured on {}, {} others of this model on {}", names_of(all, g, everybody),
                     everybody.size() == 1 ? "was" : "were", counted(g.processors, "processor"), usual->hosts.size(),
                     usual->processors);
}

std::string remark_on(const gathered& all, const judgement& j, const group& g) {
  return results::joined(why_not_judged(g), "; ", other_processors(all, j, g));
}

std::vector<few_hosts> facts_of_few(const judgement& j) {
  std::vector<few_hosts> found;
  for (std::size_t g = 0; g < j.groups.size(); ++g)
    for (std::size_t i = 0; i < j.groups[g].hosts.size(); ++i)
      for (const unlike_fact& f : j.groups[g].hosts[i].facts) {
        if (!f.rare) continue;
        const auto same = std::find_if(found.begin(), found.end(), [&](const few_hosts& c) {
          return c.group == g && c.fact.name == f.name && c.fact.value == f.value;
        });
        if (same == found.end())
          found.push_back({g, f, {i}});
        else
          same->hosts.push_back(i);
      }
  return found;
}

}  // namespace synchro::fleet
