// basic_served_hash_table by another kind of messages, as far as an experiment uses it: by a machine's network (networked.hpp), or
// as the paper's libraries do (paper_messages.hpp). The network's messages are as long as those. The paper's ssht (main_mp.c, in the
// history of github.com/LPD-EPFL/CLHT) sends one line with the key and a pointer, and one back: the server copies the payload
// that it finds into a line of the client, who reads it there, and a payload to insert is a pointer alone.

#ifndef SYNCHRO_SIMULATIONS_ASKED_TABLE_HPP
#define SYNCHRO_SIMULATIONS_ASKED_TABLE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "experiments/hashtable/workload.hpp"
#include "simulations/copying.hpp"
#include "synchro/hash_table/served_hash_table.hpp"

namespace synchro::simulations {

/// A client's line for payloads.
class alignas(cpu::cache_line) handed_payload {
  using payload = experiments::hashtable::payload;

 public:
  void copy_to(const payload& p) {
    for (std::size_t i = 0; i != words_.size(); ++i) words_[i] = p.words[i];
  }
  [[nodiscard]] payload copied_from() const {
    payload p;
    simulator::world::current().loads_are_independent(true);
    for (std::size_t i = 0; i != words_.size(); ++i) p.words[i] = words_[i];
    simulator::world::current().loads_are_independent(false);
    return p;
  }

  payload by_pointer;  ///< To insert; which takes no time.

 private:
  std::array<simulated::plain<std::uint64_t>, std::tuple_size_v<decltype(payload::words)>> words_;
};

/// The first threads of the team serve, the others ask.
template <class Ways>
class asked_table {
  using key = experiments::hashtable::key;
  using payload = experiments::hashtable::payload;
  enum class wish : std::uint32_t { find, insert, erase };
  enum class said : std::uint32_t { no, yes };
  static constexpr std::size_t one_line =
      cpu::cache_line - 2 * sizeof(std::uint32_t);  // beside a flag and what is asked
  using request = detail::table_message<Ways::hands_payloads ? one_line : sizeof(key) + sizeof(payload)>;
  using reply = detail::table_message<Ways::hands_payloads ? one_line : sizeof(payload)>;

 public:
  using part_type = basic_hash_table<key, payload, copying, detail::unguarded>;

  asked_table(served_by team, fixed_buckets buckets) : servers_{team.servers}, clients_{team.clients} {
    for (unsigned s = 0; s != servers_; ++s)
      offices_.emplace_back(copying::make<office>(s, team, fixed_buckets{(buckets.count + servers_ - 1) / servers_}));
    for (unsigned c = 0; c != clients_; ++c) handed_.emplace_back(copying::make<handed_payload>());
  }

  void serve(unsigned server) {
    office& mine = *offices_[server];
    while (const auto got = mine.requests.receive_any(~std::uint64_t{0} >> (64 - clients_)))
      mine.answers[got->client].send(answer(mine.part, got->message, *handed_[got->client]));
  }

  class client {
   public:
    client(asked_table& of, unsigned number) : of_{of}, number_{number} {}
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() {
      for (const auto& each : of_.offices_) each->requests.from(number_).close();
    }

    [[nodiscard]] std::optional<payload> find(key k) {
      const reply got = ask(wish::find, k, {});
      if (!is_yes(got)) return std::nullopt;
      if constexpr (Ways::hands_payloads)
        return of_.handed_[number_]->copied_from();
      else
        return got.template value<payload, 0>();
    }
    bool insert(key k, const payload& p) { return is_yes(ask(wish::insert, k, p)); }
    bool erase(key k) { return is_yes(ask(wish::erase, k, {})); }

   private:
    static bool is_yes(const reply& got) { return got.template head<said>() == said::yes; }
    reply ask(wish what, key k, const payload& p) {
      office& its = *of_.offices_[of_.part_of(k)];
      if constexpr (Ways::hands_payloads) {
        of_.handed_[number_]->by_pointer = p;
        its.requests.from(number_).send(request{what, k});
      } else {
        its.requests.from(number_).send(request{what, k, p});
      }
      return *its.answers[number_].receive();
    }

    asked_table& of_;
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
  struct office : Ways::template office<request, reply> {
    office(unsigned server, served_by team, fixed_buckets buckets)
        : Ways::template office<request, reply>{server, team}, part{buckets} {}
    part_type part;
  };
  struct destroyer {
    template <class T>
    void operator()(T* made) const {
      copying::destroy(made);
    }
  };

  static payload inserted(const request& asked, const handed_payload& by) {
    if constexpr (Ways::hands_payloads)
      return by.by_pointer;
    else
      return asked.template value<payload, sizeof(key)>();
  }
  static reply answer_with(const payload& found, handed_payload& to) {
    if constexpr (Ways::hands_payloads) {
      to.copy_to(found);
      return reply{said::yes};
    } else {
      return reply{said::yes, found};
    }
  }

  static reply answer(part_type& part, const request& asked, handed_payload& client) {
    const key k = asked.template value<key, 0>();
    const auto as_said = [](bool yes) { return reply{yes ? said::yes : said::no}; };
    switch (asked.template head<wish>()) {
      case wish::insert:
        return as_said(part.insert(k, inserted(asked, client)));
      case wish::erase:
        return as_said(part.erase(k));
      case wish::find:
        break;
    }
    const std::optional<payload> found = part.find(k);
    return found ? answer_with(*found, client) : reply{said::no};
  }

  unsigned servers_, clients_;
  std::vector<std::unique_ptr<office, destroyer>> offices_;
  std::vector<std::unique_ptr<handed_payload, destroyer>> handed_;  // by client
};

}  // namespace synchro::simulations

#endif
