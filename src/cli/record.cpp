#include "cli/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "experiments/framework/runner.hpp"
#include "results/origin.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/failure.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

using json = nlohmann::ordered_json;
using results::journal;

constexpr std::pair<const char*, json results::document::*> parts_of_origin[] = {
    {"tool", &results::document::tool},
    {"machine", &results::document::machine},
    {"topology", &results::document::topology},
    {"os", &results::document::os}};

/// The first line of a journal says what is being measured, for there may never be a document beside it.
json journal_head(const json& invocation, const results::document& d) {
  json head;
  head["head"] = {{"id", d.id}, {"label", d.label ? json(*d.label) : json(nullptr)}, {"invocation", invocation}};
  for (const auto& [name, facts] : parts_of_origin) head["head"][name] = d.*facts;
  return head;
}

bool is_head(const json& entry) { return entry.is_object() && entry.contains("head"); }

void take_over(results::document& d, const earlier_run& earlier) {
  if (!earlier.id.empty()) d.id = earlier.id;
  if (!d.label) d.label = earlier.label;
}

bool holds_a_journal(const std::string& path) {
  try {
    return !journal::read(path).empty();
  } catch (const std::runtime_error&) {
    return false;  // Damaged: nothing that could be continued.
  }
}

/// The journal of this output is that of the earlier run.
bool goes_on(const recording& how, const std::optional<earlier_run>& earlier) {
  if (!earlier) return false;
  const std::string there = journal::path_of(earlier->path), here = journal::path_of(how.output);
  return there == here || results::is_same_file(there, here);
}

/// The head of the journal, and all that is known from before and not in it.
void write_head(journal& log, const results::document& d, const recording& how,
                const std::optional<earlier_run>& earlier) {
  log.append(journal_head(d.invocation, d));
  if (!earlier || goes_on(how, earlier)) return;
  for (const json& entry : earlier->entries) log.append(entry);
}

void report_journal_set_aside(const recording& how) {
  say(
      fmt::format("note: {0}, left by a run that was killed, was set aside as {0}.1 (or a higher number); rename it "
                  "back, and --resume continues it",
                  results::printable(journal::path_of(how.output))));
}

/// Why the file could not be written, and where what was measured is; nothing if it was.
std::optional<std::string> write(const results::document& d, results::destination& file, const recording& how,
                                 results::previous old) {
  try {
    if (results::is_special(how.output)) interrupt_watch::let_go();  // its reader may never read on
    report_kept(how.output, results::write_document(d, file, old));
    return std::nullopt;
  } catch (const std::runtime_error& e) {
    if (results::is_special(how.output)) return e.what();  // There is no journal beside it.
    return fmt::format("{}; the results so far are in {}, and --resume continues from there", e.what(),
                       results::printable(journal::path_of(how.output)));
  }
}

}  // namespace

namespace {

/// Takes the heads out of a journal; the last one is that of the run that wrote last.
std::vector<json> take_heads(std::vector<json>& log) {
  std::vector<json> heads;
  for (const json& entry : log)
    if (is_head(entry)) heads.push_back(entry.at("head"));
  std::erase_if(log, is_head);
  return heads;
}

results::document origin_in(const json& head) {
  results::document d;
  for (const auto& [name, facts] : parts_of_origin) d.*facts = head.value(name, json::object());
  return d;
}

results::document origin_in(const results::document& whole) {
  results::document d;
  for (const auto& [name, facts] : parts_of_origin) d.*facts = whole.*facts;
  return d;
}

std::optional<std::string> label_in(const json& label) {
  return label.is_null() ? std::nullopt : std::optional{label.get<std::string>()};
}

/// A document with a journal of another run beside it, or that is none, is what that run would have replaced.
std::optional<results::document> document_of(const std::string& path, const json& head) {
  if (!head.is_null() && !std::filesystem::exists(path)) return std::nullopt;
  try {
    results::document d = results::read_document(path);
    if (!head.is_null() && head.at("id") != d.id) return std::nullopt;
    return d;
  } catch (const std::runtime_error&) {
    if (head.is_null()) throw;
    return std::nullopt;
  }
}

/// The cells of a simulation are kept as they are, for each is computed at once.
std::vector<json> whole_cells(const results::document& d) {
  json entry{{"memory_events", d.invocation.value("memory_events", json(0))}, {"cells", json::array()}};
  for (const results::cell& c : d.cells) entry["cells"].push_back(to_json(c));
  return {std::move(entry)};
}

earlier_run take_up(const std::string& path) {
  std::vector<json> log = journal::read(path);
  const std::vector<json> heads = take_heads(log);
  const json head = heads.empty() ? json{} : heads.back();
  const auto d = document_of(path, head);
  earlier_run earlier;
  earlier.path = path;
  earlier.in_document = d.has_value();
  earlier.id = d ? d->id : head.at("id").get<std::string>();
  earlier.label = d ? d->label : label_in(head.at("label"));
  if (d) earlier.entries = results::is_simulated(*d) ? whole_cells(*d) : experiments::entries_of(*d);
  earlier.entries.insert(earlier.entries.end(), log.begin(), log.end());
  if (d) earlier.origins.push_back(origin_in(*d));
  for (const json& h : heads) earlier.origins.push_back(origin_in(h));
  const json& invocation = head.is_null() ? d->invocation : head.at("invocation");
  earlier.asked = invocation.value("request", json::object());
  earlier.simulated = results::is_simulated(earlier.origins.back());
  return earlier;
}

}  // namespace

earlier_run read_earlier(const std::string& path) {
  if (path.empty()) fail_usage("--resume needs the name of a results file");
  try {
    return take_up(path);
  } catch (const json::exception&) {
    fail_usage(results::printable(path) + ".partial is damaged");
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
}

void check_origin(const earlier_run& earlier, const results::document& here) {
  for (const results::document& there : earlier.origins) {
    const auto machine = results::other_machine(there, here);
    const auto program = results::other_program(there, here);
    if (machine.empty() && program.empty()) continue;
    fail_usage(fmt::format("{} cannot be completed here: it was {} {}, and {} (there; here): {}",
                           results::printable(earlier.path), earlier.simulated ? "computed" : "measured",
                           program.empty()   ? "on another machine"
                           : machine.empty() ? "by another build of the program"
                                             : "on another machine, by another build of the program",
                           machine.size() + program.size() == 1 ? "this differs" : "these differ",
                           enumerate(machine.empty() ? program : machine)));
  }
}

run_record::run_record(const recording& how, const std::optional<earlier_run>& earlier)
    : how_{how}, earlier_{earlier}, file_{how.output} {}

void run_record::begin(results::document& d) {
  if (earlier_) take_over(d, *earlier_);
  const bool replaces = !goes_on(how_, earlier_) && holds_a_journal(how_.output);
  log_.emplace(how_.output, goes_on(how_, earlier_) ? journal::start::onwards : journal::start::anew);
  if (replaces) report_journal_set_aside(how_);  // Not before it is ours: another measurement may be writing it.
  write_head(*log_, d, how_, earlier_);
}

std::optional<std::string> run_record::end(const results::document& d) {
  const bool continued = earlier_ && earlier_->in_document && results::is_same_file(earlier_->path, how_.output);
  auto why_not = write(d, file_, how_, continued ? results::previous::replaced : results::previous::kept_if_measured);
  if (!why_not) log_->finish();
  return why_not;
}

}  // namespace synchro::cli
