// The programs that try what is closed, and what has the least room there is: a closed line takes nothing in whatever way, what was
// sent before is received, and a second close changes nothing.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/queue.hpp"
#include "synchro/messages/ring.hpp"

namespace synchro::model_checker {

namespace {

constexpr std::chrono::nanoseconds patience{1};

template <class Line>
void expect_closed(Line& line) {
  line.close();
  expect(line.is_closed() && !line.try_send(9) && !line.send(9) && !line.send_for(9, patience),
         "a closed line took a message");
}
template <class Line>
void expect_empty(Line& line) {
  expect(!line.receive() && !line.try_receive() && !line.receive_for(patience), "a message came after the end");
}

/// One thread has both ends of a line with this room: it is filled, emptied in time, filled in time and closed twice.
template <class Line>
void fill_and_close(Line& line, std::uint32_t room) {
  if constexpr (requires { line.capacity(); })
    expect(line.capacity() == room, "there is room for another number of messages");
  std::uint32_t sent = 0, taken = 0;
  const auto is_next = [&](std::optional<std::uint32_t> m) {
    expect(m == ++taken, "a message was lost, or is another");
  };
  for (const bool timed : {false, true}) {
    for (std::uint32_t i = 0; i != room; ++i, ++sent)
      expect(timed ? line.send_for(sent + 1, patience) : line.try_send(sent + 1), "a line with room refused a message");
    expect(!line.try_send(99) && !line.send_for(99, patience), "a full line took a message");
    while (!timed && taken != sent) is_next(line.receive_for(patience));
  }
  while (taken != sent) is_next(line.try_receive());
  expect(!line.is_closed(), "an open line is closed");
  for (int times = 0; times != 2; ++times) expect_closed(line);
  expect_empty(line);
}

template <class Line, class... Arguments>
program by_one_thread(const std::string& name, std::uint32_t room, Arguments... arguments) {
  struct scene {
    Line line;
    explicit scene(Arguments... made_of) : line(made_of...) {}
  };
  stage<scene> s{name + ", filled and closed", 1, arguments...};
  s.does([room](scene& it, unsigned) { fill_and_close(it.line, room); });
  return s.done();
}

/// The sender closes behind its last message, in each way that fails afterwards; the receiver finds the message, and the end.
template <class Line, class... Arguments>
program closed_beside(const std::string& name, Arguments... arguments) {
  struct scene {
    Line line;
    explicit scene(Arguments... made_of) : line(made_of...) {}
  };
  stage<scene> s{name + ", closed beside a receiver", 2, arguments...};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      expect(it.line.try_send(1), "an empty line refused a message");
      return expect_closed(it.line);
    }
    const auto early = it.line.try_receive();
    expect(early || it.line.receive() == 1U, "a message was lost");
    expect(!early || early == 1U, "a message is another");
    expect_empty(it.line);
    expect(it.line.is_closed(), "the end came before the close");
  });
  return s.done();
}

/// The sender comes to a full line, and sleeps until a message is taken, or does not, or gives up.
template <class Line, class... Arguments>
program room_is_made(const std::string& name, bool timed, std::uint32_t room, Arguments... arguments) {
  struct scene {
    Line line;
    explored::plain<bool> sent{false};
    explicit scene(Arguments... made_of) : line(made_of...) {}
  };
  stage<scene> s{name + ", a sender waits for room" + (timed ? " in time" : ""), 2, arguments...};
  s.warms_up([room](scene& it, unsigned t) {
    for (std::uint32_t n = 0; t == 0 && n != room; ++n)
      expect(it.line.try_send(10 + n), "a line with room refused a message");
  });
  s.does([room, timed](scene& it, unsigned t) {
    if (t != 0) return expect(it.line.try_receive() == 10U, "a message was lost, or is another");
    it.sent = timed ? it.line.send_for(10 + room, patience) : it.line.send(10 + room);
    expect(timed || it.sent, "an open line refused a message");
  });
  s.then_checks([room](scene& it) {
    for (std::uint32_t n = 1; n != room + it.sent; ++n)
      expect(it.line.try_receive() == 10 + n, "a message was lost, or is another");
    expect(!it.line.try_receive(), "a message came that nobody sent");
  });
  return s.done();
}

/// A receiver that has come first, and learns of the message by nothing but that.
template <class Line, class... Arguments>
program message_is_awaited(const std::string& name, unsigned receivers, Arguments... arguments) {
  struct scene {
    Line line;
    std::array<explored::plain<std::uint32_t>, 3> received{};
    explicit scene(Arguments... made_of) : line(made_of...) {}
  };
  stage<scene> s{name + ", " + std::to_string(receivers) + " wait for messages", 1 + receivers, arguments...};
  s.does([receivers](scene& it, unsigned t) {
    if (t == 0 && receivers > 1) await_others();
    for (std::uint32_t n = 1; t == 0 && n <= receivers; ++n) expect(it.line.send(n), "an open line refused a message");
    if (t == 0) return;
    const auto got = it.line.receive();
    expect(got.has_value(), "an open line came to its end");
    it.received[t] = *got;
  });
  s.then_checks([receivers](scene& it) {
    std::uint32_t sum = 0;
    for (const auto& each : it.received) sum += each;
    expect(sum == receivers * (receivers + 1) / 2, "a message was lost or came twice");
  });
  return s.done();
}

/// Who has received all that comes destroys the line: what told of the last message, or of the end, was the last that the sender did.
template <class Line>
program received_and_destroyed(const std::string& name, bool closes) {
  struct scene {
    explored::plain<Line*> line{explored::make<Line>(std::size_t{1})};
  };
  stage<scene> s{name + (closes ? ", destroyed at the end" : ", destroyed behind the message"), 2};
  s.does([closes](scene& it, unsigned t) {
    Line* const line = it.line;
    if (t == 0) {
      expect(line->try_send(1), "an empty line refused a message");
      if (closes) line->close();
      return;
    }
    expect(line->receive() == 1U, "a message was lost, or is another");
    expect(!closes || !line->receive(), "a message came after the end");
    explored::destroy(line);
  });
  return s.done();
}

}  // namespace

void add_closed(subjects& to);
void add_closed(subjects& to) {
  using channel = basic_channel<std::uint32_t, explored, spin>;
  using ring = basic_ring<std::uint32_t, explored, spin>;
  using queue = basic_queue<std::uint32_t, explored, spin>;
  using parked_ring = basic_ring<std::uint32_t, explored, spin_park>;
  using parked_queue = basic_queue<std::uint32_t, explored, spin_park>;
  const std::size_t one = 1;
  const auto add = [&to](const std::string& name, std::vector<program> all) {
    subject made{name + "/closed", "synchro/messages/" + name + ".hpp", {}};
    for (program& p : all) made.checks.push_back({std::move(p), depth::exhausted});
    to.push_back(std::move(made));
  };
  add("channel", {by_one_thread<channel>("channel", 1), closed_beside<channel>("channel")});
  add("ring",
      {by_one_thread<ring>("ring of 1", 1, one), by_one_thread<ring>("ring of 3", 4, std::size_t{3}),
       closed_beside<ring>("ring of 1", one), room_is_made<parked_ring>("ring/park of 1", false, 1, one),
       room_is_made<ring>("ring of 1", true, 1, one), received_and_destroyed<ring>("ring of 1", false),
       received_and_destroyed<ring>("ring of 1", true), received_and_destroyed<parked_ring>("ring/park of 1", false),
       received_and_destroyed<parked_ring>("ring/park of 1", true)});
  // Of a queue the least is 2.
  add("queue", {by_one_thread<queue>("queue of 1", 2, one), by_one_thread<queue>("queue of 3", 4, std::size_t{3}),
                closed_beside<queue>("queue of 1", one), room_is_made<parked_queue>("queue/park of 1", false, 2, one),
                room_is_made<queue>("queue of 1", true, 2, one), message_is_awaited<queue>("queue of 1", 1, one),
                message_is_awaited<parked_queue>("queue/park of 1", 1, one)});
  to.back().checks.push_back({message_is_awaited<parked_queue>("queue/park of 1", 2, one), depth::one_preemption});
}

}  // namespace synchro::model_checker
