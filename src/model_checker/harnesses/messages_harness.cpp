// The programs that try channels, rings and mailboxes: nothing is lost, doubled or out of order, and all that was sent
// before the end is received before it.

#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/mailbox.hpp"
#include "synchro/messages/ring.hpp"

namespace synchro::model_checker {

namespace {

/// Both halves belong together: a receiver that sees one without the other has read too early.
struct message {
  std::uint32_t number = 0;
  std::uint32_t twice = 0;
};

constexpr std::chrono::nanoseconds patience{1};

message numbered(std::uint32_t n) { return {n, 2 * n}; }

void expect_number(const std::optional<message>& got, std::uint32_t n) {
  expect(got.has_value(), "a message was lost");
  expect(got->number == n && got->twice == 2 * n, "a message came twice, too early or out of order");
}

/// What the sender did before it sent is seen by who has received.
struct luggage {
  explored::plain<std::uint32_t> sent{0};
};

template <class Waiting>
struct one_slot : luggage {
  basic_channel<message, explored, Waiting> line;
};

/// A ring whose indices come round in the course of the program.
template <class Waiting>
struct nearly_round : basic_ring<message, explored, Waiting> {
  explicit nearly_round(std::size_t room) : basic_ring<message, explored, Waiting>(room, (1U << 30) - 1) {}
};
template <class Waiting, std::size_t Room>
struct slots : luggage {
  nearly_round<Waiting> line{Room};
};

template <class Scene>
program stream(const std::string& name, std::uint32_t messages) {
  stage<Scene> s{name, 2};
  s.does([messages](Scene& it, unsigned t) {
    if (t == 0) {
      for (std::uint32_t n = 1; n <= messages; ++n) {
        it.sent = n;
        expect(it.line.send(numbered(n)), "an open line refused a message");
      }
      it.line.close();
      expect(!it.line.send(numbered(0)), "a closed line took a message");
    } else {
      for (std::uint32_t n = 1; n <= messages; ++n) expect_number(it.line.receive(), n);
      expect(!it.line.receive() && !it.line.try_receive(), "a message came after the end");
      expect(it.line.is_closed(), "the end came before the close");
      expect(it.sent == messages, "the end came without what was done before it");
    }
  });
  return s.done();
}

/// Neither end waits, or not for long: what was sent is received, in order, and no more.
template <class Scene>
program impatient(const std::string& name, bool timed, int attempts) {
  stage<Scene> s{name, 2};
  s.does([timed, attempts](Scene& it, unsigned t) {
    if (t == 0) {
      std::uint32_t sent = 0;
      for (int attempt = 0; attempt < attempts; ++attempt) {
        const message m = numbered(sent + 1);
        if (timed ? it.line.send_for(m, patience) : it.line.try_send(m)) ++sent;
      }
      expect(sent >= 1, "an empty line refused a message");
      it.sent = sent;
      it.line.close();
    } else {
      std::uint32_t taken = 0;
      for (int attempt = 0; attempt < attempts; ++attempt)
        if (const auto m = timed ? it.line.receive_for(patience) : it.line.try_receive()) expect_number(m, ++taken);
      while (const auto m = it.line.receive()) expect_number(m, ++taken);
      expect(taken == it.sent, "what was sent is not what was received");
    }
  });
  return s.done();
}

/// Who sees that it is closed sees what was done before.
template <class Scene>
program end_is_seen(const std::string& name) {
  stage<Scene> s{name, 2};
  s.does([](Scene& it, unsigned t) {
    if (t == 0) {
      it.sent = 1;
      it.line.close();
    } else if (it.line.is_closed()) {
      expect(it.sent == 1, "the end was seen without what was done before it");
    }
  });
  return s.done();
}

/// One thread has both ends, so what is there is found at once.
template <class Scene>
program alone(const std::string& name) {
  stage<Scene> s{name, 1};
  s.does([](Scene& it, unsigned) {
    for (std::uint32_t n = 1; n <= 3; ++n) {
      expect(it.line.try_send(numbered(n)), "an empty line refused a message");
      expect_number(it.line.try_receive(), n);
    }
  });
  return s.done();
}

/// Ends that have given up in their sleep leave the channel as it was: nothing is written over, and nothing is taken that was not sent.
program given_up() {
  stage<one_slot<spin_park>> s{"channel/park, given up by both ends", 1};
  s.does([](one_slot<spin_park>& it, unsigned) {
    for (std::uint32_t n = 1; n <= 2; ++n) {
      expect(!it.line.receive_for(patience) && !it.line.try_receive(), "a message came that nobody sent");
      expect(it.line.try_send(numbered(n)), "an empty line refused a message");
      expect(!it.line.send_for(numbered(9), patience) && !it.line.try_send(numbered(9)), "a full line took a message");
      expect_number(it.line.try_receive(), n);
    }
  });
  return s.done();
}

/// What was sent before the end is received; nothing comes after it.
template <class Scene>
program ended(const std::string& name) {
  stage<Scene> s{name, 1};
  s.does([](Scene& it, unsigned) {
    expect(it.line.try_send(numbered(1)), "an empty line refused a message");
    it.line.close();
    it.line.close();
    expect(!it.line.try_send(numbered(2)) && !it.line.send(numbered(2)), "a closed line took a message");
    expect_number(it.line.receive(), 1);
    expect(!it.line.receive() && !it.line.try_receive(), "a message came after the end");
  });
  return s.done();
}

template <class Waiting>
program post(const std::string& name) {
  struct office {
    basic_mailbox<message, 2, explored, Waiting> box;
  };
  stage<office> s{name, 3};
  s.does([](office& it, unsigned t) {
    if (t != 0) {
      it.box.from(t - 1).send(numbered(t));
      it.box.from(t - 1).close();
      return;
    }
    std::uint32_t seen = 0;
    while (const auto got = it.box.receive_any()) {
      expect_number(got->message, static_cast<std::uint32_t>(got->client) + 1);
      seen += got->message.number;
    }
    expect(seen == 3, "a message was lost or came twice");
  });
  return s.done();
}

/// Only the chosen one is taken from, however early the other sends.
program chosen() {
  struct office {
    basic_mailbox<message, 2, explored> box;
  };
  stage<office> s{"mailbox, chosen", 3};
  s.does([](office& it, unsigned t) {
    if (t != 0) {
      it.box.from(t - 1).send(numbered(t));
      return;
    }
    const auto second = it.box.receive_any(2);
    expect(second && second->client == 1, "a message of another client was taken");
    const auto first = it.box.receive_any(1);
    expect(first && first->client == 0, "a message was lost");
    expect(!it.box.receive_any(0), "a message of nobody was taken");
    expect(!it.box.try_receive_any(), "a message came twice");
  });
  return s.done();
}

/// A look at once finds what is there, complete, and who was served last comes last.
program at_once() {
  struct office {
    basic_mailbox<message, 2, explored> box;
  };
  stage<office> s{"mailbox, try", 2};
  s.does([](office& it, unsigned t) {
    if (t == 1) {
      it.box.from(1).send(numbered(9));
      return;
    }
    if (const auto early = it.box.try_receive_any(2)) expect_number(early->message, 9);
    expect(it.box.from(0).try_send(numbered(1)), "an empty slot refused a message");
    const auto own = it.box.try_receive_any(1);
    expect(own && own->client == 0, "a message that is there was not found");
  });
  return s.done();
}

program in_turn() {
  struct office {
    basic_mailbox<message, 3, explored> box;
  };
  stage<office> s{"mailbox, in turn to the end", 1};
  s.does([](office& it, unsigned) {
    const auto post = [&](std::size_t client) {
      expect(it.box.from(client).try_send(numbered(1)), "an empty slot refused a message");
    };
    const auto served = [&] {
      const auto got = it.box.receive_any();
      return got ? got->client : 9;
    };
    post(0), post(1);
    expect(served() == 0, "the first turn is that of client 0");
    post(0);
    expect(served() == 1, "client 0 was served twice while client 1 waited");
    post(1);
    expect(served() == 0, "client 1 was served twice while client 0 waited");
    expect(served() == 1, "a message was lost");
    post(1);
    expect(served() == 1, "behind the last client no earlier one was found");
    post(0), post(1);
    const auto got = it.box.try_receive_any(2);
    expect(got && got->client == 1, "a message that is there was not found, or another was");
    expect(served() == 0, "a message was lost");
    for (const std::size_t client : {0U, 1U, 2U}) it.box.from(client).close();
    for (const std::uint64_t some : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
      expect(!it.box.receive_any(some), "a message came after the end");
  });
  return s.done();
}

/// `most` messages. Sleepers take many more states: fewer messages of them.
template <class Scene>
void add(subject& to, const std::string& name, std::uint32_t most) {
  const bool sleeps = most < 3;
  to.checks.push_back(
      {stream<Scene>(name + ", " + std::to_string(most) + " sent, then closed", most), depth::exhausted});
  to.checks.push_back({impatient<Scene>(name + ", try", false, 2), depth::exhausted});
  to.checks.push_back({impatient<Scene>(name + ", timed", true, sleeps ? 1 : 2), depth::exhausted});
}

subject messages(const std::string& name, const std::string& header) { return {name, header, {}}; }

}  // namespace

void add_messages(subjects& to);
void add_messages(subjects& to) {
  subject channel = messages("channel", "synchro/messages/channel.hpp");
  add<one_slot<spin>>(channel, "channel", 3);
  add<one_slot<spin_park>>(channel, "channel/park", 1);
  channel.checks.push_back({end_is_seen<one_slot<spin>>("channel, end is seen"), depth::exhausted});
  channel.checks.push_back({alone<one_slot<spin>>("channel, one thread"), depth::exhausted});
  channel.checks.push_back({given_up(), depth::exhausted});
  subject ring = messages("ring", "synchro/messages/ring.hpp");
  add<slots<spin, 1>>(ring, "ring of 1", 3);
  add<slots<spin, 2>>(ring, "ring of 2", 3);
  add<slots<spin_park, 1>>(ring, "ring/park of 1", 2);
  add<slots<spin_park, 2>>(ring, "ring/park of 2", 2);
  ring.checks.push_back({stream<slots<spin, 1>>("ring of 1, 1 sent, then closed", 1), depth::exhausted});
  ring.checks.push_back({end_is_seen<slots<spin, 1>>("ring, end is seen"), depth::exhausted});
  ring.checks.push_back({alone<slots<spin, 2>>("ring, one thread"), depth::exhausted});
  ring.checks.push_back({ended<slots<spin, 1>>("ring of 1, ended"), depth::exhausted});
  ring.checks.push_back({ended<slots<spin_park, 2>>("ring/park of 2, ended"), depth::exhausted});
  subject mailbox = messages("mailbox", "synchro/messages/mailbox.hpp");
  mailbox.checks.push_back({post<spin>("mailbox, 2 clients"), depth::exhausted});
  mailbox.checks.push_back({post<spin_yield>("mailbox/yield, 2 clients"), depth::exhausted});
  for (const program& p : {chosen(), at_once(), in_turn()}) mailbox.checks.push_back({p, depth::exhausted});
  for (subject* s : {&channel, &ring, &mailbox}) to.push_back(std::move(*s));
}

}  // namespace synchro::model_checker
