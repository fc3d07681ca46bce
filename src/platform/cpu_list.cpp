#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>

#include "platform/topology.hpp"

namespace synchro::platform {

namespace {

using cpu_set = std::set<unsigned>;
constexpr const char* forms =
    "write a number, a range such as 0-3, class:NAME, node:N, package:N or smt:first, with ! before it to leave it out";

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw std::invalid_argument(fmt::format(text, std::forward<Args>(args)...));
}

/// "0-3,8"; of a long list the beginning and the last.
std::string as_ranges(const cpu_set& cpus) {
  constexpr std::size_t most = 12;
  std::vector<std::string> parts;
  for (auto at = cpus.begin(); at != cpus.end();) {
    const unsigned first = *at;
    unsigned last = first;
    for (++at; at != cpus.end() && *at == last + 1; ++at) last = *at;
    parts.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
  }
  if (parts.size() <= most) return fmt::format("{}", fmt::join(parts, ","));
  return fmt::format("{},...,{}", fmt::join(parts.begin(), parts.begin() + most - 1, ","), parts.back());
}

cpu_set all_of(const topology& machine) {
  cpu_set all;
  for (const processor& p : machine.processors) all.insert(p.cpu);
  return all;
}

template <class Condition>
cpu_set those(const topology& machine, Condition wanted) {
  cpu_set cpus;
  for (const processor& p : machine.processors)
    if (wanted(p)) cpus.insert(p.cpu);
  return cpus;
}

/// Digits only. A number too large for the type is one that no machine has.
std::optional<unsigned> as_number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  unsigned value = std::numeric_limits<unsigned>::max();
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// From a to b: all of them must be there.
cpu_set range(const std::string& text, unsigned a, unsigned b, const topology& machine) {
  const cpu_set usable = all_of(machine);
  if (a > b) refuse("the range \"{}\" runs backwards: write {}-{}", text, b, a);
  cpu_set chosen{usable.lower_bound(a), usable.upper_bound(b)};
  if (chosen.size() == std::size_t{b} - a + 1) return chosen;
  unsigned missing = a;
  while (chosen.count(missing) != 0) ++missing;
  const std::string which = a == b ? text : fmt::format("{} (of \"{}\")", missing, text);
  refuse("processor {} is not one that this process may use: there {} {}", which, usable.size() == 1 ? "is" : "are",
         as_ranges(usable));
}

cpu_set of_class(const std::string& name, const topology& machine) {
  const cpu_set chosen = those(machine, [&](const processor& p) { return !name.empty() && p.core_class == name; });
  if (!chosen.empty()) return chosen;
  std::set<std::string> classes;
  for (const processor& p : machine.processors)
    if (!p.core_class.empty()) classes.insert("class:" + p.core_class);
  if (classes.empty()) refuse("\"class:{}\" selects nothing: all cores of this machine are alike", name);
  refuse("there is no core class \"{}\" here: there is {}", name, fmt::join(classes, ", "));
}

cpu_set of_group(const std::string& key, const std::string& value, unsigned processor::*group,
                 const topology& machine) {
  const auto number = as_number(value);
  const cpu_set chosen = those(machine, [&](const processor& p) { return number && p.*group == *number; });
  if (!chosen.empty()) return chosen;
  cpu_set groups;
  for (const processor& p : machine.processors) groups.insert(p.*group);
  refuse("there is no \"{}:{}\" with processors that this process may use: there is {}:{}", key, value, key,
         fmt::join(groups, fmt::format(", {}:", key)));
}

cpu_set chosen_by(const std::string& item, const topology& machine) {
  if (const auto colon = item.find(':'); colon != std::string::npos) {
    const std::string key = item.substr(0, colon);
    const std::string value = item.substr(colon + 1);
    if (key == "class") return of_class(value, machine);
    if (key == "node") return of_group(key, value, &processor::node, machine);
    if (key == "package") return of_group(key, value, &processor::package, machine);
    refuse("\"{}\" chooses no processors: {}", item, forms);
  }
  const auto dash = item.find('-');
  const auto first = as_number(item.substr(0, dash));
  const auto last = dash == std::string::npos ? first : as_number(item.substr(dash + 1));
  if (!first || !last) refuse("\"{}\" is not a processor: {}", item, forms);
  return range(item, *first, *last, machine);
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    items.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return items;
}

/// What was asked for, before it is put together.
struct wish {
  std::optional<cpu_set> wanted;
  cpu_set unwanted;
  std::optional<bool> first_threads;  // true: only these; false: only the others

  void add(std::string item, const topology& machine) {
    const bool leave_out = item.starts_with('!');
    if (leave_out) item = trimmed(item.substr(1));
    if (item.empty()) refuse("an item of the list of processors is empty: {}", forms);
    if (item == "smt:first") {
      first_threads = !leave_out;
      return;
    }
    const cpu_set chosen = chosen_by(item, machine);
    if (!leave_out && !wanted) wanted.emplace();
    (leave_out ? unwanted : *wanted).insert(chosen.begin(), chosen.end());
  }
};

}  // namespace

std::vector<unsigned> parse_cpus(const std::string& text, const topology& machine) {
  if (trimmed(text).empty()) refuse("the list of processors is empty: {}", forms);
  wish w;
  for (const std::string& item : items_of(text)) w.add(item, machine);
  std::vector<unsigned> cpus;
  std::set<unsigned> cores;
  for (const processor& p : machine.processors) {
    if ((w.wanted && w.wanted->count(p.cpu) == 0) || w.unwanted.count(p.cpu) != 0) continue;
    if (w.first_threads && cores.insert(p.core).second != *w.first_threads) continue;
    cpus.push_back(p.cpu);
  }
  if (cpus.empty()) refuse("\"{}\" leaves no processor of {}", text, as_ranges(all_of(machine)));
  return cpus;
}

}  // namespace synchro::platform
