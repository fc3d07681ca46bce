// What libslock has, on the simulated machine: its locks (paper_locks.hpp says what they do), and which platform a model is to it.

#ifndef SYNCHRO_SIMULATIONS_LIBSLOCK_HPP
#define SYNCHRO_SIMULATIONS_LIBSLOCK_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/laboratory.hpp"
#include "synchro/locks/ticket.hpp"
#include "synchro/look.hpp"
#include "synchro/shape.hpp"

namespace synchro::simulations::libslock {

using simulator::simulated;
using word = simulated::atomic<std::uint32_t>;
template <class T>
using plain = simulated::plain<T>;

// The platforms that its sources tell apart.
inline const simulator::model& machine() { return simulator::world::current().machine(); }
inline bool is_opteron(const simulator::model& m = machine()) { return m.directory_hop().has_value(); }
inline bool is_x86(const simulator::model& m = machine()) { return m.dies() > 1; }
inline bool is_xeon(const simulator::model& m = machine()) { return is_x86(m) && !is_opteron(m); }
inline bool is_tilera(const simulator::model& m = machine()) { return m.distance_to_home(); }
inline bool is_sparc(const simulator::model& m = machine()) { return m.writes_at_home() && !is_tilera(m); }

inline void fetch(const void* line) {
  if (is_opteron()) simulated::prefetch_for_write(line);
}
inline void fence_on_tilera() {
  if (is_tilera()) simulated::fence();
}
inline void fence_on_xeon() {
  if (is_xeon()) simulated::fence();
}
inline std::uint32_t pauses_of_cycles(std::uint64_t cycles) {
  return static_cast<std::uint32_t>(cycles * simulator::per_cycle / machine().pause());
}
/// A turn of an empty loop (NOP_DURATION in include/platform_defs.h).
inline std::uint64_t cycles_of_turns(std::uint64_t turns) { return turns * (is_opteron() ? 2 : 1); }
/// What its benchmarks make of a pause of so many cycles (cpause in include/utils.h): whole turns of that loop, on the Xeon an
/// eighth as many pauses.
inline std::uint64_t cycles_of_cpause(const simulator::model& m, std::uint64_t cycles) {
  if (is_xeon(m)) return cycles / 8 * m.pause() / simulator::per_cycle;
  const std::uint64_t turn = is_sparc(m) ? 9 : is_tilera(m) ? 4 : 2;
  return cycles / turn * turn;
}

inline look after(std::uint32_t pauses, bool fetching) {
  const look again = look::retry(pauses);
  return fetching ? again.fetching() : again;
}

/// Waits for a word of its own, or of its predecessor.
template <class Accept>
void await(const word& w, Accept accept) {
  constexpr std::uint32_t pauses_of_opteron = 24;
  fetch(&w);
  simulated::await(w, memory_order::acquire, [accept](std::uint32_t seen, std::uint32_t) {
    return accept(seen) ? look::done() : after(is_opteron() ? pauses_of_opteron : 1, is_opteron());
  });
}

/// Where a queue of nodes ends.
template <class Node>
struct alignas(cpu::cache_line) queue_end {
  simulated::atomic<Node*> last{nullptr};
};

/// What a thread has of its own elsewhere, behind a pointer.
template <class T>
struct pointer_to {
  plain<T*> data{simulated::make<T>()};
};

/// What a thread keeps whose node goes to its successor.
template <class Node>
struct node_and_predecessor {
  plain<Node*> node{simulated::make<Node>()};
  plain<Node*> before{nullptr};
};

/// What each thread keeps for a lock, on a line of its own, made by the thread when it comes first.
template <class T>
class of_each_thread {
  struct alignas(cpu::cache_line) line {
    T own;
  };

 public:
  explicit of_each_thread(const shape& team) : all_(team.threads()) {}
  T& mine() {
    line*& place = all_[simulated::slot() % all_.size()];
    if (place == nullptr) place = simulated::make<line>();
    return place->own;
  }

 private:
  std::vector<line*> all_;
};

/// The same of each socket, behind a table of pointers.
template <class T>
class of_each_socket {
 public:
  T& mine() {
    entry& place = all_[simulated::domain()];
    if (place.made == nullptr) place.made = simulated::make<T>();  // at once: no other thread comes between
    static_cast<void>(static_cast<T*>(place.pointer));             // takes as long as reading it
    return *place.made;
  }

 private:
  struct alignas(cpu::cache_line) entry {  // or neighbours shared a line or not as the system's allocator has it
    T* made = nullptr;
    plain<T*> pointer{nullptr};
  };
  std::vector<entry> all_ = std::vector<entry>(machine().dies());
};

/// Which lock: three numbers of the thread's own, changed each time (xorshf96 in include/utils.h).
inline void roll_dice() {
  struct alignas(cpu::cache_line) seeds {
    plain<std::uint64_t> x{1}, y{2}, z{3};
  };
  auto& own = simulated::local<seeds>();
  const std::uint64_t x = own.x, y = own.y, z = own.z;
  own.x = y;
  own.y = z;
  own.z = x ^ y ^ z;
}

class tas {
 public:
  explicit tas(const shape&) {}
  void lock() {
    simulated::exchange_until(
        word_, 1, [](std::uint32_t old, std::uint32_t) { return old == 0 ? look::done() : look::retry(1); },
        memory_order::acquire);
  }
  void unlock() { word_.store(0, memory_order::release); }

 private:
  word word_{0};
};

class ttas {
 public:
  /// With more threads than processors its waiters do not fetch: the line would go round for whole slices, which takes minutes.
  explicit ttas(const shape& team)
      : fetching_{is_opteron() && team.threads() <= machine().processors()}, rests_{team} {}
  void lock() {
    constexpr std::uint32_t most_cycles = 1000;
    plain<std::uint32_t>& limit = rests_.mine().limit;
    for (;;) {
      if (fetching_) fetch(&word_);
      simulated::await(word_, memory_order::acquire, [this](std::uint32_t seen, std::uint32_t) {
        return seen == 0 ? look::done() : after(0, fetching_);
      });
      std::uint32_t seen = 0;
      if (word_.compare_exchange_strong(seen, 1, memory_order::acquire, memory_order::relaxed)) return;
      const std::uint32_t most = limit;
      limit = std::min(2 * most, most_cycles);
      simulator::world& w = simulator::world::current();
      w.rest(w.phase(most * simulator::per_cycle));
    }
  }
  void unlock() { word_.store(0, memory_order::release); }

 private:
  struct rest {
    plain<std::uint32_t> limit{1};
  };
  word word_{0};
  const bool fetching_;
  of_each_thread<rest> rests_;
};

/// How the waiters of its ticket lock look where they back off (x86); `Prefetching`: as on the Opteron.
template <bool Prefetching>
struct back_off {
  template <class Waiting>
  static look retry(std::uint32_t round, std::uint32_t distance) {
    constexpr std::uint32_t turns_per_place = 512, turns_if_next = 128, yields_beyond = 20;
    std::uint64_t cycles = cycles_of_turns(distance > 1 ? distance * turns_per_place : turns_if_next);
    // Each thread has a core, so the call comes back at once.
    if (distance > yields_beyond) cycles += machine().wake().call / simulator::per_cycle;
    const look answer = Waiting::retry(round, pauses_of_cycles(cycles));
    return Prefetching ? answer.fetching() : answer;
  }
};

/// The platform's.
struct look_of_ticket {
  template <class Waiting>
  static look retry(std::uint32_t round, std::uint32_t distance) {
    if (!is_x86()) return Waiting::retry(round);
    return is_opteron() ? back_off<true>::retry<Waiting>(round, distance)
                        : back_off<false>::retry<Waiting>(round, distance);
  }
};

/// Whose number is `head` has the lock; the last number that was drawn is `tail`. `Prefetching`: before each look, the first
/// one, too, and before the release.
template <class Look, bool Prefetching>
class ticket_with {
 public:
  explicit ticket_with(const shape&) {}
  void lock() {
    const std::uint32_t mine = tail_.fetch_add(1, memory_order::relaxed) + 1;
    if (Prefetching) fetch(this);
    simulated::await(head_, memory_order::acquire, [mine](std::uint32_t head, std::uint32_t round) {
      return head == mine ? look::done() : Look::template retry<spin>(round, mine - head);
    });
  }
  void unlock() {
    if (Prefetching) fetch(this);
    head_.store(head_.load(memory_order::relaxed) + 1, memory_order::release);
  }

 private:
  word head_{1}, tail_{0};
};
using ticket = ticket_with<look_of_ticket, true>;

class array {
 public:
  explicit array(const shape& team) : front_{simulated::make<front>()}, own_{team} {
    front_->size = static_cast<std::uint32_t>(team.threads());
    for (std::size_t i = 1; i < team.threads(); ++i) flags_.push_back(simulated::make<flag>());
  }
  void lock() {
    local& mine = *own_.mine().data;
    front& all = *front_;
    fetch(&all);
    fence_on_tilera();
    const std::uint32_t turn = all.tail.fetch_add(1, memory_order::relaxed);
    const std::uint32_t index = turn % all.size;
    mine.index = index;
    fence_on_tilera();
    await(word_of(index), [](std::uint32_t up) { return up != 0; });
  }
  void unlock() {
    local& mine = *own_.mine().data;
    front& all = *front_;
    fetch(&all);
    const std::uint32_t index = mine.index;
    word_of(index).store(0, memory_order::relaxed);
    fence_on_tilera();
    word_of((index + 1) % all.size).store(1, memory_order::release);
  }

 private:
  /// The first flag lies on the line of the tail.
  struct alignas(cpu::cache_line) front {
    word tail{0};
    plain<std::uint32_t> size{1};
    word up{1};
  };
  struct alignas(cpu::cache_line) flag {
    word up{0};
  };
  struct local {
    plain<std::uint32_t> index{0};
  };
  word& word_of(std::uint32_t index) { return index == 0 ? first_ : flags_[index - 1]->up; }

  plain<front*> front_;
  word& first_ = front_->up;  // where it lies is computed
  std::vector<flag*> flags_;
  of_each_thread<pointer_to<local>> own_;
};

class mcs {
 public:
  explicit mcs(const shape& team) : tail_{simulated::make<queue_end<node>>()}, own_{team} {}
  void lock() {
    node& mine = *own_.mine().data;
    mine.next.store(nullptr, memory_order::relaxed);
    fence_on_tilera();
    node* const before = tail_->last.exchange(&mine, memory_order::acq_rel);
    if (before == nullptr) return;
    mine.waiting.store(1, memory_order::relaxed);
    simulated::fence();
    before->next.store(&mine, memory_order::release);
    await(mine.waiting, [](std::uint32_t waiting) { return waiting == 0; });
  }
  void unlock() {
    node& mine = *own_.mine().data;
    fence_on_tilera();
    fetch(&mine);
    node* successor = mine.next.load(memory_order::acquire);
    if (successor == nullptr) {
      node* last = &mine;
      if (tail_->last.compare_exchange_strong(last, nullptr, memory_order::release, memory_order::relaxed)) return;
      successor = simulated::await(mine.next, memory_order::acquire, [](const node* next, std::uint32_t) {
        return next != nullptr ? look::done() : look::retry(1);
      });
    }
    successor->waiting.store(0, memory_order::release);
  }

 private:
  struct alignas(cpu::cache_line) node {
    word waiting{0};
    simulated::atomic<node*> next{nullptr};
  };
  plain<queue_end<node>*> tail_;
  of_each_thread<pointer_to<node>> own_;
};

class clh {
  struct alignas(cpu::cache_line) node {
    word locked{0};
  };

 public:
  explicit clh(const shape& team) : tail_{simulated::make<queue_end<node>>()}, own_{team} {
    tail_->last.store(simulated::make<node>(), memory_order::relaxed);
  }
  void lock() {
    local& mine = own_.mine();
    node* const own = mine.node;
    own->locked.store(1, memory_order::relaxed);
    fence_on_tilera();
    node* const before = tail_->last.exchange(own, memory_order::acq_rel);
    await(before->locked, [](std::uint32_t locked) { return locked == 0; });
    mine.before = before;
  }
  void unlock() {
    local& mine = own_.mine();
    fence_on_tilera();
    node* const own = mine.node;
    own->locked.store(0, memory_order::release);
    mine.node = static_cast<node*>(mine.before);
  }

 private:
  using local = node_and_predecessor<node>;
  plain<queue_end<node>*> tail_;
  of_each_thread<local> own_;
};

class hticket {
  static constexpr std::int32_t tickets = 128;
  using number = simulated::atomic<std::int32_t>;

 public:
  explicit hticket(const shape&) : all_{simulated::make<everybody>()} {}
  void lock() {
    socket& mine = sockets_.mine();
    const std::int32_t number_here = take_local(mine);
    if (number_here >= 0) {
      await_turn(mine.current, number_here, 512, is_opteron());
      return;
    }
    fetch(&mine);
    simulated::await(mine.current, memory_order::acquire, [](std::int32_t current, std::uint32_t) {
      return current == tickets ? look::done() : after(0, is_opteron());
    });
    mine.next.store(tickets, memory_order::release);
    const std::int32_t turn = all_->next.fetch_add(1, memory_order::acq_rel);
    await_turn(all_->current, turn, 256, false);
  }
  void unlock() {
    socket& mine = sockets_.mine();
    fetch(&mine);
    const std::int32_t current = mine.current.load(memory_order::relaxed);
    std::int32_t next = current;
    mine.next.compare_exchange_strong(next, 0, memory_order::acq_rel, memory_order::relaxed);
    if (current != 0 && next != current) {
      mine.current.store(current - 1, memory_order::release);
      return;
    }
    fetch(all_);
    mine.current.store(tickets, memory_order::release);
    all_->current.store(all_->current.load(memory_order::relaxed) + 1, memory_order::release);
  }

 private:
  struct alignas(cpu::cache_line) socket {
    number next{0}, current{tickets};
  };
  struct alignas(cpu::cache_line) everybody {
    number next{0}, current{0};
  };

  /// -1: there are none, and the caller is the one who gets new ones for its socket.
  static std::int32_t take_local(socket& mine) {
    for (;;) {
      const std::int32_t taken = mine.next.fetch_sub(1, memory_order::acq_rel) - 1;
      if (taken >= -1) return taken;
      constexpr std::uint64_t cycles_per_place = 120;
      simulated::pause(2 + pauses_of_cycles(static_cast<std::uint64_t>(-std::int64_t{taken}) * cycles_per_place));
    }
  }
  /// Rests for each place in line; the next one pauses, on the Opteron 64 turns in its socket.
  static void await_turn(const number& current, std::int32_t mine, std::uint32_t turns_per_place, bool fetching) {
    if (fetching) fetch(&current);
    simulated::await(current, memory_order::acquire, [=](std::int32_t now, std::uint32_t) {
      if (now == mine) return look::done();
      const auto distance = static_cast<std::uint32_t>(now < mine ? mine - now : now - mine);
      constexpr std::uint32_t turns_if_next = 64;
      const std::uint64_t turns = distance > 1 ? std::uint64_t{distance} * turns_per_place : turns_if_next;
      return after(distance == 1 && !fetching ? 1 : pauses_of_cycles(cycles_of_turns(turns)), fetching);
    });
  }

  plain<everybody*> all_;
  of_each_socket<socket> sockets_;
};

class hclh {
  /// libslock has all three in one word, of which it writes bytes.
  struct alignas(cpu::cache_line) node {
    word must_wait{0}, spliced{0}, socket{~std::uint32_t{0}};
  };
  using queue = queue_end<node>;

 public:
  explicit hclh(const shape& team) : all_{simulated::make<queue>()}, own_{team} {
    all_->last.store(simulated::make<node>(), memory_order::relaxed);
  }
  void lock() {
    local& mine = own_.mine();
    node* const own = mine.node;
    if (mine.is_new) prepare(*own);
    mine.is_new = false;
    queue& near = sockets_.mine();
    node* before = nullptr;
    for (bool appended = false; !appended;) {
      fetch(&near);
      before = near.last.load(memory_order::acquire);
      appended = near.last.compare_exchange_strong(before, own, memory_order::acq_rel, memory_order::relaxed);
    }
    if (before == nullptr || !is_granted(*before)) {
      simulated::pause(2);
      before = append_all_to_the_others(near);
      await(before->must_wait, [](std::uint32_t must) { return must == 0; });
    }
    mine.before = before;
  }
  void unlock() {
    local& mine = own_.mine();
    mine.node->must_wait.store(0, memory_order::release);
    node* const next = mine.before;
    fetch(next);
    prepare(*next);
    mine.node = next;
  }

 private:
  struct local : node_and_predecessor<node> {
    bool is_new = true;
  };

  /// A node for the calling thread's next turn: one compare-and-swap of the whole word there.
  static void prepare(node& n) {
    std::uint32_t old = n.must_wait.load(memory_order::relaxed);
    n.must_wait.compare_exchange_strong(old, 1, memory_order::acq_rel, memory_order::relaxed);
    n.spliced.store(0, memory_order::relaxed);
    n.socket.store(simulated::domain(), memory_order::relaxed);
  }
  /// By a thread of the same socket; false: the caller is the head of its socket's queue.
  static bool is_granted(const node& before) {
    const unsigned here = simulated::domain();
    const auto decided = [here](std::uint32_t must, std::uint32_t spliced, std::uint32_t socket, std::uint32_t) {
      return must == 0 || spliced != 0 || socket != here ? look::done() : look::retry(1);
    };
    const auto [must, spliced, socket] =
        simulated::await_any(memory_order::acquire, decided, before.must_wait, before.spliced, before.socket);
    return socket == here && spliced == 0 && must == 0;
  }
  node* append_all_to_the_others(queue& near) {
    for (;;) {
      fetch(all_);
      fetch(&near);
      node* before = all_->last.load(memory_order::acquire);
      node* const last = near.last.load(memory_order::acquire);
      simulated::pause(1);
      if (!all_->last.compare_exchange_strong(before, last, memory_order::acq_rel, memory_order::relaxed)) continue;
      last->spliced.store(1, memory_order::release);
      return before;
    }
  }

  plain<queue*> all_;
  of_each_socket<queue> sockets_;
  of_each_thread<local> own_;
};

}  // namespace synchro::simulations::libslock

#endif
