#include "fleet/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "fleet/columns.hpp"
#include "results/origin.hpp"
#include "statistics/statistics.hpp"

namespace synchro::fleet {

namespace {

/// Half of a host's level is for the broad comparisons, of which there are few, and half for the cells.
constexpr std::size_t halves = 2;
bool is_broad(subject s) { return s != subject::cell; }

/// What falls off alike: medians of many cells, and what is a cell or the median of a few; every other kind by itself.
subject kind_of(const column& c) {
  if (c.of == subject::everything || c.of == subject::experiment)
    return c.of_many ? subject::experiment : subject::cell;
  return c.of;
}

/// With fewer values a column's own tails say nothing.
constexpr std::size_t fewest_for_tails = 40;

/// The tails of each column: those of all columns of its kind, or its own where they may be heavier, by as much as their quantile
/// is uncertain: its standard error, relative to it, is about 1.5 / sqrt(n).
class all_tails {
 public:
  explicit all_tails(const std::vector<column>& columns) {
    std::map<subject, std::vector<double>> pooled;
    for (const column& c : columns)
      for (const double d : distances_in(c)) pooled[kind_of(c)].push_back(d);
    for (auto& [kind, d] : pooled) freedom_[kind] = freedom_of(std::move(d));
  }

  [[nodiscard]] tails of(const column& c) const {
    double freedom = freedom_.at(kind_of(c));
    const std::size_t n = c.values.size();
    if (n >= fewest_for_tails)
      freedom = std::min(freedom, freedom_of(distances_in(c), 1.5 / std::sqrt(static_cast<double>(n))));
    return tails_for(freedom, n);
  }

 private:
  static std::vector<double> distances_in(const column& c) {
    std::vector<double> all;
    for (const auto& [host, value] : c.values) all.push_back(std::abs(value - c.likes.middle) / c.likes.spread);
    return all;
  }

  std::map<subject, double> freedom_;
};

/// What a host's comparisons come to: how many of each half there are, and the least p-value.
struct least {
  std::array<std::size_t, halves> count{};
  std::array<double, halves> p{1, 1};

  [[nodiscard]] double of(std::size_t half) const {
    return p[half] * static_cast<double>(halves * std::max<std::size_t>(1, count[half]));
  }
  [[nodiscard]] double of_host() const { return std::min({1.0, of(0), of(1)}); }
};

/// Columns whose p-value is not plainly large, by hosts: nothing else can be called.
struct candidate {
  const column* in;
  double value;
  double p;
};

class judge_of_group {
 public:
  judge_of_group(const gathered& all, group& g, const rules& by)
      : group_{g}, columns_{columns_of(all, g)}, seen_(g.hosts.size()), candidates_(g.hosts.size()) {
    const all_tails fall{columns_};
    for (const column& c : columns_) look_at(c, fall.of(c), std::log1p(by.allowed));
    for (std::size_t i = 0; i < g.hosts.size(); ++i) {
      g.hosts[i].p = seen_[i].of_host();
      g.hosts[i].comparisons = seen_[i].count[0] + seen_[i].count[1];
    }
  }

  /// What hosts that are called differ in, at this level for each of them.
  void tell(double level) {
    for (std::size_t i = 0; i < group_.hosts.size(); ++i)
      if (group_.hosts[i].called) tell_of(i, level);
  }

 private:
  void look_at(const column& c, const tails& fall, double allowed) {
    const std::size_t half = is_broad(c.of) ? 0 : 1;
    for (const auto& [host, value] : c.values) {
      const double p = p_value(value, c.likes, fall, allowed);
      ++seen_[host].count[half];
      seen_[host].p[half] = std::min(seen_[host].p[half], p);
      if (p < 0.05) candidates_[host].push_back({&c, value, p});
    }
  }

  void tell_of(std::size_t host, double level) {
    host_verdict& v = group_.hosts[host];
    for (const candidate& c : candidates_[host]) {
      const std::size_t half = is_broad(c.in->of) ? 0 : 1;
      if (c.p * static_cast<double>(halves * seen_[host].count[half]) > level) continue;
      const double by = c.value - c.in->likes.middle;
      v.deviations.push_back(
          {c.in->of, c.in->experiment, c.in->place, by, c.value, c.in->likes.middle, c.p, c.in->likes.count - 1});
      v.severity = std::max(v.severity, std::abs(by));
    }
    std::stable_sort(v.deviations.begin(), v.deviations.end(), [](const deviation& a, const deviation& b) {
      return a.of != b.of ? a.of < b.of : std::abs(a.by) > std::abs(b.by);
    });
  }

  group& group_;
  std::vector<column> columns_;
  std::vector<least> seen_;
  std::vector<std::vector<candidate>> candidates_;
};

std::vector<group> groups_of(const gathered& all) {
  std::map<std::pair<std::string, std::size_t>, group> found;
  for (std::size_t i = 0; i < all.hosts.size(); ++i) {
    const answer& a = all.hosts[i].now();
    group& g = found[{a.model, a.processors}];
    g.model = a.model;
    g.processors = a.processors;
    g.hosts.emplace_back().host = i;
  }
  std::vector<group> groups;
  for (auto& [key, g] : found) groups.push_back(std::move(g));
  std::stable_sort(groups.begin(), groups.end(),
                   [](const group& a, const group& b) { return a.hosts.size() > b.hosts.size(); });
  for (group& g : groups) g.judged = g.hosts.size() >= fewest_alike;
  return groups;
}

/// All facts of the group's hosts. Memory that makes no other machine is as it is with most.
std::vector<std::vector<fact>> facts_in(const gathered& all, const group& g) {
  std::vector<double> sizes;
  for (const host_verdict& v : g.hosts) sizes.push_back(all.hosts[v.host].now().memory);
  const double usual = results::median(sizes);
  const auto text = [](double bytes) {
    const double gib = bytes / (1 << 30);
    if (!(gib > 0)) return std::string{"unknown"};
    return gib < 999.5 ? fmt::format("{:.3g} GiB", gib) : fmt::format("{:.3g} TiB", gib / 1024);
  };
  std::vector<std::vector<fact>> facts;
  for (std::size_t i = 0; i < g.hosts.size(); ++i) {
    facts.push_back(all.hosts[g.hosts[i].host].now().facts);
    const bool same = results::same_memory(sizes[i], usual);
    facts.back().emplace_back("memory", text(same ? usual : sizes[i]));
  }
  return facts;
}

/// With fewer, "most" says nothing.
constexpr std::size_t fewest_for_a_majority = 3;

void add_unlike_facts(const gathered& all, group& g) {
  if (g.hosts.size() < fewest_for_a_majority) return;
  const auto facts = facts_in(all, g);
  for (std::size_t n = 0; n < facts.front().size(); ++n) {
    std::map<std::string, std::size_t> count;
    for (const auto& of_host : facts) ++count[of_host[n].second];
    const auto most =
        std::max_element(count.begin(), count.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (2 * most->second <= facts.size()) continue;
    for (std::size_t i = 0; i < facts.size(); ++i)
      if (const auto& [name, value] = facts[i][n]; value != most->first)
        g.hosts[i].facts.push_back(
            {name, value, most->first, most->second, count[value], 5 * count[value] <= facts.size()});
  }
}

/// Marks who is called. The level at which each of them is told of.
double call(judgement& j) {
  std::vector<double> p;
  for (const group& g : j.groups)
    if (g.judged)
      for (const host_verdict& v : g.hosts) p.push_back(v.p), j.comparisons += v.comparisons;
  j.judged = p.size();
  if (p.empty()) return 0;
  const double limit = results::false_discovery_limit(p, j.by.rate);
  std::size_t called = 0;
  for (group& g : j.groups)
    for (host_verdict& v : g.hosts) {
      v.called = g.judged && v.p <= limit;
      if (v.called) ++called;
    }
  return j.by.rate * static_cast<double>(called) / static_cast<double>(j.judged);
}

void put_in_order(judgement& j) {
  for (std::size_t g = 0; g < j.groups.size(); ++g)
    for (std::size_t i = 0; i < j.groups[g].hosts.size(); ++i)
      if (j.groups[g].hosts[i].called) j.called.emplace_back(g, i);
  const auto severity = [&](const auto& at) { return j.groups[at.first].hosts[at.second].severity; };
  std::stable_sort(j.called.begin(), j.called.end(),
                   [&](const auto& a, const auto& b) { return severity(a) > severity(b); });
}

}  // namespace

std::string to_string(subject s) {
  switch (s) {
    case subject::everything:
      return "everything";
    case subject::experiment:
      return "experiment";
    case subject::scatter:
      return "scatter";
    case subject::change:
      return "change";
    case subject::cell:
      return "cell";
  }
  throw std::logic_error("no such subject");
}

judgement judge(const gathered& all, const rules& by) {
  judgement j{by, 0, 0, groups_of(all), {}};
  std::vector<judge_of_group> judges;
  judges.reserve(j.groups.size());
  for (group& g : j.groups) {
    add_unlike_facts(all, g);
    if (g.judged) judges.emplace_back(all, g, by);
  }
  const double level = call(j);
  for (judge_of_group& one : judges) one.tell(level);
  put_in_order(j);
  return j;
}

}  // namespace synchro::fleet
