// What objects of each kind do when they are called by one thread after the other: the specifications by which histories
// are judged (history.hpp). A call of another kind is refused.
//
// A wait with a limit may give up at any moment: time is no part of a history.

#ifndef SYNCHRO_MODEL_CHECKER_SPECIFICATIONS_HPP
#define SYNCHRO_MODEL_CHECKER_SPECIFICATIONS_HPP

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "model_checker/history.hpp"

namespace synchro::model_checker {

/// Whether the call has this result, or has not returned.
inline bool can_return(const call& c, std::optional<std::uint64_t> result) { return !c.returned || c.result == result; }

/// Channel, ring, queue: first in, first out, until it is closed and empty. A bound makes senders wait, or be refused.
class fifo {
 public:
  static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

  /// When try_send and try_receive may come back with nothing.
  enum class trying : std::uint8_t {
    exact,  ///< Only if it is full, or empty.
    vain    ///< Also for no reason: another thread may be under way.
  };

  explicit fifo(std::size_t room = unbounded, trying how = trying::exact) : room_{room}, how_{how} {}

  bool accepts(const call& c) {
    switch (c.what) {
      case verb::send:
      case verb::try_send:
      case verb::timed_send:
        return c.returned && !c.result ? may_refuse(c.what) : put(c);
      case verb::receive:
      case verb::try_receive:
      case verb::timed_receive:
        return c.returned && !c.result ? may_find_nothing(c.what) : take(c);
      case verb::close:
        closed_ = true;
        return true;
      default:
        return false;
    }
  }
  auto operator<=>(const fifo&) const = default;

 private:
  [[nodiscard]] bool may_refuse(verb what) const {
    if (closed_ || what == verb::timed_send) return true;
    return what == verb::try_send && (held_.size() == room_ || how_ == trying::vain);
  }
  [[nodiscard]] bool may_find_nothing(verb what) const {
    if (what == verb::timed_receive) return true;
    if (what == verb::try_receive) return held_.empty() || how_ == trying::vain;
    return closed_ && held_.empty();
  }
  bool put(const call& c) {
    if (closed_) return !c.returned;
    if (held_.size() == room_) return false;
    held_.push_back(c.argument);
    return true;
  }
  bool take(const call& c) {
    if (held_.empty() || !can_return(c, held_.front())) return false;
    held_.erase(held_.begin());
    return true;
  }

  std::size_t room_;
  trying how_;
  bool closed_ = false;
  std::vector<std::uint64_t> held_;
};

/// A channel for each sender, and a receiver that takes from any. A message is its sender's number and what it says, in
/// the upper and the lower half of 64 bits.
class mailboxes {
 public:
  bool accepts(const call& c) {
    if (c.what == verb::send) return fifos_[c.argument >> 32].accepts(c);
    if (c.what != verb::receive && c.what != verb::try_receive) return false;
    if (!c.returned) return true;  // there is one receiver: nobody can tell what it took
    if (c.result) return fifos_[*c.result >> 32].accepts(c);
    for (const auto& each : fifos_)
      if (fifo one = each.second; !one.accepts(c)) return false;
    return c.what == verb::try_receive;
  }
  auto operator<=>(const mailboxes&) const = default;

 private:
  std::map<std::uint64_t, fifo> fifos_;
};

/// read and write. try_read may find nothing.
class one_register {
 public:
  explicit one_register(std::uint64_t value = 0) : value_{value} {}

  bool accepts(const call& c) {
    switch (c.what) {
      case verb::write:
        value_ = c.argument;
        return true;
      case verb::read:
        return can_return(c, value_);
      case verb::try_read:
        return (c.returned && !c.result) || can_return(c, value_);
      default:
        return false;
    }
  }
  auto operator<=>(const one_register&) const = default;

 private:
  std::uint64_t value_;
};

/// add returns what was there before; read.
class counter {
 public:
  bool accepts(const call& c) {
    if ((c.what != verb::add && c.what != verb::read) || !can_return(c, value_)) return false;
    if (c.what == verb::add) value_ += c.argument;
    return true;
  }
  auto operator<=>(const counter&) const = default;

 private:
  std::uint64_t value_ = 0;
};

/// put, get and remove return what the key had before; insert changes nothing if it had something, and says so.
class map_of_keys {
 public:
  bool accepts(const call& c) {
    const auto it = held_.find(c.argument);
    const bool there = it != held_.end();
    const auto had = there ? std::optional{it->second} : std::nullopt;
    switch (c.what) {
      case verb::get:
        return can_return(c, had);
      case verb::put:
        held_[c.argument] = c.second;
        return can_return(c, had);
      case verb::insert:
        held_.try_emplace(c.argument, c.second);
        return can_return(c, there ? std::nullopt : std::optional{said_yes});
      case verb::remove:
        held_.erase(c.argument);
        return can_return(c, had);
      default:
        return false;
    }
  }
  auto operator<=>(const map_of_keys&) const = default;

 private:
  std::map<std::uint64_t, std::uint64_t> held_;
};

/// insert, remove and contains say whether the key was new, or there.
class set_of_keys {
 public:
  bool accepts(const call& c) {
    const auto said = [&c](bool yes) { return can_return(c, yes ? std::optional{said_yes} : std::nullopt); };
    switch (c.what) {
      case verb::insert:
        return said(held_.insert(c.argument).second);
      case verb::remove:
        return said(held_.erase(c.argument) != 0);
      case verb::contains:
        return said(held_.contains(c.argument));
      default:
        return false;
    }
  }
  auto operator<=>(const set_of_keys&) const = default;

 private:
  std::set<std::uint64_t> held_;
};

}  // namespace synchro::model_checker

#endif
