#include "views/exports/tidy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace synchro::views {

using namespace results;

namespace {

constexpr std::array before = {"run", "experiment"};
constexpr std::array after = {"metric", "unit", "better", "value", "ci_low", "ci_high", "n", "flag", "valid", "reason"};
constexpr const char* last = "samples";

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

tidy_value number_or_nothing(double v) { return std::isfinite(v) ? tidy_value{v} : tidy_value{}; }

tidy_value value_of(const std::optional<double>& v) { return v ? number_or_nothing(*v) : tidy_value{}; }

std::string samples_of(const cell& c) {
  std::string out;
  for (const double v : c.samples) out += (out.empty() ? "" : " ") + (std::isfinite(v) ? exact(v) : "nan");
  return out;
}

}  // namespace

std::string exact(double value) {
  std::string text = fmt::format("{}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

tidy_table::tidy_table(const document& d) : run_{d.id} {
  for (const cell& c : d.cells) {
    for (const auto& [axis, value] : c.at.entries()) add_once(axes_, axis);
    for (const auto& [name, value] : c.quantiles) add_once(quantiles_, name);
  }
  std::sort(quantiles_.begin(), quantiles_.end());
  headings_.assign(before.begin(), before.end());
  const auto taken = [this](const std::string& name) {
    return name == last || std::find(before.begin(), before.end(), name) != before.end() ||
           std::find(after.begin(), after.end(), name) != after.end() ||
           std::find(quantiles_.begin(), quantiles_.end(), name) != quantiles_.end();
  };
  for (const std::string& axis : axes_) headings_.push_back(taken(axis) ? "at." + axis : axis);
  headings_.insert(headings_.end(), after.begin(), after.end());
  headings_.insert(headings_.end(), quantiles_.begin(), quantiles_.end());
  headings_.emplace_back(last);
}

std::vector<tidy_value> tidy_table::row(const cell& c) const {
  std::vector<tidy_value> row = {run_, c.experiment};
  for (const std::string& axis : axes_) {
    const coordinate* const at = c.at.find(axis);
    row.push_back(at == nullptr ? tidy_value{} : std::visit([](const auto& v) { return tidy_value{v}; }, *at));
  }
  row.insert(row.end(), {c.metric, c.unit, to_string(c.direction), value_of(c.value)});
  row.push_back(c.ci ? number_or_nothing(c.ci->first) : tidy_value{});
  row.push_back(c.ci ? number_or_nothing(c.ci->second) : tidy_value{});
  row.insert(row.end(), {static_cast<std::int64_t>(c.n), to_string(c.quality), c.valid ? "true" : "false"});
  row.push_back(c.reason ? tidy_value{*c.reason} : tidy_value{});
  for (const std::string& name : quantiles_) {
    const auto found = c.quantiles.find(name);
    row.push_back(found == c.quantiles.end() ? tidy_value{} : number_or_nothing(found->second));
  }
  row.emplace_back(samples_of(c));
  return row;
}

}  // namespace synchro::views
