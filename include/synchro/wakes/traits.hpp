// What a wake primitive is, and what it says of itself.
//
// A wake primitive lets sleepers wait for one thread's trigger:
//
//   P(n)           for n sleepers, numbered from 0
//   wait(i)        sleeper i waits for the next trigger. Sleeper i's k-th wait returns after the k-th trigger: a trigger
//                  that comes before the sleeper does is not lost, its wait returns at once.
//                  What it returns, if anything, is true for a trigger, however late the sleeper comes. So it is with
//                  every other way to wait for one: false means that no trigger had come, and the sleeper gave up or was
//                  stopped.
//   trigger()      releases all n. One thread triggers, and not again before all have returned from their waits.
//
// and, where it is so,
//
//   P(n, k)        for n sleepers, k of them in a group (what a group is, the primitive says)
//   arm()          what the triggering thread has to prepare once all sleepers wait, before it triggers
//   trigger_each() the same as trigger(), by one call for each sleeper
//   merges_triggers  true: trigger() may come before all have returned. A late sleeper then returns once for several, and may
//                  return for one that it was not waiting for.
//
// An event (set, reset, wait) is no such thing by itself: any thread may set it, any number may wait, and what came before
// is not counted. The catalog makes a wake primitive of it by using two by turns (src/catalog/wake_line.hpp).

#ifndef SYNCHRO_WAKES_TRAITS_HPP
#define SYNCHRO_WAKES_TRAITS_HPP

#include <string_view>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// The words and promises that only the author of a wake primitive knows.
struct wake_traits {
  std::string_view judgement;  ///< One line: when to choose it, when not.
  bool one_call = true;        ///< trigger() releases all n by one call.
  bool splittable = true;      ///< The sleepers may be divided among several objects.
  std::string_view citation;   ///< Where it comes from.
  std::string_view runtime =
      {};  ///< The runtime library it belongs to ("libstdc++"); empty: this library or the system.
};

template <class P>
concept wake_primitive = requires(P& p, unsigned i) {
  p.wait(i);
  p.trigger();
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
