// What clang's analysis of thread safety is told, and nothing for anybody else.
//
//   clang++ -DSYNCHRO_THREAD_SAFETY -Wthread-safety -std=c++20 -fsyntax-only file.cpp
//
//   class account {
//     synchro::mutex lock_;
//     long balance_ SYNCHRO_GUARDED_BY(lock_) = 0;
//     void settle() SYNCHRO_REQUIRES(lock_);
//   };
//
// The plain names (synchro::mutex, ...) are capabilities then, and guard and shared_guard (synchro/guard.hpp) are known to
// hold them; of std::lock_guard the analysis knows it with libc++ alone. Without SYNCHRO_THREAD_SAFETY, or with another
// compiler, all of these are empty and the plain names are what they are otherwise. Objects of the two do not link: it is
// a way to look at a program, not to build it.
//
// Source: Hutchins, Ballman, Sutherland: C/C++ Thread Safety Analysis, SCAM 2014.

#ifndef SYNCHRO_ANNOTATIONS_HPP
#define SYNCHRO_ANNOTATIONS_HPP

#include "synchro/version.hpp"

#if defined(SYNCHRO_THREAD_SAFETY) && defined(__clang__)
#define SYNCHRO_TELLS(what) __attribute__((what))
#else
#define SYNCHRO_TELLS(what)
#endif

// For fields and functions: what must be held, and how.
#define SYNCHRO_GUARDED_BY(lock) SYNCHRO_TELLS(guarded_by(lock))
#define SYNCHRO_POINTEE_GUARDED_BY(lock) SYNCHRO_TELLS(pt_guarded_by(lock))
#define SYNCHRO_REQUIRES(...) SYNCHRO_TELLS(requires_capability(__VA_ARGS__))
#define SYNCHRO_REQUIRES_SHARED(...) SYNCHRO_TELLS(requires_shared_capability(__VA_ARGS__))
#define SYNCHRO_EXCLUDES(...) SYNCHRO_TELLS(locks_excluded(__VA_ARGS__))
#define SYNCHRO_NOT_ANALYSED SYNCHRO_TELLS(no_thread_safety_analysis)

// Of locks and guards. Without arguments they mean the object itself.
#define SYNCHRO_CAPABILITY SYNCHRO_TELLS(capability("lock"))
#define SYNCHRO_SCOPED_CAPABILITY SYNCHRO_TELLS(scoped_lockable)
#define SYNCHRO_ACQUIRES(...) SYNCHRO_TELLS(acquire_capability(__VA_ARGS__))
#define SYNCHRO_ACQUIRES_SHARED(...) SYNCHRO_TELLS(acquire_shared_capability(__VA_ARGS__))
#define SYNCHRO_TRIES SYNCHRO_TELLS(try_acquire_capability(true))
#define SYNCHRO_TRIES_SHARED SYNCHRO_TELLS(try_acquire_shared_capability(true))
#define SYNCHRO_RELEASES SYNCHRO_TELLS(release_capability())
#define SYNCHRO_RELEASES_SHARED SYNCHRO_TELLS(release_shared_capability())
#define SYNCHRO_RELEASES_EITHER SYNCHRO_TELLS(release_generic_capability())

#endif
