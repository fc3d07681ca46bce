#include "fleet/columns.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "statistics/statistics.hpp"

namespace synchro::fleet {

namespace {

using members = std::vector<std::pair<std::size_t, const measured*>>;

/// Numbers by a host's place in the group.
using by_host = std::vector<std::vector<double>>;

double worse_up(double value, results::better direction) {
  return direction == results::better::higher ? -value : value;
}

void settle(column& c) {
  std::vector<double> values;
  for (const auto& [host, value] : c.values) values.push_back(value);
  c.likes = peers_of(values);
}

bool enough(const column& c) { return c.values.size() >= fewest_alike; }

/// Not the mean of the middle two, for that may be a distance at which nobody is.
double usual_probe(const members& all) {
  std::vector<double> probes;
  for (const auto& [host, m] : all)
    if (!std::isnan(m->probe)) probes.push_back(m->probe);
  if (probes.empty()) return std::nan("");
  const auto middle = probes.begin() + static_cast<std::ptrdiff_t>((probes.size() - 1) / 2);
  std::nth_element(probes.begin(), middle, probes.end());
  return *middle;
}

/// How many times farther or nearer; 1 if one of them is not known.
double apart(double probe, double usual) {
  if (std::isnan(probe) || std::isnan(usual)) return 1;
  return std::max(probe, usual) / std::min(probe, usual);
}

/// For each host the value whose processors were as far apart as those of most: a run may have one for each mode.
members comparable(const members& all, group& g) {
  const double usual = usual_probe(all);
  members chosen;
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t host = all[i].first;
    const measured* best = nullptr;
    for (; i < all.size() && all[i].first == host; ++i)
      if (best == nullptr || apart(all[i].second->probe, usual) < apart(best->probe, usual)) best = all[i].second;
    if (apart(best->probe, usual) < results::modes_apart)
      chosen.emplace_back(host, best);
    else
      ++g.hosts[host].farther;
  }
  return chosen;
}

/// What is measured at each place, by hosts.
std::unordered_map<std::uint32_t, members> by_place(const gathered& all, const group& g) {
  std::unordered_map<std::uint32_t, members> found;
  for (std::size_t i = 0; i < g.hosts.size(); ++i)
    for (const measured& m : all.hosts[g.hosts[i].host].now().cells) found[m.place].emplace_back(i, &m);
  return found;
}

/// Relative to the middle of the cell's own.
void add_widths(const members& at_place, by_host& all) {
  std::vector<double> known;
  for (const auto& [host, m] : at_place)
    if (!std::isnan(m->half_width)) known.push_back(m->half_width);
  if (known.size() < fewest_alike) return;
  const double middle = results::median(known);
  for (const auto& [host, m] : at_place)
    if (!std::isnan(m->half_width)) all[host].push_back(m->half_width - middle);
}

std::vector<column> cell_columns(const gathered& all, group& g, by_host& scatter) {
  auto found = by_place(all, g);
  std::vector<std::uint32_t> order;
  for (const auto& [place, m] : found) order.push_back(place);
  std::sort(order.begin(), order.end());
  std::vector<column> columns;
  for (const std::uint32_t number : order) {
    if (found[number].size() < fewest_alike) continue;
    const members at_place = comparable(found[number], g);
    column c{subject::cell, all.known[number].experiment, number};
    for (const auto& [host, m] : at_place) c.values.emplace_back(host, worse_up(m->value, all.known[number].direction));
    if (!enough(c)) continue;
    settle(c);
    add_widths(at_place, scatter);
    columns.push_back(std::move(c));
  }
  return columns;
}

using weighted = std::vector<std::pair<double, double>>;

/// A median of fewer follows one of them too often.
constexpr double fewest_of_many = 5;

/// As many values of one weight have the same influence (Kish 1965).
double effective(const weighted& all) {
  double sum = 0, squares = 0;
  for (const auto& [value, weight] : all) sum += weight, squares += weight * weight;
  return sum * sum / squares;
}

/// For each experiment the cells of which one direction is better, together.
std::vector<column> experiment_columns(const gathered& all, const std::vector<column>& cells, std::size_t hosts) {
  std::map<std::string, std::vector<weighted>> found;
  for (const column& c : cells) {
    if (all.known[c.place].direction == results::better::neither) continue;
    auto& of_experiment = found.try_emplace(c.experiment, hosts).first->second;
    for (const auto& [host, value] : c.values)
      of_experiment[host].emplace_back(value - c.likes.middle, 1 / c.likes.spread);
  }
  std::vector<column> columns;
  for (const auto& [experiment, distances] : found) {
    column c{subject::experiment, experiment};
    std::vector<double> parts;
    for (std::size_t host = 0; host < hosts; ++host)
      if (!distances[host].empty()) {
        c.values.emplace_back(host, weighted_median(distances[host]));
        parts.push_back(effective(distances[host]));
      }
    if (!enough(c)) continue;
    settle(c);
    c.of_many = results::median(parts) >= fewest_of_many;
    columns.push_back(std::move(c));
  }
  return columns;
}

/// The median of what each host has; nothing if too few have enough.
std::optional<column> medians(subject of, const by_host& distances, std::size_t fewest) {
  column c{of};
  c.of_many = true;
  for (std::size_t host = 0; host < distances.size(); ++host)
    if (distances[host].size() >= fewest) c.values.emplace_back(host, results::median(distances[host]));
  if (!enough(c)) return std::nullopt;
  settle(c);
  return c;
}

std::optional<column> everything(const std::vector<column>& experiments, std::size_t hosts) {
  by_host distances(hosts);
  for (const column& c : experiments)
    for (const auto& [host, value] : c.values) distances[host].push_back(value - c.likes.middle);
  return medians(subject::everything, distances, 2);
}

}  // namespace

std::map<std::string, double> changes_since_the_first(const gathered& all, const host& h) {
  std::unordered_map<std::uint32_t, const measured*> before;
  for (const measured& m : h.answers.front().cells) before.emplace(m.place, &m);
  std::map<std::string, std::vector<double>> changes;
  for (const measured& m : h.now().cells) {
    const auto found = before.find(m.place);
    const cell_key& p = all.known[m.place];
    if (found == before.end() || p.direction == results::better::neither) continue;
    if (apart(m.probe, found->second->probe) < results::modes_apart)
      changes[p.experiment].push_back(worse_up(m.value - found->second->value, p.direction));
  }
  std::map<std::string, double> medians;
  for (const auto& [experiment, all_changes] : changes) medians[experiment] = results::median(all_changes);
  return medians;
}

namespace {

std::vector<column> change_columns(const gathered& all, const group& g) {
  std::map<std::string, column> found;
  by_host whole(g.hosts.size());
  for (std::size_t i = 0; i < g.hosts.size(); ++i) {
    const host& h = all.hosts[g.hosts[i].host];
    if (h.answers.size() < 2) continue;
    for (const auto& [experiment, change] : changes_since_the_first(all, h)) {
      column& c = found.try_emplace(experiment, column{subject::change, experiment}).first->second;
      c.values.emplace_back(i, change);
      whole[i].push_back(change);
    }
  }
  std::vector<column> columns;
  if (auto c = medians(subject::change, whole, 2)) columns.push_back(std::move(*c));
  for (auto& [experiment, c] : found)
    if (enough(c)) settle(c), columns.push_back(std::move(c));
  return columns;
}

/// With fewer cells the scatter of a host says nothing.
constexpr std::size_t fewest_widths = 5;

}  // namespace

std::vector<column> columns_of(const gathered& all, group& g) {
  by_host scatter(g.hosts.size());
  std::vector<column> cells = cell_columns(all, g, scatter);
  std::vector<column> columns = experiment_columns(all, cells, g.hosts.size());
  if (auto c = everything(columns, g.hosts.size())) columns.insert(columns.begin(), std::move(*c));
  g.columns = columns;
  g.cells = cells.size();
  if (auto c = medians(subject::scatter, scatter, fewest_widths)) columns.push_back(std::move(*c));
  for (column& c : change_columns(all, g)) columns.push_back(std::move(c));
  columns.insert(columns.end(), std::make_move_iterator(cells.begin()), std::make_move_iterator(cells.end()));
  return columns;
}

}  // namespace synchro::fleet
