#include "results/origin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "results/json_fields.hpp"
#include "results/text.hpp"

namespace synchro::results {

namespace {

json fact(const json& facts, const char* name) {
  const auto found = facts.is_object() ? facts.find(name) : facts.end();
  return facts.is_object() && found != facts.end() ? *found : json(nullptr);
}

std::string in_words(const json& j) {
  if (j.is_null()) return "unknown";
  return printable(j.is_string() ? j.get<std::string>() : dump(j), 80);
}

using differences = std::vector<std::string>;

void add(differences& found, const char* name, const json& a, const json& b) {
  found.push_back(fmt::format("{} ({}; {})", name, in_words(a), in_words(b)));
}

void add_if_other(differences& found, const json& a, const json& b, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const json x = fact(a, name), y = fact(b, name); x != y) add(found, name, x, y);
}

bool is_virtual(const json& machine) {
  const json by = fact(machine, "virtualization");
  return by.is_string() && by != "none";
}

/// A hypervisor may give a virtual machine memory while it runs, and take it back: there it names no machine.
void add_memory(differences& found, const json& a, const json& b) {
  if (is_virtual(a) && is_virtual(b)) return;
  if (!same_memory(a, b)) add(found, "memory_bytes", fact(a, "memory_bytes"), fact(b, "memory_bytes"));
}

/// For each processor its number and what it shares with others.
json places(const json& topology) {
  json all = json::array();
  const json cpus = fact(topology, "cpus");
  if (!cpus.is_array()) return nullptr;
  for (const json& cpu : cpus) {
    json place = json::array();
    for (const char* name : {"cpu", "core", "smt", "cluster", "cache", "die", "package", "node"})
      place.push_back(fact(cpu, name));
    all.push_back(std::move(place));
  }
  return all;
}

json numbers(const json& places) {
  json all = json::array();
  for (const json& place : places) all.push_back(place.front());
  return all;
}

void add_topology(differences& found, const json& a, const json& b) {
  const json x = places(a), y = places(b);
  if (x == y) return add_if_other(found, a, b, {"caches"});
  if (numbers(x) != numbers(y))
    add(found, "processors used", numbers(x), numbers(y));
  else
    found.emplace_back("what the processors share");
}

bool is_commit(const json& git) { return git.is_string() && !git.get_ref<const std::string&>().ends_with("-dirty"); }

}  // namespace

bool same_memory(const json& a, const json& b) {
  const json x = fact(a, "memory_bytes"), y = fact(b, "memory_bytes");
  if (!x.is_number() || !y.is_number()) return x == y;
  return same_memory(x.get<double>(), y.get<double>());
}

bool same_memory(double a, double b) { return std::abs(a - b) <= 0.05 * std::max(a, b); }

std::vector<std::string> other_machine(const document& a, const document& b) {
  differences found;
  add_if_other(found, a.machine, b.machine,
               {"kind", "model_name", "vendor", "family", "model", "stepping", "microcode", "arch", "virtualization",
                "emulation"});
  add_memory(found, a.machine, b.machine);
  add_topology(found, a.topology, b.topology);
  add_if_other(found, a.os, b.os, {"name", "kernel"});
  return found;
}

std::vector<std::string> other_program(const document& a, const document& b) {
  differences found;
  add_if_other(found, a.tool, b.tool,
               {"version", "git", "compiler", "flags", "link_flags", "build_type", "target", "libc", "standard_library",
                "sanitizers"});
  if (found.empty() && !is_commit(fact(a.tool, "git"))) add_if_other(found, a.tool, b.tool, {"program"});
  return found;
}

}  // namespace synchro::results
