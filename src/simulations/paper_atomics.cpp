#include "simulations/paper_atomics.hpp"

#include "simulations/libslock.hpp"
#include "simulations/paper_locks.hpp"
#include "simulator/laboratory.hpp"

namespace synchro::simulations {

namespace atomics = experiments::atomics;
using atomics::stroke;
using simulator::access;
using simulator::simulated;

namespace {

/// The benchmark's lines besides the one that is contended.
struct alignas(cpu::cache_line) end_of_all {
  simulated::plain<std::uint32_t> stop{0};
};
struct alignas(cpu::cache_line) count_of_thread {
  simulated::plain<std::uint64_t> calls{0};
};

bool loop_counts() { return libslock::machine().writes_at_home(); }
void look_at_stop() {
  if (loop_counts()) static_cast<void>(static_cast<std::uint32_t>(simulated::global<end_of_all>().stop));
}
void look_at_count() {
  if (loop_counts()) static_cast<void>(static_cast<std::uint64_t>(simulated::local<count_of_thread>().calls));
}
void count() {
  if (!loop_counts()) return;
  auto& calls = simulated::local<count_of_thread>().calls;
  calls = calls + 1;
}

/// One turn of the loop.
template <class Operation>
class in_loop : public Operation {
 public:
  using Operation::Operation;
  stroke operator()() {
    look_at_stop();
    const stroke s = Operation::operator()();
    count();
    return s;
  }
};

template <class Machine>
using word_of = typename Machine::template atomic<std::uint64_t>;

/// In steps of one.
template <class Machine>
class increment {
 public:
  increment(atomics::target<Machine>& t, std::uint64_t) : word_{t.word} {}
  std::uint64_t balance = 0;

 protected:
  stroke done(std::uint64_t found) {
    const bool others = found != next_if_alone_;
    next_if_alone_ = found + 1;
    ++balance;
    return {true, others};
  }
  bool try_from(std::uint64_t& seen) {
    return word_.compare_exchange_strong(seen, seen + 1, memory_order::acq_rel, memory_order::relaxed);
  }

  word_of<Machine>& word_;

 private:
  std::uint64_t next_if_alone_ = 0;
};

template <class Machine>
class fai_alone : public increment<Machine> {
 public:
  using increment<Machine>::increment;
  stroke operator()() {
    if (!libslock::is_sparc()) return this->done(this->word_.fetch_add(1, memory_order::acq_rel));
    std::uint64_t seen = this->word_.load(memory_order::relaxed);
    while (!this->try_from(seen)) {
    }
    return this->done(seen);
  }
};

template <class Machine>
class cas_fai_alone : public increment<Machine> {
 public:
  using increment<Machine>::increment;
  stroke operator()() {
    for (;;) {
      std::uint64_t seen = this->word_.load(memory_order::relaxed);
      if (libslock::is_sparc()) static_cast<void>(this->word_.load(memory_order::relaxed));
      if (this->try_from(seen)) return this->done(seen);
    }
  }
};

template <class Machine>
class swap_alone {
 public:
  swap_alone(atomics::target<Machine>& t, std::uint64_t id) : word_{t.word}, mine_{id} {}
  std::uint64_t balance = 0;

  stroke operator()() {
    look_at_count();
    const std::uint64_t put = mine_.next(), old = exchanged(put);
    balance += put - old;
    return {true, mine_.by_another(old)};
  }

 private:
  std::uint64_t exchanged(std::uint64_t put) {
    if (!libslock::is_sparc()) return word_.exchange(put, memory_order::acq_rel);
    for (;;) {
      std::uint64_t seen = word_.load(memory_order::relaxed);
      if (word_.compare_exchange_strong(seen, put, memory_order::acq_rel, memory_order::relaxed)) return seen;
    }
  }

  word_of<Machine>& word_;
  atomics::signatures mine_;
};

/// What is compared is the lowest bit; above it stands who has stored it.
template <class Machine>
class cas_alone {
 public:
  cas_alone(atomics::target<Machine>& t, std::uint64_t id) : word_{t.word}, mine_{id} {}
  std::uint64_t balance = 0;

  stroke operator()() {
    look_at_count();
    const std::uint64_t from = calls_++ & 1, put = mine_.next() << 1 | (from ^ 1);
    if (libslock::is_sparc()) static_cast<void>(word_.load(memory_order::relaxed));
    std::uint64_t old = 0;
    const bool swapped = word_.access_as(access::cas, [&](std::uint64_t& value) {
      old = value;
      if ((old & 1) != from) return false;
      value = put;
      return true;
    });
    if (!swapped) return {false, false};
    balance += put - old;
    return {true, mine_.by_another(old >> 1)};
  }

 private:
  word_of<Machine>& word_;
  atomics::signatures mine_;
  std::uint64_t calls_ = 0;
};

template <class Machine>
using fai = in_loop<fai_alone<Machine>>;
template <class Machine>
using cas_fai = in_loop<cas_fai_alone<Machine>>;
template <class Machine>
using swap = in_loop<swap_alone<Machine>>;
template <class Machine>
using cas = in_loop<cas_alone<Machine>>;
template <class Machine>
using tas = in_loop<atomics::tas<Machine>>;

}  // namespace

const std::vector<paper_atomic>& paper_atomics() {
  using simulator::laboratory;
  static const std::vector<paper_atomic> all{{paper_library + "fai", &atomics::contend<laboratory, fai>},
                                             {paper_library + "swap", &atomics::contend<laboratory, swap>},
                                             {paper_library + "cas", &atomics::contend<laboratory, cas>},
                                             {paper_library + "tas", &atomics::contend<laboratory, tas>},
                                             {paper_library + "cas_fai", &atomics::contend<laboratory, cas_fai>}};
  return all;
}

std::uint64_t pause_of_paper_atomics(const simulator::model& m, unsigned threads) {
  const unsigned asked = threads <= 1 ? 0 : threads <= 2 ? 10 : threads <= 6 ? 30 : threads <= 12 ? 80 : 150;
  return libslock::cycles_of_cpause(m, asked);
}

}  // namespace synchro::simulations
