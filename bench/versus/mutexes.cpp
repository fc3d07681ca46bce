#include <mutex>

#include "contenders.hpp"
#include "peers.hpp"
#include "synchro/locks/mutex.hpp"

namespace synchro::bench {

void add_mutexes(std::vector<contest>& all, const situation& where) {
  all.push_back(make_contest<plain_form<basic_mutex_lock<>>, plain_form<std::mutex>>("mutex", "std/mutex", where));
}

}  // namespace synchro::bench
