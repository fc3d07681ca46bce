// Hash table by message passing: each part of it belongs to a server, and clients ask.
//
// Problem. The lines of a table that all threads share, and those of its locks, go from one cache to the other with every
// write. Where many threads want few buckets, each operation waits for such transfers one after the other.
//
// Picture.   client 0 --request-->  server 0 | part 0: keys whose hash is small |
//            client 0 <--answer---                                                    a thread each
//            client 1 --request-->  server 1 | part 1: keys whose hash is large |
//
//   client   picks the server by the hash of the key, sends it a request and waits for the answer: a round trip.
//   server   takes requests from whichever client has sent, in turn, and answers them. It alone touches its part, so it takes
//            no lock.
//
// Choose it where few buckets are wanted by many threads on many sockets, and threads can be spared for serving: SSYNC found
// it ahead of every lock there. Do not choose it otherwise: a shared table (hash_table.hpp) does an operation in the time of
// a fraction of a round trip, and readers of a shared table do not wait for each other. Functions cannot be sent:
// delegation/ is for them.
//
// Memory orders. None of its own: messages carry what is handed over (messages/channel.hpp), an exception, too.
//
// Source: David, Guerraoui, Trigonakis: Everything You Always Wanted to Know about Synchronization but Were Afraid to Ask,
// SOSP 2013, sections 4.3 and 6.3 (ssht by message passing).

#ifndef SYNCHRO_HASH_TABLE_SERVED_HASH_TABLE_HPP
#define SYNCHRO_HASH_TABLE_SERVED_HASH_TABLE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "synchro/detail/exceptions.hpp"
#include "synchro/hardware.hpp"
#include "synchro/hash_table/hash_table.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/mailbox.hpp"
#include "synchro/shape.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// A policy of bucket_lock.hpp for a table that one thread uses at a time: it takes nothing.
struct unguarded {
  static constexpr bool readers_lock = false;
  static constexpr bool version_is_lock = false;

  template <class Machine>
  class locks {
    using word = typename Machine::template atomic<std::uint32_t>;

   public:
    locks(std::size_t /*buckets*/, const shape& /*threads*/) {}
    static std::uint32_t lock(word& /*version*/, std::uint64_t /*bucket*/) noexcept { return 0; }
    static void begin(word& /*version*/, std::uint32_t /*seen*/) noexcept {}
    static void unlock(word& /*version*/, std::uint64_t /*bucket*/, std::uint32_t /*seen*/, bool /*changed*/) noexcept {
    }
  };
};

/// A number and room for `Bytes` behind it; words of four bytes, which every machine copies.
template <std::size_t Bytes>
class table_message {
 public:
  table_message() = default;
  template <class Head, class... Values>
  requires std::is_enum_v<Head>
  explicit table_message(Head head, const Values&... values) {
    static_assert((sizeof(Values) + ... + 0) <= Bytes);
    words_[0] = static_cast<std::uint32_t>(head);
    auto* to = reinterpret_cast<std::byte*>(&words_[1]);
    ((std::memcpy(to, &values, sizeof values), to += sizeof values), ...);
  }

  template <class Head>
  [[nodiscard]] Head head() const {
    return static_cast<Head>(words_[0]);
  }
  /// The value that begins at this byte behind the head.
  template <class T, std::size_t Begin>
  [[nodiscard]] T value() const {
    static_assert(Begin + sizeof(T) <= Bytes);
    T read;
    std::memcpy(static_cast<void*>(&read), reinterpret_cast<const std::byte*>(&words_[1]) + Begin, sizeof read);
    return read;
  }

 private:
  std::array<std::uint32_t, 1 + (Bytes + 3) / 4> words_{};
};

}  // namespace detail

/// How many threads serve, and how many ask.
struct served_by {
  unsigned servers = 1;
  unsigned clients = 1;
};

/// Key and T are trivially copyable. `Most`: how many clients there can be, at most 64. Example:
///
///     synchro::served_hash_table<std::uint64_t, price> prices{{.servers = 2, .clients = 6}};
///     // server s, until all clients have left          // client c
///     prices.serve(s);                                  auto mine = prices.join(c);
///                                                       mine.insert(id, p);
///                                                       if (const auto found = mine.find(id)) use(*found);
template <class Key, class T, class Machine = hardware, class Waiting = spin_yield, std::size_t Most = 16,
          class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class basic_served_hash_table {
  static_assert(detail::copied_as_words<Key> && detail::copied_as_words<T>, "messages are copied as bytes");

  enum class wish : std::uint32_t { find, insert, assign, erase };
  enum class said : std::uint32_t { no, yes, thrown };
  using request = detail::table_message<sizeof(Key) + sizeof(T)>;
  using reply = detail::table_message<sizeof(T)>;

 public:
  using key_type = Key;
  using mapped_type = T;
  using part_type = basic_hash_table<Key, T, Machine, detail::unguarded, Hash, Equal>;
  static constexpr std::size_t most_clients = Most;

  /// Takes memory for so many elements; each part grows by itself. Throws std::length_error if there are no servers, no
  /// clients or too many, and std::bad_alloc.
  explicit basic_served_hash_table(served_by team, std::size_t elements = 64, Hash hash = {}, Equal equal = {})
      : basic_served_hash_table{hash, equal, team, share(elements, team)} {}
  /// So many buckets, of all parts together, which stay as they are; each part's are rounded up to a power of two.
  basic_served_hash_table(served_by team, fixed_buckets fixed, Hash hash = {}, Equal equal = {})
      : basic_served_hash_table{hash, equal, team, fixed_buckets{share(fixed.count, team)}} {}

  /// Answers what clients ask of this part, until all have left. One thread for each server; it may be called again. Throws
  /// std::out_of_range if there is no such server.
  void serve(unsigned server) {
    office& mine = at(server);
    while (const auto got = mine.requests.receive_any(~std::uint64_t{0} >> (64 - clients_)))
      mine.replies[got->client].send(answer(mine, got->client, got->message));
  }

  /// One client's access. It leaves when it is destroyed. Servers must serve while it asks: it waits for them.
  class client {
   public:
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() { leave(); }

    // What the server throws (a hash, an Equal, std::bad_alloc) has changed nothing, and is thrown here. A client that has left gets
    // std::logic_error.

    /// A copy of the value; nothing if the key is not there.
    [[nodiscard]] std::optional<T> find(const Key& key) {
      const reply got = ask(wish::find, key, T{});
      if (got.template head<said>() == said::no) return std::nullopt;
      return got.template value<T, 0>();
    }
    [[nodiscard]] bool contains(const Key& key) { return find(key).has_value(); }
    /// False, and nothing is changed, if the key is there.
    bool insert(const Key& key, const T& value) { return is_yes(ask(wish::insert, key, value)); }
    /// False if the key was there: its value is replaced.
    bool insert_or_assign(const Key& key, const T& value) { return is_yes(ask(wish::assign, key, value)); }
    /// False if the key is not there.
    bool erase(const Key& key) { return is_yes(ask(wish::erase, key, T{})); }

    /// Asks no more, nor does anybody with this number. A second call does nothing.
    void leave() noexcept {
      for (auto& each : of_.offices_) each->requests.from(number_).close();
    }

   private:
    friend basic_served_hash_table;
    client(basic_served_hash_table& of, unsigned number) : of_{of}, number_{number} {}

    static bool is_yes(const reply& got) { return got.template head<said>() == said::yes; }

    reply ask(wish what, const Key& key, const T& value) {
      office& to = *of_.offices_[of_.part_of(key)];
      if (!to.requests.from(number_).send(request{what, key, value}))
        detail::raise(std::logic_error{"served_hash_table: this client has left"});
      const reply got = *to.replies[number_].receive();
      if (got.template head<said>() == said::thrown) std::rethrow_exception(std::exchange(to.thrown[number_], nullptr));
      return got;
    }

    basic_served_hash_table& of_;
    unsigned number_;
  };

  /// For one thread at a time with each number. Throws std::out_of_range if there is no such client.
  [[nodiscard]] client join(unsigned number) {
    if (number >= clients_) detail::raise(std::out_of_range{"served_hash_table: there is no such client"});
    return client{*this, number};
  }

  [[nodiscard]] unsigned servers() const { return static_cast<unsigned>(offices_.size()); }
  [[nodiscard]] unsigned clients() const { return clients_; }
  /// The server that has the key, or will have it.
  [[nodiscard]] unsigned part_of(const Key& key) const {
    const std::uint64_t h = detail::whole_hash(hash_, key);
    return static_cast<unsigned>(((h ^ h >> 32) * 0x9e37'79b9'7f4a'7c15 >> 32) * offices_.size() >> 32);
  }
  /// What a server has: for itself alone while it serves, and for anybody before and afterwards. Throws std::out_of_range.
  [[nodiscard]] part_type& part(unsigned server) { return at(server).part; }
  /// Counts the elements. While nobody serves.
  [[nodiscard]] std::size_t size() const {
    std::size_t n = 0;
    for (const auto& each : offices_) n += each->part.size();
    return n;
  }

 private:
  struct office {
    template <class Room>
    office(Room room, const Hash& hash, const Equal& equal) : part{room, hash, equal} {}

    basic_mailbox<request, Most, Machine, Waiting> requests;
    std::array<basic_channel<reply, Machine, Waiting>, Most> replies;
    std::array<std::exception_ptr, Most> thrown;  // as the channel beside it: the server's, then the client's
    part_type part;
  };
  struct destroyer {
    void operator()(office* o) const { Machine::destroy(o); }
  };
  static std::size_t share(std::size_t of_all, served_by team) {
    const std::size_t servers = std::max(1U, team.servers);
    return of_all / servers + (of_all % servers != 0 ? 1 : 0);
  }

  template <class Room>
  basic_served_hash_table(const Hash& hash, const Equal& equal, served_by team, Room of_each)
      : clients_{team.clients}, hash_{hash} {
    if (team.servers == 0) detail::raise(std::length_error{"served_hash_table: there is no server"});
    if (team.clients == 0) detail::raise(std::length_error{"served_hash_table: there is no client"});
    if (team.clients > Most)
      detail::raise(std::length_error{"served_hash_table: there are more clients than its type allows"});
    for (unsigned s = 0; s != team.servers; ++s)
      offices_.emplace_back(Machine::template make<office>(of_each, hash, equal));
  }

  office& at(unsigned server) const {
    if (server >= servers()) detail::raise(std::out_of_range{"served_hash_table: there is no such server"});
    return *offices_[server];
  }

  static reply answer(office& mine, std::size_t client, const request& asked) noexcept {
    return detail::or_if_thrown([&] { return answer(mine.part, asked); },
                                [&] {
                                  mine.thrown[client] = std::current_exception();
                                  return reply{said::thrown};
                                });
  }
  static reply answer(part_type& part, const request& asked) {
    const auto as_said = [](bool yes) { return reply{yes ? said::yes : said::no}; };
    const Key key = asked.template value<Key, 0>();
    const T value = asked.template value<T, sizeof(Key)>();
    switch (asked.template head<wish>()) {
      case wish::insert:
        return as_said(part.insert(key, value));
      case wish::assign:
        return as_said(part.insert_or_assign(key, value));
      case wish::erase:
        return as_said(part.erase(key));
      case wish::find:
        break;
    }
    const std::optional<T> found = part.find(key);
    return found ? reply{said::yes, *found} : reply{said::no};
  }

  const unsigned clients_;
  [[no_unique_address]] Hash hash_;
  std::vector<std::unique_ptr<office, destroyer>> offices_;
};

template <class Key, class T, std::size_t Most = 16, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
using served_hash_table = basic_served_hash_table<Key, T, hardware, spin_yield, Most, Hash, Equal>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
