// Queues and rings against those of other libraries: `./dev bench`, or queues [ROUNDS] [SEED].
//
// One thread that puts in and takes out by turns; two on processors of their own, as a stream and as question and answer; two,
// four and eight that the system places, half of which send. Messages of 64 bits, room for 1,024. On processors of their own
// all spin; elsewhere all yield between looks after a while, ours by its policy and peers, which decline, by a loop with the
// same patience. At last those that sleep.

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "platform/placement.hpp"
#include "platform/topology.hpp"
#include "synchro/hardware.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/queue.hpp"
#include "synchro/messages/ring.hpp"
#include "synchro/os.hpp"
#include "synchro/waiting.hpp"
#include "turns.hpp"
#ifdef SYNCHRO_BOOST_LOCKFREE
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#endif
#ifdef SYNCHRO_ATOMIC_QUEUE
#include <atomic_queue/atomic_queue.h>
#endif
#ifdef SYNCHRO_CONCURRENTQUEUE
#include <concurrentqueue.h>
#endif
#ifdef SYNCHRO_READERWRITERQUEUE
#include <readerwritercircularbuffer.h>
#include <readerwriterqueue.h>
#endif
#ifdef SYNCHRO_RUST
#include "../rust/rust.hpp"
#endif

namespace {

using namespace synchro::bench::turns;
using synchro::hardware;

using message = std::uint64_t;
constexpr std::size_t room = 1024;

template <class Waiting>
struct our_ring {
  void send(message n) { inner.send(n); }
  message receive() { return *inner.receive(); }
  synchro::basic_ring<message, hardware, Waiting> inner{room};
};
template <class Waiting>
struct our_queue {
  void send(message n) { inner.send(n); }
  message receive() { return *inner.receive(); }
  synchro::basic_queue<message, hardware, Waiting> inner{room};
};
template <class Waiting>
struct our_channel {
  void send(message n) { inner.send(n); }
  message receive() { return *inner.receive(); }
  synchro::basic_channel<message, hardware, Waiting> inner;
};

/// Repeats what declines, as a waiter of this policy looks.
template <class Waiting, class Attempt>
void until_done(Attempt attempt) {
  for (std::uint32_t round = 0; !attempt(); ++round) {
    const synchro::look rest = Waiting::retry(round);
    rest.yields() ? synchro::os::yield() : synchro::cpu::pause();
  }
}

/// `Queue` as below: it declines.
template <class Queue, class Waiting>
struct polled {
  void send(message n) {
    until_done<Waiting>([&] { return inner.try_send(n); });
  }
  message receive() {
    message got = 0;
    until_done<Waiting>([&] { return inner.try_receive(got); });
    return got;
  }
  Queue inner;
};

/// By the text books: each end keeps a copy of the other's index and reads the index itself only if the copy says that it
/// cannot go on.
struct plain_ring {
  bool try_send(message n) {
    const auto t = tail.load(std::memory_order_relaxed);
    if (t - known_head == room && t - (known_head = head.load(std::memory_order_acquire)) == room) return false;
    slots[t % room] = n;
    tail.store(t + 1, std::memory_order_release);
    return true;
  }
  bool try_receive(message& n) {
    const auto h = head.load(std::memory_order_relaxed);
    if (h == known_tail && h == (known_tail = tail.load(std::memory_order_acquire))) return false;
    n = slots[h % room];
    head.store(h + 1, std::memory_order_release);
    return true;
  }
  std::vector<message> slots = std::vector<message>(room);
  alignas(2 * synchro::cpu::cache_line) std::atomic<std::uint64_t> tail{0};
  std::uint64_t known_head = 0;
  alignas(2 * synchro::cpu::cache_line) std::atomic<std::uint64_t> head{0};
  std::uint64_t known_tail = 0;
};
/// Each end takes a number by one addition and waits for its slot's turn, as in a ticket lock.
template <class Waiting>
struct plain_tickets {
  struct alignas(2 * synchro::cpu::cache_line) slot {
    std::atomic<std::uint64_t> turn{0};
    message n = 0;
  };
  static void wait(slot& s, std::uint64_t turn) {
    until_done<Waiting>([&] { return s.turn.load(std::memory_order_acquire) == turn; });
  }
  void send(message n) {
    const auto ticket = tail.fetch_add(1);
    slot& s = slots[ticket % room];
    wait(s, ticket / room * 2);
    s.n = n;
    s.turn.store(ticket / room * 2 + 1, std::memory_order_release);
  }
  message receive() {
    const auto ticket = head.fetch_add(1);
    slot& s = slots[ticket % room];
    wait(s, ticket / room * 2 + 1);
    const message n = s.n;
    s.turn.store(ticket / room * 2 + 2, std::memory_order_release);
    return n;
  }
  std::unique_ptr<slot[]> slots{new slot[room]};
  alignas(2 * synchro::cpu::cache_line) std::atomic<std::uint64_t> tail{0};
  alignas(2 * synchro::cpu::cache_line) std::atomic<std::uint64_t> head{0};
};

#ifdef SYNCHRO_BOOST_LOCKFREE
struct boost_spsc {
  bool try_send(message n) { return inner.push(n); }
  bool try_receive(message& n) { return inner.pop(n); }
  boost::lockfree::spsc_queue<message, boost::lockfree::capacity<room>> inner;
};
struct boost_queue {
  bool try_send(message n) { return inner.bounded_push(n); }
  bool try_receive(message& n) { return inner.pop(n); }
  boost::lockfree::queue<message, boost::lockfree::capacity<room>> inner;
};
#endif
#ifdef SYNCHRO_ATOMIC_QUEUE
/// Zero means an empty place, so nobody sends it.
template <bool for_two>
struct atomic_try {
  bool try_send(message n) { return inner.try_push(n); }
  bool try_receive(message& n) { return inner.try_pop(n); }
  atomic_queue::AtomicQueue<message, room, 0, true, true, false, for_two> inner;
};
/// Waits by itself, always by spinning.
template <bool for_two>
struct atomic_push {
  void send(message n) { inner.push(n); }
  message receive() { return inner.pop(); }
  atomic_queue::AtomicQueue<message, room, 0, true, true, false, for_two> inner;
};
#endif
#ifdef SYNCHRO_CONCURRENTQUEUE
/// It has no bound.
struct concurrent_queue {
  bool try_send(message n) { return inner.enqueue(n); }
  bool try_receive(message& n) { return inner.try_dequeue(n); }
  moodycamel::ConcurrentQueue<message> inner{room};
};
#endif
#ifdef SYNCHRO_READERWRITERQUEUE
struct reader_writer_queue {
  bool try_send(message n) { return inner.try_enqueue(n); }
  bool try_receive(message& n) { return inner.try_dequeue(n); }
  moodycamel::ReaderWriterQueue<message> inner{room};
};
#endif

#ifdef SYNCHRO_RUST
struct crossbeam_array {
  bool try_send(message n) { return array_queue_push(inner.get(), n); }
  bool try_receive(message& n) { return array_queue_pop(inner.get(), &n); }
  synchro::bench::owned<array_queue, array_queue_delete> inner{array_queue_new(room)};
};
struct crossbeam {
  void send(message n) { crossbeam_channel_send(inner.get(), n); }
  message receive() { return crossbeam_channel_receive(inner.get()); }
  synchro::bench::owned<crossbeam_channel, crossbeam_channel_delete> inner{crossbeam_channel_new(room)};
};
struct flume_channel {
  void send(message n) { flume_send(inner.get(), n); }
  message receive() { return flume_receive(inner.get()); }
  synchro::bench::owned<flume, flume_delete> inner{flume_new(room)};
};
#endif

template <class Queue>
struct alignas(4096) page {
  Queue queue;
};

void expect(bool right) {
  if (!right) throw std::runtime_error{"a message was lost or came twice"};
}

template <class Queue>
outcome alone(const situation& s) {
  const auto p = std::make_unique<page<Queue>>();
  return timed(s, [&](unsigned) {
    for (std::uint32_t i = 1; i <= s.turns; ++i) {
      p->queue.send(i);
      expect(p->queue.receive() == i);
    }
  });
}

/// Even threads send, odd ones receive: a turn is a message.
template <class Queue>
outcome stream(const situation& s) {
  const auto p = std::make_unique<page<Queue>>();
  const std::uint32_t each = s.turns / (s.threads / 2);
  std::atomic<std::uint64_t> sum{0};
  const outcome o = timed(s, [&](unsigned me) {
    std::uint64_t mine = 0;
    for (std::uint32_t i = 1; i <= each; ++i)
      if (me % 2 == 0)
        p->queue.send(i);
      else
        mine += p->queue.receive();
    sum += mine;
  });
  expect(sum == std::uint64_t{s.threads / 2} * each * (each + 1) / 2);
  return o;
}

/// Half of the threads ask by one queue, the others answer by another: a turn is both.
template <class Queue>
outcome answers(const situation& s) {
  const auto there = std::make_unique<page<Queue>>(), back = std::make_unique<page<Queue>>();
  const std::uint32_t each = s.turns / (s.threads / 2);
  return timed(s, [&](unsigned me) {
    for (std::uint32_t i = 1; i <= each; ++i) {
      if (me % 2 == 0) there->queue.send(i);
      const message got = (me % 2 == 0 ? back : there)->queue.receive();
      if (me % 2 != 0) back->queue.send(got);
    }
  });
}

template <class Ours, class Theirs>
void meet(std::vector<contest>& all, const std::string& ours, const std::string& theirs, const situation& s) {
  if (s.threads == 1) {
    all.push_back({ours, theirs, s, alone<Ours>, alone<Theirs>});
    return;
  }
  situation there = s, back = s;
  there.name += ", stream";
  back.name += ", answers";
  back.turns /= 4;
  all.push_back({ours, theirs, there, stream<Ours>, stream<Theirs>});
  all.push_back({ours, theirs, back, answers<Ours>, answers<Theirs>});
}

template <class Waiting>
void add_rings(std::vector<contest>& all, const situation& s) {
  meet<our_ring<Waiting>, polled<plain_ring, Waiting>>(all, "ring", "plain", s);
#ifdef SYNCHRO_BOOST_LOCKFREE
  meet<our_ring<Waiting>, polled<boost_spsc, Waiting>>(all, "ring", "boost/spsc", s);
#endif
#ifdef SYNCHRO_ATOMIC_QUEUE
  if constexpr (std::is_same_v<Waiting, synchro::spin>)
    meet<our_ring<Waiting>, atomic_push<true>>(all, "ring", "atomic_queue", s);
#endif
#ifdef SYNCHRO_READERWRITERQUEUE
  meet<our_ring<Waiting>, polled<reader_writer_queue, Waiting>>(all, "ring", "readerwriter", s);
#endif
  if (s.threads == 2) meet<our_channel<Waiting>, polled<plain_ring, Waiting>>(all, "channel", "plain", s);
}

template <class Waiting>
void add_queues(std::vector<contest>& all, const situation& s) {
  meet<our_queue<Waiting>, plain_tickets<Waiting>>(all, "queue", "tickets", s);
#ifdef SYNCHRO_BOOST_LOCKFREE
  meet<our_queue<Waiting>, polled<boost_queue, Waiting>>(all, "queue", "boost", s);
#endif
#ifdef SYNCHRO_ATOMIC_QUEUE
  meet<our_queue<Waiting>, polled<atomic_try<false>, Waiting>>(all, "queue", "atomic_queue/try", s);
  if constexpr (std::is_same_v<Waiting, synchro::spin>)
    meet<our_queue<Waiting>, atomic_push<false>>(all, "queue", "atomic_queue", s);
#endif
#ifdef SYNCHRO_CONCURRENTQUEUE
  meet<our_queue<Waiting>, polled<concurrent_queue, Waiting>>(all, "queue", "moodycamel", s);
#endif
#ifdef SYNCHRO_RUST
  meet<our_queue<Waiting>, polled<crossbeam_array, Waiting>>(all, "queue", "crossbeam/array", s);
#endif
}

/// Those that sleep in the end.
void add_sleepers([[maybe_unused]] std::vector<contest>& all, [[maybe_unused]] const situation& s) {
#ifdef SYNCHRO_RUST
  using ours = our_queue<synchro::yield_then_park>;
  meet<ours, crossbeam>(all, "sleeping", "crossbeam", s);
  meet<ours, flume_channel>(all, "sleeping", "flume", s);
#endif
}

std::vector<contest> contests_here() {
  const auto machine = synchro::platform::read_topology();
  std::vector<contest> all;
  constexpr std::uint32_t turns = 40'000;
  const situation one{"1 thread", 1, synchro::platform::place(machine, synchro::platform::placement::compact, 1), 0,
                      turns};
  add_rings<synchro::spin>(all, one);
  add_queues<synchro::spin>(all, one);
  if (machine.processors.size() > 1) {
    const auto pair = synchro::platform::place(machine, synchro::platform::placement::compact, 2);
    const situation two{"2 pinned", 2, pair, 0, turns};
    add_rings<synchro::spin>(all, two);
    add_queues<synchro::spin>(all, two);
  }
  add_rings<synchro::spin_yield>(all, {"2 threads", 2, {}, 0, turns});
  for (const unsigned threads : {2U, 4U, 8U}) {
    const situation crowd{fmt::format("{} threads", threads), threads, {}, 0, turns};
    add_queues<synchro::spin_yield>(all, crowd);
    add_sleepers(all, crowd);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) { return hold_all("queues", argc, argv, contests_here); }
