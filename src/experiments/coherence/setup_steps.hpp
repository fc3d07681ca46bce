// How a line is brought into a state, and which processors take part.
//
// The setup is a plain sequence of steps, each done to all lines of a batch before the next begins. It works from any
// state that the lines may have been in before, since its first step always writes: that invalidates every other copy
// and puts back the values which the timed access must find.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_SETUP_STEPS_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_SETUP_STEPS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/coherence/vocabulary.hpp"
#include "platform/topology.hpp"

namespace synchro::experiments::coherence {

enum class actor : std::uint8_t {
  requester,  ///< Does the timed access.
  holder,
  sharer,  ///< A third processor.
  others,  ///< All the rest, at the same time.
};

enum class deed : std::uint8_t {
  write,
  read,
  flush,
  put_back,  ///< The timed operation's own kind, which restores the value it found: what it leaves is modified, too.
  compete,   ///< The timed operation, at the same time as the requester.
};

struct step {
  actor who;
  deed what;
  bool operator==(const step&) const = default;
};

/// What a load does to a line that another processor has modified.
enum class dirty_read : std::uint8_t {
  copies,  ///< The writer keeps it as its owner; the reader has a copy.
  moves,   ///< The reader takes it over whole, expecting to write it; only a line taken over is then shared by reading.
};

/// The steps before the timed access. The last one of a contended event runs beside it. Only `owned` depends on `how`.
[[nodiscard]] std::vector<step> setup_steps(const event& e, dirty_read how = dirty_read::copies);

/// Who takes part, by processor. At distance same_cpu the requester is the holder.
struct roles {
  unsigned requester;
  unsigned holder;
  std::optional<unsigned> sharer;  ///< The nearest to the holder of those left.
  std::vector<unsigned> others;
};

/// The roles in an event at a distance; nothing if no two processors are so far apart.
[[nodiscard]] std::optional<roles> roles_of(const platform::topology& machine, const event& e, platform::distance far);

/// The same with only those that the setup calls for.
[[nodiscard]] roles only_needed(roles c, const event& e);

/// Why there are too few processors for the event, if there are.
[[nodiscard]] std::optional<std::string> too_few(const event& e, std::size_t processors);

/// Whether a modified line that is read stays dirty with its holder.
enum class dirty_sharing : std::uint8_t { owned, written_back, unknown };
/// By the vendor's name as CPUID tells it: AMD documents MOESI, Intel MESIF.
[[nodiscard]] dirty_sharing dirty_sharing_of(const std::string& vendor);

}  // namespace synchro::experiments::coherence

#endif
