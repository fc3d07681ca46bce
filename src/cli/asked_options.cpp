#include "cli/asked_options.hpp"

#include "results/text.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

using namespace terminal;

void asked_options::declare_levels(options& its, const std::string& few, const std::string& many) {
  const option brief = its.flag("--quick", quick, few);
  its.flag("--full", full, many).excludes(brief);
}

void asked_options::declare_label(options& its) {
  its.value("--label", label, "A name for this run, kept in the file").called("TEXT");
}

void asked_options::declare_progress(options& its) {
  its.flag("--no-progress", no_progress, "No progress on standard error");
}

void asked_options::declare_recording(options& its) {
  its.list("--cpus", cpus, "Processors to use: 0-3,8,!2 (all but 2), class:performance, node:0, package:1, smt:first")
      .called("LIST");
  its.value("-o,--output", output, "File to write (results.json)").called("FILE");
  declare_label(its);
  its.value("--seed", seed, "Seed of the random order; chosen and recorded if not given").called("NUMBER");
  declare_progress(its);
  its.flag("--include-hostname", include_hostname, "Record the name of this computer");
}

void asked_options::declare_axes(options& its) {
  for (const auto& [axis, meaning] : all_axes())
    its.list("--" + axis, axes[axis], meaning)
        .called("LIST")
        .grouped("Axes, for the experiments that have them (comma lists; numbers also as 4-16:4)");
}

request asked_options::as_request() const {
  request r;
  r.experiments = experiments;
  if (quick) r.thoroughness = experiments::level::quick;
  if (full) r.thoroughness = experiments::level::full;
  r.cpus = cpus;
  if (seed) r.seed = parse_seed(*seed);
  for (const auto& [axis, typed] : axes)
    if (typed) r.axes[axis] = *typed;
  return r;
}

recording asked_options::as_recording(const words& typed) const {
  recording how;
  if (output) how.output = *output;
  how.label = label;
  how.silent = no_progress;
  how.include_hostname = include_hostname;
  for (const std::string& word : typed) how.argv.push_back(results::printable(word, 4096));
  if (max_time) how.max_seconds = parse_duration(*max_time, "--max-time");
  return how;
}

void declare_tables(options& its, bool& tables) {
  its.flag("--tables", tables, "Print all tables before the findings, through $PAGER on a terminal");
}

}  // namespace synchro::cli
