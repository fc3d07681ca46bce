#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>

#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "platform/clock.hpp"
#include "platform/facts.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

namespace {

using json = nlohmann::ordered_json;
using platform::topology;

std::string text_or(const json& facts, const char* name, const std::string& otherwise) {
  return facts.contains(name) && facts[name].is_string() ? results::printable(facts[name].get<std::string>(), 100)
                                                         : otherwise;
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, value < 10 && unit > 0 && value != std::floor(value) ? 1 : 0, units[unit]);
}

template <class Field>
std::size_t distinct(const topology& t, Field field) {
  std::set<decltype(field(t.processors[0]))> seen;
  for (const auto& p : t.processors) seen.insert(field(p));
  return seen.size();
}

std::string processors_line(const topology& t) {
  const auto count = [&](unsigned platform::processor::*field, const char* noun) {
    return counted(distinct(t, [=](const auto& p) { return p.*field; }), noun);
  };
  return enumerate({counted(t.processors.size(), "processor"), count(&platform::processor::core, "core"),
                    count(&platform::processor::cache, "last-level cache"),
                    count(&platform::processor::package, "package"), count(&platform::processor::node, "NUMA node")});
}

std::string caches_line(const topology& t) {
  std::vector<std::string> parts;
  for (const auto& c : t.caches)
    parts.push_back(fmt::format("L{} {} for {}", c.level, bytes_text(c.bytes),
                                c.sharers == 1 ? "each processor" : fmt::format("every {}", c.sharers)));
  return parts.empty() ? "unknown to the system" : enumerate(parts);
}

std::string distances_line(const topology& t) {
  std::vector<std::string> parts;
  for (const auto d : t.distances()) {
    const auto pair = t.pair_at(d);
    parts.push_back(platform::to_string(d) + (pair ? fmt::format(" ({} and {})", pair->first, pair->second) : ""));
  }
  return parts.empty() ? "only one processor" : enumerate(parts);
}

std::string clock_line(const platform::clock_facts& c) {
  std::string text = fmt::format("{} at {:.3f} GHz; a reading costs {:.1f} ns, its smallest step is {:.1f} ns",
                                 c.source, c.hz / 1e9, c.read_cost_ns, c.resolution_ns);
  if (c.cross_cpu_offset_ns)
    text += fmt::format("; the processors' clocks agree within {:.0f} ns", *c.cross_cpu_offset_ns);
  else if (!c.offset_unknown.empty())
    text += "; how far the processors' clocks are apart is unknown: " + c.offset_unknown;
  return text;
}

/// One line per processor, for machines that fit on a screen.
std::string processor_table(const topology& t, const views::style& style) {
  constexpr std::size_t most_shown = 64;
  if (t.processors.size() > most_shown) return "";
  std::string text =
      "\n" + views::painted("   cpu  core   smt  cluster  cache   die  package  node  class", views::tone::dim, style) +
      "\n";
  for (const auto& p : t.processors)
    text += fmt::format("{:>6}{:>6}{:>6}{:>9}{:>7}{:>6}{:>9}{:>6}  {}\n", p.cpu, p.core, p.smt, p.cluster, p.cache,
                        p.die, p.package, p.node, p.core_class.empty() ? "-" : p.core_class);
  return text;
}

status info(bool as_json) {
  const topology t = described_machine();
  const auto foreign = why_foreign(t);
  std::vector<unsigned> cpus;  // none of another machine's
  for (const auto& p : t.processors)
    if (!foreign) cpus.push_back(p.cpu);
  const platform::clock_facts clock = platform::tick_clock::calibrate(cpus).facts();
  const auto warnings = platform::environment_warnings(t, clock);
  const json machine = platform::machine_facts(t);
  const json os = platform::os_facts();
  if (as_json) {
    json all;
    all["tool"] = platform::tool_facts();
    all["machine"] = machine;
    all["topology"] = platform::topology_facts(t);
    all["os"] = os;
    all["clock"] = platform::clock_json(clock);
    all["warnings"] = warnings;
    print(results::dump(all, 2) + "\n");
    if (foreign) say("warning: " + *foreign);
    return status::done;
  }
  const views::style style = style_for(standard_output());
  std::string text;
  const auto line = [&](const char* name, const std::string& what) {
    text += views::painted(fmt::format("{:<11}", name), views::tone::heading, style) + what + "\n";
  };
  line("machine", text_or(machine, "model_name", "unknown processor"));
  if (machine.at("emulation").is_string()) line("EMULATED", text_or(machine, "emulation", ""));
  line("virtual", text_or(machine, "virtualization", "not known"));
  line("system", fmt::format("{} {}", text_or(os, "name", "an unknown system"), text_or(os, "kernel", "")));
  if (foreign) line("NOT HERE", "memory, processors, caches and distances are those of another machine");
  line("memory", t.memory_bytes == 0 ? "not known" : bytes_text(t.memory_bytes));
  line("processors", processors_line(t));
  line("caches", caches_line(t));
  line("distances", distances_line(t));
  line("clock", clock_line(clock));
  text += processor_table(t, style);
  tell(text);
  if (foreign) say("warning: " + *foreign);
  for (const json& w : warnings) say(fmt::format("warning: {}", w.at("advice").get<std::string>()));
  return status::done;
}

}  // namespace

command info_command() {
  return {"info", "Show this machine: processors, caches, distances, clock", [](options& its) -> deed {
            const auto as_json = std::make_shared<bool>(false);
            its.flag("--json", *as_json, "Print a JSON object");
            return [as_json](const words&) { return info(*as_json); };
          }};
}

}  // namespace synchro::cli
