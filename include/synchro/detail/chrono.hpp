// Durations, time points and the clocks, without the rest of <chrono>.
//
// In C++20 <chrono> brings calendars, time zones and formatting: 70,000 lines in GCC 14, for a lock of four bytes. Each
// standard library's <mutex> has the types complete, for std::timed_mutex takes them.

#ifndef SYNCHRO_DETAIL_CHRONO_HPP
#define SYNCHRO_DETAIL_CHRONO_HPP

#include <mutex>  // IWYU pragma: export

#include "synchro/version.hpp"

#endif
