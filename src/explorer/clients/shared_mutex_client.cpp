// The programs that try what shared_mutex offers beside lock and lock_shared, which its line of the catalog tries: upgradable,
// upgrade, downgrade, and the shared side with a deadline.

#include <array>
#include <chrono>
#include <string>

#include "explorer/clients/stage.hpp"
#include "explorer/subject.hpp"
#include "synchro/locks/shared_mutex.hpp"

namespace synchro::explorer {

namespace {

struct scene {
  basic_shared_mutex_lock<explored> lock;
  explored::plain<std::uint32_t> count{0};
  std::array<explored::plain<std::uint32_t>, max_threads> entered{};  // each thread's own
};

constexpr std::chrono::nanoseconds patience{1};

void write(scene& s, unsigned t) {
  s.count = s.count + 1;
  s.entered[t] = s.entered[t] + 1;
}
void read(scene& s) { expect(s.count + 1 != 0, ""); }

void writes(scene& s, unsigned t) {
  s.lock.lock();
  write(s, t);
  s.lock.unlock();
}
void reads(scene& s, unsigned /*t*/) {
  s.lock.lock_shared();
  read(s);
  s.lock.unlock_shared();
}
void tries(scene& s, unsigned t) {
  if (!s.lock.try_lock()) return;
  write(s, t);
  s.lock.unlock();
}
void writes_in_time(scene& s, unsigned t) {
  if (!s.lock.try_lock_for(patience)) return;
  write(s, t);
  s.lock.unlock();
}
void reads_in_time(scene& s, unsigned /*t*/) {
  if (!s.lock.try_lock_shared_for(patience)) return;
  read(s);
  s.lock.unlock_shared();
}
void upgradable(scene& s, unsigned /*t*/) {
  s.lock.lock_upgrade();
  read(s);
  s.lock.unlock_upgrade();
}
/// Writes what it has read: nobody has written in between.
void upgrades(scene& s, unsigned t) {
  s.lock.lock_upgrade();
  const std::uint32_t seen = s.count;
  s.lock.unlock_upgrade_and_lock();
  expect(s.count == seen, "somebody wrote beside one who may upgrade");
  write(s, t);
  s.lock.unlock();
}
void upgrades_in_time(scene& s, unsigned t) {
  if (!s.lock.try_lock_upgrade_for(patience)) return;
  if (!s.lock.try_unlock_upgrade_and_lock_until(explored::clock::now() + patience)) {
    read(s);
    return s.lock.unlock_upgrade();
  }
  write(s, t);
  s.lock.unlock();
}
void tries_to_upgrade(scene& s, unsigned t) {
  if (!s.lock.try_lock_upgrade()) return;
  read(s);
  if (!s.lock.try_unlock_upgrade_and_lock()) return s.lock.unlock_upgrade_and_lock_shared(), s.lock.unlock_shared();
  write(s, t);
  s.lock.unlock();
}
void reads_then_writes(scene& s, unsigned t) {
  s.lock.lock_shared();
  const std::uint32_t seen = s.count;
  if (!s.lock.try_unlock_shared_and_lock()) return s.lock.unlock_shared();
  expect(s.count == seen, "somebody wrote beside a reader");
  write(s, t);
  s.lock.unlock();
}
void writes_then_reads(scene& s, unsigned t) {
  s.lock.lock();
  write(s, t);
  const std::uint32_t mine = s.count;
  s.lock.unlock_and_lock_shared();
  expect(s.count == mine, "somebody wrote beside a reader");
  s.lock.unlock_shared();
}
/// Down and up again, and down as one who has upgraded.
void goes_down(scene& s, unsigned t) {
  s.lock.lock();
  write(s, t);
  s.lock.unlock_and_lock_upgrade();
  s.lock.unlock_upgrade_and_lock();
  write(s, t);
  s.lock.unlock_and_lock_upgrade();
  read(s);
  s.lock.unlock_upgrade_and_lock();
  write(s, t);
  s.lock.unlock_and_lock_shared();
  read(s);
  s.lock.unlock_shared();
}

using part = void (*)(scene&, unsigned);

program each_does(const std::string& name, std::vector<part> parts) {
  stage<scene> s{name, static_cast<unsigned>(parts.size())};
  s.does([parts](scene& it, unsigned t) { parts[t](it, t); });
  s.then_checks([](scene& it) {
    std::uint32_t sum = 0;
    for (auto& each : it.entered) sum += each;
    expect(it.count == sum, "the sections counted and those entered differ");
    expect(it.lock.try_lock(), "a lock that nobody has is not free");
    it.lock.unlock();
    expect(it.lock.try_lock_upgrade() && it.lock.try_unlock_upgrade_and_lock(),
           "nobody is there, and it cannot upgrade");
    it.lock.unlock_and_lock_shared();
    expect(it.lock.try_unlock_shared_and_lock(), "the only reader cannot write");
    it.lock.unlock();
  });
  return s.done();
}

}  // namespace

void add_shared_mutex(subjects& to);
void add_shared_mutex(subjects& to) {
  std::vector<check> all;
  const auto add = [&all](const std::string& name, std::vector<part> parts) {
    const depth how_far = parts.size() > 2 ? depth::as_far_as_fits : depth::exhausted;
    all.push_back({each_does(name, std::move(parts)), how_far});
  };
  add("two upgrade", {upgrades, upgrades});
  add("upgrade beside a reader", {upgrades, reads});
  add("upgrade beside a writer", {upgrades, writes});
  add("upgradable beside an upgrade", {upgradable, upgrades});
  add("upgrade in time", {upgrades_in_time, reads});
  add("upgrade in time beside an upgradable", {upgrades_in_time, upgradable});
  add("try to upgrade", {tries_to_upgrade, reads});
  add("try beside an upgradable", {tries, upgradable});
  add("two readers would write", {reads_then_writes, reads_then_writes});
  add("a reader would write beside a writer", {reads_then_writes, writes});
  add("downgrade beside a writer", {writes_then_reads, writes});
  add("downgrade beside a reader", {writes_then_reads, reads});
  add("down and up beside a reader", {goes_down, reads});
  add("down and up beside a writer", {goes_down, writes});
  add("shared in time", {writes, reads_in_time});
  add("alone in time", {writes_in_time, reads});
  add("upgrade, read, write", {upgrades, reads, writes});
  add("upgrade, read in time, write in time", {upgrades, reads_in_time, writes_in_time});
  add("upgrade in time, read, write", {upgrades_in_time, reads, writes});
  add("would write, upgradable, write", {reads_then_writes, upgradable, writes});
  add("write in time between readers", {reads, writes_in_time, reads});
  to.push_back({"shared_mutex/upgrade", "synchro/locks/shared_mutex.hpp", std::move(all)});
}

}  // namespace synchro::explorer
