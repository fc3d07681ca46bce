// What a thread can do next, and what happens when it does.

#include <algorithm>
#include <bit>

#include "explorer/hashing.hpp"
#include "explorer/world.hpp"

namespace synchro::explorer {

namespace {

/// Beyond every patience: what a callback answers then, it answers to who has looked for long enough.
constexpr std::uint32_t many = 1'000'000'000;

/// When a callback that wants to know the round is asked: at first every time, for it may answer once what it never
/// answers again, then now and then.
constexpr auto rounds = [] {
  std::array<std::uint32_t, 144> some{};
  for (std::uint32_t i = 0; i < 128; ++i) some[i] = i;
  for (std::uint32_t i = 0; i < 15; ++i) some[128 + i] = 128U << i;
  some.back() = many;
  return some;
}();

std::size_t rounds_of(const operation& op) { return op.asks_round ? rounds.size() : 1; }

bool is_content(const operation& op, const std::uint64_t* values) {
  if (op.altered == change::content) return true;
  for (std::size_t i = 0; i < rounds_of(op); ++i)
    if (op.ask(op.step, values, rounds[i]).what == answer::content) return true;
  return false;
}

outcome at(unsigned p, outcome::kind what = outcome::done, bool lively = true) {
  outcome o;
  o.what = what;
  o.lively = lively;
  o.at[0] = static_cast<std::uint8_t>(p);
  return o;
}

constexpr bool is_wait(action a) {
  return a == action::await || a == action::update || a == action::exchange_until || a == action::sleep;
}

}  // namespace

std::uint64_t new_value(const operation& op, std::uint64_t old, std::uint32_t round) {
  if (op.altered == change::leave_out) return old;
  switch (op.what) {
    case action::add:
      return (old + op.operand) & op.mask;
    case action::subtract:
      return (old - op.operand) & op.mask;
    case action::bit_or:
      return old | op.operand;
    case action::bit_and:
      return old & op.operand;
    case action::update: {
      const std::uint64_t value = op.ask(op.step, &old, round).value;
      return op.altered == change::more ? stepped(value, op.kind, false) & op.mask : value;
    }
    default:
      return op.operand;
  }
}

// ---- what a thread asks

change world::mutant_of(const place& where, std::uint32_t operand, action what, value_kind kind,
                        std::memory_order order) {
  if (where.line == 0) return change::none;
  if (options_.census != nullptr)
    options_.census->insert({short_path(where.file), where.line, where.column, operand, what, order, kind});
  return options_.mutant != nullptr && options_.mutant->hits(where, operand, what) ? options_.mutant->how
                                                                                   : change::none;
}

/// False if the operation is left out.
bool world::mutate(operation& op) {
  for (unsigned i = 0; i < 2; ++i) {
    order_use& use = op.orders[i];
    const change how = mutant_of(use.where, i, op.what, op.kind, use.value);
    if (how == change::weaken) use.value = options_.mutant->weaker;
    if (how != change::none && how != change::weaken) op.altered = how;
  }
  switch (op.altered) {
    case change::none:
      return true;
    case change::leave_out:
      return op.what != action::store && op.what != action::fence && op.what != action::unpark;
    case change::more:
    case change::less:
      if (op.what == action::bit_or || op.what == action::bit_and)
        op.operand ^= 1;
      else if (op.what != action::update)
        op.operand = stepped(op.operand, op.kind, op.altered == change::less) & op.mask;
      return true;
    case change::expects_more:
      op.expected = stepped(op.expected, op.kind, false) & op.mask;
      return true;
    default:
      return true;
  }
}

change world::before_write(const void* field, const place& where, value_kind kind) {
  const change how = mutant_of(where, 0, action::write, kind, std::memory_order::relaxed);
  if (how != change::leave_out) touch(field, true);
  return how;
}

void world::resolve(operation& op) {
  for (unsigned i = 0; i < op.count; ++i) {
    const std::uint32_t id = book_.find(op.address[i]);
    if (id == address_book::nothing || id % 2 != 0)
      fail("memory", "an atomic is used that is not there: " + name(op.address[i]));
    op.word[i] = id / 2;
    if (!mem_.is_made(self_, op.word[i]))
      fail("data race", "an atomic is used whose construction does not happen before: " + name(op.address[i]));
  }
}

void world::perform(operation& op) {
  if (!mutate(op)) return;
  if (op.what == action::fence && !options_.with_fences) met_fence_ = true;
  if (++threads_[self_].operations > max_operations)
    give_up("bound exceeded", "a thread does not come to an end within " + std::to_string(max_operations) + " steps");
  if (op.what != action::unpark) resolve(op);
  if (exploring_) {
    threads_[self_].pending = &op;
    threads_[self_].fiber->suspend();
  } else {
    directly(op);
  }
  if (op.altered == change::sees_more || op.altered == change::sees_less)
    op.values[0] = stepped(op.values[0], op.kind, op.altered == change::sees_less) & op.mask;
}

/// In the phases that are not explored.
void world::directly(operation& op) {
  thread& mine = threads_[self_];
  mine.pending = &op;
  for (bool goes_on = false; !goes_on;) {
    std::vector<outcome> all;
    outcomes(self_, all);
    auto first = std::find_if(all.begin(), all.end(), [](const outcome& o) { return o.lively; });
    // Where nobody else runs, the only thing that can still come is the deadline.
    if (first == all.end())
      first = std::find_if(all.begin(), all.end(), [](const outcome& o) { return o.what == outcome::gave_up; });
    if (first == all.end()) fail("deadlock", "a thread waits where no other runs: " + describe_waits());
    goes_on = happen(self_, op, *first);
  }
  if (refuted_) {
    const refutation why = *refuted_;
    why.undecided ? give_up(why.what, why.detail) : fail(why.what, why.detail);
  }
  mine.pending = nullptr;
  mem_.advance(self_);
}

// ---- what can happen

void world::outcomes(unsigned t, std::vector<outcome>& out) const {
  out.clear();
  const operation& op = *threads_[t].pending;
  if (is_wait(op.what)) return outcomes_of_wait(t, op, out);
  switch (op.what) {
    case action::mark:
      if (op.operand != marks::awaits_others || others_wait(t)) out.push_back({});
      return;
    case action::fence:
      out.push_back({});
      return;
    case action::park:
      for (unsigned p = mem_.last(op.word[0]) + 1; p-- > mem_.first_for_sleeper(t, op.word[0]);) out.push_back(at(p));
      return;
    case action::expire:
      if (!is_expired(t, op)) out.push_back(at(0, outcome::done));
      out.push_back(at(0, outcome::gave_up, is_expired(t, op)));
      return;
    case action::unpark:
      return outcomes_of_unpark(op, out);
    default:
      return outcomes_of_access(t, op, out);
  }
}

void world::outcomes_of_access(unsigned t, const operation& op, std::vector<outcome>& out) const {
  const unsigned w = op.word[0];
  const bool may_fail = op.weak && threads_[t].weak_failures < program_.spurious;
  for (unsigned p = mem_.last(w) + 1; p-- > mem_.first_readable(t, w);) {
    if (op.what == action::load) {
      out.push_back(at(p));
    } else if (op.altered == change::fail) {
      out.push_back(at(p, outcome::failed));
    } else if (op.what != action::compare_exchange || mem_.value(w, p) == op.expected) {
      if (mem_.is_open(w, p)) out.push_back(at(p));
      if (may_fail) out.push_back(at(p, outcome::failed));
    } else {
      out.push_back(at(p, outcome::failed));
    }
  }
}

void world::outcomes_of_wait(unsigned t, const operation& op, std::vector<outcome>& out) const {
  switch (op.what) {
    case action::await:
      return outcomes_of_await(t, op, {}, 0, out);
    case action::update:
      return outcomes_of_update(t, op, out);
    case action::exchange_until:
      return outcomes_of_exchange_until(t, op, out);
    default:
      return outcomes_of_sleep(t, op, out);
  }
}

/// All combinations of messages, one for each word; looks that find nothing only add to what the thread knows, so they
/// are left out.
void world::outcomes_of_await(unsigned t, const operation& op, outcome so_far, unsigned i,
                              std::vector<outcome>& out) const {
  if (i == op.count || i >= max_await_words) {
    std::array<std::uint64_t, max_await_words> values{};
    for (unsigned k = 0; k < max_await_words && k < op.count; ++k) values[k] = mem_.value(op.word[k], so_far.at[k]);
    if (is_content(op, values.data()))
      out.push_back(so_far);
    else
      add_give_up(t, op, out);
    return;
  }
  const unsigned w = op.word[i];
  unsigned first = mem_.first_readable(t, w);
  for (unsigned k = 0; k < max_await_words && k < i; ++k)
    first = std::max(first, mem_.first_readable_after(op.word[k], so_far.at[k], op.orders[0].value, w));
  const bool lively = so_far.lively;
  for (unsigned p = mem_.last(w) + 1; p-- > first;) {
    so_far.at[i] = static_cast<std::uint8_t>(p);
    so_far.lively = lively && p == mem_.last(w);
    outcomes_of_await(t, op, so_far, i + 1, out);
  }
}

/// Once for each operation.
void world::add_give_up(unsigned t, const operation& op, std::vector<outcome>& out) const {
  if (op.within == limit::none) return;
  if (std::any_of(out.begin(), out.end(), [](const outcome& o) { return o.what == outcome::gave_up; })) return;
  out.push_back(at(0, outcome::gave_up, op.within == limit::looks || is_expired(t, op)));
}

namespace {

/// Whether no other round has given this answer about the value.
bool is_new(const operation& op, std::uint64_t value, const outcome& o, const std::vector<outcome>& out,
            std::size_t first) {
  return std::none_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), [&](const outcome& other) {
    if (other.what != o.what) return false;
    return o.what != outcome::done || new_value(op, value, o.round) == new_value(op, value, other.round);
  });
}

}  // namespace

void world::outcomes_of_update(unsigned t, const operation& op, std::vector<outcome>& out) const {
  const unsigned w = op.word[0];
  for (unsigned p = mem_.last(w) + 1; p-- > mem_.first_readable(t, w);) {
    const std::uint64_t value = mem_.value(w, p);
    const bool lively = p == mem_.last(w);
    const std::size_t first = out.size();
    bool looks_again = false;
    for (std::size_t i = 0; i < rounds_of(op); ++i) {
      answer a = op.ask(op.step, &value, rounds[i]);
      if (a.what == answer::write && op.altered == change::fail) a.what = answer::decline;
      looks_again = looks_again || a.what == answer::again || (a.what == answer::write && !mem_.is_open(w, p));
      if (a.what == answer::again || (a.what == answer::write && !mem_.is_open(w, p))) continue;
      outcome o = at(p, a.what == answer::decline ? outcome::declined : outcome::done, lively);
      o.round = rounds[i];
      if (is_new(op, value, o, out, first)) out.push_back(o);
    }
    if (looks_again) add_give_up(t, op, out);
  }
}

void world::outcomes_of_exchange_until(unsigned t, const operation& op, std::vector<outcome>& out) const {
  const unsigned w = op.word[0];
  for (unsigned p = mem_.last(w) + 1; p-- > mem_.first_readable(t, w);) {
    if (!mem_.is_open(w, p)) continue;
    const std::uint64_t value = mem_.value(w, p);
    const bool last = p == mem_.last(w);
    if (is_content(op, &value)) {
      out.push_back(at(p, outcome::done, last));
      continue;
    }
    // To write the same again changes nothing.
    if (value != op.operand) out.push_back(at(p, outcome::refused, last));
    if (op.within != limit::none)
      out.push_back(at(p, outcome::gave_up, last && (op.within == limit::looks || is_expired(t, op))));
  }
}

void world::outcomes_of_sleep(unsigned t, const operation& op, std::vector<outcome>& out) const {
  if (threads_[t].woken) {
    out.push_back(at(0, outcome::woken));
    return;
  }
  if (op.within == limit::time) out.push_back(at(0, outcome::gave_up, is_expired(t, op)));
  if (threads_[t].spurious < program_.spurious) out.push_back(at(0, outcome::spurious, false));
}

/// Any of the sleepers may be woken, not only those who have slept longest.
void world::outcomes_of_unpark(const operation& op, std::vector<outcome>& out) const {
  std::uint32_t sleepers = 0;
  for (unsigned t = 0; t < program_.threads; ++t) {
    const thread& each = threads_[t];
    const bool sleeps = !each.finished && each.pending != nullptr && each.pending->what == action::sleep;
    if (sleeps && !each.woken && each.pending->address[0] == op.address[0]) sleepers |= 1U << t;
  }
  const auto woken = std::min<std::uint64_t>(op.operand, static_cast<std::uint64_t>(std::popcount(sleepers)));
  for (std::uint32_t some = 0; some <= sleepers; ++some) {
    if ((some & ~sleepers) != 0 || static_cast<std::uint64_t>(std::popcount(some)) != woken) continue;
    outcome o;
    o.sleepers = static_cast<std::uint8_t>(some);
    out.push_back(o);
  }
}

bool world::waits_without_limit(unsigned t) const {
  return !threads_[t].finished && threads_[t].pending->within == limit::none;
}

bool world::is_deadlock(std::uint32_t lively) {
  if (lively != 0) return false;
  for (unsigned t = 0; t < program_.threads; ++t) {
    if (!waits_without_limit(t)) continue;
    refuted_ = refutation{"deadlock", "nobody can go on: " + describe_waits()};
    return true;
  }
  return false;
}

// ---- what happens

bool world::execute(unsigned t, const outcome& o) {
  self_ = t;
  thread& mine = threads_[t];
  operation& op = *mine.pending;
  if (uses_dead_word(t)) {
    refuted_ = refutation{"memory", "an atomic is used after it was destroyed: " + name(op.address[0])};
    return false;
  }
  const bool goes_on = happen(t, op, o);
  mem_.advance(t);
  if (refuted_) return false;
  if (!goes_on) return true;
  std::uint64_t& h = mine.history;
  h = chain(h, std::uint64_t{static_cast<std::uint8_t>(o.what)} << 1 | std::uint64_t{op.success});
  for (unsigned i = 0; i < op.count; ++i) h = chain(h, arena_.canonical(op.values[i]));
  mine.pending = nullptr;
  return resume(t);
}

void world::happen_to_rmw(unsigned t, operation& op, unsigned p, std::uint64_t value) {
  op.values[0] = mem_.value(op.word[0], p);
  if (op.what == action::add && exploring_ && value < op.values[0]) met_wrap_ = true;
  mem_.read_modify_write(t, op.word[0], p, value, op.orders[0].value);
}

bool world::happen(unsigned t, operation& op, const outcome& o) {
  thread& mine = threads_[t];
  op.success = o.what == outcome::done;
  op.gave_up = o.what == outcome::gave_up;
  if (o.what == outcome::gave_up && op.within == limit::time) mine.now = std::max(mine.now, op.until);
  const unsigned w = op.word[0];
  const unsigned p = o.at[0];
  switch (op.what) {
    case action::load:
      op.values[0] = mem_.value(w, p);
      mem_.read(t, w, p, op.orders[0].value);
      return true;
    case action::store:
      if (mem_.last(w) + 1 >= max_messages) refuted_ = refutation{"too large", "too many writes to one atomic", true};
      mem_.write(t, w, p, op.operand, op.orders[0].value);
      return true;
    case action::await:
      if (!op.success) return true;
      for (unsigned i = 0; i < op.count; ++i) {
        op.values[i] = mem_.value(op.word[i], o.at[i]);
        mem_.read(t, op.word[i], o.at[i], op.orders[0].value);
      }
      return true;
    case action::compare_exchange:
      if (op.success) {
        happen_to_rmw(t, op, p, new_value(op, mem_.value(w, p), 0));
      } else {
        op.values[0] = mem_.value(w, p);
        if (op.weak && op.values[0] == op.expected) ++mine.weak_failures;
        mem_.read(t, w, p, op.orders[1].value);
      }
      return true;
    case action::update:
      return happen_to_update(t, op, o);
    case action::exchange_until:
      happen_to_rmw(t, op, p, new_value(op, mem_.value(w, p), 0));
      return o.what != outcome::refused;
    case action::fence:
      mem_.fence(t);
      return true;
    case action::park:
      // The kernel looks on the thread's behalf: later looks of the thread find this value or a newer one.
      op.values[0] = mem_.value(w, p);
      mem_.read(t, w, p, std::memory_order::relaxed);
      op.success = false;
      if (op.values[0] != op.expected) return true;
      op.what = action::sleep;
      return false;
    case action::sleep:
      mine.woken = false;
      if (o.what == outcome::spurious) ++mine.spurious;
      op.success = o.what == outcome::gave_up;
      return true;
    case action::unpark:
      happen_to_unpark(t, op, o);
      return true;
    case action::expire:
      op.success = o.what == outcome::gave_up;
      return true;
    case action::mark:
      happen_to_mark(t, op);
      return true;
    default:
      happen_to_rmw(t, op, p, new_value(op, mem_.value(w, p), 0));
      return true;
  }
}

/// The system takes the same lock for those who come to sleep and for those who wake, so who comes later sees what the
/// waker saw.
void world::happen_to_unpark(unsigned t, const operation& op, const outcome& o) {
  for (unsigned u = 0; u < program_.threads; ++u)
    if ((o.sleepers >> u & 1U) != 0) threads_[u].woken = true;
  const std::uint32_t id = book_.find(op.address[0]);
  if (id != address_book::nothing && id % 2 == 0 && mem_.is_alive(id / 2)) mem_.wake(t, id / 2);
}

bool world::happen_to_update(unsigned t, operation& op, const outcome& o) {
  if (o.what == outcome::gave_up) return true;
  op.values[0] = mem_.value(op.word[0], o.at[0]);
  if (o.what == outcome::declined) {
    mem_.read(t, op.word[0], o.at[0], op.orders[1].value);
    return true;
  }
  happen_to_rmw(t, op, o.at[0], new_value(op, op.values[0], o.round));
  return true;
}

/// Whether the thread waits for its turn and will not get it unless another does something. With `strictly`, nor will
/// any other thread of its domain that asks.
bool world::is_waiting(unsigned t, bool strictly) const {
  if (threads_[t].finished || threads_[t].pending == nullptr || !monitor_.is_asking(t)) return false;
  if (!strictly) return is_wait(threads_[t].pending->what);
  for (unsigned u = 0; u < program_.threads; ++u) {
    if (threads_[u].finished || !monitor_.is_asking(u) || domain_of(u) != domain_of(t)) continue;
    if (!is_wait(threads_[u].pending->what) || is_lively(u)) return false;
  }
  return true;
}

bool world::is_lively(unsigned t) const {
  std::vector<outcome> all;
  outcomes(t, all);
  return std::any_of(all.begin(), all.end(), [](const outcome& o) { return o.lively; });
}

bool world::others_wait(unsigned t) const {
  for (unsigned u = 0; u < program_.threads; ++u)
    if (u != t && !threads_[u].finished && (!is_wait(threads_[u].pending->what) || is_lively(u))) return false;
  return true;
}

void world::happen_to_mark(unsigned t, const operation& op) {
  if (op.operand == marks::awaits_others) return;
  if (op.operand == marks::has_entered) {
    const unsigned passed = monitor_.enter(t);
    if (passed > op.expected)
      refuted_ = refutation{"overtaking", "one thread has passed another that was waiting before it came " +
                                              std::to_string(passed) + " times; " + std::to_string(op.expected) +
                                              " are allowed"};
    return;
  }
  std::uint32_t waiting = 0;
  for (unsigned u = 0; u < program_.threads; ++u)
    if (u != t && is_waiting(u, op.operand == marks::asks_strictly)) waiting |= 1U << u;
  monitor_.ask(t, waiting);
}

bool world::uses_dead_word(unsigned t) const {
  const operation& op = *threads_[t].pending;
  if (op.what == action::sleep || op.what == action::unpark) return false;  // they know nothing but the address
  for (unsigned i = 0; i < op.count; ++i)
    if (!mem_.is_alive(op.word[i])) return true;
  return false;
}

// ---- independence

namespace {

bool writes(const operation& op) { return op.what != action::load && op.what != action::await; }

bool is_global(const operation& op) { return op.what == action::mark; }

}  // namespace

bool world::independent(unsigned a, unsigned b) const {
  const operation& x = *threads_[a].pending;
  const operation& y = *threads_[b].pending;
  if (is_global(x) || is_global(y)) return false;
  if (x.what == action::fence || y.what == action::fence) return x.what != y.what;
  for (unsigned i = 0; i < x.count; ++i)
    for (unsigned k = 0; k < y.count; ++k)
      if (x.address[i] == y.address[k] && (writes(x) || writes(y))) return false;
  return true;
}

}  // namespace synchro::explorer
