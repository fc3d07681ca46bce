#include "platform/linux/files.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace synchro::platform::linux_files {

namespace {

std::string joined(const std::string& root, const std::string& path) {
  return (std::filesystem::path{root} / path).string();
}

void trim(std::string& text) {
  const auto blank = " \t\r\n";
  text.erase(text.find_last_not_of(blank) + 1);
  text.erase(0, text.find_first_not_of(blank));
}

}  // namespace

std::optional<std::string> line(const std::string& root, const std::string& path) {
  std::ifstream file{joined(root, path)};
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  trim(text);
  return text.empty() ? std::nullopt : std::optional{text};
}

std::vector<std::string> lines(const std::string& root, const std::string& path) {
  std::ifstream file{joined(root, path)};
  std::vector<std::string> all;
  for (std::string text; std::getline(file, text);) all.push_back(text);
  return all;
}

std::optional<std::uint64_t> number(const std::string& root, const std::string& path) {
  const auto text = line(root, path);
  return text ? to_number(*text) : std::nullopt;
}

std::vector<std::string> names(const std::string& root, const std::string& path) {
  std::vector<std::string> all;
  std::error_code error;
  for (std::filesystem::directory_iterator entry{joined(root, path), error}, end; !error && entry != end;
       entry.increment(error))
    all.push_back(entry->path().filename().string());
  std::sort(all.begin(), all.end());
  return all;
}

std::optional<std::string> cpuinfo_field(const std::string& root, const std::string& field) {
  std::ifstream file{joined(root, "proc/cpuinfo")};
  for (std::string text; std::getline(file, text) && !text.empty();) {
    const auto colon = text.find(':');
    if (colon == std::string::npos) continue;
    std::string name = text.substr(0, colon);
    trim(name);
    if (name != field) continue;
    std::string value = text.substr(colon + 1);
    trim(value);
    return value.empty() ? std::nullopt : std::optional{value};
  }
  return std::nullopt;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream{text};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::optional<std::uint64_t> to_number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string> bracketed(const std::string& text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open);
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  return text.substr(open + 1, close - open - 1);
}

}  // namespace synchro::platform::linux_files
