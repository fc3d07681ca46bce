// Experiments whose bodies only compute, on machines that are only described.

#ifndef SYNCHRO_TESTS_EXPERIMENTS_FRAMEWORK_FAKES_HPP
#define SYNCHRO_TESTS_EXPERIMENTS_FRAMEWORK_FAKES_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/framework/axes.hpp"
#include "experiments/framework/runner.hpp"

namespace synchro::experiments {

inline platform::topology machine_with(unsigned processors) {
  platform::topology machine;
  for (unsigned cpu = 0; cpu < processors; ++cpu) machine.processors.push_back({cpu, cpu, 0, cpu, 0, 0, 0, 0, ""});
  return machine;
}

inline setting quick_setting(unsigned processors = 2) {
  setting s;
  s.machine = machine_with(processors);
  s.thoroughness = level::quick;
  return s;
}

/// What a fake's body was asked for.
struct call {
  std::string at;
  std::uint64_t seed;
};

/// letter a, b, c by number 1, 2; one metric, "time", whose value is 100 in every repetition unless told otherwise.
struct fake {
  experiment what;
  std::vector<call> calls;

  explicit fake(std::string name = "fake.one") {
    what.name = std::move(name);
    what.line = "nothing";
    what.source = "a test";
    what.axes = {word_axis("letter", "a letter", {"a", "b", "c"}), {"number", "a number", [](const setting&) {
                                                                      return std::vector<coordinate>{1, 2};
                                                                    }}};
    what.metrics = {{"time", "ns", better::lower, "no time"}};
    what.seconds = [](const setting&, const coordinates&) { return 0.001; };
    what.processors = [](const setting&, const coordinates&) { return std::vector<unsigned>{}; };
    what.measure = [this](const setting&, const coordinates& at, std::uint64_t seed) {
      calls.push_back({at.to_string(), seed});
      return result(at, seed);
    };
  }
  fake(const fake&) = delete;
  fake& operator=(const fake&) = delete;

  std::function<repetition(const coordinates&, std::uint64_t)> result = [](const coordinates&, std::uint64_t) {
    return repetition_of(100);
  };

  static repetition repetition_of(double value) {
    repetition r;
    r.observations.push_back({"time", value});
    return r;
  }

  [[nodiscard]] std::vector<std::string> order() const {
    std::vector<std::string> places;
    for (const call& c : calls) places.push_back(c.at);
    return places;
  }
};

inline run_control quietly() {
  run_control control;
  control.probe_modes = false;
  return control;
}

inline run_outcome run_fake(fake& f, const setting& s = quick_setting(), const run_control& control = quietly()) {
  return run(make_plan(s, {&f.what}), s, control);
}

inline const results::cell* find_cell(const run_outcome& outcome, const std::string& at,
                                      const std::string& metric = "time") {
  for (const results::cell& c : outcome.cells)
    if (c.at.to_string() == at && c.metric == metric) return &c;
  return nullptr;
}

inline const results::warning* find_warning(const run_outcome& outcome, const std::string& id) {
  for (const results::warning& w : outcome.warnings)
    if (w.id == id) return &w;
  return nullptr;
}

}  // namespace synchro::experiments

#endif
