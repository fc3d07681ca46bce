#include "results/system.hpp"

#include <algorithm>

#include "results/json_fields.hpp"
#include "results/text.hpp"

namespace synchro::results {

namespace {

std::string word(const json& facts, const char* name) {
  const auto found = facts.is_object() ? facts.find(name) : facts.end();
  return facts.is_object() && found != facts.end() && found->is_string() ? found->get<std::string>() : "";
}

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Anything that names Wine is of Wine.
bool is_of_wine(const document& d) {
  return !word(d.os, "wine").empty() || word(d.os, "name").starts_with("Wine") ||
         holds(word(d.machine, "model_name"), "under Wine");
}

}  // namespace

measured_on system_of(const document& d) {
  if (const std::string kind = word(d.machine, "kind"); !kind.empty() && kind != "hardware")
    return measured_on::unknown;
  if (is_of_wine(d)) return measured_on::wine;
  const std::string target = word(d.tool, "target"), name = word(d.os, "name");
  if (holds(target, "mingw") || holds(target, "windows") || name.starts_with("Windows"))
    return measured_on::windows_itself;
  if (holds(target, "linux") || holds(name, "Linux")) return measured_on::linux_itself;
  return measured_on::unknown;
}

std::string name_of_system(const document& d) {
  if (is_of_wine(d)) {
    const std::string version = word(d.os, "wine");
    return version.empty() ? "Wine" : "Wine " + printable(version, 40);
  }
  const std::string name = word(d.os, "name");
  return name.empty() ? "an unknown system" : printable(name, 80);
}

const std::vector<std::string>& primitives_in_the_table_of_calls() {
  static const std::vector<std::string> all{"std/atomic",
                                            "pthread/mutex",
                                            "pthread/spin",
                                            "posix/sem",
                                            "pthread/cond_event",
                                            "pthread/join",
                                            "win32/mutex",
                                            "win32/critical_section",
                                            "win32/critical_section_spin",
                                            "win32/semaphore",
                                            "win32/event",
                                            "win32/thread"};
  return all;
}

bool as_in_the_table_of_calls(const std::string& primitive) {
  const auto& all = primitives_in_the_table_of_calls();
  return std::find(all.begin(), all.end(), primitive) != all.end();
}

}  // namespace synchro::results
