#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "catalog/lock_words.hpp"
#include "cli/commands.hpp"
#include "cli/programs.hpp"
#include "cli/session.hpp"
#include "experiments/framework/axes.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/wakes/availability.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "synchro/hardware_transactions.hpp"
#include "terminal/console.hpp"
#include "terminal/list_options.hpp"
#include "terminal/other_program.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

namespace {

using experiments::experiment;
using experiments::level;
using experiments::setting;
using json = nlohmann::ordered_json;

json to_json(const experiments::axis& a, setting s) {
  json out{{"name", a.name}, {"line", a.line}, {"values", json::object()}};
  for (const level l : levels) {
    s.thoroughness = l;
    json& values = out["values"][to_string(l)] = json::array();
    for (const auto& v : a.values(s)) std::visit([&](const auto& x) { values.push_back(x); }, v);
  }
  return out;
}

json to_json(const experiment& e, setting s) {
  json out{
      {"name", e.name}, {"line", e.line}, {"source", e.source}, {"axes", json::array()}, {"metrics", json::array()}};
  for (const auto& a : e.axes) out["axes"].push_back(to_json(a, s));
  for (const auto& m : e.metrics)
    out["metrics"].push_back({{"name", m.name},
                              {"unit", m.unit},
                              {"better", results::to_string(m.direction)},
                              {"definition", m.definition}});
  out["cells"] = json::object();
  out["seconds"] = json::object();
  for (const level l : levels) {
    s.thoroughness = l;
    const auto p = experiments::make_plan(s, {&e});
    out["cells"][to_string(l)] = p.cells.size();
    out["seconds"][to_string(l)] = p.seconds();
  }
  return out;
}

/// As it is described, of which nothing is tried.
setting here() {
  setting s;
  s.untried = true;
  s.machine = described_machine();
  return s;
}

json experiments_json() {
  const setting s = here();
  json all = json::array();
  for (const experiment& e : experiments::all_experiments()) all.push_back(to_json(e, s));
  return all;
}

/// "protocol (cas, handover, oneway)": what may be asked for; of many values the first.
std::string in_words(const experiments::axis& a, const setting& s) {
  constexpr std::size_t most = 8;
  const auto values = experiments::known_values(a, s);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(most, values.size()); ++i) words.push_back(results::to_string(values[i]));
  return fmt::format("{} ({}{})", a.name, fmt::join(words, ", "), values.size() > most ? ", ..." : "");
}

std::string in_words(const experiments::metric& m) {
  return m.unit == "1" ? m.name : fmt::format("{} ({})", m.name, m.unit);
}

/// What may be asked for and what comes out, behind the column of the names.
template <class Things, class Words>
std::string enumerated(const char* title, const Things& things, Words words) {
  std::vector<std::string> parts;
  for (const auto& thing : things) parts.push_back(words(thing));
  return fmt::format("{:21}{}: {}\n", "", title, fmt::join(parts, ", "));
}

std::string experiments_text(const views::style& style) {
  setting s = here();
  std::string text;
  for (const experiment& e : experiments::all_experiments()) {
    s.thoroughness = level::quick;
    const double quick = experiments::make_plan(s, {&e}).seconds();
    s.thoroughness = level::standard;
    const double standard = experiments::make_plan(s, {&e}).seconds();
    text += fmt::format("{}{}\n", views::painted(fmt::format("{:<20} ", e.name), views::tone::heading, style), e.line);
    text += views::painted(fmt::format("{:<20} {}; --quick {}, otherwise {}\n", "", e.source, duration_text(quick),
                                       duration_text(standard)),
                           views::tone::dim, style);
    text += enumerated("axes", e.axes, [&](const auto& a) { return in_words(a, s); });
    text += enumerated("metrics", e.metrics, [](const auto& m) { return in_words(m); });
  }
  return text;
}

std::string name_of(fairness f) {
  switch (f) {
    case fairness::first_come:
      return "first come";
    case fairness::bounded:
      return "bounded";
    case fairness::none:
      break;
  }
  return "none";
}

json to_json(const experiments::lock_bodies& lock) {
  const lock_description& d = lock.what;
  json out;
  out["name"] = lock.name;
  out["family"] = lock.family;
  out["kind"] = experiments::to_string(lock.kind);
  out["waiting"] = lock.waiting;
  out["judgement"] = d.words.judgement;
  out["fairness"] = name_of(d.words.fair);
  out["bypass"] = d.words.bypass ? json(*d.words.bypass) : json(nullptr);
  out["try_lock"] = d.try_lock;
  out["timed"] = d.timed;
  out["shared"] = d.shared;
  out["own_node"] = d.own_node;
  out["domain_aware"] = d.words.domain_aware;
  out["parks"] = d.parks;
  out["in_tour"] = lock.in_tour;
  out["elides"] = d.may_elide ? json(hardware::transactions::are_usable()) : json(nullptr);
  out["bytes_per_lock"] = d.bytes_per_lock;
  out["bytes_per_thread"] = d.bytes_per_thread;
  out["bytes_per_held_lock"] = d.bytes_per_held_lock;
  out["citation"] = d.words.citation;
  out["rights"] = d.words.rights.empty() ? json(nullptr) : json(d.words.rights);
  return out;
}

json locks_json() {
  json all = json::array();
  for (const auto& lock : experiments::all_locks()) all.push_back(to_json(lock));
  return all;
}

/// What this processor makes of the locks that elide.
std::string on_elision() {
  const char* const why_not = hardware::transactions::why_not();
  return why_not == nullptr ? "elided: this processor has hardware transactions (RTM), and sections run as such.\n"
                            : fmt::format("elided: no section runs as a transaction here: {}.\n", why_not);
}

std::string locks_text(const views::style& style) {
  std::string text = views::painted(fmt::format("{:<24} {:<16} {:<5} {:<6} {:<6} {:>5}  {}", "", "order of service",
                                                "timed", "shared", "sleeps", "bytes", "when, and when not"),
                                    views::tone::dim, style) +
                     "\n";
  const auto mark = [](bool has) { return has ? "yes" : "-"; };
  for (const auto& lock : experiments::all_locks()) {
    const lock_description& d = lock.what;
    text += views::painted(fmt::format("{:<24}", lock.name), views::tone::heading, style) +
            fmt::format(" {:<16} {:<5} {:<6} {:<6} {:>5}  {}\n", catalog::order_of_service(d.words.fair), mark(d.timed),
                        mark(d.shared), mark(d.parks), d.bytes_per_lock,
                        lock.first ? std::string{d.words.judgement} : "as " + lock.family + ", " + lock.waiting + "s");
  }
  return text + on_elision();
}

json to_json(const experiments::wake_row& wake) {
  const auto& here = experiments::wakes::availability_of(wake);
  json out;
  out["name"] = wake.name;
  out["family"] = wake.family;
  out["kind"] = experiments::to_string(wake.kind);
  out["runtime"] = wake.runtime.empty() ? json(nullptr) : json(wake.runtime);
  out["available"] = !here.unavailable;
  out["reason"] = here.unavailable ? json("not available here: " + *here.unavailable) : json(nullptr);
  out["judgement"] = wake.words.judgement;
  out["sleeps"] = wake.sleeps;
  out["sleeps_in"] = here.sleeps_in ? json(*here.sleeps_in) : json(nullptr);
  out["one_call"] = wake.words.one_call;
  out["calls"] = wake.has_each ? json{"one", "each"} : wake.words.one_call ? json{"one"} : json{"each"};
  out["splittable"] = wake.make_groups != nullptr;
  out["citation"] = wake.words.citation;
  return out;
}

json wakes_json() {
  json all = json::array();
  for (const auto& wake : experiments::all_wakes()) all.push_back(to_json(wake));
  return all;
}

std::string wakes_text(const views::style& style) {
  std::string text = views::painted(fmt::format("{:<23} {:<16} {:<5} {}", "", "sleeps in", "calls", "judgement"),
                                    views::tone::dim, style) +
                     "\n";
  for (const auto& wake : experiments::all_wakes()) {
    const auto& here = experiments::wakes::availability_of(wake);
    text += views::painted(fmt::format("{:<23}", wake.name), views::tone::heading, style);
    if (here.unavailable)
      text += fmt::format(" not available here: {}\n", results::printable(*here.unavailable));
    else
      text += fmt::format(" {:<16} {:<5} {}\n", here.sleeps_in.value_or(wake.sleeps ? "unknown" : "-"),
                          wake.words.one_call ? "one" : "each", wake.words.judgement);
  }
  return text;
}

status list(const std::string& what, bool as_json) {
  static const std::vector<std::pair<std::string, std::string>> kinds{
      {"experiments", "what can be measured: axes, metrics, how long it takes"},
      {"locks", "what the lock experiments compare: our locks and those of other libraries, with their traits"},
      {"wakes", "what the wake experiments compare, whether it is available here, and the system call it sleeps in"},
      {"primitives", "what verify proves: locks, wake primitives and all else that the library has"},
      {"models", "the machines that simulate has models of: processors, GHz, source"}};
  const views::style style = style_for(standard_output());
  json out;
  std::string text;
  if (what == "experiments") {
    as_json ? void(out = experiments_json()) : void(text = experiments_text(style));
  } else if (what == "locks") {
    as_json ? void(out = locks_json()) : void(text = locks_text(style));
  } else if (what == "wakes") {
    as_json ? void(out = wakes_json()) : void(text = wakes_text(style));
  } else if (what.empty()) {
    out = json::array();
    for (const auto& [name, line] : kinds) {
      out.push_back({{"name", name}, {"line", line}});
      text += fmt::format("synchroscope list {:<12} {}\n", name, line);
    }
  } else {
    std::vector<std::string> names;
    for (const auto& [name, line] : kinds) names.push_back(name);
    fail_usage(no_such("list of", what, names));
  }
  as_json ? print(results::dump(out, 2) + "\n") : tell(text);
  return status::done;
}

}  // namespace

command list_command() {
  return {"list", "List what can be measured, proved or simulated: experiments, locks, wakes, primitives, models",
          [](options& its) -> deed {
            const auto typed = std::make_shared<list_options>();
            typed->declare(its);
            return [typed](const words& all) {
              if (typed->what == "primitives") hand_over(verify_program, all);
              if (typed->what == "models") hand_over(simulate_program, all);
              return list(typed->what, typed->as_json);
            };
          }};
}

}  // namespace synchro::cli
