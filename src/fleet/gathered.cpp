#include "fleet/gathered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <exception>
#include <filesystem>
#include <iomanip>
#include <locale>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <variant>

#include "results/file.hpp"
#include "results/text.hpp"

namespace synchro::fleet {

namespace {

namespace fs = std::filesystem;
using results::printable;

void add_folder(const std::string& folder, std::vector<std::string>& files) {
  std::error_code error;
  std::vector<std::string> found;
  fs::recursive_directory_iterator at{folder, fs::directory_options::skip_permission_denied, error};
  for (; !error && at != fs::recursive_directory_iterator{}; at.increment(error))
    if (std::error_code unknown; at->path().extension() == ".json" && !at->is_directory(unknown))
      found.push_back(at->path().string());
  if (error) throw std::runtime_error(printable(folder, 200) + " cannot be read: " + error.message());
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

using reading = std::variant<refusal, answer>;

/// A pipe among the files may have nobody who writes to it. A stream of this process has: a shell makes one of <(...).
bool is_no_file(const std::string& name) {
  const bool is_stream = name == "/dev/stdin" || name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
  return !is_stream && results::is_special(name);
}

/// Of one host, some hundred times what a tour leaves. One file must not take the memory that all the others need, so what
/// is larger is refused, and all that are read at a time have together no more.
constexpr results::text_limits of_one_host{.bytes = std::size_t{128} << 20, .values = 10'000'000};

/// A part of the bytes that all threads may read at a time; waits for it.
class part_of_bytes {
 public:
  explicit part_of_bytes(std::size_t n) : n_{n} {
    std::unique_lock hold{mutex_};
    given_back_.wait(hold, [&] { return left_ >= n_; });
    left_ -= n_;
  }
  ~part_of_bytes() {
    const std::scoped_lock hold{mutex_};
    left_ += n_;
    given_back_.notify_all();
  }
  part_of_bytes(const part_of_bytes&) = delete;
  part_of_bytes& operator=(const part_of_bytes&) = delete;

 private:
  static inline std::mutex mutex_;
  static inline std::condition_variable given_back_;
  static inline std::size_t left_ = of_one_host.bytes;
  std::size_t n_;
};

results::document document_in(const std::string& file) {
  std::error_code unknown;
  const std::uintmax_t stored = fs::file_size(file, unknown);
  if (unknown) return results::read_document(file, of_one_host);  // a pipe, for which no other file is to wait
  if (stored > of_one_host.bytes)
    throw std::runtime_error(printable(file, 200) + " is larger than 128 MiB, too large for the file of one host");
  const part_of_bytes part{static_cast<std::size_t>(stored)};
  return results::read_document(file, of_one_host);
}

reading read(const std::string& file, places& known) {
  if (is_no_file(file)) return refusal{file, printable(file, 200) + " is not a file but a pipe or a device"};
  std::optional<results::document> d;
  try {
    d = document_in(file);
  } catch (const std::runtime_error& e) {
    return refusal{file, e.what()};
  }
  try {
    return answer_of(*d, file, known);
  } catch (const std::runtime_error& e) {
    return refusal{file, printable(file, 200) + " " + e.what()};
  }
}

/// In a thread of its own, which nothing may leave by an exception: one odd file, or one too large, is no reason to show none.
reading read_or_refuse(const std::string& file, places& known) {
  try {
    return read(file, known);
  } catch (const std::exception& e) {
    return refusal{file, printable(file, 200) + " cannot be read: " + printable(e.what(), 200)};
  }
}

std::vector<reading> read_all(const std::vector<std::string>& files, places& known) {
  std::vector<reading> all(files.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < files.size();) all[i] = read_or_refuse(files[i], known);
  };
  const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < std::min(most, files.size()); ++i) others.emplace_back(work);
  work();
  others.clear();
  return all;
}

/// Seconds since some moment that is the same for all; nothing if that is no time.
std::optional<double> seconds_at(const std::string& utc) {
  std::tm t{};
  std::istringstream text{utc};
  text.imbue(std::locale::classic());
  if (!(text >> std::get_time(&t, "%Y-%m-%dT%H:%M:%S"))) return std::nullopt;
  const std::chrono::year_month_day day{std::chrono::year{t.tm_year + 1900},
                                        std::chrono::month{static_cast<unsigned>(t.tm_mon) + 1},
                                        std::chrono::day{static_cast<unsigned>(t.tm_mday)}};
  const auto days = static_cast<double>(std::chrono::sys_days{day}.time_since_epoch().count());
  return ((days * 24 + t.tm_hour) * 60 + t.tm_min) * 60 + t.tm_sec;
}

/// For a host whose answers are in order: each that began before an earlier one had ended.
void doubt_overlaps(const host& h, std::vector<std::string>& doubts) {
  const answer* last = nullptr;  // of those so far the one that ended last
  double end = 0;
  for (const answer& a : h.answers) {
    const auto began = seconds_at(a.started);
    if (!began) continue;
    if (last != nullptr && *began < end)
      doubts.push_back(
          fmt::format("{} began before {} of the same host, {}, had ended: these may be two machines of one name",
                      printable(a.file, 200), printable(last->file, 200), printable(h.name, 60)));
    if (last == nullptr || *began + a.took > end) last = &a, end = *began + a.took;
  }
}

class register_of_hosts {
 public:
  explicit register_of_hosts(gathered& into) : into_{into} {}

  void add(answer a) {
    if (const auto [first, is_new] = by_id_.emplace(a.id, a.file); !is_new && !a.id.empty())
      return refuse(a, "holds the same run as {}, which is shown", first->second);
    std::vector<std::size_t>& same_name = by_name_[a.host];
    for (const std::size_t i : same_name)
      if (host& known = into_.hosts[i]; known.now().model == a.model && known.now().processors == a.processors)
        return add_to(known, std::move(a));
    const std::string name =
        same_name.empty() ? a.host : fmt::format("{} ({}, {} processors)", a.host, a.model, a.processors);
    same_name.push_back(into_.hosts.size());
    into_.hosts.push_back({name, {}});
    into_.hosts.back().answers.push_back(std::move(a));
  }

 private:
  void refuse(const answer& a, const char* why, const std::string& shown) {
    into_.refused.push_back(
        {a.file, printable(a.file, 200) + " " + fmt::format(fmt::runtime(why), printable(shown, 200))});
  }

  /// One more of the host, of another time.
  void add_to(host& known, answer a) {
    for (const answer& earlier : known.answers)
      if (earlier.started == a.started)
        return refuse(a, "is a second file from its host for the same time: {} is shown", earlier.file);
    known.answers.push_back(std::move(a));
  }

  gathered& into_;
  std::map<std::string, std::vector<std::size_t>> by_name_;
  std::map<std::string, std::string> by_id_;  // the file
};

}  // namespace

std::vector<std::string> files_meant(const std::vector<std::string>& typed) {
  std::vector<std::string> files;
  std::error_code none;
  for (const std::string& one : typed)
    if (fs::is_directory(one, none))
      add_folder(one, files);
    else
      files.push_back(one);
  return files;
}

void gather(const std::vector<std::string>& files, gathered& into) {
  register_of_hosts known{into};
  for (reading& one : read_all(files, into.known))
    if (auto* const a = std::get_if<answer>(&one))
      known.add(std::move(*a));
    else
      into.refused.push_back(std::get<refusal>(std::move(one)));
  for (host& h : into.hosts)
    std::stable_sort(h.answers.begin(), h.answers.end(),
                     [](const answer& a, const answer& b) { return a.started < b.started; });
  std::stable_sort(into.hosts.begin(), into.hosts.end(), [](const host& a, const host& b) { return a.name < b.name; });
  for (const host& h : into.hosts) doubt_overlaps(h, into.doubts);
}

}  // namespace synchro::fleet
