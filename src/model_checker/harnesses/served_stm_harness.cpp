// The programs that try transactions by message passing without the messages: a request is answered at once, by whoever sends
// it, under a lock that stands for the server. Channels are subjects of their own, and with them only the smallest program
// fits (stm_harness.cpp). What this leaves out: here a lock is given back before its client goes on, there the message may
// still be on its way; a holder that has ended is met here as well, between its end and its giving back.

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/ttas.hpp"
#include "synchro/stm/contention.hpp"
#include "synchro/stm/lock_service.hpp"
#include "synchro/stm/served_stm.hpp"
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
        if (asked.what() == lock_wish::release) {
          to.service.release(client, asked.lock());
          to.given_back = to.given_back + 1;
        } else {
          to.answered[client] = to.service.answer(client, asked);
          to.asked = to.asked + 1;
        }
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
    explored::plain<std::uint32_t> asked{0}, given_back{0};
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

/// Each lock is asked for once in an attempt, twice if it is written, too, and given back once; who has another is in nobody's way.
program asked_once() {
  using scene = desk<back_off_retry, 2>;
  stage<scene> s{"served_stm, asked for and given back", 1};
  s.does([](scene& it, unsigned) {
    const auto sent = [&it](std::uint32_t asked, std::uint32_t given_back) {
      return it.memory.only.asked == asked && it.memory.only.given_back == given_back;
    };
    scene::attempts one{it.memory, 0}, two{it.memory, 1};
    one.begin_first();
    expect(one.read_word(it.x) == 0 && one.read_word(it.x) == 0 && one.read_word(it.y) == 0,
           "what nobody wrote is there");
    one.write_word(it.x, 5);
    expect(sent(2, 0) && one.commit() && sent(3, 0), "what it has is asked for again, or something is not asked for");
    one.end(true);
    expect(sent(3, 2), "something is given back twice, or kept");
    one.begin_first();
    two.begin_first();
    expect(one.read_word(it.y) == 0 && two.read_word(it.x) == 5, "a commit was lost");
    two.write_word(it.x, 6);
    one.write_word(it.y, 7);
    expect(two.commit() && one.commit(), "one is in the way of another that has other locks");
    two.end(true);
    one.end(true);
    expect(sent(7, 4), "something is asked for again, given back twice, or kept");
  });
  s.then_checks([](scene& it) {
    expect(it.x.load(memory_order::relaxed) == 6 && it.y.load(memory_order::relaxed) == 7, "a commit was lost");
  });
  return s.done();
}

/// Who has begun again as often as told has precedence, until its next transaction; whatever its number.
program precedence() {
  using scene = desk<back_off_retry, 2>;
  stage<scene> s{"served_stm, precedence", 1};
  s.does([](scene& it, unsigned) {
    for (const unsigned client : {0U, 1U}) {
      scene::attempts mine{it.memory, client};
      const auto has_precedence = [&] { return it.memory.attempts[client].rank() == 0; };
      for (unsigned i = 0; i != 2; ++i) {
        mine.begin_first();
        expect(!has_precedence() && mine.is_under_way(), "the first attempt has precedence");
        mine.end(false);
        mine.give_way();
        mine.begin_next();
        expect(has_precedence(), "the last attempt has no precedence");
        expect(mine.commit(), "one that only reads does not commit");
        mine.end(true);
      }
    }
  });
  return s.done();
}

/// Variables beyond the last stripe share those that there are.
program many_words() {
  struct line {
    alignas(32) word at{0};
  };
  struct scene {
    desk_state<back_off_retry, 2> memory;
    std::array<line, 8> all;
  };
  stage<scene> s{"served_stm, more variables than stripes", 1};
  s.does([](scene& it, unsigned) {
    detail::served_attempts<desk_state<back_off_retry, 2>> mine{it.memory, 0};
    mine.begin_first();
    for (line& each : it.all) mine.write_word(each.at, mine.read_word(each.at) + 1);
    expect(it.memory.only.asked == 2 && mine.commit() && it.memory.only.asked == 4, "there are more stripes, or fewer");
    mine.end(true);
  });
  s.then_checks([](scene& it) {
    for (line& each : it.all) expect(each.at.load(memory_order::relaxed) == 1, "a commit was lost");
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

// ---- the memory as a whole

using memory_of_two = basic_served_stm<explored, spin, back_off_retry, 2>;

template <class Error, class F>
bool throws(F made) {
  try {
    made();
    return false;
  } catch (const Error&) {
    return true;
  }
}

/// Numbers that nobody can have are refused, and so is a client that has left. What was made is destroyed.
program wrong_numbers() {
  struct nobody {};
  stage<nobody> s{"served_stm, numbers that are refused", 1};
  s.does([](nobody&, unsigned) {
    using state = detail::served_state<explored, spin, back_off_retry, 2>;
    const auto refuses = [](unsigned servers, unsigned clients) {
      return throws<std::length_error>([&] { static_cast<void>(state::checked(servers, clients)); });
    };
    const auto refuses_stripes = [](std::size_t n) {
      return throws<std::length_error>([&] { static_cast<void>(state::rounded(n)); });
    };
    expect(refuses(0, 2) && refuses(65, 2) && refuses(2, 0) && refuses(2, 3), "a number is not refused");
    expect(state::checked(64, 1) == 1 && state::checked(1, 2) == 2, "a number is refused, or another");
    constexpr std::size_t most = std::size_t{1} << 30;
    expect(refuses_stripes(0) && refuses_stripes(most + 1), "a number is not refused");
    expect(state::rounded(1) == 1 && state::rounded(5) == 8 && state::rounded(most) == most,
           "it is rounded to another");
    memory_of_two memory{{.servers = 2, .clients = 1, .stripes = 1}};
    expect(memory.servers() == 2 && memory.clients() == 1, "there are others than were asked for");
    expect(throws<std::out_of_range>([&] { memory.serve(2); }), "there is one server more");
    expect(throws<std::out_of_range>([&] { static_cast<void>(memory.join(1)); }), "there is one client more");
    basic_tvar<std::uint32_t, explored> x{3};
    memory_of_two::client mine = memory.join(0);
    mine.leave();
    expect(throws<std::logic_error>([&] { static_cast<void>(mine.read_only([&](auto& tx) { return tx.read(x); })); }),
           "one that has left goes on");
  });
  s.with().counts_nodes = true;
  return s.done();
}

/// A manager that notes what it is told of the thread.
struct notes_record {
  static constexpr const char* name = "notes-record";
  static constexpr std::size_t slots = 2;
  static constexpr bool times = true;
  static std::uint64_t rank(const detail::stm_record& r, std::uint64_t) {
    explored::local<detail::stm_record>() = r;
    return r.time;
  }
};

/// What a client has committed, and the time that it took, is counted, and nothing else.
program counted_commits() {
  struct scene {
    basic_served_stm<explored, spin, notes_record, 1> memory{{.servers = 1, .clients = 1, .stripes = 1}};
    basic_tvar<std::uint32_t, explored> x{0};
  };
  stage<scene> s{"served_stm, what is counted", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 1) return it.memory.serve(0);
    const auto passes = [](int ns) { return explored::expired(explored::clock::now() + std::chrono::nanoseconds{ns}); };
    const detail::stm_record& told = explored::local<detail::stm_record>();
    auto mine = it.memory.join(0);
    if (!passes(3)) return;
    if (!mine.atomically([&](auto& tx) {
          tx.write(it.x, 1);
          return passes(5);
        }))
      return;
    expect(told.commits == 0 && told.time == 0, "something is counted that was not");
    static_cast<void>(throws<int>([&] { mine.atomically([&](auto& tx) { tx.write(it.x, 2), passes(7), throw 1; }); }));
    expect(mine.read_only([&](auto& tx) { return tx.read(it.x); }) == 1, "what was dropped is there");
    expect(told.commits == 1 && told.time == 5, "what was committed is not counted, or not its time");
  });
  return s.done();
}

/// Two servers have the stripes in turn, or one has the only stripe.
program two_servers(std::size_t stripes) {
  struct scene {
    memory_of_two memory;
    alignas(32) basic_tvar<std::uint32_t, explored> x{0};
    alignas(32) basic_tvar<std::uint32_t, explored> y{0};
    explicit scene(std::size_t n) : memory{{.servers = 2, .clients = 1, .stripes = n}} {}
  };
  stage<scene> s{"served_stm, two servers of " + std::to_string(stripes), 3, stripes};
  s.does([](scene& it, unsigned t) {
    if (t != 2) return it.memory.serve(t);
    auto mine = it.memory.join(0);
    for (const std::uint32_t more : {1U, 2U})
      mine.atomically([&](auto& tx) {
        tx.write(it.x, tx.read(it.x) + more);
        tx.write(it.y, tx.read(it.x) + tx.read(it.y));
      });
  });
  s.then_checks([](scene& it) { expect(it.x.alone() == 3 && it.y.alone() == 4, "a commit was lost"); });
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
  made.checks.push_back({asked_once(), depth::exhausted});
  made.checks.push_back({precedence(), depth::exhausted});
  made.checks.push_back({many_words(), depth::exhausted});
  made.checks.push_back({wrong_numbers(), depth::exhausted});
  made.checks.push_back({counted_commits(), depth::as_far_as_fits});
  for (const std::size_t stripes : {std::size_t{1}, std::size_t{4}})
    made.checks.push_back({two_servers(stripes), depth::as_far_as_fits});
  add_desk<back_off_retry, 1>(made, "served_stm, one lock");
  add_desk<back_off_retry, 2>(made, "served_stm");
  made.checks.push_back({both_added<basic_wholly<2>, 2>("served_stm, wholly"), depth::one_preemption});
  to.push_back(std::move(made));
}

}  // namespace synchro::model_checker
