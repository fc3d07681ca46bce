// A reference model of one cache line in the caches of a machine, by MOESI, with or without migration: reading a line
// that another has written then moves it whole, and it is the reader's dirty line, not yet written by it (D).

#ifndef SYNCHRO_TESTS_EXPERIMENTS_COHERENCE_MODEL_HPP
#define SYNCHRO_TESTS_EXPERIMENTS_COHERENCE_MODEL_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/coherence/setup_steps.hpp"

namespace synchro::tests {

/// The state in each processor's cache, as one letter: M, D, O, E, S or I.
class modelled_line {
 public:
  using dirty_read = experiments::coherence::dirty_read;

  explicit modelled_line(std::size_t processors, dirty_read how = dirty_read::copies)
      : modelled_line{std::string(processors, 'I'), how} {}
  modelled_line(std::string states, dirty_read how) : states_{std::move(states)}, how_{how} {}

  void write(std::size_t who) {
    states_.assign(states_.size(), 'I');
    states_[who] = 'M';
  }

  void read(std::size_t who) {
    if (states_[who] != 'I') return;
    if (how_ == dirty_read::moves && states_.find('M') != std::string::npos) {
      states_.assign(states_.size(), 'I');
      states_[who] = 'D';
      return;
    }
    bool cached = false;
    for (char& s : states_) {
      cached = cached || s != 'I';
      if (s == 'M' || s == 'D') s = 'O';
      if (s == 'E') s = 'S';
    }
    states_[who] = cached ? 'S' : 'E';
  }

  void flush() { states_.assign(states_.size(), 'I'); }

  [[nodiscard]] const std::string& states() const { return states_; }

 private:
  std::string states_;
  dirty_read how_;
};

/// What the line must be when the timed access comes. Members of the team in this order: the requester, the holder
/// unless it is the requester, the sharer, the others.
inline std::string expected_states(const experiments::coherence::event& e, std::size_t members) {
  using experiments::coherence::operation;
  using experiments::coherence::state;
  const std::size_t holder = e.mine ? 0 : 1;
  const std::size_t sharer = holder + 1;
  std::string s(members, 'I');
  switch (e.on) {
    case state::modified:
    case state::turns:
    case state::contended:
      s[holder] = 'M';
      break;
    case state::exclusive:
      s[holder] = 'E';
      break;
    case state::shared:
      s[holder] = s[sharer] = 'S';
      break;
    case state::shared_all:
      for (std::size_t i = 1; i < members; ++i) s[i] = 'S';
      break;
    case state::shared_upgrade:
      s[0] = s[holder] = 'S';
      break;
    case state::owned:
      s[holder] = 'O';
      s[e.mine || e.what == operation::load ? sharer : 0] = 'S';
      break;
    case state::invalid:
    case state::working_set:
    case state::none:
      break;
  }
  return s;
}

}  // namespace synchro::tests

#endif
