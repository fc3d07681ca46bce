#include "results/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/interval.hpp"
#include "results/text.hpp"

namespace synchro::results {

namespace {

std::vector<scale> scales_of(const std::string& unit, bool utf8) {
  const std::string micro = utf8 ? "\u00b5" : "u";
  if (unit == "ns") return {{1, "ns"}, {1e3, micro + "s"}, {1e6, "ms"}, {1e9, "s"}};
  if (unit == "J") return {{1e-9, "nJ"}, {1e-6, micro + "J"}, {1e-3, "mJ"}, {1, "J"}, {1e3, "kJ"}};
  if (unit.ends_with("/s")) return {{1, unit}, {1e3, "k" + unit}, {1e6, "M" + unit}, {1e9, "G" + unit}};
  if (unit == "cycle") return {{1, "cycles"}};
  if (unit == "1") return {{1, ""}};
  return {{1, unit}};
}

/// "1240" as "1,240".
std::string thousands(std::string whole) {
  const std::size_t first = whole.starts_with('-') ? 1 : 0;
  for (std::size_t i = whole.size(); i > first + 3; i -= 3) whole.insert(i - 3, ",");
  return whole;
}

}  // namespace

scale scale_for(const std::string& unit, const std::vector<double>& values, bool utf8) {
  const std::vector<scale> scales = scales_of(unit, utf8);
  std::vector<double> sizes;
  for (const double v : values)
    if (v != 0 && std::isfinite(v)) sizes.push_back(std::abs(v));
  if (sizes.empty()) return *std::find_if(scales.begin(), scales.end(), [](const scale& s) { return s.factor == 1; });
  std::sort(sizes.begin(), sizes.end());
  const double middle = sizes[sizes.size() / 2];
  scale best = scales.front();
  for (const scale& s : scales)
    if (middle >= s.factor * 0.9995) best = s;  // 999.6 is shown as 1000, so it is 1.00 of the next.
  return best;
}

std::string digits(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (!(size < 1e9)) return fmt::format("{:.2e}", value);
  if (size >= 99.95) return thousands(fmt::format("{:.0f}", value));
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  if (size >= 0.9995) return fmt::format("{:.2f}", value);
  if (size >= 0.09995) return fmt::format("{:.3f}", value);
  return fmt::format("{:.2g}", value);
}

std::string significant(double value, int n) {
  return std::abs(value) < std::pow(10, n) - 0.5 ? fmt::format("{:.{}g}", value, n)
                                                 : thousands(fmt::format("{:.0f}", value));
}

std::string two_digits(double value) { return significant(value, 2); }

std::string quantity(double value, const std::string& unit, bool utf8) {
  const scale s = scale_for(unit, {value}, utf8);
  return joined(digits(value / s.factor), " ", s.unit);
}

std::string interval(double from, double to, const std::string& unit, bool utf8) {
  const scale s = scale_for(unit, {from / 2 + to / 2}, utf8);
  const std::string ends = from_to(digits(from / s.factor), digits(to / s.factor));
  return ends.empty() ? "" : joined(ends, " ", s.unit);
}

}  // namespace synchro::results
