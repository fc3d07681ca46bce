// Locked: execute(fn) under any lock of the catalog.
//
// Problem. A program that calls execute should be able to try a plain lock without being written anew.
//
// Picture.   lock, fn(), unlock        on the calling thread
//
// Choose it where fn touches much that belongs to its caller, or where contention is rare. Do not choose it where many
// processors want the same few lines: there the data stay with a combiner (cc_synch.hpp).
//
// Memory orders. Those of the lock.

#ifndef SYNCHRO_DELEGATION_LOCKED_HPP
#define SYNCHRO_DELEGATION_LOCKED_HPP

#include <mutex>
#include <type_traits>

#include "synchro/delegation/request.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `Lock` is anything with lock and unlock. Example: `synchro::locked<synchro::mcs_lock> account;`
template <class Lock>
class locked {
 public:
  locked() = default;
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;

  /// Runs fn alone and returns what it returns; what it throws is thrown here. May also throw what lock() throws.
  template <class F>
  std::invoke_result_t<F&> execute(F&& fn) {
    const std::lock_guard<Lock> guard{lock_};
    return fn();
  }

 private:
  Lock lock_;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
