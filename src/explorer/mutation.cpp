#include "explorer/mutation.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

namespace synchro::explorer {

std::string short_path(const char* file) {
  const std::string_view path{file};
  for (const std::string_view root : {"/include/synchro/", "/src/", "/tests/"}) {
    const auto at = path.rfind(root);
    if (at != std::string_view::npos) return std::string{path.substr(at + root.size())};
  }
  return std::string{path};
}

bool mutation::hits(const place& p, std::uint32_t operand) const {
  return p.line == at.line && p.column == at.column && operand == at.operand &&
         std::string_view{p.file}.ends_with(at.file);
}

std::string mutation::describe() const {
  const std::string what = fmt::format("{}:{}:{} {}{}", at.file, at.line, at.column, to_string(at.what),
                                       at.operand == 1 ? " (failure)" : "");
  return weaker ? fmt::format("{} {} -> {}", what, to_string(at.written), to_string(*weaker))
                : fmt::format("{} left out", what);
}

std::string mutation::key() const {
  return fmt::format("{}:{}:{}:{}:{}", at.file, at.line, at.column, at.operand,
                     weaker ? to_string(*weaker) : "left-out");
}

std::vector<mutation> mutants_of(const site& s) {
  using std::memory_order;
  std::vector<mutation> all;
  if (s.written == memory_order::acq_rel) {
    all.push_back({s, memory_order::acquire});
    all.push_back({s, memory_order::release});
  } else if (s.written == memory_order::acquire || s.written == memory_order::release) {
    all.push_back({s, memory_order::relaxed});
  }
  if (s.what == action::store || s.what == action::fence || s.what == action::unpark) all.push_back({s, std::nullopt});
  return all;
}

}  // namespace synchro::explorer
