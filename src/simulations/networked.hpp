// Messages by the network of a simulated machine: what stands in the place of channels and mailboxes. Threads are known by their numbers in the team.
//
// A message goes as words of eight bytes. Where several send to one thread, the sender's number is in the first four bytes,
// as libssmp has it on the Tilera: a line is 60 bytes and the sender, and a message of one word a number and the sender.

#ifndef SYNCHRO_SIMULATIONS_NETWORKED_HPP
#define SYNCHRO_SIMULATIONS_NETWORKED_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "experiments/hashtable/workload.hpp"
#include "experiments/messages/server.hpp"
#include "simulations/copying.hpp"
#include "synchro/hash_table/served_hash_table.hpp"

namespace synchro::simulations {

/// To one thread, of which only the caller knows what it sends.
template <class Message>
class wire {
  static_assert(std::is_trivially_copyable_v<Message>);
  using words = std::array<std::uint64_t, (sizeof(Message) + 7) / 8>;

 public:
  explicit wire(unsigned to) : to_{to} {}

  void send(const Message& m) const {
    words all{};
    std::memcpy(all.data(), &m, sizeof m);
    simulator::world::current().send(to_, all);
  }
  /// Called by that thread. It always has a value, as a channel that nobody closes.
  [[nodiscard]] std::optional<Message> receive() const {
    words all{};
    for (std::uint64_t& word : all) word = simulator::world::current().receive();
    simulator::world::current().received();
    std::optional<Message> m{std::in_place};
    std::memcpy(static_cast<void*>(&*m), all.data(), sizeof *m);
    return m;
  }

 private:
  unsigned to_;
};

/// Between the first two threads of a team: the lines of a pair.
struct wires {
  template <class Message>
  struct lines {
    wire<Message> there{1}, back{0};
  };
};

/// From several clients to one server: in place of a mailbox.
template <class Message>
class post {
  static constexpr std::uint32_t closed = 0x8000'0000;
  struct letter {
    std::uint32_t from = 0;  ///< The client; with `closed`, the last letter of it, which says nothing else.
    Message message{};
  };

 public:
  struct received {
    std::size_t client;
    Message message;
  };
  class sender {
   public:
    sender(unsigned server, std::uint32_t client) : way_{server}, client_{client} {}
    void send(const Message& m) const { way_.send({client_, m}); }
    void close() const { way_.send({client_ | closed, {}}); }

   private:
    wire<letter> way_;
    std::uint32_t client_;
  };

  post(unsigned server, unsigned clients) : in_{server} {
    for (std::uint32_t c = 0; c < clients; ++c) senders_.emplace_back(server, c);
  }

  [[nodiscard]] const sender& from(std::size_t client) const { return senders_[client]; }

  /// In the order in which they come. Nothing if all of these clients have closed.
  [[nodiscard]] std::optional<received> receive_any(std::uint64_t chosen) {
    while ((chosen & ~closed_) != 0) {
      const letter got = *in_.receive();
      if ((got.from & closed) == 0) return received{got.from, got.message};
      closed_ |= std::uint64_t{1} << (got.from & ~closed);
    }
    return std::nullopt;
  }

 private:
  wire<letter> in_;
  std::vector<sender> senders_;
  std::uint64_t closed_ = 0;  // a bit for each client; the server's alone
};

/// What a server and its clients have; the server is the first thread.
template <class Message>
struct network_office {
  network_office() {
    for (unsigned c = 1; c <= experiments::messages::most_clients; ++c) answers.emplace_back(c);
  }
  post<Message> requests{0, experiments::messages::most_clients};
  std::vector<wire<Message>> answers;
};

/// A message that fills a word with the number of its sender.
struct number_message {
  std::uint32_t number = 0;
  static number_message numbered(std::uint32_t n) { return {n}; }
  [[nodiscard]] bool is(std::uint32_t n) const { return number == n; }
};

/// basic_served_hash_table over the network, as far as an experiment uses it: the first threads of the team serve, the
/// others ask. Its messages are as long as those.
class network_table {
  using key = experiments::hashtable::key;
  using payload = experiments::hashtable::payload;
  enum class wish : std::uint32_t { find, insert, erase };
  enum class said : std::uint32_t { no, yes };
  using request = detail::table_message<sizeof(key) + sizeof(payload)>;
  using reply = detail::table_message<sizeof(payload)>;

 public:
  using part_type = basic_hash_table<key, payload, copying, detail::unguarded>;

  network_table(served_by team, fixed_buckets buckets) : servers_{team.servers}, clients_{team.clients} {
    for (unsigned s = 0; s != servers_; ++s)
      offices_.emplace_back(
          copying::make<office>(s, clients_, fixed_buckets{(buckets.count + servers_ - 1) / servers_}));
  }

  void serve(unsigned server) {
    office& mine = *offices_[server];
    while (const auto got = mine.requests.receive_any(~std::uint64_t{0} >> (64 - clients_)))
      answers_to(static_cast<unsigned>(got->client)).send(answer(mine.part, got->message));
  }

  class client {
   public:
    client(network_table& of, unsigned number) : of_{of}, number_{number} {}
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() {
      for (const auto& each : of_.offices_) each->requests.from(number_).close();
    }

    [[nodiscard]] std::optional<payload> find(key k) {
      const reply got = ask(wish::find, k, {});
      return is_yes(got) ? std::optional{got.value<payload, 0>()} : std::nullopt;
    }
    bool insert(key k, const payload& p) { return is_yes(ask(wish::insert, k, p)); }
    bool erase(key k) { return is_yes(ask(wish::erase, k, {})); }

   private:
    static bool is_yes(const reply& got) { return got.head<said>() == said::yes; }
    reply ask(wish what, key k, const payload& p) {
      of_.offices_[of_.part_of(k)]->requests.from(number_).send(request{what, k, p});
      return *of_.answers_to(number_).receive();
    }

    network_table& of_;
    unsigned number_;
  };

  [[nodiscard]] client join(unsigned number) { return {*this, number}; }
  [[nodiscard]] unsigned part_of(key k) const {
    return static_cast<unsigned>(((k ^ k >> 32) * 0x9e37'79b9'7f4a'7c15 >> 32) * servers_ >> 32);
  }
  [[nodiscard]] part_type& part(unsigned server) { return offices_[server]->part; }
  [[nodiscard]] std::size_t size() const {
    std::size_t n = 0;
    for (const auto& each : offices_) n += each->part.size();
    return n;
  }

 private:
  struct office {
    office(unsigned server, unsigned clients, fixed_buckets buckets) : requests{server, clients}, part{buckets} {}
    post<request> requests;
    part_type part;
  };
  struct destroyer {
    void operator()(office* o) const { copying::destroy(o); }
  };

  [[nodiscard]] wire<reply> answers_to(unsigned number) const { return wire<reply>{servers_ + number}; }

  static reply answer(part_type& part, const request& asked) {
    const key k = asked.value<key, 0>();
    const auto as_said = [](bool yes) { return reply{yes ? said::yes : said::no}; };
    switch (asked.head<wish>()) {
      case wish::insert:
        return as_said(part.insert(k, asked.value<payload, sizeof(key)>()));
      case wish::erase:
        return as_said(part.erase(k));
      case wish::find:
        break;
    }
    const std::optional<payload> found = part.find(k);
    return found ? reply{said::yes, *found} : reply{said::no};
  }

  unsigned servers_, clients_;
  std::vector<std::unique_ptr<office, destroyer>> offices_;
};

/// The ways of a table between its clients and one of its servers.
struct network_ways {
  template <class Request, class Reply>
  struct office {
    office(unsigned server, served_by team) : requests{server, team.clients} {
      for (unsigned c = 0; c != team.clients; ++c) answers.emplace_back(team.servers + c);
    }
    post<Request> requests;
    std::vector<wire<Reply>> answers;
  };
};

}  // namespace synchro::simulations

#endif
