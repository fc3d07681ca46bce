// The words of coherence.states: operations, states, and the events that are made of them.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_VOCABULARY_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_VOCABULARY_HPP

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace synchro::experiments::coherence {

enum class operation : std::uint8_t {
  load,
  store,  ///< Until it has reached the cache: until a fetch-and-add of 0 on the same word is done.
  cas,    ///< A compare-and-swap that succeeds.
  fai,
  tas,  ///< A byte, exchanged with true.
  swap,
  // Without a line:
  load_fence,
  store_fence,
  full_fence,
  fence,  ///< The machine's fence().
  pause,
  nop,
  empty,  ///< Two stamps with nothing between them.
};

enum class state : std::uint8_t {
  modified,        ///< Written by the holder.
  turns,           ///< Left by the same operation of the holder: the two take turns.
  contended,       ///< Both work through the lines at the same time, without waiting for each other.
  exclusive,       ///< Clean, in the holder's cache only.
  shared,          ///< Clean, in the caches of the holder and of a third processor.
  shared_all,      ///< Clean, in every cache but the requester's.
  shared_upgrade,  ///< Clean, in the holder's cache and the requester's, who needs the right to write.
  owned,        ///< Dirty and shared, the holder its owner: with a third processor before a load, else the requester.
  invalid,      ///< In no cache.
  working_set,  ///< No state: dependent loads all over 64 MiB.
  none,         ///< No line at all.
};

[[nodiscard]] std::string to_string(operation o);
[[nodiscard]] std::string to_string(state s);

/// The operations that touch a line, in the order of the tables.
inline constexpr std::array line_operations{operation::load, operation::store, operation::cas,
                                            operation::fai,  operation::tas,   operation::swap};
inline constexpr std::array instructions{operation::load_fence, operation::store_fence, operation::full_fence,
                                         operation::fence,      operation::pause,       operation::nop,
                                         operation::empty};

[[nodiscard]] bool is_atomic(operation o);
[[nodiscard]] bool is_instruction(operation o);

/// An operation on a line in a state. `mine`: the requester itself is the holder (distance same_cpu).
struct event {
  std::string name;  ///< ccbench's, in lower case, where it has one.
  operation what;
  state on;
  bool mine;
};

/// Every event that means something, each name once.
[[nodiscard]] const std::vector<event>& events();
/// Nothing if there is no such event.
[[nodiscard]] const event* find_event(const std::string& name);

/// The 34 events of ccbench by ccbench's names, in its order. In lower case each is one of events().
[[nodiscard]] const std::array<const char*, 34>& ccbench_events();

}  // namespace synchro::experiments::coherence

#endif
