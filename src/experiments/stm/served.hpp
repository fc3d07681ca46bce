// Transactions by message passing as a means: one server for three threads, and the others ask. One thread alone is a client
// beside one server.

#ifndef SYNCHRO_EXPERIMENTS_STM_SERVED_HPP
#define SYNCHRO_EXPERIMENTS_STM_SERVED_HPP

#include <algorithm>
#include <optional>

#include "experiments/stm/bank.hpp"
#include "experiments/stm/set.hpp"
#include "experiments/stm/team.hpp"
#include "synchro/stm/served_stm.hpp"

namespace synchro::experiments::transactions {

template <class Stm>
class by_messages {
 public:
  static constexpr bool counts_attempts = true;
  template <class T>
  using variable = tvar<T>;

  explicit by_messages(const task& t) : memory_{{servers_of(t.threads), clients_of(t.threads)}} {}

  [[nodiscard]] Stm& memory() { return memory_; }

  /// While it lives, this thread's transactions are those of the client of this number.
  class seat {
   public:
    seat(by_messages& of, unsigned number) : client_{of.memory_.join(number)} { mine() = &client_; }
    seat(const seat&) = delete;
    seat& operator=(const seat&) = delete;
    ~seat() { mine() = nullptr; }

   private:
    typename Stm::client client_;
  };

  template <class F>
  auto atomically(F&& f) {
    return mine()->atomically(f);
  }
  template <class F>
  auto read_only(F&& f) {
    return mine()->read_only(f);
  }

 private:
  static typename Stm::client*& mine() {
    static thread_local typename Stm::client* one = nullptr;
    return one;
  }

  Stm memory_;
};

/// As play, with threads that serve.
template <class Workload>
outcome play_served(const task& t) {
  const unsigned servers = servers_of(t.threads), clients = clients_of(t.threads);
  std::optional<Workload> shared;
  measure::host::team(t.cpus, 1, [&](unsigned) { shared.emplace(t); });
  outcome o;
  o.threads.resize(clients);
  o.counts_attempts = true;
  std::vector<std::vector<choice>> choices(clients);
  measure::host::team(t.cpus, servers + clients, [&](unsigned index) {
    if (index >= servers) choices[index - servers] = choices_of<Workload>(t, index - servers);
  });
  o.team = measure::host::team(t.cpus, servers + clients, [&](unsigned index) {
    auto& memory = shared->memory();
    if (index < servers) return memory.memory().serve(index);
    const typename Workload::memory_type::seat mine{memory, index - servers};
    o.threads[index - servers] = work_on(*shared, t, choices[index - servers]);
  });
  o.broken = shared->broken(o.threads);
  return o;
}

/// With the smallest room of 4, 16 and 64 clients that is enough.
template <class Manager, template <class> class Workload>
outcome use_served(const task& t) {
  const unsigned clients = clients_of(t.threads);
  if (clients <= 4) return play_served<Workload<by_messages<served_stm<Manager, 4>>>>(t);
  if (clients <= 16) return play_served<Workload<by_messages<served_stm<Manager, 16>>>>(t);
  return play_served<Workload<by_messages<served_stm<Manager, most_clients>>>>(t);
}

}  // namespace synchro::experiments::transactions

#endif
