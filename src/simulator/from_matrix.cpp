// What a matrix says of a machine, and what is assumed besides.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include "simulator/assumed.hpp"
#include "simulator/core_matrix.hpp"

namespace synchro::simulator {

namespace {

using json = nlohmann::ordered_json;

constexpr double usual_ghz = 2.5, usual_memory_ns = 90;
constexpr const char* xeon = "the paper's Xeon (David, Guerraoui, Trigonakis, SOSP 2013, Table 2)";

double in_tenths(double v) { return std::round(v * 10) / 10; }

/// What other accesses cost on the Xeon against an atomic operation on a modified line, within a socket and beyond.
struct relative_cost {
  const char *operation, *state;
  double near, far;
};
constexpr relative_cost relative_costs[] = {{"load", "modified", 109. / 120, 289. / 324},
                                            {"load", "exclusive", 92. / 120, 273. / 324},
                                            {"load", "shared", 44. / 120, 223. / 324},
                                            {"store", "modified", 115. / 120, 320. / 324},
                                            {"store", "exclusive", 115. / 120, 315. / 324},
                                            {"store", "shared", 116. / 120, 318. / 324},
                                            {"atomic", "modified", 1, 1},
                                            {"atomic", "shared", 113. / 120, 312. / 324}};

class matrix_maker {
 public:
  matrix_maker(const core_matrix& m, const machine_facts& facts)
      : m_{m}, facts_{facts}, ghz_{facts.ghz.value_or(usual_ghz)}, levels_{statistics::levels_of(m.ns)} {}

  json make() {
    assumptions_ = m_.remarks;
    take_hardware_threads();
    order_processors();
    json m{{"schema", "synchroscope-model/1"}};
    m["name"] = facts_.name;
    m["title"] = fmt::format("{}: {}", facts_.name, words());
    m["source"] = "a matrix of times between processors";
    m["clock_ghz"] = ghz_;
    m["topology"] = topology();
    put_distances(m);
    m["protocol"] = {{"writes", "owner"}, {"distance_to", "holder"}};
    m["caches"] = {{"l1", 4}, {"l2", 14}, {"llc", 45}, {"ram", in_tenths(usual_memory_ns * ghz_)}};
    m["local_atomic"] = assumed_between(20, 5, 30, "about 20 cycles on the paper's machines, 5.4");
    m["latency"] = latency();
    put_constants(m);
    m["threads"] = thread_counts();
    tell_assumptions();
    m["assumptions"] = assumptions_;
    return m;
  }

 private:
  void take_hardware_threads() {
    const statistics::level& first = levels_.front();
    const std::size_t size = m_.ns.size() / first.groups;
    if (!first.regular() || size > 8 || first.median >= statistics::hardware_threads_ns) return;
    threads_ = static_cast<unsigned>(size);
    thread_ns_ = first.median;
    assumptions_.push_back(
        fmt::format("{} processors that are {:.1f} ns apart (below {:g}) are hardware threads of a core", size,
                    first.median, statistics::hardware_threads_ns));
    cores_ = first;
    levels_.erase(levels_.begin());
  }

  /// Groups stand side by side: by the coarsest level, then the next one.
  void order_processors() {
    order_.resize(m_.ns.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto groups = [&](std::size_t p) {
      std::vector<std::size_t> all;
      for (auto l = levels_.rbegin(); l != levels_.rend(); ++l) all.push_back(l->group_of[p]);
      if (cores_) all.push_back(cores_->group_of[p]);
      return all;
    };
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return groups(a) < groups(b); });
  }

  /// Cores in each group, in that order.
  std::vector<std::size_t> sizes(const statistics::level& l) const {
    std::vector<std::size_t> found;
    std::size_t last = l.groups;
    for (const std::size_t p : order_) {
      if (l.group_of[p] != last) found.push_back(0);
      last = l.group_of[p];
      ++found.back();
    }
    for (std::size_t& s : found) s /= threads_;
    return found;
  }

  std::size_t cores() const { return m_.ns.size() / threads_; }

  /// No group may lie in two packages.
  void check_packages() const {
    const std::size_t all = cores();
    if (all % facts_.packages != 0)
      throw std::runtime_error(fmt::format("{} cores do not make {} packages alike", all, facts_.packages));
    const std::size_t each = all / facts_.packages;
    for (const statistics::level& l : levels_) {
      if (l.groups == 1) continue;
      std::size_t end = 0;
      for (const std::size_t s : sizes(l)) {
        if (end / each != (end + s - 1) / each)
          throw std::runtime_error(
              fmt::format("a group of {} cores that are near each other fits none of {} packages", s, facts_.packages));
        end += s;
      }
    }
    if (levels_.size() < 2)
      throw std::runtime_error(
          fmt::format("it shows one level, so where {} packages end is not known", facts_.packages));
  }

  json topology() {
    if (facts_.packages > 1) check_packages();
    std::size_t dies = facts_.packages;  // one in each, unless cores form groups that are alike
    if (levels_.size() > 1 && levels_.front().regular()) dies = levels_.front().groups;
    return {{"packages", facts_.packages},
            {"dies", dies / facts_.packages},
            {"cores", cores() / dies},
            {"threads", threads_}};
  }

  std::string distance_name(std::size_t l) const {
    if (l == 0) return "same_die";
    if (l + 1 == levels_.size()) return facts_.packages > 1 ? "other_package" : "same_package";
    if (l + 2 == levels_.size() && facts_.packages > 1) return "same_package";
    return fmt::format("level_{}", l + 1);
  }

  void put_distances(json& m) {
    m["distances"] = json::array();
    json groups = json::array();
    if (threads_ > 1) m["distances"].push_back({{"name", "same_core"}, {"hops", 0}});
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      m["distances"].push_back({{"name", distance_name(l)}, {"hops", l}});
      const auto all = sizes(levels_[l]);
      const bool alike = std::all_of(all.begin(), all.end(), [&](std::size_t s) { return s == all.front(); });
      groups.push_back({{"distance", distance_name(l)}, {"cores", alike ? json(all.front()) : json(all)}});
    }
    m["reach"] = json::object();
    if (threads_ > 1) m["reach"]["same_core"] = "same_core";
    m["reach"]["groups"] = std::move(groups);
  }

  json latency() const {
    json table = json::object();
    for (const relative_cost& s : relative_costs) {
      json& row = table[s.operation][s.state] = json::object();
      if (threads_ > 1) row["same_core"] = in_tenths(thread_ns_ * ghz_);
      for (std::size_t l = 0; l < levels_.size(); ++l)
        row[distance_name(l)] = in_tenths(levels_[l].median * ghz_ * (l == 0 ? s.near : s.far));
      if (std::string_view{s.operation} == "load" && std::string_view{s.state} == "shared")
        table["load"]["invalid"] = memory_row();
    }
    return table;
  }

  /// From another package memory takes longer by as much as a hand-off does.
  json memory_row() const {
    json row = json::object();
    const double near = usual_memory_ns * ghz_;
    if (threads_ > 1) row["same_core"] = in_tenths(near);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const bool beyond = facts_.packages > 1 && l + 1 == levels_.size();
      row[distance_name(l)] = in_tenths(near + (beyond ? (levels_[l].median - levels_[l - 1].median) * ghz_ : 0));
    }
    return row;
  }

  static void put_constants(json& m) {
    m["read_occupancy"] = assumed_between(0.5, 0.25, 1, "as in the model xeon");
    m["pause"] = assumed_between(40, 1, 140, "from a nop to the pause instruction since Skylake");
    m["knobs"] = {{"hold", assumed_between(0.5, 0.25, 0.75, "as in the paper's models")},
                  {"jitter", assumed_between(0.1, 0.05, 0.2, "as in the paper's models")},
                  {"store_buffer", assumed_between(48, 16, 72, "of the order of what processors have")}};
    m["core"] = assumed_core();
    const auto wake = [](double ns, const char* from) { return assumed_between(ns, ns / 2, ns * 2, from); };
    m["wake"] = {{"call", wake(320, "as in the model xeon-x5660")},
                 {"each", wake(960, "as in the model xeon-x5660")},
                 {"latency", wake(1540, "as in the model xeon-x5660")},
                 {"switch", wake(1070, "as in the model xeon-x5660")},
                 {"slice", wake(3e6, "the scheduler's time slice, 3 ms")},
                 {"interrupt_each", wake(90, "as in the model xeon-x5660")}};
  }

  /// Powers of two, and where groups are full.
  std::vector<std::size_t> thread_counts() const {
    std::set<std::size_t> counts{m_.ns.size()};
    for (std::size_t n = 1; n < m_.ns.size(); n *= 2) counts.insert(n);
    for (const statistics::level& l : levels_) counts.insert(sizes(l).front() * threads_);
    return {counts.begin(), counts.end()};
  }

  std::string words() const {
    std::vector<std::string> found;
    for (const statistics::level& l : levels_) {
      const auto all = sizes(l);
      const auto [least, most] = std::minmax_element(all.begin(), all.end());
      const std::string cores = *least == *most ? fmt::format("{}", *most) : fmt::format("{} to {}", *least, *most);
      found.push_back(fmt::format("{} of {} cores {:.1f} ns apart", l.groups, cores, l.median));
    }
    return found.empty() ? "one core" : fmt::format("{}", fmt::join(found, ", "));
  }

  void tell_assumptions() {
    assumptions_.push_back("processors are numbered by the groups found, not as in the matrix: " + words());
    assumptions_.push_back("a hand-off is one transfer of a modified line by an atomic operation");
    assumptions_.push_back(
        fmt::format("other accesses cost against that what they do on {}: on the nearest level as within "
                    "a socket, beyond as over one hop",
                    xeon));
    if (!facts_.ghz) assumptions_.push_back(fmt::format("the clock, {:g} GHz", ghz_));
    assumptions_.push_back(fmt::format("caches of 4, 14 and 45 cycles, memory of {:g} ns", usual_memory_ns));
    if (facts_.packages > 1)
      assumptions_.push_back("memory of another package takes longer by as much as a hand-off does");
  }

  const core_matrix& m_;
  const machine_facts& facts_;
  double ghz_;
  std::vector<statistics::level> levels_;
  std::optional<statistics::level> cores_;
  unsigned threads_ = 1;
  double thread_ns_ = 0;
  std::vector<std::size_t> order_;
  std::vector<std::string> assumptions_;
};

}  // namespace

json model_from_matrix(const core_matrix& m, const machine_facts& facts) { return matrix_maker{m, facts}.make(); }

}  // namespace synchro::simulator
