#include "results/comparable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "results/text.hpp"
#include "results/units.hpp"
#include "statistics/statistics.hpp"

namespace synchro::results {

namespace {

constexpr double same_setting = 0.02;

bool alike(double a, double b) { return std::abs(a - b) <= same_setting * std::max(std::abs(a), std::abs(b)); }

std::optional<double> setting_of(const cell& c, const std::string& name) {
  const auto found = c.conditions.find(name);
  return found == c.conditions.end() ? std::nullopt : std::optional{found->second};
}

std::string text_of(const std::optional<double>& setting) { return setting ? digits(*setting) : "none"; }

}  // namespace

std::string mode_of(const cell& c) {
  const coordinate* const mode = c.at.find("mode");
  return mode == nullptr ? "near" : to_string(*mode);
}

bool alike(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first && alike(x.second, y.second); });
}

std::pair<double, double> alike_within(double setting) {
  constexpr double rounded = 1.01 * same_setting;
  return std::minmax({setting * (1 - rounded), setting / (1 - rounded)});
}

std::optional<std::string> why_not_comparable(const cell& a, const cell& b) {
  if (a.probe_ns && b.probe_ns) {
    const auto [near, far] = std::minmax(*a.probe_ns, *b.probe_ns);
    if (!(near * modes_apart > far)) return fmt::format("probes {:.0f} ns and {:.0f} ns", *a.probe_ns, *b.probe_ns);
  } else if (mode_of(a) != mode_of(b)) {
    return fmt::format("the modes {} and {}", mode_of(a), mode_of(b));
  }
  if (alike(a.conditions, b.conditions)) return std::nullopt;
  std::set<std::string> names;
  for (const cell* const c : {&a, &b})
    for (const auto& [name, value] : c->conditions) names.insert(name);
  std::string why;
  for (const std::string& name : names)
    if (const auto x = setting_of(a, name), y = setting_of(b, name); !x || !y || !alike(*x, *y))
      why = joined(why, ", ", fmt::format("{} {} and {}", name, text_of(x), text_of(y)));
  return why;
}

}  // namespace synchro::results
