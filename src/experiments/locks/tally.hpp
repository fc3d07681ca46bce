// What one thread of a team counts while it takes locks, and how much of that was in the window.
//
// A thread looks at the clock at some of its acquisitions only: these are its readings. How far it was when the window opened,
// and when the team's last reading was taken, lies between two of its own. In between it is taken to have gone on at one
// pace, so that what is counted and the time it is divided by begin and end at the same moments for every thread.
//
//   begin ... reading  |opened|  reading ... reading  |closed|  left
//             `before`           `first`     `last`
//
// The acquisition that a reading times is the last before that reading and the first after the one before it. A thread
// without a reading in the window, one that waited all the while, went from `before` to `left`.

#ifndef SYNCHRO_EXPERIMENTS_LOCKS_TALLY_HPP
#define SYNCHRO_EXPERIMENTS_LOCKS_TALLY_HPP

#include <cstdint>
#include <vector>

namespace synchro::experiments::locks::detail {

/// What a thread has done since the team began.
struct counts {
  std::uint64_t acquisitions = 0;
  std::uint64_t shared = 0;     ///< Of these, with readers.
  std::uint64_t hand_offs = 0;  ///< Of these, alone after another thread was alone.
  std::uint64_t torn = 0;       ///< Of these, those that saw another holder's half-done change.

  [[nodiscard]] std::uint64_t exclusive() const { return acquisitions - shared; }
  counts& operator+=(const counts& o) {
    acquisitions += o.acquisitions;
    shared += o.shared;
    hand_offs += o.hand_offs;
    torn += o.torn;
    return *this;
  }
};

/// How far a thread was at a moment, in ticks.
struct reading {
  std::uint64_t at = 0;
  counts so_far = {};
};

/// What one thread has to tell.
struct tally {
  reading before;  ///< The last reading before the window opened; else the team's begin.
  reading first;   ///< The first in the window, without the acquisition that it timed; else `left`.
  reading last;    ///< The last in the window; else `before`.
  reading left;    ///< When the thread stopped.
  std::uint64_t opened_at = 0;
  std::uint64_t longest_span = 0;
  std::vector<std::uint64_t> waits = {};
};

/// What a thread did in a time; no whole numbers, for its ends are between readings.
struct share {
  double exclusive = 0;
  double shared = 0;
  double hand_offs = 0;
};

/// How far a thread was at `when`, between two of its readings.
inline share between(const reading& a, const reading& b, std::uint64_t when) {
  const double part = when <= a.at  ? 0
                      : when < b.at ? static_cast<double>(when - a.at) / static_cast<double>(b.at - a.at)
                                    : 1;
  const auto of = [part](std::uint64_t from, std::uint64_t to) {
    return static_cast<double>(from) + part * static_cast<double>(to - from);
  };
  return {of(a.so_far.exclusive(), b.so_far.exclusive()), of(a.so_far.shared, b.so_far.shared),
          of(a.so_far.hand_offs, b.so_far.hand_offs)};
}

/// What the thread did from `opened` to `closed`.
inline share within(const tally& t, std::uint64_t opened, std::uint64_t closed) {
  const share from = between(t.before, t.first, opened);
  const share to = between(t.last, t.left, closed);
  return {to.exclusive - from.exclusive, to.shared - from.shared, to.hand_offs - from.hand_offs};
}

}  // namespace synchro::experiments::locks::detail

#endif
