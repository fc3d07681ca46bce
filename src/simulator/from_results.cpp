#include "simulator/from_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "platform/topology.hpp"
#include "results/experiment_names.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulator/assumed.hpp"
#include "simulator/sleepers_delay.hpp"

namespace synchro::simulator {

namespace {

using json = nlohmann::ordered_json;
using results::field;
namespace experiment_names = results::experiment_names;

double rounded(double v) { return std::round(v * 100) / 100; }

json constant(double value, const std::string& kind, const std::string& from) {
  return {{"value", rounded(value)}, {"kind", kind}, {"from", from}};
}

/// Two threads that count on one line without a rest: by how often they do, one tells how long a holder keeps it.
const std::map<std::string, std::string> two_counters{
    {"operation", "fai"}, {"threads", "2"}, {"protocol", "saturated"}, {"placement", "compact"}};

bool is_at(const results::cell& c, const std::map<std::string, std::string>& at) {
  return std::all_of(at.begin(), at.end(), [&](const auto& want) {
    const auto* const has = c.at.find(want.first);
    return has != nullptr && results::to_string(*has) == want.second;
  });
}

std::string where_in(const char* experiment, const char* what) { return fmt::format("{}, {}", experiment, what); }

class maker {
 public:
  maker(const results::document& d, const std::optional<std::string>& mode) : d_{d}, mode_{mode} {}

  json make() {
    const auto kind = word(d_.machine, "kind");
    if (kind != "hardware") throw std::runtime_error("these results were not measured on hardware");
    read_topology();
    choose_mode();
    json m{{"schema", "synchroscope-model/1"}};
    m["name"] = results::printable(d_.label.value_or("measured"), 40);
    m["title"] = word(d_.machine, "model_name").value_or("a measured machine");
    m["source"] = "measured: results " + d_.id;
    m["clock_ghz"] = rounded_ghz();
    m["topology"] = {{"packages", packages_}, {"dies", dies_}, {"cores", cores_}, {"threads", threads_}};
    put_distances(m);
    m["protocol"] = {{"writes", "owner"}, {"distance_to", "holder"}};
    m["caches"] = caches();
    own_atomic_ = own_atomic();
    m["local_atomic"] =
        constant(own_atomic_, "measured", where_in(experiment_names::coherence_states, "fai_on_modified_mine"));
    m["latency"] = latency();
    m["read_occupancy"] = constant(0.5, "assumed", "as in the model xeon");
    m["pause"] = pause();
    m["knobs"] = {{"hold", hold(m)},
                  {"jitter", constant(0.1, "assumed", "as in the paper's models")},
                  {"store_buffer", constant(32, "assumed", "of the order of what processors have")}};
    m["core"] = core();
    m["wake"] = wake();
    m["assumptions"] = assumptions_;
    return m;
  }

 private:
  // ---- cells

  /// The mode a cell was measured in; empty: it did not matter, or there was only one.
  static std::string mode_of(const results::cell& c) {
    const auto* const mode = c.at.find("mode");
    return mode == nullptr ? "" : results::to_string(*mode);
  }

  /// The mode with the most cells between processors: a host may have been in another for a few of them. Of those with as
  /// many, the near one, which has no name and so comes first.
  void choose_mode() {
    if (mode_) return;
    std::map<std::string, std::size_t> measured;
    for (const results::cell& c : d_.cells) {
      const auto* const distance = c.at.find("distance");
      if (c.experiment == experiment_names::coherence_states && c.value && distance != nullptr &&
          results::to_string(*distance) != "same_cpu")
        ++measured[mode_of(c)];
    }
    const auto most = std::max_element(measured.begin(), measured.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != measured.end()) mode_ = most->first;
    if (mode_ && !mode_->empty())
      assumptions_.push_back(
          fmt::format("latencies between processors are those of the mode {}, in which they were measured", *mode_));
  }

  const results::cell* find(const std::string& experiment, const std::string& metric,
                            const std::map<std::string, std::string>& at) const {
    const auto distance = at.find("distance");
    const bool alone = distance == at.end() || distance->second == "same_cpu";  // the mode does not matter
    const results::cell* in_any = nullptr;
    for (const results::cell& c : d_.cells) {
      if (c.experiment != experiment || c.metric != metric || !c.value) continue;
      if (!is_at(c, at)) continue;
      if (mode_of(c) == mode_.value_or("")) return &c;
      if (alone && mode_of(c).empty()) in_any = &c;
    }
    return in_any;
  }
  std::optional<double> cell(const std::string& experiment, const std::string& metric,
                             const std::map<std::string, std::string>& at) const {
    const results::cell* const found = find(experiment, metric, at);
    return found == nullptr ? std::nullopt : found->value;
  }

  /// The home at the holder is the tables' own; where it was not measured, that at the requester.
  std::optional<double> state_cell(const std::string& operation, const std::string& state,
                                   const std::string& distance) const {
    for (const char* home : {"holder", "requester"})
      if (const auto v = cell(experiment_names::coherence_states, "latency_cycles",
                              {{"operation", operation}, {"state", state}, {"distance", distance}, {"home", home}}))
        return v;
    return std::nullopt;
  }

  double rounded_ghz() const {
    for (const results::cell& c : d_.cells) {
      if (c.experiment.rfind("coherence.", 0) != 0 || c.metric != "latency_cycles" || !c.value) continue;
      for (const results::cell& ns : d_.cells)
        if (ns.experiment == c.experiment && ns.at == c.at && ns.metric == "latency" && ns.value && *ns.value > 0)
          return std::round(1000 * *c.value / *ns.value) / 1000;
    }
    throw std::runtime_error(fmt::format("the results have no cell of {} or {}; run those first",
                                         experiment_names::coherence_states, experiment_names::coherence_local));
  }

  // ---- topology

  static std::optional<std::string> word(const json& facts, const char* name) {
    const auto found = facts.find(name);
    return found != facts.end() && found->is_string() ? std::optional{found->get<std::string>()} : std::nullopt;
  }

  static unsigned number(const field& cpu, const char* name) {
    const field f = cpu[name];
    const std::int64_t v = f.integer();
    if (v < 0 || v > std::numeric_limits<std::int32_t>::max()) f.must_be("the number of a processor or group");
    return static_cast<unsigned>(v);
  }

  void read_topology() {
    const field topology{d_.topology, "topology"};
    const auto cpus = topology["cpus"].items();
    if (cpus.empty()) topology["cpus"].fail("is empty: the processors are not known");
    if (cpus.size() > 8192) topology["cpus"].fail("has more than the 8192 processors that a model can have");
    for (const field& c : cpus)
      machine_.processors.push_back({number(c, "cpu"), number(c, "core"), number(c, "smt"), number(c, "cluster"),
                                     number(c, "cache"), number(c, "die"), number(c, "package"), number(c, "node"),
                                     ""});
    if (d_.topology.contains("tells_dies")) machine_.tells_dies = topology["tells_dies"].truth();
    const auto count = [&](auto of) {
      std::set<unsigned> all;
      for (const auto& p : machine_.processors) all.insert(of(p));
      return static_cast<unsigned>(all.size());
    };
    packages_ = count([](const auto& p) { return p.package; });
    const unsigned caches = count([](const auto& p) { return p.cache; });
    const unsigned all_cores = count([](const auto& p) { return p.core; });
    const auto all = static_cast<unsigned>(machine_.processors.size());
    dies_ = caches / packages_;
    cores_ = all_cores / caches;
    threads_ = all / all_cores;
    if (packages_ * dies_ * cores_ * threads_ != all)
      throw std::runtime_error(fmt::format(
          "topology.cpus is irregular: {} processors on {} cores, {} last-level caches and {} packages; give "
          "--cpus to the run so that all are alike",
          all, all_cores, caches, packages_));
  }

  using processor = platform::processor;

  /// The name of the distance between the first two processors that have `near` in common, but not `nearer`.
  template <class Near, class Nearer>
  std::optional<std::string> name_between(Near near, Nearer nearer) const {
    for (const processor& a : machine_.processors)
      for (const processor& b : machine_.processors)
        if (a.cpu != b.cpu && near(a) == near(b) && nearer(a) != nearer(b))
          return platform::to_string(machine_.between(a.cpu, b.cpu));
    return std::nullopt;
  }

  void put_distances(json& m) {
    const auto core = [](const processor& p) { return p.core; };
    const auto cache = [](const processor& p) { return p.cache; };
    const auto package = [](const processor& p) { return p.package; };
    const auto all = [](const processor&) { return 0U; };
    const auto itself = [](const processor& p) { return p.cpu; };
    const std::pair<const char*, std::optional<std::string>> levels[] = {{"same_core", name_between(core, itself)},
                                                                         {"same_die", name_between(cache, core)},
                                                                         {"same_package", name_between(package, cache)},
                                                                         {"other_package", name_between(all, package)}};
    m["distances"] = json::array();
    json named = json::object();
    for (const auto& [level, name] : levels) {
      if (!name) continue;
      named[level] = *name;
      if (std::find(distances_.begin(), distances_.end(), *name) != distances_.end()) continue;
      m["distances"].push_back({{"name", *name}, {"hops", distances_.size()}});
      distances_.push_back(*name);
    }
    if (distances_.empty()) throw std::runtime_error("the results are from one processor and hold no distances");
    m["reach"] = {{"levels", std::move(named)}};
  }

  // ---- costs

  json caches() {
    json found = json::object();
    for (const char* level : {"l1", "l2", "llc", "ram"})
      if (const auto v = cell(experiment_names::coherence_local, "latency_cycles", {{"level", level}}))
        found[level] = rounded(*v);
    if (!found.contains("l1")) {
      const auto own = state_cell("load", "modified", "same_cpu");
      if (!own)
        throw std::runtime_error(
            fmt::format("the results have no time of the first cache: synchroscope run {} measures it",
                        experiment_names::coherence_local));
      found["l1"] = rounded(*own);
    }
    if (!found.contains("ram")) {
      const auto ram = state_cell("load", "invalid", "same_cpu");
      if (!ram)
        throw std::runtime_error(
            fmt::format("the results have no time of main memory: synchroscope run {} {} measures it",
                        experiment_names::coherence_local, experiment_names::coherence_states));
      found["ram"] = rounded(*ram);
      assumptions_.push_back("caches.ram: load_from_invalid, because the level ram was not measured");
    }
    return found;
  }

  double own_atomic() const {
    const auto v = state_cell("fai", "modified", "same_cpu");
    if (!v)
      throw std::runtime_error(
          fmt::format("the results have no {} of fai_on_modified_mine", experiment_names::coherence_states));
    return *v;
  }

  json pause() {
    if (const auto v = cell(experiment_names::coherence_states, "latency_cycles", {{"event", "pause"}}))
      return constant(*v, "measured", where_in(experiment_names::coherence_states, "pause"));
    return constant(40, "assumed", "the event pause was not measured");
  }

  /// A measured store ends with a fetch-and-add on the own line, which is no part of a store.
  std::optional<double> cost_of(const std::string& operation, const std::string& state,
                                const std::string& distance) const {
    auto v = state_cell(operation, state, distance);
    if (v && operation == "store") *v = std::max(1.0, *v - own_atomic_);
    return v;
  }

  std::optional<json> row(const std::string& operation, const std::string& state) const {
    json r = json::object();
    for (const std::string& d : distances_) {
      const auto v = cost_of(operation, state, d);
      if (!v) return std::nullopt;
      r[d] = rounded(*v);
    }
    return r;
  }

  void put_row(json& table, const std::string& operation, const std::string& state, bool needed,
               std::initializer_list<const char*> instead) {
    if (auto r = row(operation, state)) {
      table[operation][state] = std::move(*r);
      return;
    }
    for (const char* other : instead)
      if (auto r = row(operation, other)) {
        table[operation][state] = std::move(*r);
        assumptions_.push_back(
            fmt::format("{} on {}: as on {}, because it was not measured at every distance", operation, state, other));
        return;
      }
    if (needed)
      throw std::runtime_error(fmt::format("the results have no {} of {} on {} at every distance ({})",
                                           experiment_names::coherence_states, operation, state,
                                           fmt::join(distances_, ", ")));
  }

  json latency() {
    json table = json::object();
    for (const char* o : {"load", "store", "cas", "fai", "tas", "swap"}) {
      put_row(table, o, "modified", true, {});
      put_row(table, o, "exclusive", true, {"modified"});
      put_row(table, o, "owned", false, {});
      put_row(table, o, "shared", true, {"shared_upgrade", "owned", "exclusive", "modified"});
      put_row(table, o, "invalid", std::string{o} == "load", {});
    }
    return table;
  }

  /// In the time of a transfer T two counters do one addition that waits for the line, and as many at the price of a hit
  /// as fit into the part of T in which the holder keeps the line.
  json hold(const json& m) {
    const auto counted = std::find_if(d_.cells.begin(), d_.cells.end(), [&](const results::cell& c) {
      return sets_a_constant(c) && c.metric == "successes" && mode_of(c) == mode_.value_or("");
    });
    if (counted == d_.cells.end()) return constant(0.5, "assumed", "as in the paper's models");
    const double transfer = m["latency"]["fai"]["modified"][distances_.front()].get<double>();
    const double in_a_transfer = *counted->value * transfer / (m["clock_ghz"].get<double>() * 1e9);
    const double kept = (in_a_transfer - 1) * (own_atomic_ + assumed_instructions) / transfer;
    return constant(std::clamp(kept, 0.0, 1.0), "measured",
                    where_in(experiment_names::atomics_throughput, "fai by two threads"));
  }

  static json core() {
    json c = assumed_core();
    c["ahead"] = {{"value", 3},
                  {"least", 1},
                  {"most", 6},
                  {"kind", "fitted"},
                  {"from", "512 test-and-set locks, two threads, on one host (AMD EPYC, 2026-11-29)"}};
    return c;
  }

  json wake() {
    json w = json::object();
    const auto put = [&](const char* name, std::optional<double> value, const std::string& from, double otherwise) {
      w[name] = value ? constant(*value, "measured", from)
                      : constant(otherwise, "assumed", "of the order of what systems of the 2020s take");
    };
    const auto costs = [&](const char* name, const char* metric, const char* letter, double otherwise) {
      put(name, cell(experiment_names::wake_groups, metric, {}), where_in(experiment_names::wake_groups, letter),
          otherwise);
    };
    costs("call", "call_cost", "s", 400);
    costs("each", "thread_cost", "t", 1500);
    costs("latency", "latency", "w", 3000);
    put("switch", std::nullopt, "", 1500);
    put("slice", std::nullopt, "", 3e6);
    put("interrupt_each", std::nullopt, "", 200);
    if (auto c = contend()) w["contend"] = std::move(*c);
    return w;
  }

  /// Of the groups that gave the cost of a call. What is not resolved is left out, and said to be.
  std::optional<json> contend() {
    const results::cell* const call = find(experiment_names::wake_groups, "call_cost", {});
    if (call == nullptr) return std::nullopt;
    const auto sleepers = static_cast<unsigned>(number_at(*call, "threads"));
    const auto left_out = [&](const std::string& why) {
      assumptions_.push_back("wake.contend, by how much woken sleepers of an object delay each other, is left out: " +
                             why);
      return std::nullopt;
    };
    if (sleepers >= machine_.processors.size())
      return left_out(fmt::format("{} sleepers and who wakes them did not have a processor each", sleepers));
    const std::vector<mean_wake> means = means_beside(*call);
    const auto fit = delay_of(sleepers, *call->value, means);
    if (!fit) return left_out(fmt::format("{} sizes of a group were measured, and a line needs four", means.size()));
    const std::string interval = fmt::format("{:.0f} to {:.0f} ns", fit->low, fit->high);
    if (!(fit->low > 0))
      return left_out(fmt::format("mean wake times of {} sleepers in groups of {} sizes do not resolve it ({})",
                                  sleepers, means.size(), interval));
    return constant(fit->value, "measured",
                    where_in(experiment_names::wake_groups,
                             fmt::format("mean wake times of {} sleepers in groups of {} sizes, by least squares: {}",
                                         sleepers, means.size(), interval)
                                 .c_str()));
  }

  static std::int64_t number_at(const results::cell& c, const char* axis) {
    const auto* const value = c.at.find(axis);
    const auto* const number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    return number == nullptr ? 0 : std::max<std::int64_t>(0, *number);
  }

  /// The mean wake time by the size of a group, where all else is as with this cell.
  std::vector<mean_wake> means_beside(const results::cell& call) const {
    std::map<std::string, std::string> at;
    for (const auto& [axis, value] : call.at.entries()) at.emplace(axis, results::to_string(value));
    std::map<std::int64_t, double> means;
    for (const results::cell& c : d_.cells) {
      if (c.experiment != call.experiment || c.metric != "wake_mean" || !c.value || !is_at(c, at)) continue;
      if (mode_of(c) == mode_of(call) && number_at(c, "group") > 0) means.emplace(number_at(c, "group"), *c.value);
    }
    std::vector<mean_wake> all;
    for (const auto& [group, mean] : means) all.push_back({static_cast<unsigned>(group), mean});
    return all;
  }

  const results::document& d_;
  std::optional<std::string> mode_;
  platform::topology machine_;
  unsigned packages_ = 1, dies_ = 1, cores_ = 1, threads_ = 1;
  std::vector<std::string> distances_;
  double own_atomic_ = 0;
  std::vector<std::string> assumptions_;
};

/// The cells of a table's row at its farthest distance, `across` times as large, under a new name.
void add_distance(json& model, const std::string& name, const std::string& farthest, double across) {
  for (auto& [operation, states] : model["latency"].items()) {
    if (!states.is_object()) continue;
    for (auto& [state, row] : states.items())  // rows that the reader passed over may be anything
      if (row.is_object() && row.contains(farthest) && row[farthest].is_number())
        row[name] = rounded(row[farthest].get<double>() * across);
  }
  const auto hops = model["distances"].size();
  model["distances"].push_back({{"name", name}, {"hops", hops}});
}

}  // namespace

bool sets_a_constant(const results::cell& c) {
  return c.value && (c.experiment == experiment_names::coherence_states ||
                     (c.experiment == experiment_names::atomics_throughput && is_at(c, two_counters)));
}

json model_from_results(const results::document& d, const std::optional<std::string>& mode) {
  if (const auto why = results::why_no_evidence(d)) throw std::runtime_error("it " + *why);
  return maker{d, mode}.make();
}

json stretched(json model, unsigned times, double across) {
  if (!model.contains("assumptions")) model["assumptions"] = json::array();  // first: it may move the other fields
  json& reach = model["reach"];
  if (!reach.contains("levels"))
    throw std::runtime_error("reach.levels is missing: only a model by levels can be stretched");
  const unsigned packages = model["topology"]["packages"].get<unsigned>();
  json& assumptions = model["assumptions"];
  assumptions.push_back(fmt::format("{} packages like the {} measured", packages * times, packages));
  if (!reach["levels"].contains("other_package") && times > 1) {
    const std::string farthest = model["distances"].back()["name"].get<std::string>();
    add_distance(model, "other_package", farthest, across);
    reach["levels"]["other_package"] = "other_package";
    assumptions.push_back(
        fmt::format("every latency between packages is {:g} times that at the distance {}, which was not measured",
                    across, farthest));
  } else if (times > 1) {
    assumptions.push_back("all packages are as far apart as the two that were measured");
  }
  model["topology"]["packages"] = packages * times;
  model["name"] = fmt::format("{}-x{}", model["name"].get<std::string>(), times);
  return model;
}

}  // namespace synchro::simulator
