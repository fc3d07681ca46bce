// Transactional memory by messages as the paper's authors have published it: TM2C (github.com/trigonak/tm2c, of 2013, as its
// file `settings` configures it). Its claims are about that program, whose transactions ask otherwise than the library's.
//
//   Picture   client --write address--> server of hash(address) | 64 buckets of 3 addresses: who reads, who writes |
//             client <---- said -------
//             client --release--------> each server that it has asked, with no answer
//
//   read      asks for leave to read the address, each time that it reads it
//   write     is kept; the commit asks for leave to write (the service is lazy)
//   add       asks for leave to write at once, and then reads: one message there and back (TX_LOAD_STORE, the bank's transfer)
//   refused   if another has the address, whoever that is: BACKOFF_RETRY. The server takes back what the client had there; the client
//             releases at the other servers, rests for up to 500 ns, twice as long after each attempt up to 2^9 times as
//             long, and begins again
//   release   is sent without a look whether its line is free, as are answers on the Opteron (paper_messages.hpp)
//
// A lock is of an address, where the library has one for 32 bytes. Nobody waits for one who has something, so nobody waits in a
// circle; whoever has read an address keeps writers away until it has committed, so attempts see one moment.
//
// Left out: what a client keeps (its write set, whom it has asked) and a server's list of what a client has, which are in
// their caches, and the instructions of hashes. A write of what the transaction has written asks no more, nor does an
// `add`; TM2C's would read the old value again, and its bank moves nothing from an account to itself. The hash is of the place
// within a mebibyte, or it would follow from where the system puts memory.
//
// TM2C by shared memory, with locks of libslock (section 4.3), is not published.

#ifndef SYNCHRO_SIMULATIONS_PAPER_TRANSACTIONS_HPP
#define SYNCHRO_SIMULATIONS_PAPER_TRANSACTIONS_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/stm/served.hpp"
#include "simulations/copying.hpp"
#include "simulations/paper_messages.hpp"

namespace synchro::simulations::tm2c {

/// After the first attempt it rests for at most so long, and for at most twice as long after each one up to so many.
inline constexpr double first_rest_ns = 500;
inline constexpr unsigned most_doublings = 9;
inline constexpr double longest_rest_ns = first_rest_ns * (1U << most_doublings);

using word = simulated::atomic<std::uint64_t>;

/// A T of at most eight bytes.
template <class T>
class variable {
  static_assert(sizeof(T) == sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);

 public:
  [[nodiscard]] T alone() const { return std::bit_cast<T>(word_.load(memory_order::relaxed)); }
  void set_alone(T v) { word_.store(std::bit_cast<std::uint64_t>(v), memory_order::relaxed); }

 private:
  friend class transaction;
  word word_{0};
};

/// The last bits of an address, which are the same in each run.
inline std::uint32_t place_of(std::uint64_t address) { return static_cast<std::uint32_t>(address & 0xF'FFFF); }
/// Thomas Wang's (include/hash.h).
inline std::uint32_t hash(std::uint32_t key) {
  key += ~(key << 15);
  key ^= key >> 10;
  key += key << 3;
  key ^= key >> 6;
  key += ~(key << 11);
  key ^= key >> 16;
  return key;
}

/// A server's table, which it alone touches (src/ssht.c).
class lock_table {
  template <class T>
  using plain = simulated::plain<T>;

 public:
  /// Whether the client may read the address from now on; it had no leave to write it.
  bool lets_read(unsigned client, std::uint64_t address) {
    const auto [at, known] = find(address);
    if (known && at->writer != nobody) return false;
    if (known && at->reads[client] != 0) return true;
    at->readers = static_cast<std::uint8_t>(at->readers + 1);
    at->reads[client] = 1;
    held_[client].push_back(at);
    return true;
  }
  /// Whether it may write it; it had no leave to.
  bool lets_write(unsigned client, std::uint64_t address) {
    const auto [at, known] = find(address);
    if (known && (at->writer != nobody || at->readers > 1 || (at->readers == 1 && at->reads[client] == 0)))
      return false;
    at->writer = static_cast<std::uint8_t>(client);
    held_[client].push_back(at);
    return true;
  }
  /// Takes back all that the client has.
  void remove(unsigned client) {
    for (entry* const at : held_[client]) {
      if (at->writer == client) {
        at->writer = nobody;
      } else {
        at->reads[client] = 0;
        at->readers = static_cast<std::uint8_t>(at->readers - 1);
      }
      if (at->readers == 0 && at->writer == nobody) *at->address = 0;
    }
    held_[client].clear();
  }
  /// Nobody has anything.
  [[nodiscard]] bool is_free() const {
    return std::all_of(held_.begin(), held_.end(), [](const auto& of_client) { return of_client.empty(); });
  }

 private:
  static constexpr std::uint8_t nobody = 0xFF;
  static constexpr std::size_t buckets = 64, of_a_bucket = 3, room = experiments::transactions::most_clients;

  struct alignas(cpu::cache_line) entry {
    plain<std::uint8_t> readers{0};
    std::array<plain<std::uint8_t>, room> reads;
    plain<std::uint8_t> writer{nobody};
    plain<std::uint64_t>* address = nullptr;  // where it is in the bucket
  };
  struct alignas(cpu::cache_line) bucket {
    bucket() {
      for (std::size_t i = 0; i != of_a_bucket; ++i) entries[i].address = &addresses[i];
    }
    std::array<plain<std::uint64_t>, of_a_bucket> addresses;
    plain<bucket*> next{nullptr};
    std::array<entry, of_a_bucket> entries;
  };

  static entry* look_for(bucket* from, std::uint64_t address) {
    for (bucket* b = from; b != nullptr; b = b->next)
      for (entry& e : b->entries)
        if (*e.address == address) return &e;
    return nullptr;
  }
  /// The address's entry, which may be new to it.
  std::pair<entry*, bool> find(std::uint64_t address) {
    bucket* const first = &buckets_[hash(place_of(address) >> 3) % buckets];
    if (entry* const known = look_for(first, address)) return {known, true};
    entry* free = look_for(first, 0);
    if (free == nullptr) {
      bucket* last = first;
      while (bucket* const next = last->next) last = next;
      bucket* const made = copying::make<bucket>();
      last->next = made;
      free = made->entries.data();
    }
    *free->address = address;
    return {free, false};
  }

  std::array<bucket, buckets> buckets_;
  std::array<std::vector<entry*>, room> held_;
};

enum class wish : std::uint32_t { read, write, release };
enum class said : std::uint32_t { no, yes };
/// As long as a line with its flag: TM2C's are padded.
using request = detail::table_message<cpu::cache_line - 2 * sizeof(std::uint32_t)>;
using reply = request;

struct office : paper_office<request, reply> {
  void answer(unsigned client, const request& asked) {
    const auto what = asked.head<wish>();
    if (what == wish::release) return locks.remove(client);
    const auto address = asked.value<std::uint64_t, 0>();
    const bool grants = what == wish::read ? locks.lets_read(client, address) : locks.lets_write(client, address);
    const reply r{grants ? said::yes : said::no};
    if (channel::fetches())
      answers[client].send_unlooking(r);
    else
      answers[client].send(r);
    if (!grants) locks.remove(client);
  }

  lock_table locks;
};

/// What ends an attempt that was refused something.
struct refused {};

struct destroyer {
  void operator()(office* o) const { copying::destroy(o); }
};
using offices = std::vector<std::unique_ptr<office, destroyer>>;

/// One client's attempts, and the argument of what they run.
class transaction {
 public:
  transaction(offices& all, unsigned number) : all_{all}, number_{number}, asked_(all.size()) {}

  template <class T>
  [[nodiscard]] T read(const variable<T>& x) {
    if (const change* const mine = own(x.word_)) return std::bit_cast<T>(mine->value);
    ask(wish::read, x.word_);
    return std::bit_cast<T>(x.word_.load(memory_order::relaxed));
  }
  template <class T>
  void write(variable<T>& x, std::type_identity_t<T> value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (change* const mine = own(x.word_))
      mine->value = bits;
    else
      changes_.push_back({&x.word_, bits, false});
  }
  void add(variable<std::int64_t>& x, std::int64_t amount) {
    if (change* const mine = own(x.word_)) {
      mine->value += static_cast<std::uint64_t>(amount);
      return;
    }
    ask(wish::write, x.word_);
    changes_.push_back({&x.word_, x.word_.load(memory_order::relaxed) + static_cast<std::uint64_t>(amount), true});
  }

  void commit() {
    for (const change& c : changes_)
      if (!c.may_write) ask(wish::write, *c.at);
    for (const change& c : changes_) c.at->store(c.value, memory_order::relaxed);
    end();
  }
  /// Gives all back, where it was not taken back. After so many attempts it rests.
  void begin_again(unsigned attempts) {
    end();
    simulator::world& w = simulator::world::current();
    const double ticks_of_ns = w.machine().ghz() * static_cast<double>(simulator::per_cycle);
    const double longest = first_rest_ns * (1U << std::min(attempts - 1, most_doublings));
    w.advance_to(w.now() + w.phase(static_cast<simulator::ticks>(longest * ticks_of_ns)));
  }
  void leave() {
    for (const auto& each : all_) each->requests.from(number_).close();
  }

 private:
  struct change {
    word* at;
    std::uint64_t value;
    bool may_write;
  };

  [[nodiscard]] change* own(const word& at) {
    const auto found = std::find_if(changes_.begin(), changes_.end(), [&](const change& c) { return c.at == &at; });
    return found == changes_.end() ? nullptr : &*found;
  }
  void ask(wish what, const word& at) {
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&at));
    const std::size_t server = hash(place_of(address)) % all_.size();
    all_[server]->requests.from(number_).send(request{what, address});
    const bool granted = all_[server]->answers[number_].receive()->head<said>() == said::yes;
    asked_[server] = granted;
    if (!granted) throw refused{};
  }
  void end() {
    for (std::size_t server = 0; server != asked_.size(); ++server)
      if (asked_[server]) all_[server]->requests.from(number_).send_unlooking(request{wish::release});
    asked_.assign(all_.size(), false);
    changes_.clear();
  }

  offices& all_;
  unsigned number_;
  std::vector<bool> asked_;  // the servers that it has something of
  std::vector<change> changes_;
};

class served_memory {
 public:
  explicit served_memory(served_stm_options team) : clients_{team.clients} {
    for (unsigned s = 0; s != team.servers; ++s) offices_.emplace_back(copying::make<office>());
  }

  void serve(unsigned server) {
    office& mine = *offices_[server];
    while (const auto got = mine.requests.receive_any(~std::uint64_t{0} >> (64 - clients_)))
      mine.answer(static_cast<unsigned>(got->client), got->message);
  }

  class client {
   public:
    client(served_memory& of, unsigned number) : mine_{of.offices_, number} {}
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() { mine_.leave(); }

    template <class F>
    auto atomically(F& f) {
      using result = std::invoke_result_t<F&, transaction&>;
      for (unsigned attempts = 1;; ++attempts) {
        std::optional<std::conditional_t<std::is_void_v<result>, std::monostate, result>> r;
        try {
          if constexpr (std::is_void_v<result>)
            f(mine_), r.emplace();
          else
            r.emplace(f(mine_));
          mine_.commit();
        } catch (const refused&) {
          r.reset();
        }
        if (r) return static_cast<result>(*std::move(r));
        ++copying::local<synchro::detail::stm_attempts>().begun_again;
        mine_.begin_again(attempts);
      }
    }
    template <class F>
    auto read_only(F& f) {
      return atomically(f);
    }

   private:
    transaction mine_;
  };

  [[nodiscard]] client join(unsigned number) { return {*this, number}; }

 private:
  unsigned clients_;
  offices offices_;
};

/// As a means of the experiments.
struct by_messages : experiments::transactions::by_messages<served_memory, copying> {
  template <class T>
  using variable = tm2c::variable<T>;
  using experiments::transactions::by_messages<served_memory, copying>::by_messages;
};

/// The experiment's bank, or its set.
template <template <class, measure::laboratory> class Workload>
experiments::transactions::outcome play(const experiments::transactions::task& t) {
  experiments::transactions::task placed = t;
  placed.cpus = with_servers_first(t.cpus, experiments::transactions::servers_of(t.threads));
  return experiments::transactions::play_served<Workload<by_messages, copying_laboratory>>(placed);
}

}  // namespace synchro::simulations::tm2c

#endif
