// Programs that try each call of a transaction and each end that it can come to, by themselves: alone and beside others, of a
// function that hides that it is to begin again, of one that throws, of a lock that throws, of logs that outgrow the stack; and what
// the gate decides.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/stm/served_stm.hpp"
#include "synchro/stm/stm.hpp"

namespace synchro::model_checker {

namespace {

using field = explored::plain<std::uint32_t>;
using variable = basic_tvar<std::uint32_t, explored>;
using plain_stm = basic_stm<explored, spin, versioned_locks<>>;

/// What the next attempt of a transaction is told by the one before.
template <class Stm = plain_stm>
struct memory_of_two {
  Stm memory;
  alignas(32) variable x{0};
  alignas(32) variable y{0};

  explicit memory_of_two(const stm_options& how) : memory{how} {}

  void expect_both(std::uint32_t in_x, std::uint32_t in_y) const {
    expect(x.alone() == in_x && y.alone() == in_y, "a commit was lost or done twice, or what was undone is there");
  }
};

/// Calls fn and hides that the transaction is to begin again.
template <class F>
void hiding(F fn) {
  try {
    fn();
  } catch (const detail::transaction_begins_again&) {
  }
}

/// Who waits by retry in a transaction that only reads finds what the other wrote, as a whole.
program retried_by_a_reader(const std::string& name, const stm_options& how) {
  using scene = memory_of_two<>;
  stage<scene> s{name + ", retry by a reader", 2, how};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      it.memory.atomically([&](auto& tx) { tx.write(it.y, 1); });  // so that two can have met before x is written
      return it.memory.atomically([&](auto& tx) {
        tx.write(it.x, 7);
        tx.write(it.y, 8);
      });
    }
    const std::uint32_t found = it.memory.read_only([&](auto& tx) {
      const std::uint32_t seen = tx.read(it.x);
      if (seen == 0) tx.retry();
      return seen + tx.read(it.y);
    });
    expect(found == 15, "a transaction saw two moments");
  });
  return s.done();
}

/// Who waits by retry is irrevocable by the number of its attempts: then it waits all the same, and is in nobody's way.
program retried_by_one_with_precedence(const std::string& name) {
  using scene = memory_of_two<>;
  stage<scene> s{name + ", retry after the last attempt", 2, stm_options{.stripes = 2, .attempts = 0, .alone = false}};
  s.does([](scene& it, unsigned t) {
    it.memory.atomically([&](auto& tx) {
      expect(tx.is_irrevocable(), "an attempt after the last one is not irrevocable");
      if (t == 0) return tx.write(it.x, 7);
      if (tx.read(it.x) == 0) tx.retry();
      tx.write(it.y, tx.read(it.x) + 1);
    });
    expect(attempts_begun_again<explored>() <= 1, "one who waits is woken for nothing");
  });
  s.then_checks([](scene& it) { it.expect_both(7, 8); });
  return s.done();
}

void await(const explored::atomic<std::uint32_t>& word, std::uint32_t n) {
  explored::await(word, memory_order::relaxed, [n](std::uint32_t v) { return v == n; });
}

/// Who may not commit gives a lock back as new as it was: a reader that began before does not take it for older.
template <class Stm>
program given_back(const std::string& name, const stm_options& how) {
  struct scene : memory_of_two<Stm> {
    using memory_of_two<Stm>::memory_of_two;
    explored::atomic<std::uint32_t> begun{0}, committed{0}, begun_again{0}, has_read{0};
  };
  stage<scene> s{name + ", a lock given back", 3, how};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.memory.atomically([&](auto& tx) { tx.write(it.x, 0); });  // its version is 1
  });
  s.does([](scene& it, unsigned t) {
    std::uint32_t attempt = 0;
    if (t == 2) {
      await(it.begun, 2);
      it.memory.atomically([&](auto& tx) { tx.write(it.x, 1), tx.write(it.y, 1); });
      return it.committed.store(1, memory_order::relaxed);
    }
    if (t == 1)
      return it.memory.atomically([&](auto& tx) {
        if (++attempt == 1) it.begun.fetch_add(1, memory_order::relaxed), await(it.committed, 1);
        if (attempt == 2) it.begun_again.store(1, memory_order::relaxed), await(it.has_read, 1);
        tx.write(it.x, 2);
      });
    it.memory.atomically([&](auto& tx) {
      const std::uint32_t y = tx.read(it.y);
      if (++attempt == 1) it.begun.fetch_add(1, memory_order::relaxed), await(it.begun_again, 1);
      expect(tx.read(it.x) == y, "a transaction saw two moments");
    });
    it.has_read.store(1, memory_order::relaxed);
  });
  s.then_checks([](scene& it) { it.expect_both(2, 1); });
  return s.done();
}

/// Each only reads until it finds that it is to write, in a part: what it has read is noted by then, or read anew.
program skewed_by_readers(const std::string& name) {
  using scene = memory_of_two<>;
  stage<scene> s{name + ", write skew of readers", 2, stm_options{.stripes = 2, .attempts = 2, .alone = false}};
  s.does([](scene& it, unsigned t) {
    it.memory.read_only([&](auto& tx) {
      if (tx.read(t == 0 ? it.y : it.x) != 0) return;
      it.memory.atomically([&](auto& part) { part.write(t == 0 ? it.x : it.y, 1); });
    });
  });
  s.then_checks([](scene& it) { expect(it.x.alone() + it.y.alone() == 1, "neither saw what the other wrote"); });
  return s.done();
}

/// One only reads until a part of it is irrevocable: what it has read holds from then on, or is read anew.
template <class Stm>
program irrevocable_within_a_reader(const std::string& name) {
  using scene = memory_of_two<Stm>;
  stage<scene> s{name + ", irrevocable within a reader", 2, stm_options{.stripes = 2, .attempts = 2, .alone = false}};
  s.does([](scene& it, unsigned t) {
    if (t == 0) return it.memory.atomically([&](auto& tx) { tx.write(it.x, 1), tx.write(it.y, 1); });
    it.memory.read_only([&](auto& tx) {
      const std::uint32_t seen = tx.read(it.x);
      it.memory.irrevocably([&](auto& part) { expect(part.read(it.y) == seen, "a transaction saw two moments"); });
    });
  });
  return s.done();
}

/// One becomes irrevocable when another has committed to what it writes and has not read, or is it from the first, and another
/// commits to that meanwhile: it goes on all the same.
program irrevocable_and_blind(const std::string& name, bool becomes_so) {
  struct scene : memory_of_two<> {
    using memory_of_two<>::memory_of_two;
    explored::atomic<std::uint32_t> begun{0}, committed{0};
  };
  stage<scene> s{name + (becomes_so ? ", blind, then irrevocable" : ", irrevocable and blind"), 2,
                 stm_options{.stripes = 2, .attempts = 2, .alone = false}};
  s.does([becomes_so](scene& it, unsigned t) {
    if (t == 0) {
      if (becomes_so) await(it.begun, 1);
      it.memory.atomically([&](auto& tx) { tx.write(it.y, 1); });
      return it.committed.store(1, memory_order::relaxed);
    }
    unsigned attempts = 0;
    const auto deed = [&](auto& tx) {
      expect(++attempts == 1, "what is irrevocable was begun again");
      if (becomes_so) it.begun.store(1, memory_order::relaxed), await(it.committed, 1);
      tx.become_irrevocable();
      tx.write(it.y, 2);
      tx.write(it.x, 2);
    };
    becomes_so ? it.memory.atomically(deed) : it.memory.irrevocably(deed);
  });
  s.then_checks([becomes_so](scene& it) {
    expect(it.x.alone() == 2 && (it.y.alone() == 2 || !becomes_so), "a commit was lost");
  });
  return s.done();
}

/// A part of a transaction knows it, whatever other memories' transactions are between them, and these are no parts.
program parts_of_parts(const std::string& name) {
  struct scene {
    std::array<plain_stm, 3> memory{plain_stm{{.stripes = 1, .attempts = 1, .alone = false}},
                                    plain_stm{{.stripes = 1, .attempts = 1, .alone = false}},
                                    plain_stm{{.stripes = 1, .attempts = 1, .alone = false}}};
    variable x{0};
  };
  stage<scene> s{name + ", a part within others", 1};
  s.does([](scene& it, unsigned) {
    const auto add = [&it](std::uint32_t seen) {
      it.memory[0].atomically([&it, seen](auto& part) {
        expect(part.read(it.x) == seen, "a part does not read what the whole has written");
        part.write(it.x, seen + 1);
      });
    };
    it.memory[0].atomically([&](auto& tx) {
      tx.write(it.x, 5);
      it.memory[1].irrevocably([&](auto&) {
        add(5);
        it.memory[2].irrevocably([&](auto&) { add(6); });
      });
      expect(!tx.is_irrevocable(), "a transaction is taken for a part of one of another memory");
    });
  });
  s.then_checks([](scene& it) { expect(it.x.alone() == 7, "what was written last is not there"); });
  return s.done();
}

/// A transaction that has only read comes to a part that writes: it begins again once, to note what it reads.
program part_that_writes(const std::string& name) {
  using scene = memory_of_two<>;
  stage<scene> s{name + ", a part that writes", 1, stm_options{.stripes = 2, .attempts = 2, .alone = false}};
  s.does([](scene& it, unsigned) {
    unsigned attempts = 0;
    it.memory.read_only([&](auto& tx) {
      ++attempts;
      const std::uint32_t seen = tx.read(it.x);
      it.memory.atomically([&](auto& part) {
        expect(!part.is_irrevocable(), "a transaction that meets no other is irrevocable");
        part.write(it.y, seen + 1);
      });
    });
    expect(attempts == 2, "a transaction that meets no other begins again more than once");
  });
  s.then_checks([](scene& it) { it.expect_both(0, 1); });
  return s.done();
}

/// A manager that counts, for each thread, the transactions that it was asked to rank.
struct ranks_asked {
  std::uint32_t count = 0;
  std::uint64_t begun = 0;
};
struct counts_ranks {
  static constexpr const char* name = "counts-ranks";
  static constexpr std::size_t slots = 2;
  static constexpr bool times = false;
  static std::uint64_t rank(const detail::stm_record&, std::uint64_t begun) {
    ranks_asked& asked = explored::local<ranks_asked>();
    asked.begun = begun;
    return ++asked.count;
  }
};

/// What one has read another changes: the second attempt is of the same transaction, and has the rank that it had at first; what
/// the first has read is nothing to it. A later transaction is of its own time, the fourth (each that came to commit has added
/// one), and commits at once.
program ranked_once(const std::string& name) {
  struct scene : memory_of_two<basic_stm<explored, spin, versioned_locks<counts_ranks>>> {
    using memory_of_two::memory_of_two;
    explored::atomic<std::uint32_t> begun{0}, committed{0};
  };
  stage<scene> s{name + ", ranked once", 2, stm_options{.stripes = 2, .attempts = 3, .alone = false}};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      for (const std::uint32_t round : {1U, 2U}) {
        await(it.begun, round);
        it.memory.atomically([&](auto& tx) { tx.write(it.x, round); });
        it.committed.store(round, memory_order::relaxed);
      }
      return;
    }
    std::uint32_t attempts = 0;
    it.memory.atomically([&](auto& tx) {
      if (attempts == 0) expect(tx.read(it.x) == 0, "a variable begins with another value");
      it.begun.store(++attempts, memory_order::relaxed), await(it.committed, attempts);
      tx.write(it.y, attempts);
    });
    const ranks_asked& asked = explored::local<ranks_asked>();
    expect(attempts == 2 && asked.count == 1,
           "a transaction that begins again is ranked again, or begins again too often");
    expect(attempts_begun_again<explored>() == 1, "an attempt that was begun again is not counted, or twice");
    const detail::stm_record& record = explored::local<detail::stm_record>();
    expect(record.commits == 1, "what was committed is not counted, or what was not is");
    it.memory.atomically([&](auto& tx) {
      expect(++attempts == 3 && asked.begun == 4, "a transaction begins again, or has another time");
      tx.write(it.y, 5);
    });
    expect(record.commits == 2, "what was committed is not counted");
  });
  s.then_checks([](scene& it) { it.expect_both(2, 5); });
  return s.done();
}

/// A function that hides that it is to begin again, and returns: nothing of that attempt is there.
program hidden(const std::string& name, const stm_options& how) {
  using scene = memory_of_two<>;
  stage<scene> s{name + ", a hidden retry", 2, how};
  const bool elides = how.alone && how.elide;  // then the processor's are counted, too
  s.does([elides](scene& it, unsigned t) {
    if (t == 0)
      return it.memory.atomically([&](auto& tx) {
        expect(tx.read(it.y) == 0, "what was taken back was seen");
        tx.write(it.x, 7);
      });
    std::uint64_t attempts = 0;
    const std::uint32_t found = it.memory.atomically([&](auto& tx) {
      ++attempts;
      const std::uint32_t seen = tx.read(it.x);
      tx.write(it.y, 5);
      if (seen == 0) hiding([&] { tx.retry(); });
      return seen;
    });
    expect(found == 7, "an attempt that is to begin again has committed");
    const std::uint64_t again = attempts_begun_again<explored>();
    expect(elides ? again + 1 >= attempts : again + 1 == attempts, "an attempt that was begun again is not counted");
    it.memory.atomically([&](auto& tx) { tx.write(it.y, tx.read(it.y) - 5); });
  });
  s.then_checks([](scene& it) { it.expect_both(7, 0); });
  return s.done();
}

template <class Transaction>
bool refuses_to_retry(Transaction& tx) {
  try {
    tx.retry();
  } catch (const std::logic_error&) {
    return true;
  }
}

/// Alone: what it says of itself, before and after it is irrevocable, in a part that asks for it, and in one that does not.
program asked_of_itself(const std::string& name, const stm_options& how) {
  using scene = memory_of_two<>;
  stage<scene> s{name + ", irrevocable parts", 1, how};
  s.does([](scene& it, unsigned) {
    unsigned times = 0;
    it.memory.atomically([&](auto& tx) {
      expect(tx.read(it.y) == 0, "a variable begins with another value");
      tx.write(it.x, 1);
      if (times++ == 0) expect(!tx.is_irrevocable(), "a transaction that meets no other is irrevocable");
      it.memory.irrevocably([&](auto& part) {
        expect(part.is_irrevocable(), "a part that was asked to be irrevocable is not");
        part.write(it.y, part.read(it.x) + 1);
      });
      expect(tx.is_irrevocable() && tx.read(it.y) == 2, "a whole is not what its part has become");
      expect(refuses_to_retry(tx), "what has become irrevocable begins again");
      tx.write(it.x, tx.read(it.y) + 1);
    });
    expect(times == 1, "what is irrevocable was begun again");
    it.memory.irrevocably([&](auto& tx) {
      expect(tx.is_irrevocable() && tx.read(it.x) == 3, "what was asked to be irrevocable is not");
      expect(refuses_to_retry(tx), "what is irrevocable begins again");
    });
  });
  s.then_checks([](scene& it) { it.expect_both(3, 2); });
  return s.done();
}

/// One transaction writes more than fits on the stack, and reads it again; another throws at its end, and nothing of it is there.
/// Two stripes are read in turn, more often than fits on the stack.
program many_entries(const std::string& name, bool alone) {
  constexpr std::uint32_t many = 70;
  struct scene {
    plain_stm memory;
    std::array<variable, many> all;
    explicit scene(bool by_itself) : memory{{.stripes = 2, .attempts = 1, .alone = by_itself, .elide = false}} {}

    void write_all(std::uint32_t more) {
      memory.atomically([&](auto& tx) {
        for (std::uint32_t i = 0; i != many; ++i) tx.write(all[i], i + more);
        for (std::uint32_t i = 0; i != many; ++i) expect(tx.read(all[i]) == i + more, "a write was forgotten");
        if (more == 2) tx.write(all[0], 9), throw more;
      });
    }
  };
  stage<scene> s{name + ", many writes", 1, alone};
  s.does([](scene& it, unsigned) {
    it.write_all(1);
    bool caught = false;
    try {
      it.write_all(2);
    } catch (std::uint32_t) {
      caught = true;
    }
    expect(caught, "an exception was lost");
    it.memory.atomically([&](auto& tx) {
      for (std::uint32_t i = 0; i != 2 * many; ++i) {
        const std::uint32_t at = i / 2 % many + (i % 2 != 0 ? 4 : 0);  // 32 bytes, a stripe, apart
        if (at < many) expect(tx.read(it.all[at]) == at + 1, "what was dropped is there");
      }
      tx.write(it.all[0], 9);
    });
  });
  s.then_checks([](scene& it) {
    for (std::uint32_t i = 0; i != many; ++i)
      expect(it.all[i].alone() == (i == 0 ? 9 : i + 1), "a commit was lost, or what was dropped is there");
  });
  return s.done();
}

/// Two writes of one variable are undone, the later first.
template <class Stm>
program written_twice_and_thrown(const std::string& name, const stm_options& how) {
  using scene = memory_of_two<Stm>;
  stage<scene> s{name + ", written twice and thrown", 1, how};
  s.does([](scene& it, unsigned) {
    bool caught = false;
    unsigned runs = 0;
    try {
      it.memory.atomically([&](auto& tx) {
        ++runs;
        for (const std::uint32_t value : {1U, 2U}) tx.write(it.x, value);
        tx.write(it.y, 3);
        throw 1;
      });
    } catch (int) {
      caught = true;
    }
    expect(caught && runs == 1, "an exception was lost, or what throws runs again");
  });
  s.then_checks([](scene& it) { it.expect_both(0, 0); });
  return s.done();
}

/// A lock that the second thread does not get the second time that it asks for one: it throws.
class lock_that_throws {
 public:
  void lock() {
    if (explored::slot() == 1 && ++explored::local<asked>().times == 2) throw no_lock{};
    inner_.lock();
  }
  void unlock() { inner_.unlock(); }

  struct no_lock {};

 private:
  struct asked {
    unsigned times = 0;
  };
  basic_ttas_lock<explored, spin> inner_;
};

/// What it has taken before it gives back, and its next transaction is as any.
program lock_throws(const std::string& name) {
  using scene = memory_of_two<basic_stm<explored, spin, guarded_by<lock_that_throws>>>;
  stage<scene> s{name + ", a lock throws", 2, stm_options{.stripes = 2, .attempts = 3, .alone = false}};
  s.does([](scene& it, unsigned t) {
    const auto add_to_both = [&it] {
      it.memory.atomically([&it](auto& tx) {
        const std::uint32_t seen = tx.read(it.x);
        expect(tx.read(it.y) == seen, "a transaction saw two moments");
        tx.write(it.x, seen + 1);
        tx.write(it.y, seen + 1);
      });
    };
    if (t == 0) return add_to_both();
    bool caught = false;
    try {
      add_to_both();
    } catch (const lock_that_throws::no_lock&) {
      caught = true;
    }
    expect(caught, "an exception was lost");
    add_to_both();
  });
  s.then_checks([](scene& it) { it.expect_both(2, 2); });
  return s.done();
}

/// Two have met. Who is alone now counts whether it was worth it to run as transactions of the processor: it gets on side by side
/// when it was not, two times more than it was.
program marked(const std::string& name) {
  struct scene {
    detail::stm_gate<explored, spin> gate{false, true, 1};

    bool comes_alone(std::uint32_t elided) {
      const bool alone = gate.enter_alone(elided);
      expect(elided == 0 || !alone, "what was committed before counts once more");
      if (alone) gate.leave();
      return alone;
    }
  };
  stage<scene> s{name + ", what pays", 1};
  s.does([](scene& it, unsigned) {
    expect(it.gate.enter() == detail::stm_way::alone && !it.gate.is_free(), "the first to come is not alone");
    expect(it.gate.enter() == detail::stm_way::elided, "the second to come is not elided");
    it.gate.leave();
    expect(it.gate.is_free() && it.gate.enter() == detail::stm_way::elided, "they have met, and it is forgotten");
    // Marks: 0 (it pays), 1, 0 (it pays), 1, 2.
    for (const std::uint32_t elided : {4U, 3U, 5U, 0U, 0U}) expect(it.comes_alone(elided), "it is shared too early");
    expect(!it.comes_alone(0) && it.gate.enter() == detail::stm_way::together, "it is not shared");
    expect(!it.gate.is_free() && !it.gate.await_free(), "what is shared is free");
  });
  return s.done();
}

/// Whoever was alone and is to begin again lets the others in; who has thrown does not.
program let_in(const std::string& name) {
  struct scene {
    detail::stm_gate<explored, spin> gate{false, false, 9};
    explored::atomic<detail::stm_word> word{0};
  };
  stage<scene> s{name + ", let in", 1};
  s.does([](scene& it, unsigned) {
    for (const bool is_over : {false, true}) {
      expect(it.gate.enter() == detail::stm_way::alone, "the only one is not alone");
      detail::stm_in_place<explored, spin> mine{it.gate, nullptr, detail::stm_way::alone, false};
      mine.write_word(it.word, 1);
      mine.is_over = is_over;
      mine.undo();
      expect(it.word.load(memory_order::relaxed) == 0, "what was undone is there");
      expect(it.gate.is_free() != is_over, "others are let in, or are not");
    }
    expect(it.gate.enter() == detail::stm_way::together, "others are not let in");
  });
  return s.done();
}

/// Two have met, and one comes again: what the processor has aborted is counted, unless it was not to be tried.
program counted_attempts(const std::string& name, bool for_good) {
  struct scene {
    detail::stm_gate<explored, spin> gate{false, true, 9};
  };
  stage<scene> s{name + (for_good ? ", attempts of an irrevocable one" : ", attempts"), 1};
  s.does([for_good](scene& it, unsigned) {
    expect(it.gate.enter() == detail::stm_way::alone, "the first to come is not alone");
    const detail::stm_way way = it.gate.enter();
    it.gate.leave();
    detail::stm_in_place<explored, spin> mine{it.gate, nullptr, way, for_good};
    expect(mine.elide(), "one of all is to run beside others");
    const bool alone = !explored::transactions::is_under_way();
    expect(alone || !for_good, "an irrevocable transaction is the processor's");
    expect(mine.commit() && !explored::transactions::is_under_way(), "what is not over does not commit");
    const std::uint64_t again = attempts_begun_again<explored>();
    const bool is_right =
        alone ? again == 1 || again == explored::transactions::attempts : again < explored::transactions::attempts;
    expect(for_good ? again == 0 : is_right, "an attempt that was begun again is not counted, or twice");
    expect(explored::local<detail::stm_attempts>().elided == (alone ? 0 : 1),
           "what the processor has committed is not counted");
  });
  return s.done();
}

// ---- seeded

/// A lock that is given back by who may not commit has a version from before those that are.
struct locks_that_grow_old {
  template <class Machine, class Waiting>
  class on : public versioned_locks<>::on<Machine, Waiting> {
    using sound = versioned_locks<>::on<Machine, Waiting>;

   public:
    using contender = typename sound::contender;
    struct stripe : sound::stripe {
      typename Machine::template plain<std::uint64_t> was{0};
    };
    static bool take(stripe& s, contender& me, std::uint64_t mark, std::uint64_t& old) {
      if (!sound::take(s, me, mark, old)) return false;
      s.was = old;
      return true;
    }
    static void give(stripe& s, std::uint64_t version) { sound::give(s, version == s.was ? 0 : version); }
  };
};

/// What a transaction has written is taken back in the order in which it was written.
struct stm_that_undoes_in_order : plain_stm {
  using plain_stm::plain_stm;

  template <class F>
  void atomically(F fn) {
    std::vector<std::pair<variable*, std::uint32_t>> before;
    try {
      plain_stm::atomically([&](auto& tx) {
        noting<std::remove_reference_t<decltype(tx)>> mine{tx, before};
        fn(mine);
      });
    } catch (...) {
      for (const auto& [at, value] : before) at->set_alone(value);
      throw;
    }
  }

 private:
  template <class Transaction>
  struct noting {
    Transaction& tx;
    std::vector<std::pair<variable*, std::uint32_t>>& before;

    std::uint32_t read(const variable& x) { return tx.read(x); }
    void write(variable& x, std::uint32_t value) {
      before.emplace_back(&x, tx.read(x));
      tx.write(x, value);
    }
  };
};

/// A transaction that only reads does not note what, and a part that is to be irrevocable is another.
struct stm_that_forgets_its_reader : plain_stm {
  using plain_stm::plain_stm;
  struct reader {
    std::uint32_t read(const variable& x) { return x.alone(); }
  };
  void read_only(auto fn) {
    reader mine;
    fn(mine);
  }
};

// ---- by message passing

template <class Manager, class Memory = basic_served_stm<explored, spin, Manager, 2>>
struct served_two {
  Memory memory;
  alignas(32) variable x{0};
  alignas(32) variable y{0};
  explored::atomic<std::uint32_t> turn{0};

  explicit served_two(unsigned clients, unsigned attempts = 0)
      : memory{{.servers = 1, .clients = clients, .stripes = 2, .attempts = attempts}} {}

  void comes(std::uint32_t to) { turn.store(to, memory_order::release); }
  void awaits(std::uint32_t what) {
    explored::await(turn, memory_order::acquire, [what](std::uint32_t v) { return v >= what; });
  }
};

/// One client: own writes, parts, results and exceptions.
template <class Manager>
program served_alone(const std::string& name) {
  using scene = served_two<Manager>;
  stage<scene> s{name + ", one client", 2, 1U};
  s.does([](scene& it, unsigned t) {
    if (t == 1) return it.memory.serve(0);
    auto mine = it.memory.join(0);
    const std::uint32_t told = mine.atomically([&](auto& tx) {
      tx.write(it.x, 3);
      expect(tx.read(it.y) == 0 && tx.read(it.x) == 3, "a transaction does not read what it has written");
      tx.write(it.y, 4);
      tx.write(it.x, 5);
      return mine.atomically([&](auto& part) {
        expect(part.read(it.x) == 5 && part.read(it.y) == 4, "a part does not read what the whole has written");
        part.write(it.y, part.read(it.x) + 1);
        return mine.read_only([&](auto& reader) { return reader.read(it.y); });
      });
    });
    expect(told == 6, "a result was lost");
    bool caught = false;
    try {
      mine.atomically([&](auto& tx) {
        tx.write(it.x, tx.read(it.y) + 100);
        throw 1;
      });
    } catch (int) {
      caught = true;
    }
    expect(caught, "an exception was lost");
    expect(mine.read_only([&](auto& tx) { return tx.read(it.x) + tx.read(it.y); }) == 11, "what was dropped is there");
  });
  s.then_checks([](scene& it) { expect(it.x.alone() == 5 && it.y.alone() == 6, "a commit was lost"); });
  return s.done();
}

/// Client 1 has read x; then client 0, who has precedence, writes it and commits. That is done twice: the first time client 1 hides
/// what it is told, and goes on; the second time it comes to commit. The third attempt is left alone, and adds to what is there.
/// All three are one transaction, which keeps the rank that it had at first.
template <class Manager, class... Memory>
program served_victim(const std::string& name) {
  using scene = served_two<Manager, Memory...>;
  stage<scene> s{name + ", revoked twice", 3, 2U};
  s.does([](scene& it, unsigned t) {
    if (t == 2) return it.memory.serve(0);
    auto mine = it.memory.join(t);
    if (t == 0) {
      for (const std::uint32_t round : {1U, 3U}) {
        it.awaits(round);
        mine.atomically([&](auto& tx) { tx.write(it.x, tx.read(it.x) + 1); });
        it.comes(round + 1);
      }
      return;
    }
    std::uint32_t attempt = 0;
    const std::uint32_t told = mine.atomically([&](auto& tx) {
      const std::uint32_t seen = tx.read(it.x);
      expect(seen == attempt, "a commit was not seen");
      if (++attempt < 3) {
        it.comes(2 * attempt - 1);
        it.awaits(2 * attempt);
      }
      if (attempt == 1) {
        hiding([&] { static_cast<void>(tx.read(it.y)); });
        hiding([&] { static_cast<void>(tx.read(it.y)), expect(false, "one that was ended reads on"); });
        hiding([&] { tx.write(it.y, 50), expect(false, "one that was ended writes on"); });
      } else {
        tx.write(it.y, 10 * seen);
      }
      return seen;
    });
    expect(told == 2 && attempt == 3, "an attempt that was ended has committed");
    expect(attempts_begun_again<explored>() == 2, "an attempt that was begun again is not counted, or twice");
    if constexpr (Manager::slots != 0)
      expect(explored::local<ranks_asked>().count == 1, "a transaction that begins again is ranked again");
  });
  s.then_checks([](scene& it) { expect(it.x.alone() == 2 && it.y.alone() == 20, "a commit was lost or done twice"); });
  return s.done();
}

/// A client gives back what it has read, and nothing of another's: client 1, which has read the same, is ended when client 0 writes
/// it; later it writes what client 0 has given back, and is in nobody's way.
program served_given_back(const std::string& name) {
  using scene = served_two<back_off_retry>;
  stage<scene> s{name + ", given back", 3, 2U};
  s.does([](scene& it, unsigned t) {
    if (t == 2) return it.memory.serve(0);
    auto mine = it.memory.join(t);
    std::uint32_t attempts = 0;
    if (t == 0) {
      it.awaits(1);
      expect(mine.read_only([&](auto& tx) { return tx.read(it.x); }) == 0, "a variable begins with another value");
      mine.atomically([&](auto& tx) { tx.write(it.x, 1), tx.write(it.y, 1); });
      // When this is answered the server has got back what was written.
      expect(mine.read_only([&](auto& tx) { return tx.read(it.y); }) == 1, "a commit was lost");
      it.comes(2);
      mine.read_only([&](auto& tx) {
        expect(++attempts == 1 && tx.read(it.y) == 1, "one is ended for what it has given back");
        it.comes(3);
        it.awaits(4);
      });
      return;
    }
    mine.read_only([&](auto& tx) {
      const std::uint32_t seen = tx.read(it.x);
      if (++attempts == 1) it.comes(1), it.awaits(2);
      expect(tx.read(it.y) == seen, "a transaction saw two moments");
    });
    it.awaits(3);
    mine.atomically([&](auto& tx) { tx.write(it.x, 2); });
    it.comes(4);
  });
  s.then_checks([](scene& it) { expect(it.x.alone() == 2 && it.y.alone() == 1, "a commit was lost"); });
  return s.done();
}

/// Client 1 may be refused what client 0 has read: then its second attempt, which is its last, has precedence over all that client 0
/// does.
program served_with_precedence(const std::string& name) {
  using scene = served_two<back_off_retry>;
  stage<scene> s{name + ", the last attempt", 3, 2U, 1U};
  s.does([](scene& it, unsigned t) {
    if (t == 2) return it.memory.serve(0);
    auto mine = it.memory.join(t);
    std::uint32_t attempts = 0;
    if (t == 0) {
      mine.read_only([&](auto& tx) { static_cast<void>(tx.read(it.x)), it.comes(1); });
      it.awaits(3);
      const bool was_refused = it.turn.load(memory_order::relaxed) == 3;
      mine.read_only([&](auto& tx) {
        static_cast<void>(tx.read(it.x));
        if (++attempts == 1 && was_refused) it.comes(4), it.awaits(5);
      });
      return;
    }
    it.awaits(1);
    mine.atomically([&](auto& tx) {
      if (++attempts == 2) it.comes(3), it.awaits(4);
      tx.write(it.x, 1);
    });
    it.comes(5);
  });
  s.then_checks([](scene& it) { expect(it.x.alone() == 1, "a commit was lost"); });
  return s.done();
}

// ---- seeded

/// Each attempt is a transaction of its own, which is ranked anew.
struct served_stm_that_ranks_anew : basic_served_stm<explored, spin, counts_ranks, 2> {
  using sound = basic_served_stm<explored, spin, counts_ranks, 2>;
  using sound::sound;

  struct client {
    sound::client inner;

    template <class F>
    auto atomically(F fn) {
      struct ends {};
      for (;;) {
        bool is_second = false;
        try {
          return inner.atomically([&](auto& tx) {
            if (std::exchange(is_second, true)) throw ends{};
            return fn(tx);
          });
        } catch (const ends&) {
        }
      }
    }
  };
  client join(unsigned number) { return {sound::join(number)}; }
};

}  // namespace

void add_stm_calls(subjects& to);
void add_stm_calls(subjects& to) {
  constexpr stm_options together{.stripes = 2, .attempts = 2, .alone = false};
  constexpr stm_options alone{.stripes = 2, .attempts = 2, .alone = true, .elide = false};
  constexpr stm_options elided{.stripes = 2, .attempts = 2, .alone = true, .elide = true};
  subject made{"stm/calls", "synchro/stm/stm.hpp", {}};
  for (program& p : std::vector{retried_by_a_reader("stm, together", together),
                                retried_by_a_reader("stm, alone", alone),
                                retried_by_a_reader("stm, elided", elided),
                                retried_by_one_with_precedence("stm"),
                                hidden("stm, together", together),
                                hidden("stm, alone", alone),
                                hidden("stm, elided", elided),
                                asked_of_itself("stm, together", together),
                                asked_of_itself("stm, alone", alone),
                                many_entries("stm, together", false),
                                many_entries("stm, alone", true),
                                lock_throws("stm_guarded"),
                                written_twice_and_thrown<plain_stm>("stm, alone", alone),
                                skewed_by_readers("stm"),
                                irrevocable_within_a_reader<plain_stm>("stm"),
                                given_back<plain_stm>("stm", {.stripes = 2, .attempts = 3, .alone = false}),
                                marked("stm_elided"),
                                irrevocable_and_blind("stm", true),
                                irrevocable_and_blind("stm", false),
                                part_that_writes("stm"),
                                let_in("stm_alone"),
                                parts_of_parts("stm"),
                                ranked_once("stm_ranked"),
                                counted_attempts("stm_elided", false),
                                counted_attempts("stm_elided", true)})
    made.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(made));
  subject served{"served_stm/calls", "synchro/stm/served_stm.hpp", {}};
  for (program& p : std::vector{
           served_alone<back_off_retry>("served_stm"), served_alone<basic_fair_commit<2>>("served_stm_fair_commit"),
           served_victim<back_off_retry>("served_stm"), served_victim<counts_ranks>("served_stm_ranked"),
           served_given_back("served_stm"), served_with_precedence("served_stm")})
    served.checks.push_back({std::move(p), depth::as_far_as_fits});
  to.push_back(std::move(served));
}

void add_seeded_stm_calls(subjects& to);
void add_seeded_stm_calls(subjects& to) {
  using stm_of_old_locks = basic_stm<explored, spin, locks_that_grow_old>;
  to.push_back(seeded("lock_given_back_as_older",
                      given_back<stm_of_old_locks>("stm", {.stripes = 2, .attempts = 3, .alone = false})));
  to.push_back(seeded("writes_undone_in_order",
                      written_twice_and_thrown<stm_that_undoes_in_order>(
                          "stm, alone", {.stripes = 2, .attempts = 2, .alone = true, .elide = false})));
  to.push_back(seeded("reader_that_is_forgotten", irrevocable_within_a_reader<stm_that_forgets_its_reader>("stm")));
  to.push_back(
      seeded("transaction_ranked_anew", served_victim<counts_ranks, served_stm_that_ranks_anew>("served_stm_ranked")));
}

}  // namespace synchro::model_checker
