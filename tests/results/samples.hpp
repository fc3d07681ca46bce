// Cells and documents for the tests.

#ifndef SYNCHRO_TESTS_RESULTS_SAMPLES_HPP
#define SYNCHRO_TESTS_RESULTS_SAMPLES_HPP

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "results/document.hpp"

namespace synchro::results::samples {

inline coordinate whole(std::int64_t v) { return v; }

/// Eleven repetitions around a value; the interval reaches `half_width` (relative) to either side.
inline std::vector<double> around(double value, double half_width = 0.01) {
  std::vector<double> out;
  for (int i = -5; i <= 5; ++i) out.push_back(value * (1 + half_width * (i / 4.0)));
  return out;
}

inline cell made(const std::string& experiment, const coordinates& at, const std::string& metric,
                 const std::string& unit, const std::vector<double>& samples, better direction = better::lower) {
  cell c;
  c.experiment = experiment;
  c.at = at;
  c.metric = metric;
  c.unit = unit;
  c.direction = direction;
  c.samples = samples;
  summarize(c);
  return c;
}

inline cell without_value(const std::string& experiment, const coordinates& at, const std::string& metric,
                          const std::string& unit, const std::string& reason) {
  cell c = made(experiment, at, metric, unit, {});
  c.reason = reason;
  return c;
}

/// A document that says all that the schema asks for.
inline document complete_document(std::vector<cell> cells) {
  document d;
  d.complete = true;
  d.id = "0f8fad5b-d9cb-469f-a165-70867728950e";
  d.label = "a test";
  d.tool = {
      {"version", "0.1.0"}, {"git", nullptr}, {"compiler", "GNU 12.2.0"}, {"flags", "-O3"}, {"libc", "glibc 2.36"}};
  d.invocation = {
      {"argv", {"synchroscope", "run"}}, {"seed", 1}, {"started", "2026-11-21T09:20:00Z"}, {"wall_s", 12.5}};
  d.machine = {{"kind", "hardware"},
               {"model_name", "A processor"},
               {"memory_bytes", 8589934592},
               {"unavailable", {{{"fact", "microcode"}, {"reason", "the system does not show it"}}}}};
  d.topology = {{"source", "synthetic:pu:2"}};
  d.os = {{"name", "Linux"}};
  d.clock = {{"source", "tsc"}, {"hz", 2.4e9}, {"resolution_ns", 10.0}, {"read_cost_ns", 11.3}, {"invariant", true}};
  d.warnings = {{"governor", {{"governor", "powersave"}}, "Choose the performance governor."}};
  d.cells = std::move(cells);
  return d;
}

}  // namespace synchro::results::samples

#endif
