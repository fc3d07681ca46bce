#include <fmt/format.h>

#include <cmath>

#include "results/json_fields.hpp"
#include "views/export.hpp"

namespace synchro::views {

using namespace results;

namespace {

bool is_rate(const cell& c) { return c.unit.ends_with("/s"); }

/// Nanoseconds, the only unit in which they are written.
double time_of(double v, const cell& c) { return is_rate(c) ? 1e9 / v : v; }

/// "experiment/metric/lock:mcs/threads:2", the form of Google Benchmark's own names.
std::string name_of_benchmark(const cell& c) {
  std::string name = c.experiment + "/" + c.metric;
  for (const auto& [axis, value] : c.at.entries()) name += "/" + axis + ":" + to_string(value);
  return name;
}

std::int64_t threads_of(const cell& c) {
  const coordinate* const at = c.at.find("threads");
  const auto* const threads = at == nullptr ? nullptr : std::get_if<std::int64_t>(at);
  return threads == nullptr ? 1 : *threads;
}

json entry_of(const cell& c, const std::string& name, std::size_t family, double v) {
  json e;
  e["name"] = name;
  e["family_index"] = family;
  e["per_family_instance_index"] = 0;
  e["run_name"] = name;
  e["run_type"] = "iteration";
  e["repetitions"] = c.samples.size();
  e["threads"] = threads_of(c);
  e["iterations"] = 1;
  e["real_time"] = time_of(v, c);
  e["cpu_time"] = time_of(v, c);
  e["time_unit"] = "ns";
  if (is_rate(c)) e["items_per_second"] = v;
  return e;
}

/// The repetitions, or the value alone where the file holds none; then their median.
void add_entries(json& all, const cell& c, std::size_t family) {
  const std::string name = name_of_benchmark(c);
  std::size_t index = 0;
  for (const double v : c.samples) {
    json e = entry_of(c, name, family, v);
    e["repetition_index"] = index++;
    all.push_back(std::move(e));
  }
  json e = entry_of(c, name, family, *c.value);
  if (!c.samples.empty()) {
    e["name"] = name + "_median";
    e["run_type"] = "aggregate";
    e["aggregate_name"] = "median";
    e["aggregate_unit"] = "time";
    e["iterations"] = c.samples.size();
  }
  all.push_back(std::move(e));
}

bool all_positive(const cell& c) {
  for (const double v : c.samples)
    if (!(v > 0 && std::isfinite(v))) return false;
  return c.value && *c.value > 0 && std::isfinite(*c.value);
}

json context_of(const document& d) {
  json context;
  context["date"] = d.invocation.value("started", json{});
  context["executable"] = "synchroscope";
  const auto cpus = d.topology.find("cpus");
  context["num_cpus"] = cpus != d.topology.end() && cpus->is_array() ? json(cpus->size()) : json(nullptr);
  context["model_name"] = d.machine.value("model_name", json{});
  context["kernel"] = d.os.value("kernel", json{});
  context["synchroscope_version"] = d.tool.value("version", json{});
  if (const auto by = emulator_of(d)) context["emulated_by"] = *by;
  context["note"] =
      "real_time is the time per operation (of a rate, its inverse); processor time is not measured, and cpu_time "
      "repeats it";
  return context;
}

void note_left_out(exported& out, std::size_t n, const char* why) {
  if (n > 0) out.notes.push_back(fmt::format("{} {} left out: {}", n, n == 1 ? "cell is" : "cells are", why));
}

}  // namespace

exported to_gbench(const document& d) {
  json benchmarks = json::array();
  std::size_t family = 0, other_units = 0, without_value = 0;
  for (const cell& c : d.cells) {
    if (c.unit != "ns" && !is_rate(c))
      ++other_units;
    else if (!all_positive(c))
      ++without_value;
    else
      add_entries(benchmarks, c, family++);
  }
  json out;
  out["context"] = context_of(d);
  out["benchmarks"] = std::move(benchmarks);
  exported result{dump(out, 1) + "\n", {}};
  note_left_out(result, other_units, "this format has room for times and rates only");
  note_left_out(result, without_value, "without a value above 0");
  return result;
}

}  // namespace synchro::views
