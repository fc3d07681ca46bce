#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "experiments/framework/axes.hpp"
#include "experiments/framework/runner.hpp"
#include "experiments/framework/usage_error.hpp"

namespace synchro::experiments {

namespace {

bool is_word(const coordinate& c) { return std::holds_alternative<std::string>(c); }

std::vector<std::string> names_of(const std::vector<coordinate>& values) {
  std::vector<std::string> names;
  std::transform(values.begin(), values.end(), std::back_inserter(names),
                 [](const coordinate& c) { return results::to_string(c); });
  return names;
}

/// Why an axis cannot take a value, of which it knows these, by the rule that stands with axis::refuses.
std::optional<std::string> refusal(const axis& a, const setting& s, const std::vector<coordinate>& known,
                                   const coordinate& value) {
  if (a.refuses) return a.refuses(s, value);
  if (std::find(known.begin(), known.end(), value) != known.end()) return std::nullopt;
  const std::string said = results::to_string(value);
  if (std::any_of(known.begin(), known.end(), is_word))
    return fmt::format("{} cannot be '{}'; it can be {}", a.name, said, fmt::join(names_of(known), ", "));
  if (is_word(value)) return fmt::format("{} takes whole numbers, not '{}'", a.name, said);
  std::int64_t least = 1;
  for (const coordinate& c : known) least = std::min(least, std::get<std::int64_t>(c));
  if (std::get<std::int64_t>(value) >= least) return std::nullopt;
  return fmt::format("{} must be {} at least, not {}", a.name, least, said);
}

[[noreturn]] void fail_no_axis(const std::string& name, const std::vector<const experiment*>& which) {
  std::vector<std::string> names;
  for (const experiment* e : which)
    for (const axis& a : e->axes)
      if (std::find(names.begin(), names.end(), a.name) == names.end()) names.push_back(a.name);
  throw usage_error{
      fmt::format("no experiment of this run has an axis '{}'; the axes are {}", name, fmt::join(names, ", ")), "axis",
      name, names};
}

/// Each axis that the user has set must be there, and each of its values be good for something.
void check_chosen(const setting& s, const std::vector<const experiment*>& which) {
  for (const auto& [name, values] : s.chosen) {
    std::vector<std::pair<const axis*, std::vector<coordinate>>> holders;
    for (const experiment* e : which)
      if (const axis* a = find_axis(*e, name)) holders.emplace_back(a, known_values(*a, s));
    if (holders.empty()) fail_no_axis(name, which);
    for (const coordinate& value : values) {
      std::optional<std::string> why;
      std::vector<coordinate> known;
      for (const auto& [a, its] : holders) {
        why = refusal(*a, s, its, value);
        if (!why) break;
        for (const coordinate& c : its) add_new(known, c);
      }
      if (!why) continue;
      const bool words = std::any_of(known.begin(), known.end(), is_word);
      throw usage_error{*why, name, results::to_string(value), words ? names_of(known) : std::vector<std::string>{}};
    }
  }
}

/// The chosen values that the axis can take, numbers rising, or else its own.
std::vector<coordinate> values_of(const axis& a, const setting& s) {
  const auto chosen = s.chosen.find(a.name);
  if (chosen == s.chosen.end()) return a.values(s);
  const std::vector<coordinate> known = known_values(a, s);
  std::vector<coordinate> accepted;
  for (const coordinate& value : chosen->second)
    if (!refusal(a, s, known, value)) add_new(accepted, value);
  if (std::none_of(accepted.begin(), accepted.end(), is_word)) std::sort(accepted.begin(), accepted.end());
  return accepted;
}

/// All points of the product of the axes, the last axis changing fastest.
std::vector<coordinates> points_of(const experiment& e, const setting& s) {
  std::vector<coordinates> points(1);
  for (const axis& a : e.axes) {
    const std::vector<coordinate> values = values_of(a, s);
    std::vector<coordinates> longer;
    longer.reserve(points.size() * values.size());
    for (const coordinates& point : points)
      for (const coordinate& value : values) {
        longer.push_back(point);
        longer.back().set(a.name, value);
      }
    points = std::move(longer);
  }
  return points;
}

unsigned repetitions_of(const experiment& e, level l) {
  if (e.repetitions) return std::max(1U, e.repetitions(l));
  return l == level::quick ? 7 : l == level::standard ? 11 : 21;
}

/// What the runner does around a repetition: it probes the distance of the processors and reads counters.
constexpr double seconds_around = 0.0015;

planned_cell plan_cell(const experiment& e, const setting& s, coordinates at) {
  planned_cell cell{&e, std::move(at), repetitions_of(e, s.thoroughness), 0, std::nullopt};
  if (e.unavailable) cell.unavailable = e.unavailable(s, cell.at);
  if (!cell.unavailable) cell.seconds = cell.repetitions * (e.seconds(s, cell.at) + seconds_around);
  return cell;
}

}  // namespace

double plan::seconds() const {
  double sum = 0;
  for (const planned_cell& cell : cells) sum += cell.seconds;
  return sum;
}

plan make_plan(const setting& s, const std::vector<const experiment*>& which) {
  check_chosen(s, which);
  plan p;
  for (const experiment* e : which)
    for (coordinates& at : points_of(*e, s))
      if (!e->skip || !e->skip(s, at)) p.cells.push_back(plan_cell(*e, s, std::move(at)));
  return p;
}

}  // namespace synchro::experiments
