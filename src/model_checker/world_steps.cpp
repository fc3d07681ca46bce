// What a thread asks, and what happens when one of its outcomes is chosen.

#include <algorithm>

#include "model_checker/hashing.hpp"
#include "model_checker/world.hpp"

namespace synchro::model_checker {

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
      return op.what != action::store && op.what != action::fence && op.what != action::unpark &&
             op.what != action::abort;
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
  return asking_ ? change::leave_out : how;
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
  const noting none{false};
  if (asking_) {
    impure_ = "it uses another atomic";
    op.success = true;
    return;
  }
  if (!mutate(op)) return;
  if (op.what == action::fence && !options_.with_fences) met_fence_ = true;
  if (++threads_[self_].operations > max_operations)
    give_up("bound exceeded", "a thread does not come to an end within " + std::to_string(max_operations) +
                                  " steps; besides the waiting verbs no other loop may read shared state");
  threads_[self_].touches = 0;
  if (op.what != action::unpark) resolve(op);
  is_in_transaction() ? perform_in_transaction(op) : take_step(op);
  if (op.altered == change::sees_more || op.altered == change::sees_less)
    op.values[0] = stepped(op.values[0], op.kind, op.altered == change::sees_less) & op.mask;
}

void world::take_step(operation& op) {
  if (op.what == action::abort) return;  // nothing is there to be aborted
  if (!exploring_) return directly(op);
  threads_[self_].pending = &op;
  threads_[self_].fiber->suspend();
}

/// In the phases that are not explored.
void world::directly(operation& op) {
  thread& mine = threads_[self_];
  mine.pending = &op;
  for (bool goes_on = false; !goes_on;) {
    std::vector<outcome> all;
    outcomes(self_, all);
    if (is_deadlock(1)) give_up(refuted_->what, refuted_->detail);
    auto first = std::find_if(all.begin(), all.end(), [](const outcome& o) { return o.lively; });
    // Where nobody else runs, the only thing that can still come is the deadline.
    if (first == all.end())
      first = std::find_if(all.begin(), all.end(), [](const outcome& o) { return o.what == outcome::gave_up; });
    if (first == all.end()) fail("deadlock", "a thread waits where no other runs: " + describe_waits());
    goes_on = happen(self_, op, *first);
    if (goes_on) leave_with_result(self_, op, *first);
  }
  if (refuted_) {
    const refutation why = *refuted_;
    why.undecided ? give_up(why.what, why.detail) : fail(why.what, why.detail);
  }
  mine.pending = nullptr;
  mem_.advance(self_);
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
  leave_with_result(t, op, o);
  std::uint64_t& h = mine.history;
  // Of a sleep a thread learns only whether its deadline has passed, not what the system has read, nor why it woke.
  const bool slept = op.what == action::park || op.what == action::sleep;
  h = chain(
      h, std::uint64_t{slept ? std::uint8_t{0} : static_cast<std::uint8_t>(o.what)} << 1 | std::uint64_t{op.success});
  // What a look has read that gave up is nothing to the thread, unless its callback keeps it.
  const bool is_nothing = slept || (op.gave_up && !op.may_keep && is_look(op.what));
  if (!is_nothing)
    for (unsigned i = 0; i < op.count; ++i) h = chain(h, arena_.canonical(op.values[i]));
  if (op.what == action::begin) h = chain(h, op.values[0]);
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
    case action::store:
      if (mem_.last(w) + 1 >= max_messages) refuted_ = refutation{"too large", "too many writes to one atomic", true};
      mem_.write(t, w, p, op.operand, op.orders[0].value);
      return true;
    case action::load:
    case action::await:
      for (unsigned i = 0; i < op.count; ++i) {
        op.values[i] = mem_.value(op.word[i], o.at[i]);
        mem_.read(t, op.word[i], o.at[i], op.orders[0].value);
      }
      return true;
    case action::compare_exchange:
    case action::update:
      return happen_to_update(t, op, o);
    case action::fence:
      return mem_.fence(t), true;
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
      [[fallthrough]];
    case action::expire:
      op.success = o.what == outcome::gave_up;
      return true;
    case action::locate:
      mine.away = mine.away != (o.what == outcome::moved);
      return true;
    case action::unpark:
      return happen_to_unpark(t, op, o), true;
    case action::begin:
      op.values[0] = p;
      mine.transactions = op.success ? 1 : 0;
      return true;
    case action::mark:
      return happen_to_mark(t, op), true;
    default:
      happen_to_rmw(t, op, p, new_value(op, mem_.value(w, p), 0));
      if (o.what != outcome::refused) return true;
      ++op.expected;
      return false;  // exchange_until goes on
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

/// And to a compare-and-swap.
bool world::happen_to_update(unsigned t, operation& op, const outcome& o) {
  op.values[0] = mem_.value(op.word[0], o.at[0]);
  if (!op.success) {
    if (op.weak && op.values[0] == op.expected) ++threads_[t].weak_failures;
    mem_.read(t, op.word[0], o.at[0], op.orders[1].value);
    return true;
  }
  happen_to_rmw(t, op, o.at[0], new_value(op, op.values[0], o.round));
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

/// What a transaction will touch is not known before.
bool is_global(const operation& op) { return op.what == action::mark || op.what == action::begin; }

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

}  // namespace synchro::model_checker
