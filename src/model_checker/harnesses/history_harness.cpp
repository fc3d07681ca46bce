// The programs whose calls are recorded, and judged by a specification: channels, queues and mailboxes by first in, first
// out, delegation by a counter, the sequence lock by a register. Threads tell each other how far they are by a word of their
// own, so that calls of different threads are ordered in some executions and not in others.

#include <algorithm>
#include <array>
#include <string>

#include "model_checker/harnesses/recorded.hpp"
#include "model_checker/subject.hpp"
#include "synchro/delegation/cc_synch.hpp"
#include "synchro/delegation/dsm_synch.hpp"
#include "synchro/delegation/flat_combining.hpp"
#include "synchro/delegation/server.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/mailbox.hpp"
#include "synchro/messages/queue.hpp"
#include "synchro/messages/ring.hpp"
#include "synchro/sync/seqlock.hpp"

namespace synchro::model_checker {

namespace {

using word = explored::atomic<std::uint32_t>;
using field = explored::plain<std::uint32_t>;

/// Two halves that belong together. One that is torn is a value that nobody sent or wrote.
struct halves {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
};
constexpr std::uint64_t whole(const halves& h) { return std::uint64_t{h.high} << 32 | h.low; }
constexpr halves twice(std::uint32_t n) { return {n, n}; }
std::optional<std::uint64_t> as_result(const halves& h) { return whole(h); }

// ---- lines: one after the other

template <class Line>
void send(Line& line, std::uint32_t n) {
  recorded(verb::send, whole(twice(n)), [&] { return line.send(twice(n)); });
}
template <class Line>
void try_send(Line& line, std::uint32_t n) {
  recorded(verb::try_send, whole(twice(n)), [&] { return line.try_send(twice(n)); });
}
template <class Line>
void receive(Line& line) {
  recorded(verb::receive, [&] { return line.receive(); });
}
template <class Line>
void try_receive(Line& line) {
  recorded(verb::try_receive, [&] { return line.try_receive(); });
}
template <class Line>
void close(Line& line) {
  recorded(verb::close, [&] { line.close(); });
}

/// How far another thread is: what it did before it said so has returned.
struct told {
  word steps{0};
  void tell(std::uint32_t n) { steps.store(n, memory_order::release); }
  void hear() { static_cast<void>(steps.load(memory_order::acquire)); }
};

template <class Line>
struct line_of {
  template <class... Sizes>
  explicit line_of(Sizes... sizes) : line(static_cast<std::size_t>(sizes)...) {}
  Line line;
  told sender, receiver;
};

/// One sends, then tries to, then closes; the other tries to receive, receives, and finds the end.
template <class Line, class... Arguments>
program stream(const std::string& name, const fifo& as, Arguments... arguments) {
  stage<line_of<Line>> s{name, 2, arguments...};
  s.does([](line_of<Line>& it, unsigned t) {
    if (t == 0) {
      send(it.line, 1);
      it.sender.tell(1);
      it.receiver.hear();
      try_send(it.line, 2);
      close(it.line);
      return;
    }
    it.sender.hear();
    try_receive(it.line);
    it.receiver.tell(1);
    receive(it.line);
    receive(it.line);
  });
  s.then_checks([as](line_of<Line>&) { expect_linearizable(as); });
  return s.done();
}

using queue_under_test = basic_queue<halves, explored, spin>;

/// Two send what one receives.
program two_senders() {
  stage<line_of<queue_under_test>> s{"queue, history, 2 senders", 3, 2};
  s.does([](line_of<queue_under_test>& it, unsigned t) {
    if (t == 2) {
      receive(it.line);
      receive(it.line);
      return;
    }
    if (t == 1) it.sender.hear();
    send(it.line, t + 1);
    if (t == 0) it.sender.tell(1);
  });
  s.then_checks([](line_of<queue_under_test>&) { expect_linearizable(fifo{2}); });
  return s.done();
}

/// Two receive what one has sent.
program two_receivers() {
  stage<line_of<queue_under_test>> s{"queue, history, 2 receivers", 3, 2};
  s.does([](line_of<queue_under_test>& it, unsigned t) {
    if (t == 0) {
      send(it.line, 1);
      send(it.line, 2);
      return;
    }
    if (t == 2) it.receiver.hear();
    receive(it.line);
    if (t == 1) it.receiver.tell(1);
  });
  s.then_checks([](line_of<queue_under_test>&) { expect_linearizable(fifo{2}); });
  return s.done();
}

constexpr std::uint64_t letter_of(std::uint64_t client, std::uint32_t message) { return client << 32 | message; }
std::optional<std::uint64_t> opened(const std::optional<basic_mailbox<std::uint32_t, 2, explored>::received>& found) {
  return found ? std::optional{letter_of(found->client, found->message)} : std::nullopt;
}

program post() {
  struct office {
    basic_mailbox<std::uint32_t, 2, explored> box;
    told sender;
  };
  stage<office> s{"mailbox, history", 3};
  s.does([](office& it, unsigned t) {
    if (t == 2) {
      it.sender.hear();
      recorded(verb::try_receive, [&] { return opened(it.box.try_receive_any()); });
      recorded(verb::receive, [&] { return opened(it.box.receive_any()); });
      return;
    }
    recorded(verb::send, letter_of(t, 7 + t), [&] { return it.box.from(t).send(7 + t); });
    if (t == 0) it.sender.tell(1);
  });
  s.then_checks([](office&) { expect_linearizable(mailboxes{}); });
  return s.done();
}

// ---- delegation: a counter

template <class Delegate>
struct counted {
  Delegate shared;
  field count{0};
  told first;
  word left{0};

  void add() {
    recorded(verb::add, 1, [this] {
      return shared.execute([this] {
        const std::uint32_t seen = count;
        count = seen + 1;
        return seen;
      });
    });
  }
};

/// The second thread hears of the first one's first call.
template <class Delegate>
program counting(const std::string& name, unsigned times) {
  stage<counted<Delegate>> s{name, 2};
  s.does([times](counted<Delegate>& it, unsigned t) {
    for (unsigned i = 0; i < times; ++i) {
      if (t == 1) it.first.hear();
      it.add();
      if (t == 0 && i == 0) it.first.tell(1);
    }
  });
  s.then_checks([](counted<Delegate>&) { expect_linearizable(counter{}); });
  return s.done();
}

/// The third thread serves.
program counting_by_a_server() {
  using served = counted<basic_delegation_server<explored, spin, 2>>;
  stage<served> s{"server, history", 3};
  s.does([](served& it, unsigned t) {
    if (t == 2) return it.shared.serve();
    if (t == 1) it.first.hear();
    it.add();
    if (t == 0) it.first.tell(1);
    if (it.left.fetch_add(1, memory_order::acq_rel) == 1) it.shared.stop();
  });
  s.then_checks([](served&) { expect_linearizable(counter{}); });
  return s.done();
}

// ---- the sequence lock: a register

template <class Value>
struct watched {
  Value value;
  explicit watched(std::uint32_t first = 0) : value{halves{}, first_ticket{first}} {}
  told writer;

  void write(std::uint32_t n) {
    recorded(verb::write, whole(twice(n)), [&] { value.store(twice(n)); });
  }
  void read() {
    recorded(verb::read, [this] { return value.load(); });
  }
};

using watched_halves = watched<basic_seqlock<halves, explored, basic_tas_lock<explored>>>;

template <class Watched = watched_halves>
program one_writes(const std::string& name, std::uint32_t first) {
  stage<Watched> s{name, 2, first};
  s.does([](Watched& it, unsigned t) {
    if (t == 0) {
      it.write(1);
      it.writer.tell(1);
      it.write(2);
      return;
    }
    it.writer.hear();
    it.read();
    recorded(verb::try_read, [&] { return it.value.try_load(); });
  });
  s.then_checks([](Watched&) { expect_linearizable(one_register{}); });
  return s.done();
}

/// One reader tells the other what it has read: nobody goes back.
program two_read() {
  stage<watched_halves> s{"history, 1 write 1, 2 read", 3};
  s.does([](watched_halves& it, unsigned t) {
    if (t == 0) return it.write(1);
    if (t == 2) it.writer.hear();
    it.read();
    if (t == 1) it.writer.tell(1);
  });
  s.then_checks([](watched_halves&) { expect_linearizable(one_register{}); });
  return s.done();
}

// ---- flaws that only a history shows: nothing races

/// Readers ask whether the sequence has grown, and not whether it is another.
struct sequence_that_compares {
  word sequence, low{0}, high{0};
  sequence_that_compares(const halves& /*value*/, first_ticket first) : sequence{first.number} {}
  void store(const halves& h) {
    const std::uint32_t before = sequence.load(memory_order::relaxed);
    sequence.store(before + 1, memory_order::relaxed);
    low.store(h.low, memory_order::release);
    high.store(h.high, memory_order::release);
    sequence.store(before + 2, memory_order::release);
  }
  std::optional<halves> try_load() {
    const std::uint32_t before = sequence.load(memory_order::acquire);
    const halves seen{low.load(memory_order::acquire), high.load(memory_order::acquire)};
    if (before % 2 != 0 || sequence.load(memory_order::relaxed) > before) return std::nullopt;
    return seen;
  }
  halves load() {
    for (;;) {
      explored::await(sequence, memory_order::relaxed, [](std::uint32_t v) { return v % 2 == 0; });
      if (const auto seen = try_load()) return *seen;
    }
  }
};

/// The turn is written before the message.
struct hasty_slot {
  word turn{0}, message{0};
  bool send(const halves& h) {
    turn.store(1, memory_order::release);
    message.store(h.low, memory_order::release);
    return true;
  }
  std::optional<halves> receive() {
    explored::await(turn, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
    return twice(message.load(memory_order::acquire));
  }
};
program read_before_published() {
  stage<hasty_slot> s{"a message", 2};
  s.does([](hasty_slot& it, unsigned t) { t == 0 ? send(it, 7) : receive(it); });
  s.then_checks([](hasty_slot&) { expect_linearizable(fifo{}); });
  return s.done();
}

/// What came last is taken first.
struct swapping_queue {
  basic_tas_lock<explored> lock;
  std::array<field, 2> held{};
  field count{0};
  bool send(const halves& h) {
    lock.lock();
    held[count] = h.low;
    count = count + 1;
    lock.unlock();
    return true;
  }
  std::optional<halves> try_receive() {
    lock.lock();
    std::optional<halves> got;
    if (count != 0) {
      count = count - 1;
      got = twice(held[count]);
    }
    lock.unlock();
    return got;
  }
};
program swapped() {
  stage<swapping_queue> s{"2 messages", 2};
  s.does([](swapping_queue& it, unsigned t) {
    if (t == 0) {
      send(it, 1);
      send(it, 2);
    } else {
      try_receive(it);
      try_receive(it);
    }
  });
  s.then_checks([](swapping_queue&) { expect_linearizable(fifo{}); });
  return s.done();
}

/// Whoever has the lock runs what the other has posted, and says that it is done though it looked too early.
struct forgetful_combiner {
  basic_tas_lock<explored> lock;
  std::array<word, 2> posted{}, answer{};
  field count{0};

  std::uint32_t add(unsigned t) {
    posted[t].store(1, memory_order::release);
    lock.lock();
    for (unsigned u = 0; u < 2; ++u)
      if (posted[u].exchange(0, memory_order::acq_rel) != 0 && u == t) {  // the other's request is taken, not run
        answer[u].store(count, memory_order::relaxed);
        count = count + 1;
      }
    lock.unlock();
    return answer[t].load(memory_order::relaxed);
  }
};
program forgotten() {
  stage<forgetful_combiner> s{"counter 2x1", 2};
  s.does([](forgetful_combiner& it, unsigned t) { recorded(verb::add, 1, [&] { return it.add(t); }); });
  s.then_checks([](forgetful_combiner&) { expect_linearizable(counter{}); });
  return s.done();
}

/// A reader that copies without a look at who writes.
struct halved_register {
  word low{0}, high{0};
};
program read_by_halves() {
  stage<halved_register> s{"1 write 1, 1 read", 2};
  s.does([](halved_register& it, unsigned t) {
    if (t == 0)
      recorded(verb::write, whole(twice(1)), [&] {
        it.low.store(1, memory_order::release);
        it.high.store(1, memory_order::release);
      });
    else
      recorded(verb::read, [&] {
        const std::uint32_t low = it.low.load(memory_order::acquire);
        return halves{low, it.high.load(memory_order::acquire)};
      });
  });
  s.then_checks([](halved_register&) { expect_linearizable(one_register{}); });
  return s.done();
}

/// A reader that keeps what it has read once: right for each thread by itself, and stale for who was told of a write.
struct remembering_register {
  word value{0};
  word written{0};
};
program remembered() {
  stage<remembering_register> s{"a write that is known of", 2};
  s.does([](remembering_register& it, unsigned t) {
    if (t == 0) {
      recorded(verb::write, 1, [&] { it.value.store(1, memory_order::release); });
      it.written.store(1, memory_order::release);
      return;
    }
    const std::uint32_t kept = it.value.load(memory_order::acquire);
    static_cast<void>(it.written.load(memory_order::acquire));
    recorded(verb::read, [&] { return kept; });
  });
  s.then_checks([](remembering_register&) { expect_linearizable(one_register{}); });
  return s.done();
}

}  // namespace

/// Among the programs of the subjects that are there.
void add_histories(subjects& to);
void add_histories(subjects& to) {
  const auto add = [&to](const char* name, program p) {
    auto it = std::find_if(to.begin(), to.end(), [name](const subject& s) { return s.name == name; });
    if (it == to.end()) it = to.insert(it, {name, "", {}});  // where the others of this name are left out
    it->checks.push_back({std::move(p), depth::exhausted});
  };
  add("channel", stream<basic_channel<halves, explored, spin>>("channel, history", fifo{1}));
  add("ring", stream<basic_ring<halves, explored, spin>>("ring of 1, history", fifo{1}, 1));
  add("ring", stream<basic_ring<halves, explored, spin>>("ring of 2, history", fifo{2}, 2));
  add("queue", stream<queue_under_test>("queue, history", fifo{2, fifo::trying::vain}, 2));
  add("queue", two_senders());
  add("queue", two_receivers());
  add("mailbox", post());
  add("cc_synch", counting<basic_cc_synch<explored, spin>>("cc_synch, history, 2x2", 2));
  add("dsm_synch", counting<basic_dsm_synch<explored, spin>>("dsm_synch, history, 2x2", 2));
  add("flat_combining", counting<basic_flat_combining<explored, spin, 2>>("flat_combining, history, 2x1", 1));
  add("delegation_server", counting_by_a_server());
  add("seqlock", one_writes("history, 1 write 2, 1 read 2", 0));
  add("seqlock", one_writes("history, 1 write 2, 1 read 2, the sequence wraps", ~0U - 1));
  add("seqlock", two_read());
}

void add_seeded_histories(subjects& to);
void add_seeded_histories(subjects& to) {
  to.push_back(seeded("message_read_before_it_is_published", read_before_published()));
  to.push_back(seeded("queue_that_swaps_two", swapped()));
  to.push_back(seeded("combiner_that_forgets_a_request", forgotten()));
  to.push_back(seeded("register_read_by_halves", read_by_halves()));
  to.push_back(seeded("sequence_that_compares",
                      one_writes<watched<sequence_that_compares>>("history, the sequence wraps", ~0U - 1)));
  to.push_back(seeded("register_that_remembers", remembered()));
}

}  // namespace synchro::model_checker
