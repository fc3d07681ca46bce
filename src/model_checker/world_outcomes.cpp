// What a thread can do next, and who waits.

#include <algorithm>
#include <array>
#include <bit>

#include "model_checker/hashing.hpp"
#include "model_checker/world.hpp"
#include "synchro/transactions.hpp"

namespace synchro::model_checker {

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

/// So often the exchange of one wait may replace what it does not accept by another value. (operation::expected counts:
/// an exchange expects nothing.)
constexpr std::uint64_t max_refusals = 2;

std::size_t rounds_of(const operation& op) { return op.asks_round ? rounds.size() : 1; }

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

// ---- callbacks

/// Callbacks are pure, which the machine cannot see. One that only keeps what it was asked about last does no harm here
/// (see leave_with_result). One that counts how often it is asked changes its mind some time, if it is large enough to
/// refer to a counter: it is asked often when one wait of a thread first finds these values.
void world::see_whether_pure(const operation& op, const std::uint64_t* values) const {
  constexpr unsigned often = 4096;
  if (!op.may_keep) return;
  std::uint64_t wait = chain(reinterpret_cast<std::uint64_t>(op.ask), reinterpret_cast<std::uint64_t>(op.step));
  wait = chain(wait, threads_[self_].operations);
  for (unsigned i = 0; i < op.count; ++i) wait = chain(wait, values[i]);
  if (!seen_pure_.insert(wait).second) return;
  const answer first = op.ask(op.step, values, rounds[0]);
  for (unsigned i = 0; i < often; ++i) {
    const answer again = op.ask(op.step, values, rounds[0]);
    if (again.what == first.what && again.value == first.value) continue;
    impure_ = "asked again about the same value it answers something else";
    return;
  }
}

bool world::is_done(const operation& op, const std::uint64_t* values) const {
  if (op.altered == change::done) return true;
  see_whether_pure(op, values);
  for (std::size_t i = 0; i < rounds_of(op); ++i)
    if (op.ask(op.step, values, rounds[i]).what == answer::done) return true;
  return false;
}

/// A callback that keeps what it was asked about is left with what the thread has read.
void world::leave_with_result(unsigned t, const operation& op, const outcome& o) const {
  if (!op.may_keep) return;
  const asking guard{*this, t};
  for (std::size_t i = 0; i < rounds_of(op); ++i) {
    const std::uint32_t round = op.what == action::update ? o.round : rounds[i];
    const bool done = op.ask(op.step, op.values.data(), round).what == answer::done;
    if (done == op.success || op.what == action::update) return;
  }
}

// ---- outcomes

void world::outcomes(unsigned t, std::vector<outcome>& out) const {
  out.clear();
  const operation& op = *threads_[t].pending;
  if (is_wait(op.what)) {
    const asking guard{*this, t};
    return outcomes_of_wait(t, op, out);
  }
  switch (op.what) {
    case action::mark:
      if (op.operand != marks::awaits_others || others_wait(t)) out.push_back({});
      return;
    case action::fence:
      out.push_back({});
      return;
    case action::locate:
      out.push_back({});
      out.push_back(at(0, outcome::moved));
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
    case action::begin:
      if (exploring_) out.push_back(at(static_cast<unsigned>(transaction_start::started)));
      for (const auto why : {transaction_start::retry, transaction_start::hopeless})
        if (exploring_ || why == transaction_start::hopeless)
          out.push_back(at(static_cast<unsigned>(why), outcome::aborted));
      return;
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

/// All combinations of messages, one for each word; looks that find nothing only add to what the thread knows, so all but
/// the last, which gives up, are left out.
void world::outcomes_of_await(unsigned t, const operation& op, outcome so_far, unsigned i,
                              std::vector<outcome>& out) const {
  if (i == op.count || i >= max_await_words) {
    std::array<std::uint64_t, max_await_words> values{};
    for (unsigned k = 0; k < max_await_words && k < op.count; ++k) values[k] = mem_.value(op.word[k], so_far.at[k]);
    if (is_done(op, values.data()))
      out.push_back(so_far);
    else
      add_give_up(t, op, so_far, op.orders[0].value, out);
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

/// Who gives up has looked at least once. What it read matters to a callback that keeps it; otherwise only what it knows
/// by that, so one that knows no less than another is left out.
void world::add_give_up(unsigned t, const operation& op, outcome found_nothing, std::memory_order o,
                        std::vector<outcome>& out) const {
  if (op.within == limit::none) return;
  found_nothing.what = outcome::gave_up;
  found_nothing.lively = op.within == limit::looks || is_expired(t, op);
  const auto gives_up = [](const outcome& other) { return other.what == outcome::gave_up; };
  if (!op.may_keep && std::any_of(out.begin(), out.end(), gives_up)) {
    const auto lesson = [&](const outcome& of) { return mem_.lesson_of(t, op.word, of.at, op.count, o); };
    const memory::lesson mine = lesson(found_nothing);
    const auto knows_less = [&](const outcome& other) { return gives_up(other) && lesson(other).is_within(mine); };
    if (std::any_of(out.begin(), out.end(), knows_less)) return;
    std::erase_if(out, [&](const outcome& other) { return gives_up(other) && mine.is_within(lesson(other)); });
  }
  out.push_back(found_nothing);
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
    see_whether_pure(op, &value);
    for (std::size_t i = 0; i < rounds_of(op); ++i) {
      answer a = op.ask(op.step, &value, rounds[i]);
      if (a.what == answer::write && op.altered == change::fail) a.what = answer::decline;
      looks_again = looks_again || a.what == answer::retry || (a.what == answer::write && !mem_.is_open(w, p));
      if (a.what == answer::retry || (a.what == answer::write && !mem_.is_open(w, p))) continue;
      outcome o = at(p, a.what == answer::decline ? outcome::declined : outcome::done, lively);
      o.round = rounds[i];
      if (is_new(op, value, o, out, first)) out.push_back(o);
    }
    if (looks_again) add_give_up(t, op, at(p), op.orders[1].value, out);
  }
}

void world::outcomes_of_exchange_until(unsigned t, const operation& op, std::vector<outcome>& out) const {
  const unsigned w = op.word[0];
  for (unsigned p = mem_.last(w) + 1; p-- > mem_.first_readable(t, w);) {
    if (!mem_.is_open(w, p)) continue;
    const std::uint64_t value = mem_.value(w, p);
    const bool last = p == mem_.last(w);
    if (is_done(op, &value)) {
      out.push_back(at(p, outcome::done, last));
      continue;
    }
    // To write the same again changes nothing, and waiters that overwrite each other would go on for ever.
    if (value != op.operand && op.expected < max_refusals) out.push_back(at(p, outcome::refused, last));
    if (op.within != limit::none)
      out.push_back(at(p, outcome::gave_up, last && (op.within == limit::looks || is_expired(t, op))));
  }
}

void world::outcomes_of_sleep(unsigned t, const operation& op, std::vector<outcome>& out) const {
  const bool woken = threads_[t].woken;
  if (woken) out.push_back(at(0, outcome::woken));
  // When the deadline has passed, a wake-up may have come as well: not every system says so.
  if (op.within == limit::time) out.push_back(at(0, outcome::gave_up, is_expired(t, op)));
  if (!woken && threads_[t].spurious < program_.spurious) out.push_back(at(0, outcome::spurious, false));
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
  if (impure_ != nullptr) {
    refuted_ = refutation{"impure callback", std::string{"callbacks are pure, and one is not: "} + impure_, true};
    return true;
  }
  if (lively != 0) return false;
  // Another exchange of a waiter's, beyond the bound, may be what somebody looks for.
  const auto is_cut_short = [this](const operation& wait) {
    if (wait.what != action::await && wait.what != action::update) return false;
    return std::any_of(threads_.begin(), threads_.begin() + program_.threads, [&wait](const thread& other) {
      if (other.finished || other.pending->what != action::exchange_until) return false;
      const bool at_its_bound = other.pending->expected >= max_refusals;
      const auto end = wait.word.begin() + wait.count;
      return at_its_bound && std::find(wait.word.begin(), end, other.pending->word[0]) != end;
    });
  };
  for (unsigned t = 0; t < program_.threads; ++t) {
    if (!waits_without_limit(t)) continue;
    if (is_cut_short(*threads_[t].pending)) {
      refuted_ = refutation{"bound exceeded", "a waiter's exchange is refused again and again", true};
      return true;
    }
    refuted_ = refutation{"deadlock", "nobody can go on: " + describe_waits()};
    return true;
  }
  return false;
}

// ---- who waits

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

}  // namespace synchro::model_checker
