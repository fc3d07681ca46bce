// The programs that try transactions by message passing without the messages: a request is answered at once, by whoever sends
// it, under a lock that stands for the server. Channels are subjects of their own, and with them only the smallest program
// fits (stm_harness.cpp). What this leaves out: here a lock is given back before its client goes on, there the message may
// still be on its way; a holder that has ended is met here as well, between its end and its giving back.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/stm/contention.hpp"
#include "synchro/stm/lock_service.hpp"
#include "synchro/stm/served_transaction.hpp"

namespace synchro::model_checker {

namespace {

using attempt = detail::served_attempt<explored>;
using detail::lock_answer, detail::lock_request, detail::lock_wish;
using word = explored::atomic<detail::stm_word>;

/// A server that answers at once: what detail::served_state is, of two clients.
template <class Manager, std::size_t Stripes>
struct desk_state {
  using machine = explored;
  using waiting = spin;
  using manager = Manager;

  struct office {
    /// One client's way to the server and back.
    struct way {
      office& to;
      unsigned client;

      bool send(lock_request asked) {
        to.guard.lock();
        if (asked.what() == lock_wish::release)
          to.service.release(client, asked.lock());
        else
          to.answered[client] = to.service.answer(client, asked);
        to.guard.unlock();
        return true;
      }
      std::optional<lock_answer> receive() { return to.answered[client]; }
      void close() {}
    };
    struct ways {
      office& to;
      way from(unsigned client) { return {to, client}; }
      way operator[](unsigned client) { return {to, client}; }
    };

    explicit office(attempt* all) : service{Stripes, all} {}

    ways requests{*this}, answers{*this};
    basic_ttas_lock<explored, spin> guard;
    std::array<lock_answer, 2> answered;
    detail::lock_service<explored, Manager> service;
  };

  std::size_t stripes = Stripes;
  unsigned most_attempts = 1;
  std::array<attempt, 2> attempts;
  office only{attempts.data()};
  std::array<office*, 1> offices{&only};
};

template <class Manager, std::size_t Stripes>
struct desk {
  using attempts = detail::served_attempts<desk_state<Manager, Stripes>>;

  desk_state<Manager, Stripes> memory;
  alignas(32) word x{0};
  alignas(32) word y{0};

  /// As served_stm's own loop.
  template <class F>
  void atomically(unsigned client, F fn) {
    attempts mine{memory, client};
    for (mine.begin_first();; mine.begin_next()) {
      bool committed = false;
      try {
        fn(mine);
        committed = mine.commit();
      } catch (const detail::transaction_begins_again&) {
      }
      mine.end(committed);
      if (committed) return;
      mine.give_way();
    }
  }
  void compare(unsigned client) {
    atomically(client, [this](attempts& tx) {
      const detail::stm_word seen = tx.read_word(x);
      expect(tx.read_word(y) == seen, "a transaction saw two moments");
    });
  }
  void add_to_both(unsigned client) {
    atomically(client, [this](attempts& tx) {
      const detail::stm_word seen = tx.read_word(x);
      expect(tx.read_word(y) == seen, "a transaction saw two moments");
      tx.write_word(x, seen + 1);
      tx.write_word(y, seen + 1);
    });
  }
  void expect_both(detail::stm_word value) {
    const bool there = x.load(memory_order::relaxed) == value && y.load(memory_order::relaxed) == value;
    expect(there, "a commit was lost or done twice");
  }
};

template <class Manager, std::size_t Stripes>
program both_added(const std::string& name) {
  using scene = desk<Manager, Stripes>;
  stage<scene> s{name + ", 2x1", 2};
  s.does([](scene& it, unsigned t) { it.add_to_both(t); });
  s.then_checks([](scene& it) { it.expect_both(2); });
  return s.done();
}

template <class Manager, std::size_t Stripes>
program looked_at(const std::string& name, unsigned reader) {
  using scene = desk<Manager, Stripes>;
  stage<scene> s{name + ", client " + std::to_string(reader) + " looks", 2};
  s.does([reader](scene& it, unsigned t) {
    if (t == reader)
      it.compare(t);
    else
      it.add_to_both(t);
  });
  s.then_checks([](scene& it) { it.expect_both(1); });
  return s.done();
}

/// One variable each, in an order of their own: the later commit sees the earlier.
template <class Manager, std::size_t Stripes>
program skewed(const std::string& name) {
  using scene = desk<Manager, Stripes>;
  stage<scene> s{name + ", write skew", 2};
  s.does([](scene& it, unsigned t) {
    word& mine = t == 0 ? it.x : it.y;
    word& other = t == 0 ? it.y : it.x;
    it.atomically(t, [&](auto& tx) {
      if (tx.read_word(other) == 0) tx.write_word(mine, 1);
    });
  });
  s.then_checks([](scene& it) {
    expect(it.x.load(memory_order::relaxed) + it.y.load(memory_order::relaxed) == 1,
           "neither saw what the other wrote");
  });
  return s.done();
}

// ---- one server's decisions, one after the other

/// Three clients and one lock of a server that has two.
struct counter {
  std::array<attempt, 3> all;
  detail::lock_service<explored, back_off_retry> service{2, all.data()};

  bool granted(unsigned client, lock_wish what, std::size_t lock = 0) {
    return service.answer(client, lock_request{what, lock}).is_granted();
  }
  bool refused(unsigned client, lock_wish what, unsigned because_of) {
    const lock_answer got = service.answer(client, lock_request{what, 0});
    return !got.is_granted() && got.in_the_way() == because_of;
  }
};

program decided_upon(const std::string& name, void (*what)(counter&)) {
  stage<counter> s{"served_stm, " + name, 1};
  s.does([what](counter& it, unsigned) { what(it); });
  return s.done();
}

void grants(counter& it) {
  for (unsigned c = 0; c != 3; ++c) it.all[c].begin(1, 1);
  expect(it.granted(0, lock_wish::read) && it.granted(1, lock_wish::read), "two cannot read");
  expect(it.refused(2, lock_wish::write, 0), "one writes beside two that read");
  it.service.release(0, 0);
  expect(it.refused(2, lock_wish::write, 1), "one writes beside one that reads");
  expect(it.granted(2, lock_wish::write, 1), "what holds for one lock holds for another");
  it.service.release(1, 0);
  expect(it.granted(2, lock_wish::write), "a lock that was given back is kept");
  expect(it.refused(0, lock_wish::read, 2) && it.refused(1, lock_wish::write, 2), "somebody is let in to a writer");
  expect(it.granted(2, lock_wish::read), "a writer is in its own way");
  it.service.release(2, 0);
  expect(it.granted(0, lock_wish::read) && it.granted(0, lock_wish::write), "a reader is in its own way");
  expect(it.refused(1, lock_wish::read, 0), "somebody is let in to a writer that has read");
  it.service.release(0, 0);
  expect(it.granted(1, lock_wish::write), "a lock that was given back is kept");
  expect(it.all[1].goes_on(1) && !it.all[1].goes_on(2), "who was granted all is ended");
}

void prefers(counter& it) {
  it.all[0].begin(7, 0);
  it.all[1].begin(3, 0);
  it.all[2].begin(1, 5);
  expect(it.granted(1, lock_wish::read) && it.granted(2, lock_wish::read), "two cannot read");
  expect(it.refused(2, lock_wish::write, 1), "the higher rank prevails");
  expect(it.granted(0, lock_wish::write), "precedence does not prevail, or not that of the smaller number");
  expect(it.all[0].goes_on(7) && !it.all[1].goes_on(3) && !it.all[2].goes_on(1), "the wrong ones were ended");
  expect(!it.all[1].decides(3), "one that was ended goes on to write");
  it.all[1].end(3);
  it.all[1].begin(4, 0);
  expect(it.refused(1, lock_wish::read, 0), "the larger number prevails");
  expect(it.all[0].decides(7) && !it.all[0].goes_on(7), "one that nobody has ended does not decide");
  expect(it.all[0].last_serial() == 7, "an attempt has another number");
}

/// What has been decided is not ended; what is over is nobody's.
void respects(counter& it) {
  it.all[0].begin(1, 0);
  it.all[1].begin(1, 1);
  expect(it.granted(1, lock_wish::write), "a free lock is not granted");
  expect(it.all[1].decides(1), "an attempt that goes on does not decide");
  expect(it.refused(0, lock_wish::read, 1), "one that writes what it has decided is ended");
  it.all[1].end(1);
  expect(it.all[1].last_serial() == 1, "an attempt has another number");
  expect(it.granted(0, lock_wish::read), "one that is over is in the way");
  it.all[1].begin(2, 1);
  it.service.release(1, 0);
  expect(it.refused(1, lock_wish::write, 0), "one that reads is let down for nobody");
  it.all[0].end(1);
  expect(it.granted(1, lock_wish::write), "one that is over is in the way");
}

/// Ranks are compared, the lower prevails, and of those that are in the way only those that are; what a writer has left another has.
void compares(counter& it) {
  it.all[0].begin(1, 3);
  it.all[1].begin(1, 1);
  it.all[2].begin(1, 9);
  expect(it.granted(2, lock_wish::write) && it.granted(0, lock_wish::write), "the lower rank does not prevail");
  expect(!it.all[2].goes_on(1) && it.all[2].last_serial() == 1, "one is not ended, or has another number");
  expect(it.granted(2, lock_wish::write, 1) && it.granted(1, lock_wish::read, 1), "one that was ended is in the way");
  it.all[2].end(1);
  it.service.release(2, 0), it.service.release(2, 1);
  it.all[2].begin(5, 4);
  expect(it.refused(2, lock_wish::read, 0), "the higher rank prevails");
  expect(it.granted(1, lock_wish::write) && !it.all[0].goes_on(1), "the lower rank does not prevail");
  it.all[0].end(1);
  it.service.release(0, 0);
  it.all[0].begin(2, 2);
  expect(it.refused(0, lock_wish::read, 1) && it.refused(2, lock_wish::read, 1), "another is taken for the writer");
  it.service.release(1, 0);
  expect(it.granted(2, lock_wish::write) && it.all[2].decides(5), "a lock that was given back is kept");
  expect(it.refused(0, lock_wish::read, 2), "one that has decided is ended, or another is in the way");
  it.all[2].end(5);
  expect(it.all[2].last_serial() == 5, "an attempt that has ended has another number");
}

/// Of two with precedence the smaller number prevails, of one and one without that which has it.
void goes_by_numbers(counter& it) {
  it.all[1].begin(1, 0);
  it.all[2].begin(1, 0);
  it.all[0].begin(1, 5);
  expect(it.granted(2, lock_wish::write) && it.granted(1, lock_wish::write), "the smaller number does not prevail");
  expect(it.refused(0, lock_wish::read, 1), "one without precedence prevails");
  expect(it.granted(0, lock_wish::write, 1), "a free lock is not granted");
  it.all[2].begin(2, 0);
  expect(it.granted(2, lock_wish::read, 1) && !it.all[0].goes_on(1), "precedence does not prevail");
}

/// An attempt that was seen before it ended is over, whatever its client does since.
void ends_what_was_seen(counter& it) {
  attempt& one = it.all[0];
  one.begin(6, 1);
  const std::uint64_t seen = one.status();
  one.end(6);
  expect(one.revoke(seen) && one.revoke(one.status()), "one that has ended is not over");
  one.begin(7, 1);
  expect(one.revoke(seen) && one.goes_on(7), "an attempt is ended for the one before it");
  expect(one.revoke(one.status()) && one.last_serial() == 7 && !one.decides(7), "one is not ended, or is another");
  one.begin(8, 1);
  expect(one.decides(8) && !one.revoke(one.status()) && one.last_serial() == 8, "one that has decided is ended");
}

/// Who sees an attempt under way sees its rank.
program rank_of_what_is_seen() {
  stage<attempt> s{"served_stm, rank of an attempt", 2};
  s.does([](attempt& it, unsigned t) {
    if (t == 0) return it.begin(1, 5);
    if (it.status() != 0) expect(it.rank() == 5, "an attempt has the rank of the one before it");
  });
  return s.done();
}

/// Whoever is revoked does not decide, and the other way round; who waits for its end does not wait for ever.
program revoked_or_decided() {
  struct scene {
    attempt one;
    std::array<explored::plain<std::uint32_t>, 2> done{};
  };
  stage<scene> s{"served_stm, revoked or decided", 3};
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.one.begin(1, 0);
  });
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      if (it.one.decides(1)) it.done[0] = 1;
      it.one.end(1);
    } else if (t == 1) {
      if (!it.one.revoke(it.one.status())) return;
      // It is over: what it has done is seen.
      it.done[1] = 1 + it.done[0];
    } else {
      it.one.await_end<spin>();
    }
  });
  s.then_checks([](scene& it) {
    const std::uint32_t decided = it.done[0], ended = it.done[1];
    expect(ended == 0 || ended == 1 + decided, "one was ended that had decided");
  });
  return s.done();
}

template <class Manager, std::size_t Stripes>
void add_desk(subject& to, const std::string& name) {
  to.checks.push_back({both_added<Manager, Stripes>(name), depth::as_far_as_fits});
  to.checks.push_back({skewed<Manager, Stripes>(name), depth::as_far_as_fits});
  for (const unsigned reader : {0U, 1U})
    to.checks.push_back({looked_at<Manager, Stripes>(name, reader), depth::as_far_as_fits});
}

}  // namespace

void add_served_stm(subjects& to);
void add_served_stm(subjects& to) {
  subject made{"served_stm/desk", "synchro/stm/served_stm.hpp", {}};
  made.checks.push_back({decided_upon("grants", grants), depth::exhausted});
  made.checks.push_back({decided_upon("prefers", prefers), depth::exhausted});
  made.checks.push_back({decided_upon("respects", respects), depth::exhausted});
  made.checks.push_back({decided_upon("compares", compares), depth::exhausted});
  made.checks.push_back({decided_upon("goes by numbers", goes_by_numbers), depth::exhausted});
  made.checks.push_back({decided_upon("ends what was seen", ends_what_was_seen), depth::exhausted});
  made.checks.push_back({rank_of_what_is_seen(), depth::exhausted});
  made.checks.push_back({revoked_or_decided(), depth::exhausted});
  add_desk<back_off_retry, 1>(made, "served_stm, one lock");
  add_desk<back_off_retry, 2>(made, "served_stm");
  made.checks.push_back({both_added<basic_wholly<2>, 2>("served_stm, wholly"), depth::one_preemption});
  to.push_back(std::move(made));
}

}  // namespace synchro::model_checker
