// The list of libslock's locks (libslock.hpp), for what is made of each of them.

#ifndef SYNCHRO_SIMULATIONS_ALL_OF_LIBSLOCK_HPP
#define SYNCHRO_SIMULATIONS_ALL_OF_LIBSLOCK_HPP

#include <string>
#include <type_traits>

#include "simulations/libslock.hpp"
#include "simulations/paper_locks.hpp"
#include "synchro/locks/mutex.hpp"

namespace synchro::simulations::libslock {

/// This library's, for there is no system on a model.
class mutex : public basic_mutex_lock<simulated> {
 public:
  explicit mutex(const shape&) {}
};

/// Calls use(std::type_identity<Lock>, name, waiting) for each.
template <class Use>
void for_each_lock(Use use) {
  const auto one = [&]<class Lock>(std::type_identity<Lock> lock, const char* stem, const char* waiting = "spin") {
    use(lock, paper_library + stem, std::string{waiting});
  };
  one(std::type_identity<tas>{}, "tas");
  one(std::type_identity<ttas>{}, "ttas");
  one(std::type_identity<ticket>{}, "ticket");
  one(std::type_identity<array>{}, "array");
  one(std::type_identity<mcs>{}, "mcs");
  one(std::type_identity<clh>{}, "clh");
  one(std::type_identity<hticket>{}, "hticket");
  one(std::type_identity<hclh>{}, "hclh");
  one(std::type_identity<mutex>{}, "mutex", "park");
}

}  // namespace synchro::simulations::libslock

#endif
