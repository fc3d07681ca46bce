// The coherence experiments on a model.

#include "experiments/coherence/coherence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>

#include "experiments/coherence/access.hpp"
#include "experiments/coherence/pairs_body.hpp"
#include "experiments/coherence/representatives.hpp"
#include "experiments/coherence/states_body.hpp"
#include "experiments/framework/axes.hpp"
#include "simulations/simulations.hpp"
#include "simulator/laboratory.hpp"

namespace synchro::simulations {

using namespace experiments;
using namespace experiments::coherence;
using simulator::laboratory;
using simulator::simulated;

namespace {

const std::string own_processor = "same_cpu";

repetition to_repetition(const simulator::model& m, const batches& b) {
  repetition r;
  const double cycles = in_cycles(m, results::median(b.each_ns));
  r.observations = {{"latency", cycles / m.ghz()}, {"latency_cycles", cycles}};
  if (b.unexpected != 0)
    r.broken = fmt::format("{} accesses did not find what the preparation had left in the line", b.unexpected);
  return r;
}

/// Lines that live at a processor's node or tile.
class homed_field {
 public:
  explicit homed_field(unsigned processor) {
    simulator::world::current().home_here();
    laboratory::team({processor}, 1, [&](unsigned) { field_.emplace(); });
  }
  [[nodiscard]] field_lines<simulated> lines() { return field_lines<simulated>{(*field_)->lines}; }

 private:
  std::optional<laboratory::fresh<field<simulated>>> field_;
};

// ---- one access, by the state of the line

struct places {
  roles who;
  unsigned third;  ///< As far from both as there is.
};

std::optional<std::pair<unsigned, unsigned>> first_pair(const simulator::model& m, const std::string& distance) {
  if (distance == own_processor) return std::pair{0U, 0U};
  const auto number = m.distance_number(distance);
  for (unsigned a = 0; a < m.processors(); ++a)
    for (unsigned b = 0; b < m.processors(); ++b)
      if (a != b && m.between(m.core_of(a), m.core_of(b)) == number) return std::pair{a, b};
  return std::nullopt;
}

/// The sharer is at the same distance from the requester as the holder, as far as there is such a one, and the nearest
/// to the holder of those.
std::optional<places> places_of(const simulator::model& m, const std::string& distance) {
  const auto pair = first_pair(m, distance);
  if (!pair) return std::nullopt;
  const auto apart = [&](unsigned a, unsigned b) { return m.between(m.core_of(a), m.core_of(b)); };
  places p{{pair->first, pair->second, std::nullopt, {}}, pair->first};
  const auto rank = [&](unsigned c) {
    return std::pair{apart(c, p.who.requester) != apart(p.who.holder, p.who.requester), apart(c, p.who.holder)};
  };
  const auto remoteness = [&](unsigned c) {
    return std::min(m.hops(apart(c, p.who.requester)), m.hops(apart(c, p.who.holder)));
  };
  for (unsigned c = 0; c < m.processors(); ++c) {
    if (remoteness(c) > remoteness(p.third)) p.third = c;
    if (c == p.who.requester || c == p.who.holder) continue;
    if (!p.who.sharer || rank(c) < rank(*p.who.sharer)) p.who.sharer = c;
  }
  for (unsigned c = 0; c < m.processors(); ++c)
    if (c != p.who.requester && c != p.who.holder && c != p.who.sharer) p.who.others.push_back(c);
  return p;
}

bool is_simulated(const simulator::model& m, const event& e) {
  if (is_instruction(e.what)) return false;
  switch (e.on) {
    case state::modified:
    case state::exclusive:
      return true;
    case state::owned:
      return m.has_owned() && !e.mine;
    case state::shared:
    case state::shared_all:
    case state::invalid:
      return !e.mine;
    default:
      return false;
  }
}

const event* event_at(const coordinates& at) {
  const event* const e = find_event(at.word("event"));
  if (e == nullptr || at.word("operation") != to_string(e->what) || at.word("state") != to_string(e->on))
    return nullptr;
  return e;
}

bool is_left_out(const simulator::model& m, const setting& s, const coordinates& at) {
  const event* const e = event_at(at);
  if (e == nullptr || !is_simulated(m, *e)) return true;
  if (e->mine != (at.word("distance") == own_processor)) return true;
  if (s.chosen.contains("home")) return false;
  const std::string& home = at.word("home");
  if (home == "holder") return false;
  if (e->mine || s.thoroughness == level::quick) return true;
  // Elsewhere only the distance between requester and holder counts, unless nobody holds the line.
  if (home == "third") return !m.directory_hop();
  return !m.directory_hop() && !m.distance_to_home() && e->on != state::invalid;
}

std::vector<coordinate> distances_of(const simulator::model& m) {
  std::vector<coordinate> all{own_processor};
  for (const std::string& d : m.distances()) all.emplace_back(d);
  return all;
}

std::vector<axis> states_axes(const model_ptr& m) {
  std::vector<std::string> operations, states, names;
  const auto add = [](std::vector<std::string>& list, const std::string& word) {
    if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
  };
  for (const event& e : events()) {
    if (!is_simulated(*m, e)) continue;
    add(operations, to_string(e.what));
    add(states, to_string(e.on));
    add(names, e.name);
  }
  return {
      word_axis("operation", "what is timed", operations),
      word_axis("state", "coherence state of the line before the timed access", states),
      {"distance", "from the processor that is timed to the one that put the line into its state",
       [m](const setting&) { return distances_of(*m); }},
      word_axis("home", "where the line's page lives: at the holder, at the requester, or as far from both as can be",
                {"holder", "requester", "third"}),
      word_axis("event", "operation and state under one name, ccbench's where it has one", names)};
}

repetition measure_state(const simulator::model& m, const setting&, const coordinates& at, std::uint64_t seed) {
  const event e = *event_at(at);
  const places p = places_of(m, at.word("distance")).value();
  const std::string& home = at.word("home");
  simulator::world w{m, seed};
  w.only_accesses();
  homed_field memory{home == "third" ? p.third : home == "holder" ? p.who.holder : p.who.requester};
  return to_repetition(m, states_trial<laboratory>(e, only_needed(p.who, e), memory.lines(), 1, seed).run());
}

// ---- loads, by level

/// Loads that follow each other through lines which were put where they are to be found.
/// Named by the cell.
simulator::level level_of(const coordinates& at) {
  const auto found = std::find(simulator::level_names.begin(), simulator::level_names.end(), at.word("level"));
  return static_cast<simulator::level>(found - simulator::level_names.begin());
}

repetition measure_level(const simulator::model& m, const setting&, const coordinates& at, std::uint64_t seed) {
  const simulator::level where = level_of(at);
  simulator::world w{m, seed};
  w.only_accesses();
  homed_field memory{0};
  batches result;
  laboratory::team({0}, 1, [&](unsigned) {
    std::mt19937_64 random{seed};
    const auto lines = std::span<line<simulated>>{memory.lines()}.first(64);
    line<simulated>* const start = &lines[link(lines, random).front()];
    for (unsigned batch = 0; batch < 4; ++batch) {
      chase(start, lines.size());
      for (line<simulated>& l : lines) {
        if (where == simulator::level::ram)
          laboratory::flush(&l);
        else
          w.demote(&l, where);
      }
      const std::uint64_t begin = laboratory::now();
      if (chase(start, lines.size()) != start) ++result.unexpected;
      result.add(laboratory::to_ns(laboratory::now() - begin), 0, lines.size());
    }
  });
  return to_repetition(m, result);
}

// ---- pairs of processors

std::vector<coordinate> processors_of_axis(const setting& s) {
  const std::size_t most = s.thoroughness == level::quick ? 8 : s.thoroughness == level::standard ? 16 : 48;
  std::vector<coordinate> all;
  for (const unsigned cpu : representatives(s.machine, most)) all.emplace_back(std::int64_t{cpu});
  return all;
}

repetition measure_pair(const simulator::model& m, const setting&, const coordinates& at, std::uint64_t seed) {
  const auto from = static_cast<unsigned>(at.number("from")), to = static_cast<unsigned>(at.number("to"));
  const std::string& name = at.word("protocol");
  const protocol how = name == "oneway" ? protocol::oneway : name == "cas" ? protocol::cas : protocol::handover;
  const pair_job job{how, from, to, 5, 20, 10};
  simulator::world w{m, seed};
  homed_field memory{at.word("home") == "to" ? to : from};
  const pair_outcome o = pair_trial<laboratory>{job, memory.lines(), seed}.run();
  repetition r;
  r.observations = {{"latency", results::median(o.hand_off_ns)}};
  const std::uint64_t turns = pair_trial<laboratory>::turns_of(job);
  if (o.from_turns != turns || o.to_turns != turns) r.broken = "turns were lost";
  return r;
}

}  // namespace

experiment coherence_states(const model_ptr& m) {
  experiment e = on_model(experiments::coherence_states(), m, 0.002, measure_state);
  e.axes = states_axes(m);
  e.skip = [m](const setting& s, const coordinates& at) { return is_left_out(*m, s, at); };
  e.unavailable = [m](const setting&, const coordinates& at) -> std::optional<std::string> {
    const auto p = places_of(*m, at.word("distance"));
    if (!p) return "no two processors of the model are " + at.word("distance") + " apart";
    return too_few(*event_at(at), m->processors());
  };
  e.processors = [m](const setting&, const coordinates& at) {
    const auto p = places_of(*m, at.word("distance"));
    return p ? std::vector<unsigned>{p->who.requester, p->who.holder} : std::vector<unsigned>{};
  };
  return e;
}

experiment coherence_local(const model_ptr& m) {
  experiment e = on_model(experiments::coherence_local(), m, 0.001, measure_level);
  e.unavailable = [m](const setting&, const coordinates& at) -> std::optional<std::string> {
    if (m->has_cache(level_of(at))) return std::nullopt;
    return "the model has no " + at.word("level");
  };
  e.processors = [](const setting&, const coordinates&) { return std::vector<unsigned>{0}; };
  return e;
}

experiment coherence_pairs(const model_ptr& m) {
  experiment e = on_model(experiments::coherence_pairs(), m, 0.001, measure_pair);
  for (axis& a : e.axes) {
    if (a.name == "from" || a.name == "to") a.values = processors_of_axis;
    if (a.name == "home") a.values = [](const setting&) { return std::vector<coordinate>{"from"}; };
    if (a.name == "from" || a.name == "to")
      a.refuses = [m](const setting&, const coordinate& c) -> std::optional<std::string> {
        const auto* const number = std::get_if<std::int64_t>(&c);
        if (number != nullptr && *number >= 0 && *number < std::int64_t{m->processors()}) return std::nullopt;
        return fmt::format("the model has {1} processors, and {0} is not one of them", results::to_string(c),
                           m->processors());
      };
  }
  e.skip = [](const setting&, const coordinates& at) { return at.number("from") == at.number("to"); };
  e.unavailable = {};
  e.processors = [](const setting&, const coordinates& at) {
    return std::vector<unsigned>{static_cast<unsigned>(at.number("from")), static_cast<unsigned>(at.number("to"))};
  };
  return e;
}

}  // namespace synchro::simulations
