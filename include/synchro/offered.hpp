// The type behind a lock's plain name: the lock itself, or in checked mode the lock with somebody who watches its use.
//
// With SYNCHRO_CHECKED defined in every unit of a program, synchro::mutex and the other plain names stop the program at
// the first misuse, with one sentence (synchro/checked.hpp). Without, they are the class templates and nothing else.

#ifndef SYNCHRO_OFFERED_HPP
#define SYNCHRO_OFFERED_HPP

#include "synchro/version.hpp"

#ifdef SYNCHRO_CHECKED
#include "synchro/checked.hpp"
#endif

namespace synchro {
inline namespace SYNCHRO_ABI {

#ifdef SYNCHRO_CHECKED
template <class Lock>
using offered = checked<Lock>;
#else
template <class Lock>
using offered = Lock;
#endif

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
