#include "claims/claim.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <stdexcept>

#include "claims/catalog.hpp"

namespace synchro::claims {

using json = nlohmann::ordered_json;

const std::vector<source>& sources() {
  static const std::vector<source> all{the_paper(), forkjoin(), windows_study(), throttle(), bogner()};
  return all;
}

const std::vector<claim>& catalog() {
  static const std::vector<claim> all = [] {
    std::vector<claim> list;
    for (const source& s : sources()) list.insert(list.end(), s.claims.begin(), s.claims.end());
    return list;
  }();
  return all;
}

const claim& claim_of(std::string_view id) {
  const auto& all = catalog();
  const auto found = std::find_if(all.begin(), all.end(), [&](const claim& c) { return c.id == id; });
  if (found == all.end()) throw std::out_of_range("there is no claim " + std::string{id});
  return *found;
}

finding finding_on(const claim& c, const results::document& d) { return finding_on(c, evidence{d}); }

namespace {

using results::measured_on;

/// The first of that system.
const evidence* run_on(measured_on system, const std::vector<const evidence*>& all) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const evidence* e) { return e->system() == system; });
  return found == all.end() ? nullptr : *found;
}

finding finding_of_two(const claim& c, const evidence& e, const std::vector<const evidence*>& all) {
  const bool here = e.system() == measured_on::linux_itself, there = e.system() == measured_on::windows_itself;
  const evidence* const on_linux = here ? &e : run_on(measured_on::linux_itself, all);
  const evidence* const on_windows = there ? &e : run_on(measured_on::windows_itself, all);
  if ((!here && !there) || on_linux == nullptr || on_windows == nullptr)
    return missing("a run on Linux and one on Windows itself are not both here");
  return c.of_two_runs(*on_linux, *on_windows);
}

/// What is not measured, and what measures it where anything does. On a model nothing can be measured: which cells it lacks, or
/// why it has none.
std::string lacking(const claim& c, const evidence& e, const finding& f) {
  const std::string& what = f.sentence;
  if (f.is_of_others) return what;
  if (!e.simulated()) return what + "; needs " + std::string{c.command};
  if (!c.not_modelled.empty()) return std::string{c.not_modelled};
  constexpr std::string_view measuring = "synchroscope run ";
  return what + "; needs " + std::string{c.command.substr(c.command.starts_with(measuring) ? measuring.size() : 0)};
}

}  // namespace

finding finding_on(const claim& c, const evidence& e) { return finding_on(c, e, {}); }

finding finding_on(const claim& c, const evidence& e, const std::vector<const evidence*>& all) {
  if (c.what == kind::question || c.what == kind::background) return {verdict::none, std::string{c.rule}};
  if (c.judge == nullptr && c.of_two_runs == nullptr) return missing(std::string{c.rule});
  finding f = e.no_evidence() ? missing("this run " + *e.no_evidence())
              : c.of_windows && e.system() == measured_on::wine
                  ? missing("measured under " + e.system_name() + ", which is not Windows")
              : c.of_two_runs != nullptr ? finding_of_two(c, e, all)
                                         : c.judge(e);
  if (f.is == verdict::unmeasured) f.sentence = lacking(c, e, f);
  return f;
}

namespace {

/// As the page's classes are called.
const char* word_of(verdict v) {
  switch (v) {
    case verdict::holds:
      return "holds";
    case verdict::fails:
      return "fails";
    case verdict::unresolved:
      return "open";
    case verdict::unmeasured:
      return "unmeasured";
    case verdict::none:
      break;
  }
  return "none";
}

json json_of(const finding& f) {
  json j{{"verdict", word_of(f.is)}, {"because", f.sentence}};
  if (!f.measured) return j;
  j["measured"] = {{"value", f.measured->value}, {"unit", f.measured->unit}, {"ci", nullptr}};
  if (f.measured->ci) j["measured"]["ci"] = {f.measured->ci->first, f.measured->ci->second};
  return j;
}

bool is_published(const results::document& d) {
  return d.machine.is_object() && d.machine.contains("kind") && d.machine.at("kind") == "published";
}

}  // namespace

json findings_on(const std::vector<results::document>& documents) {
  json all{{"sources", json::array()}, {"claims", json::array()}};
  std::list<std::vector<results::document>> parts;
  std::vector<std::optional<evidence>> runs;
  for (const results::document& d : documents) {
    parts.push_back(results::runs_of(d));
    for (const results::document& run : parts.back())
      runs.push_back(is_published(run) ? std::nullopt : std::optional{evidence{run}});
  }
  std::vector<const evidence*> known;
  for (const auto& run : runs)
    if (run) known.push_back(&*run);
  for (const source& s : sources()) all["sources"].push_back({{"letter", s.letter}, {"title", s.title}, {"by", s.by}});
  for (const claim& c : catalog()) {
    if (c.what == kind::proved || c.what == kind::beyond) continue;
    json findings = json::array();
    for (const auto& run : runs) findings.push_back(run ? json_of(finding_on(c, *run, known)) : json(nullptr));
    all["claims"].push_back({{"id", c.id},
                             {"where", c.section},
                             {"says", c.says},
                             {"figure", c.figure},
                             {"judged", c.judge == nullptr && c.of_two_runs == nullptr ? "" : c.rule},
                             {"findings", std::move(findings)}});
  }
  return all;
}

}  // namespace synchro::claims
