#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "fleet/commands.hpp"
#include "fleet/told.hpp"
#include "report/page.hpp"
#include "results/json_fields.hpp"
#include "results/names.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"
#include "views/grid.hpp"

namespace synchro::fleet {

namespace {

using results::printable;

struct fleet_options {
  std::vector<std::string> words;  ///< What to do, and the files.
  std::optional<std::string> output, rate, allowed;
  std::optional<std::string> on, hosts;  ///< Of `run`, which Python does.
  bool as_json = false;

  [[nodiscard]] std::string page() const { return output.value_or("fleet.html"); }
};

/// So many lines of a kind are printed; the page and --json have all.
constexpr std::size_t most_lines_of_a_kind = 20;

std::string more_than(std::size_t all, std::size_t shown, const char* what) {
  return all > shown ? fmt::format("  and {} more {}: the page and --json have all\n", all - shown, what) : "";
}

std::string heading_of(const gathered& all, const judgement& j, std::size_t files) {
  std::string text = fmt::format("{} in {}\n", counted(all.hosts.size(), "host"), counted(files, "file"));
  std::size_t shown = 0;
  for (const group& g : j.groups) {
    if (shown++ == most_lines_of_a_kind) break;
    text += fmt::format("  {}: {}", name_of(g), counted(g.hosts.size(), "host"));
    if (g.judged) text += fmt::format(", compared with each other in {}", counted(g.cells, "cell"));
    const std::string remark = remark_on(all, j, g);
    text += remark.empty() ? "\n" : fmt::format(" ({})\n", remark);
  }
  return text + more_than(j.groups.size(), most_lines_of_a_kind, "kinds of hosts");
}

std::string called_text(const gathered& all, const judgement& j, const views::style& style) {
  if (j.judged == 0) return "";
  if (j.called.empty()) return "No host differs from the others of its kind by more than chance explains.\n";
  std::string text = fmt::format("{} from the others of {} kind, the most different first:\n",
                                 j.called.size() == 1 ? "1 host differs" : counted(j.called.size(), "host") + " differ",
                                 j.called.size() == 1 ? "its" : "their");
  std::size_t shown = 0;
  for (const auto& [g, i] : j.called) {
    if (shown++ == most_lines_of_a_kind) break;
    const host_verdict& v = j.groups[g].hosts[i];
    text += "  " + views::painted(printable(all.hosts[v.host].name, 60), views::tone::heading, style) + ": " +
            sentence_of(all, j.groups[g], v) + ".\n";
  }
  return text + more_than(j.called.size(), most_lines_of_a_kind, "hosts");
}

std::string causes_text(const gathered& all, const judgement& j) {
  std::string text;
  for (const std::string& cause : common_causes(all, j)) text += "  " + cause + ".\n";
  return text.empty() ? "" : "\nWhat several of them have in common:\n" + text;
}

std::string facts_text(const gathered& all, const judgement& j) {
  const auto few = facts_of_few(j);
  if (few.empty()) return "";
  std::string text =
      "\n"
      "Facts in which few hosts differ from most of their kind:\n";
  std::size_t shown = 0;
  for (const few_hosts& f : few) {
    if (shown++ == most_lines_of_a_kind) break;
    text += fmt::format("  {} {}, not {}: {}\n", f.fact.name, printable(f.fact.value, 60), printable(f.fact.usual, 60),
                        names_of(all, j.groups[f.group], f.hosts));
  }
  return text + more_than(few.size(), most_lines_of_a_kind, "facts");
}

void warn_of(const std::vector<std::string>& all, const char* what_of_the_rest) {
  for (std::size_t i = 0; i < std::min(all.size(), most_lines_of_a_kind); ++i) say("warning: " + all[i]);
  if (all.size() > most_lines_of_a_kind)
    say(fmt::format("warning: {} more files {}", all.size() - most_lines_of_a_kind, what_of_the_rest));
}

std::vector<std::string> refusals_in(const gathered& all) {
  std::vector<std::string> refusals;
  for (const refusal& r : all.refused) refusals.push_back("not shown: " + r.why);
  return refusals;
}

void write_page(const nlohmann::ordered_json& fleet, const std::string& output) {
  try {
    write_output(output, report::fleet_page(fleet), results::previous::kept_if_measured);
  } catch (const failure&) {
    throw;
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
  say(fmt::format("written: {}", printable(output)));
}

std::vector<std::string> files_of(const fleet_options& options) {
  const std::vector<std::string> typed{options.words.begin() + 1, options.words.end()};
  if (typed.empty()) fail_usage("fleet gather needs a folder of results files, or the files");
  std::vector<std::string> files;
  try {
    files = files_meant(typed);
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
  if (files.empty())
    fail_usage(fmt::format("there is no file that ends with .json in {}", printable(typed.front(), 200)));
  return files;
}

rules rules_of(const fleet_options& options) {
  rules by;
  if (options.rate) by.rate = parse_percentage(*options.rate, "--rate");
  if (options.allowed) by.allowed = parse_percentage(*options.allowed, "--allowed");
  if (!(by.rate > 0 && by.rate <= 0.5)) fail_usage("--rate takes more than 0% and at most 50%");
  return by;
}

status gather(const fleet_options& options) {
  const rules by = rules_of(options);
  const bool page = report::available() && (!options.as_json || options.output);
  if (options.output && !report::available())
    fail_cannot("this build has no HTML report: Node.js 18 or an npm package was missing at build time");
  const std::vector<std::string> files = files_of(options);
  if (page) check_output(options.page(), files);
  gathered all;
  gather(files, all);
  warn_of(refusals_in(all), "are not shown: the page and --json name all");
  warn_of(all.doubts, "overlap others of their host: --json names all");
  if (all.hosts.empty())
    fail_usage(fmt::format("none of {} holds a host's measurements", counted(files.size(), "file")));
  const judgement j = judge(all, by);
  const auto as_json = to_json(all, j, files.size());
  const views::style style = style_for(standard_output());
  if (options.as_json)
    print(results::dump(as_json) + "\n");
  else
    tell(heading_of(all, j, files.size()) + "\n" + called_text(all, j, style) + causes_text(all, j) +
         facts_text(all, j) + "\n" + bound_of(j) + "\n");
  if (page) write_page(as_json, options.page());
  return status::done;
}

status fleet_status(const fleet_options& options) {
  const std::string what = options.words.empty() ? "" : options.words.front();
  if (what == "gather" && (options.on || options.hosts)) fail_usage("--on and --hosts belong to fleet run");
  if (what == "gather") return gather(options);
  if (what == "run") fail_usage("run comes first: synchroscope fleet run --on ssh|slurm|kubernetes|ray");
  fail_usage(no_such("fleet command", what, {"gather", "run"}));
}

deed declare_fleet(options& its) {
  const auto typed = std::make_shared<fleet_options>();
  its.values("words", typed->words,
             "gather, and results files or folders of them: one file a host, or several of several days; or run, which "
             "measures on all hosts: fleet run --help")
      .required()
      .called("gather DIR|FILE");
  its.value("-o,--output", typed->output, "Page to write (fleet.html; with --json none)").called("FILE");
  its.value("--rate", typed->rate, "Rate of false alarms, over all comparisons (5%)").called("PERCENT");
  its.value("--allowed", typed->allowed, "Differences up to this are not reported (5%)").called("PERCENT");
  its.flag("--json", typed->as_json, "Print a JSON object with all hosts");
  its.value("--on", typed->on, "For fleet run: ssh, slurm, kubernetes or ray").called("ENGINE");
  its.value("--hosts", typed->hosts, "For fleet run: a file with one host a line").called("FILE");
  its.ends_with(
      "Each host answers with a file: synchroscope tour --include-hostname -o HOST.json\n"
      "Examples:\n"
      "  synchroscope fleet gather answers/ -o fleet.html\n"
      "  synchroscope fleet gather monday/*.json friday/*.json --rate 1%\n");
  return [typed](const words&) { return fleet_status(*typed); };
}

}  // namespace

command fleet_command() {
  return {"fleet",
          "Compare the results files of many hosts: which host differs from the others of its kind, and in what",
          declare_fleet, "fleet needs to know what to do: synchroscope fleet gather DIR"};
}

}  // namespace synchro::fleet
