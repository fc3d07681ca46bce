// A machine model: what the simulator knows of a machine. Read from JSON (docs/models.md explains every field).

#ifndef SYNCHRO_SIMULATOR_MODEL_HPP
#define SYNCHRO_SIMULATOR_MODEL_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/topology.hpp"

namespace synchro::simulator {

/// Simulated time, in 64ths of a core cycle: whole numbers, so that no order of additions changes a result.
using ticks = std::uint64_t;
inline constexpr ticks per_cycle = 64;

enum class operation : std::uint8_t { load, store, cas, fai, tas, swap };
inline constexpr std::array operation_names{"load", "store", "cas", "fai", "tas", "swap"};

/// What a line is in before an access.
enum class state : std::uint8_t { modified, owned, exclusive, shared, invalid };
inline constexpr std::array state_names{"modified", "owned", "exclusive", "shared", "invalid"};

enum class level : std::uint8_t { l1, l2, llc, ram };
inline constexpr std::array level_names{"l1", "l2", "llc", "ram"};

/// A constant that is neither a table's nor a measured one, with where it comes from.
struct knob {
  std::string name;
  double value = 0;
  std::string kind;            ///< "published", "measured", "assumed" or "fitted".
  std::string from;            ///< For a fitted one: the point it was fitted on.
  double least = 0, most = 0;  ///< The plausible range; the value itself if none is told.
};

/// A processor that has been idle for `after` takes `exit` until it executes again.
struct idle_state {
  ticks after = 0, exit = 0;
};

/// Costs of the operating system, in ticks.
struct wake_costs {
  ticks call = 0;                     ///< A call that wakes nobody, or that goes to sleep.
  ticks each = 0;                     ///< More for each thread woken, one after the other.
  ticks latency = 0;                  ///< From then to the woken thread's first instruction.
  ticks switching = 0;                ///< A processor goes from one thread to another.
  ticks slice = 0;                    ///< What a thread gets while others wait for its processor.
  ticks interrupt_each = 0;           ///< Broadcast interrupt: for each group of 16 processors.
  ticks contend = 0;                  ///< By so much each woken sleeper of a word delays the next one of the same word.
  std::vector<idle_state> idle = {};  ///< From light to deep.

  /// What leaving the deepest state takes that a processor idle for so long is in.
  [[nodiscard]] ticks exit_after(ticks idle_for) const {
    ticks exit = 0;
    for (const idle_state& s : idle)
      if (s.after <= idle_for) exit = s.exit;
    return exit;
  }
};

/// A network that carries words between the registers of cores, past all caches.
struct network_costs {
  ticks send = 0;         ///< A word into it.
  ticks receive = 0;      ///< A word out of it.
  ticks hop = 0;          ///< A word to the next core.
  std::size_t queue = 0;  ///< So many words may be under way to a thread.
  // What the library executes for a message besides its words.
  ticks send_call = 0, receive_call = 0;
};

/// How long one direction of a direct link between two dies is kept by what goes through it.
struct link_costs {
  ticks message = 0;  ///< A request, a snoop, or an answer without data.
  ticks line = 0;     ///< A line of data and its header.
};

class model {
 public:
  /// Reads and checks. Throws std::runtime_error with one sentence that names the field.
  explicit model(const nlohmann::ordered_json& document);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const nlohmann::ordered_json& document() const { return document_; }
  [[nodiscard]] const std::vector<knob>& knobs() const { return knobs_; }
  /// Rows that no table gave, and by what rule they were filled.
  [[nodiscard]] const std::vector<std::string>& derived() const { return derived_; }
  [[nodiscard]] double ghz() const { return ghz_; }
  [[nodiscard]] double ns_of(ticks t) const { return static_cast<double>(t) / (per_cycle * ghz_); }

  // Processors are numbered by package, die, core, thread.
  [[nodiscard]] unsigned processors() const { return cores() * threads_; }
  [[nodiscard]] unsigned cores() const { return packages_ * dies_ * cores_; }
  [[nodiscard]] unsigned dies() const { return packages_ * dies_; }
  [[nodiscard]] unsigned threads_per_core() const { return threads_; }
  [[nodiscard]] unsigned core_of(unsigned processor) const { return processor / threads_; }
  [[nodiscard]] unsigned die_of_core(unsigned core) const { return core / cores_; }
  [[nodiscard]] unsigned cores_per_die() const { return cores_; }
  /// Threads of one group, neighbours in number, share the instructions that a core issues.
  [[nodiscard]] unsigned issue_group_of(unsigned processor) const {
    return processor / threads_ * issue_groups_ + processor % threads_ * issue_groups_ / threads_;
  }
  [[nodiscard]] unsigned issue_groups() const { return cores() * issue_groups_; }
  [[nodiscard]] platform::topology topology() const;
  /// The numbers of threads to simulate unless told otherwise; empty: the experiment's own.
  [[nodiscard]] const std::vector<std::int64_t>& thread_counts() const { return thread_counts_; }

  // Distances, near to far, by number.
  [[nodiscard]] const std::vector<std::string>& distances() const { return named_; }
  [[nodiscard]] std::size_t distance_number(const std::string& name) const;  ///< Throws std::out_of_range.
  [[nodiscard]] std::uint8_t between(unsigned core, unsigned other) const { return reach_[core * cores() + other]; }
  /// The least distance of a core to another one.
  [[nodiscard]] std::uint8_t to_nearest(unsigned core) const { return nearest_[core]; }
  [[nodiscard]] unsigned hops(std::uint8_t distance) const { return hops_[distance]; }

  // The protocol.
  [[nodiscard]] bool writes_at_home() const { return writes_at_home_; }
  [[nodiscard]] bool distance_to_home() const { return distance_to_home_; }
  [[nodiscard]] bool has_owned() const { return has_owned_; }
  [[nodiscard]] std::optional<ticks> directory_hop() const { return directory_hop_; }

  // What transfers between dies share. Each is empty or 0 where a model does not tell it.
  /// The directions of direct links.
  [[nodiscard]] const std::vector<link_costs>& links() const { return links_; }
  /// Which of them lead from a die to another one.
  [[nodiscard]] const std::vector<std::uint16_t>& route(unsigned from, unsigned to) const {
    return routes_[from * dies() + to];
  }
  /// A miss asks all dies; otherwise the directory at home asks who has to be asked.
  [[nodiscard]] bool snoops_all() const { return snoops_all_; }
  /// How long a home is kept by a request that comes from, or goes to, another die.
  [[nodiscard]] ticks at_home() const { return at_home_; }

  // Costs.
  [[nodiscard]] ticks latency(operation o, state s, std::uint8_t distance) const {
    return latency_[static_cast<std::size_t>(o)][static_cast<std::size_t>(s)][distance];
  }
  [[nodiscard]] ticks cache(level l) const { return cache_[static_cast<std::size_t>(l)]; }
  [[nodiscard]] bool has_cache(level l) const { return has_cache_[static_cast<std::size_t>(l)]; }
  [[nodiscard]] ticks local_atomic() const { return local_atomic_; }
  [[nodiscard]] ticks fence() const { return fence_; }
  [[nodiscard]] ticks pause() const { return pause_; }
  /// What a write to a shared line costs more when so many others share it.
  [[nodiscard]] ticks extra_for_sharers(std::size_t others) const;
  [[nodiscard]] double read_occupancy() const { return read_occupancy_; }
  /// A write at home: what it takes to get there, and as much back. Of a load from that distance this is half of what
  /// its line does not notice. 0 where owners write.
  [[nodiscard]] ticks way_to_home(std::uint8_t distance) const;
  [[nodiscard]] double hold() const { return hold_; }
  /// What a thread executes for each access besides it.
  [[nodiscard]] ticks instructions() const { return instructions_; }
  /// For so long a core goes on with what does not depend on a load that is under way; 0: in order.
  [[nodiscard]] ticks window() const { return window_; }
  /// How many requests of a thread may be under way at a time, besides the store that is first in its buffer.
  [[nodiscard]] std::size_t misses() const { return misses_; }
  /// For the lines of how many operations that follow a core asks before this one is done. Unless it is 0, also for that of
  /// a store while the load before it is under way, and of a read-modify-write that waits for stores.
  [[nodiscard]] unsigned ahead() const { return ahead_; }
  /// For the lines of how many stores of its buffer, from the first on, a core asks at a time.
  [[nodiscard]] std::size_t stores() const { return stores_; }
  /// A division of 64 bits, for what executes one (the loop of the paper's hash table).
  [[nodiscard]] ticks division() const { return division_; }
  /// One look of a thread that waits at a word in its own cache.
  [[nodiscard]] ticks a_look() const {
    const ticks l1 = cache(level::l1), hidden = std::min(l1, window_);
    return l1 + instructions_ - std::min(instructions_, hidden);
  }
  [[nodiscard]] double jitter() const { return jitter_; }
  [[nodiscard]] std::size_t store_buffer() const { return store_buffer_; }
  [[nodiscard]] const wake_costs& wake() const { return wake_; }
  /// Nothing if messages can only travel over coherence.
  [[nodiscard]] const std::optional<network_costs>& network() const { return network_; }
  /// The longest transfer between any of these processors: a read-modify-write of a modified line, in ticks.
  [[nodiscard]] ticks longest_transfer(const std::vector<unsigned>& processors) const;

 private:
  friend class model_reader;

  nlohmann::ordered_json document_;
  std::string name_;
  std::vector<knob> knobs_;
  std::vector<std::string> derived_;
  double ghz_ = 1;
  unsigned packages_ = 1, dies_ = 1, cores_ = 1, threads_ = 1, issue_groups_ = 1;
  std::vector<std::int64_t> thread_counts_;
  std::vector<std::string> named_;         // distances that have a name
  std::vector<std::uint8_t> name_number_;  // and their numbers: a mesh has distances without a name between them
  std::vector<unsigned> hops_;
  std::vector<std::uint8_t> reach_;
  std::vector<std::uint8_t> nearest_;
  bool writes_at_home_ = false, distance_to_home_ = false, has_owned_ = false;
  std::vector<link_costs> links_;
  std::vector<std::vector<std::uint16_t>> routes_;
  bool snoops_all_ = false;
  ticks at_home_ = 0;
  std::optional<ticks> directory_hop_;
  std::array<std::array<std::vector<ticks>, state_names.size()>, operation_names.size()> latency_;
  std::array<ticks, level_names.size()> cache_{};
  std::array<bool, level_names.size()> has_cache_{};
  ticks local_atomic_ = 0, fence_ = 0, pause_ = 0;
  double extra_per_sharer_ = 0;  // in ticks
  double read_occupancy_ = 1, hold_ = 0.5, jitter_ = 0;
  std::size_t store_buffer_ = 16;
  ticks instructions_ = 0, window_ = 0, division_ = 0;
  std::size_t misses_ = 1, stores_ = 1;
  unsigned ahead_ = 0;
  wake_costs wake_;
  std::optional<network_costs> network_;
};

/// The names of the models that are part of the program.
[[nodiscard]] const std::vector<std::string>& built_in_models();
/// One of them as JSON; nothing if there is none of that name.
[[nodiscard]] const char* built_in_model(const std::string& name);

/// A built-in model by its name, or one from a file. Throws std::runtime_error with one sentence.
[[nodiscard]] model load_model(const std::string& name_or_file);

}  // namespace synchro::simulator

#endif
