// Channels, rings and mailboxes between real threads: nothing is lost, doubled or out of order.

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "synchro/messages/channel.hpp"
#include "synchro/messages/mailbox.hpp"
#include "synchro/messages/ring.hpp"

namespace synchro {
namespace {

using namespace std::chrono_literals;

/// More than a cache line, so that a half-written one would be noticed.
struct numbered {
  std::array<std::uint64_t, 12> words{};

  static numbered of(std::uint64_t n) {
    numbered m;
    for (std::size_t i = 0; i != m.words.size(); ++i) m.words[i] = n + i;
    return m;
  }
  [[nodiscard]] bool is(std::uint64_t n) const { return words == of(n).words; }
};

constexpr std::uint64_t many = 1'500;

template <class Line>
void stream(Line& line) {
  std::thread sender{[&] {
    for (std::uint64_t n = 0; n != many; ++n) EXPECT_TRUE(line.send(numbered::of(n)));
    line.close();
    line.close();
    EXPECT_FALSE(line.send(numbered::of(0)));
    EXPECT_FALSE(line.try_send(numbered::of(0)));
    EXPECT_FALSE(line.send_for(numbered::of(0), 1ms));
  }};
  std::uint64_t received = 0;
  while (const auto m = line.receive()) {
    EXPECT_TRUE(m->is(received)) << received;
    ++received;
  }
  sender.join();
  EXPECT_EQ(received, many);
  EXPECT_TRUE(line.is_closed());
  EXPECT_FALSE(line.receive());
  EXPECT_FALSE(line.try_receive());
}

/// Both ends try, and wait a little.
template <class Line>
void impatient_stream(Line& line) {
  std::thread sender{[&] {
    for (std::uint64_t n = 0; n != many; ++n)
      while (!line.try_send(numbered::of(n)) && !line.send_for(numbered::of(n), 100us)) std::this_thread::yield();
    line.close();
  }};
  std::uint64_t received = 0;
  while (received != many) {
    auto m = line.try_receive();
    if (!m) m = line.receive_until(std::chrono::steady_clock::now() + 100us);
    if (!m) continue;
    EXPECT_TRUE(m->is(received)) << received;
    ++received;
  }
  sender.join();
  EXPECT_FALSE(line.receive());
}

template <class Waiting>
class Messages : public testing::Test {};
using policies = testing::Types<spin_yield, spin_park>;  // on one processor, too
TYPED_TEST_SUITE(Messages, policies);

TYPED_TEST(Messages, AChannelLosesNothing) {
  basic_channel<numbered, hardware, TypeParam> line;
  stream(line);
}
TYPED_TEST(Messages, AChannelWhoseEndsGiveUpLosesNothing) {
  basic_channel<numbered, hardware, TypeParam> line;
  impatient_stream(line);
}
TYPED_TEST(Messages, ARingLosesNothing) {
  for (const std::size_t room : {1U, 2U, 64U}) {
    basic_ring<numbered, hardware, TypeParam> line{room};
    stream(line);
  }
}
TYPED_TEST(Messages, ARingWhoseEndsGiveUpLosesNothing) {
  basic_ring<numbered, hardware, TypeParam> line{2};
  impatient_stream(line);
}

template <class Waiting>
struct nearly_round : basic_ring<numbered, hardware, Waiting> {
  nearly_round() : basic_ring<numbered, hardware, Waiting>(8, (1U << 30) - 700) {}
};
TYPED_TEST(Messages, TheIndicesOfARingComeRound) {
  nearly_round<TypeParam> line;
  stream(line);
}

TEST(Ring, HoldsWhatItSaysAndNoMore) {
  ring<int> line{5};
  EXPECT_EQ(line.capacity(), 8U);
  for (int i = 0; i != 8; ++i) EXPECT_TRUE(line.try_send(i));
  EXPECT_FALSE(line.try_send(8));
  EXPECT_FALSE(line.send_for(8, 1ms));
  EXPECT_EQ(line.receive(), 0);
  EXPECT_TRUE(line.try_send(8));
  line.close();
  EXPECT_TRUE(line.is_closed());
  for (int i = 1; i != 9; ++i) EXPECT_EQ(line.try_receive(), i);
  EXPECT_FALSE(line.try_receive());
}

/// Counts the pauses that are rests: those between looks that wait are not asked of the machine.
struct resting : hardware {
  static inline std::uint64_t pauses = 0;
  static void pause(std::uint32_t n) noexcept { pauses += n; }
};

TEST(Ring, WhoFindsAMessageAtOnceDoesNotRest) {
  basic_ring<int, resting> line{64};
  resting::pauses = 0;
  for (const int batch : {1, 8, 1, 64, 1})
    for (int round = 0; round != 300; ++round) {
      for (int i = 0; i != batch; ++i) EXPECT_TRUE(line.send(i));
      for (int i = 0; i != batch; ++i) EXPECT_EQ(line.receive(), i);
    }
  EXPECT_EQ(resting::pauses, 0U);
}

TEST(Ring, AClosedFullRingRefusesAtOnce) {
  ring<int> line{1};
  EXPECT_TRUE(line.try_send(1));
  line.close();
  EXPECT_FALSE(line.send(2));
  EXPECT_EQ(line.receive(), 1);
  EXPECT_FALSE(line.receive());
}

/// A sender hopes for more room than one slot, and goes on without.
TEST(Ring, OneSlotIsEnoughForTheSender) {
  ring<int> line{64};
  for (int i = 0; i != 64; ++i) EXPECT_TRUE(line.send(i));
  for (int i = 0; i != 200; ++i) {
    EXPECT_EQ(line.receive(), i);
    EXPECT_TRUE(line.send(64 + i));
  }
  EXPECT_FALSE(line.try_send(0));
}

TEST(Ring, OfNothingOrTooMuchIsRefused) {
  EXPECT_THROW(ring<int>{0}, std::length_error);
  EXPECT_THROW(ring<int>{ring<int>::most_messages + 1}, std::length_error);
}

TEST(Channel, OneWordAndItsStateShareACacheLine) {
  EXPECT_EQ(sizeof(channel<std::uint64_t>), cpu::cache_line);
  EXPECT_EQ(alignof(channel<char>), cpu::cache_line);
  channel<int> line;
  EXPECT_FALSE(line.try_receive());
  EXPECT_FALSE(line.receive_for(1ms));
  EXPECT_TRUE(line.try_send(7));
  EXPECT_FALSE(line.try_send(8));
  EXPECT_FALSE(line.is_closed());
  EXPECT_EQ(line.try_receive(), 7);
}

TEST(Mailbox, TakesFromAllInTurnAndLosesNothing) {
  constexpr std::size_t clients = 3;
  constexpr std::uint64_t each = 500;
  basic_mailbox<numbered, clients, hardware, spin_yield> box;
  std::vector<std::thread> senders;
  for (std::size_t c = 0; c != clients; ++c)
    senders.emplace_back([&box, c] {
      for (std::uint64_t n = 0; n != each; ++n) box.from(c).send(numbered::of(n));
      box.from(c).close();
    });
  std::array<std::uint64_t, clients> received{};
  while (const auto letter = box.receive_any()) {
    EXPECT_TRUE(letter->message.is(received[letter->client]));
    ++received[letter->client];
  }
  for (std::thread& t : senders) t.join();
  for (const std::uint64_t n : received) EXPECT_EQ(n, each);
}

TEST(Mailbox, ABusyClientDoesNotStarveTheOthers) {
  mailbox<int, 2> box;
  for (int round = 0; round != 4; ++round) {
    const bool other_has_sent = round != 0 || box.from(1).try_send(1);
    EXPECT_TRUE(other_has_sent);
    EXPECT_TRUE(box.from(0).try_send(0));
    const auto letter = box.receive_any();
    ASSERT_TRUE(letter);
    EXPECT_EQ(letter->client, round == 1 ? 1U : 0U);
    if (round == 1) {
      EXPECT_EQ(box.try_receive_any()->client, 0U);
    }
  }
}

TEST(Mailbox, ASubsetIsServedAlone) {
  mailbox<int, 3> box;
  EXPECT_TRUE(box.from(0).try_send(10));
  EXPECT_TRUE(box.from(2).try_send(12));
  EXPECT_FALSE(box.try_receive_any(0b010));
  EXPECT_EQ(box.receive_any(0b110)->message, 12);
  box.from(1).close();
  box.from(2).close();
  EXPECT_FALSE(box.receive_any(0b110));
  EXPECT_EQ(box.receive_any()->message, 10);
}

}  // namespace
}  // namespace synchro
