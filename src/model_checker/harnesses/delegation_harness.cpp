// The programs that try delegation: every request is run once, alone, before its caller goes on, and the caller has its
// result.

#include <algorithm>
#include <array>
#include <mutex>
#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/delegation/cc_synch.hpp"
#include "synchro/delegation/dsm_synch.hpp"
#include "synchro/delegation/flat_combining.hpp"
#include "synchro/delegation/locked.hpp"
#include "synchro/delegation/server.hpp"
#include "synchro/locks/tas.hpp"

namespace synchro::model_checker {

namespace {

using field = explored::plain<std::uint32_t>;

/// Each thread adds to a counter, as often as told, and has back what it was before.
template <class Delegate>
program counted(const std::string& name, unsigned threads, unsigned times) {
  struct scene {
    Delegate shared;
    field count{0};
    std::array<field, 3> had{};  // what each thread has been told, summed
  };
  stage<scene> s{name, threads};
  s.does([times](scene& it, unsigned t) {
    std::uint32_t last = 0;
    for (unsigned i = 0; i < times; ++i) {
      const std::uint32_t before = it.shared.execute([&] {
        const std::uint32_t seen = it.count;
        it.count = seen + 1;
        return seen;
      });
      expect(i == 0 || before > last, "a caller was told what was true before its last call");
      last = before;
      it.had[t] = it.had[t] + before;
    }
  });
  s.then_checks([threads, times](scene& it) {
    const std::uint32_t all = threads * times;
    std::uint32_t had = 0;
    for (const field& one : it.had) had += one;
    expect(it.count == all, "a request was dropped or run twice");
    expect(had == all * (all - 1) / 2, "two callers were told the same");
  });
  return s.done();
}

/// The first thread serves the others; the last of them stops it.
template <std::size_t Slots>
program served(const std::string& name, unsigned clients, unsigned times) {
  struct scene {
    basic_delegation_server<explored, spin, Slots> shared;
    field count{0};
    field prepared{0};
    explored::atomic<std::uint32_t> left{0};
  };
  stage<scene> s{name, clients + 1};
  s.does([clients, times](scene& it, unsigned t) {
    if (t == 0) {
      it.shared.serve();
      expect(it.count == clients * times, "a request was dropped or run twice");
      expect(it.prepared == 1, "the end came without what was done before it");
      return;
    }
    for (unsigned i = 0; i < times; ++i) it.shared.execute([&] { it.count = it.count + 1; });
    if (it.left.fetch_add(1, memory_order::acq_rel) + 1 != clients) return;
    it.prepared = 1;
    it.shared.stop();
  });
  return s.done();
}

/// It serves again when it has been stopped.
program served_again() {
  struct scene {
    basic_delegation_server<explored, spin, 1> shared;
    field count{0};
    explored::atomic<std::uint32_t> returned{0};
  };
  stage<scene> s{"server, stopped and started again", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      it.shared.serve();
      it.returned.store(1, memory_order::release);
      it.shared.serve();
      expect(it.count == 2, "a request was dropped or run twice");
      return;
    }
    it.shared.execute([&] { it.count = it.count + 1; });
    it.shared.stop();
    explored::await(it.returned, memory_order::acquire, [](std::uint32_t v) { return v != 0; });
    it.shared.execute([&] { it.count = it.count + 1; });
    it.shared.stop();
  });
  return s.done();
}

/// It ends, whether the stop comes before it begins to serve or after it.
program stopped_early() {
  struct scene {
    basic_delegation_server<explored, spin, 1> shared;
  };
  stage<scene> s{"server, stopped before it serves", 2};
  s.does([](scene& it, unsigned t) { t == 0 ? it.shared.serve() : it.shared.stop(); });
  return s.done();
}

/// An object of a thread's own begins with a cell that another object has used, maybe for a request that another thread ran.
template <class Delegate>
program made_of_used_cells(const std::string& name) {
  struct scene {
    Delegate shared;
    field count{0};
    std::array<field, 2> alone{};
  };
  stage<scene> s{name, 2};
  s.with().counts_nodes = true;
  s.does([](scene& it, unsigned t) {
    it.shared.execute([&] { it.count = it.count + 1; });
    Delegate own;
    own.execute([&] { it.alone[t] = it.alone[t] + 1; });
  });
  s.then_checks([](scene& it) {
    expect(it.count == 2 && it.alone[0] == 1 && it.alone[1] == 1, "a request was dropped or run twice");
  });
  return s.done();
}

/// Leaves the sleeper's mark behind, which is the policy's own, in what its waits return.
struct marking : spin {
  template <class Machine>
  static std::uint32_t wait(typename Machine::template atomic<std::uint32_t>& word, std::uint32_t awaited) {
    return spin::wait<Machine>(word, awaited) | 0x8000'0000;
  }
};

/// Counts how often its thread has handed over.
struct counting : spin {
  struct count {
    std::uint32_t handed_over = 0;
  };
  template <class Machine>
  static void hand_over(typename Machine::template atomic<std::uint32_t>& word, std::uint32_t value, order o) {
    ++Machine::template local<count>().handed_over;
    spin::hand_over<Machine>(word, value, o);
  }
};

/// The first thread's request waits until the others are in line. It then runs as many as one may, and no more, whoever runs
/// the others; if `sees_all` is false it may take the line for shorter than it is. None is handed over to twice.
template <class Delegate>
program in_line(const std::string& name, std::uint32_t most, std::uint32_t handed_over, bool sees_all) {
  struct scene {
    Delegate shared;
    explored::atomic<std::uint32_t> begun{0};
    std::array<field, 3> ran{}, handed_over{};  // by each thread
  };
  stage<scene> s{name, 3};
  s.does([](scene& it, unsigned t) {
    if (t != 0) explored::await(it.begun, memory_order::relaxed, [](std::uint32_t v) { return v != 0; });
    it.shared.execute([&] {
      field& mine = it.ran[explored::slot()];
      mine = mine + 1;
      if (t == 0) it.begun.store(1, memory_order::relaxed), await_others();
    });
    it.handed_over[t] = explored::local<counting::count>().handed_over;
  });
  s.then_checks([=](scene& it) {
    std::uint32_t all = 0, all_handed_over = 0;
    for (const field& one : it.ran) {
      expect(one <= most, "a thread has run more requests than it is to");
      all += one;
    }
    for (const field& one : it.handed_over) all_handed_over += one;
    expect(all == 3, "a request was dropped or run twice");
    expect(!sees_all || it.ran[0] == std::min(most, 3U), "a thread has not run those that were in line");
    expect(all_handed_over == handed_over, "one has handed over to itself, or twice");
  });
  return s.done();
}

/// The first one's request waits until the others are posted. The third one's, if it comes behind the second one's and is not run
/// by that thread, waits until that has gone on: nobody waits for more than its own request.
program combined() {
  struct scene {
    basic_flat_combining<explored, spin, 3> shared;
    explored::atomic<std::uint32_t> begun{0}, gone_on{0};
    field second_has_run{0};
  };
  const auto is_set = [](std::uint32_t v) { return v != 0; };
  stage<scene> s{"flat_combining, all of a line", 3};
  s.does([=](scene& it, unsigned t) {
    if (t != 0) explored::await(it.begun, memory_order::relaxed, is_set);
    it.shared.execute([&] {
      if (t == 0) it.begun.store(1, memory_order::relaxed), await_others();
      if (t == 1) it.second_has_run = 1;
      if (t == 2 && it.second_has_run != 0 && explored::slot() != 1)
        explored::await(it.gone_on, memory_order::relaxed, is_set);
    });
    if (t == 1) it.gone_on.store(1, memory_order::relaxed);
  });
  return s.done();
}

/// Half of the requests throw: each is told of its own, and those that throw have been run, too.
template <class Delegate>
program thrown(const std::string& name) {
  struct scene {
    Delegate shared;
    field count{0};
  };
  stage<scene> s{name, 2};
  s.does([](scene& it, unsigned t) {
    for (unsigned i = 0; i != 2; ++i) {
      bool caught = false;
      try {
        it.shared.execute([&] {
          it.count = it.count + 1;
          if (i == t) throw t;
        });
      } catch (unsigned whose) {
        caught = whose == t;
      }
      expect(caught == (i == t), "an exception was lost, or is another's");
    }
  });
  s.then_checks([](scene& it) { expect(it.count == 4, "a request was dropped or run twice"); });
  return s.done();
}

/// What a request throws is nobody's.
struct loses_what_is_thrown {
  basic_tas_lock<explored> lock;
  void execute(auto fn) {
    const std::lock_guard guard{lock};
    try {
      fn();
    } catch (...) {
    }
  }
};

/// CC-Synch whose combiner, at its limit, tells the next one that it is done.
struct dropping_combiner {
  struct cell {
    explored::atomic<std::uint32_t> word{0};
    explored::plain<detail::request<explored>*> request{nullptr};
    explored::atomic<cell*> next{nullptr};
  };
  std::array<cell, 3> cells;
  explored::atomic<cell*> tail{&cells[2]};

  dropping_combiner() { cells[2].word.store(2, memory_order::relaxed); }
  void execute(unsigned t, detail::request<explored>& request) {
    cell* const here = tail.exchange(&cells[t], memory_order::acq_rel);
    here->request = &request;
    here->next.store(&cells[t], memory_order::release);
    if (explored::await(here->word, memory_order::acquire, [](std::uint32_t v) { return v != 0; }) == 1) return;
    static_cast<detail::request<explored>*>(here->request)->run();
    cell* const next = here->next.load(memory_order::acquire);
    next->word.store(next->next.load(memory_order::acquire) != nullptr ? 1 : 2, memory_order::release);
  }
};

program dropped() {
  struct scene {
    dropping_combiner shared;
    field count{0};
  };
  stage<scene> s{"counter 2x1", 2};
  s.does([](scene& it, unsigned t) {
    auto add = [&] { it.count = it.count + 1; };
    detail::request_of<explored, decltype(add)> request{add};
    it.shared.execute(t, request);
  });
  s.then_checks([](scene& it) { expect(it.count == 2, "a request was dropped"); });
  return s.done();
}

template <class... Programs>
subject proved(const std::string& name, Programs... all) {
  return {name, "synchro/delegation/" + name + ".hpp", {check{std::move(all), depth::exhausted}...}};
}

}  // namespace

void add_delegation(subjects& to);
void add_delegation(subjects& to) {
  to.push_back(proved("cc_synch", counted<basic_cc_synch<explored, spin>>("cc_synch, 2x2", 2, 2),
                      counted<basic_cc_synch<explored, spin, 1>>("cc_synch, 1 at most, 2x2", 2, 2),
                      counted<basic_cc_synch<explored, spin, 2>>("cc_synch, 2 at most, 3x1", 3, 1),
                      counted<basic_cc_synch<explored, spin_park>>("cc_synch/park, 2x1", 2, 1),
                      counted<basic_cc_synch<explored, marking>>("cc_synch, marks left behind", 2, 1),
                      in_line<basic_cc_synch<explored, counting, 1>>("cc_synch, 1 of a line", 1, 3, false),
                      in_line<basic_cc_synch<explored, counting, 2>>("cc_synch, 2 of a line", 2, 3, false),
                      in_line<basic_cc_synch<explored, counting>>("cc_synch, all of a line", 64, 3, false),
                      thrown<basic_cc_synch<explored, spin>>("cc_synch, thrown"),
                      made_of_used_cells<basic_cc_synch<explored, spin>>("cc_synch, made of used cells")));
  to.push_back(proved("dsm_synch", counted<basic_dsm_synch<explored, spin>>("dsm_synch, 2x2", 2, 2),
                      counted<basic_dsm_synch<explored, spin, 1>>("dsm_synch, 1 at most, 2x2", 2, 2),
                      counted<basic_dsm_synch<explored, spin, 2>>("dsm_synch, 2 at most, 3x1", 3, 1),
                      counted<basic_dsm_synch<explored, spin_park>>("dsm_synch/park, 2x1", 2, 1),
                      counted<basic_dsm_synch<explored, marking, 1>>("dsm_synch, marks left behind", 2, 1),
                      in_line<basic_dsm_synch<explored, counting, 1>>("dsm_synch, 1 of a line", 1, 2, true),
                      in_line<basic_dsm_synch<explored, counting, 2>>("dsm_synch, 2 of a line", 2, 2, true),
                      in_line<basic_dsm_synch<explored, counting>>("dsm_synch, all of a line", 64, 2, true),
                      made_of_used_cells<basic_dsm_synch<explored, spin>>("dsm_synch, made of used nodes")));
  using guarded_one = locked<basic_tas_lock<explored>>;
  to.push_back(proved("locked", counted<guarded_one>("locked, 2x2", 2, 2), thrown<guarded_one>("locked, thrown")));
  subject server{"delegation_server", "synchro/delegation/server.hpp", {}};
  for (program& p :
       std::vector{served<2>("server, 2 slots, 2 clients", 2, 1), served<1>("server, 1 slot, 2 clients", 2, 1),
                   served<1>("server, 1 client, twice", 1, 2), served_again(), stopped_early()})
    server.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(server));
  to.push_back(
      proved("flat_combining", counted<basic_flat_combining<explored, spin, 2>>("flat_combining, 2 slots, 2x1", 2, 1),
             counted<basic_flat_combining<explored, spin, 1>>("flat_combining, 1 slot, 2x2", 2, 2),
             counted<basic_flat_combining<explored, spin, 2>>("flat_combining, 2 slots, 2x2", 2, 2), combined()));
}

void add_seeded_delegation(subjects& to);
void add_seeded_delegation(subjects& to) {
  to.push_back(seeded("combiner_that_drops_a_request", dropped()));
  to.push_back(seeded("delegation_that_loses_what_is_thrown", thrown<loses_what_is_thrown>("thrown")));
}

}  // namespace synchro::model_checker
