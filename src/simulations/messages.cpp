// Messages on a model: between two threads, and from clients to a server.
//
// Messages travel over coherence; hardware queues for messages, as the Tilera has, are not modelled. A ring takes its
// slots from the program's own heap, where they lie otherwise in every run: only channels and mailboxes are simulated.

#include "experiments/messages/messages.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include "experiments/framework/axes.hpp"
#include "experiments/messages/pair.hpp"
#include "experiments/messages/server.hpp"
#include "simulations/simulations.hpp"
#include "simulator/laboratory.hpp"
#include "synchro/messages/spin_fetching.hpp"

namespace synchro::simulations {

using namespace experiments;
using simulator::model;
using simulator::simulated;

namespace {

/// Aligned as a message is, so that a channel still fills one line.
struct eight_bytes {
  std::uint32_t low, high;
};

/// A message, copied eight bytes at a time.
template <class T>
class copied {
 public:
  copied(const T& value) { *this = value; }  // NOLINT(google-explicit-constructor)
  copied& operator=(const T& value) {
    bytes all{};
    std::memcpy(all.data(), &value, sizeof(T));
    for (std::size_t i = 0; i != chunks; ++i) chunks_[i] = all[i];
    if constexpr (odd) rest_ = all[chunks].low;
    return *this;
  }
  operator T() const {  // NOLINT(google-explicit-constructor)
    bytes all{};
    for (std::size_t i = 0; i != chunks; ++i) all[i] = chunks_[i];
    if constexpr (odd) all[chunks].low = rest_;
    T value;
    std::memcpy(static_cast<void*>(&value), all.data(), sizeof(T));
    return value;
  }

 private:
  static constexpr std::size_t chunks = sizeof(T) / 8;
  static constexpr bool odd = sizeof(T) % 8 == 4;
  static_assert(odd && alignof(T) == 4);
  using bytes = std::array<eight_bytes, chunks + 1>;

  std::array<simulated::plain<eight_bytes>, chunks> chunks_;
  simulated::plain<std::uint32_t> rest_{0};
};

/// The simulated machine, whose plain fields may also be longer than a register, and whose threads look at as many words
/// as they like: one after the other, as a server does that polls.
struct copying : simulated {
  template <class T>
  using plain = std::conditional_t<(sizeof(T) > 8), copied<T>, simulated::plain<T>>;

  template <class Step, class... T>
  static std::tuple<T...> await_any(order o, Step step, const atomic<T>&... words) {
    for (std::uint32_t round = 0;; ++round) {
      const std::tuple<T...> values{words.load(o)...};
      const look answer =
          std::apply([&](const T&... v) -> look { return synchro::detail::ask(step, round, v...); }, values);
      if (answer.is_content()) return values;
      pause(answer.pauses());
    }
  }
};
static_assert(sizeof(basic_channel<messages::line_message, copying>) == cpu::cache_line);

struct laboratory : simulator::laboratory {
  using machine = copying;
};

// ---- between two threads

std::optional<std::pair<unsigned, unsigned>> first_pair(const model& m, const std::string& distance) {
  const auto number = m.distance_number(distance);
  for (unsigned a = 0; a < m.processors(); ++a)
    for (unsigned b = 0; b < m.processors(); ++b)
      if (a != b && m.between(m.core_of(a), m.core_of(b)) == number) return std::pair{a, b};
  return std::nullopt;
}

messages::pair_runner runner_of(const std::string& means, const std::string& size) {
  if (means == "channel/fetch")
    return messages::pair_runner_of<laboratory, messages::channels<copying, spin_fetching>>(size);
  if (means == "channel") return messages::pair_runner_of<laboratory, messages::channels<copying, spin>>(size);
  throw std::out_of_range{"'" + means + "' is not simulated"};
}

repetition measure_pair(const model& m, const coordinates& at, std::uint64_t seed) {
  const auto [from, to] = first_pair(m, at.word("distance")).value();
  simulator::world w{m, seed};
  simulator::world::current().home_here();
  return record_pair(runner_of(at.word("means"), at.word("size"))({from, to, 5, 20, 10}));
}

// ---- to a server

double window_cycles(level l) { return l == level::quick ? 2e5 : l == level::standard ? 5e5 : 2e6; }

repetition measure_server(const model& m, const setting& s, const coordinates& at, std::uint64_t seed) {
  const messages::server_task task{server_team(s, at), static_cast<unsigned>(at.number("threads")),
                                   window_cycles(s.thoroughness) / m.ghz(),
                                   static_cast<std::uint64_t>(at.number("work")), at.word("protocol") == "round_trip"};
  simulator::world w{m, seed};
  simulator::world::current().home_here();
  return record_server(at.word("size") == "word"
                           ? messages::serve_clients<laboratory, messages::word_message, spin>(task)
                           : messages::serve_clients<laboratory, messages::line_message, spin>(task));
}

/// The model's own numbers, less the server.
axis clients_axis(const model_ptr& m, const axis& original) {
  axis a = original;
  a.values = [threads = threads_axis(m)](const setting& s) {
    std::set<std::int64_t> counts{1};
    for (const coordinate& c : threads.values(s)) {
      const std::int64_t clients = std::get<std::int64_t>(c) - 1;
      if (clients >= 1 && clients <= messages::most_clients) counts.insert(clients);
    }
    return std::vector<coordinate>(counts.begin(), counts.end());
  };
  return a;
}

}  // namespace

experiment messages_pair(const model_ptr& m) {
  experiment e = experiments::messages_pair();
  for (axis& a : e.axes) {
    if (a.name == "means") a = word_axis(a.name, a.line, {"channel", "channel/fetch"});
    if (a.name == "distance")
      a.values = [m](const setting&) { return std::vector<coordinate>(m->distances().begin(), m->distances().end()); };
  }
  e.obstacle = [m](const setting&, const coordinates& at) -> std::optional<std::string> {
    if (first_pair(*m, at.word("distance"))) return std::nullopt;
    return "no two processors of the model are " + at.word("distance") + " apart";
  };
  e.seconds = [](const setting&, const coordinates&) { return 0.002; };
  e.processors = [m](const setting&, const coordinates& at) {
    const auto pair = first_pair(*m, at.word("distance"));
    return pair ? std::vector<unsigned>{pair->first, pair->second} : std::vector<unsigned>{};
  };
  e.measure = [m](const setting&, const coordinates& at, std::uint64_t seed) { return measure_pair(*m, at, seed); };
  e.repetitions = seeds_at;
  return e;
}

experiment messages_server(const model_ptr& m) {
  experiment e = experiments::messages_server();
  for (axis& a : e.axes) {
    if (a.name == "means") a = word_axis(a.name, a.line, {"mailbox"});
    if (a.name == "threads") a = clients_axis(m, a);
    if (a.name == "placement") a = placement_axis();
  }
  e.seconds = [](const setting&, const coordinates&) { return 0.02; };
  e.measure = [m](const setting& s, const coordinates& at, std::uint64_t seed) {
    return measure_server(*m, s, at, seed);
  };
  e.repetitions = seeds_at;
  return e;
}

}  // namespace synchro::simulations
