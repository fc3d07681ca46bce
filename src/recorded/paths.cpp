#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "recorded/shown.hpp"

namespace synchro::recorded {

namespace {

constexpr const char* not_kept = "paths that were not kept";

/// With the side of a readers-writers lock.
std::string full_name(const lock& l) { return *l.side() == 0 ? l.name() : fmt::format("{} ({})", l.name(), l.side()); }

/// Its program without folder and arguments.
std::string short_name(const process& p) {
  const std::string word = p.program.substr(0, p.program.find(' '));
  return fmt::format("{} ({})", word.substr(word.rfind('/') + 1), p.pid);
}

/// A function; where the file does not tell its name, a place in it.
std::string function_of(const code_location& p) { return p.symbol.empty() ? text_of(p) : p.symbol; }

/// A name as a part of a line: blanks stay, what has a meaning there does not.
std::string frame(std::string name) {
  for (char& c : name)
    if (c == ';' || static_cast<unsigned char>(c) < ' ') c = ':';
  return name;
}

// Protocol Buffers, as https://protobuf.dev/programming-guides/encoding/ has it.

class message {
 public:
  void number(unsigned field, std::uint64_t value) {
    variable(field << 3);
    variable(value);
  }
  void bytes(unsigned field, const std::string& value) {
    constexpr unsigned length_delimited = 2;
    variable(field << 3 | length_delimited);
    variable(value.size());
    wire_ += value;
  }
  void packed(unsigned field, const std::vector<std::uint64_t>& values) {
    message all;
    for (const std::uint64_t v : values) all.variable(v);
    bytes(field, all.wire_);
  }
  void add(unsigned field, const message& part) { bytes(field, part.wire_); }
  [[nodiscard]] const std::string& wire() const { return wire_; }

 private:
  void variable(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) wire_ += static_cast<char>(value | 0x80);
    wire_ += static_cast<char>(value);
  }
  std::string wire_;
};

/// A message Profile. What is named twice is written once; numbers begin at 1, but for texts, of which 0 is the empty one.
class pprof_profile {
 public:
  pprof_profile() { text(""); }

  void type(unsigned field, const char* what, const char* unit) {
    message type;
    type.number(1, text(what)), type.number(2, text(unit));
    whole_.add(field, type);
  }
  void add(const process& p, const std::string& lock, const std::vector<code_location>& calls, std::uint64_t waits,
           std::uint64_t ns) {
    message sample;
    std::vector<std::uint64_t> locations;
    for (const code_location& call : calls) locations.push_back(location(call));
    sample.packed(1, locations);
    sample.packed(2, {waits, ns});
    for (const auto& [key, value] : {std::pair{"lock", lock}, std::pair{"process", short_name(p)}}) {
      message label;
      label.number(1, text(key)), label.number(2, text(value));
      sample.add(3, label);
    }
    whole_.add(2, sample);
  }
  void number(unsigned field, std::uint64_t value) { whole_.number(field, value); }
  void word(unsigned field, const std::string& value) { whole_.number(field, text(value)); }
  [[nodiscard]] std::string wire() {
    for (const std::string* const t : texts_in_order_) whole_.bytes(6, *t);
    return whole_.wire();
  }

 private:
  std::uint64_t text(const std::string& what) {
    const auto [at, is_new] = texts_.try_emplace(what, texts_.size());
    if (is_new) texts_in_order_.push_back(&at->first);
    return at->second;
  }
  std::uint64_t function(const code_location& p) {
    const auto [at, is_new] = functions_.try_emplace({p.module, function_of(p)}, functions_.size() + 1);
    if (is_new) {
      message function;
      function.number(1, at->second), function.number(2, text(function_of(p))),
          function.number(3, text(function_of(p)));
      function.number(4, text(p.module));
      whole_.add(5, function);
    }
    return at->second;
  }
  std::uint64_t location(const code_location& p) {
    const auto [at, is_new] = locations_.try_emplace({p.module, p.offset}, locations_.size() + 1);
    if (is_new) {
      message line, location;
      line.number(1, function(p));
      location.number(1, at->second), location.number(3, p.offset), location.add(4, line);
      whole_.add(4, location);
    }
    return at->second;
  }

  message whole_;
  std::map<std::string, std::uint64_t> texts_;
  std::vector<const std::string*> texts_in_order_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> functions_;
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> locations_;
};

}  // namespace

std::string folded_of(const run& r) {
  std::map<std::string, std::uint64_t> lines;
  for (const process& p : r.processes) {
    const std::string begin = frame(short_name(p)) + ";";
    for (const path& w : p.paths) {
      std::string line = begin;
      for (auto call = w.calls.rbegin(); call != w.calls.rend(); ++call) line += frame(function_of(*call)) + ";";
      lines[line + "[" + frame(full_name(p.locks[w.lock])) + "]"] += w.ns;
    }
    if (p.lost_path_ns != 0) lines[begin + "[" + not_kept + "]"] += p.lost_path_ns;
  }
  std::string text;
  for (const auto& [line, ns] : lines) text += fmt::format("{} {}\n", line, ns);
  return text;
}

std::string pprof_of(const run& r) {
  constexpr unsigned sample_type = 1, duration = 10, period_type = 11, period = 12, comment = 13, default_type = 14;
  pprof_profile whole;
  whole.type(sample_type, "contentions", "count");
  whole.type(sample_type, "delay", "nanoseconds");
  double seconds = 0;
  for (const process& p : r.processes) {
    seconds = std::max(seconds, p.seconds.value_or(0));
    for (const path& w : p.paths) whole.add(p, full_name(p.locks[w.lock]), w.calls, w.waits, w.ns);
    if (p.lost_path_ns != 0) whole.add(p, not_kept, {}, 0, p.lost_path_ns);
  }
  whole.number(duration, static_cast<std::uint64_t>(std::llround(seconds * 1e9)));
  whole.type(period_type, "delay", "nanoseconds");
  whole.number(period, platform::lock_recording::paths_every);
  whole.word(comment, "waits for locks, by Synchroscope");
  whole.word(default_type, "delay");
  return whole.wire();
}

}  // namespace synchro::recorded
