// Messages on a model: between two threads, and from clients to a server.
//
// Messages travel over coherence, or by the network of a model that has one. A ring takes its slots from the program's own
// heap, where they lie otherwise in every run: of what travels over coherence, only channels and mailboxes are simulated.

#include "experiments/messages/messages.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "experiments/framework/axes.hpp"
#include "experiments/messages/pair.hpp"
#include "experiments/messages/server.hpp"
#include "simulations/copying.hpp"
#include "simulations/networked.hpp"
#include "simulations/paper_messages.hpp"
#include "simulations/simulations.hpp"
#include "simulator/laboratory.hpp"
#include "synchro/messages/spin_fetching.hpp"

namespace synchro::simulations {

using namespace experiments;
using simulator::model;

namespace {

static_assert(sizeof(basic_channel<messages::line_message, copying>) == cpu::cache_line);

using laboratory = copying_laboratory;

/// What a model has, of these means and the network.
axis means_axis(const model_ptr& m, const axis& original, std::vector<std::string> over_coherence) {
  if (m->network()) over_coherence.emplace_back(by_network);
  return word_axis(original.name, original.line, over_coherence);
}

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
  if (means == paper_channel_name)
    return messages::pair_runner_of<laboratory, paper_channels<paper_looks::of_two>>(size);
  if (means == paper_channel_plain_name)
    return messages::pair_runner_of<laboratory, paper_channels<paper_looks::plain>>(size);
  if (means == by_network) return messages::pair_runner_of<laboratory, wires>(size);
  throw std::out_of_range{"'" + means + "' is not simulated"};
}

repetition measure_pair(const model& m, const setting&, const coordinates& at, std::uint64_t seed) {
  const auto [from, to] = first_pair(m, at.word("distance")).value();
  simulator::world w{m, seed};
  simulator::world::current().home_here();
  return record_pair(runner_of(at.word("means"), at.word("size"))({from, to, 5, 20, 10}), 1 / m.ghz());
}

// ---- to a server

double window_cycles(level l) { return l == level::quick ? 2e5 : l == level::standard ? 5e5 : 2e6; }

messages::server_outcome serve(const std::string& means, bool word, const messages::server_task& task) {
  using messages::server_trial, messages::serve_clients, messages::line_message;
  if (means == by_network)
    return word ? server_trial<laboratory, number_message, network_office<number_message>>{task}.run()
                : server_trial<laboratory, line_message, network_office<line_message>>{task}.run();
  if (means == paper_mailbox_name)
    return word ? server_trial<laboratory, messages::word_message, paper_office<messages::word_message>>{task}.run()
                : server_trial<laboratory, line_message, paper_office<line_message>>{task}.run();
  return word ? serve_clients<laboratory, messages::word_message, spin>(task)
              : serve_clients<laboratory, line_message, spin>(task);
}

repetition measure_server(const model& m, const setting& s, const coordinates& at, std::uint64_t seed) {
  const messages::server_task task{server_team(s, at), static_cast<unsigned>(at.number("threads")),
                                   window_cycles(s.thoroughness) / m.ghz(),
                                   static_cast<std::uint64_t>(at.number("work")), at.word("protocol") == "round_trip"};
  simulator::world w{m, seed};
  simulator::world::current().home_here();
  return record_server(serve(at.word("means"), at.word("size") == "word", task));
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
  experiment e = on_model(experiments::messages_pair(), m, 0.002, measure_pair);
  for (axis& a : e.axes) {
    if (a.name == "means")
      a = means_axis(m, a, {"channel", "channel/fetch", paper_channel_name, paper_channel_plain_name});
    if (a.name == "distance")
      a.values = [m](const setting&) { return std::vector<coordinate>(m->distances().begin(), m->distances().end()); };
  }
  e.unavailable = [m](const setting&, const coordinates& at) -> std::optional<std::string> {
    if (first_pair(*m, at.word("distance"))) return std::nullopt;
    return "no two processors of the model are " + at.word("distance") + " apart";
  };
  e.processors = [m](const setting&, const coordinates& at) {
    const auto pair = first_pair(*m, at.word("distance"));
    return pair ? std::vector<unsigned>{pair->first, pair->second} : std::vector<unsigned>{};
  };
  return e;
}

experiment messages_server(const model_ptr& m) {
  experiment e = on_model(experiments::messages_server(), m, 0.02, measure_server);
  for (axis& a : e.axes) {
    if (a.name == "means") a = means_axis(m, a, {"mailbox", paper_mailbox_name});
    if (a.name == "threads") a = clients_axis(m, a);
  }
  e.unavailable = [mailbox = e.unavailable](const setting& s, const coordinates& at) {
    if (at.word("means") == by_network && crowded_server(s, at))
      return std::optional<std::string>{"the network has one queue for a processor: clients and server need one each"};
    return mailbox(s, at);
  };
  return e;
}

}  // namespace synchro::simulations
