// The programs that try the queue of many senders and receivers, the broadcast, the barrier by messages, and the channel
// whose ends fetch: nothing is lost, doubled, torn or out of order, and nobody sleeps on.

#include <array>
#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/messages/broadcast.hpp"
#include "synchro/messages/message_barrier.hpp"
#include "synchro/messages/queue.hpp"
#include "synchro/messages/spin_fetching.hpp"

namespace synchro::model_checker {

namespace {

using field = explored::plain<std::uint32_t>;

/// Both halves belong together.
struct parcel {
  std::uint32_t number = 0;
  std::uint32_t twice = 0;
};

constexpr std::chrono::nanoseconds patience{1};

parcel numbered(std::uint32_t n) { return {n, 2 * n}; }

std::uint32_t number_of(const std::optional<parcel>& got) {
  expect(got.has_value(), "a message was lost");
  expect(got->twice == 2 * got->number, "a message was taken before it was whole");
  return got->number;
}

template <class Waiting>
struct depot {
  basic_queue<parcel, explored, Waiting> line{2};
  std::array<field, 4> sent{};      // what each thread did before it sent
  std::array<field, 4> received{};  // the sum of the numbers it has received
  explored::atomic<std::uint32_t> senders_left{2};
};

/// One sends, one receives, in order; more than there is room for.
template <class Waiting>
program stream(const std::string& name, std::uint32_t messages) {
  stage<depot<Waiting>> s{name, 2};
  s.does([messages](depot<Waiting>& it, unsigned t) {
    if (t == 0) {
      for (std::uint32_t n = 1; n <= messages; ++n) {
        it.sent[0] = n;
        expect(it.line.send(numbered(n)), "an open queue refused a message");
      }
      it.line.close();
      expect(!it.line.send(numbered(9)) && !it.line.try_send(numbered(9)), "a closed queue took a message");
    } else {
      for (std::uint32_t n = 1; n <= messages; ++n)
        expect(number_of(it.line.receive()) == n, "a message came twice or out of order");
      expect(!it.line.receive() && !it.line.try_receive(), "a message came after the end");
      expect(it.sent[0] == messages, "the end came without what was done before it");
    }
  });
  return s.done();
}

/// Two senders, one message each; the last of them closes.
template <class Waiting>
program two_senders(const std::string& name) {
  stage<depot<Waiting>> s{name, 3};
  s.does([](depot<Waiting>& it, unsigned t) {
    if (t == 2) {
      std::uint32_t sum = 0;
      while (const auto got = it.line.receive()) {
        const std::uint32_t n = number_of(got);
        expect(it.sent[n - 1] == n, "a message came without what was done before it");
        sum += n;
      }
      expect(sum == 3, "a message was lost or came twice");
      return;
    }
    it.sent[t] = t + 1;
    expect(it.line.send(numbered(t + 1)), "an open queue refused a message");
    if (it.senders_left.fetch_sub(1, memory_order::acq_rel) == 1) it.line.close();
  });
  return s.done();
}

/// Two receivers of what one sends.
template <class Waiting>
program two_receivers(const std::string& name, std::uint32_t messages) {
  stage<depot<Waiting>> s{name, 3};
  s.does([messages](depot<Waiting>& it, unsigned t) {
    if (t == 0) {
      for (std::uint32_t n = 1; n <= messages; ++n)
        expect(it.line.send(numbered(n)), "an open queue refused a message");
      it.line.close();
      return;
    }
    std::uint32_t sum = 0, last = 0;
    while (const auto got = it.line.receive()) {
      const std::uint32_t n = number_of(got);
      expect(n > last, "one receiver has a message before an earlier one");
      last = n;
      sum += n;
    }
    it.received[t] = sum;
  });
  s.then_checks([messages](depot<Waiting>& it) {
    expect(it.received[1] + it.received[2] == messages * (messages + 1) / 2, "a message was lost or came twice");
  });
  return s.done();
}

/// Two who try at the same end: what one has not, the other has.
program tries(const std::string& name, bool at_the_front) {
  stage<depot<spin>> s{name, 2};
  s.warms_up([at_the_front](depot<spin>& it, unsigned t) {
    if (t == 0 && at_the_front)
      for (std::uint32_t n = 1; n <= 2; ++n) expect(it.line.try_send(numbered(n)), "an empty queue refused a message");
  });
  s.does([at_the_front](depot<spin>& it, unsigned t) {
    if (at_the_front)
      it.received[t] = number_of(it.line.try_receive());
    else
      expect(it.line.try_send(numbered(t + 1)), "there was room for a message");
  });
  s.then_checks([at_the_front](depot<spin>& it) {
    if (at_the_front)
      expect(it.received[0] + it.received[1] == 3, "a message was lost or came twice");
    else
      expect(number_of(it.line.try_receive()) + number_of(it.line.try_receive()) == 3,
             "a message was lost or came twice");
    expect(!it.line.try_receive(), "a message came that nobody sent");
  });
  return s.done();
}

/// Ends that wait a little: what was sent is what was received.
template <class Waiting>
program impatient(const std::string& name) {
  stage<depot<Waiting>> s{name, 2};
  s.does([](depot<Waiting>& it, unsigned t) {
    if (t == 0) {
      const bool first = it.line.send_for(numbered(1), patience);
      expect(first, "an empty queue refused a message");
      it.line.close();
      return;
    }
    auto got = it.line.receive_for(patience);
    if (!got) got = it.line.receive();
    expect(number_of(got) == 1, "another message came");
    expect(!it.line.receive_for(patience), "a message came after the end");
  });
  return s.done();
}

/// Who sees that it is closed sees what was done before.
program end_is_seen() {
  stage<depot<spin>> s{"queue, end is seen", 2};
  s.does([](depot<spin>& it, unsigned t) {
    if (t == 0) {
      it.sent[0] = 1;
      it.line.close();
    } else if (it.line.is_closed()) {
      expect(it.sent[0] == 1, "the end was seen without what was done before it");
    }
  });
  return s.done();
}

/// Who waits in vain sees what was done before the end.
program nothing_but_the_end() {
  stage<depot<spin>> s{"queue, closed while empty", 2};
  s.does([](depot<spin>& it, unsigned t) {
    if (t == 0) {
      it.sent[0] = 1;
      it.line.close();
    } else {
      expect(!it.line.receive(), "a message came that nobody sent");
      expect(it.sent[0] == 1, "the end came without what was done before it");
    }
  });
  return s.done();
}

/// A waiting sender learns of the end.
template <class Waiting>
program closed_while_full(const std::string& name) {
  stage<depot<Waiting>> s{name, 2};
  s.does([](depot<Waiting>& it, unsigned t) {
    if (t == 1) {
      it.line.close();
      return;
    }
    std::uint32_t taken = 0;
    for (std::uint32_t n = 1; n <= 3; ++n) taken += it.line.send(numbered(n)) ? 1U : 0U;
    expect(taken <= 2, "a full queue took a message");
    for (std::uint32_t n = 1; n <= taken; ++n) expect(number_of(it.line.try_receive()) == n, "not in order");
  });
  return s.done();
}

template <class Waiting>
program proclaimed(const std::string& name, std::uint32_t messages) {
  struct square {
    basic_broadcast<parcel, 2, explored, Waiting> line;
  };
  stage<square> s{name, 3};
  s.does([messages](square& it, unsigned t) {
    if (t == 0) {
      for (std::uint32_t n = 1; n <= messages; ++n) expect(it.line.send(numbered(n)), "an open line refused a message");
      it.line.close();
      expect(!it.line.send(numbered(9)), "a closed line took a message");
      return;
    }
    for (std::uint32_t n = 1; n <= messages; ++n)
      expect(number_of(it.line.to(t - 1).receive()) == n, "a message came twice or out of order");
    expect(!it.line.to(t - 1).receive(), "a message came after the end");
  });
  return s.done();
}

/// Nobody leaves before all have come, however often they have met.
template <class Waiting>
program meetings(const std::string& name, unsigned threads, unsigned times) {
  struct hall {
    explicit hall(unsigned n) : barrier{n} {}
    basic_message_barrier<explored, Waiting> barrier;
    std::array<std::array<field, 2>, 3> done{};  // by thread and meeting
  };
  stage<hall> s{name, threads, threads};
  s.does([threads, times](hall& it, unsigned t) {
    for (unsigned meeting = 0; meeting != times; ++meeting) {
      it.done[t][meeting] = meeting + 1;
      it.barrier.arrive_and_wait(t);
      for (unsigned other = 0; other != threads; ++other)
        expect(it.done[other][meeting] == meeting + 1, "somebody left before all had come");
    }
  });
  return s.done();
}

/// A channel whose ends fetch the line: the waits of the policy, with and without a limit.
program fetched() {
  struct pair {
    basic_channel<parcel, explored, spin_fetching> line;
  };
  stage<pair> s{"channel/fetch, 2 sent, then closed", 2};
  s.does([](pair& it, unsigned t) {
    if (t == 0) {
      expect(it.line.send(numbered(1)), "an open line refused a message");
      if (!it.line.send_for(numbered(2), patience)) it.line.send(numbered(2));
      it.line.close();
      return;
    }
    auto got = it.line.receive_for(patience);
    if (!got) got = it.line.receive();
    expect(number_of(got) == 1, "the first message was not the first");
    expect(number_of(it.line.receive()) == 2, "the second message was not the second");
    expect(!it.line.receive(), "a message came after the end");
  });
  return s.done();
}

/// The same queue, whose sender writes the turn before the message: the slot is read before it is published.
struct hasty_queue {
  struct slot {
    explored::atomic<std::uint32_t> turn{0};
    field message{0};
  };
  slot only;
  void send(std::uint32_t n) {
    only.turn.store(1, memory_order::release);
    only.message = n;
  }
  std::uint32_t receive() {
    explored::await(only.turn, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
    return only.message;
  }
};
program published_too_early() {
  stage<hasty_queue> s{"a message", 2};
  s.does([](hasty_queue& it, unsigned t) {
    if (t == 0)
      it.send(7);
    else
      expect(it.receive() == 7, "the slot was read before it was written");
  });
  return s.done();
}

/// A queue that sleeps, and whose sender looks for sleepers before it publishes.
struct early_notice {
  explored::atomic<std::uint32_t> full{0};
  basic_event_count<explored> filled;
  void send() {
    filled.notify();
    full.store(1, memory_order::release);
  }
  void receive() {
    while (full.load(memory_order::acquire) == 0) {
      const auto key = filled.prepare();
      if (full.load(memory_order::acquire) != 0) return;
      filled.wait(key);
    }
  }
};
program notified_too_early() {
  stage<early_notice> s{"a message", 2};
  s.does([](early_notice& it, unsigned t) { t == 0 ? it.send() : it.receive(); });
  return s.done();
}

}  // namespace

void add_queues(subjects& to);
void add_queues(subjects& to) {
  const auto full = [](program p) { return check{std::move(p), depth::exhausted}; };
  subject queue{"queue", "synchro/messages/queue.hpp", {}};
  for (program& p :
       std::vector{stream<spin>("queue, 3 sent, then closed", 3), two_senders<spin>("queue, 2 senders"),
                   two_receivers<spin>("queue, 2 receivers", 1), tries("queue, 2 try to send", false),
                   tries("queue, 2 try to receive", true), impatient<spin>("queue, timed"), end_is_seen(),
                   nothing_but_the_end(), closed_while_full<spin>("queue, closed while full"),
                   stream<spin_park>("queue/park, 1 sent, then closed", 1), impatient<spin_park>("queue/park, timed"),
                   closed_while_full<spin_park>("queue/park, closed while full")})
    queue.checks.push_back(full(std::move(p)));
  subject broadcast{"broadcast", "synchro/messages/broadcast.hpp", {full(proclaimed<spin>("broadcast to 2", 2))}};
  subject barrier{"message_barrier",
                  "synchro/messages/message_barrier.hpp",
                  {full(meetings<spin>("1 thread, 2 times", 1, 2)), full(meetings<spin>("2 threads, 2 times", 2, 2)),
                   full(meetings<spin>("3 threads, once", 3, 1)), full(meetings<spin_park>("2 threads, park", 2, 1))}};
  subject fetching{"spin_fetching", "synchro/messages/spin_fetching.hpp", {full(fetched())}};
  for (subject* s : {&queue, &broadcast, &barrier, &fetching}) to.push_back(std::move(*s));
}

void add_seeded_queues(subjects& to);
void add_seeded_queues(subjects& to) {
  to.push_back(seeded("slot_read_before_it_is_published", published_too_early()));
  to.push_back(seeded("notice_before_the_message", notified_too_early()));
}

}  // namespace synchro::model_checker
