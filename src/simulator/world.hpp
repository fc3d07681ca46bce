// A simulated machine while it runs: threads as fibers, cache lines, and a queue of events.
//
// Time. Every thread runs ahead until something else happens first; then it is resumed by an event. Events are ordered
// by time and, at the same time, by the order in which they were made, so a run depends on the model and the seed alone.
//
// A line serves one request after the other, in the order in which they came. A request that is served occupies the line
// for the latency of its transition (reads: for the model's share of it); then the state changes and the value is read
// or written. Until the request has reached the owner, at about the model's share `hold` of the latency, the owner may go on
// using the line. Accesses that find their line in the own cache in a sufficient state occupy nothing.
//
// Stores go to a buffer and reach the line in order, one after the other; a read-modify-write and a fence wait for that.
// A thread that waits for a word costs nothing until the line changes, and then looks again at a random moment of its
// next round of looking.
//
// docs/simulation.md tells the rules with the reason for each. The class is for the Machine and the laboratory on top of
// it (simulated.hpp, laboratory.hpp); of one system thread.

#ifndef SYNCHRO_SIMULATOR_WORLD_HPP
#define SYNCHRO_SIMULATOR_WORLD_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "fibers/stack_pool.hpp"
#include "simulator/lines.hpp"
#include "simulator/model.hpp"
#include "simulator/network.hpp"
#include "simulator/threads.hpp"
#include "simulator/traffic.hpp"
#include "statistics/random.hpp"

namespace synchro::simulator {

/// Thrown by a team in whose course somebody has asked for the end of the program. No error of an experiment.
struct stopped {};

class world {
 public:
  /// `seed` decides jitter, stagger and phases.
  world(const model& m, std::uint64_t seed);
  ~world();
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  /// The world in which simulated atomics are accessed now; there is one as long as one lives.
  static world& current() { return *current_; }
  static bool any() { return current_ != nullptr; }
  /// True in a simulated thread. Elsewhere accesses cost nothing and happen at once.
  static bool inside() { return current_ != nullptr && current_->running_ != nullptr; }

  [[nodiscard]] const model& machine() const { return model_; }
  [[nodiscard]] ticks now() const { return now_; }
  [[nodiscard]] std::uint64_t accesses() const { return accesses_; }
  /// Of all worlds of this process that have ended.
  [[nodiscard]] static std::uint64_t accesses_so_far() { return all_accesses_; }
  [[nodiscard]] std::uint64_t switches() const { return switches_; }

  /// From now on every team of this process asks this every few thousand events and accesses, and throws `stopped` on yes.
  static void stop_when(bool (*asked)() noexcept) { stop_asked_ = asked; }

  /// Runs body(index) on n threads, thread i on processors[i] (again from the start when there are fewer), until all
  /// have ended. Throws what a body throws, std::runtime_error if all that are left wait for ever, and `stopped`.
  void team(const std::vector<unsigned>& processors, unsigned n, const std::function<void(unsigned)>& body);

  // For the running thread.

  /// Between begin and end the caller reads or writes the value.
  void begin(access what, const void* p);
  /// The access is over, and what is executed besides.
  void end();
  /// Asks for the line of an access that comes later, which waits for it then. False if the core has no room for one
  /// more request.
  bool ask_ahead(access what, const void* p, ticks sooner = 0);
  /// So much sooner the core asks for a load that depends on none before: it came to it while the last one was under way.
  [[nodiscard]] ticks came_to_it() const {
    const thread& t = *running_;
    return t.independent && t.slack != 0 ? t.slack + t.before : 0;
  }
  /// From here to the next call loads do not depend on each other.
  void loads_are_independent(bool are) { running_->independent = are && model_.window() != 0; }
  /// From now on threads execute nothing but accesses, as a measurement of single accesses has it.
  void only_accesses() { instructions_ = 0, ahead_ = 0, stores_ = 1; }
  /// For how many of the operations that follow a thread asks before this one is done.
  [[nodiscard]] unsigned ahead() const { return ahead_; }
  void store(void* p, std::uint64_t value, std::size_t size);
  /// The value that a store of this thread has put there but not yet sent on; nothing if there is none.
  [[nodiscard]] const std::uint64_t* buffered(const void* p) const;
  void forwarded() { advance(model_.cache(level::l1) + unhidden(executed())); }
  /// Asks for the line to write it, and waits for it only where the core cannot go on meanwhile.
  void prefetch(const void* p);
  void fence();
  /// Until this thread's stores have reached the cache.
  void settle() { drain(); }
  /// Additions; those that do not depend on the last load began while it was under way.
  void work(ticks t) {
    running_->sooner -= std::min(running_->sooner, t);
    advance(unhidden(stretched(t)));
  }
  void rest(ticks t) {
    running_->slack = running_->sooner = 0;
    advance(stretched(t));
  }
  void yield();
  void advance_to(ticks at) {
    running_->sooner = 0;
    if (at > now_) advance(at - now_);
  }

  /// Blocks until one of the lines has changed since the thread's version of it, or until `timeout`; and from then on to
  /// the moment that `then()` tells, which may not block.
  struct watched {
    line_index line;
    std::uint32_t version;
  };
  template <class Then>
  void wait_for_change(std::span<const watched> lines, ticks timeout, bool would_yield, Then then) {
    const auto ask = [](void* asked) { return (*static_cast<Then*>(asked))(); };
    if (!wait_for_change(lines, timeout, would_yield, resumption{ask, &then})) advance_to(then());
  }
  [[nodiscard]] watched watch(const void* p);
  /// A rest as the model's threads make it: varied, and longer where threads share a core.
  [[nodiscard]] ticks stretched(ticks t);
  [[nodiscard]] ticks phase(ticks period) { return random_.below(period + 1); }

  /// A message to a thread of the team, by the model's network: word by word, and no word before the receiver has room for
  /// all of it.
  void send(unsigned to, std::span<const std::uint64_t> words);
  /// The next word that was sent to the running thread. Those of a message follow each other.
  std::uint64_t receive();
  /// That was the last word of a message.
  void received();

  /// A system call: stores have reached the cache before.
  void enter_system();
  /// Sleeps if `holds`; between begin() of the look at the word and the end of the access, which it makes. True when
  /// the time was over.
  bool park(const void* word, bool holds, ticks timeout);
  void unpark(const void* word, std::uint32_t n);
  /// Wakes all sleepers by a broadcast interrupt.
  void unpark_by_interrupt(const void* word);
  /// How many threads sleep.
  [[nodiscard]] unsigned asleep() const { return asleep_; }
  /// How long the running thread has had a processor.
  [[nodiscard]] ticks ran() const { return running_->ran + now_ - running_->runs_since; }

  /// Evicts the line from every cache.
  void flush(const void* p);
  /// Moves the running thread's copy, the only one, to a level further out.
  void demote(const void* p, level to);

  // Memory.

  /// Memory whose lines are homed at the running thread's die (or tile); first come, first numbered.
  void* allocate(std::size_t bytes, std::size_t alignment);
  /// From now on memory of a machine whose tiles are homes is homed at the allocating tile, not spread.
  void home_here() { lines_.home_here(true); }

  /// The running thread has written all of this, in no time.
  void has_written(const void* p, std::size_t bytes);

  // Threads.
  [[nodiscard]] thread& running() { return *running_; }
  [[nodiscard]] thread& running_or_outside() { return running_ != nullptr ? *running_ : outside_; }
  [[nodiscard]] storage& shared_storage() { return shared_; }

  static constexpr ticks never = ~ticks{0};

 private:
  enum class happening : std::uint8_t { resume, grant, timeout, slice, ready };
  struct event {
    ticks at;
    std::uint64_t order;
    happening what;
    std::uint32_t index;
    std::uint32_t token;
    bool operator>(const event& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  void push(ticks at, happening what, std::uint32_t index, std::uint32_t token);
  event next_event();
  void run();
  void count_access();
  void handle(const event& e);
  void advance(ticks by);
  void suspend();
  void run_thread(thread& t);
  bool wait_for_change(std::span<const watched> lines, ticks timeout, bool would_yield, resumption then);
  bool is_too_early(thread& t);
  void leave_blocked();

  // lines
  [[nodiscard]] ticks way_home(const line& l, const request& r) const;
  void enqueue(request& r);
  [[nodiscard]] ticks way_to_owner(ticks latency);
  void start(line_index l);
  void grant(line_index l);
  void complete_store(request& r);
  [[nodiscard]] bool hits(line_index l, access what, unsigned core, bool starting) const;
  [[nodiscard]] ticks hit_cost(line& l, access what, const thread& t) const;
  [[nodiscard]] ticks latency(line& l, request& r);
  [[nodiscard]] ticks among_others(const line& l, const request& r);
  [[nodiscard]] unsigned nearest_copy(line_index l, unsigned core) const;
  [[nodiscard]] unsigned farthest_copy(line_index l, unsigned core, std::size_t& others) const;
  [[nodiscard]] std::uint8_t distance(const line& l, unsigned core, unsigned other, ticks& extra) const;
  void change_state(line_index index, line& l, access what, const thread& t);
  void wrote(line& l);
  void drain();
  void wait_for_line(line_index l);
  void arrived(request& r);
  void await_early(line_index l);
  [[nodiscard]] ticks executed() const;
  [[nodiscard]] ticks unhidden(ticks t);
  bool ask_ahead(thread& t, access what, line_index index, ticks sooner);
  void issue_stores(thread& t);
  void ask_for_stores(thread& t);
  void leave_buffer(thread& t);

  // network
  [[nodiscard]] const network_costs& network_of_model() const;
  void into_network();
  void block();

  // processors
  void resume_at(thread& t, ticks at);
  void make_ready(thread& t);
  void displace_idler(unsigned processor);
  void dispatch(unsigned processor);
  void preempt(thread& t);
  void give_up_processor(thread& t);
  void leave_processor(thread& t);
  void get_up(thread& t, bool woken);
  struct wait_queue;
  void wake_first(wait_queue& q, ticks effort);
  struct processor;
  [[nodiscard]] ticks out_of_idle(processor& p);
  void watch_slice(unsigned processor);
  void set_active(thread& t, bool active);
  void start_threads(const std::vector<unsigned>& processors, unsigned n, const std::function<void(unsigned)>& body);
  void stop_waiting(thread& t);

  struct processor {
    thread* current = nullptr;
    thread* last = nullptr;  // that ran here
    std::deque<thread*> ready;
    std::uint32_t slice = 0;
    bool watched = false;
    ticks idle_since = never;  // unless it is about to leave that
    ticks executes = 0;        // when it does so again
  };

  /// Who sleeps at a word; of the one that was woken last, when it is up and by how much others have delayed it.
  struct wait_queue {
    std::deque<thread*> sleepers;
    ticks up = 0, delay = 0;
  };

  static inline world* current_ = nullptr;
  static inline std::uint64_t all_accesses_ = 0;
  static inline bool (*stop_asked_)() noexcept = []() noexcept { return false; };
  world* const previous_;
  const model& model_;
  statistics::random_numbers random_;
  ticks now_ = 0;
  std::uint64_t order_ = 0;
  std::uint64_t accesses_ = 0;
  std::uint64_t switches_ = 0;
  std::uint32_t idle_slices_ = 0;
  bool stopping_ = false;
  ticks instructions_;
  unsigned ahead_;
  std::size_t stores_;
  thread* running_ = nullptr;
  std::priority_queue<event, std::vector<event>, std::greater<>> events_;  // later than now
  std::queue<event> due_;                                                  // now, in order
  line_table lines_;
  network network_;
  traffic traffic_;
  std::vector<processor> processors_;
  std::vector<unsigned> active_;  // threads that issue instructions, by issue group
  std::unordered_map<const void*, wait_queue> wait_queues_;
  storage shared_;
  thread outside_;
  fibers::stack_pool stacks_{64 * 1024};
  std::vector<std::unique_ptr<thread>> threads_;
  unsigned left_ = 0;
  unsigned asleep_ = 0;
};

}  // namespace synchro::simulator

#endif
