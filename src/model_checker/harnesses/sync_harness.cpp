// The programs that try what is smaller than a lock or stands on one: semaphore, latch, barrier, event count, once, sequence
// lock, recursive. What was done before a release, an arrival or a notification is written to plain fields: whoever goes on
// because of it reads them, so a missing order is a data race and a lost wake-up a deadlock.

#include <array>
#include <chrono>
#include <string>
#include <utility>

#include "model_checker/harnesses/mortal.hpp"
#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/detail/first_ticket.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/recursive.hpp"
#include "synchro/sync/barrier.hpp"
#include "synchro/sync/counting_semaphore.hpp"
#include "synchro/sync/event_count.hpp"
#include "synchro/sync/latch.hpp"
#include "synchro/sync/once.hpp"
#include "synchro/sync/seqlock.hpp"

namespace synchro::model_checker {

namespace {

using number = explored::plain<std::uint32_t>;
constexpr std::chrono::nanoseconds patience{1};

depth fits(unsigned threads) { return threads > 2 ? depth::as_far_as_fits : depth::exhausted; }

/// Who has been let go destroys the object: to let that one go is the last that `lets_go` does with it.
template <class Object, class LetsGo, class Waits, class... Arguments>
program destroyed_by_who_is_let_go(LetsGo lets_go, Waits waits, Arguments... arguments) {
  using ending = mortal_object<Object>;
  stage<ending> s{"destroyed by who is let go", 2, arguments...};
  s.does([=](ending& all, unsigned t) {
    if (t == 0) return lets_go(all.it);
    waits(all.it);
    all.destroy();
  });
  return s.done();
}

// ---- counting_semaphore

struct places {
  explicit places(std::ptrdiff_t n) : left{n} {}
  basic_counting_semaphore<explored, spin_park> left;
  number count{0};
  explored::atomic<std::uint32_t> taken{0};
};

void pass_on(places& s) {
  s.count = s.count + 1;
  s.left.release();
}

/// With one place it is a lock.
program token(unsigned threads, unsigned times) {
  stage<places> s{"token " + std::to_string(threads) + "x" + std::to_string(times), threads, 1};
  s.does([times](places& it, unsigned) {
    for (unsigned i = 0; i < times; ++i) {
      settle(i);
      it.left.acquire();
      pass_on(it);
    }
    settle(times);
  });
  s.then_checks([=](places& it) {
    expect(it.count == threads * times, "a turn was lost");
    expect(it.left.try_acquire() && !it.left.try_acquire(), "one place became none or two");
  });
  return s.done();
}

program token_in_time(unsigned threads) {
  stage<places> s{"token in time " + std::to_string(threads) + "x1", threads, 1};
  s.does([](places& it, unsigned t) {
    if (t == 0) {
      it.left.acquire();
      pass_on(it);
    } else if (it.left.try_acquire_for(patience)) {
      pass_on(it);
    }
    settle(1);
    it.left.acquire();
    pass_on(it);
  });
  return s.done();
}

/// So many are given as there are who take, by one release or one by one, in time for sleepers or not.
program given(unsigned takers, bool at_once) {
  stage<places> s{std::to_string(takers) + (at_once ? " given at once" : " given one by one"), takers + 1, 0};
  s.does([=](places& it, unsigned t) {
    if (t == 0) {
      if (at_once) return it.left.release(takers);
      for (unsigned i = 0; i < takers; ++i) {
        settle(i);
        it.left.release();
      }
    } else {
      it.left.acquire();
      it.taken.fetch_add(1, memory_order::relaxed);
    }
  });
  s.then_checks([](places& it) { expect(!it.left.try_acquire(), "there are more than were given"); });
  return s.done();
}

/// To give nothing changes nothing for one who sleeps.
program given_after_nothing() {
  stage<places> s{"none given, then one", 2, 0};
  s.does([](places& it, unsigned t) {
    if (t != 0) return it.left.acquire();
    it.left.release(0);
    it.left.release();
  });
  return s.done();
}

/// Who has all the time there is does not give up.
program given_before_the_end_of_time() {
  stage<places> s{"one given, two wait by all time", 2, 1};
  s.does([](places& it, unsigned t) {
    const bool taken =
        t == 0 ? it.left.try_acquire_until(explored::never) : it.left.try_acquire_for(std::chrono::nanoseconds::max());
    expect(taken, "a wait is over before its time");
    it.left.release();
  });
  return s.done();
}

/// As many as there may be: each is there for who takes, and what is given back is there again.
program most_places() {
  stage<places> s{"the most places", 2, decltype(places::left)::max()};
  s.does([](places& it, unsigned t) {
    it.left.acquire();
    if (t == 0) expect(it.left.try_acquire_for(patience), "of many places none is there");
    it.left.release(t == 0 ? 2 : 1);
  });
  return s.done();
}

/// One that gives up leaves what it was woken for to the other.
program given_beside_one_in_time() {
  stage<places> s{"one given, one in time, one waits", 3, 0};
  s.does([](places& it, unsigned t) {
    if (t == 0) {
      settle(0);
      it.left.release();
      settle(1);
      it.left.release();
    } else if (t == 1) {
      it.left.acquire();
    } else if (it.left.try_acquire_until(explored::clock::now() + patience)) {
      it.taken.fetch_add(1, memory_order::relaxed);
    }
  });
  s.then_checks([](places& it) {
    expect(it.left.try_acquire() == (it.taken.load(memory_order::relaxed) == 0), "one was taken by nobody, or by two");
    expect(!it.left.try_acquire(), "there are more than were given");
  });
  return s.done();
}

void add_semaphore(subjects& to) {
  std::vector<check> all;
  for (const auto& [threads, times] : {std::pair{2U, 1U}, {2U, 2U}, {3U, 1U}, {3U, 2U}})
    all.push_back({token(threads, times), fits(threads)});
  for (const unsigned threads : {2U, 3U}) all.push_back({token_in_time(threads), fits(threads)});
  for (const unsigned takers : {1U, 2U, 3U})
    for (const bool at_once : {true, false}) all.push_back({given(takers, at_once), fits(takers + 1)});
  all.push_back({given_beside_one_in_time(), depth::as_far_as_fits});
  all.push_back({given_before_the_end_of_time(), depth::exhausted});
  all.push_back({given_after_nothing(), depth::exhausted});
  all.push_back({most_places(), depth::exhausted});
  using semaphore = decltype(places::left);
  all.push_back(
      {destroyed_by_who_is_let_go<semaphore>([](semaphore& s) { s.release(); }, [](semaphore& s) { s.acquire(); }, 0),
       depth::exhausted});
  to.push_back({"counting_semaphore", "synchro/sync/counting_semaphore.hpp", std::move(all)});
}

// ---- latch

using sound_latch = basic_latch<explored, spin_park>;

/// A latch for which only one part at a time is done.
struct latch_that_counts_ones : sound_latch {
  using sound_latch::sound_latch;
  void count_down(std::ptrdiff_t n = 1) { sound_latch::count_down(n == 1 ? 1 : 0); }
};

template <class Latch>
struct parts_of {
  explicit parts_of(std::ptrdiff_t n) : done{n} {}
  void expect_all(unsigned n) {
    for (unsigned i = 0; i < n; ++i) expect(each[i] == i + 1, "a wait returns before the parts are done");
  }
  Latch done;
  std::array<number, max_threads> each{};
};
using parts = parts_of<sound_latch>;

program parts_done(unsigned workers, unsigned waiters) {
  stage<parts> s{std::to_string(workers) + " parts, " + std::to_string(waiters) + " wait", workers + waiters, workers};
  s.does([workers](parts& it, unsigned t) {
    if (t < workers) {
      it.each[t] = t + 1;
      return it.done.count_down();
    }
    it.done.wait();
    it.expect_all(workers);
  });
  return s.done();
}

program all_meet(unsigned threads) {
  stage<parts> s{"arrive and wait, " + std::to_string(threads), threads, threads};
  s.does([threads](parts& it, unsigned t) {
    it.each[t] = t + 1;
    it.done.arrive_and_wait();
    it.expect_all(threads);
  });
  return s.done();
}

enum class by { count_down, arrive_and_wait };

/// Two parts are counted by one call, the third by another thread; each is the last, or sleeps until then.
template <class Latch>
program two_at_once(const std::string& name, by call) {
  stage<parts_of<Latch>> s{name, 2, 3};
  s.does([call](parts_of<Latch>& it, unsigned t) {
    it.each[t] = t + 1;
    if (t == 0) it.each[2] = 3;
    const std::ptrdiff_t n = t == 0 ? 2 : 1;
    if (call == by::arrive_and_wait) {
      it.done.arrive_and_wait(n);
    } else {
      it.done.count_down(n);
      it.done.wait();
    }
    it.expect_all(3);
  });
  return s.done();
}

program parts_in_time() {
  stage<parts> s{"in time", 2, 1};
  s.does([](parts& it, unsigned t) {
    if (t == 0) {
      it.each[0] = 1;
      return it.done.count_down();
    }
    if (it.done.wait_for(patience)) expect(it.each[0] == 1, "a wait returns before the parts are done");
    if (it.done.try_wait()) expect(it.each[0] == 1, "an open latch before the parts are done");
    it.done.wait();
    expect(it.done.try_wait(), "an open latch is not");
    expect(it.done.wait_until(explored::clock::now()), "an open latch is waited for");
  });
  return s.done();
}

void add_latch(subjects& to) {
  std::vector<check> all{{parts_done(1, 1), depth::exhausted},      {parts_done(2, 1), depth::as_far_as_fits},
                         {parts_done(1, 2), depth::as_far_as_fits}, {all_meet(2), depth::exhausted},
                         {all_meet(3), depth::as_far_as_fits},      {parts_in_time(), depth::exhausted}};
  all.push_back({two_at_once<sound_latch>("count down by two", by::count_down), depth::exhausted});
  all.push_back({two_at_once<sound_latch>("arrive for two and wait", by::arrive_and_wait), depth::exhausted});
  all.push_back({destroyed_by_who_is_let_go<sound_latch>([](sound_latch& l) { l.count_down(); },
                                                         [](sound_latch& l) { l.wait(); }, 1),
                 depth::exhausted});
  to.push_back({"latch", "synchro/sync/latch.hpp", std::move(all)});
}

// ---- barrier

template <class Completion>
using sound_barrier = basic_barrier<Completion, explored, spin_park>;

/// A barrier at which only one at a time arrives.
template <class Completion>
struct barrier_that_counts_ones : sound_barrier<Completion> {
  using sound_barrier<Completion>::sound_barrier;
  [[nodiscard]] auto arrive(std::ptrdiff_t n = 1) { return sound_barrier<Completion>::arrive(n == 1 ? 1 : 0); }
};

/// One whose phases only grow.
template <class Completion>
struct barrier_that_compares {
  barrier_that_compares(std::ptrdiff_t n, Completion completion, first_ticket first)
      : phase{first.number},
        to_come{static_cast<std::uint32_t>(n)},
        all{static_cast<std::uint32_t>(n)},
        end{completion} {}
  void arrive_and_wait() {
    const std::uint32_t mine = phase.load(memory_order::relaxed);
    if (to_come.fetch_sub(1, memory_order::acq_rel) != 1) {
      explored::await(phase, memory_order::acquire, [mine](std::uint32_t v) { return v > mine; });
      return;
    }
    end();
    to_come.store(all, memory_order::relaxed);
    phase.store(mine + 1, memory_order::release);
  }
  explored::atomic<std::uint32_t> phase, to_come;
  std::uint32_t all;
  Completion end;
};

template <template <class> class Barrier>
struct team_at {
  struct sum_up {
    team_at* of;
    void operator()() const noexcept {
      std::uint32_t sum = 0;
      for (auto& each : of->each) sum += each;
      of->sum = sum;
    }
  };
  explicit team_at(std::ptrdiff_t n, std::uint32_t first = 0) : met{n, sum_up{this}, first_ticket{first}} {}
  std::array<number, max_threads> each{};
  number sum{0};
  Barrier<sum_up> met;
};
using team = team_at<sound_barrier>;

template <template <class> class Barrier>
program rounds(unsigned threads, unsigned times, const std::string& how = {}, std::uint32_t first = 0) {
  stage<team_at<Barrier>> s{std::to_string(threads) + " threads, " + std::to_string(times) + " phases" + how, threads,
                            threads, first};
  s.does([=](team_at<Barrier>& it, unsigned t) {
    for (std::uint32_t i = 0; i < times; ++i) {
      settle(i);
      it.each[t] = i + 1;
      it.met.arrive_and_wait();
      expect(it.sum == threads * (i + 1), "a wait returns before the phase is complete");
    }
    settle(times);
  });
  return s.done();
}
/// The first phase has the largest number there is.
template <template <class> class Barrier>
program rounds_that_wrap(unsigned threads) {
  return rounds<Barrier>(threads, 2, ", counts at their end", ~0U);
}

/// One arrives, does something else, and waits; one leaves the team.
program dropped() {
  stage<team> s{"one drops", 2, 2};
  s.does([](team& it, unsigned t) {
    it.each[t] = 1;
    if (t == 0) return it.met.arrive_and_drop();
    auto token = it.met.arrive();
    settle(1);
    it.met.wait(token);
    expect(it.sum == 2, "a wait returns before the phase is complete");
    it.each[1] = 2;
    it.met.arrive_and_wait();
    expect(it.sum == 3, "a phase of those who are left is not complete");
  });
  return s.done();
}

/// One arrives for two, again and again.
template <template <class> class Barrier>
program comes_for_two() {
  stage<team_at<Barrier>> s{"one arrives for two", 2, 3};
  s.does([](team_at<Barrier>& it, unsigned t) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      settle(i);
      it.each[t] = i + 1;
      if (t == 0) it.each[2] = i + 1;
      it.met.wait(it.met.arrive(t == 0 ? 2 : 1));
      expect(it.sum == 3 * (i + 1), "a wait returns before the phase is complete");
    }
    settle(2);
  });
  return s.done();
}

void add_barrier(subjects& to) {
  std::vector<check> all;
  for (const auto& [threads, times] : {std::pair{2U, 1U}, {2U, 2U}, {3U, 1U}, {3U, 2U}})
    all.push_back({rounds<sound_barrier>(threads, times), fits(threads)});
  for (const unsigned threads : {2U, 3U}) all.push_back({rounds_that_wrap<sound_barrier>(threads), fits(threads)});
  all.push_back({dropped(), depth::exhausted});
  all.push_back({comes_for_two<sound_barrier>(), depth::exhausted});
  using meeting = sound_barrier<detail::completes_nothing>;
  all.push_back({destroyed_by_who_is_let_go<meeting>([](meeting& b) { static_cast<void>(b.arrive()); },
                                                     [](meeting& b) { b.arrive_and_wait(); }, 2),
                 depth::exhausted});
  to.push_back({"barrier", "synchro/sync/barrier.hpp", std::move(all)});
}

// ---- event_count

using sound_count = basic_event_count<explored, spin_park>;

/// One whose count only grows.
struct count_that_compares {
  struct key {
    std::uint32_t seen;
  };
  explicit count_that_compares(first_ticket first) : word{first.number} {}
  key prepare() {
    const std::uint32_t seen = word.load(memory_order::relaxed);
    explored::fence();
    return {seen};
  }
  void wait(key k) {
    explored::await(word, memory_order::acquire, [k](std::uint32_t v) { return v > k.seen; });
  }
  void notify() {
    explored::fence();
    word.fetch_add(1, memory_order::relaxed);
  }
  explored::atomic<std::uint32_t> word;
};

template <class Count>
struct mailbox_of {
  explicit mailbox_of(std::uint32_t first = 0) : filled{first_ticket{first}} {}
  Count filled;
  explored::atomic<std::uint32_t> posted{0};
  number text{0};
};

using mailbox = mailbox_of<sound_count>;

bool take(auto& s) {
  const auto one_less = [](std::uint32_t v) {
    using answer = attempt<std::uint32_t>;
    return v != 0 ? answer::write(v - 1) : answer::decline();
  };
  return explored::update(s.posted, one_less, memory_order::relaxed, memory_order::relaxed).written;
}
void post(auto& s) {
  s.posted.fetch_add(1, memory_order::relaxed);
  s.filled.notify();
}
void fetch(auto& s) {
  while (!take(s)) {
    const auto key = s.filled.prepare();
    if (take(s)) break;
    s.filled.wait(key);
  }
}
void fetch_in_time(mailbox& s) {
  if (take(s)) return;
  const auto key = s.filled.prepare();
  if (take(s)) return;
  if (!s.filled.wait_for(key, patience)) return;
  static_cast<void>(take(s));
}

template <class Count = sound_count>
program posts(unsigned senders, unsigned times, unsigned readers, const std::string& how = {},
              std::uint32_t first = 0) {
  stage<mailbox_of<Count>> s{
      std::to_string(senders) + " post " + std::to_string(times) + ", " + std::to_string(readers) + " fetch" + how,
      senders + readers, first};
  s.does([=](mailbox_of<Count>& it, unsigned t) {
    for (unsigned i = 0; i < (t < senders ? times : senders * times / readers); ++i) {
      settle(i);
      if (t < senders)
        post(it);
      else
        fetch(it);
    }
  });
  s.then_checks([](mailbox_of<Count>& it) { expect(!take(it), "there are more messages than were posted"); });
  return s.done();
}
/// The first notification is the last before the count begins anew.
template <class Count = sound_count>
program posts_that_wrap(unsigned times) {
  return posts<Count>(1, times, 1, ", counts at their end", ~0U);
}

program post_in_time() {
  stage<mailbox> s{"in time", 2};
  s.does([](mailbox& it, unsigned t) {
    if (t == 0) return post(it);
    fetch_in_time(it);
  });
  return s.done();
}

/// The notification itself tells what was done before.
program told() {
  stage<mailbox> s{"told by the notification", 2};
  s.does([](mailbox& it, unsigned t) {
    if (t == 0) {
      await_others();
      it.text = 1;
      return it.filled.notify();
    }
    it.filled.wait(it.filled.prepare());
    expect(it.text == 1, "a wait returns before the notification");
  });
  return s.done();
}

/// Who prepares after a notification knows what was done before it.
program told_by_the_key() {
  stage<mailbox> s{"told by the key", 3};
  s.does([](mailbox& it, unsigned t) {
    if (t == 0) {
      await_others();
      it.text = 1;
      return it.filled.notify();
    }
    const auto first = it.filled.prepare();
    if (t == 1) return it.filled.wait(first);
    if (!it.filled.wait_for(first, patience)) {
      const auto second = it.filled.prepare();
      if (it.filled.wait_until(second, explored::clock::now() + patience)) expect(it.text == 1, "told too early");
    }
  });
  return s.done();
}

void add_event_count(subjects& to) {
  std::vector<check> all{{posts(1, 1, 1), depth::exhausted},        {posts(1, 2, 1), depth::exhausted},
                         {posts(1, 2, 2), depth::as_far_as_fits},   {posts(2, 1, 1), depth::as_far_as_fits},
                         {post_in_time(), depth::exhausted},        {told(), depth::exhausted},
                         {told_by_the_key(), depth::as_far_as_fits}};
  for (const unsigned times : {1U, 2U}) all.push_back({posts_that_wrap(times), depth::exhausted});
  to.push_back({"event_count", "synchro/sync/event_count.hpp", std::move(all)});
}

// ---- once

struct made_once {
  basic_once_flag<explored> flag;
  number times{0};
  number value{0};
};

program calls(unsigned threads) {
  stage<made_once> s{std::to_string(threads) + " call", threads};
  s.does([](made_once& it, unsigned) {
    call_once(it.flag, [&it] {
      it.times = it.times + 1;
      it.value = 7;
    });
    expect(it.value == 7, "a call returns before it was done");
    expect(it.flag.is_done(), "what was done is not done");
  });
  s.then_checks([](made_once& it) { expect(it.times == 1, "it was done twice"); });
  return s.done();
}

/// The first attempt fails, and another makes up for it.
program fails(unsigned threads) {
  stage<made_once> s{"one of " + std::to_string(threads) + " fails", threads};
  s.does([](made_once& it, unsigned) {
    try {
      it.flag.call([&it] {
        it.times = it.times + 1;
        if (it.times == 1) throw 1;
        it.value = 7;
      });
      expect(it.value == 7, "a call returns before it was done");
    } catch (int) {
    }
  });
  s.then_checks([=](made_once& it) { expect(it.times == 2, "after a failure it was not done, or twice"); });
  return s.done();
}

void add_once(subjects& to) {
  std::vector<check> all{{calls(2), depth::exhausted},
                         {calls(3), depth::as_far_as_fits},
                         {fails(2), depth::exhausted},
                         {fails(3), depth::as_far_as_fits}};
  to.push_back({"once", "synchro/sync/once.hpp", std::move(all)});
}

// ---- seqlock

struct pair_of_words {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};
struct watched_pair {
  basic_seqlock<pair_of_words, explored, basic_tas_lock<explored>> pair;
};

void consistent(const pair_of_words& p) { expect(p.a == p.b, "a torn copy"); }

program copies(unsigned writers, unsigned times, unsigned readers) {
  stage<watched_pair> s{
      std::to_string(writers) + " write " + std::to_string(times) + ", " + std::to_string(readers) + " read",
      writers + readers};
  s.does([=](watched_pair& it, unsigned t) {
    for (std::uint32_t i = 0; i < times; ++i) {
      settle(i);
      if (t < writers)
        it.pair.update([](pair_of_words& p) { p = {p.a + 1, p.b + 1}; });
      else
        consistent(it.pair.load());
    }
  });
  s.then_checks([=](watched_pair& it) { expect(it.pair.load().a == writers * times, "a change was lost"); });
  return s.done();
}

program tries_to_copy() {
  stage<watched_pair> s{"try to read", 2};
  s.does([](watched_pair& it, unsigned t) {
    if (t == 0) return it.pair.store({5, 5});
    if (const auto p = it.pair.try_load()) consistent(*p);
    if (const auto p = it.pair.try_load()) consistent(*p);
  });
  s.then_checks([](watched_pair& it) {
    const auto p = it.pair.try_load();
    expect(p && p->a == 5 && p->b == 5, "a value that nobody writes cannot be read");
  });
  return s.done();
}

void add_seqlock(subjects& to) {
  std::vector<check> all{{copies(1, 1, 1), depth::exhausted},
                         {copies(1, 2, 1), depth::exhausted},
                         {copies(2, 1, 1), depth::as_far_as_fits},
                         {copies(2, 1, 0), depth::exhausted},
                         {tries_to_copy(), depth::exhausted}};
  to.push_back({"seqlock", "synchro/sync/seqlock.hpp", std::move(all)});
}

// ---- recursive

struct nested {
  basic_recursive<basic_tas_lock<explored>, explored> lock;
  number count{0};
};

program deeper(unsigned threads, unsigned times) {
  stage<nested> s{std::to_string(threads) + "x" + std::to_string(times) + ", twice deep", threads};
  s.does([times](nested& it, unsigned t) {
    for (unsigned i = 0; i < times; ++i) {
      settle(i);
      it.lock.lock();
      it.count = it.count + 1;
      expect(it.lock.try_lock(), "its owner cannot take it again");
      it.count = it.count + 1;
      it.lock.unlock();
      it.count = it.count + 1;
      it.lock.unlock();
      if (t != 0 || !it.lock.try_lock_for(patience)) continue;
      it.count = it.count + 3;
      it.lock.unlock();
    }
  });
  s.then_checks([](nested& it) { expect(it.count % 3 == 0, "a section was entered by two"); });
  return s.done();
}

/// Taken in each way by one who has it, and given back as often: nobody else is in before that.
template <class Lock>
program each_way_in() {
  struct scene {
    Lock lock;
    number count{0};
  };
  stage<scene> s{"each way in, beside one who tries", 2};
  s.does([](scene& it, unsigned t) {
    const auto in_time = [] { return explored::clock::now() + patience; };
    if (t != 0) {
      if (!it.lock.try_lock()) return;
      it.count = it.count + 1;
      it.lock.unlock();
      return;
    }
    it.lock.lock();
    it.lock.lock();
    expect(it.lock.try_lock() && it.lock.try_lock_for(patience) && it.lock.try_lock_until(in_time()),
           "its owner cannot take it again");
    for (int i = 0; i != 5; ++i) {
      it.count = it.count + 1;
      it.lock.unlock();
    }
    if (!it.lock.try_lock_until(in_time())) return;
    it.count = it.count + 1;
    it.lock.unlock();
  });
  s.then_checks([](scene& it) {
    expect(it.lock.try_lock() && it.lock.try_lock(), "a lock that nobody has is not free");
    it.lock.unlock();
    it.lock.unlock();
  });
  return s.done();
}

using sound_recursive = basic_recursive<basic_tas_lock<explored>, explored>;
/// Who takes it again by lock gives it back by the first unlock.
struct recursive_that_forgets : sound_recursive {
  explored::atomic<std::uint32_t> taken_by_0{0};
  void lock() {
    if (taken_by_0.exchange(1, memory_order::relaxed) == 0) sound_recursive::lock();
  }
};

void add_recursive(subjects& to) {
  std::vector<check> all{{each_way_in<sound_recursive>(), depth::exhausted},
                         {deeper(2, 1), depth::exhausted},
                         {deeper(2, 2), depth::as_far_as_fits},
                         {deeper(3, 1), depth::as_far_as_fits}};
  to.push_back({"recursive", "synchro/recursive.hpp", std::move(all)});
}

}  // namespace

void add_sync(subjects& to);
void add_sync(subjects& to) {
  add_semaphore(to);
  add_latch(to);
  add_barrier(to);
  add_event_count(to);
  add_once(to);
  add_seqlock(to);
  add_recursive(to);
}

void add_seeded_sync(subjects& to);
void add_seeded_sync(subjects& to) {
  to.push_back(seeded("recursive_that_forgets", each_way_in<recursive_that_forgets>()));
  to.push_back(
      seeded("latch_that_counts_ones", two_at_once<latch_that_counts_ones>("count down by two", by::count_down)));
  to.push_back(seeded("barrier_that_counts_ones", comes_for_two<barrier_that_counts_ones>()));
  to.push_back(seeded("barrier_that_compares", rounds_that_wrap<barrier_that_compares>(2)));
  to.push_back(seeded("count_that_compares", posts_that_wrap<count_that_compares>(1)));
}

}  // namespace synchro::model_checker
