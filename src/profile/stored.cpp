#include "profile/stored.hpp"

#include <stdexcept>

#include "results/json_fields.hpp"

namespace synchro::profile {

namespace {

using results::field;

constexpr const char* family = "synchroscope-profile-";

// What is only shown is checked alone.

void check_place(const field& f) {
  const auto& j = f.object();
  if (j.contains("address")) return static_cast<void>(f["address"].count());
  static_cast<void>(f["module"].text()), static_cast<void>(f["offset"].count());
  if (j.contains("symbol")) static_cast<void>(f["symbol"].text()), static_cast<void>(f["into"].count());
}

void check_calls(const field& f) {
  for (const field& call : f.items()) check_place(call);
}

void check_histogram(const field& f) {
  for (const field& bucket : f.items()) {
    static_cast<void>(bucket["from_ns"].count()), static_cast<void>(bucket["count"].count());
    if (const field to = bucket["to_ns"]; !to.null()) static_cast<void>(to.count());
  }
}

void check_or_null(const field& f) {
  if (!f.null()) static_cast<void>(f.number());
}

void check_interval(const field& f) {
  if (f.items().size() != 2) f.must_be("two numbers");
  for (const field& end : f.items()) static_cast<void>(end.count());
}

void check_times(const field& f) {
  if (f.object().contains("interval_ns")) check_interval(f["interval_ns"]);  // earlier ones have none
  static_cast<void>(f["estimated_total_ns"].count());
  check_or_null(f["below_99_percent_ns"]);
  check_histogram(f["histogram"]);
}

void check_shown(const field& f) {
  check_place(f["object"]);
  check_calls(f["made_at"]);
  static_cast<void>(f["made_by"].text()), static_cast<void>(f["more_threads"].truth());
  check_or_null(f["contended_share"]);
  check_or_null(f["hand_offs"]), check_or_null(f["hand_offs_between_domains"]);
  check_times(f["wait"]), check_times(f["hold"]);
  static_cast<void>(f["condition_waits"]["total_ns"].count());
}

void check_cycle(const field& cycle) {
  for (const field& step : cycle.items()) {
    static_cast<void>(step["held"].text()), static_cast<void>(step["taken"].text());
    static_cast<void>(step["held_address"].count()), static_cast<void>(step["taken_address"].count());
    static_cast<void>(step["thread"].count());
    check_calls(step["calls"]);
  }
}

std::vector<bucket> histogram_of(const field& f) {
  std::vector<bucket> all;
  for (const field& b : f.items()) all.push_back({b["from_ns"].count(), b["count"].count()});
  return all;
}

stored_lock lock_of(const field& f) {
  check_shown(f);
  stored_lock l;
  l.name = f["name"].text(), l.address = f["address"].count();
  l.kind = f["kind"].text();
  if (f["object"].object().contains("symbol")) l.variable = f["object"]["symbol"].text();
  if (const field side = f["side"]; !side.null()) l.side = side.text();
  l.acquisitions = f["acquisitions"].count(), l.samples = f["samples"].count();
  l.contended = f["contended"].count(), l.threads = f["threads"].count();
  l.holds = f["hold"]["samples"].count();
  l.hold_ns = f["hold"]["sampled_ns"].count(), l.wait_ns = f["wait"]["sampled_ns"].count();
  if (f["wait"].object().contains("long")) {  // as above
    static_cast<void>(f["wait"]["sure"].truth());
    const field longs = f["wait"]["long"];
    check_histogram(longs["histogram"]);
    l.long_ns = longs["total_ns"].count();
    l.longs = histogram_of(longs["histogram"]);
  }
  if (f.object().contains("gap")) {  // as above
    const field gap = f["gap"];
    check_histogram(gap["histogram"]);
    l.gaps = gap["samples"].count(), l.gap_ns = gap["sampled_ns"].count();
    l.gap_times = histogram_of(gap["histogram"]);
  }
  l.condition_waits = f["condition_waits"]["count"].count(), l.condition_ns = f["condition_waits"]["total_ns"].count();
  l.waits = histogram_of(f["wait"]["histogram"]), l.hold_times = histogram_of(f["hold"]["histogram"]);
  return l;
}

/// Earlier files have none, and the system may not have told.
std::optional<double> queued_of(const field& thread) {
  if (!thread.object().contains("queued_seconds") || thread["queued_seconds"].null()) return std::nullopt;
  return thread["queued_seconds"].number();
}

/// What later versions know besides.
void add_gaps(stored_process& p, const field& f) {
  if (!f.object().contains("by_thread")) return;
  p.has_gaps = true;
  p.clock_ns = f["clock_ns"].count();
  for (const field& t : f["by_thread"].items()) {
    static_cast<void>(t["thread"].count());
    p.has_gaps = p.has_gaps && t.object().contains("condition_seconds");  // the first that had all else did not
    p.by_thread.push_back({t["seconds"].number(), t["worked_seconds"].number(), t["samples"].count(),
                           p.has_gaps ? t["condition_seconds"].number() : 0, queued_of(t)});
    if (!(p.by_thread.back().seconds > 0)) t["seconds"].must_be("more than 0");
  }
  const auto place = [&](const field& lock) {
    if (lock.count() >= p.locks.size()) lock.must_be("the place of one of the locks");
    return static_cast<std::size_t>(lock.count());
  };
  for (const field& two : f["pairs"].items())
    p.pairs.push_back({place(two["first"]), place(two["second"]), two["follows"].count(), two["inside"].count(),
                       two.object().contains("tried") ? two["tried"].count() : 0});  // earlier files: inside
}

stored_process process_of(const field& f) {
  stored_process p;
  p.pid = f["pid"].count(), p.program = f["program"].text();
  static_cast<void>(f["parent"].count());
  if (const field seconds = f["seconds"]; !seconds.null()) p.seconds = seconds.number();
  p.threads = f["threads"].count(), p.every = f["every"].count();
  if (p.every == 0) f["every"].must_be("1 or more");
  const field lost = f["lost"];
  for (const char* what : {"samples", "spans", "orders"}) static_cast<void>(lost[what].count());
  p.lost_samples = lost["samples"].count();
  if (lost.object().contains("children")) static_cast<void>(lost["children"].count());  // earlier ones have none
  for (const field& l : f["locks"].items()) p.locks.push_back(lock_of(l));
  for (const field& cycle : f["cycles"].items()) check_cycle(cycle), ++p.cycles;
  add_gaps(p, f);
  return p;
}

}  // namespace

bool is_profile(const nlohmann::ordered_json& j) {
  if (!j.is_object() || !j.contains("format") || !j["format"].is_string()) return false;
  return j["format"].get_ref<const std::string&>().starts_with(family);
}

stored read_stored(const nlohmann::ordered_json& j) {
  const field f{j, ""};
  const std::string format = f["format"].text();
  if (!format.starts_with(family)) f["format"].must_be(std::string{"the name of a profile, "} + format_name);
  if (format != format_name) throw std::runtime_error("it is of a newer Synchroscope: its format is " + format);
  stored s;
  for (const field& word : f["command"].items()) s.command.push_back(word.text());
  s.lock = f["lock"].text();
  static_cast<void>(f["every"].count());
  for (const field& p : f["processes"].items()) s.processes.push_back(process_of(p));
  return s;
}

}  // namespace synchro::profile
