#include "results/file.hpp"

#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "results/file_parts.hpp"
#include "results/text.hpp"

namespace synchro::results {

void fail(const std::string& path, const std::string& what) {
  throw std::runtime_error(printable(path, 200) + " " + what);
}

void fail(const std::string& path, const std::string& what, int error) {
  fail(path, what + ": " + std::generic_category().message(error));
}

std::string directory_of(const std::string& path) {
  const std::filesystem::path parent = named(path).parent_path();
  return parent.empty() ? "." : name_of(parent);
}

std::string behind_links(const std::string& path) {
  std::error_code error;
  std::filesystem::path at = named(path);
  for (int hops = 0; hops < 40 && std::filesystem::is_symlink(at, error); ++hops) {
    const std::filesystem::path target = std::filesystem::read_symlink(at, error);
    if (error) break;
    at = target.is_absolute() ? target : at.parent_path() / target;
  }
  return name_of(at);
}

std::string read_file(const std::string& path) {
  if (auto content = read_file_if_there(path)) return std::move(*content);
  fail(path, "does not exist");
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return std::filesystem::equivalent(named(a), named(b), none);
}

bool holds_measurements(const std::string& path) {
  try {
    const std::string text = read_file_if_there(path).value_or("");
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || text[first] != '{') return false;
    return text.find("\"synchroscope/") != std::string::npos || text.starts_with("{\"head\":");
  } catch (const std::runtime_error&) {
    return true;
  }
}

std::string numbered(const std::string& path, unsigned number) { return path + "." + std::to_string(number); }

std::optional<std::string> replace_file(const std::string& path, std::string_view content, previous old) {
  return destination{path}.write(content, old);
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(named(path_), ignored);
}

}  // namespace synchro::results
