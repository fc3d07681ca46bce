// The paper's hash table by message passing (main_mp.c; ssht.hpp names the source): each third processor serves its share of the
// buckets. What is asked is one line, with the key and a pointer, and so is the answer. A payload that is got is copied by the
// server into a line of the client, who copies it from there; one that is put is a pointer alone. The client divides twice to find
// the server, which hashes.

#ifndef SYNCHRO_SIMULATIONS_ASKED_SSHT_HPP
#define SYNCHRO_SIMULATIONS_ASKED_SSHT_HPP

#include <cstdint>
#include <memory>
#include <vector>

#include "simulations/copying.hpp"
#include "simulations/ssht.hpp"
#include "synchro/hash_table/served_hash_table.hpp"

namespace synchro::simulations::ssht {

enum class wish : std::uint32_t { put, get, remove };

/// A line, beside a flag and what is asked.
using message = synchro::detail::table_message<cpu::cache_line - 2 * sizeof(std::uint32_t)>;

/// The first threads of the team serve, the others ask; `Ways`: by libssmp over coherence, or by the machine's network.
template <class Ways>
class asked_table {
 public:
  asked_table(served_by team, unsigned buckets, const spread& keys) : team_{team}, buckets_{buckets}, keys_{keys} {
    for (unsigned s = 0; s != team.servers; ++s) offices_.push_back(copying::make<office>(s, team));
    for (unsigned c = 0; c != team.clients; ++c) handed_.push_back(copying::make<line_of_payload>());
  }
  ~asked_table() {
    for (office* each : offices_) copying::destroy(each);
  }
  asked_table(const asked_table&) = delete;
  asked_table& operator=(const asked_table&) = delete;

  /// By its server, who makes its share and puts those of these keys that are its own.
  void fill(unsigned server, const std::vector<key>& first) {
    office& mine = *offices_[server];
    mine.part = std::make_unique<table>(share());
    for (const key k : first)
      if (server_of(k) == server) mine.part->put(place_of(k), k, mine.pieces);
  }
  void serve(unsigned server) {
    office& mine = *offices_[server];
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - team_.clients);
    while (const auto got = mine.requests.receive_any(all))
      mine.answers[got->client].send(message{answer(mine, got->message, got->client) ? said::yes : said::no});
  }
  [[nodiscard]] std::size_t count() const {
    std::size_t n = 0;
    for (const office* each : offices_) n += each->part->count();
    return n;
  }

  class client {
   public:
    client(asked_table& of, unsigned number) : of_{of}, number_{number} {}
    bool put(key k) { return ask(wish::put, k); }
    bool remove(key k) { return ask(wish::remove, k); }
    bool get(key k) {
      const bool found = ask(wish::get, k);
      if (found) simulated::local<payloads_of_thread>().copy.copy_from(*of_.handed_[number_]);
      return found;
    }
    void leave() {
      for (office* each : of_.offices_) each->requests.from(number_).close();
    }

   private:
    bool ask(wish what, key k) {
      divide(1);
      office& its = *of_.offices_[of_.server_of(k)];
      its.requests.from(number_).send(message{what, k});
      return its.answers[number_].receive()->template head<said>() == said::yes;
    }
    asked_table& of_;
    unsigned number_;
  };

 private:
  enum class said : std::uint32_t { no, yes };
  struct office : Ways::template office<message, message> {
    office(unsigned server, served_by team) : Ways::template office<message, message>{server, team} {}
    std::unique_ptr<table> part;
    heap pieces;
  };

  [[nodiscard]] unsigned share() const { return (buckets_ + team_.servers - 1) / team_.servers; }
  [[nodiscard]] unsigned server_of(key k) const { return keys_.bucket_of(k) / share(); }
  [[nodiscard]] std::uint32_t place_of(key k) const { return keys_.bucket_of(k) % share(); }

  bool answer(office& mine, const message& asked, std::size_t from) {
    const key k = asked.template value<key, 0>();
    hash();
    switch (asked.template head<wish>()) {
      case wish::put:
        return mine.part->put(place_of(k), k, mine.pieces);
      case wish::remove:
        return mine.part->remove(place_of(k), k, mine.pieces);
      case wish::get:
        break;
    }
    const bool found = mine.part->get(place_of(k), k);
    if (found) handed_[from]->copy_from(simulated::local<payloads_of_thread>().known);
    return found;
  }

  served_by team_;
  unsigned buckets_;
  const spread& keys_;
  std::vector<office*> offices_;
  std::vector<line_of_payload*> handed_;  // by client
};

}  // namespace synchro::simulations::ssht

#endif
