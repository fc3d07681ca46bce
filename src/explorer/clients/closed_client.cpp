// The programs that try what is closed, and what has the least room there is: a closed line takes nothing in whatever way, what was
// sent before is received, and a second close changes nothing.

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "explorer/clients/stage.hpp"
#include "explorer/subject.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/queue.hpp"
#include "synchro/messages/ring.hpp"

namespace synchro::explorer {

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

/// One thread has both ends of a line with this room: it is filled, emptied, filled again and closed twice.
template <class Line>
void fill_and_close(Line& line, std::uint32_t room) {
  std::uint32_t sent = 0, taken = 0;
  const auto take = [&] { expect(line.try_receive() == ++taken, "a message was lost, or is another"); };
  for (int round = 0; round != 2; ++round) {
    for (std::uint32_t i = 0; i != room; ++i) expect(line.try_send(++sent), "a line with room refused a message");
    expect(!line.try_send(99) && !line.send_for(99, patience), "a full line took a message");
    if (round == 0)
      while (taken != sent) take();
  }
  while (taken != sent) take();
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

/// The sender comes to a full line, and sleeps until a message is taken, or does not.
template <class Line, class... Arguments>
program room_is_made(const std::string& name, std::uint32_t room, Arguments... arguments) {
  struct scene {
    Line line;
    explicit scene(Arguments... made_of) : line(made_of...) {}
  };
  stage<scene> s{name + ", a sender waits for room", 2, arguments...};
  s.warms_up([room](scene& it, unsigned t) {
    for (std::uint32_t n = 0; t == 0 && n != room; ++n)
      expect(it.line.try_send(n), "a line with room refused a message");
  });
  s.does([room](scene& it, unsigned t) {
    if (t == 0) return expect(it.line.send(room), "an open line refused a message");
    expect(it.line.try_receive() == 0U, "a message was lost, or is another");
  });
  s.then_checks([room](scene& it) {
    for (std::uint32_t n = 1; n <= room; ++n) expect(it.line.try_receive() == n, "a message was lost, or is another");
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
  add("ring", {by_one_thread<ring>("ring of 1", 1, one), closed_beside<ring>("ring of 1", one),
               room_is_made<parked_ring>("ring/park of 1", 1, one)});
  // Of a queue the least is 2.
  add("queue", {by_one_thread<queue>("queue of 1", 2, one), closed_beside<queue>("queue of 1", one),
                room_is_made<parked_queue>("queue/park of 1", 2, one)});
}

}  // namespace synchro::explorer
