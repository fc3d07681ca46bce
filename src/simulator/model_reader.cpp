// From JSON to a model, with every mistake told by the field it is in.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "results/json_fields.hpp"
#include "results/names.hpp"
#include "results/text.hpp"
#include "simulator/model.hpp"

namespace synchro::simulator {

using results::field;

class model_reader {
 public:
  model_reader(model& m, const field& root) : m_{m}, root_{root} {}

  void read() {
    if (root_["schema"].text() != "synchroscope-model/1")
      throw std::runtime_error("the field \"schema\" is not \"synchroscope-model/1\": this is no machine model");
    check_names(
        root_, {"schema", "name",     "title",  "source",  "assumptions",  "clock_ghz",   "topology",       "distances",
                "reach",  "protocol", "caches", "latency", "local_atomic", "all_sharers", "read_occupancy", "pause",
                "knobs",  "core",     "wake",   "threads", "network",      "traffic",     "fence"});
    read_words();
    m_.name_ = root_["name"].text();
    if (m_.name_.empty() || m_.name_ != results::printable(m_.name_, longest_name))
      root_["name"].fail(fmt::format("must be 1 to {} printable characters", longest_name));
    m_.ghz_ = positive(root_["clock_ghz"]);
    read_topology();
    read_distances();
    read_reach();
    read_traffic();
    read_protocol();
    read_caches();
    read_tables();
    read_costs();
    read_core();
    read_wake();
    read_network();
    if (has(root_, "threads"))
      for (const field& n : root_["threads"].items()) m_.thread_counts_.push_back(whole(n));
  }

 private:
  using row = std::vector<ticks>;

  // Far beyond what there is, and small enough that no sum of them leaves 64 bits.
  static constexpr std::size_t longest_name = 60;
  static constexpr double most_ghz = 100, most_time = 1e10, most_buffered = 1024;
  static constexpr unsigned most_hops = std::numeric_limits<std::uint8_t>::max();
  static constexpr const char* digits_and_letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  /// A field with a slip in its name would go unnoticed, for many may be left out.
  static void check_names(const field& f, std::vector<std::string> known) {
    known.emplace_back("remark");
    for (const auto& [name, value] : f.object().items())
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw std::runtime_error((f.place().empty() ? "" : f.place() + ": ") + results::no_such("field", name, known));
  }

  /// What is for people; it is handed on, so it has to be text.
  void read_words() const {
    for (const char* name : {"title", "source", "remark"})
      if (has(root_, name)) static_cast<void>(root_[name].text());
    if (has(root_, "assumptions"))
      for (const field& a : root_["assumptions"].items()) static_cast<void>(a.text());
  }

  static bool has(const field& f, const std::string& name) { return f.object().contains(name); }

  static double positive(const field& f) {
    const double v = f.number();
    if (!(v > 0 && v <= most_ghz)) f.must_be(fmt::format("a number above 0, at most {}", most_ghz));
    return v;
  }
  static double not_negative(const field& f) {
    const double v = f.number();
    if (!(v >= 0)) f.must_be("a number, 0 or more: nothing takes negative time");
    if (v > most_time) f.must_be(fmt::format("at most {:g}", most_time));
    return v;
  }
  static ticks cycles(const field& f) { return to_ticks(not_negative(f)); }
  static ticks to_ticks(double cycles) { return static_cast<ticks>(std::llround(cycles * per_cycle)); }
  static unsigned whole(const field& f) {
    const std::int64_t v = f.integer();
    if (v < 1 || v > 65536) f.must_be("a whole number from 1 to 65536");
    return static_cast<unsigned>(v);
  }

  static unsigned hops(const field& f) {
    const std::int64_t v = f.integer();
    if (v < 0 || v > 65536) f.must_be("a whole number from 0 to 65536");
    return static_cast<unsigned>(v);
  }

  /// A constant with its origin, which goes into the list of those.
  double constant(const field& f) {
    static const std::set<std::string> kinds{"published", "measured", "assumed", "fitted"};
    check_names(f, {"value", "kind", "from", "least", "most"});
    knob k{f.place(), not_negative(f["value"]), f["kind"].text(), f["from"].text()};
    if (!kinds.contains(k.kind)) f["kind"].must_be("published, measured, assumed or fitted");
    k.least = has(f, "least") ? not_negative(f["least"]) : k.value;
    k.most = has(f, "most") ? not_negative(f["most"]) : k.value;
    if (k.least > k.most) f.fail("has a range whose least is more than its most");
    m_.knobs_.push_back(k);
    return k.value;
  }
  double share(const field& f) {
    const double v = constant(f);
    if (v > 1) f["value"].must_be("a share, from 0 to 1");
    return v;
  }

  void read_topology() {
    const field t = root_["topology"];
    check_names(t, {"packages", "dies", "cores", "threads", "issue_groups"});
    m_.packages_ = whole(t["packages"]);
    m_.dies_ = whole(t["dies"]);
    m_.cores_ = whole(t["cores"]);
    m_.threads_ = whole(t["threads"]);
    if (has(t, "issue_groups")) m_.issue_groups_ = whole(t["issue_groups"]);
    if (m_.issue_groups_ > m_.threads_) t["issue_groups"].must_be("at most the threads of a core");
    if (std::uint64_t{m_.packages_} * m_.dies_ * m_.cores_ * m_.threads_ > 8192)
      t.fail("has more than 8192 processors, the most that the simulator supports");
  }

  void read_distances() {
    const auto items = root_["distances"].items();
    if (items.empty() || items.size() > 200) root_["distances"].must_be("a list of 1 to 200 distances, near to far");
    for (const field& d : items) {
      check_names(d, {"name", "hops"});
      const std::string name = d["name"].text();
      if (std::find(m_.named_.begin(), m_.named_.end(), name) != m_.named_.end())
        d["name"].fail("is '" + name + "' for the second time");
      m_.named_.push_back(name);
      m_.hops_.push_back(hops(d["hops"]));
      m_.name_number_.push_back(static_cast<std::uint8_t>(m_.name_number_.size()));
    }
  }

  std::uint8_t number_of(const field& name) const {
    const auto found = std::find(m_.named_.begin(), m_.named_.end(), name.text());
    if (found == m_.named_.end()) name.fail("is '" + name.text() + "', which is not one of the model's distances");
    return static_cast<std::uint8_t>(found - m_.named_.begin());
  }

  void read_reach() {
    const field reach = root_["reach"];
    check_names(reach, {"mesh", "dies", "same_core", "groups", "levels"});
    m_.reach_.resize(std::size_t{m_.cores()} * m_.cores());
    m_.nearest_.assign(m_.cores(), std::numeric_limits<std::uint8_t>::max());
    if (has(reach, "mesh"))
      read_mesh(reach["mesh"]);
    else if (has(reach, "dies"))
      read_matrix(reach);
    else if (has(reach, "groups"))
      read_groups(reach);
    else
      read_levels(reach["levels"]);
  }

  template <class Distance>
  void fill_reach(Distance distance) {
    for (unsigned a = 0; a < m_.cores(); ++a)
      for (unsigned b = 0; b < m_.cores(); ++b) {
        const std::uint8_t d = distance(a, b);
        m_.reach_[std::size_t{a} * m_.cores() + b] = d;
        if (a != b) m_.nearest_[a] = std::min(m_.nearest_[a], d);
      }
  }

  void read_matrix(const field& reach) {
    const auto rows = reach["dies"].items();
    if (rows.size() != m_.dies_ * m_.packages_)
      reach["dies"].fail(fmt::format("has {} rows for {} dies", rows.size(), m_.dies()));
    std::vector<std::vector<std::uint8_t>> numbers;
    for (const field& r : rows) {
      const auto names = r.items();
      if (names.size() != rows.size())
        r.fail(fmt::format("has {} entries for {} dies: a core cannot be reached", names.size(), rows.size()));
      numbers.emplace_back();
      for (const field& n : names) {
        if (n.null()) n.fail("is null: a core cannot be reached");
        numbers.back().push_back(number_of(n));
      }
    }
    const std::uint8_t own = m_.threads_ > 1 ? number_of(reach["same_core"]) : std::uint8_t{0};
    fill_reach([&](unsigned a, unsigned b) { return a == b ? own : numbers[m_.die_of_core(a)][m_.die_of_core(b)]; });
  }

  /// The last core of the group that each core is in: of so many cores each, or of as many as a list says.
  std::vector<unsigned> group_ends(const field& cores) const {
    std::vector<unsigned> ends;
    const auto add = [&](const field& size) {
      const unsigned count = whole(size);
      if (ends.size() + count > m_.cores()) cores.fail(fmt::format("has more than the {} cores", m_.cores()));
      ends.insert(ends.end(), count, static_cast<unsigned>(ends.size()) + count);
    };
    if (cores.raw().is_array())
      for (const field& size : cores.items()) add(size);
    else
      while (ends.size() < m_.cores()) add(cores);
    if (ends.size() != m_.cores())
      cores.fail(fmt::format("has {} of {} cores: some cannot be reached", ends.size(), m_.cores()));
    return ends;
  }

  /// Neighbours in number form groups, and whole groups the next ones.
  void read_groups(const field& reach) {
    std::vector<std::pair<std::uint8_t, std::vector<unsigned>>> levels;
    for (const field& level : reach["groups"].items()) {
      check_names(level, {"distance", "cores"});
      levels.emplace_back(number_of(level["distance"]), group_ends(level["cores"]));
    }
    if (m_.cores() > 1 && (levels.empty() || levels.back().second.front() != m_.cores()))
      reach["groups"].fail("must end with one group of all cores: else some cannot be reached");
    const std::uint8_t own = m_.threads_ > 1 ? number_of(reach["same_core"]) : std::uint8_t{0};
    fill_reach([&](unsigned a, unsigned b) {
      if (a == b) return own;
      return std::find_if(levels.begin(), levels.end(), [&](const auto& l) { return l.second[a] == l.second[b]; })
          ->first;
    });
  }

  std::optional<std::uint8_t> named_level(const field& levels, const char* name, bool needed, const char* whom) {
    if (has(levels, name)) return number_of(levels[name]);
    if (needed) levels.fail(fmt::format("has no \"{}\", so {} cannot reach each other", name, whom));
    return std::nullopt;
  }

  void read_levels(const field& levels) {
    check_names(levels, {"same_core", "same_die", "same_package", "other_package"});
    const auto core = named_level(levels, "same_core", m_.threads_ > 1, "the threads of a core");
    const auto die = named_level(levels, "same_die", m_.cores_ > 1, "the cores of a die");
    const auto package = named_level(levels, "same_package", m_.dies_ > 1, "the dies of a package");
    const auto other = named_level(levels, "other_package", m_.packages_ > 1, "the cores of different packages");
    fill_reach([&](unsigned a, unsigned b) -> std::uint8_t {
      if (a == b) return core.value_or(0);
      if (m_.die_of_core(a) == m_.die_of_core(b)) return *die;
      return m_.die_of_core(a) / m_.dies_ == m_.die_of_core(b) / m_.dies_ ? *package : *other;
    });
  }

  /// Distances of a mesh are numbered by their hops; the model names the nearest and the farthest.
  void read_mesh(const field& mesh) {
    const auto sides = mesh.items();
    if (sides.size() != 2) mesh.must_be("two numbers, columns and rows");
    const unsigned columns = whole(sides[0]), rows = whole(sides[1]);
    if (columns * rows != m_.cores())
      mesh.fail(
          fmt::format("is {} x {}, and the topology has {} cores: some cannot be reached", columns, rows, m_.cores()));
    const unsigned longest = columns + rows - 2;
    if (longest > most_hops)
      mesh.fail(fmt::format("has routes of {} hops; the simulator allows at most {}", longest, most_hops));
    if (m_.named_.size() != 2 || m_.hops_[0] != 1 || m_.hops_[1] != longest || longest < 2)
      root_["distances"].fail(fmt::format("must be two for a mesh, 1 hop and {} hops", longest));
    m_.name_number_ = {1, static_cast<std::uint8_t>(longest)};
    mesh_hops_ = longest;
    m_.hops_.clear();
    for (unsigned h = 0; h <= longest; ++h) m_.hops_.push_back(h);
    const auto apart = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
    fill_reach([&](unsigned a, unsigned b) {
      return static_cast<std::uint8_t>(apart(a % columns, b % columns) + apart(a / columns, b / columns));
    });
  }

  void read_protocol() {
    const field p = root_["protocol"];
    check_names(p, {"writes", "distance_to", "directory"});
    m_.writes_at_home_ = one_of(p["writes"], "owner", "home");
    m_.distance_to_home_ = one_of(p["distance_to"], "holder", "home");
    if (!has(p, "directory")) return;
    check_names(p["directory"], {"cycles_per_hop"});
    m_.directory_hop_ = to_ticks(constant(p["directory"]["cycles_per_hop"]));
  }

  static bool one_of(const field& f, const std::string& first, const std::string& second) {
    if (f.text() != first && f.text() != second) f.must_be("\"" + first + "\" or \"" + second + "\"");
    return f.text() == second;
  }

  void read_caches() {
    const field c = root_["caches"];
    check_names(c, {level_names.begin(), level_names.end()});
    for (std::size_t i = 0; i < level_names.size(); ++i) {
      const bool may_lack = static_cast<level>(i) == level::l2 || static_cast<level>(i) == level::llc;
      if (may_lack && !has(c, level_names[i])) continue;
      m_.cache_[i] = cycles(c[level_names[i]]);
      m_.has_cache_[i] = true;
    }
  }

  row& table(operation o, state s) { return m_.latency_[static_cast<std::size_t>(o)][static_cast<std::size_t>(s)]; }

  /// The row of an operation; atomic operations may share one.
  std::optional<field> find_row(operation o, state s) const {
    const field all = root_["latency"];
    const char* state_name = state_names[static_cast<std::size_t>(s)];
    for (const char* name : {operation_names[static_cast<std::size_t>(o)], "atomic"}) {
      if (name == std::string{"atomic"} && o <= operation::store) continue;
      if (has(all, name) && has(all[name], state_name)) return all[name][state_name];
    }
    return std::nullopt;
  }

  row read_row(const field& f) const {
    row named;
    for (const std::string& d : m_.named_) {
      if (!has(f, d)) f.fail("has no \"" + d + "\": a distance is missing");
      named.push_back(cycles(f[d]));
    }
    for (const auto& [name, value] : f.object().items())
      if (std::find(m_.named_.begin(), m_.named_.end(), name) == m_.named_.end())
        f.fail("has \"" + name + "\", which is not one of the model's distances");
    if (mesh_hops_ == 0) return named;
    row all;
    for (unsigned h = 0; h <= mesh_hops_; ++h) {
      const double part = (static_cast<double>(h) - 1) / (mesh_hops_ - 1);
      const double v =
          static_cast<double>(named[0]) + part * (static_cast<double>(named[1]) - static_cast<double>(named[0]));
      all.push_back(static_cast<ticks>(std::llround(std::max(0.0, v))));
    }
    return all;
  }

  void check_tables() const {
    const field all = root_["latency"];
    std::vector<std::string> operations{operation_names.begin(), operation_names.end()};
    operations.emplace_back("atomic");
    check_names(all, operations);
    for (const std::string& o : operations)
      if (has(all, o)) check_names(all[o], {state_names.begin(), state_names.end()});
  }

  void read_tables() {
    check_tables();
    for (std::size_t o = 0; o < operation_names.size(); ++o)
      for (std::size_t s = 0; s < state_names.size(); ++s)
        if (const auto f = find_row(static_cast<operation>(o), static_cast<state>(s))) m_.latency_[o][s] = read_row(*f);
    m_.has_owned_ = !table(operation::load, state::owned).empty();
    for (const operation o :
         {operation::load, operation::store, operation::cas, operation::fai, operation::tas, operation::swap})
      complete(o);
    if (mesh_hops_ != 0)  // at home the line is in the second level of the requester itself
      for (const state s : {state::modified, state::exclusive, state::shared})
        table(operation::load, s)[0] = m_.cache(m_.has_cache(level::l2) ? level::l2 : level::l1);
  }

  void need(operation o, state s) {
    if (table(o, s).empty())
      root_["latency"].fail(fmt::format("has no {} on {} lines", operation_names[static_cast<std::size_t>(o)],
                                        state_names[static_cast<std::size_t>(s)]));
  }
  void fill(operation o, state s, row with, const char* rule) {
    if (!table(o, s).empty()) return;
    table(o, s) = std::move(with);
    m_.derived_.push_back(fmt::format("{} on {}: {}", operation_names[static_cast<std::size_t>(o)],
                                      state_names[static_cast<std::size_t>(s)], rule));
  }

  void complete(operation o) {
    const bool atomic = o > operation::store;
    need(o, state::modified);
    need(o, state::shared);
    if (!atomic) need(o, state::exclusive);
    if (o == operation::load) need(o, state::invalid);
    if (atomic) fill(o, state::exclusive, table(o, state::modified), "as on modified");
    if (m_.has_owned_) fill(o, state::owned, table(o, state::shared), "as on shared");
    if (o == operation::store) fill(o, state::invalid, table(operation::load, state::invalid), "as a load");
    if (atomic && table(o, state::invalid).empty()) {
      row sum = table(operation::load, state::invalid);
      for (std::size_t d = 0; d < sum.size(); ++d) {
        const ticks loaded = table(operation::load, state::modified)[d];
        sum[d] += std::max(table(o, state::modified)[d], loaded) - loaded;
      }
      fill(o, state::invalid, sum, "a load, and what the operation takes longer than a load on modified");
    }
  }

  [[nodiscard]] ticks fence_of_tables() {
    const ticks atomic = table(operation::cas, state::modified)[m_.name_number_.front()];
    return atomic - std::min(atomic, table(operation::store, state::modified)[m_.name_number_.front()]);
  }

  void read_costs() {
    m_.fence_ = has(root_, "fence") ? to_ticks(constant(root_["fence"])) : fence_of_tables();
    if (!m_.writes_at_home_) m_.local_atomic_ = to_ticks(constant(root_["local_atomic"]));
    m_.pause_ = to_ticks(constant(root_["pause"]));
    m_.read_occupancy_ = share(root_["read_occupancy"]);
    const field k = root_["knobs"];
    check_names(k, {"hold", "jitter", "store_buffer"});
    m_.hold_ = share(k["hold"]);
    m_.jitter_ = share(k["jitter"]);
    const double buffered = constant(k["store_buffer"]);
    if (buffered > most_buffered) k["store_buffer"]["value"].must_be(fmt::format("at most {:g}", most_buffered));
    m_.store_buffer_ = static_cast<std::size_t>(std::max(1.0, buffered));
    if (!has(root_, "all_sharers")) return;
    const field all = root_["all_sharers"];
    check_names(all, {"distance", "store"});
    const std::uint8_t far = m_.name_number_[number_of(all["distance"])];
    const double most = constant(all["store"]) * per_cycle;
    const auto two = static_cast<double>(table(operation::store, state::shared)[far]);
    if (most < two) all["store"].fail("is less than with two sharers");
    if (m_.cores() > 3) m_.extra_per_sharer_ = (most - two) / (m_.cores() - 3);
  }

  /// Without it instructions take no time and no access overlaps with another one.
  void read_core() {
    if (!has(root_, "core")) return;
    const field c = root_["core"];
    check_names(c, {"instructions", "window", "misses", "ahead", "stores", "division"});
    m_.instructions_ = to_ticks(constant(c["instructions"]));
    m_.window_ = to_ticks(constant(c["window"]));
    m_.misses_ = at_a_time(c["misses"]);
    if (has(c, "stores")) m_.stores_ = at_a_time(c["stores"]);
    if (has(c, "division")) m_.division_ = to_ticks(constant(c["division"]));
    if (!has(c, "ahead")) return;
    const double ahead = constant(c["ahead"]);
    if (ahead > most_buffered) c["ahead"]["value"].must_be(fmt::format("0 to {:g}", most_buffered));
    m_.ahead_ = static_cast<unsigned>(ahead);
  }

  std::size_t at_a_time(const field& f) {
    const double n = constant(f);
    if (n < 1 || n > most_buffered) f["value"].must_be(fmt::format("1 to {:g}", most_buffered));
    return static_cast<std::size_t>(n);
  }

  void read_wake() {
    const field w = root_["wake"];
    check_names(w, {"call", "each", "latency", "switch", "slice", "interrupt_each", "contend", "idle"});
    const auto read = [&](const char* name) { return nanoseconds(w[name]); };
    m_.wake_ = {read("call"), read("each"), read("latency"), read("switch"), read("slice"), read("interrupt_each")};
    if (m_.wake_.slice == 0) w["slice"]["value"].must_be("more than 0");
    if (has(w, "contend")) m_.wake_.contend = read("contend");
    if (has(w, "idle")) read_idle(w["idle"]);
  }

  ticks nanoseconds(const field& f) { return to_ticks(constant(f) * m_.ghz_); }

  void read_idle(const field& idle) {
    for (const auto& [name, unread] : idle.object().items()) {
      if (name == "remark") continue;
      const field state = idle[name];
      if (name.find_first_not_of(digits_and_letters) != std::string::npos)
        state.fail("has a name with other characters than letters and digits");
      check_names(state, {"after", "exit"});
      m_.wake_.idle.push_back({nanoseconds(state["after"]), nanoseconds(state["exit"])});
    }
    std::stable_sort(m_.wake_.idle.begin(), m_.wake_.idle.end(),
                     [](const idle_state& a, const idle_state& b) { return a.after < b.after; });
  }

  /// Without it there are no messages but those over coherence.
  void read_network() {
    if (!has(root_, "network")) return;
    const field n = root_["network"];
    check_names(n, {"send", "receive", "hop", "queue", "send_call", "receive_call"});
    m_.network_ = {to_ticks(constant(n["send"])), to_ticks(constant(n["receive"])), to_ticks(constant(n["hop"])), 0};
    const double words = constant(n["queue"]);
    if (words < 1 || words > most_buffered) n["queue"]["value"].must_be(fmt::format("1 to {:g}", most_buffered));
    m_.network_->queue = static_cast<std::size_t>(words);
    if (has(n, "send_call")) m_.network_->send_call = to_ticks(constant(n["send_call"]));
    if (has(n, "receive_call")) m_.network_->receive_call = to_ticks(constant(n["receive_call"]));
  }

  /// Without it requests meet at lines only.
  void read_traffic() {
    if (!has(root_, "traffic")) return;
    const field t = root_["traffic"];
    check_names(t, {"snoops", "home", "links"});
    const std::string whom = t["snoops"].text();
    if (whom != "all" && whom != "home") t["snoops"].must_be("\"all\" or \"home\"");
    m_.snoops_all_ = whom == "all";
    if (has(t, "home")) m_.at_home_ = to_ticks(constant(t["home"]));
    if (!has(t, "links")) return;
    if (!has(root_["reach"], "dies")) t["links"].fail("is only for a \"reach\" by \"dies\"");
    std::vector<std::optional<link_costs>> by_distance(m_.named_.size());
    for (const auto& [name, unread] : t["links"].object().items()) {
      if (name == "remark") continue;
      const field l = t["links"][name];
      const auto found = std::find(m_.named_.begin(), m_.named_.end(), name);
      if (found == m_.named_.end()) l.fail("is none of the model's distances");
      check_names(l, {"message", "line"});
      by_distance[static_cast<std::size_t>(found - m_.named_.begin())] = {to_ticks(constant(l["message"])),
                                                                          to_ticks(constant(l["line"]))};
    }
    m_.routes_ = routes_by(t["links"], link_numbers(by_distance));
  }

  /// The number of the direction from each die to each other one; none where no link is.
  std::vector<std::optional<std::uint16_t>> link_numbers(const std::vector<std::optional<link_costs>>& by_distance) {
    std::vector<std::optional<std::uint16_t>> numbers;
    for (unsigned a = 0; a < m_.dies(); ++a)
      for (unsigned b = 0; b < m_.dies(); ++b) {
        const auto& costs = by_distance[m_.between(a * m_.cores_per_die(), b * m_.cores_per_die())];
        numbers.emplace_back();
        if (a == b || !costs) continue;
        numbers.back() = static_cast<std::uint16_t>(m_.links_.size());
        m_.links_.push_back(*costs);
      }
    return numbers;
  }

  /// The shortest ways. Where there are several, the dies at both ends choose, so that no link has most of the ways.
  std::vector<std::vector<std::uint16_t>> routes_by(const field& links,
                                                    const std::vector<std::optional<std::uint16_t>>& direct) const {
    const unsigned n = m_.dies();
    std::vector<std::vector<std::uint16_t>> routes(std::size_t{n} * n);
    for (unsigned length = 1, left = n * (n - 1); left != 0; ++length) {
      if (length == n) links.fail("leaves a die that cannot be reached");
      for (unsigned a = 0; a < n; ++a)
        for (unsigned b = 0; b < n; ++b) {
          if (a == b || !routes[a * n + b].empty()) continue;
          std::vector<std::vector<std::uint16_t>> ways;
          for (unsigned by = 0; by < n; ++by) {
            const auto& rest = routes[by * n + b];
            if (!direct[a * n + by] || (length == 1 ? by != b : rest.size() != length - 1)) continue;
            ways.push_back({*direct[a * n + by]});
            ways.back().insert(ways.back().end(), rest.begin(), rest.end());
          }
          if (ways.empty()) continue;
          routes[a * n + b] = ways[(a + b) % ways.size()];
          --left;
        }
    }
    return routes;
  }

  model& m_;
  field root_;
  unsigned mesh_hops_ = 0;  // of the longest way; 0: no mesh
};

model::model(const nlohmann::ordered_json& document) : document_(document) {
  model_reader{*this, field{document_, ""}}.read();
}

}  // namespace synchro::simulator
