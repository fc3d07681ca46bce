#include <fmt/format.h>

#include <sstream>
#include <string_view>

#include "platform/build.hpp"
#include "platform/build_info.hpp"
#include "platform/fact_sheet.hpp"
#include "platform/facts.hpp"
#include "platform/git_version.hpp"
#include "platform/system_facts.hpp"

namespace synchro::platform {

namespace {

std::optional<std::string> unless_empty(const char* text) {
  return *text == '\0' ? std::nullopt : std::optional<std::string>{text};
}

/// Otherwise the program's sources are known to nobody but itself.
bool is_commit(std::string_view git) { return !git.empty() && !git.ends_with("-dirty"); }

std::optional<std::string> standard_library() {
#if defined(_GLIBCXX_RELEASE)
  return fmt::format("libstdc++ {}", _GLIBCXX_RELEASE);
#elif defined(_LIBCPP_VERSION)
  return fmt::format("libc++ {}", _LIBCPP_VERSION);
#else
  return std::nullopt;
#endif
}

}  // namespace

std::vector<std::string> build_sanitizers() {
  std::vector<std::string> names;
  std::istringstream list{build_info::sanitizers};
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

bool build_is_optimized() noexcept {
#if defined(__OPTIMIZE__)
  return true;
#else
  return false;
#endif
}

nlohmann::ordered_json tool_facts() {
  fact_sheet sheet;
  sheet.put("version", build_info::version);
  sheet.put("git", unless_empty(build_info::git), "it was not built in a git checkout");
  if (!is_commit(build_info::git)) sheet.put("program", program_fingerprint(), "the program cannot read itself");
  sheet.put("compiler", unless_empty(build_info::compiler), "CMake did not recognize it");
  sheet.put("flags", build_info::flags);
  sheet.put("libc", c_library(), "the C library does not give its version");
  sheet.put("link_flags", build_info::link_flags);
  sheet.put("build_type", unless_empty(build_info::build_type), "none was chosen");
  sheet.put("target", unless_empty(build_info::target), "the compiler did not give it");
  sheet.put("standard_library", standard_library(), "it does not give its name");
  sheet.put("sanitizers", build_sanitizers());
  return std::move(sheet).done();
}

}  // namespace synchro::platform
