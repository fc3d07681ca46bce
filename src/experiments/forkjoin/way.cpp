#include "experiments/forkjoin/way.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "experiments/forkjoin/loop_way.hpp"
#include "experiments/wakes/availability.hpp"
#include "experiments/wakes/wake_table.hpp"
#include "measure/asleep.hpp"
#include "platform/placement.hpp"
#include "synchro/hardware.hpp"

namespace synchro::experiments::forkjoin {

namespace {

constexpr const char* afresh = "thread/create";

/// Counts shares that are done; the starter looks for a while and then gives way, as one does who has done his own.
class countdown {
 public:
  void start(unsigned n) { left_.store(n, std::memory_order_relaxed); }
  void done() { left_.fetch_sub(1, std::memory_order_acq_rel); }
  void wait() {
    hardware::await(left_, std::memory_order_acquire, [](std::uint32_t left, std::uint32_t round) -> look {
      if (left == 0) return true;
      return round < patience ? look::retry() : look::after_yield();
    });
  }

 private:
  static constexpr std::uint32_t patience = 200;  // looks
  alignas(2 * cpu::cache_line) std::atomic<std::uint32_t> left_{0};
};

void way_pin(const std::vector<unsigned>& cpus, unsigned i) {
  if (!cpus.empty()) static_cast<void>(platform::pin_this_thread(cpus[i % cpus.size()]));
}

/// What a thread of a team threw, told to the one who starts them.
class mishap {
 public:
  void note(std::exception_ptr thrown) {
    const std::lock_guard hold{mutex_};
    if (!thrown_) thrown_ = std::move(thrown);
    happened_.store(true, std::memory_order_release);
  }
  [[nodiscard]] bool happened() const { return happened_.load(std::memory_order_acquire); }
  void rethrow() const {
    if (happened()) std::rethrow_exception(thrown_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr thrown_;
  std::atomic<bool> happened_{false};
};

class afresh_way final : public way {
 public:
  afresh_way(unsigned threads, std::vector<unsigned> cpus) : threads_{threads}, cpus_{std::move(cpus)} {}

  /// A thread begins where its maker may run, so the maker may run where all of them are to.
  void settle() override {
    way_pin(cpus_, 0);
    if (!cpus_.empty()) platform::unpin_this_thread(cpus_);
  }
  void run(const share& work) override {
    std::vector<std::thread> workers;
    workers.reserve(threads_);
    const auto join = [&workers] {
      for (std::thread& t : workers) t.join();
    };
    try {
      for (unsigned i = 1; i < threads_; ++i)
        workers.emplace_back([this, &work, i] {
          way_pin(cpus_, i);
          work(i);
        });
    } catch (...) {
      join();
      throw;
    }
    work(0);
    join();
  }

 private:
  unsigned threads_;
  std::vector<unsigned> cpus_;
};

/// Where threads wait until their team is complete; else they go home.
class gate {
 public:
  [[nodiscard]] bool pass() {
    for (;;) {
      const std::uint32_t seen = state_.load(std::memory_order_acquire);
      if (seen != closed) return seen == open;
      hardware::park(state_, closed, hardware::never);
    }
  }
  void let_in() { become(open); }
  void send_home() { become(home); }

 private:
  static constexpr std::uint32_t closed = 0, open = 1, home = 2;

  void become(std::uint32_t state) {
    state_.store(state, std::memory_order_release);
    hardware::unpark(&state_, everybody);
  }

  static constexpr std::uint32_t everybody = 1U << 30U;
  std::atomic<std::uint32_t> state_{closed};
};

class region_way final : public way {
 public:
  region_way(const wake_row& row, unsigned threads, const std::vector<unsigned>& cpus)
      : primitive_{row.make(threads - 1)}, workers_{threads - 1} {
    primitive_->region([&](unsigned i) {
      way_pin(cpus, i);
      if (i != 0) workers_.enter(i - 1);
    });
  }

  void settle() override { workers_.until_all_asleep(); }
  void run(const share& work) override { primitive_->region(work); }

 private:
  std::unique_ptr<any_wake> primitive_;
  measure::watched_threads workers_;
};

class pool_way final : public way {
 public:
  pool_way(const wake_row& row, unsigned threads, const std::vector<unsigned>& cpus)
      : sleeps_{row.sleeps}, primitive_{row.make(threads - 1)}, watched_{threads - 1} {
    try {
      for (unsigned i = 0; i + 1 < threads; ++i)
        workers_.emplace_back([this, i, cpus] {
          way_pin(cpus, i + 1);
          watched_.enter(i);
          if (gate_.pass()) live(i);
        });
    } catch (...) {
      gate_.send_home();
      for (std::thread& t : workers_) t.join();
      throw;
    }
    gate_.let_in();
  }
  ~pool_way() override {
    until_all_wait();
    work_ = nullptr;
    try {
      primitive_->arm();
      primitive_->trigger();
    } catch (...) {  // refused: nobody comes home, and whoever watches over this stage tells
    }
    for (std::thread& t : workers_) t.join();
  }

  void settle() override {
    until_all_wait();
    mishap_.rethrow();
    if (sleeps_) watched_.until_all_asleep();
  }
  void run(const share& work) override {
    work_ = &work;
    waiting_.store(0, std::memory_order_relaxed);
    shares_.start(static_cast<unsigned>(workers_.size()));
    primitive_->arm();
    primitive_->trigger();
    work(0);
    shares_.wait();
    mishap_.rethrow();
  }

 private:
  void until_all_wait() {
    hardware::await(waiting_, std::memory_order_acquire, [this](std::uint32_t waiting) -> look {
      return waiting >= workers_.size() ? look{true} : look::after_yield();
    });
  }

  void live(unsigned i) {
    try {
      for (;;) {
        waiting_.fetch_add(1, std::memory_order_acq_rel);
        primitive_->wait(i);
        if (work_ == nullptr) return;
        (*work_)(i + 1);
        shares_.done();
      }
    } catch (...) {  // the system refused the wait: this worker ends, and the team with it
      mishap_.note(std::current_exception());
      shares_.done();
      waiting_.fetch_add(1, std::memory_order_acq_rel);
    }
  }

  bool sleeps_;
  std::unique_ptr<any_wake> primitive_;
  measure::watched_threads watched_;
  gate gate_;
  const share* work_ = nullptr;  // written before a trigger, read after a wake-up
  alignas(2 * cpu::cache_line) std::atomic<std::uint32_t> waiting_{0};
  countdown shares_;
  mishap mishap_;
  std::vector<std::thread> workers_;
};

/// What quick runs have: each kind once.
constexpr std::array quick_ones = {"event",     "event/spin",     "linux/futex",     "pthread/cond",
                                   "posix/sem", "signal/handler", "omp/gnu",         "std/condition_variable",
                                   "win32/apc", "win32/event",    "win32/semaphore", "omp/microsoft"};

std::vector<coordinate> ways_at(level l) {
  std::vector<coordinate> names{coordinate{std::string{afresh}}};
  for (const std::string& loop : loop_ways()) names.emplace_back(loop);
  for (const wake_row& row : all_wakes())
    if (l == level::full || std::find(quick_ones.begin(), quick_ones.end(), row.name) != quick_ones.end() ||
        (l == level::standard && row.name.find('/') == std::string::npos))
      names.emplace_back(row.name);
  return names;
}

}  // namespace

std::unique_ptr<way> make_way(const std::string& primitive, unsigned threads, const std::vector<unsigned>& cpus) {
  if (primitive == afresh) return std::make_unique<afresh_way>(threads, cpus);
  if (takes_shares(primitive)) return make_loop_way(primitive, threads, cpus);
  const wake_row& row = find_wake(primitive);
  if (row.region) return std::make_unique<region_way>(row, threads, cpus);
  return std::make_unique<pool_way>(row, threads, cpus);
}

axis ways_axis() {
  return {"primitive", "how the workers are started: threads created afresh, or what those of a pool wait for",
          [](const setting& s) { return ways_at(s.thoroughness); }};
}

std::optional<std::string> unavailable_of(const setting& s, const std::string& primitive) {
  if (primitive == afresh || takes_shares(primitive) || s.untried) return std::nullopt;
  const auto& why = wakes::availability_of(find_wake(primitive)).unavailable;
  return why ? std::optional{"not available here: " + *why} : std::nullopt;
}

bool spins(const std::string& primitive) {
  return primitive != afresh && !takes_shares(primitive) && !find_wake(primitive).sleeps;
}

bool takes_shares(const std::string& primitive) {
  return std::find(loop_ways().begin(), loop_ways().end(), primitive) != loop_ways().end();
}

}  // namespace synchro::experiments::forkjoin
