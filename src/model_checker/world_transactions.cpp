// Transactions of the explored machine.
//
// The processor aborts a transaction as soon as another thread writes what it has read or written, or reads what it has
// written, and shows nothing of it before it commits. So one that commits can be taken for a single step at its end: until
// then nobody has touched what it read. And one that is aborted has done nothing, but for what its thread is told. Hence:
// when a thread begins, either the transaction is aborted at once, for any reason, or all up to its commit is done in this
// step, on the newest values, and no other thread moves. If it does not get there (it aborts itself, waits for something that
// is not so, calls the system, or its thread ends), the guess was wrong: such an execution is dropped, for the one in which
// it is aborted at once is explored, too. A reason that could not be adds executions and hides none.
//
// What is ordered: a transaction behind all those that it conflicts with; behind what it reads, as by acquire; who reads
// what it wrote behind it, as by release; and who writes what it read, by a read-modify-write that acquires or with a fence
// after it (memory::learn_of_transactions). The last is what x86 promises and Armv8 does not (Chong, Sorensen, Wickerson: The
// Semantics of Transactions and Weak Memory in x86, Power, ARM, and C++, PLDI 2018).

#include <algorithm>

#include "model_checker/hashing.hpp"
#include "model_checker/world.hpp"

namespace synchro::model_checker {

/// Before the search drops it, the thread must not go on.
void world::be_impossible() {
  impossible_ = true;
  for (;;) threads_[self_].fiber->suspend();
}

void world::commit() {
  thread& mine = threads_[self_];
  if (mine.transactions == 0) fail("transaction", "a thread ends a transaction that it has not begun");
  if (--mine.transactions != 0) return;
  mem_.commit(self_);
  mem_.advance(self_);  // what follows is not part of it
}

/// A wait for something that is not so: without a limit it would look until another thread's write aborts it.
void world::give_up_in_transaction(operation& op) {
  if (op.within == limit::none) be_impossible();
  op.success = false;
  op.gave_up = true;
  if (op.within == limit::time) threads_[self_].now = std::max(threads_[self_].now, op.until);
}

void world::await_in_transaction(operation& op) {
  for (unsigned i = 0; i < op.count; ++i) {
    mem_.read_in_transaction(self_, op.word[i]);
    op.values[i] = mem_.value(op.word[i], mem_.last(op.word[i]));
  }
  const bool done = [&] {
    const asking guard{*this, self_};
    return op.what == action::load || is_done(op, op.values.data());
  }();
  if (!done) give_up_in_transaction(op);
}

/// Reads, and writes what the operation makes of that.
void world::change_in_transaction(operation& op, std::uint32_t round) {
  const unsigned w = op.word[0];
  mem_.read_in_transaction(self_, w);
  op.values[0] = mem_.value(w, mem_.last(w));
  if (op.what == action::compare_exchange) op.success = op.values[0] == op.expected && op.altered != change::fail;
  if (op.success) mem_.write_in_transaction(self_, w, new_value(op, op.values[0], round));
}

void world::exchange_until_in_transaction(operation& op) {
  change_in_transaction(op, 0);
  const bool done = [&] {
    const asking guard{*this, self_};
    return is_done(op, op.values.data());
  }();
  if (!done) give_up_in_transaction(op);
}

void world::update_in_transaction(operation& op) {
  const std::uint64_t value = mem_.value(op.word[0], mem_.last(op.word[0]));
  std::uint32_t round = 0;
  const answer said = [&] {
    const asking guard{*this, self_};
    while (op.asks_round && round != max_operations && op.ask(op.step, &value, round).what == answer::retry) ++round;
    return op.ask(op.step, &value, round);
  }();
  op.success = said.what == answer::write && op.altered != change::fail;
  change_in_transaction(op, round);
  if (said.what == answer::retry) give_up_in_transaction(op);
}

void world::perform_in_transaction(operation& op) {
  if (op.what != action::begin && op.count == 1 && mem_.last(op.word[0]) + 1 >= max_messages)
    give_up("too large", "too many writes to one atomic");
  op.success = true;
  switch (op.what) {
    case action::begin:
      ++threads_[self_].transactions;
      op.values[0] = 0;
      break;
    case action::fence:
      break;
    case action::load:
    case action::await:
      await_in_transaction(op);
      break;
    case action::store:
      mem_.write_in_transaction(self_, op.word[0], op.operand);
      break;
    case action::update:
      update_in_transaction(op);
      break;
    case action::exchange_until:
      exchange_until_in_transaction(op);
      break;
    case action::abort:
    case action::park:
    case action::unpark:
      be_impossible();
    case action::locate:  // a thread that moves aborts its transaction
      break;
    case action::expire:
    case action::mark:
      give_up("bound exceeded", "a transaction reads the clock or asks about other threads");
    default:
      change_in_transaction(op, 0);
  }
  std::uint64_t& h = threads_[self_].history;
  h = chain(h, op.success ? 1 : 0);
  for (unsigned i = 0; i < op.count; ++i) h = chain(h, arena_.canonical(op.values[i]));
}

}  // namespace synchro::model_checker
