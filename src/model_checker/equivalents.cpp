#include "model_checker/equivalents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "model_checker/embedded.hpp"

namespace synchro::model_checker {

namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::string statement_at(const site& at) {
  const auto& all = embedded_headers();
  const auto header = std::find_if(all.begin(), all.end(), [&](const embedded_header& h) { return h.name == at.file; });
  if (header == all.end()) return {};
  std::istringstream in{std::string{header->text}};
  std::string line;
  for (std::uint32_t i = 0; i < at.line && std::getline(in, line);) ++i;
  return trimmed(line);
}

std::string access_of(const mutation& m) {
  return fmt::format("{}{}", to_string(m.at.what), m.at.operand == 1 ? ", failure" : "");
}

std::string equivalent_key(const mutation& m) {
  return fmt::format("{} | {} | {} | {}", m.at.file, statement_at(m.at), access_of(m), m.what_is_done());
}

const std::map<std::string, std::string>& equivalents() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> read;
    std::istringstream in{equivalents_text};
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line.front() == '#') continue;
      const auto at = line.rfind(" | ");
      if (at != std::string::npos) read[line.substr(0, at)] = line.substr(at + 3);
    }
    return read;
  }();
  return all;
}

std::string argument_for(const mutation& m) {
  const auto it = equivalents().find(equivalent_key(m));
  return it == equivalents().end() ? std::string{} : it->second;
}

}  // namespace synchro::model_checker
