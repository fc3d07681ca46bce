// The world in which an explored program runs: its memory, its threads as fibers, and what each of them could do next.
//
// Every access to an atomic, every wait and every sleep is a step. A thread posts what it wants and suspends itself;
// the search asks for the outcomes that are possible, picks one and lets it happen. Between steps threads run alone and
// touch plain fields, whose races are found by clocks, so no interleaving is needed there.
//
// A program is run in phases. Setting up, warming up (each thread alone, one after the other), cooling down and
// checking are sequential and not explored; what lies between the start line and the finish line is.

#ifndef SYNCHRO_MODEL_CHECKER_WORLD_HPP
#define SYNCHRO_MODEL_CHECKER_WORLD_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fibers/fiber.hpp"
#include "model_checker/address_book.hpp"
#include "model_checker/arena.hpp"
#include "model_checker/history.hpp"
#include "model_checker/limits.hpp"
#include "model_checker/memory.hpp"
#include "model_checker/monitor.hpp"
#include "model_checker/mutation.hpp"
#include "model_checker/operation.hpp"
#include "model_checker/program.hpp"
#include "model_checker/taken_by_new.hpp"

namespace synchro::model_checker {

/// What a harness tells the monitor or asks of it, as operands of marks.
struct marks {
  static constexpr std::uint64_t asks = 0;
  static constexpr std::uint64_t asks_strictly = 1;
  static constexpr std::uint64_t has_entered = 2;
  static constexpr std::uint64_t awaits_others = 3;
};

/// Why a program is wrong, or nothing can be said of it.
struct refutation {
  std::string what;  ///< "data race", "deadlock", ...
  std::string detail;
  bool undecided = false;  ///< It exceeds a bound of the model checker, which is no fault of the program.
};

struct world_options {
  reuse freed = reuse::never;
  bool with_fences = false;  ///< Follow what only fences make visible; found out by running without.
  const mutation* mutant = nullptr;
  std::set<site>* census = nullptr;  ///< Where the sites that are reached are noted.
};

class world {
 public:
  world(const program& what, world_options how);
  ~world();
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  /// The one whose thread is running.
  static world& current() { return *current_; }

  // For the search.

  /// A new execution, up to the start line; false if that failed.
  bool begin();
  [[nodiscard]] bool finished(unsigned t) const { return threads_[t].finished; }
  [[nodiscard]] bool all_finished() const;
  /// All that thread `t` can do next.
  void outcomes(unsigned t, std::vector<outcome>& out) const;
  /// Whether no thread can go on by itself and one of them waits without a limit, or their callbacks break a rule, so
  /// that nothing can be said. `lively` as told by the outcomes.
  bool is_deadlock(std::uint32_t lively);
  /// Lets it happen; false if the program is refuted by that.
  bool execute(unsigned t, const outcome& o);
  /// After the finish line: cools down and checks; false if the program is refuted by that.
  bool end();
  [[nodiscard]] std::uint64_t hash() const;
  /// Whether two threads' next steps may be exchanged without a difference.
  [[nodiscard]] bool independent(unsigned a, unsigned b) const;
  /// Whether the next step of `t` uses an atomic that another thread has destroyed in the meantime.
  [[nodiscard]] bool uses_dead_word(unsigned t) const;
  [[nodiscard]] const std::optional<refutation>& refuted() const { return refuted_; }
  /// Whether the execution is one that cannot be: a transaction was taken for one that commits, and has not.
  [[nodiscard]] bool is_impossible() const { return impossible_; }
  [[nodiscard]] bool met_fence() const { return met_fence_; }
  /// Whether an addition has wrapped between the lines.
  [[nodiscard]] bool met_wrap() const { return met_wrap_; }
  [[nodiscard]] bool follows_fences() const { return options_.with_fences; }
  [[nodiscard]] unsigned threads() const { return program_.threads; }
  /// What the next step of `t` would be with this outcome, for people.
  [[nodiscard]] std::string describe(unsigned t, const outcome& o) const;
  [[nodiscard]] std::string describe_waits() const;

  // For the machine, in a thread.

  void perform(operation& op);
  [[nodiscard]] bool is_in_transaction() const { return threads_[self_].transactions != 0; }
  /// Ends the innermost transaction of the running thread; with the outermost all of them commit.
  void commit();
  void make_word(const void* address, std::uint64_t value);
  void end_word(const void* address);
  void make_field(void* address, std::size_t size);
  void end_field(const void* address);
  void before_read(const void* field) { touch(field, false); }
  void after_read(const void* value, std::size_t size);
  /// What a mutant does to the write; nothing is touched by one that is left out.
  change before_write(const void* field, const place& where, value_kind kind);
  /// How many objects have been made: what lies between two extents was made between them.
  struct extent {
    std::size_t words, fields;
  };
  [[nodiscard]] extent made() const { return {mem_.words(), mem_.fields()}; }
  /// The calling thread destroys what was made in between, but for its memory, which may not be the arena's: who
  /// touches it from now on touches what is not there.
  void bury(extent from, extent to);
  void* allocate(std::size_t bytes);
  void free(void* p);
  /// The calling thread's object of this kind, and whether it has still to be constructed.
  std::pair<void*, bool> local(const void* kind, std::size_t bytes);
  /// The same for the machine's; construct it between this and end_global().
  std::pair<void*, bool> begin_global(const void* kind, std::size_t bytes);
  void end_global();
  void at_thread_exit(void (*f)(void*), void* p) {
    const noting none{false};
    threads_[self_].exits.emplace_back(f, p);
  }
  [[nodiscard]] unsigned self() const { return self_; }
  [[nodiscard]] const program& running() const { return program_; }
  [[nodiscard]] unsigned domain_of(unsigned t) const { return t < program_.domains.size() ? program_.domains[t] : 0; }
  /// The running thread's, as it is told.
  [[nodiscard]] unsigned read_domain();
  /// A pool whose nodes are counted at the end: `take` takes one from it.
  void add_pool(void* (*take)()) {
    const noting none{false};
    if (std::find(pools_.begin(), pools_.end(), take) == pools_.end()) pools_.push_back(take);
  }
  [[nodiscard]] std::int64_t now() const { return threads_[self_].now; }
  /// Pieces of memory that were allocated and not freed.
  [[nodiscard]] std::size_t blocks() const { return arena_.blocks_alive(); }
  /// Between two operations of the harness nothing is remembered but what stands in memory and `next`.
  void settle(std::uint64_t next) {
    if (!is_in_transaction()) settle_of(self_, next);
  }
  /// The running thread makes a call, of which it returns before it makes the next: from the warm-up on. What returned
  /// before it is what happens before it.
  void begin_call(const call& made);
  void end_call(std::optional<std::uint64_t> result);
  [[nodiscard]] history calls() const { return calls_.all(); }
  /// Ends the execution: the program is wrong.
  [[noreturn]] void fail(std::string what, std::string detail);
  /// Ends the execution: the program does not fit the model checker.
  [[noreturn]] void give_up(std::string what, std::string detail);

 private:
  struct object {
    const void* kind;
    void* at;
    std::uint32_t bytes;
  };
  struct thread {
    std::optional<fibers::fiber> fiber;
    fibers::stack stack{};
    operation* pending = nullptr;
    std::uint64_t history = 0;
    std::int64_t now = 0;
    unsigned operations = 0;
    unsigned transactions = 0;  // begun and not ended, one within the other
    unsigned touches = 0;       // of plain fields, since the last operation
    std::uint8_t spurious = 0;
    std::uint8_t weak_failures = 0;
    bool away = false;  // in the other domain
    bool woken = false;
    bool finished = false;
    unsigned outside = 0;  // objects made in memory that has no name
    std::vector<object> locals;
    std::vector<std::pair<void (*)(void*), void*>> exits;

    void reset();
  };
  /// What main's setting up leaves behind, to start from.
  struct state {
    memory mem;
    address_book book;
    std::vector<object> globals;
    std::vector<object> main_locals;
    unsigned main_outside;
    std::int64_t main_now;
    std::vector<memory::kept_field> outside;  // of the arena
    taken_by_new by_new;
  };

  void set_up();
  void restore();
  bool run_main(const std::function<void()>& part);
  void live(unsigned t);
  void run_exits();
  bool resume(unsigned t);
  bool warm_up();
  void settle_of(unsigned t, std::uint64_t next);
  void pass_line();

  std::uint32_t word_at(const void* address);
  std::uint64_t name_for(const void* address);
  void touch(const void* field, bool writes);
  void resolve(operation& op);
  bool mutate(operation& op);
  void take_step(operation& op);
  [[noreturn]] void be_impossible();
  void perform_in_transaction(operation& op);
  void await_in_transaction(operation& op);
  void update_in_transaction(operation& op);
  void exchange_until_in_transaction(operation& op);
  void change_in_transaction(operation& op, std::uint32_t round);
  void give_up_in_transaction(operation& op);
  change mutant_of(const place& where, std::uint32_t operand, action what, value_kind kind, std::memory_order order);
  bool nothing_else_changed();
  void count_nodes();
  void directly(operation& op);

  void outcomes_of_wait(unsigned t, const operation& op, std::vector<outcome>& out) const;
  void outcomes_of_await(unsigned t, const operation& op, outcome so_far, unsigned word,
                         std::vector<outcome>& out) const;
  void outcomes_of_update(unsigned t, const operation& op, std::vector<outcome>& out) const;
  void outcomes_of_exchange_until(unsigned t, const operation& op, std::vector<outcome>& out) const;
  void outcomes_of_sleep(unsigned t, const operation& op, std::vector<outcome>& out) const;
  void outcomes_of_access(unsigned t, const operation& op, std::vector<outcome>& out) const;
  void outcomes_of_unpark(const operation& op, std::vector<outcome>& out) const;
  void add_give_up(unsigned t, const operation& op, outcome found_nothing, std::memory_order o,
                   std::vector<outcome>& out) const;
  void see_whether_pure(const operation& op, const std::uint64_t* values) const;
  [[nodiscard]] bool is_done(const operation& op, const std::uint64_t* values) const;
  void leave_with_result(unsigned t, const operation& op, const outcome& o) const;
  [[nodiscard]] bool is_expired(unsigned t, const operation& op) const {
    return op.within == limit::time && op.until <= threads_[t].now;
  }
  /// False if the thread goes on waiting.
  bool happen(unsigned t, operation& op, const outcome& o);
  void happen_to_rmw(unsigned t, operation& op, unsigned at, std::uint64_t value);
  bool happen_to_update(unsigned t, operation& op, const outcome& o);
  void happen_to_mark(unsigned t, const operation& op);
  void happen_to_unpark(unsigned t, const operation& op, const outcome& o);
  [[nodiscard]] bool is_waiting(unsigned t, bool strictly) const;
  [[nodiscard]] bool is_lively(unsigned t) const;
  [[nodiscard]] bool others_wait(unsigned t) const;
  [[nodiscard]] bool waits_without_limit(unsigned t) const;
  [[nodiscard]] std::string name(std::uint64_t address) const;
  [[nodiscard]] std::string print(std::uint64_t value) const;
  [[nodiscard]] std::string written(const operation& op, const outcome& o) const;

  /// While callbacks of thread `t` are asked, which is not by itself.
  class asking {
   public:
    asking(const world& w, unsigned t) : world_{w}, current_{world::current_}, self_{w.self_}, nested_{w.asking_} {
      world::current_ = const_cast<world*>(&w);
      w.self_ = t;
      w.asking_ = true;
    }
    ~asking() {
      world::current_ = current_;
      world_.self_ = self_;
      world_.asking_ = nested_;
    }
    asking(const asking&) = delete;
    asking& operator=(const asking&) = delete;

   private:
    const world& world_;
    world* const current_;
    const unsigned self_;
    const bool nested_;
  };

  static inline world* current_ = nullptr;

  const program& program_;
  const world_options options_;
  arena arena_;
  fibers::stack_pool stacks_{128 * 1024};
  memory mem_;
  address_book book_;
  monitor monitor_;
  recorder calls_;
  std::vector<object> globals_;
  std::array<thread, all_threads> threads_;
  std::optional<state> start_;
  std::optional<refutation> refuted_;
  mutable unsigned self_ = main_thread;
  mutable bool asking_ = false;
  mutable const char* impure_ = nullptr;                 // how a callback breaks the rule that it is pure
  mutable std::unordered_set<std::uint64_t> seen_pure_;  // waits whose callbacks were asked often, with what they found
  unsigned self_before_global_ = main_thread;
  std::vector<void* (*)()> pools_;
  bool exploring_ = false;
  bool counts_ = false;  // its nodes, at the end
  bool impossible_ = false;
  bool met_fence_ = false;
  bool met_wrap_ = false;
};

}  // namespace synchro::model_checker

#endif
