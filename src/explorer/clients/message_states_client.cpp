// The programs that try what a message line says of itself: one thread uses both ends, so each call has one right answer;
// and who finds a line closed, or looks once, sees what was done before.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "explorer/clients/stage.hpp"
#include "explorer/subject.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/mailbox.hpp"
#include "synchro/messages/ring.hpp"

namespace synchro::explorer {

namespace {

using channel = basic_channel<std::uint32_t, explored>;
using mailbox = basic_mailbox<std::uint32_t, 2, explored>;

/// A ring whose indices come round after the first message.
struct nearly_round : basic_ring<std::uint32_t, explored, spin> {
  nearly_round() : basic_ring<std::uint32_t, explored, spin>(1, (1U << 30) - 1) {}
};

template <class Line>
struct line_of {
  Line line;
  explored::plain<std::uint32_t> done{0};
};

/// Room for one: it is full or empty after each call.
template <class Line>
program both_ends(const std::string& name) {
  stage<line_of<Line>> s{name + ", both ends", 1};
  s.does([](line_of<Line>& it, unsigned) {
    for (std::uint32_t n = 1; n <= 3; ++n) {
      expect(!it.line.is_closed(), "an open line is closed");
      expect(!it.line.try_receive(), "a message that nobody sent");
      expect(it.line.try_send(n), "an empty line refused a message");
      expect(!it.line.try_send(0), "a full line took a message");
      expect(it.line.try_receive() == n, "a message was lost");
    }
    it.line.close();
    expect(it.line.is_closed(), "a closed line is open");
    expect(!it.line.try_send(0), "a closed line took a message");
    expect(!it.line.try_receive(), "a message that nobody sent");
  });
  return s.done();
}

template <class Line>
program found_closed(const std::string& name) {
  stage<line_of<Line>> s{name + ", found closed", 2};
  s.does([](line_of<Line>& it, unsigned t) {
    if (t == 0) {
      it.done = 1;
      it.line.close();
    } else if (it.line.is_closed()) {
      expect(it.done == 1, "the end came without what was done before it");
    }
  });
  return s.done();
}

struct office {
  mailbox box;
};

void expect_letter(const std::optional<mailbox::letter>& got, std::size_t client, std::uint32_t text) {
  expect(got && got->client == client && got->message == text, "not the letter whose turn it is");
}

/// Clients that have sent are served in turn.
program in_turn() {
  stage<office> s{"mailbox, in turn", 1};
  s.does([](office& it, unsigned) {
    it.box.from(0).send(1);
    it.box.from(1).send(2);
    expect_letter(it.box.receive_any(), 0, 1);
    it.box.from(0).send(3);
    expect_letter(it.box.try_receive_any(), 1, 2);
    it.box.from(1).send(4);
    expect_letter(it.box.try_receive_any(), 0, 3);
    expect_letter(it.box.receive_any(), 1, 4);
    expect(!it.box.try_receive_any(), "a letter came twice");
    it.box.from(0).close();
    expect(!it.box.try_receive_any(), "the end was taken for a letter");
  });
  return s.done();
}

program looked_at_once() {
  stage<office> s{"mailbox, looked at once", 2};
  s.does([](office& it, unsigned t) {
    if (t == 1) {
      it.box.from(0).send(1);
    } else if (const auto got = it.box.try_receive_any()) {
      expect_letter(got, 0, 1);
    }
  });
  return s.done();
}

}  // namespace

void add_message_states(subjects& to);
void add_message_states(subjects& to) {
  to.push_back(
      {"channel/states",
       "synchro/messages/channel.hpp",
       {{both_ends<channel>("channel"), depth::exhausted}, {found_closed<channel>("channel"), depth::exhausted}},
       {}});
  to.push_back(
      {"ring/states",
       "synchro/messages/ring.hpp",
       {{both_ends<nearly_round>("ring"), depth::exhausted}, {found_closed<nearly_round>("ring"), depth::exhausted}},
       {}});
  to.push_back({"mailbox/states",
                "synchro/messages/mailbox.hpp",
                {{in_turn(), depth::exhausted}, {looked_at_once(), depth::exhausted}},
                {}});
}

}  // namespace synchro::explorer
