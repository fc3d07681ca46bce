// How often the line of a fair mutex is passed. Thread 0 looks before it stands in line, and so may pass; the others stand
// in line at once, so that whoever waits does so in line.

#include <string>
#include <vector>

#include "explorer/clients/order_clients.hpp"
#include "synchro/locks/fair_mutex.hpp"
#include "synchro/waiting.hpp"

namespace synchro::explorer {

namespace {

struct first_looks : explored {
  static looks spin_looks() { return looks{world::current().self() == 0 ? 1U : 0U}; }
};

using fair_lock = basic_fair_mutex_lock<first_looks, spin_park>;
using programs = lock_programs<fair_lock>;

program passed(std::uint32_t limit, const std::vector<unsigned>& turns) {
  std::string name =
      "passed at most " + std::to_string(limit) + " times, " + std::to_string(turns[0]) + " turns beside";
  for (std::size_t t = 1; t < turns.size(); ++t) name += " " + std::to_string(turns[t]);
  return order_clients<fair_lock>::in_order(name, turns, limit, fair_lock::bypasses{limit}).done();
}

}  // namespace

void add_fair_mutex(subjects& to);
void add_fair_mutex(subjects& to) {
  using enum deed;
  std::vector<check> all;
  all.push_back({passed(1, {3, 1}), depth::exhausted});
  all.push_back({passed(2, {4, 1}), depth::as_far_as_fits});
  all.push_back({passed(1, {3, 1, 1}), depth::as_far_as_fits});
  all.push_back({passed(1, {3, 2}), depth::as_far_as_fits});
  all.push_back({programs::play("takes and tries", {{lock, lock}, {lock, try_lock}}).done(), depth::exhausted});
  for (const std::uint32_t limit : {0U, 1U})
    all.push_back({programs::play("beside two, limit " + std::to_string(limit), {{lock, lock}, {lock}, {lock}},
                                  fair_lock::bypasses{limit})
                       .done(),
                   depth::as_far_as_fits});
  to.push_back({"fair_mutex/bound", "synchro/locks/fair_mutex.hpp", std::move(all)});
}

}  // namespace synchro::explorer
