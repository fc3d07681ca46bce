// Where the threads of a team run, and where their memory lives.

#ifndef SYNCHRO_PLATFORM_PLACEMENT_HPP
#define SYNCHRO_PLATFORM_PLACEMENT_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "platform/topology.hpp"

namespace synchro::platform {

enum class placement : unsigned char {
  compact,   ///< Fill a core's cache neighbours first: one thread per core, then the SMT siblings, then the next cache.
  spread,    ///< As far apart as possible: round-robin over packages, then caches, then cores.
  unpinned,  ///< The scheduler's choice.
};

[[nodiscard]] std::string to_string(placement p);
[[nodiscard]] std::optional<placement> placement_from(const std::string& name);

/// The processor of each of n threads; empty for unpinned. More threads than processors wrap around.
[[nodiscard]] std::vector<unsigned> place(const topology& machine, placement how, std::size_t n);

/// Why the system does not say on which processors the calling thread may run; nothing if it does.
[[nodiscard]] std::optional<std::string> affinity_unavailable();
/// Pins the calling thread and verifies by asking where it runs. False if the system refused or does otherwise.
[[nodiscard]] bool pin_this_thread(unsigned cpu);
/// Lets the calling thread run on all of these again.
bool unpin_this_thread(const std::vector<unsigned>& cpus);

enum class pages : unsigned char {
  usual,  ///< As the system likes.
  large,  ///< Large ones are asked for; the system may refuse.
};

/// Page-aligned memory, fresh from the system, touched first by the calling thread or bound to a NUMA node.
class fresh_memory {
 public:
  /// `node`: bind to that node if the system lets us; nothing: first touch by the caller. Zero-filled and present.
  /// Throws std::bad_alloc.
  explicit fresh_memory(std::size_t bytes, std::optional<unsigned> node = std::nullopt, pages size = pages::usual);
  ~fresh_memory();
  fresh_memory(const fresh_memory&) = delete;
  fresh_memory& operator=(const fresh_memory&) = delete;
  fresh_memory(fresh_memory&& other) noexcept;
  fresh_memory& operator=(fresh_memory&& other) noexcept;

  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }
  /// The NUMA node the first page is on, as the system says; nothing if it does not.
  [[nodiscard]] std::optional<unsigned> node() const;

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace synchro::platform

#endif
