// Numbers and units as people read them: three digits, and the prefix that makes the number short.

#ifndef SYNCHRO_RESULTS_UNITS_HPP
#define SYNCHRO_RESULTS_UNITS_HPP

#include <string>
#include <vector>

namespace synchro::results {

/// A unit to show values in: shown = value / factor.
struct scale {
  double factor = 1;
  std::string unit;
};

/// The scale that suits the middle of these values: values in "op/s" around 1e7 are shown in "Mop/s".
[[nodiscard]] scale scale_for(const std::string& unit, const std::vector<double>& values, bool utf8);

/// Three significant digits, thousands apart: "0.312", "26.3", "1,240".
[[nodiscard]] std::string digits(double value);
/// `n` significant digits, whole from 10 to the n-th on, and never with an exponent above one, without zeros at the end:
/// "0.354", "3.5", "38.4", "1,284" with three.
[[nodiscard]] std::string significant(double value, int n);
/// For a share or a size in a sentence.
[[nodiscard]] std::string two_digits(double value);

/// "26.3 ns", "19.1 Mop/s", "2.50".
[[nodiscard]] std::string quantity(double value, const std::string& unit, bool utf8);
/// "25.8 to 26.9 ns": both ends in the scale of the middle; empty where they are printed alike.
[[nodiscard]] std::string interval(double from, double to, const std::string& unit, bool utf8);

}  // namespace synchro::results

#endif
