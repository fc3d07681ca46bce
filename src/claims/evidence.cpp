#include "claims/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "results/text.hpp"
#include "results/units.hpp"

namespace synchro::claims {

condition is(const std::string& axis, const std::string& word) { return one_of(axis, {word}); }

condition is(const std::string& axis, std::int64_t number) { return between(axis, number, number); }

condition one_of(const std::string& axis, const std::vector<std::string>& words) {
  return {axis, [words](const coordinate* c) {
            const auto* const word = c == nullptr ? nullptr : std::get_if<std::string>(c);
            return word != nullptr && std::find(words.begin(), words.end(), *word) != words.end();
          }};
}

condition none_of(const std::string& axis, const std::vector<std::string>& words) {
  return {axis, [not_these = one_of(axis, words)](const coordinate* c) { return c != nullptr && !not_these.fits(c); }};
}

condition between(const std::string& axis, std::int64_t least, std::int64_t most) {
  return {axis, [least, most](const coordinate* c) {
            const auto* const n = c == nullptr ? nullptr : std::get_if<std::int64_t>(c);
            return n != nullptr && *n >= least && *n <= most;
          }};
}

condition absent_or(condition c) {
  return {c.axis, [fits = c.fits](const coordinate* v) { return v == nullptr || fits(v); }};
}

place operator+(place a, const place& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

namespace {

bool fits(const cell& c, const place& where) {
  return std::all_of(where.begin(), where.end(), [&](const condition& w) { return w.fits(c.at.find(w.axis)); });
}

/// A number of a processor's entry, as a text to tell groups apart.
std::string group(const nlohmann::ordered_json& cpu, const char* name) {
  return cpu.is_object() && cpu.contains(name) ? cpu.at(name).dump() : "";
}

std::string mode_of(const cell& c) {
  const std::string mode = word_at(c, "mode");
  return mode.empty() ? "near" : mode;
}

std::string model_of(const results::document& d) {
  const auto name = results::is_simulated(d) ? d.machine.find("model_name") : d.machine.end();
  return name != d.machine.end() && name->is_string() ? name->get<std::string>() : "";
}

}  // namespace

evidence::evidence(const results::document& d)
    : system_{results::system_of(d)},
      simulated_{results::is_simulated(d)},
      system_name_{results::name_of_system(d)},
      model_{model_of(d)},
      no_evidence_{results::why_no_evidence(d)} {
  for (const cell& c : d.cells)
    if (c.valid && c.value) sound_[c.experiment].push_back(&c);
  const auto cpus = d.topology.find("cpus");
  if (cpus == d.topology.end() || !cpus->is_array()) return;
  std::set<std::string> cores, sockets;
  std::string first;
  for (const auto& cpu : *cpus) {
    const std::string socket = group(cpu, "package") + " " + group(cpu, "node");
    if (processors_++ == 0) first = socket;
    if (socket == first) ++socket_;
    cores.insert(group(cpu, "core"));
    sockets.insert(socket);
  }
  cores_ = std::ssize(cores);
  sockets_ = std::ssize(sockets);
}

bool evidence::crosses_sockets(const std::string& distance) const {
  // The models of the paper's machines count hops between sockets, those of meshes between tiles.
  static const std::set<std::string> across{"same_package_other_node", "other_package", "other_package_far"};
  static const std::set<std::string> hops{"same_mcm", "one_hop", "two_hops"};
  return across.contains(distance) || (sockets_ > 1 && hops.contains(distance));
}

std::string evidence::usual_mode(const std::string& experiment) const {
  const auto [known, is_new] = modes_.try_emplace(experiment);
  if (!is_new) return known->second;
  std::map<std::string, std::size_t> counts;
  if (const auto own = sound_.find(experiment); own != sound_.end())
    for (const cell* c : own->second) ++counts[mode_of(*c)];
  std::size_t most = counts["near"];
  known->second = "near";
  for (const auto& [mode, count] : counts)
    if (count > most) known->second = mode, most = count;
  return known->second;
}

cells evidence::find(const std::string& experiment, const std::string& metric, const place& where) const {
  cells found;
  const auto own = sound_.find(experiment);
  if (own == sound_.end()) return found;
  const std::string mode = usual_mode(experiment);
  std::copy_if(own->second.begin(), own->second.end(), std::back_inserter(found),
               [&](const cell* c) { return c->metric == metric && mode_of(*c) == mode && fits(*c, where); });
  return found;
}

const cell* evidence::one(const std::string& experiment, const std::string& metric, const place& where) const {
  const cells found = find(experiment, metric, where);
  return found.empty() ? nullptr : found.front();
}

std::int64_t number_at(const cell& c, const std::string& axis, std::int64_t otherwise) {
  const coordinate* const v = c.at.find(axis);
  const auto* const n = v == nullptr ? nullptr : std::get_if<std::int64_t>(v);
  return n == nullptr ? otherwise : *n;
}

std::string word_at(const cell& c, const std::string& axis) {
  const coordinate* const v = c.at.find(axis);
  return v != nullptr && std::holds_alternative<std::string>(*v) ? std::get<std::string>(*v) : "";
}

cells those(const cells& all, const place& where) {
  cells found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](const cell* c) { return fits(*c, where); });
  return found;
}

std::vector<std::string> words_of(const cells& all, const std::string& axis) {
  std::vector<std::string> found;
  for (const cell* c : all)
    if (const std::string word = word_at(*c, axis);
        !word.empty() && std::find(found.begin(), found.end(), word) == found.end())
      found.push_back(word);
  return found;
}

std::vector<std::int64_t> numbers_of(const cells& all, const std::string& axis) {
  std::set<std::int64_t> found;
  for (const cell* c : all)
    if (const coordinate* v = c->at.find(axis); v != nullptr && std::holds_alternative<std::int64_t>(*v))
      found.insert(std::get<std::int64_t>(*v));
  return {found.begin(), found.end()};
}

namespace {

bool is_better(const cell& a, const cell& b) {
  return a.direction == results::better::higher ? *a.value > *b.value : *a.value < *b.value;
}

}  // namespace

const cell* best(const cells& all) {
  const auto found =
      std::min_element(all.begin(), all.end(), [](const cell* a, const cell* b) { return is_better(*a, *b); });
  return found == all.end() ? nullptr : *found;
}

const cell* worst(const cells& all) {
  // Among equals the last, so that it is another than the best.
  const auto found =
      std::max_element(all.rbegin(), all.rend(), [](const cell* a, const cell* b) { return is_better(*a, *b); });
  return found == all.rend() ? nullptr : *found;
}

namespace {

bool agree(const cell& a, const cell& b, std::vector<std::string> but) {
  but.emplace_back("event");  // another name of operation and state
  const auto rest = [&](const cell& c) {
    std::map<std::string, coordinate> all;
    for (const auto& [axis, value] : c.at.entries())
      if (std::find(but.begin(), but.end(), axis) == but.end()) all[axis] = value;
    return all;
  };
  return rest(a) == rest(b);
}

}  // namespace

std::vector<std::pair<const cell*, const cell*>> matched(const cells& a, const cells& b,
                                                         const std::vector<std::string>& but) {
  std::vector<std::pair<const cell*, const cell*>> pairs;
  for (const cell* x : a)
    for (const cell* y : b)
      if (agree(*x, *y, but)) pairs.emplace_back(x, y);
  return pairs;
}

std::vector<std::pair<const cell*, const cell*>> each_with_each(const cells& a, const cells& b) {
  std::vector<std::pair<const cell*, const cell*>> pairs;
  for (const cell* x : a)
    for (const cell* y : b) pairs.emplace_back(x, y);
  return pairs;
}

namespace {

/// "mcs, 4 threads"
std::string name_of(const cell& c, const naming& axes) {
  std::string name;
  for (const std::string& axis : axes) {
    const coordinate* const v = c.at.find(axis);
    if (v == nullptr) continue;
    std::string text = results::printable_ascii(results::to_string(*v), 40);
    if (std::holds_alternative<std::int64_t>(*v)) {
      if (axis == "permits" && text == "0")
        text = "no limit";
      else if (axis == "thread" || axis == "order")
        text = axis + " " + text;
      else
        text += " " + (text == "1" && axis.ends_with('s') ? axis.substr(0, axis.size() - 1) : axis);
    }
    name = results::joined(name, ", ", text);
  }
  return name;
}

std::string value_of(const cell& c) { return results::quantity(*c.value, results::printable_ascii(c.unit, 12), false); }

std::string in_mode(const cell& c) {
  const std::string mode = mode_of(c);
  return mode == "near" ? "" : ", with the processors " + results::printable_ascii(mode, 20);
}

/// The ratio of paired repetitions is not that of the two values beside it.
std::string paired_note(const cell& a, const cell& b, double ratio) {
  const auto shown = [](double v) { return results::quantity(v, "1", false); };
  return shown(ratio) == shown(*a.value / *b.value) ? "" : ", the median of the ratios within each repetition";
}

}  // namespace

finding compared(const cell* a, const cell* b, const range& r, const naming& axes, const std::string& nothing,
                 std::size_t family) {
  if (a == nullptr || b == nullptr) return missing(nothing);
  const std::optional<estimate> ratio = ratio_of(*a, *b);
  if (!ratio) return missing("a value is zero");
  finding f{within(*ratio, r),
            fmt::format("{} {} against {} {}: ratio {}{}{}", name_of(*a, axes), value_of(*a), name_of(*b, axes),
                        value_of(*b), in_words(*ratio), paired_note(*a, *b, ratio->value), in_mode(*a)),
            *ratio, off_range(ratio->value, r)};
  if (f.is != verdict::fails || family < 2) return f;
  const auto surer = ratio_of(*a, *b, 1 - (1 - usual_confidence) / static_cast<double>(family));
  if (surer && within(*surer, r) == verdict::fails) return f;
  f.is = verdict::unresolved;
  f.sentence += fmt::format(" (one of {}: too few repetitions to be sure that it is no chance)", family);
  return f;
}

finding compared(const std::vector<std::pair<const cell*, const cell*>>& pairs, const range& r, const naming& axes,
                 const std::string& nothing) {
  std::vector<finding> all;
  all.reserve(pairs.size());
  for (const auto& [a, b] : pairs) all.push_back(compared(a, b, r, axes, nothing, pairs.size()));
  return all_of(all, nothing);
}

finding contest(const cells& ours, const cells& theirs, double least, const naming& axes, const std::string& nothing) {
  const cell* const first = best(ours);
  const cell* const rival = best(theirs);
  if (first == nullptr || rival == nullptr) return missing(nothing);
  // As many times as good: the other way round where less is better.
  const auto ahead = [&](const cell* a, const cell* b, std::size_t family) {
    return a->direction == results::better::higher ? compared(a, b, from(least), axes, nothing, family)
                                                   : compared(b, a, from(least), axes, nothing, family);
  };
  finding f = ahead(first, rival, 1);
  const auto is_all = [&](const cells& list, verdict v, auto&& compare) {
    return std::all_of(list.begin(), list.end(), [&](const cell* c) { return compare(c).is == v; });
  };
  if (is_all(theirs, verdict::holds, [&](const cell* c) { return ahead(first, c, 1); }))
    f.is = verdict::holds;
  else if (is_all(ours, verdict::fails, [&](const cell* c) { return ahead(c, rival, theirs.size()); }))
    f.is = verdict::fails;
  else
    f.is = verdict::unresolved;
  return f;
}

}  // namespace synchro::claims
