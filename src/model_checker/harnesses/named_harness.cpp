// The programs that try a lock with a name: it is the lock that it is made of, in each way in, and its hook is told of who waits and
// of how each wait has ended, and of nobody else.

#include <chrono>
#include <string>
#include <string_view>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/shared_mutex.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/named.hpp"

namespace synchro::model_checker {

namespace {

constexpr std::string_view given = "door";
constexpr std::chrono::nanoseconds patience{1};

/// What it was told, of all threads.
class told {
 public:
  void waits(const char* name, const void* lock) {
    expect(name == given && lock != nullptr, "a hook was told of another lock");
    waiting_.fetch_add(1, memory_order::relaxed);
  }
  void waited(const char* name, const void* lock, bool taken) {
    expect(name == given && lock != nullptr, "a hook was told of another lock");
    (taken ? got_ : gave_up_).fetch_add(1, memory_order::relaxed);
    waiting_.fetch_sub(1, memory_order::relaxed);
  }
  /// When all have gone: who failed has waited in vain, and nobody else has.
  void expect_failed(std::uint32_t failed) const {
    expect(waiting_.load(memory_order::relaxed) == 0, "a hook was not told of the end of a wait");
    expect(gave_up_.load(memory_order::relaxed) == failed,
           "a hook was told that one failed who did not, or not of one");
  }
  [[nodiscard]] std::uint32_t got() const { return got_.load(memory_order::relaxed); }

 private:
  explored::atomic<std::uint32_t> waiting_{0}, got_{0}, gave_up_{0};
};

using shared = basic_shared_mutex_lock<explored, spin_park>;

template <class Lock>
struct behind_a_name {
  Lock lock{given.data()};
  explored::plain<std::uint32_t> count{0};
  std::array<explored::plain<std::uint32_t>, 2> failed{};

  /// With the lock, or without it if it was not got in time.
  void write(bool taken, unsigned t) {
    if (!taken) return static_cast<void>(failed[t] = failed[t] + 1);
    count = count + 1;
    lock.unlock();
  }
  void read(bool taken, unsigned t) {
    if (!taken) return static_cast<void>(failed[t] = failed[t] + 1);
    expect(count <= 2, "a section was doubled");
    lock.unlock_shared();
  }
};

using scene = behind_a_name<named<shared, told>>;
using way_in = void (*)(scene&, unsigned);

void locks(scene& it, unsigned t) { it.lock.lock(), it.write(true, t); }
void waits_for(scene& it, unsigned t) { it.write(it.lock.try_lock_for(patience), t); }
void waits_until(scene& it, unsigned t) { it.write(it.lock.try_lock_until(explored::clock::now() + patience), t); }
void reads(scene& it, unsigned t) { it.lock.lock_shared(), it.read(true, t); }
void reads_for(scene& it, unsigned t) { it.read(it.lock.try_lock_shared_for(patience), t); }
void reads_until(scene& it, unsigned t) {
  it.read(it.lock.try_lock_shared_until(explored::clock::now() + patience), t);
}

program beside(const std::string& name, way_in first, way_in second) {
  stage<scene> s{"named, " + name, 2};
  s.does([=](scene& it, unsigned t) { (t == 0 ? first : second)(it, t); });
  s.then_checks([](scene& it) {
    const std::uint32_t failed = it.failed[0] + it.failed[1];
    it.lock.hook().expect_failed(failed);
    expect(std::as_const(it.lock).hook().got() <= 1, "the first to come has waited");
    expect(it.lock.name() == given && it.count + failed <= 2, "a section was doubled, or a name is another");
  });
  return s.done();
}

/// Alone nobody waits, and nobody is told.
program by_itself() {
  stage<scene> s{"named, alone", 1};
  s.does([](scene& it, unsigned t) {
    for (const way_in each : {locks, waits_for, reads, reads_for, reads_until}) each(it, t);
  });
  s.then_checks([](scene& it) {
    it.lock.hook().expect_failed(0);
    expect(it.lock.hook().got() == 0 && it.count == 2, "a hook was told of one who did not wait");
  });
  return s.done();
}

/// Without a hook there is nothing but the name.
program without_a_hook() {
  using plain_scene = behind_a_name<named<basic_ticket_lock<explored, spin>>>;
  stage<plain_scene> s{"named, without a hook", 2};
  s.does([](plain_scene& it, unsigned t) { it.lock.lock(), it.write(true, t); });
  s.then_checks([](plain_scene& it) { expect(it.count == 2 && it.lock.name() == given, "a section was lost"); });
  return s.done();
}

}  // namespace

void add_named(subjects& to);
void add_named(subjects& to) {
  subject made{"named", "synchro/named.hpp", {}};
  for (program& p : std::vector{
           beside("lock beside lock", locks, locks), beside("lock in time beside lock", waits_for, locks),
           beside("read beside lock", reads, locks), beside("read in time beside lock", reads_for, locks),
           beside("read by a moment beside lock by a moment", reads_until, waits_until), by_itself(), without_a_hook()})
    made.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(made));
}

}  // namespace synchro::model_checker
