// The paper's thirteen calls, each by bare threads or a bare loop: free ones on many objects in turn, the others between
// threads of one processor, of which one sleeps.

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "../bare_thread.hpp"
#include "plain.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/wakes/event.hpp"

namespace {

using bare::now_ns;

constexpr int rounds = 200;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// The time when all stores have reached the cache: a processor that still has some behind it tells the time all the same, 150 ns
/// too early after 256 calls of pthread_mutex_lock.
double settled_ns() {
  static std::atomic<int> nothing{0};
  nothing.fetch_add(1);
  return now_ns();
}

/// act(object) on each of some objects in turn, then undo(object) on each: nanoseconds of one or of the other, as what 256 of
/// them take more than 128.
template <class Object, class Do, class Undo>
double each_of_many(int cpu, bool undoing, Do act, Undo undo) {
  struct alignas(64) place {
    Object object{};
  };
  constexpr std::size_t objects = 256, half = objects / 2;
  constexpr int passes = 2'000;
  const auto all = std::make_unique<std::array<place, objects>>();
  const auto time_of = [&](std::size_t n) {
    const std::span<place> some{all->data(), n};
    const double there = settled_ns();
#pragma GCC unroll 8
    for (place& p : some) act(p.object);
    const double between = settled_ns();
#pragma GCC unroll 8
    for (place& p : some) undo(p.object);
    const double back = settled_ns();
    return undoing ? back - between : between - there;
  };
  std::vector<double> of_half, of_all;
  if (!bare::pin(cpu)) return -1;
  for (int i = 0; i < passes; ++i) {
    of_half.push_back(time_of(half));
    of_all.push_back(time_of(objects));
  }
  return (median(of_all) - median(of_half)) / half;
}

double on_a_thread(double (*measured)(int, bool), int cpu, bool undoing) {
  double each = -1;
  std::thread{[&] { each = measured(cpu, undoing); }}.join();
  return each;
}

template <class Lock>
double free_lock(int cpu, bool undoing) {
  return each_of_many<Lock>(
      cpu, undoing, [](Lock& l) { l.lock(); }, [](Lock& l) { l.unlock(); });
}

double addition(int cpu, bool undoing) {
  using word = std::atomic<std::uint32_t>;
  return each_of_many<word>(
      cpu, undoing, [](word& w) { w.fetch_add(1); }, [](word& w) { w.fetch_sub(1); });
}

struct spin {
  spin() { pthread_spin_init(&it, PTHREAD_PROCESS_PRIVATE); }
  void lock() { pthread_spin_lock(&it); }
  void unlock() { pthread_spin_unlock(&it); }
  pthread_spinlock_t it;
};

template <int Sharing>
struct system_mutex {
  system_mutex() {
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setpshared(&how, Sharing);
    pthread_mutex_init(&it, &how);
  }
  void lock() { pthread_mutex_lock(&it); }
  void unlock() { pthread_mutex_unlock(&it); }
  pthread_mutex_t it;
};

/// What the system says a thread does.
class watched {
 public:
  explicit watched(long thread)
      : file_{open(("/proc/self/task/" + std::to_string(thread) + "/stat").c_str(), O_RDONLY | O_CLOEXEC)} {}
  ~watched() { close(file_); }
  watched(const watched&) = delete;
  watched& operator=(const watched&) = delete;

  void until_asleep() const {
    for (char text[256]; file_ >= 0; sched_yield()) {
      const ssize_t n = pread(file_, text, sizeof text, 0);
      if (n <= 0 || std::string(text, static_cast<std::size_t>(n)).find(") S ") != std::string::npos) return;
    }
  }

 private:
  int file_;
};

long own_number() { return syscall(SYS_gettid); }

/// Where the system allows it, nobody takes the processor from the thread.
void raise_priority() {
  sched_param most{};
  most.sched_priority = sched_get_priority_max(SCHED_FIFO);
  if (sched_setscheduler(0, SCHED_FIFO, &most) != 0) setpriority(PRIO_PROCESS, 0, -20);
}

using team = std::vector<long>;

/// play(i, numbers) on n threads of one processor, which begin together; false if one could not be pinned.
template <class Play>
bool on_one(int cpu, unsigned n, Play play) {
  pthread_barrier_t all_there;
  pthread_barrier_init(&all_there, nullptr, n);
  team numbers(n);
  std::atomic<bool> pinned{true};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != n; ++i)
    threads.emplace_back([&, i] {
      if (!bare::pin(cpu)) pinned = false;
      raise_priority();
      numbers[i] = own_number();
      pthread_barrier_wait(&all_there);
      play(i, numbers);
    });
  for (std::thread& t : threads) t.join();
  pthread_barrier_destroy(&all_there);
  return pinned;
}

struct times {
  explicit times(std::size_t n) : from(n), to(n) {}
  std::vector<double> from, to;

  [[nodiscard]] double each() const {
    std::vector<double> all(from.size());
    for (std::size_t i = 0; i != all.size(); ++i) all[i] = to[i] - from[i];
    return median(std::move(all));
  }
};

/// From before the unlock in one thread to the lock in the other that sleeps; `back`: from the second to the first.
template <class Mutex>
double mutex_handed(int cpu, bool back) {
  Mutex mutex;
  std::atomic<unsigned> owner{0};
  std::atomic<bool> begun{false};
  times seen[2] = {times{rounds}, times{rounds}};
  const bool pinned = on_one(cpu, 2, [&](unsigned me, const team& numbers) {
    const watched other{numbers[1 - me]};
    if (me == 0) mutex.lock(), begun = true;
    while (!begun) sched_yield();
    const auto take = [&](std::size_t r) {
      mutex.lock();
      seen[1 - me].to[r] = now_ns();
      owner = me;
    };
    for (std::size_t r = 0; r != rounds; ++r) {
      if (me == 1) take(r);
      other.until_asleep();
      seen[me].from[r] = now_ns();
      mutex.unlock();
      while (owner != 1 - me) sched_yield();
      if (me == 0) take(r);
    }
    if (me == 0) mutex.unlock();
  });
  return pinned ? seen[back ? 1 : 0].each() : -1;
}

template <int Shared>
struct semaphore {
  semaphore() { sem_init(&it, Shared, 0); }
  void post() { sem_post(&it); }
  void wait() {
    while (sem_wait(&it) != 0) {
    }
  }
  sem_t it;
};

/// From before a unit is released to when one of four that sleep has it; `back`: from before the first of the four releases
/// one to when the one who sleeps has all of theirs.
template <int Shared>
double units_handed(int cpu, bool back) {
  constexpr unsigned crowd = 4;
  semaphore<Shared> release, owned, go_back, returned;
  times one{rounds * crowd}, all{rounds};
  std::atomic<std::size_t> taken{0}, returning{0};
  std::atomic<bool> first{false};
  const auto lead = [&](const team& numbers) {
    std::vector<std::unique_ptr<watched>> others;
    for (unsigned i = 1; i <= crowd; ++i) others.push_back(std::make_unique<watched>(numbers[i]));
    const auto until_all_asleep = [&] {
      for (const auto& other : others) other->until_asleep();
    };
    for (std::size_t r = 0; r != rounds; ++r) {
      first = true;
      for (unsigned i = 0; i != crowd; ++i) {
        until_all_asleep();
        one.from[r * crowd + i] = now_ns();
        release.post();
        owned.wait();
      }
      until_all_asleep();
      for (unsigned i = 0; i != crowd; ++i) go_back.post();
      for (unsigned i = 0; i != crowd; ++i) returned.wait();
      all.to[r] = now_ns();
    }
  };
  const bool pinned = on_one(cpu, crowd + 1, [&](unsigned me, const team& numbers) {
    if (me == 0) return lead(numbers);
    const watched leader{numbers[0]};
    for (std::size_t r = 0; r != rounds; ++r) {
      release.wait();
      const double now = now_ns();
      one.to[taken++] = now;
      owned.post();
      go_back.wait();
      if (first.exchange(false)) {
        leader.until_asleep();
        all.from[r] = now_ns();
        returning = r + 1;
      } else {
        while (returning <= r) sched_yield();
      }
      returned.post();
    }
  });
  return pinned ? (back ? all : one).each() : -1;
}

class flag_event {
 public:
  void signal() {
    pthread_mutex_lock(&mutex_);
    set_ = true;
    pthread_cond_broadcast(&changed_);
    pthread_mutex_unlock(&mutex_);
  }
  void wait() {
    pthread_mutex_lock(&mutex_);
    while (!set_) pthread_cond_wait(&changed_, &mutex_);
    pthread_mutex_unlock(&mutex_);
  }
  void rearm() {
    pthread_mutex_lock(&mutex_);
    set_ = false;
    pthread_mutex_unlock(&mutex_);
  }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  bool set_ = false;
};

struct word_event {
  void signal() { it.set(); }
  void wait() { it.wait(); }
  void rearm() { it.reset(); }
  synchro::event it;
};

class counter_event {
 public:
  counter_event() : file_{eventfd(0, EFD_CLOEXEC)} {}
  ~counter_event() { close(file_); }
  counter_event(const counter_event&) = delete;
  counter_event& operator=(const counter_event&) = delete;
  void signal() { (void)!eventfd_write(file_, 1); }
  void wait() {
    eventfd_t n = 0;
    (void)!eventfd_read(file_, &n);
  }
  void rearm() {}

 private:
  int file_;
};

/// From before the signal in one thread to when the other, which sleeps, has seen it; both ways.
template <class Event>
double signalled(int cpu, bool) {
  Event there, back;
  times both{2 * rounds};
  const bool pinned = on_one(cpu, 2, [&](unsigned me, const team& numbers) {
    const watched other{numbers[1 - me]};
    Event &mine = me == 0 ? back : there, &others = me == 0 ? there : back;
    const auto recognize = [&](std::size_t i) {
      mine.wait();
      both.to[i] = now_ns();
      mine.rearm();
    };
    for (std::size_t r = 0; r != rounds; ++r) {
      if (me == 1) recognize(2 * r);
      other.until_asleep();
      both.from[2 * r + me] = now_ns();
      others.signal();
      if (me == 0) recognize(2 * r + 1);
    }
  });
  return pinned ? both.each() : -1;
}

/// The ends of threads as the system tells them by files.
void await_files(const std::vector<long>& numbers, semaphore<0>& let) {
  constexpr unsigned a_thread = O_EXCL;
  std::vector<pollfd> files;
  for (const long n : numbers) files.push_back({static_cast<int>(syscall(SYS_pidfd_open, n, a_thread)), POLLIN, 0});
  for (std::size_t i = 0; i != numbers.size(); ++i) let.post();
  const auto opened = std::count_if(files.begin(), files.end(), [](const pollfd& f) { return f.fd >= 0; });
  for (auto left = opened; left != 0;) {
    poll(files.data(), files.size(), -1);
    for (pollfd& f : files)
      if (f.fd >= 0 && f.revents != 0) close(f.fd), f.fd = -1, --left;
  }
}

/// From the last instruction of the last of so many threads to when the one who waits for them, asleep, has seen it.
template <unsigned Threads, bool ByFiles>
double ended(int cpu, bool) {
  constexpr std::size_t endings = 60;
  times seen{endings};
  const bool pinned = on_one(cpu, 1, [&](unsigned, const team& numbers) {
    for (std::size_t r = 0; r != endings; ++r) {
      semaphore<0> let, there;
      std::vector<long> own(Threads);
      std::vector<double> last(Threads);
      std::vector<std::thread> ending;
      for (unsigned i = 0; i != Threads; ++i)
        ending.emplace_back([&, i] {  // where the one who waits for it is, and with its priority
          const watched leader{numbers[0]};
          own[i] = own_number();
          there.post();
          let.wait();
          leader.until_asleep();
          last[i] = now_ns();
        });
      for (unsigned i = 0; i != Threads; ++i) there.wait();
      if constexpr (ByFiles)
        await_files(own, let), seen.to[r] = now_ns();
      else
        for (unsigned i = 0; i != Threads; ++i) let.post();
      for (std::thread& t : ending) t.join();
      if (!ByFiles) seen.to[r] = now_ns();
      seen.from[r] = *std::max_element(last.begin(), last.end());
    }
  });
  return pinned ? seen.each() : -1;
}

using measured = double (*)(int cpu, bool back);

plain::timed_call free_call(const char* call, const char* primitive, measured loop, bool back) {
  const bool is_called = std::string_view{primitive}.starts_with("pthread/");
  return {call, primitive, is_called ? plain::kind_of_call::called : plain::kind_of_call::inlined,
          [=](int cpu) { return on_a_thread(loop, cpu, back); }};
}
plain::timed_call waking(const char* call, const char* primitive, measured flow, bool back = false) {
  return {call, primitive, plain::kind_of_call::wakes, [=](int cpu) { return flow(cpu, back); }};
}

using own_mutex = system_mutex<PTHREAD_PROCESS_PRIVATE>;
using shared_mutex = system_mutex<PTHREAD_PROCESS_SHARED>;

/// Both ways of each pair of calls.
std::vector<plain::timed_call> both_ways() {
  std::vector<plain::timed_call> all;
  for (const bool back : {false, true}) {
    const auto either = [&](const char* one, const char* other) { return back ? other : one; };
    const char* const section = either("EnterCriticalSection", "LeaveCriticalSection");
    const char* const spins = either("Lock Spinlock", "Unlock Spinlock");
    const char* const mutexes = either("ReleaseMutex", "Waiting for Mutex");
    const char* const semaphores = either("ReleaseSemaphore", "Waiting for Semaphore");
    for (const plain::timed_call& c :
         {free_call(section, "pthread/mutex", free_lock<own_mutex>, back),
          free_call(section, "mutex", free_lock<synchro::mutex>, back),
          free_call(spins, "pthread/spin", free_lock<spin>, back),
          free_call(spins, "ttas", free_lock<synchro::ttas_lock>, back),
          free_call(either("Interlocked Increment", "Interlocked Decrement"), "std/atomic", addition, back),
          waking(mutexes, "pthread/mutex", mutex_handed<own_mutex>, back),
          waking(mutexes, "pthread/mutex_shared", mutex_handed<shared_mutex>, back),
          waking(mutexes, "mutex", mutex_handed<synchro::mutex>, back),
          waking(semaphores, "posix/sem", units_handed<0>, back),
          waking(semaphores, "posix/sem_shared", units_handed<1>, back)})
      all.push_back(c);
  }
  return all;
}

}  // namespace

const std::vector<plain::timed_call>& plain::timed_calls() {
  static const std::vector<timed_call> calls = [] {
    std::vector<timed_call> all = both_ways();
    for (const timed_call& c : {waking("SetEvent", "pthread/cond_event", signalled<flag_event>),
                                waking("SetEvent", "event", signalled<word_event>),
                                waking("SetEvent", "linux/eventfd", signalled<counter_event>),
                                waking("WaitForMultipleObjects", "pthread/join", ended<4, false>),
                                waking("WaitForMultipleObjects", "linux/pidfd", ended<4, true>),
                                waking("WaitForSingleObject", "pthread/join", ended<1, false>),
                                waking("WaitForSingleObject", "linux/pidfd", ended<1, true>)})
      all.push_back(c);
    return all;
  }();
  return calls;
}

const plain::timed_call* plain::timed_call_of(const std::string& call, const std::string& primitive) {
  for (const timed_call& c : timed_calls())
    if (c.call == call && c.primitive == primitive) return &c;
  return nullptr;
}
