// Big reader: a phase-fair reader-writer lock whose readers keep to their own cache domain.
//
// Problem. Readers of a plain reader-writer lock do not wait for each other, but for its line: every lock_shared and
// unlock_shared writes it, and on a machine of many domains that transfer is most of what a short section costs. Here
// readers count themselves on a line of their domain, and the writer, who is rare, visits all of them.
//
// Picture. phase_fair's two counts, cut into one pair for each domain. Only the sums mean something.
//
//      domain 0:  in  [ came 41 | sign ]  out [ left 40 | noted ]        late     [ readers counted out once more ]
//      domain 1:  in  [ came 17 | sign ]  out [ left 18 | noted ]        writers  [ next | serving ]
//                       sum 58              sum 58: nobody reads
//
//   lock_shared     as in phase_fair, on the `in` of my domain.
//   unlock_shared   count myself out on the `out` of the domain in which I am now; if that is noted, a writer waits for
//                   me: then count myself late, too.
//   lock            take the turn among writers; put my sign into every `in`. Now no reader comes in any more and the
//                   sum of those who came is fixed. If as many have left, the lock is mine. Otherwise note every
//                   `out`: the difference of the sums at that is the number of readers still to be counted late. Wait
//                   until so many have been, and remove the notes.
//   unlock          take the sign from every `in`, serve the next writer.
//   try_lock        the same by the third sign, and if a reader turns out to be inside, take the signs away again.
//
// What a reader remembers: nothing. It may leave by another domain than it came by, after migrating, on another
// thread, with any number of these locks held, because only the sums are compared. The alternatives were a phase_fair
// lock for each domain, whose reader must keep the domain somewhere (std::shared_lock has no place for it, so a list
// per thread with a search at each release, which a release on another thread defeats), and one count per thread slot,
// which makes the writer visit every thread, and puts a store-then-load fence into every reader's arrival. Here the
// writer's sign and the reader's arrival are in one word, so no fence is needed.
// Each `in` and `out` is monotonic but for its bits; a sum that is read piece by piece is at most the true one, and
// equal to the fixed sum of those who came only when all have left.
//
// As with phase_fair, a reader who destroys the lock must know that the last writer's unlock has returned. A writer need
// not know that of the readers: it waits for those who count themselves twice.
//
// Choose it where reading is frequent on many cores of several domains and writing rare. Do not choose it where writing
// is not rare (a writer pays two visits to each domain's line, four if readers are inside), on one domain (phase_fair
// is the same), nor with more threads than processors. A thread must not take the shared side twice; see phase_fair.
//
// Waiting is bounded as in phase_fair: for a reader by one writer, for a writer by the writers before it and the
// readers of one phase for each. try_lock declines if there is a writer or a reader; to find that out it stops readers
// for a moment if at first look there was none. There are no timed forms.
//
// Memory orders.
//   access                                  order     pairs with
//   lock_shared, try_lock_shared: in        acquire   unlock's clearing of that domain's sign; see phase_fair
//   unlock_shared: fetch_add of out         release   the writer's load or noting of out, also through later additions:
//                                                     the reader's section
//   unlock_shared: fetch_add of late        release   the writer's wait on late, also through later additions: the same
//   lock: turn among writers                acquire   unlock's store of serving: the last writer's section
//   lock, try_lock: fetch_add of in         relaxed   nothing: the readers it counts are ordered by out and late; for
//                                                     readers after it, it continues the release of the last clearing
//   lock, try_lock: load of out             acquire   unlock_shared's fetch_add of out
//   lock: fetch_or of out (noting)          acquire   the same; who leaves later sees the note, and releases by late
//   lock: wait on late                      acquire   unlock_shared's fetch_add of late
//   lock: fetch_and of out (removing)       relaxed   nothing: no reader is inside, and one can come in only after the
//                                                     clearing of its sign, which is later and releases
//   try_lock: loads at first look           relaxed   nothing: a hint
//   unlock, try_lock: fetch_and of in       release   lock_shared
//
// Source: the phases from Brandenburg, Anderson: Spin-Based Reader-Writer Synchronization for Multiprocessor Real-Time
// Systems, Real-Time Systems 46(1), 2010 (PF-T); distributed readers from Hsieh, Weihl: Scalable Reader-Writer Locks
// for Parallel Systems, IPPS 1992. The late count is this implementation's.

#ifndef SYNCHRO_LOCKS_BIG_READER_HPP
#define SYNCHRO_LOCKS_BIG_READER_HPP

#include <cstdint>

#include "synchro/detail/first_ticket.hpp"
#include "synchro/detail/per_domain.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/phase_fair.hpp"
#include "synchro/offered.hpp"
#include "synchro/traits.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine = hardware, class Waiting = spin>
class basic_big_reader_lock {
 public:
  static constexpr lock_traits traits{
      .judgement = "frequent reading on several cache domains, rare writing; not on one domain",
      .fair = fairness::first_come,
      .bypass = 0,
      .domain_aware = true,
      .citation =
          "Brandenburg, Anderson: Spin-Based Reader-Writer Synchronization for Multiprocessor Real-Time Systems, "
          "Real-Time Systems 46(1), 2010; Hsieh, Weihl: Scalable Reader-Writer Locks for Parallel Systems, IPPS 1992"};

  static_assert(!Waiting::parks, "this lock cannot sleep: its waiters share words");

  basic_big_reader_lock() : basic_big_reader_lock(Machine::here()) {}

  /// One pair of counts for each domain of `team`. The readers' counts start at `first`, too, as far as their 30 bits
  /// go.
  explicit basic_big_reader_lock(const shape& team, first_ticket first = {})
      : domains_{team, first}, late_{first.number}, known_late_{first.number}, writers_{first} {}

  basic_big_reader_lock(const basic_big_reader_lock&) = delete;
  basic_big_reader_lock& operator=(const basic_big_reader_lock&) = delete;

  void lock() noexcept {
    const std::uint32_t came = stop_readers(writers_.enter());
    if (sum_of_left() != came) await_readers(came);
  }

  [[nodiscard]] bool try_lock() noexcept {
    if (!writers_.try_enter()) return false;
    if (looks_unread()) {
      const std::uint32_t came = stop_readers(bits::sign_of_trial);
      if (sum_of_left() == came) return true;
      let_readers_in();
    }
    writers_.leave();
    return false;
  }

  void unlock() noexcept {
    let_readers_in();
    writers_.leave();
  }

  void lock_shared() noexcept { bits::template enter<Machine, Waiting>(domains_.mine().in); }

  [[nodiscard]] bool try_lock_shared() noexcept { return bits::template try_enter<Machine>(domains_.mine().in); }

  void unlock_shared() noexcept {
    const std::uint32_t out = domains_.mine().out.fetch_add(bits::reader, memory_order::release);
    if ((out & noted) != 0) late_.fetch_add(1, memory_order::release);
  }

 private:
  using bits = detail::phase_word;
  static constexpr std::uint32_t noted = 1;  // in `out`, below the count

  struct alignas(cpu::cache_line) readers {
    explicit readers(first_ticket first) : in{first.number * bits::reader}, out{first.number * bits::reader} {}
    typename Machine::template atomic<std::uint32_t> in;
    typename Machine::template atomic<std::uint32_t> out;
  };

  /// Lets no more readers in; returns how many came, in units of bits::reader.
  std::uint32_t stop_readers(std::uint32_t sign) {
    std::uint32_t came = 0;
    for (unsigned d = 0; d < domains_.size(); ++d) came += domains_[d].in.fetch_add(sign, memory_order::relaxed);
    return came;
  }

  void let_readers_in() {
    for (unsigned d = 0; d < domains_.size(); ++d) domains_[d].in.fetch_and(~bits::sign, memory_order::release);
  }

  [[nodiscard]] std::uint32_t sum_of_left() const {
    std::uint32_t left = 0;
    for (unsigned d = 0; d < domains_.size(); ++d) left += domains_[d].out.load(memory_order::acquire);
    return left;
  }

  /// Whether at a glance no reader is inside.
  [[nodiscard]] bool looks_unread() const {
    std::uint32_t inside = 0;
    for (unsigned d = 0; d < domains_.size(); ++d) {
      const readers& there = domains_[d];
      inside -= there.out.load(memory_order::relaxed);
      inside += there.in.load(memory_order::relaxed);
    }
    return inside == 0;
  }

  /// Waits until as many readers have left as came.
  void await_readers(std::uint32_t came) {
    std::uint32_t left = 0;
    for (unsigned d = 0; d < domains_.size(); ++d) left += domains_[d].out.fetch_or(noted, memory_order::acquire);
    const std::uint32_t all = known_late_ + (came - left) / bits::reader;
    Machine::await(late_, memory_order::acquire, [=](std::uint32_t late, std::uint32_t round) {
      return late == all ? look::content() : Waiting::again(round, bits::pauses);
    });
    known_late_ = all;
    for (unsigned d = 0; d < domains_.size(); ++d) domains_[d].out.fetch_and(~noted, memory_order::relaxed);
  }

  // Two lines: what everybody reads and nobody writes, what writers and late readers write.
  const per_domain<Machine, readers> domains_;
  alignas(cpu::cache_line) typename Machine::template atomic<std::uint32_t> late_;
  typename Machine::template plain<std::uint32_t> known_late_;  // of the writer who has the turn
  detail::writer_queue<Machine, Waiting> writers_;
};

using big_reader_lock = offered<basic_big_reader_lock<>>;
using big_reader_yield_lock = offered<basic_big_reader_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
