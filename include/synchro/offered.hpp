// The type behind a lock's plain name: the lock itself, or the lock with somebody who watches its use. That of a team of
// sleepers is the primitive itself, or in checked mode the checked one.
//
//   SYNCHRO_CHECKED          stops the program at the first misuse, with one sentence (synchro/checked.hpp); in every unit
//   -fsanitize=thread        tells ThreadSanitizer who has which lock, so that it reports locks taken in two orders as it
//                            does of the standard's (synchro/sanitized.hpp)
//   SYNCHRO_HELGRIND         the same for Helgrind (synchro/helgrind.hpp)
//   SYNCHRO_THREAD_SAFETY    for clang's analysis (synchro/annotations.hpp)
//
// Otherwise the plain names are the class templates and nothing else. These may be used by their own names, too:
// synchro::basic_mutex_lock<> is watched by nobody.

#ifndef SYNCHRO_OFFERED_HPP
#define SYNCHRO_OFFERED_HPP

#include "synchro/version.hpp"

#if defined(__SANITIZE_THREAD__)
#define SYNCHRO_SEEN_BY_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SYNCHRO_SEEN_BY_THREAD_SANITIZER
#endif
#endif

#ifdef SYNCHRO_CHECKED
#include "synchro/checked.hpp"
#include "synchro/checked_team.hpp"
#elif defined(SYNCHRO_SEEN_BY_THREAD_SANITIZER)
#include "synchro/sanitized.hpp"
#elif defined(SYNCHRO_HELGRIND)
#include "synchro/helgrind.hpp"
#elif defined(SYNCHRO_THREAD_SAFETY)
#include "synchro/watched.hpp"
#endif

namespace synchro {
inline namespace SYNCHRO_ABI {

#ifdef SYNCHRO_CHECKED
template <class Lock>
using offered = checked<Lock>;
template <class Wake>
using offered_team = checked_team<Wake>;
#elif defined(SYNCHRO_SEEN_BY_THREAD_SANITIZER)
template <class Lock>
using offered = watched<Lock, detail::thread_sanitizer>;
#elif defined(SYNCHRO_HELGRIND)
template <class Lock>
using offered = watched<Lock, detail::helgrind<sizeof(Lock)> >;
#elif defined(SYNCHRO_THREAD_SAFETY)
template <class Lock>
using offered = watched<Lock, nobody>;
#else
template <class Lock>
using offered = Lock;
#endif

#ifndef SYNCHRO_CHECKED
template <class Wake>
using offered_team = Wake;
#endif

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
