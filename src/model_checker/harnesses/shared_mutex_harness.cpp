// The programs that try what shared_mutex offers beside lock and lock_shared, which its line of the catalog tries: upgradable,
// upgrade, downgrade, and the shared side with a deadline.

#include <array>
#include <chrono>
#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/shared_mutex.hpp"
#include "synchro/locks/tas.hpp"

namespace synchro::model_checker {

namespace {

template <class Machine, class Lock = basic_shared_mutex_lock<Machine>>
struct scene {
  Lock lock;
  explored::plain<std::uint32_t> count{0};
  explored::atomic<std::uint32_t> gone_up{0};
  std::array<explored::plain<std::uint32_t>, max_threads> entered{};  // each thread's own
};

constexpr std::chrono::nanoseconds patience{1};
constexpr auto for_ever = std::chrono::nanoseconds::max();
auto soon() { return explored::clock::now() + patience; }

void write(auto& s, unsigned t) {
  s.count = s.count + 1;
  s.entered[t] = s.entered[t] + 1;
}
void read(auto& s) { expect(s.count + 1 != 0, ""); }

void writes(auto& s, unsigned t) {
  s.lock.lock();
  write(s, t);
  s.lock.unlock();
}
void reads(auto& s, unsigned /*t*/) {
  s.lock.lock_shared();
  read(s);
  s.lock.unlock_shared();
}
void writes_then_reads_anew(auto& s, unsigned t) {
  writes(s, t);
  reads(s, t);
}
void tries(auto& s, unsigned t) {
  if (!s.lock.try_lock()) return;
  write(s, t);
  s.lock.unlock();
}
void writes_in_time(auto& s, unsigned t) {
  if (!(t == 0 ? s.lock.try_lock_until(soon()) : s.lock.try_lock_for(patience))) return;
  write(s, t);
  s.lock.unlock();
}
void reads_in_time(auto& s, unsigned t) {
  if (!(t == 0 ? s.lock.try_lock_shared_until(soon()) : s.lock.try_lock_shared_for(patience))) return;
  read(s);
  s.lock.unlock_shared();
}
void upgradable(auto& s, unsigned /*t*/) {
  s.lock.lock_upgrade();
  read(s);
  s.lock.unlock_upgrade();
}
/// Writes what it has read: nobody has written in between.
void upgrades(auto& s, unsigned t) {
  s.lock.lock_upgrade();
  const std::uint32_t seen = s.count;
  s.lock.unlock_upgrade_and_lock();
  expect(s.count == seen, "somebody wrote beside one who may upgrade");
  write(s, t);
  s.lock.unlock();
}
void upgrades_in_time(auto& s, unsigned t) {
  if (!(t == 0 ? s.lock.try_lock_upgrade_for(patience) : s.lock.try_lock_upgrade_until(soon()))) return;
  if (!(t == 0 ? s.lock.try_unlock_upgrade_and_lock_until(soon()) : s.lock.try_unlock_upgrade_and_lock_for(patience))) {
    read(s);
    return s.lock.unlock_upgrade();
  }
  write(s, t);
  s.lock.unlock();
}
/// Who has given up may upgrade still, and nobody else does before.
void upgrades_after_all(auto& s, unsigned t) {
  s.lock.lock_upgrade();
  const std::uint32_t seen = s.count;
  if (!s.lock.try_unlock_upgrade_and_lock_for(patience)) s.lock.unlock_upgrade_and_lock();
  expect(s.count == seen, "somebody wrote beside one who may upgrade");
  write(s, t);
  s.lock.unlock();
}
void tries_to_upgrade(auto& s, unsigned t) {
  if (!s.lock.try_lock_upgrade()) return;
  read(s);
  if (!s.lock.try_unlock_upgrade_and_lock()) return s.lock.unlock_upgrade_and_lock_shared(), s.lock.unlock_shared();
  write(s, t);
  s.lock.unlock();
}
void reads_then_writes(auto& s, unsigned t) {
  s.lock.lock_shared();
  const std::uint32_t seen = s.count;
  if (!s.lock.try_unlock_shared_and_lock()) return s.lock.unlock_shared();
  expect(s.count == seen, "somebody wrote beside a reader");
  write(s, t);
  s.lock.unlock();
}
void has_gone_up(auto& s, unsigned t) {
  s.gone_up.store(1, memory_order::relaxed);
  write(s, t);
  s.lock.unlock();
}
/// A writer waits for who has `upgradable`, or is the only reader, and does not stand in its way; the sign of the writer stays.
void upgrades_before_a_writer(auto& s, unsigned t) {
  s.lock.lock_upgrade();
  await_others();
  expect(s.lock.try_unlock_upgrade_and_lock(), "nobody reads, and it cannot upgrade");
  has_gone_up(s, t);
}
void reads_then_writes_before_a_writer(auto& s, unsigned t) {
  s.lock.lock_shared();
  await_others();
  expect(s.lock.try_unlock_shared_and_lock(), "the only reader cannot write");
  has_gone_up(s, t);
}
/// When the other has gone up: behind it, and behind the writer.
void reads_afterwards(auto& s, unsigned t) {
  explored::await(s.gone_up, memory_order::relaxed, [](std::uint32_t v) { return v == 1; });
  reads(s, t);
}
void writes_then_reads(auto& s, unsigned t) {
  s.lock.lock();
  write(s, t);
  const std::uint32_t mine = s.count;
  s.lock.unlock_and_lock_shared();
  expect(s.count == mine, "somebody wrote beside a reader");
  s.lock.unlock_shared();
}
/// Down and up again, and down as one who has upgraded.
void goes_down(auto& s, unsigned t) {
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

template <class Machine>
using part = void (*)(scene<Machine>&, unsigned);

template <class Machine>
program each_does(const std::string& name, std::vector<part<Machine>> parts) {
  stage<scene<Machine>> s{name, static_cast<unsigned>(parts.size())};
  s.does([parts](scene<Machine>& it, unsigned t) { parts[t](it, t); });
  s.then_checks([](scene<Machine>& it) {
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

template <class Machine>
program upgraded() {
  return each_does<Machine>("upgrade before a writer, then read", {upgrades_before_a_writer, reads_afterwards, writes});
}
template <class Machine>
program written_by_a_reader() {
  return each_does<Machine>("a reader writes before a writer, then read",
                            {reads_then_writes_before_a_writer, reads_afterwards, writes});
}

/// Who reads twice meets itself. From now on its processor has a word.
void meets_itself(scene<explored>& s) {
  s.lock.lock_shared();
  s.lock.lock_shared();
  s.lock.unlock_shared();
  s.lock.unlock_shared();
}

/// The same, and has come by that word often enough for the next writer to open it again.
void meets_itself_often(scene<explored>& s) {
  meets_itself(s);
  for (int i = 0; i != 2; ++i) reads(s, 0);
}

/// Readers have met when a writer comes, and meet again after it: who then comes by a word that others have opened has read of that
/// word long before.
program spread_again(const std::string& name, std::vector<part<explored>> parts,
                     void (*meet)(scene<explored>&) = meets_itself) {
  stage<scene<explored>> s{name, static_cast<unsigned>(parts.size())};
  s.warms_up([meet](scene<explored>& it, unsigned t) {
    if (t == 0) meet(it);
  });
  s.does([parts](scene<explored>& it, unsigned t) { parts[t](it, t); });
  s.then_checks([](scene<explored>& it) {
    expect(it.lock.try_lock(), "a lock that nobody has is not free");
    it.lock.unlock();
  });
  return s.done();
}

/// What the words of two processors hold, and what is learnt of it: each thread has a processor, and opens its word and no other.
program counted_apart() {
  using count = detail::spread_count<explored>;
  struct words {
    count first, second;
    explored::atomic<std::uint32_t> next{0};
    static bool comes(count& c) { return c.add(count::a_reader, memory_order::acquire); }
    static bool leaves(count& c) { return c.add(count::one_less, memory_order::release); }
    void are_open_to(unsigned t) {
      expect(next.load(memory_order::acquire) == t, "the one warms up before the other");
      expect(!comes(first) && !comes(second), "a reader counts in a word that nobody has opened");
      (t == 0 ? first : second).open();
      expect(comes(first) == (t == 0) && comes(second) == (t == 1), "another word was opened");
    }
  };
  stage<words> s{"counts of two processors", 2};
  s.warms_up([](words& it, unsigned t) {
    it.are_open_to(t);
    if (t == 0) {
      expect(words::comes(it.first), "a word is closed that was open");
      return it.next.store(1, memory_order::release);
    }
    it.first.open();
    expect(words::leaves(it.first) && words::leaves(it.first), "a word is closed that was opened");
  });
  s.does([](words& it, unsigned t) {
    if (t == 0) expect(words::comes(it.first), "the word that was open before is closed");
  });
  s.cools_down([](words& it, unsigned t) {
    if (t == 0) return expect(!words::comes(it.second), "another processor's word is open");
    expect(it.first.close() == 1 && it.first.patience() == 0, "three have come and two have left");
    expect(!words::comes(it.first) && !words::leaves(it.first), "a word is open that was closed");
    expect(it.second.close() == 1 && it.second.patience() == 0, "one has come");
    for (int i = 0; i != 2; ++i) {
      it.second.open();
      expect(it.second.close() == 0 && it.second.patience() == 1, "nobody has come, and there is no more patience");
    }
    it.second.open();
    expect(words::leaves(it.second) && it.second.close() == -1U && it.second.patience() == 1, "one more has left");
    it.second.open();
    expect(words::comes(it.second) && it.second.close() == 1 && it.second.patience() == 0, "patience stays");
  });
  return s.done();
}

/// Both have met another, one in the words of each: who writes waits for the readers of both.
program met_on_two_processors() {
  stage<scene<explored>> s{"met on two processors", 2};
  s.warms_up([](scene<explored>& it, unsigned t) {
    if (t == 0) meets_itself(it);
    it.lock.lock_shared();
  });
  s.does([](scene<explored>& it, unsigned t) {
    read(it);
    if (t == 1) expect(!it.lock.try_lock() && !it.lock.try_lock(), "one writes beside readers");
  });
  s.cools_down([](scene<explored>& it, unsigned t) {
    it.lock.unlock_shared();
    expect(it.lock.try_lock() == (t == 1), "one writes beside a reader, or cannot though there is none");
    if (t == 1) it.lock.unlock();
  });
  return s.done();
}

/// Nobody else is there, and the words are open: it can be had in each way at once.
program alone_where_readers_met() {
  stage<scene<explored>> s{"alone where readers have met", 1};
  s.does([](scene<explored>& it, unsigned t) {
    meets_itself_often(it);
    it.lock.lock();
    it.lock.unlock_and_lock_upgrade();
    expect(it.lock.try_unlock_upgrade_and_lock(), "nobody reads, and it cannot upgrade");
    it.lock.unlock();
    meets_itself(it);
    it.lock.lock_shared();
    expect(it.lock.try_unlock_shared_and_lock(), "the only reader cannot write");
    write(it, t);
    it.lock.unlock();
    meets_itself(it);
    expect(it.lock.try_lock(), "a lock that nobody has is not free");
    it.lock.unlock_and_lock_shared();
    expect(!it.lock.try_lock() && it.lock.try_lock_upgrade(), "nobody writes, and one may not upgrade");
    expect(!it.lock.try_unlock_upgrade_and_lock(), "one upgrades beside a reader");
    it.lock.unlock_shared();
    expect(it.lock.try_unlock_upgrade_and_lock(), "nobody reads, and it cannot upgrade");
    it.lock.unlock();
    meets_itself(it);
    expect(it.lock.try_lock_upgrade() && it.lock.try_unlock_upgrade_and_lock(), "nobody reads, and it cannot upgrade");
    it.lock.unlock();
  });
  return s.done();
}

/// A writer stays: nobody comes in, and nobody may upgrade, by a try or in time.
program tried_beside_a_writer() {
  stage<scene<explored>> s{"tried beside a writer who stays", 2};
  s.warms_up([](scene<explored>& it, unsigned t) {
    if (t == 1) it.lock.lock();
  });
  s.does([](scene<explored>& it, unsigned t) {
    if (t == 1) return;
    auto& lock = it.lock;
    expect(!lock.try_lock() && !lock.try_lock_for(patience), "two write");
    expect(!lock.try_lock_shared() && !lock.try_lock_shared_for(patience), "one reads beside a writer");
    expect(!lock.try_lock_upgrade() && !lock.try_lock_upgrade_for(patience), "one may upgrade beside a writer");
  });
  s.cools_down([](scene<explored>& it, unsigned t) {
    if (t == 1) it.lock.unlock();
  });
  s.then_checks([](scene<explored>& it) {
    expect(it.lock.try_lock_shared() && it.lock.try_lock_shared(), "nobody writes, and one cannot read");
    it.lock.unlock_shared();
    it.lock.unlock_shared();
    expect(it.lock.try_lock(), "a lock that nobody has is not free"), it.lock.unlock();
  });
  return s.done();
}

/// Whoever has time without end is let in, from one side to the other, too.
program given_all_the_time() {
  stage<scene<explored>> s{"given all the time", 2};
  s.warms_up([](scene<explored>& it, unsigned t) {
    if (t == 1) it.lock.lock_shared();
  });
  s.does([](scene<explored>& it, unsigned t) {
    if (t == 0) {
      expect(it.lock.try_lock_for(for_ever), "a writer gives up before the deadline");
      write(it, t);
      it.lock.unlock_and_lock_upgrade();
      expect(it.lock.try_unlock_upgrade_and_lock_for(for_ever), "one who upgrades gives up before the deadline");
      write(it, t);
      return it.lock.unlock();
    }
    await_others();
    it.lock.unlock_shared();
    expect(it.lock.try_lock_shared_for(for_ever), "a reader gives up before the deadline");
    read(it);
    it.lock.unlock_shared();
    expect(it.lock.try_lock_upgrade_for(for_ever), "one who may upgrade gives up before the deadline");
    read(it);
    it.lock.unlock_upgrade();
  });
  return s.done();
}

/// On this machine readers who are counted apart stand for 16 in the state. Fewer than half as many come or leave by it.
constexpr unsigned half_of_spread = 8;

/// Readers have met on one processor only, and come there by its word; more than half of the number leave on the other: a writer
/// knows of the words still.
program left_where_none_came() {
  constexpr unsigned more_than_half = half_of_spread + 3;  // the two that met came by the state
  stage<scene<explored>> s{"leave where none came", 2};
  s.warms_up([](scene<explored>& it, unsigned t) {
    if (t != 0) return;
    meets_itself(it);
    for (unsigned i = 0; i != more_than_half; ++i) it.lock.lock_shared();
  });
  s.does([](scene<explored>& it, unsigned t) {
    if (t == 0) return;
    for (unsigned i = 0; i != more_than_half; ++i) it.lock.unlock_shared();
    writes(it, t);
  });
  return s.done();
}

/// Fewer than half of the number come by the state, beside one who may upgrade, so that nobody spreads: they are not taken for readers
/// who are counted apart.
program many_come_by_the_state() {
  stage<scene<explored>> s{"many come by the state", 1};
  s.does([](scene<explored>& it, unsigned) {
    it.lock.lock_upgrade();
    for (unsigned i = 0; i != half_of_spread - 2; ++i) it.lock.lock_shared();
    expect(!it.lock.try_lock() && !it.lock.try_unlock_upgrade_and_lock(), "one writes beside readers");
    for (unsigned i = 0; i != half_of_spread - 2; ++i) it.lock.unlock_shared();
    expect(it.lock.try_unlock_upgrade_and_lock(), "nobody reads, and it cannot upgrade");
    it.lock.unlock();
  });
  return s.done();
}

/// Each writer opens the words as it leaves, or may; the last one destroys the lock.
program destroyed_where_readers_met() {
  struct mortal_scene {
    const world::extent from = world::current().made();
    scene<explored> it;
    const world::extent to = world::current().made();
    explored::plain<std::uint32_t> been{0};
    explored::plain<bool> destroyed{false};
  };
  stage<mortal_scene> s{"destroyed by the last, where readers have met", 2};
  s.warms_up([](mortal_scene& all, unsigned t) {
    if (t == 0) meets_itself_often(all.it);
  });
  s.does([](mortal_scene& all, unsigned) {
    all.it.lock.lock();
    all.been = all.been + 1;
    const bool is_last = all.been == 2;
    all.it.lock.unlock();
    if (!is_last) return;
    all.destroyed = true;
    world::current().bury(all.from, all.to);
  });
  s.then_checks([](mortal_scene& all) { expect(all.destroyed, "nobody was the last"); });
  return s.done();
}

/// Its words are given back.
program ends_where_readers_met() {
  stage<scene<explored>> s{"ends where readers have met", 1};
  s.does([](scene<explored>& it, unsigned) { meets_itself(it); });
  s.with().counts_nodes = true;
  return s.done();
}

/// A writer waits for a reader, and gives up: the sign that is up then is the next writer's, who keeps out a reader that comes back.
template <class Lock>
program write_given_up() {
  stage<scene<explored, Lock>> s{"write given up beside a writer", 3};
  s.warms_up([](scene<explored, Lock>& it, unsigned t) {
    if (t == 1) it.lock.lock_shared();
  });
  s.does([](scene<explored, Lock>& it, unsigned t) {
    if (t == 0) return writes_in_time(it, t);
    if (t == 1) {
      it.lock.unlock_shared();
      return reads_afterwards(it, t);
    }
    it.lock.lock();
    it.gone_up.store(1, memory_order::relaxed);
    await_others();
    write(it, t);
    it.lock.unlock();
  });
  return s.done();
}

/// The other reads when it comes, and then upgrades, too: who has given up meanwhile still is the one who may.
template <class Lock>
program upgraded_after_all() {
  stage<scene<explored, Lock>> s{"upgrade after all beside one who has read", 2};
  s.warms_up([](scene<explored, Lock>& it, unsigned t) {
    if (t == 1) it.lock.lock_shared();
  });
  s.does([](scene<explored, Lock>& it, unsigned t) {
    if (t == 0) return upgrades_after_all(it, t);
    it.lock.unlock_shared();
    upgrades(it, t);
  });
  s.then_checks([](scene<explored, Lock>& it) { expect(it.count == 2, "a section was lost"); });
  return s.done();
}

/// A reader stays: who would upgrade gives up, by either kind of deadline, and is as it was.
program upgrade_given_up() {
  using reading = scene<explored>;
  stage<reading> s{"upgrade in time beside a reader who stays", 2};
  s.warms_up([](reading& it, unsigned t) {
    if (t == 1) it.lock.lock_shared();
  });
  s.does([](reading& it, unsigned t) {
    if (t == 1) return read(it);
    it.lock.lock_upgrade();
    expect(!it.lock.try_unlock_upgrade_and_lock_for(patience) && !it.lock.try_unlock_upgrade_and_lock_until(soon()),
           "one upgrades beside a reader");
    read(it);
    it.lock.unlock_upgrade();
  });
  s.cools_down([](reading& it, unsigned t) {
    if (t == 1) it.lock.unlock_shared();
  });
  s.then_checks([](reading& it) { expect(it.lock.try_lock(), "a sign was left"), it.lock.unlock(); });
  return s.done();
}

/// Who upgrades waits for a reader who stays, and another reader, who comes meanwhile, gives up or comes in first.
program read_beside_an_upgrade() {
  stage<scene<explored>> s{"reader in time beside one who upgrades", 3};
  s.warms_up([](scene<explored>& it, unsigned t) {
    if (t == 0) it.lock.lock_upgrade();
    if (t == 1) it.lock.lock_shared();
  });
  s.does([](scene<explored>& it, unsigned t) {
    if (t == 1) {
      await_others();
      return it.lock.unlock_shared();
    }
    if (t == 2) {
      if (!it.lock.try_lock_shared_for(patience)) return;
      read(it);
      return it.lock.unlock_shared();
    }
    it.lock.unlock_upgrade_and_lock();
    write(it, t);
    it.lock.unlock();
  });
  s.then_checks([](scene<explored>& it) { expect(it.lock.try_lock(), "a sign was left"), it.lock.unlock(); });
  return s.done();
}

/// The machine on which an upgrade takes the sign of a writer that waits away, so that readers come in beside that writer.
struct forgets_who_waits : explored {
  static constexpr std::uint32_t writer = 0x8000'0000;
  static constexpr std::uint32_t upgrading = 0x4000'0000;

  template <class T, class F>
  static updated<T> update(atomic<T>& word, F f, order success, order failure) {
    const auto without_the_sign = [f](T v) {
      const attempt<T> said = f(v);
      const bool upgrades = said.writes() && (said.value() & ~v & upgrading) != 0;
      return upgrades ? attempt<T>::write(said.value() & ~writer) : said;
    };
    return explored::update(word, without_the_sign, success, failure);
  }
};

/// Who gives up an upgrade has given up being upgradable, too.
struct gives_up_too_much : basic_shared_mutex_lock<explored> {
  bool try_unlock_upgrade_and_lock_for(std::chrono::nanoseconds time) {
    if (basic_shared_mutex_lock<explored>::try_unlock_upgrade_and_lock_for(time)) return true;
    unlock_upgrade();
    return false;
  }
};

/// A small one, whose writer gives up the door before it takes its sign down, which is the next one's by then.
class takes_a_sign_down_late {
 public:
  void lock() {
    door_.lock();
    if (state_.fetch_or(writer, memory_order::acquire) != 0) explored::await(state_, memory_order::acquire, alone);
  }
  bool try_lock_until(explored::deadline until) {
    if (!door_.try_lock_until(until)) return false;
    if (state_.fetch_or(writer, memory_order::acquire) == 0) return true;
    if (explored::await_until(state_, memory_order::acquire, alone, until)) return true;
    door_.unlock();
    state_.fetch_and(~writer, memory_order::release);
    return false;
  }
  bool try_lock_for(std::chrono::nanoseconds time) { return try_lock_until(explored::clock::now() + time); }
  void unlock() {
    state_.fetch_and(~writer, memory_order::release);
    door_.unlock();
  }
  void lock_shared() {
    const auto one_more = [](std::uint32_t v) {
      using answer = attempt<std::uint32_t>;
      return (v & writer) == 0 ? answer::write(v + 1) : answer::decline();
    };
    if (explored::update(state_, one_more, memory_order::acquire, memory_order::relaxed).written) return;
    door_.lock();
    state_.fetch_add(1, memory_order::acquire);
    door_.unlock();
  }
  void unlock_shared() { state_.fetch_sub(1, memory_order::release); }

 private:
  static constexpr std::uint32_t writer = 0x8000'0000;
  static bool alone(std::uint32_t v) { return v == writer; }

  basic_tas_lock<explored, spin> door_;
  explored::atomic<std::uint32_t> state_{0};
};

}  // namespace

void add_shared_mutex(subjects& to);
void add_shared_mutex(subjects& to) {
  std::vector<check> all;
  const auto add = [&all](const std::string& name, std::vector<part<explored>> parts) {
    const depth how_far = parts.size() > 2 ? depth::as_far_as_fits : depth::exhausted;
    all.push_back({each_does<explored>(name, std::move(parts)), how_far});
  };
  add("two upgrade", {upgrades, upgrades});
  add("upgrade beside a reader", {upgrades, reads});
  add("upgrade beside a writer", {upgrades, writes});
  add("upgradable beside an upgrade", {upgradable, upgrades});
  add("upgrade in time", {upgrades_in_time, reads});
  add("upgrade in time beside an upgradable", {upgradable, upgrades_in_time});
  add("try to upgrade", {tries_to_upgrade, reads});
  add("try to upgrade beside an upgradable", {tries_to_upgrade, upgradable});
  add("try beside an upgradable", {tries, upgradable});
  add("two readers would write", {reads_then_writes, reads_then_writes});
  add("a reader would write beside a writer", {reads_then_writes, writes});
  add("downgrade beside a writer", {writes_then_reads, writes});
  add("downgrade beside a reader", {writes_then_reads, reads});
  add("down and up beside a reader", {goes_down, reads});
  add("down and up beside a writer", {goes_down, writes});
  add("shared in time", {reads_in_time, writes});
  add("alone in time", {writes_in_time, reads});
  add("upgrade, read, write", {upgrades, reads, writes});
  add("upgrade, read in time, write in time", {upgrades, reads_in_time, writes_in_time});
  add("upgrade in time, read, write", {upgrades_in_time, reads, writes});
  add("would write, upgradable, write", {reads_then_writes, upgradable, writes});
  add("write in time between readers", {reads, writes_in_time, reads});
  all.push_back(
      {each_does<explored>("upgrade after all, read, upgrade", {upgrades_after_all, reads, upgrades}), depth::widened});
  all.push_back({spread_again("reads while another opens its word", {reads, reads}), depth::exhausted});
  all.push_back(
      {spread_again("writes, then reads, beside a reader", {writes_then_reads_anew, reads}), depth::exhausted});
  all.push_back(
      {spread_again("writes, then reads, beside two", {writes_then_reads_anew, reads, reads}), depth::as_far_as_fits});
  all.push_back({spread_again("tries beside readers that have met", {reads, reads, tries}), depth::as_far_as_fits});
  all.push_back(
      {spread_again("upgrades beside readers that have met", {reads, upgrades, reads}), depth::as_far_as_fits});
  all.push_back({spread_again("writes as the only reader, after a try", {reads_then_writes, tries, reads}),
                 depth::as_far_as_fits});
  all.push_back({spread_again("opens the words as it leaves, beside a reader", {writes, reads}, meets_itself_often),
                 depth::exhausted});
  all.push_back({spread_again("opens the words as it leaves, beside two", {writes, reads, reads}, meets_itself_often),
                 depth::as_far_as_fits});
  all.push_back({spread_again("goes down where the words were open", {writes_then_reads, writes}, meets_itself_often),
                 depth::exhausted});
  all.push_back({counted_apart(), depth::exhausted});
  all.push_back({met_on_two_processors(), depth::exhausted});
  all.push_back({alone_where_readers_met(), depth::exhausted});
  all.push_back({ends_where_readers_met(), depth::exhausted});
  all.push_back({left_where_none_came(), depth::exhausted});
  all.push_back({many_come_by_the_state(), depth::exhausted});
  all.push_back({destroyed_where_readers_met(), depth::exhausted});
  all.push_back({tried_beside_a_writer(), depth::exhausted});
  all.push_back({given_all_the_time(), depth::exhausted});
  all.push_back({upgrade_given_up(), depth::exhausted});
  all.push_back({read_beside_an_upgrade(), depth::exhausted});
  all.push_back({upgraded_after_all<basic_shared_mutex_lock<explored>>(), depth::exhausted});
  all.push_back({write_given_up<basic_shared_mutex_lock<explored>>(), depth::widened});
  all.push_back({upgraded<explored>(), depth::exhausted});
  all.push_back({written_by_a_reader<explored>(), depth::exhausted});
  to.push_back({"shared_mutex/upgrade", "synchro/locks/shared_mutex.hpp", std::move(all)});
}

void add_seeded_shared_mutex(subjects& to);
void add_seeded_shared_mutex(subjects& to) {
  using machine = forgets_who_waits;
  to.push_back(seeded("upgrade_that_forgets_who_waits", upgraded<machine>()));
  to.push_back(seeded("reader_that_forgets_who_waits", written_by_a_reader<machine>()));
  to.push_back(seeded("writer_that_takes_a_sign_down_late", write_given_up<takes_a_sign_down_late>()));
  to.push_back(seeded("upgrade_given_up_with_its_right", upgraded_after_all<gives_up_too_much>()));
}

}  // namespace synchro::model_checker
