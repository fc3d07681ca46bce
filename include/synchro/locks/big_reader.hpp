// Big reader: a phase-fair reader-writer lock whose readers keep to a line of their own.
//
// Problem. Readers of a plain reader-writer lock do not wait for each other, but for its line: every lock_shared and
// unlock_shared writes it, and that transfer is most of what a short section costs. Here each reader counts itself on a line
// of its own, and the writer, who is rare, visits all of them.
//
// Picture. phase_fair's two counts, cut into one pair for each thread. Only the sums mean something.
//
//      count 0:  in  [ came 41 | sign ]  out [ left 40 | noted ]        late     [ readers counted out once more ]
//      count 1:  in  [ came 17 | sign ]  out [ left 18 | noted ]        writers  [ next | serving ]
//                       sum 58              sum 58: nobody reads        used     [ 2 ] of 4
//
//   lock_shared     as in phase_fair, on the `in` of my count. If another reader is inside by it, readers are to be spread
//                   over more counts: take the turn among writers if nobody has it, double `used`, and leave.
//   unlock_shared   count myself out on the `out` of the count that is mine now; if that is noted, a writer waits for
//                   me: then count myself late, too.
//   lock            take the turn among writers; put my sign into every `in` that is used. Now no reader comes in any more and
//                   the sum of those who came is fixed. If as many have left, the lock is mine. Otherwise note every
//                   `out`: the difference of the sums at that is the number of readers still to be counted late. Wait
//                   until so many have been, and remove the notes.
//   unlock          take the sign from every `in`, serve the next writer.
//   try_lock        the same by the third sign, and if a reader turns out to be inside, take the signs away again.
//
// All begin with one count, so that a lock whose readers never meet costs what phase_fair costs, its writers too. There are
// at most as many counts as processors; threads beyond that share them.
//
// What a reader remembers: nothing. It may leave by another count than it came by, after the readers were spread, on another
// thread, with any number of these locks held, because only the sums are compared. The alternatives were a phase_fair
// lock for each thread, whose reader must keep somewhere which it was (std::shared_lock has no place for it, so a list
// per thread with a search at each release, which a release on another thread defeats), and a flag of each thread apart from
// the writer's, which puts a store-then-load fence into every reader's arrival. Here the writer's sign and the reader's arrival
// are in one word, so no fence is needed.
// Each `in` and `out` is monotonic but for its bits; a sum that is read piece by piece is at most the true one, and
// equal to the fixed sum of those who came only when all have left.
//
// As with phase_fair, a reader who destroys the lock must know that the last writer's unlock has returned. A writer need
// not know that of the readers: it waits for those who count themselves twice.
//
// Choose it where reading is frequent on several cores and writing rare. Do not choose it where writing is not rare (a
// writer pays two visits to each line that is used, four if readers are inside), nor with more threads than processors.
// The rule of `phase_fair` holds: a thread must not take the shared side twice.
//
// Waiting is bounded as in `phase_fair`: for a reader by one writer, for a writer by the writers before it and the
// readers of one phase for each. try_lock declines if there is a writer or a reader; to find that out it stops readers
// for a moment if at first look there was none. There are no timed forms, and no park variant: many threads wait on one word.
// Counters may wrap around.
//
// Memory orders.
//   access                                  order     pairs with
//   lock_shared, try_lock_shared: used      acquire   the store of used: a reader may be the first by its count, and writers
//                                                     before have left nothing there
//   lock_shared, try_lock_shared: in        acquire   unlock's clearing of that count's sign; see phase_fair
//   lock_shared: load of out                relaxed   nothing: a hint
//   spreading: turn among writers           acquire   unlock's store of serving: the last writer's section, for `used`
//   spreading: store of used                release   lock_shared, try_lock_shared
//   unlock_shared: load of used             relaxed   nothing: a writer that waits for this reader has the turn, so it knows
//                                                     of every count that a reader may know of
//   writers: load of used                   relaxed   nothing: the turn orders it
//   unlock_shared: fetch_add of out         release   the writer's load or noting of out, also through later additions:
//                                                     the reader's section
//   unlock_shared: fetch_add of late        release   the writer's wait on late, also through later additions: the same
//   lock: turn among writers                acquire   unlock's store of serving: the last writer's section
//   lock, try_lock: fetch_add of in         relaxed   nothing: the readers it counts are ordered by out and late; for
//                                                     readers after it, it continues the release of the last clearing
//   lock, try_lock: load of out             acquire   unlock_shared's fetch_add of out
//   lock: fetch_or of out (noting)          acquire   the same; a reader that leaves later sees the note, and releases by late
//   lock: wait on late                      acquire   unlock_shared's fetch_add of late
//   lock: fetch_and of out (removing)       relaxed   nothing: no reader is inside, and one can come in only after the
//                                                     clearing of its sign, which is later and releases
//   try_lock: loads at first look           relaxed   nothing: a hint
//   unlock, try_lock: fetch_and of in       release   lock_shared
//
// Source: `traits.citation`. The phases are those of the first (PF-T), the distributed readers those of the second; the
// late count is this implementation's.

#ifndef SYNCHRO_LOCKS_BIG_READER_HPP
#define SYNCHRO_LOCKS_BIG_READER_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "synchro/detail/first_ticket.hpp"
#include "synchro/detail/per_slot.hpp"
#include "synchro/domains.hpp"  // Machine::here() of hardware
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
  using bits = detail::phase_word;
  static constexpr std::uint32_t noted = 1;  // in `out`, below the count

  struct alignas(cpu::cache_line) readers {
    explicit readers(first_ticket first) : in{first.number * bits::reader}, out{first.number * bits::reader} {}
    typename Machine::template atomic<std::uint32_t> in;
    typename Machine::template atomic<std::uint32_t> out;
  };

 public:
  static constexpr lock_traits traits{
      .judgement = "frequent reading on several processors, rare writing; not where writing is not rare",
      .fair = fairness::first_come,
      .bypass = 0,
      .citation =
          "Brandenburg, Anderson: Spin-Based Reader-Writer Synchronization for Multiprocessor Real-Time Systems, "
          "Real-Time Systems 46(1), 2010; Hsieh, Weihl: Scalable Reader-Writer Locks for Parallel Systems, IPPS 1992"};

  static_assert(!Waiting::parks, "this lock cannot sleep: its waiters share words");

  static constexpr std::size_t bytes_per_thread = per_slot<Machine, readers>::bytes_of_each;

  basic_big_reader_lock() : basic_big_reader_lock(Machine::here()) {}

  /// At most one pair of counts for each thread of `team`. The readers' counts start at `first`, too, as far as their 30 bits
  /// go.
  explicit basic_big_reader_lock(const shape& team, first_ticket first = {})
      : counts_{team.threads(), first}, late_{first.number}, known_late_{first.number}, writers_{first} {}

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

  void lock_shared() noexcept {
    const std::uint32_t used = counts_.used(memory_order::acquire);
    readers& mine = counts_.mine(used);
    const std::uint32_t came = bits::template enter<Machine, Waiting>(mine.in) & ~bits::sign;
    if (used < counts_.most() && came != (mine.out.load(memory_order::relaxed) & ~noted)) [[unlikely]]
      spread_out(used);  // another reader is inside, or has left by another count
  }

  [[nodiscard]] bool try_lock_shared() noexcept {
    return bits::template try_enter<Machine>(counts_.mine(counts_.used(memory_order::acquire)).in);
  }

  void unlock_shared() noexcept {
    readers& mine = counts_.mine(counts_.used(memory_order::relaxed));
    const std::uint32_t out = mine.out.fetch_add(bits::reader, memory_order::release);
    if ((out & noted) != 0) late_.fetch_add(1, memory_order::release);
  }

 private:
  /// Spreads readers over twice as many counts, unless a writer is there.
  [[gnu::noinline]] void spread_out(std::uint32_t used) {
    if (!writers_.try_enter()) return;
    if (used_now() == used) counts_.use(std::min(2 * used, counts_.most()), memory_order::release);
    writers_.leave();
  }

  /// For the writer whose turn it is: nobody else changes it.
  [[nodiscard]] std::uint32_t used_now() const { return counts_.used(memory_order::relaxed); }

  /// Lets no more readers in; returns how many came, in units of bits::reader.
  std::uint32_t stop_readers(std::uint32_t sign) {
    std::uint32_t came = 0;
    for (std::uint32_t i = 0, n = used_now(); i != n; ++i) came += counts_[i].in.fetch_add(sign, memory_order::relaxed);
    return came;
  }

  void let_readers_in() {
    for (std::uint32_t i = 0, n = used_now(); i != n; ++i) counts_[i].in.fetch_and(~bits::sign, memory_order::release);
  }

  [[nodiscard]] std::uint32_t sum_of_left() const {
    std::uint32_t left = 0;
    for (std::uint32_t i = 0, n = used_now(); i != n; ++i) left += counts_[i].out.load(memory_order::acquire);
    return left;
  }

  /// Whether at a glance no reader is inside.
  [[nodiscard]] bool looks_unread() const {
    std::uint32_t inside = 0;
    for (std::uint32_t i = 0, n = used_now(); i != n; ++i) {
      const readers& there = counts_[i];
      inside -= there.out.load(memory_order::relaxed);
      inside += there.in.load(memory_order::relaxed);
    }
    return inside == 0;
  }

  /// Waits until as many readers have left as came.
  void await_readers(std::uint32_t came) {
    std::uint32_t left = 0;
    for (std::uint32_t i = 0, n = used_now(); i != n; ++i)
      left += counts_[i].out.fetch_or(noted, memory_order::acquire);
    const std::uint32_t all = known_late_ + (came - left) / bits::reader;
    Machine::await(late_, memory_order::acquire, [=](std::uint32_t late, std::uint32_t round) {
      return late == all ? look::done() : Waiting::retry(round, bits::pauses);
    });
    known_late_ = all;
    for (std::uint32_t i = 0, n = used_now(); i != n; ++i) counts_[i].out.fetch_and(~noted, memory_order::relaxed);
  }

  // Two lines: what everybody reads and nobody writes, what writers and late readers write.
  per_slot<Machine, readers> counts_;
  alignas(cpu::cache_line) typename Machine::template atomic<std::uint32_t> late_;
  typename Machine::template plain<std::uint32_t> known_late_;  // of the writer who has the turn
  detail::writer_queue<Machine, Waiting> writers_;
};

using big_reader_lock = offered<basic_big_reader_lock<>>;
using big_reader_yield_lock = offered<basic_big_reader_lock<hardware, spin_yield>>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
