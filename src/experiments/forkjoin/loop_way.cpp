#include "experiments/forkjoin/loop_way.hpp"

#ifdef SYNCHRO_HAS_TBB
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#endif

#include <atomic>
#include <chrono>
#include <thread>

#include "measure/asleep.hpp"
#include "platform/placement.hpp"
#include "synchro/pool/fork_join_pool.hpp"

namespace synchro::experiments::forkjoin {

namespace {

void loop_way_pin(const std::vector<unsigned>& cpus, unsigned i) {
  if (!cpus.empty()) static_cast<void>(platform::pin_this_thread(cpus[i % cpus.size()]));
}

class pool_loop final : public way {
 public:
  pool_loop(unsigned threads, const std::vector<unsigned>& cpus)
      : workers_{threads - 1}, pool_{threads, [this, cpus](unsigned i) {
                                       loop_way_pin(cpus, i);
                                       workers_.enter(i - 1);
                                     }} {}

  void settle() override { workers_.until_all_asleep(); }
  void run(const share& work) override {
    pool_.run(pool_.threads(), [&work](std::size_t i) { work(static_cast<unsigned>(i)); });
  }

 private:
  measure::watched_threads workers_;
  fork_join_pool pool_;
};

#ifdef SYNCHRO_HAS_TBB

/// Its workers leave the arena when they have looked for work in vain, and then sleep.
class tbb_loop final : public way {
 public:
  tbb_loop(unsigned threads, const std::vector<unsigned>& cpus)
      : threads_{threads},
        most_{tbb::global_control::max_allowed_parallelism, threads},
        arena_{static_cast<int>(threads), 1},
        presence_{arena_, cpus} {}

  void settle() override {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (presence_.workers() != 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::microseconds{50});
    std::this_thread::sleep_for(std::chrono::microseconds{50});  // from the arena to sleep
  }
  void run(const share& work) override {
    arena_.execute([&] { tbb::parallel_for(0U, threads_, work, tbb::simple_partitioner{}); });
  }

 private:
  static constexpr std::chrono::milliseconds patience{50};

  class presence : public tbb::task_scheduler_observer {
   public:
    presence(tbb::task_arena& arena, std::vector<unsigned> cpus)
        : task_scheduler_observer{arena}, cpus_{std::move(cpus)} {
      observe(true);
    }
    ~presence() override { observe(false); }
    void on_scheduler_entry(bool is_worker) override {
      if (!is_worker) return;
      loop_way_pin(cpus_, static_cast<unsigned>(tbb::this_task_arena::current_thread_index()));
      workers_.fetch_add(1, std::memory_order_relaxed);
    }
    void on_scheduler_exit(bool is_worker) override {
      if (is_worker) workers_.fetch_sub(1, std::memory_order_relaxed);
    }
    [[nodiscard]] int workers() const { return workers_.load(std::memory_order_relaxed); }

   private:
    std::vector<unsigned> cpus_;
    std::atomic<int> workers_{0};
  };

  unsigned threads_;
  tbb::global_control most_;
  tbb::task_arena arena_;
  presence presence_;
};

#endif

constexpr const char* of_the_house = "fork_join_pool";

}  // namespace

const std::vector<std::string>& loop_ways() {
#ifdef SYNCHRO_HAS_TBB
  static const std::vector<std::string> names{of_the_house, "tbb/parallel_for"};
#else
  static const std::vector<std::string> names{of_the_house};
#endif
  return names;
}

std::unique_ptr<way> make_loop_way(const std::string& name, unsigned threads, const std::vector<unsigned>& cpus) {
#ifdef SYNCHRO_HAS_TBB
  if (name != of_the_house) return std::make_unique<tbb_loop>(threads, cpus);
#else
  static_cast<void>(name);
#endif
  return std::make_unique<pool_loop>(threads, cpus);
}

}  // namespace synchro::experiments::forkjoin
