// A recording as it stands in a file (platform/lock_recording.hpp): its areas, and from addresses to names.

#ifndef SYNCHRO_RECORDED_RECORDING_HPP
#define SYNCHRO_RECORDED_RECORDING_HPP

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/lock_recording.hpp"
#include "platform/program_run.hpp"
#include "recorded/processes.hpp"

namespace synchro::recorded {

namespace layout = platform::lock_recording;

/// A part of a file: what one process wrote.
struct recording {
  const platform::own_file& file;
  std::uint64_t begin;

  /// False if there is none.
  [[nodiscard]] bool read_header(layout::header& to) const {
    return file.read(begin, &to, sizeof to) == sizeof to && to.magic == layout::magic;
  }
  /// Whether it is one of another version: what it is called by, but for the last character.
  [[nodiscard]] bool is_of_another_version() const {
    constexpr unsigned last = 56;
    std::uint64_t seen = 0;
    return file.read(begin, &seen, sizeof seen) == sizeof seen && seen != layout::magic &&
           seen << (64 - last) == layout::magic << (64 - last);
  }
};

/// The files of a folder of recordings. Throws std::runtime_error with one sentence.
[[nodiscard]] std::vector<std::string> files_in(const std::string& folder);

/// The objects of an area that were written, in the place of what was read before, whose memory is kept if there are no more now.
template <class Area, class T>
void read_objects(const recording& from, std::uint32_t count, std::vector<T>& all) {
  const std::size_t there = std::min<std::size_t>(count, Area::most);
  if (all.size() != there) all = std::vector<T>(there);
  static_cast<void>(from.file.read(from.begin + Area::at, all.data(), all.size() * sizeof(T)));
}

/// The objects of an area that were written.
template <class Area, class T>
std::vector<T> objects_of(const recording& from, std::uint32_t count) {
  std::vector<T> all;
  read_objects<Area>(from, count, all);
  return all;
}

/// A text that ends with the first 0, or fills its place.
template <std::size_t Bytes>
std::string text_in(const char (&bytes)[Bytes]) {
  return {bytes, std::find(bytes, bytes + Bytes, '\0')};
}

/// From addresses to places. Each file is read once.
class names {
 public:
  /// `modules` must outlive it.
  explicit names(const std::vector<layout::module>& modules) : modules_{modules} {}

  /// A call's return address is that of the next instruction, which may be another function's.
  [[nodiscard]] code_location of(std::uint64_t address, bool is_call) const;
  /// The calls of a stack; none of a number that is unknown.
  [[nodiscard]] std::vector<code_location> of(const std::vector<layout::stack>& stacks, std::uint32_t number) const;

 private:
  const std::vector<layout::module>& modules_;
};

/// What a lock is called by, without anything that was counted.
[[nodiscard]] lock named(const layout::lock& l, const names& known, const std::vector<layout::stack>& stacks);

/// The innermost call that is no library's for its user; null if there is none.
[[nodiscard]] const code_location* own_call(const std::vector<code_location>& calls);

}  // namespace synchro::recorded

#endif
