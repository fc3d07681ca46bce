#include "results/file.hpp"

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <tuple>
#include <utility>

#include "results/file_parts.hpp"
#include "results/held_signals.hpp"
#include "results/text.hpp"

namespace synchro::results {

void fail(const std::string& path, const std::string& what) {
  throw std::runtime_error(printable(path, 200) + " " + what);
}

void fail(const std::string& path, const std::string& what, int error) {
  fail(path, what + ": " + std::generic_category().message(error));
}

void fail_name(const std::string& path, const std::string& what) {
  throw impossible_name{printable(path, 200) + " cannot be written: " + what};
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

void add_block(std::string& all, std::string_view block, content what, const std::string& path) {
  if (what == content::text && block.find('\0') != std::string_view::npos)
    fail(path, "is not a text: it has a zero byte");
  all.append(block);
  if (all.size() > largest_file) fail(path, "is larger than 1 GiB, too large for a results file");
}

std::string read_file(const std::string& path, content what) {
  if (auto all = read_file_if_there(path, what)) return std::move(*all);
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

void check_replaceable(const std::string& path) {
  check_names(path);
  if (is_special(path)) return;
  const held_signals held;
  std::string name;
  {
    const descriptor trial{open_neighbour(behind_links(path), name)};
    if (trial.get() < 0) fail(path, "cannot be written", errno);
  }
  remove_file(name);
}

destination::destination(const std::string& path) : path_{path} {
  check_names(path);
  if (is_special(path)) file_ = open_special(path);
}

destination::~destination() {
  if (file_ >= 0) close_file(file_);
}

namespace {

/// A file that has only a temporary name, with all its content on the disk. 0 or the error.
int write_out(descriptor& file, std::string_view content) {
  int error = write_all(file.get(), content);
  if (error == 0) error = flush_to_disk(file.get());
  const int closed = file.close();
  return error == 0 ? closed : error;
}

/// What was kept under another name is the target's again; if that fails, it keeps the other name. Where both are names of one
/// file, the other is taken away.
void take_back(const std::string& kept, const std::string& target) {
  std::error_code none;
  if (kept.empty()) return;
  if (is_same_file(kept, target)) return remove_file(kept);
  if (!std::filesystem::exists(named(target), none)) std::ignore = rename_over(kept, target);
}

}  // namespace

std::optional<std::string> destination::write(std::string_view content, previous old) {
  if (file_ >= 0) {
    if (const int error = write_all(file_, content); error != 0) fail(path_, "cannot be written", error);
    return std::nullopt;
  }
  check_names(path_);
  const std::string target = behind_links(path_);
  const held_signals held;
  std::string temporary;
  descriptor file{open_neighbour(target, temporary)};
  if (file.get() < 0) fail(path_, "cannot be written", errno);
  int error = write_out(file, content);
  std::string kept;
  try {
    if (error == 0 && (old == previous::kept || (old == previous::kept_if_measured && holds_measurements(target))))
      kept = keep(target);
  } catch (...) {
    remove_file(temporary);
    throw;
  }
  if (error != 0) {
    remove_file(temporary);
    fail(path_, "cannot be written", error);
  }
  if (const auto why = rename_over(temporary, target)) {
    take_back(kept, target);
    fail(path_, "cannot be replaced: " + *why + "; what was to be written is in " + printable(temporary, 200));
  }
  return kept.empty() ? std::nullopt : std::optional{kept};
}

std::optional<std::string> replace_file(const std::string& path, std::string_view content, previous old) {
  return destination{path}.write(content, old);
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(named(path_), ignored);
}

}  // namespace synchro::results
