// The body of messages.server: one server, which takes messages from a mailbox, and its clients.
//
//   one_way      Each client sends as fast as its channel takes it.
//   round_trip   Each client sends, and waits for the answer, which comes back on a channel of its own.
//
// Between two messages the server works for as long as it is told. Clients send until their own clock says that the time
// is over, looked at between batches (measure/batch.hpp), and close; the server ends when all have closed. A message has
// its client's next number: the server checks it, and the client checks the answer.

#ifndef SYNCHRO_EXPERIMENTS_MESSAGES_SERVER_HPP
#define SYNCHRO_EXPERIMENTS_MESSAGES_SERVER_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/on_demand.hpp"
#include "experiments/messages/message.hpp"
#include "measure/batch.hpp"
#include "measure/laboratory.hpp"
#include "synchro/messages/mailbox.hpp"

namespace synchro::experiments::messages {

inline constexpr unsigned most_clients = 64;

struct server_task {
  std::vector<unsigned> cpus;  ///< The server's first; as for a laboratory's team.
  unsigned clients;            ///< 1 to most_clients.
  double duration_ns;
  std::uint64_t work;  ///< Cycles that the server works for each message.
  bool answers;
};

struct server_outcome {
  std::vector<std::uint32_t> sent;  ///< By each client.
  std::uint64_t served = 0;
  std::uint64_t wrong = 0;  ///< Messages and answers that were not the next one, whole.
  double elapsed_ns = 0;    ///< From the first client's start to the last message served.
  measure::team_report team = {};
};

/// Serves by the means of this name messages of this size; it is in the part.
inline on_demand<server_outcome(const std::string& means, const std::string& size, const server_task&)> serve_by;

/// What carries requests to the server, and answers back to each client: with room for so many clients, as many words as a
/// look at the mailbox reads.
template <class Message, std::size_t Room, class Machine, class Waiting>
struct mailbox_office {
  basic_mailbox<Message, Room, Machine, Waiting> requests;
  std::array<basic_channel<Message, Machine, Waiting>, Room> answers;
};

template <measure::laboratory Lab, class Message, class Office>
class server_trial {
 public:
  explicit server_trial(const server_task& task)
      : task_{task}, sent_(task.clients), wrong_(task.clients + 1), begun_(task.clients) {}

  [[nodiscard]] server_outcome run() {
    std::optional<typename Lab::template fresh<Office>> memory;
    Lab::team(task_.cpus, 1, [&](unsigned) { memory.emplace(); });
    server_outcome seen;
    seen.team = Lab::team(task_.cpus, task_.clients + 1,
                          [&](unsigned index) { index == 0 ? serve(**memory) : ask(**memory, index - 1); });
    std::uint64_t begin = begun_.front();
    for (const std::uint64_t b : begun_) begin = std::min(begin, b);
    seen.sent = sent_;
    seen.served = served_;
    for (const std::uint64_t w : wrong_) seen.wrong += w;
    seen.elapsed_ns = Lab::to_ns(end_ - begin);
    return seen;
  }

 private:
  void serve(Office& it) {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - task_.clients);
    std::array<std::uint32_t, most_clients> next{};
    std::uint64_t served = 0, wrong = 0;
    while (const auto got = it.requests.receive_any(all)) {
      wrong += got->message.is(next[got->client]++) ? 0U : 1U;
      ++served;
      if (task_.work != 0) Lab::work(task_.work);
      if (task_.answers) it.answers[got->client].send(got->message);
    }
    end_ = Lab::now();
    served_ = served;
    wrong_[0] = wrong;
  }

  void ask(Office& it, unsigned client) {
    auto& request = it.requests.from(client);
    auto& answer = it.answers[client];
    const double ns_per_tick = Lab::to_ns(1);
    const auto window = static_cast<std::uint64_t>(task_.duration_ns / ns_per_tick);
    measure::batch batch{static_cast<std::uint64_t>(std::min(5000.0, task_.duration_ns / 1000) / ns_per_tick)};
    std::uint32_t number = 0;
    std::uint64_t wrong = 0;
    const std::uint64_t begin = Lab::now();
    for (std::uint64_t now = begin; now - begin < window;) {
      for (std::uint64_t left = batch.size(); left != 0; --left, ++number) {
        request.send(Message::numbered(number));
        if (task_.answers) wrong += answer.receive()->is(number) ? 0U : 1U;
      }
      const std::uint64_t then = Lab::now();
      batch.took(then - now);
      now = then;
    }
    request.close();
    begun_[client] = begin;
    sent_[client] = number;
    wrong_[client + 1] = wrong;
  }

  server_task task_;
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint64_t> wrong_, begun_;
  std::uint64_t served_ = 0, end_ = 0;
};

template <measure::laboratory Lab, class Message, std::size_t Room, class Waiting>
using mailbox_trial = server_trial<Lab, Message, mailbox_office<Message, Room, typename Lab::machine, Waiting>>;

/// With the smallest room of 1, 4, 16 and 64 that is enough.
template <measure::laboratory Lab, class Message, class Waiting>
[[nodiscard]] server_outcome serve_clients(const server_task& t) {
  if (t.clients == 1) return mailbox_trial<Lab, Message, 1, Waiting>{t}.run();
  if (t.clients <= 4) return mailbox_trial<Lab, Message, 4, Waiting>{t}.run();
  if (t.clients <= 16) return mailbox_trial<Lab, Message, 16, Waiting>{t}.run();
  return mailbox_trial<Lab, Message, most_clients, Waiting>{t}.run();
}

}  // namespace synchro::experiments::messages

namespace synchro::experiments {

/// What an outcome says; `broken` if a message was.
[[nodiscard]] repetition record_server(const messages::server_outcome& o);

/// Clients and server are more than the processors.
[[nodiscard]] bool crowded_server(const setting& s, const coordinates& at);
/// The processors of the server and of its clients, by the cell's `threads` (clients) and `placement`.
[[nodiscard]] std::vector<unsigned> server_team(const setting& s, const coordinates& at);

}  // namespace synchro::experiments

#endif
