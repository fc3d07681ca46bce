#include "preload/recorded_thread.hpp"

#include <algorithm>
#include <iterator>

#include "preload/start.hpp"
#include "synchro/domains.hpp"

namespace synchro::preload {

thread_local constinit per_thread mine;

namespace {

constinit std::uint32_t every = 1;
constinit std::atomic<std::uint32_t> threads{0};
constinit std::atomic<std::uint8_t> domain_of_thread[65536];

/// A number from 1 to `most`, nearly equally often.
std::uint32_t any_to(per_thread& t, std::uint32_t most) noexcept {
  t.random ^= t.random << 13;
  t.random ^= t.random >> 17;
  t.random ^= t.random << 5;
  return 1 + static_cast<std::uint32_t>(std::uint64_t{t.random} * most >> 32);
}

std::uint32_t step(per_thread& t, std::uint32_t mean) noexcept { return mean == 1 ? 1 : any_to(t, 2 * mean - 1); }

/// A thread waits for processors only while it is off them, so that is asked for again when that time has grown: ever less
/// often.
void note_queue(per_thread& t, std::uint64_t lived, std::uint64_t worked) noexcept {
  constexpr std::uint64_t part = 256;
  const std::uint64_t off = lived - std::min(worked, lived);
  if (off - std::min(t.off, off) < lived / part) return;
  t.off = off;
  t.record->queued.store(recording::queued(), std::memory_order_relaxed);
}

/// How long the thread has worked is known by a system call: not with every sample.
void note_work(per_thread& t, std::uint64_t now) noexcept {
  constexpr std::uint64_t between = 1'000'000;  // ns
  if (t.record == nullptr || now - t.record->seen.load(std::memory_order_relaxed) < between) return;
  const std::uint64_t worked = recording::worked();
  note_queue(t, now - t.record->begun, worked - t.record->worked_before);
  t.record->worked.store(worked, std::memory_order_relaxed);
  t.record->samples.store(t.samples, std::memory_order_relaxed);
  t.record->condition_ns.store(t.condition_ns, std::memory_order_relaxed);
  t.record->seen.store(now, std::memory_order_relaxed);
}

/// Whoever comes to a row of such steps at any time waits so long: with it the chance of the first acquisitions of a
/// thread is 1 in k, too. The less of two different numbers up to 2 k.
std::uint32_t first_step(per_thread& t, std::uint32_t mean) noexcept {
  if (mean == 1) return 1;
  const std::uint32_t a = any_to(t, 2 * mean), b = any_to(t, 2 * mean - 1);
  return std::min(a, b >= a ? b + 1 : b);
}

/// How many points of its time, one in `every` ns on average, fall into a wait.
std::uint64_t points_in(per_thread& t, std::uint64_t ns, std::uint32_t mean) noexcept {
  std::uint64_t points = 0;
  for (; ns >= t.path_left; t.path_left = step(t, mean)) ns -= t.path_left, ++points;
  t.path_left -= static_cast<std::uint32_t>(ns);
  return points;
}

}  // namespace

unsigned sample_every(unsigned k) noexcept { return every = std::clamp(k, 1U, 1U << 20); }

std::uint32_t next_step(per_thread& t) noexcept { return step(t, every); }

void join(per_thread& t) noexcept {
  const std::uint32_t n = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  t.number = static_cast<std::uint16_t>(std::min<std::uint32_t>(n, 0xFFFF));
  t.random = (n * 0x9E37'79B9U) ^ static_cast<std::uint32_t>(recording::now()) ^ (this_thread() << 16);
  if (t.random == 0) t.random = 1;
  t.left = first_step(t, every);
  t.path_left = first_step(t, recording::layout::paths_every);
  t.released = t.samples = t.condition_ns = t.off = 0;
  t.record = recording::enter_thread(n);
  if (t.record != nullptr) {
    t.record->queued_before = recording::queued();
    const std::uint64_t begun = recording::now();
    t.record->thread = this_thread(), t.record->begun = begun, t.record->unused = 0;
    t.record->queued.store(t.record->queued_before, std::memory_order_relaxed);
    t.record->worked_before = recording::worked();
    t.record->seen.store(begun, std::memory_order_relaxed);
  }
  recording::head().threads.fetch_add(1, std::memory_order_relaxed);
}

void forget_other_threads() noexcept {
  threads.store(0, std::memory_order_relaxed);
  for (unsigned i = 0; i < mine.count; ++i) mine.held[i].since = 0;
  std::fill(std::begin(mine.orders), std::end(mine.orders), 0);
  mine.random = 0, mine.left = 1, mine.busy = false, mine.released = 0;
}

void note(per_thread& t, number lock, std::uint16_t last, const sample& s) noexcept {
  if (!recording::is_lock(lock)) return add<std::uint64_t>(recording::head().lost_samples, 1);
  recording::layout::lock& l = recording::at(lock);
  const auto domain = static_cast<std::uint8_t>(os::domain_of(os::current_cpu()));
  domain_of_thread[t.number].store(domain, std::memory_order_relaxed);
  ++t.samples;
  note_work(t, s.contended ? s.got : recording::now());
  add<std::uint64_t>(l.samples, 1);
  if (s.contended) {
    add<std::uint64_t>(l.contended, 1);
    note_wait(lock, s.got - s.asked);
  }
  if (last != 0 && last != t.number) {
    add<std::uint64_t>(l.hand_offs, 1);
    if (domain_of_thread[last].load(std::memory_order_relaxed) != domain) add<std::uint64_t>(l.across, 1);
  }
  note_thread(t, lock);
}

void note_thread(const per_thread& t, number lock) noexcept {
  recording::layout::lock& l = recording::at(lock);
  const unsigned bit = std::min<unsigned>(t.number - 1U, l.most_threads - 1);
  std::atomic<std::uint64_t>& word = l.threads[bit / 64];
  const std::uint64_t its = std::uint64_t{1} << bit % 64;
  if ((word.load(std::memory_order_relaxed) & its) == 0) word.fetch_or(its, std::memory_order_relaxed);
}

void note_wait(number lock, std::uint64_t ns) noexcept {
  recording::layout::lock& l = recording::at(lock);
  add<std::uint64_t>(ns < recording::layout::long_wait ? l.wait_ns : l.long_ns, ns);
  add<std::uint32_t>(l.wait.counts[l.wait.bucket_of(ns)], 1);
}

void note_path(per_thread& t, number lock, std::uint64_t ns) noexcept {
  constexpr auto every_ns = static_cast<std::uint32_t>(recording::layout::paths_every);
  if (!recording::records_paths() || !recording::is_lock(lock)) return;
  const std::uint64_t stands_for = ns >= every_ns ? ns : points_in(t, ns, every_ns) * every_ns;
  if (stands_for == 0) return;
  // Of a part of a wait one more counts with its chance, so that on average as many are here as there were.
  const std::uint64_t length = std::max<std::uint64_t>(1, ns), part = stands_for % length;
  const bool one_more = part != 0 && any_to(t, static_cast<std::uint32_t>(length)) <= part;
  t.busy = true;
  recording::note_path(lock, stands_for / length + (one_more ? 1 : 0), stands_for);
  t.busy = false;
}

void note_caller(per_thread& t, number lock) noexcept {
  if (!recording::is_lock(lock)) return;
  t.busy = true;
  recording::at(lock).taken_at.store(recording::enter_callers(), std::memory_order_relaxed);
  t.busy = false;
}

void note_hold(held_lock& h, std::uint64_t until) noexcept {
  if (h.since == 0) return;
  recording::layout::lock& l = recording::at(h.lock);
  add<std::uint64_t>(l.holds, 1);
  add<std::uint64_t>(l.hold_ns, until - h.since);
  add<std::uint32_t>(l.hold.counts[l.hold.bucket_of(until - h.since)], 1);
  recording::note_span(h.lock, this_thread(), h.asked, h.since - h.asked, until - h.since);
  h.since = 0;
}

namespace {

/// Adds one to what `which` names of two locks, which may be none.
void count(number first, number second, std::atomic<std::uint32_t> recording::layout::pair::*which) noexcept {
  if (!recording::is_lock(first) || !recording::is_lock(second)) return;
  if (auto* const pair = recording::pair_of(first, second); pair != nullptr)
    add<std::uint32_t>(pair->*which, 1);
  else
    add<std::uint64_t>(recording::head().lost_orders, 1);
}

}  // namespace

void begin_gap(per_thread& t, number lock) noexcept {
  t.later = t.left, t.left = 1;
  t.after = lock;
  t.released = recording::now();
}

void end_gap(per_thread& t, number next) noexcept {
  const std::uint64_t ns = recording::now() - t.released;
  t.left = t.later, t.released = 0;
  recording::layout::lock& l = recording::at(t.after);
  add<std::uint64_t>(l.gaps, 1);
  add<std::uint64_t>(l.gap_ns, ns);
  add<std::uint32_t>(l.gap.counts[l.gap.bucket_of(ns)], 1);
  count(t.after, next, &recording::layout::pair::follows);
}

void note_inside(number held, number lock, bool tried) noexcept {
  count(held, lock, tried ? &recording::layout::pair::tried : &recording::layout::pair::inside);
}

held_lock* find(per_thread& t, const void* object) noexcept {
  for (unsigned i = t.count; i-- != 0;)
    if (t.held[i].object == object) return &t.held[i];
  return nullptr;
}

}  // namespace synchro::preload
