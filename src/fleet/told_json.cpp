#include <algorithm>
#include <cmath>

#include "fleet/told.hpp"

namespace synchro::fleet {

namespace {

using json = nlohmann::ordered_json;

/// Four digits of a logarithm are a hundredth of a percent.
json rounded(double v) { return std::round(v * 1e4) / 1e4; }

json coordinates_json(const results::coordinates& at) {
  json out = json::object();
  for (const auto& [axis, value] : at.entries())
    if (const auto* const number = std::get_if<std::int64_t>(&value))
      out[axis] = *number;
    else
      out[axis] = results::to_string(value);
  return out;
}

json deviation_json(const gathered& all, const deviation& d) {
  json out{{"of", to_string(d.of)}, {"experiment", d.experiment.empty() ? json(nullptr) : json(d.experiment)}};
  if (d.of == subject::cell) {
    const cell_key& p = all.known[d.place];
    const double sign = p.direction == results::better::higher ? -1 : 1;
    out["at"] = coordinates_json(p.at);
    out["metric"] = p.metric;
    out["unit"] = p.unit;
    out["better"] = results::to_string(p.direction);
    out["value"] = std::exp(sign * d.value);
    out["usual"] = std::exp(sign * d.middle);
  }
  out["worse"] = rounded(d.by);
  out["p"] = d.p;
  out["peers"] = d.peers;
  return out;
}

json facts_json(const host_verdict& v) {
  json out = json::array();
  for (const unlike_fact& f : v.facts)
    out.push_back({{"name", f.name},
                   {"value", f.value},
                   {"usual", f.usual},
                   {"have_usual", f.have_usual},
                   {"have_this", f.have_this}});
  return out;
}

json host_json(const gathered& all, const group& g, const host_verdict& v) {
  const host& h = all.hosts[v.host];
  json out{{"name", h.name},
           {"file", h.now().file},
           {"started", h.now().started},
           {"files", h.answers.size()},
           {"complete", h.now().complete},
           {"called", v.called},
           {"p", v.p},
           {"comparisons", v.comparisons},
           {"left_out", v.farther},
           {"facts", facts_json(v)}};
  if (!v.called) return out;
  out["sentence"] = sentence_of(all, g, v);
  out["severity"] = rounded(v.severity);
  out["deviations"] = json::array();
  for (const deviation& d : v.deviations) out["deviations"].push_back(deviation_json(all, d));
  return out;
}

/// Values by the hosts' places in the group; null where a host has none.
json column_json(const column& c, std::size_t hosts) {
  std::vector<json> values(hosts, nullptr);
  for (const auto& [host, value] : c.values) values[host] = rounded(value - c.likes.middle);
  return {{"of", to_string(c.of)},
          {"experiment", c.experiment.empty() ? json(nullptr) : json(c.experiment)},
          {"spread", rounded(c.likes.spread)},
          {"worse", values}};
}

json group_json(const gathered& all, const judgement& j, const group& g) {
  json hosts = json::array(), columns = json::array();
  for (const host_verdict& v : g.hosts) hosts.push_back(host_json(all, g, v));
  for (const column& c : g.columns) columns.push_back(column_json(c, g.hosts.size()));
  return {{"name", name_of(g)},
          {"model", g.model},
          {"processors", g.processors},
          {"judged", g.judged},
          {"remark", remark_on(all, j, g)},
          {"cells", g.cells},
          {"hosts", hosts},
          {"columns", columns}};
}

/// For hosts with several files: what has changed from the oldest to the newest.
json histories(const gathered& all) {
  json out = json::array();
  for (const host& h : all.hosts) {
    if (h.answers.size() < 2) continue;
    json changes = json::object();
    for (const auto& [experiment, by] : changes_since_the_first(all, h)) changes[experiment] = rounded(by);
    out.push_back({{"name", h.name},
                   {"files", h.answers.size()},
                   {"from", h.answers.front().started},
                   {"to", h.now().started},
                   {"worse", changes}});
  }
  return out;
}

}  // namespace

json to_json(const gathered& all, const judgement& j, std::size_t files) {
  json groups = json::array(), called = json::array(), few = json::array(), refusals = json::array();
  for (const group& g : j.groups) groups.push_back(group_json(all, j, g));
  for (const auto& [g, i] : j.called) called.push_back({g, i});
  for (const few_hosts& f : facts_of_few(j)) {
    json names = json::array();
    for (const std::size_t i : f.hosts) names.push_back(all.hosts[j.groups[f.group].hosts[i].host].name);
    few.push_back({{"group", f.group},
                   {"name", f.fact.name},
                   {"value", f.fact.value},
                   {"usual", f.fact.usual},
                   {"hosts", names}});
  }
  for (const refusal& r : all.refused) refusals.push_back({{"file", r.file}, {"why", r.why}});
  return {{"schema", "synchroscope-fleet/1"},
          {"files", files},
          {"hosts", all.hosts.size()},
          {"rate", j.by.rate},
          {"allowed", j.by.allowed},
          {"comparisons", j.comparisons},
          {"judged", j.judged},
          {"bound", bound_of(j)},
          {"called", called},
          {"causes", common_causes(all, j)},
          {"groups", groups},
          {"facts", few},
          {"histories", histories(all)},
          {"refused", refusals},
          {"doubts", all.doubts}};
}

}  // namespace synchro::fleet
