// The programs that try transactions: what an attempt reads was there at one moment, nothing that was committed is lost,
// two that read what the other writes do not both commit, an irrevocable one runs once, and one that meets no other commits
// at its first attempt. With memories that leave nobody alone, where transactions run side by side, and with ones that do,
// until two meet.

#include <array>
#include <optional>
#include <string>
#include <type_traits>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/stm/served_stm.hpp"
#include "synchro/stm/stm.hpp"

namespace synchro::model_checker {

namespace {

using field = explored::plain<std::uint32_t>;
using variable = basic_tvar<std::uint32_t, explored>;

using plain_stm = basic_stm<explored, spin, versioned_locks<>>;
template <class Manager>
using managed_stm = basic_stm<explored, spin, versioned_locks<Manager>>;
template <class Lock>
using guarded_stm = basic_stm<explored, spin, guarded_by<Lock>>;

/// Two variables, under one lock or under two. Threads come side by side, or alone until two have met, and then, if they are
/// elided, as transactions of the processor until the memory is shared.
enum class coming { together, alone, elided };
template <class Stm, std::size_t Stripes = 2, unsigned Attempts = 1, coming Way = coming::together>
struct two_variables {
  Stm memory{
      {.stripes = Stripes, .attempts = Attempts, .alone = Way != coming::together, .elide = Way == coming::elided}};
  alignas(32) variable x{0};
  alignas(32) variable y{0};
  std::array<field, 3> done{};

  /// Adds one to both, which are alike at every moment.
  void add_to_both() {
    memory.atomically([this](auto& tx) {
      const std::uint32_t seen = tx.read(x);
      expect(tx.read(y) == seen, "a transaction saw two moments");
      tx.write(x, seen + 1);
      tx.write(y, seen + 1);
    });
  }
  template <class Transaction>
  void compare(Transaction& tx) {
    const std::uint32_t seen = tx.read(x);
    expect(tx.read(y) == seen, "a transaction saw two moments");
  }
  void expect_both(std::uint32_t value) const {
    expect(x.alone() == value && y.alone() == value, "a commit was lost or done twice");
  }
};

/// Each adds to both variables.
template <class Scene>
program both_added(const std::string& name, unsigned threads, unsigned times) {
  stage<Scene> s{name, threads};
  s.does([times](Scene& it, unsigned) {
    for (unsigned i = 0; i < times; ++i) it.add_to_both();
  });
  s.then_checks([=](Scene& it) { it.expect_both(threads * times); });
  return s.done();
}

/// One adds, the other looks, in a transaction of either kind.
template <class Scene>
program looked_at(const std::string& name, bool only_reads) {
  stage<Scene> s{name, 2};
  s.does([only_reads](Scene& it, unsigned t) {
    const auto compare = [&](auto& tx) { it.compare(tx); };
    if (t == 0)
      it.add_to_both();
    else if (only_reads)
      it.memory.read_only(compare);
    else
      it.memory.atomically(compare);
  });
  s.then_checks([](Scene& it) { it.expect_both(1); });
  return s.done();
}

/// One variable each, in an order of their own: the later commit sees the earlier.
template <class Scene>
program skewed(const std::string& name) {
  stage<Scene> s{name, 2};
  s.does([](Scene& it, unsigned t) {
    it.memory.atomically([&](auto& tx) {
      if (t == 0) {
        if (tx.read(it.y) == 0) tx.write(it.x, 1);
      } else {
        if (tx.read(it.x) == 0) tx.write(it.y, 1);
      }
    });
  });
  s.then_checks([](Scene& it) { expect(it.x.alone() + it.y.alone() == 1, "neither saw what the other wrote"); });
  return s.done();
}

/// One variable is written blindly, the other is read: what was read holds when the write is seen.
template <class Scene>
program blind(const std::string& name) {
  stage<Scene> s{name, 2};
  s.does([](Scene& it, unsigned t) {
    it.memory.atomically([&](auto& tx) {
      if (t == 0)
        tx.write(it.x, 5);
      else
        tx.write(it.y, tx.read(it.x));
    });
  });
  s.then_checks([](Scene& it) {
    expect(it.x.alone() == 5, "a commit was lost");
    expect(it.y.alone() == 0 || it.y.alone() == 5, "a value that nobody wrote");
  });
  return s.done();
}

/// One cannot be undone: nothing that it reads changes, and what it does besides is done once.
template <class Scene>
program irrevocable(const std::string& name, bool becomes_so, unsigned of_two) {
  stage<Scene> s{name, 2};
  s.does([=](Scene& it, unsigned t) {
    if (t >= of_two) return it.add_to_both();
    const auto once = [&](auto& tx) {
      const std::uint32_t seen = tx.read(it.x);
      tx.become_irrevocable();
      expect(!explored::transactions::is_under_way(), "an irrevocable transaction is the processor's");
      it.done[2] = it.done[2] + 1;
      expect(tx.read(it.x) == seen && tx.read(it.y) == seen, "an irrevocable transaction saw two moments");
      tx.write(it.x, seen + 1);
      tx.write(it.y, seen + 1);
    };
    if (becomes_so)
      it.memory.atomically(once);
    else
      it.memory.irrevocably(once);
  });
  s.then_checks([=](Scene& it) {
    it.expect_both(2);
    expect(it.done[2] == of_two, "what cannot be undone was done twice");
  });
  return s.done();
}

/// Each has a variable under a lock of its own. Nobody is in the other's way, so nobody begins again, nor is irrevocable to
/// come to an end.
template <class Scene>
program apart(const std::string& name) {
  stage<Scene> s{name, 2};
  s.does([](Scene& it, unsigned t) {
    for (unsigned i = 0; i < 2; ++i) {
      unsigned attempts = 0;
      it.memory.atomically([&](auto& tx) {
        expect(++attempts == 1, "a transaction that meets no other begins again");
        expect(!tx.is_irrevocable(), "a transaction that meets no other is irrevocable");
        variable& own = t == 0 ? it.x : it.y;
        tx.write(own, tx.read(own) + 1);
      });
    }
  });
  s.then_checks([](Scene& it) { it.expect_both(2); });
  return s.done();
}

/// One waits by retry for what the other writes.
template <class Scene>
program retried(const std::string& name) {
  stage<Scene> s{name, 2};
  s.does([](Scene& it, unsigned t) {
    if (t == 0) {
      it.memory.atomically([&](auto& tx) { tx.write(it.x, 7); });
      return;
    }
    const std::uint32_t found = it.memory.atomically([&](auto& tx) {
      const std::uint32_t seen = tx.read(it.x);
      if (seen == 0) tx.retry();
      return seen;
    });
    expect(found == 7, "a value that nobody wrote");
  });
  return s.done();
}

/// One commits twice, the other reads what the first commit wrote in between: by then it must have seen the second as a whole
/// or not at all.
template <class Stm>
program overtaken(const std::string& name) {
  struct scene {
    Stm memory{{.stripes = 4, .attempts = 1, .alone = false}};
    alignas(32) variable x{1};
    alignas(32) variable y{0};
    alignas(32) variable z{1};
    scene() {
      y.set_alone(1);
      expect(y.alone() == 1, "what was set alone is not there");
    }
  };
  stage<scene> s{name, 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      it.memory.atomically([&](auto& tx) { tx.write(it.y, 2); });
      it.memory.atomically([&](auto& tx) {
        tx.write(it.x, 2);
        tx.write(it.z, 2);
      });
      return;
    }
    it.memory.atomically([&](auto& tx) {
      const std::uint32_t x = tx.read(it.x), y = tx.read(it.y);
      expect(x != 0 && x <= y && tx.read(it.z) == x, "a transaction saw two moments");
    });
  });
  return s.done();
}

/// Whoever has written reads that, in a part of the transaction, too, and commits what was written last. z may share with x what
/// a transaction notes of a write.
template <class Stm>
program read_after_a_write(const std::string& name) {
  struct scene {
    Stm memory{{.stripes = 4, .attempts = 1, .alone = false}};
    alignas(512) variable x{1};
    alignas(32) variable y{2};
    alignas(512) variable z{3};
  };
  stage<scene> s{name, 1};
  s.does([](scene& it, unsigned) {
    it.memory.atomically([&](auto& tx) {
      tx.write(it.x, 5);
      expect(tx.read(it.x) == 5, "a transaction does not read what it has written");
      expect(tx.read(it.y) == 2 && tx.read(it.z) == 3, "a transaction reads of one variable what it wrote to another");
      tx.write(it.z, 6);
      it.memory.atomically([&](auto& part) {
        expect(part.read(it.x) == 5, "a part does not read what the whole has written");
        part.write(it.x, part.read(it.x) + 2);
      });
      expect(it.memory.read_only([&](auto& part) { return part.read(it.x); }) == 7,
             "a whole does not read what a part has written");
      expect(tx.read(it.z) == 6, "a transaction does not read what it has written");
    });
    expect(it.x.alone() == 7 && it.y.alone() == 2 && it.z.alone() == 6, "what was written last is not there");
    const std::uint32_t read = it.memory.read_only([&](auto& tx) {
      const std::uint32_t first = tx.read(it.x);
      it.memory.atomically([&](auto& part) { part.write(it.y, first + 1); });
      return tx.read(it.y);
    });
    expect(read == 8 && it.y.alone() == 8, "a part that writes, in one that reads, has not written");
  });
  return s.done();
}

/// One reads x and writes y, in two attempts if need be; the other commits to x twice, and looks at y the second time. If that
/// was before the write, the write knows of both commits. What the first attempt has read is nothing to the second.
template <class Stm>
program reads_again_beside_two_commits(const std::string& name) {
  using scene = two_variables<Stm, 2, 2>;
  stage<scene> s{name, 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) return it.memory.atomically([&](auto& tx) { tx.write(it.y, tx.read(it.x) + 1); });
    it.memory.atomically([&](auto& tx) { tx.write(it.x, 1); });
    it.done[0] = it.memory.atomically([&](auto& tx) {
      tx.write(it.x, 2);
      return tx.read(it.y);
    });
  });
  s.then_checks([](scene& it) {
    const std::uint32_t seen = it.done[0];
    const std::uint32_t y = it.y.alone();
    expect(it.x.alone() == 2, "a commit was lost");
    expect(seen == 0 ? y == 3 : y == seen, "a transaction that was before another does not know of it");
  });
  return s.done();
}

/// One throws after it has written.
template <class Scene>
program thrown(const std::string& name) {
  stage<Scene> s{name, 2};
  s.does([](Scene& it, unsigned t) {
    if (t == 1) return it.add_to_both();
    bool caught = false;
    try {
      it.memory.atomically([&](auto& tx) {
        it.compare(tx);
        tx.write(it.x, 9);
        throw 1;
      });
    } catch (int) {
      caught = true;
    }
    expect(caught && !explored::transactions::is_under_way(), "an exception was lost, or left a transaction open");
  });
  s.then_checks([](Scene& it) { it.expect_both(1); });
  return s.done();
}

/// One writes and then waits by retry for what the other writes: what it wrote is not seen.
template <class Scene>
program retried_after_a_write(const std::string& name) {
  stage<Scene> s{name, 2};
  s.does([](Scene& it, unsigned t) {
    it.memory.atomically([&](auto& tx) {
      if (t == 1) {
        tx.write(it.y, 9);
        if (tx.read(it.x) == 0) tx.retry();
      } else {
        expect(tx.read(it.y) == 0, "what was taken back was seen");
        tx.write(it.x, 7);
      }
    });
  });
  s.then_checks([](Scene& it) { expect(it.x.alone() == 7 && it.y.alone() == 9, "a commit was lost"); });
  return s.done();
}

/// Each is in one memory and comes to the other's.
template <bool Elide>
program crossed(const std::string& name) {
  struct scene {
    std::array<plain_stm, 2> memory{plain_stm{{.stripes = 1, .attempts = 1, .elide = Elide}},
                                    plain_stm{{.stripes = 1, .attempts = 1, .elide = Elide}}};
    std::array<variable, 2> x;
  };
  stage<scene> s{name, 2};
  s.does([](scene& it, unsigned t) {
    it.memory[t].atomically([&](auto& tx) {
      tx.write(it.x[t], tx.read(it.x[t]) + 1);
      it.memory[1 - t].read_only(
          [&](auto& other) { expect(other.read(it.x[1 - t]) <= 1, "what was undone was seen"); });
    });
  });
  s.then_checks(
      [](scene& it) { expect(it.x[0].alone() == 1 && it.x[1].alone() == 1, "a commit was lost or done twice"); });
  return s.done();
}

/// Memories that run the first to come alone.
template <coming Way>
void add_gated(subjects& to, const std::string& name) {
  using two = two_variables<plain_stm, 2, 1, Way>;
  subject made{name, "synchro/stm/gate.hpp", {}};
  for (program& p :
       std::vector{both_added<two>(name + ", 3x1", 3, 1), looked_at<two>(name + ", looked at", false),
                   looked_at<two>(name + ", looked at by a reader", true), skewed<two>(name + ", write skew"),
                   irrevocable<two>(name + ", one irrevocable", false, 1),
                   irrevocable<two>(name + ", two become irrevocable", true, 2), retried<two>(name + ", retry"),
                   retried_after_a_write<two>(name + ", retry after a write"), thrown<two>(name + ", one throws"),
                   crossed<Way == coming::elided>(name + ", two memories")})
    made.checks.push_back({std::move(p), depth::exhausted});
  made.checks.push_back({both_added<two>(name + ", 2x2", 2, 2), depth::as_far_as_fits});
  to.push_back(std::move(made));
}

template <class Stm>
void add_kind(subjects& to, const std::string& name) {
  using two = two_variables<Stm>;
  using one = two_variables<Stm, 1>;
  subject made{name, "synchro/stm/stm.hpp", {}};
  for (program& p : std::vector{
           both_added<two>(name + ", two variables, 2x1", 2, 1), both_added<one>(name + ", one lock, 2x1", 2, 1),
           looked_at<two>(name + ", looked at", false), looked_at<two>(name + ", looked at by a reader", true),
           skewed<two>(name + ", write skew"), blind<two>(name + ", written blindly"), apart<two>(name + ", apart 2x2"),
           irrevocable<two>(name + ", one irrevocable", false, 1),
           irrevocable<two>(name + ", one becomes irrevocable", true, 1), retried<two>(name + ", retry"),
           thrown<two>(name + ", one throws"), overtaken<Stm>(name + ", overtaken twice"),
           read_after_a_write<Stm>(name + ", own writes"),
           reads_again_beside_two_commits<Stm>(name + ", read again beside two commits")})
    made.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(made));
}

// ---- by message passing

/// Two clients and a server of two variables, under one lock or under two.
template <class Manager, std::size_t Stripes>
struct served_variables {
  basic_served_stm<explored, spin, Manager, 2> memory{{.servers = 1, .clients = 2, .stripes = Stripes, .attempts = 1}};
  alignas(32) variable x{0};
  alignas(32) variable y{0};

  void expect_both(std::uint32_t value) const {
    expect(x.alone() == value && y.alone() == value, "a commit was lost or done twice");
  }
};

/// The last thread serves; the others are clients that do this.
template <class Manager, std::size_t Stripes, class Body, class Check>
program served(const std::string& name, Body body, Check check) {
  using scene = served_variables<Manager, Stripes>;
  stage<scene> s{name, 3};
  s.does([body](scene& it, unsigned t) {
    if (t == 2) return it.memory.serve(0);
    auto mine = it.memory.join(t);
    body(it, mine, t);
  });
  s.then_checks(check);
  return s.done();
}

constexpr auto adds_to_both = [](auto& it, auto& client) {
  client.atomically([&it](auto& tx) {
    const std::uint32_t seen = tx.read(it.x);
    expect(tx.read(it.y) == seen, "a transaction saw two moments");
    tx.write(it.x, seen + 1);
    tx.write(it.y, seen + 1);
  });
};
constexpr auto looks_at_both = [](auto& it, auto& client) {
  client.read_only([&it](auto& tx) {
    const std::uint32_t seen = tx.read(it.x);
    expect(tx.read(it.y) == seen, "a transaction saw two moments");
  });
};

/// No more than this fits: channels make many states.
void add_served(subjects& to, const std::string& name) {
  subject made{name, "synchro/stm/served_stm.hpp", {}};
  made.checks.push_back({served<back_off_retry, 2>(
                             name + ", looked at",
                             [](auto& it, auto& mine, unsigned t) {
                               if (t == 0)
                                 adds_to_both(it, mine);
                               else
                                 looks_at_both(it, mine);
                             },
                             [](auto& it) { it.expect_both(1); }),
                         depth::one_preemption});
  to.push_back(std::move(made));
}

/// One has leave to read two words. A server revokes it and grants both to a writer, which writes them. The reader looks at
/// its state after each word, or does not.
template <bool Looks>
program revoked() {
  struct scene {
    detail::served_attempt<explored> attempt;
    basic_channel<std::uint32_t, explored, spin> granted;
    std::array<explored::atomic<std::uint32_t>, 2> word{};
  };
  stage<scene> s{"leave to read, revoked", 3};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.attempt.begin(1, 0);
  });
  s.does([](scene& it, unsigned t) {
    if (t == 1) {
      it.granted.send(it.attempt.revoke(it.attempt.status()) ? 1 : 0);
    } else if (t == 2) {
      if (*it.granted.receive() == 0) return;
      for (auto& each : it.word) each.store(1, memory_order::release);
    } else {
      const std::uint32_t first = it.word[0].load(memory_order::acquire);
      if (Looks && !it.attempt.goes_on(1)) return;
      const std::uint32_t second = it.word[1].load(memory_order::acquire);
      if (Looks && !it.attempt.goes_on(1)) return;
      expect(first == second, "a transaction saw two moments");
    }
  });
  return s.done();
}

// ---- seeded

enum class lapse { forgets_its_writes, forgets_to_note_again };

/// What a transaction reads goes by the memory where it should not: what it has written itself, or what it reads in an attempt
/// that is not its first.
template <lapse Mistake, class Transaction>
struct careless {
  Transaction& tx;
  unsigned attempt;

  std::uint32_t read(const variable& from) {
    const bool is_lapse = Mistake == lapse::forgets_its_writes || attempt > 1;
    return is_lapse ? from.alone() : tx.read(from);
  }
  void write(variable& to, std::uint32_t value) { tx.write(to, value); }
};

template <lapse Mistake>
struct careless_stm : plain_stm {
  using plain_stm::plain_stm;
  auto atomically(auto fn) {
    return plain_stm::atomically([&, attempts = 0U](auto& tx) mutable {
      careless<Mistake, std::remove_reference_t<decltype(tx)>> mine{tx, ++attempts};
      return fn(mine);
    });
  }
};

enum class fault { none, reads_are_not_validated, a_lock_is_forgotten, clock_is_read_late, a_lock_seems_newer };

/// A transactional memory of two words, in the same manner as stm.hpp and as small as can be, with a mistake.
template <fault Mistake>
struct small_stm {
  explored::atomic<std::uint32_t> clock{0};
  std::array<explored::atomic<std::uint32_t>, 2> lock, value;  // a lock: version * 2, and 1 if it is taken
  std::array<field, 2> commits{};

  static bool is_newer(std::uint32_t seen, std::uint32_t moment) { return seen % 2 != 0 || seen / 2 > moment; }

  /// Reads both words; nothing if the attempt is over.
  std::optional<std::array<std::uint32_t, 2>> read(std::uint32_t& moment) {
    constexpr bool late = Mistake == fault::clock_is_read_late;
    std::array<std::uint32_t, 2> seen{};
    if (!late) moment = clock.load(memory_order::acquire);
    for (std::size_t i = 0; i < 2; ++i) {
      const std::uint32_t before = lock[i].load(memory_order::acquire);
      seen[i] = value[i].load(memory_order::acquire);
      if (Mistake == fault::reads_are_not_validated) continue;
      if (before % 2 != 0 || lock[i].load(memory_order::relaxed) != before) return std::nullopt;
      if (!late && is_newer(before, moment)) return std::nullopt;
    }
    if (late) moment = clock.load(memory_order::acquire);
    return seen;
  }

  /// False, and nothing is written, if the attempt is over.
  bool commit(std::uint32_t moment, std::uint32_t written) {
    const std::size_t last = Mistake == fault::a_lock_is_forgotten ? 1 : 2;
    std::array<std::uint32_t, 2> old{};
    std::size_t taken = 0;
    for (; taken < last; ++taken) {
      old[taken] = lock[taken].load(memory_order::relaxed) + (Mistake == fault::a_lock_seems_newer ? 2 : 0);
      if (is_newer(old[taken], moment) || !lock[taken].compare_exchange_strong(
                                              old[taken], old[taken] + 1, memory_order::acquire, memory_order::relaxed))
        break;
    }
    std::uint32_t version = 0;
    if (taken == last) {
      version = clock.fetch_add(1, memory_order::acq_rel) + 1;
      for (auto& each : value) each.store(written, memory_order::release);
    }
    for (std::size_t i = 0; i < taken; ++i) lock[i].store(version != 0 ? 2 * version : old[i], memory_order::release);
    return version != 0;
  }
};

/// Each adds one to both words, in one attempt.
template <fault Mistake>
program small() {
  using scene = small_stm<Mistake>;
  stage<scene> s{"two words, two threads", 2};
  s.does([](scene& it, unsigned t) {
    std::uint32_t moment = 0;
    const auto seen = it.read(moment);
    if (!seen) return;
    expect((*seen)[0] == (*seen)[1], "a transaction saw two moments");
    if (it.commit(moment, (*seen)[0] + 1)) it.commits[t] = 1;
  });
  s.then_checks([](scene& it) {
    const std::uint32_t all = it.commits[0] + it.commits[1];
    expect(it.value[0].load(memory_order::relaxed) == all && it.value[1].load(memory_order::relaxed) == all,
           "a commit was lost");
  });
  return s.done();
}

/// Nobody is in its way.
template <fault Mistake>
program small_alone() {
  using scene = small_stm<Mistake>;
  stage<scene> s{"two words, one thread", 1};
  s.does([](scene& it, unsigned) {
    std::uint32_t moment = 0;
    const auto seen = it.read(moment);
    expect(seen && it.commit(moment, (*seen)[0] + 1), "an attempt that meets no other fails");
  });
  return s.done();
}

void add_seeded(subjects& to, const std::string& name, program p) {
  subject s{"seeded/" + name, "", {{std::move(p), depth::exhausted}}};
  s.seeded_bug = true;
  to.push_back(std::move(s));
}

}  // namespace

void add_stm(subjects& to);
void add_stm(subjects& to) {
  add_kind<plain_stm>(to, "stm");
  to.back().checks.push_back(
      {both_added<two_variables<plain_stm, 2, 2>>("stm, two attempts, 2x1", 2, 1), depth::exhausted});
  to.back().checks.push_back(
      {irrevocable<two_variables<plain_stm>>("stm, two irrevocable", true, 2), depth::exhausted});
  to.back().checks.push_back({small<fault::none>(), depth::exhausted});
  to.back().checks.push_back({small_alone<fault::none>(), depth::exhausted});
  add_kind<guarded_stm<basic_ttas_lock<explored, spin>>>(to, "stm_guarded");
  add_kind<managed_stm<basic_greedy<2>>>(to, "stm_greedy");
  // One slot, which one of the two finds taken.
  using crowded = two_variables<managed_stm<basic_greedy<1>>>;
  to.back().checks.push_back({skewed<crowded>("stm_greedy, one slot, write skew"), depth::exhausted});
  to.back().checks.push_back({both_added<crowded>("stm_greedy, one slot, 2x1", 2, 1), depth::exhausted});
  add_kind<managed_stm<basic_fair_commit<2>>>(to, "stm_fair_commit");
  add_kind<managed_stm<basic_wholly<2>>>(to, "stm_wholly");
  add_gated<coming::alone>(to, "stm_alone");
  add_gated<coming::elided>(to, "stm_elided");
  add_served(to, "served_stm");
  to.back().checks.push_back({revoked<true>(), depth::exhausted});
}

void add_seeded_stm(subjects& to);
void add_seeded_stm(subjects& to) {
  add_seeded(to, "transaction_that_forgets_its_writes",
             read_after_a_write<careless_stm<lapse::forgets_its_writes>>("own writes"));
  add_seeded(to, "transaction_that_forgets_to_note_again",
             reads_again_beside_two_commits<careless_stm<lapse::forgets_to_note_again>>("read again"));
  add_seeded(to, "transaction_that_is_a_zombie", small<fault::reads_are_not_validated>());
  add_seeded(to, "commit_that_forgets_a_lock", small<fault::a_lock_is_forgotten>());
  add_seeded(to, "clock_read_after_the_reads", small<fault::clock_is_read_late>());
  add_seeded(to, "commit_that_takes_a_lock_for_newer", small_alone<fault::a_lock_seems_newer>());
  add_seeded(to, "reader_that_misses_its_revocation", revoked<false>());
}

}  // namespace synchro::model_checker
