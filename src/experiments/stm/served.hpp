// Transactions by message passing as a means: one server for three threads, and the others ask. One thread alone is a client
// beside one server.

#ifndef SYNCHRO_EXPERIMENTS_STM_SERVED_HPP
#define SYNCHRO_EXPERIMENTS_STM_SERVED_HPP

#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

#include "experiments/stm/bank.hpp"
#include "experiments/stm/set.hpp"
#include "experiments/stm/team.hpp"
#include "synchro/stm/served_stm.hpp"

namespace synchro::experiments::transactions {

template <class Stm, class Machine>
class by_messages {
 public:
  static constexpr bool counts_attempts = true;
  template <class T>
  using variable = basic_tvar<T, Machine>;

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
  struct asking {
    typename Stm::client* client = nullptr;
  };
  static typename Stm::client*& mine() { return Machine::template local<asking>().client; }

  Stm memory_;
};

/// As play, with threads that serve.
template <class Workload>
outcome play_served(const task& t) {
  using Lab = typename Workload::laboratory;
  const unsigned servers = servers_of(t.threads), clients = clients_of(t.threads);
  std::optional<Workload> shared;
  Lab::team(t.cpus, 1, [&](unsigned) { shared.emplace(t); });
  outcome o;
  o.threads.resize(clients);
  o.counts_attempts = true;
  std::vector<std::vector<choice>> choices(clients);
  Lab::team(t.cpus, servers + clients, [&](unsigned index) {
    if (index >= servers) choices[index - servers] = choices_of<Workload>(t, index - servers);
  });
  o.team = Lab::team(t.cpus, servers + clients, [&](unsigned index) {
    auto& memory = shared->memory();
    if (index < servers) return memory.memory().serve(index);
    const typename Workload::memory_type::seat mine{memory, index - servers};
    o.threads[index - servers] = work_on(*shared, t, choices[index - servers]);
  });
  o.broken = shared->broken(o.threads);
  return o;
}

/// With the smallest room of 4, 16 and 64 clients that is enough.
template <measure::laboratory Lab, class Manager, template <class, measure::laboratory> class Workload>
outcome use_served(const task& t) {
  using machine = typename Lab::machine;
  const auto with_room = [&]<std::size_t Room>(std::integral_constant<std::size_t, Room>) {
    using memory = by_messages<basic_served_stm<machine, spin_yield, Manager, Room>, machine>;
    return play_served<Workload<memory, Lab>>(t);
  };
  const unsigned clients = clients_of(t.threads);
  if (clients <= 4) return with_room(std::integral_constant<std::size_t, 4>{});
  if (clients <= 16) return with_room(std::integral_constant<std::size_t, 16>{});
  return with_room(std::integral_constant<std::size_t, most_clients>{});
}

}  // namespace synchro::experiments::transactions

#endif
