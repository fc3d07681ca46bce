// Queues, broadcasts and barriers by messages between real threads.

#include "synchro/messages/queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "synchro/messages/broadcast.hpp"
#include "synchro/messages/message_barrier.hpp"
#include "synchro/messages/spin_fetching.hpp"

namespace synchro {
namespace {

using namespace std::chrono_literals;

/// More than a word, so that a half-written one would be noticed.
struct parcel {
  std::uint32_t sender = 0, number = 0;
  std::array<std::uint32_t, 6> filling{};

  static parcel of(std::uint32_t sender, std::uint32_t number) {
    parcel p{sender, number, {}};
    p.filling.fill(number ^ sender);
    return p;
  }
  [[nodiscard]] bool is_whole() const {
    for (const std::uint32_t f : filling)
      if (f != (number ^ sender)) return false;
    return true;
  }
};

template <class Queue>
class Queues : public ::testing::Test {};
using queues = ::testing::Types<basic_queue<parcel, hardware, spin_yield>, basic_queue<parcel, hardware, spin_park>>;
TYPED_TEST_SUITE(Queues, queues);

/// Each receiver sees the numbers of each sender rise, and all of them together see each number once.
template <class Queue>
void many_to_many(unsigned senders, unsigned receivers, std::size_t room, std::uint32_t each) {
  Queue q{room};
  std::atomic<unsigned> sending{senders};
  std::vector<std::vector<std::uint64_t>> sums(receivers, std::vector<std::uint64_t>(senders));
  std::vector<std::uint64_t> counts(receivers), faults(receivers);
  std::vector<std::thread> team;
  for (unsigned s = 0; s < senders; ++s)
    team.emplace_back([&, s] {
      for (std::uint32_t n = 1; n <= each; ++n)
        if (!q.send(parcel::of(s, n))) ++faults[0];
      if (--sending == 0) q.close();
    });
  for (unsigned r = 0; r < receivers; ++r)
    team.emplace_back([&, r] {
      std::vector<std::uint32_t> last(senders);
      while (const auto got = q.receive()) {
        if (!got->is_whole() || got->number <= last[got->sender]) ++faults[r];
        last[got->sender] = got->number;
        sums[r][got->sender] += got->number;
        ++counts[r];
      }
    });
  for (std::thread& t : team) t.join();
  std::uint64_t count = 0;
  for (unsigned r = 0; r < receivers; ++r) {
    EXPECT_EQ(faults[r], 0U);
    count += counts[r];
  }
  EXPECT_EQ(count, std::uint64_t{senders} * each);
  for (unsigned s = 0; s < senders; ++s) {
    std::uint64_t sum = 0;
    for (unsigned r = 0; r < receivers; ++r) sum += sums[r][s];
    EXPECT_EQ(sum, std::uint64_t{each} * (each + 1) / 2) << "sender " << s;
  }
}

TYPED_TEST(Queues, LoseAndDoubleNothing) {
  many_to_many<TypeParam>(1, 1, 2, 2'000);
  many_to_many<TypeParam>(4, 4, 2, 500);
  many_to_many<TypeParam>(4, 1, 64, 1'000);
  many_to_many<TypeParam>(1, 4, 16, 2'000);
}

TYPED_TEST(Queues, HoldWhatTheirCapacityIs) {
  TypeParam q{5};
  EXPECT_EQ(q.capacity(), 8U);
  EXPECT_EQ(TypeParam{1}.capacity(), 2U);
  for (std::uint32_t round = 0; round < 3; ++round) {
    for (std::uint32_t n = 0; n < 8; ++n) EXPECT_TRUE(q.try_send(parcel::of(0, n)));
    EXPECT_FALSE(q.try_send(parcel::of(0, 8)));
    EXPECT_FALSE(q.send_for(parcel::of(0, 8), 1ms));
    for (std::uint32_t n = 0; n < 8; ++n) EXPECT_EQ(q.try_receive()->number, n);
    EXPECT_FALSE(q.try_receive());
    EXPECT_FALSE(q.receive_until(std::chrono::steady_clock::now() + 1ms));
  }
}

TYPED_TEST(Queues, RefuseSizesThatMeanNothing) {
  EXPECT_THROW(TypeParam{0}, std::length_error);
  EXPECT_THROW(TypeParam{TypeParam::most_messages + 1}, std::length_error);
}

TYPED_TEST(Queues, GiveWhatWasSentBeforeTheEnd) {
  TypeParam q{4};
  EXPECT_FALSE(q.is_closed());
  EXPECT_TRUE(q.send(parcel::of(0, 1)));
  q.close();
  q.close();
  EXPECT_TRUE(q.is_closed());
  EXPECT_FALSE(q.send(parcel::of(0, 2)));
  EXPECT_FALSE(q.try_send(parcel::of(0, 2)));
  EXPECT_FALSE(q.send_for(parcel::of(0, 2), 1s));
  EXPECT_EQ(q.receive()->number, 1U);
  EXPECT_FALSE(q.receive());
  EXPECT_FALSE(q.receive_for(1s));
}

TYPED_TEST(Queues, TheEndReachesAllWhoWait) {
  TypeParam empty{2}, full{2};
  while (full.try_send(parcel{})) {
  }
  std::atomic<unsigned> ended{0};
  std::vector<std::thread> team;
  for (int i = 0; i < 2; ++i) {
    team.emplace_back([&] { ended += empty.receive() ? 0U : 1U; });
    team.emplace_back([&] { ended += full.send(parcel{}) ? 0U : 1U; });
  }
  empty.close();
  full.close();
  for (std::thread& t : team) t.join();
  EXPECT_EQ(ended, 4U);
}

TEST(Queue, IsNotCopied) {
  EXPECT_TRUE((!std::is_copy_constructible_v<queue<int>>));
  EXPECT_TRUE(sleeping_queue<int>::parks);
  EXPECT_FALSE(queue<int>::parks);
}

TEST(Broadcast, ReachesEveryReceiver) {
  basic_broadcast<parcel, 3, hardware, spin_park> line;
  std::array<std::uint32_t, 3> received{}, faults{};
  std::vector<std::thread> team;
  for (unsigned r = 0; r < 3; ++r)
    team.emplace_back([&, r] {
      while (const auto got = line.to(r).receive())
        faults[r] += got->is_whole() && got->number == ++received[r] ? 0U : 1U;
    });
  for (std::uint32_t n = 1; n <= 300; ++n) EXPECT_TRUE(line.send(parcel::of(7, n)));
  line.close();
  EXPECT_FALSE(line.send(parcel{}));
  for (std::thread& t : team) t.join();
  EXPECT_EQ(received, (std::array<std::uint32_t, 3>{300, 300, 300}));
  EXPECT_EQ(faults, (std::array<std::uint32_t, 3>{}));
}

template <class Waiting>
void meet(unsigned threads, unsigned times) {
  basic_message_barrier<hardware, Waiting> barrier{threads};
  std::vector<unsigned> done(threads);  // plain: the sanitizer sees whether the barrier orders them
  std::atomic<unsigned> early{0};
  std::vector<std::thread> team;
  for (unsigned t = 0; t < threads; ++t)
    team.emplace_back([&, t] {
      for (unsigned round = 1; round <= times; ++round) {
        done[t] = round;
        barrier.arrive_and_wait(t);
        for (const unsigned other : done) early += other == round ? 0U : 1U;
        barrier.arrive_and_wait(t);
      }
    });
  for (std::thread& t : team) t.join();
  EXPECT_EQ(early, 0U);
}

TEST(MessageBarrier, NobodyLeavesBeforeAllHaveCome) {
  for (const unsigned threads : {1U, 2U, 3U, 5U, 8U}) {
    meet<spin_park>(threads, 100);
    meet<spin_yield>(threads, 20);
  }
  EXPECT_THROW(message_barrier{0}, std::length_error);
}

TEST(SpinFetching, WaitsAsSpinDoes) {
  basic_channel<parcel, hardware, spin_fetching> line;
  EXPECT_FALSE(line.receive_for(1ms));
  EXPECT_TRUE(line.send(parcel::of(1, 1)));
  EXPECT_FALSE(line.send_for(parcel::of(1, 2), 1ms));
  EXPECT_EQ(line.receive()->number, 1U);
  std::thread sender{[&] {
    line.send(parcel::of(1, 2));
    line.close();
  }};
  EXPECT_EQ(line.receive()->number, 2U);
  EXPECT_FALSE(line.receive());
  sender.join();
}

}  // namespace
}  // namespace synchro
