#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "profile/stored.hpp"
#include "recorded/shown.hpp"

namespace synchro::recorded {

namespace {

using json = nlohmann::ordered_json;

json json_of(const code_location& p) {
  json j;
  if (p.module.empty()) return json{{"address", p.offset}};
  j["module"] = p.module, j["offset"] = p.offset;
  if (!p.symbol.empty()) j["symbol"] = p.symbol, j["into"] = p.into;
  if (p.step > 0) j["step"] = p.step;
  return j;
}

json json_of(const std::vector<code_location>& calls) {
  json all = json::array();
  for (const code_location& p : calls) all.push_back(json_of(p));
  return all;
}

/// The buckets that hold something.
json json_of(const histogram& h) {
  json all = json::array();
  for (std::size_t i = 0; i < h.size(); ++i)
    if (h[i] != 0)
      all.push_back({{"from_ns", i == 0 ? 0 : std::uint64_t{1} << i},
                     {"to_ns", i + 1 == h.size() ? json(nullptr) : json(std::uint64_t{2} << i)},
                     {"count", h[i]}});
  return all;
}

json share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? json(nullptr) : json(static_cast<double>(part) / static_cast<double>(whole));
}

json below(std::optional<double> ns) { return ns ? json(static_cast<std::uint64_t>(*ns)) : json(nullptr); }

json interval(const estimate& e) { return {std::llround(e.low()), std::llround(e.high())}; }

json waits_of(const lock& l, unsigned every) {
  const estimate total = wait_of(l, every);
  return {{"estimated_total_ns", std::llround(total.value)},
          {"interval_ns", interval(total)},
          {"sampled_ns", l.wait_ns},
          {"below_99_percent_ns", below(wait_percentile(l, every, 99))},
          {"histogram", json_of(l.wait)},
          {"sure", !hardly_waited(l, every)},
          {"long", {{"total_ns", l.long_ns}, {"histogram", json_of(l.long_wait)}}}};
}

/// From the end of a hold to what the thread took next.
json gaps_of(const lock& l) { return {{"samples", l.gaps}, {"sampled_ns", l.gap_ns}, {"histogram", json_of(l.gap)}}; }

json json_of(const lock& l, unsigned every) {
  json j;
  j["name"] = l.name();
  j["address"] = l.address;
  j["kind"] = l.kind();
  j["side"] = *l.side() == 0 ? json(nullptr) : json(l.side());
  j["object"] = json_of(l.object);
  j["made_by"] = l.initialised ? "initialisation" : "first use";
  j["made_at"] = json_of(l.made_at);
  j["acquisitions"] = std::llround(acquisitions_of(l, every).value);
  j["acquisitions_interval"] = interval(acquisitions_of(l, every));
  j["samples"] = l.samples;
  j["contended"] = l.contended;
  j["contended_share"] = share(l.contended, l.samples);
  j["threads"] = l.threads;
  j["more_threads"] = l.more_threads;
  const bool shared = l.what == platform::lock_recording::sort::reading;  // many have it at a time
  j["hand_offs"] = shared ? json(nullptr) : json(l.hand_offs);
  j["hand_offs_between_domains"] = shared ? json(nullptr) : json(l.across);
  j["wait"] = waits_of(l, every);
  j["hold"] = {{"estimated_total_ns", l.hold_ns * every},
               {"interval_ns", interval(hold_of(l, every))},
               {"sampled_ns", l.hold_ns},
               {"samples", l.holds},
               {"below_99_percent_ns", below(percentile(l.hold, 99))},
               {"histogram", json_of(l.hold)}};
  j["gap"] = gaps_of(l);
  j["condition_waits"] = {{"count", l.condition_waits}, {"total_ns", l.condition_ns}};
  return j;
}

json json_of(const std::vector<order>& cycle, const process& p) {
  json all = json::array();
  for (const order& o : cycle)
    all.push_back({{"held", p.locks[o.held].name()},
                   {"held_address", p.locks[o.held].address},
                   {"taken", p.locks[o.next].name()},
                   {"taken_address", p.locks[o.next].address},
                   {"thread", o.thread},
                   {"calls", json_of(o.calls)}});
  return all;
}

double seconds_of(std::uint64_t ns) { return static_cast<double>(ns) / 1e9; }

json by_thread(const process& p) {
  json all = json::array();
  for (const thread& t : p.by_thread)
    all.push_back({{"thread", t.thread},
                   {"samples", t.samples},
                   {"seconds", seconds_of(t.ns)},
                   {"worked_seconds", seconds_of(t.worked_ns)},
                   {"queued_seconds", t.queued_ns ? json(seconds_of(*t.queued_ns)) : json(nullptr)},
                   {"condition_seconds", seconds_of(t.condition_ns)}});
  return all;
}

/// Locks by their places in the document.
json pairs_of(const process& p) {
  std::vector<std::size_t> place(p.locks.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < p.locks.size(); ++i) place[i] = has_counts(p.locks[i]) ? next++ : p.locks.size();
  json all = json::array();
  for (const pair& two : p.pairs)
    if (const std::size_t first = place[two.first], second = place[two.second]; std::max(first, second) < next)
      all.push_back({{"first", first},
                     {"second", second},
                     {"follows", two.follows},
                     {"inside", two.inside},
                     {"tried", two.tried}});
  return all;
}

json json_of(const process& p) {
  json j;
  j["pid"] = p.pid, j["parent"] = p.parent, j["program"] = p.program;
  j["seconds"] = p.seconds ? json(*p.seconds) : json(nullptr);
  j["every"] = p.every;
  j["clock_ns"] = p.clock_ns;
  j["threads"] = p.threads;
  j["by_thread"] = by_thread(p);
  j["lost"] = {
      {"samples", p.lost_samples}, {"spans", p.lost_spans}, {"orders", p.lost_orders}, {"children", p.lost_children}};
  j["locks"] = json::array();
  for (const lock& l : p.locks)
    if (has_counts(l)) j["locks"].push_back(json_of(l, p.every));
  j["pairs"] = pairs_of(p);
  j["cycles"] = json::array();
  for (const auto& cycle : cycles(p)) j["cycles"].push_back(json_of(cycle, p));
  return j;
}

/// Events of one thread must lie within each other or apart. Holds need not (a lock is often given back after the next was
/// taken): such a hold is an asynchronous event, a begin and an end.
class thread_events {
 public:
  bool nests(std::uint64_t from, std::uint64_t to) {
    while (!open_.empty() && open_.back() <= from) open_.pop_back();
    if (!open_.empty() && open_.back() < to) return false;
    open_.push_back(to);
    return true;
  }

 private:
  std::vector<std::uint64_t> open_;  // where those end that are around
};

void add_spans(json& events, const process& p, std::uint64_t zero) {
  std::vector<const span*> spans;
  for (const span& s : p.spans) spans.push_back(&s);
  const auto begin = [](const span* s) { return s->from + s->wait; };
  std::stable_sort(spans.begin(), spans.end(), [&](const span* a, const span* b) {
    return std::tuple{a->thread, begin(a), b->hold} < std::tuple{b->thread, begin(b), a->hold};
  });
  const auto us = [&](std::uint64_t ns) { return static_cast<double>(ns - zero) / 1000; };
  std::map<std::uint32_t, thread_events> threads;
  std::size_t number = 0;
  for (const span* s : spans) {
    const lock& l = p.locks[s->lock];
    const std::string name = *l.side() == 0 ? l.name() : l.name() + " (" + l.side() + ")";
    const auto event = [&](const std::string& what, const char* phase, std::uint64_t at) -> json& {
      events.push_back({{"name", what + name},
                        {"cat", l.kind()},
                        {"ph", phase},
                        {"pid", p.pid},
                        {"tid", s->thread},
                        {"ts", us(at)}});
      return events.back();
    };
    const std::uint64_t got = begin(s), end = got + s->hold;
    if (s->wait != 0) event("wait: ", "X", s->from)["dur"] = static_cast<double>(s->wait) / 1000;
    if (threads[s->thread].nests(got, end)) {
      event("hold: ", "X", got)["dur"] = static_cast<double>(s->hold) / 1000;
      continue;
    }
    const std::string id = std::to_string(++number);
    event("hold: ", "b", got)["id2"] = {{"local", id}};  // of this process, among whose threads it is drawn
    event("hold: ", "e", end)["id2"] = {{"local", id}};
  }
}

}  // namespace

json document_of(const run& r) {
  json j;
  j["format"] = profile::format_name;
  j["command"] = r.command;
  j["lock"] = r.lock;
  j["every"] = r.every;
  j["processes"] = json::array();
  for (const process& p : r.processes) j["processes"].push_back(json_of(p));
  return j;
}

json trace_of(const run& r) {
  json events = json::array();
  const std::uint64_t zero = r.processes.empty() ? 0 : r.processes.front().begun;
  for (const process& p : r.processes) {
    events.push_back(
        {{"name", "process_name"}, {"ph", "M"}, {"pid", p.pid}, {"tid", 0}, {"args", {{"name", p.program}}}});
    add_spans(events, p, zero);
  }
  return {{"displayTimeUnit", "ns"},
          {"otherData", {{"what", "one acquisition in " + std::to_string(r.every) + ", by Synchroscope"}}},
          {"traceEvents", events}};
}

}  // namespace synchro::recorded
