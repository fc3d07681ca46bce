// How steps are told to people.

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "model_checker/world.hpp"
#include "synchro/transactions.hpp"

namespace synchro::model_checker {

std::string to_string(action a) {
  constexpr std::array names{
      "load",   "store",  "exchange",       "fetch_add", "fetch_sub", "fetch_or", "fetch_and", "compare_exchange",
      "await",  "update", "exchange_until", "fence",     "park",      "sleep",    "unpark",    "deadline",
      "domain", "mark",   "write",          "begin",     "abort"};
  return names[static_cast<std::size_t>(a)];
}

namespace {

char letter(unsigned t) { return t == main_thread ? '*' : static_cast<char>('a' + t); }

std::string place_of(const operation& op) {
  const place& p = op.orders[0].where;
  return p.line == 0 ? std::string{} : fmt::format("{}:{}", short_path(p.file), p.line);
}

/// How it turned out, beyond the values.
std::string_view turn(const outcome& o) {
  switch (o.what) {
    case outcome::failed:
      return ", fails";
    case outcome::declined:
      return ", declines";
    case outcome::refused:
      return ", not accepted";
    case outcome::gave_up:
      return ", gives up: the limit has come";
    case outcome::woken:
      return ", woken";
    case outcome::spurious:
      return ", returns for no reason";
    case outcome::moved:
      return ", has moved to the other one";
    default:
      return "";
  }
}

std::string told(const outcome& o) {
  switch (static_cast<transaction_start>(o.at[0])) {
    case transaction_start::started:
      return "commits: all of it is this step";
    case transaction_start::retry:
      return "is aborted, and may succeed another time";
    default:
      return "is aborted for good";
  }
}

bool overwrites(const operation& op, const outcome& o) {
  switch (op.what) {
    case action::load:
    case action::await:
    case action::park:
    case action::sleep:
      return false;
    case action::exchange_until:
      return true;
    default:
      return o.what == outcome::done;
  }
}

}  // namespace

std::string world::name(std::uint64_t address) const {
  if (address == 0) return "null";
  if (arena_.contains(address)) {
    const arena::description d = arena_.describe(address);
    return fmt::format("{}{}+{}", letter(d.thread), d.number, d.offset);
  }
  for (unsigned t = 0; t < all_threads; ++t)
    if (address - reinterpret_cast<std::uint64_t>(threads_[t].stack.bottom) < threads_[t].stack.size)
      return fmt::format("{}'s own +{}", letter(t),
                         address - reinterpret_cast<std::uint64_t>(threads_[t].stack.bottom));
  if (address < 4096) return fmt::format("null+{}", address);
  const std::uint32_t id = book_.find(address);
  return id == address_book::nothing ? "memory of others"
                                     : fmt::format("{} {}", id % 2 == 0 ? "word" : "field", id / 2);
}

std::string world::print(std::uint64_t value) const {
  return arena_.contains(value) ? "&" + name(value) : fmt::format("{}", value);
}

std::string world::describe(unsigned t, const outcome& o) const {
  const operation& op = *threads_[t].pending;
  std::string text = to_string(op.what);
  if (op.what == action::mark) {
    if (op.operand == marks::awaits_others) return "goes on, because all others wait";
    return op.operand == marks::has_entered ? "has its turn" : "asks for its turn";
  }
  if (op.what == action::begin) return "begins a transaction, which " + told(o);
  const bool ordered = op.orders[0].where.line != 0 && op.what != action::fence && op.what != action::unpark;
  if (ordered) {
    const bool other = o.what == outcome::failed || o.what == outcome::declined ||
                       (o.what == outcome::gave_up && op.what == action::update);
    text += fmt::format("({})", to_string(op.orders[other ? 1 : 0].value));
  }
  if (op.what == action::unpark) {
    text += fmt::format(" {}:", name(op.address[0]));
    for (unsigned u = 0; u < program_.threads; ++u)
      if ((o.sleepers >> u & 1U) != 0) text += fmt::format(" wakes {}", letter(u));
    if (o.sleepers == 0) text += " nobody sleeps";
  } else if (o.what != outcome::gave_up || op.what != action::sleep) {
    for (unsigned i = 0; i < op.count; ++i) {
      const unsigned w = op.word[i];
      const unsigned p = op.what == action::sleep ? mem_.last(w) : o.at[i];
      text += fmt::format("{} {}", i == 0 ? "" : ",", name(op.address[i]));
      if (op.what == action::store) continue;
      text += fmt::format(" = {}", print(mem_.value(w, p)));
      if (p != mem_.last(w)) text += fmt::format(" (stale: it is {})", print(mem_.value(w, mem_.last(w))));
    }
    if (op.what == action::park) text += fmt::format(", sleeps if it is {}", print(op.expected));
    if (overwrites(op, o) && op.count != 0) text += written(op, o);
  }
  text += turn(o);
  const std::string where = place_of(op);
  return where.empty() ? text : fmt::format("{:<58} {}", text, where);
}

std::string world::written(const operation& op, const outcome& o) const {
  const unsigned w = op.word[0];
  std::uint64_t value = op.operand;
  if (op.what == action::update || op.what == action::add || op.what == action::subtract ||
      op.what == action::bit_and || op.what == action::bit_or)
    value = new_value(op, mem_.value(w, o.at[0]), o.round);
  const bool inserted = o.at[0] != mem_.last(w);
  return fmt::format(" := {}{}", print(value), inserted ? " (before what is there already)" : "");
}

std::string world::describe_waits() const {
  std::string text;
  for (unsigned t = 0; t < all_threads; ++t) {
    const thread& each = threads_[t];
    if (!each.fiber || each.pending == nullptr || (t < program_.threads ? each.finished : self_ != t)) continue;
    if (t >= program_.threads && t != main_thread) continue;
    const operation& op = *each.pending;
    const bool sleeps = op.what == action::sleep;
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {} {}", letter(t), sleeps ? "sleeps on" : "waits for", name(op.address[0]));
    if (op.count != 0 && !sleeps) text += fmt::format(" = {}", print(mem_.value(op.word[0], mem_.last(op.word[0]))));
    if (!sleeps) text += fmt::format(" ({})", place_of(op));
  }
  return text;
}

}  // namespace synchro::model_checker
