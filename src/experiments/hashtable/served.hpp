// A hash table by message passing: one server for three threads, each with a part of the table; the other threads ask.
//
// Every operation is a round trip, as in the paper: the client waits for the answer. A request has the key and, for a put, the
// payload; an answer says whether the key was there, and has the payload. One thread alone is a client beside one server.

#ifndef SYNCHRO_EXPERIMENTS_HASHTABLE_SERVED_HPP
#define SYNCHRO_EXPERIMENTS_HASHTABLE_SERVED_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <vector>

#include "experiments/hashtable/trial.hpp"
#include "experiments/hashtable/workload.hpp"
#include "measure/laboratory.hpp"
#include "synchro/hash_table/hash_table.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/mailbox.hpp"

namespace synchro::experiments::hashtable {

inline constexpr unsigned most_clients = 64;

[[nodiscard]] inline unsigned servers_of(unsigned threads) { return std::max(1U, threads / 3); }
[[nodiscard]] inline unsigned clients_of(unsigned threads) { return threads > 1 ? threads - servers_of(threads) : 1; }

enum class wish : std::uint32_t { get, put, remove };

/// Words, so that any machine copies them.
struct request {
  std::array<std::uint32_t, 19> words{};
};
struct reply {
  std::array<std::uint32_t, 17> words{};
};

[[nodiscard]] inline request request_of(wish what, key k, const payload& p = {}) {
  request r;
  r.words[0] = static_cast<std::uint32_t>(what);
  std::memcpy(&r.words[1], &k, sizeof k);
  std::memcpy(&r.words[3], &p, sizeof p);
  return r;
}

template <measure::laboratory Lab, unsigned Room, class Waiting>
class served_trial {
  using machine = typename Lab::machine;

  /// One server's part.
  struct office {
    basic_mailbox<request, Room, machine, Waiting> requests;
    std::array<basic_channel<reply, machine, Waiting>, Room> replies;
    own_table<machine, own_word<spin>> part;
    explicit office(unsigned buckets) : part{buckets, {}} {}
  };
  /// A client's view of all.
  class asked {
   public:
    asked(served_trial& of, unsigned client) : of_{of}, client_{client} {}
    bool get(key k, payload& to) {
      const reply r = ask(request_of(wish::get, k), k);
      std::memcpy(to.words.data(), &r.words[1], sizeof to);
      return r.words[0] != 0;
    }
    bool put(key k, const payload& p) { return ask(request_of(wish::put, k, p), k).words[0] != 0; }
    bool remove(key k) { return ask(request_of(wish::remove, k), k).words[0] != 0; }

   private:
    reply ask(const request& r, key k) {
      office& to = *of_.office_of(k);
      to.requests.from(client_).send(r);
      return *to.replies[client_].receive();
    }
    served_trial& of_;
    unsigned client_;
  };

 public:
  explicit served_trial(const table_task& task)
      : task_{task},
        keys_{keys_of(task.buckets, task.load, task.seed)},
        servers_{servers_of(task.threads)},
        clients_{clients_of(task.threads)},
        seen_(clients_),
        ends_(clients_) {
    if (task.skewed) skew_.emplace(static_cast<std::uint32_t>(keys_.size()));
  }

  [[nodiscard]] table_outcome run() {
    std::optional<typename Lab::template fresh<hours<machine>>> when;
    locks::at_first<Lab>(task_.cpus, [&] {
      for (unsigned s = 0; s < servers_; ++s) offices_.emplace_back(std::max(1U, task_.buckets / servers_));
      when.emplace();
      for (std::size_t i = 0; i < keys_.size(); i += 2)
        (*office_of(keys_[i])).part.put(keys_[i], payload::of(keys_[i]));
    });
    table_outcome o;
    o.team = Lab::team(task_.cpus, servers_ + clients_, [&](unsigned me) {
      if (me < servers_)
        serve(*offices_[me]);
      else
        use(**when, me - servers_);
    });
    o.elapsed_ns =
        Lab::to_ns(*std::max_element(ends_.begin(), ends_.end()) - (**when).begun.load(memory_order::relaxed));
    std::uint64_t there = 0;
    for (auto& each : offices_) there += (*each).part.count();
    for (const counts& c : seen_) o.operations.push_back(static_cast<double>(c.operations));
    o.broken = fault((keys_.size() + 1) / 2, sum_of(seen_), there);
    return o;
  }

 private:
  void serve(office& mine) {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - clients_);
    while (const auto got = mine.requests.receive_any(all)) {
      key k = 0;
      payload p;
      std::memcpy(&k, &got->message.words[1], sizeof k);
      std::memcpy(p.words.data(), &got->message.words[3], sizeof p);
      reply r;
      switch (static_cast<wish>(got->message.words[0])) {
        case wish::get:
          r.words[0] = mine.part.get(k, p) ? 1 : 0;
          std::memcpy(&r.words[1], &p, sizeof p);
          break;
        case wish::put:
          r.words[0] = mine.part.put(k, p) ? 1 : 0;
          break;
        case wish::remove:
          r.words[0] = mine.part.remove(k) ? 1 : 0;
      }
      mine.replies[got->client].send(r);
    }
  }

  void use(hours<machine>& when, unsigned client) {
    asked through{*this, client};
    user<asked> mine{through, keys_, skew_ ? &*skew_ : nullptr, task_.seed * 1000 + client + 1};
    ends_[client] = while_it_lasts<Lab>(when, task_.window_ns, [&](std::uint64_t n) { mine.work(n); });
    seen_[client] = mine.seen();
    for (auto& each : offices_) (*each).requests.from(client).close();
  }

  /// Keys of one bucket have one server.
  [[nodiscard]] auto& office_of(key k) { return offices_[places_.bucket(k) % task_.buckets % servers_]; }

  table_task task_;
  std::vector<key> keys_;
  std::optional<zipf> skew_;
  unsigned servers_, clients_;
  std::vector<counts> seen_;
  std::vector<std::uint64_t> ends_;
  synchro::hash_table<key, char> places_{fixed_buckets{task_.buckets}};
  std::deque<typename Lab::template fresh<office>> offices_;
};

/// With the smallest room of 4, 16 and 64 that is enough.
template <measure::laboratory Lab, class Waiting>
[[nodiscard]] table_outcome use_served(const table_task& task) {
  const unsigned clients = clients_of(task.threads);
  if (clients <= 4) return served_trial<Lab, 4, Waiting>{task}.run();
  if (clients <= 16) return served_trial<Lab, 16, Waiting>{task}.run();
  return served_trial<Lab, most_clients, Waiting>{task}.run();
}

}  // namespace synchro::experiments::hashtable

#endif
