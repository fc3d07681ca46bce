// A transaction that asks servers: what served_stm.hpp describes, attempt by attempt.

#ifndef SYNCHRO_STM_SERVED_TRANSACTION_HPP
#define SYNCHRO_STM_SERVED_TRANSACTION_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "synchro/detail/exceptions.hpp"
#include "synchro/hardware.hpp"
#include "synchro/messages/channel.hpp"
#include "synchro/messages/mailbox.hpp"
#include "synchro/stm/contention.hpp"
#include "synchro/stm/in_place.hpp"
#include "synchro/stm/lock_service.hpp"
#include "synchro/stm/log.hpp"
#include "synchro/stm/tvar.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// The state that servers and clients of one memory share: channels, and where each attempt stands.
template <class Machine, class Waiting, class Manager, std::size_t Most>
struct served_state {
  using machine = Machine;
  using waiting = Waiting;
  using manager = Manager;

  struct office {
    office(std::size_t locks, served_attempt<Machine>* all) : service{locks, all} {}

    basic_mailbox<lock_request, Most, Machine, Waiting> requests;
    std::array<basic_channel<lock_answer, Machine, Waiting>, Most> answers;
    lock_service<Machine, Manager> service;  // the server's alone
  };
  struct destroyer {
    void operator()(office* o) const { Machine::destroy(o); }
  };

  served_state(unsigned servers, unsigned asking, std::size_t wanted, unsigned most)
      : clients{checked(servers, asking)}, stripes{rounded(wanted)}, most_attempts{most} {
    for (unsigned s = 0; s != servers; ++s)
      offices.emplace_back(Machine::template make<office>((stripes + servers - 1) / servers, attempts.data()));
  }

  static unsigned checked(unsigned servers, unsigned clients) {
    if (servers == 0) detail::raise(std::length_error{"served_stm: there is no server"});
    if (servers > 64) detail::raise(std::length_error{"served_stm: there are more than 64 servers"});
    if (clients == 0) detail::raise(std::length_error{"served_stm: there is no client"});
    if (clients > Most) detail::raise(std::length_error{"served_stm: there are more clients than its type allows"});
    return clients;
  }
  static std::size_t rounded(std::size_t stripes) {
    if (stripes == 0 || stripes > std::size_t{1} << 30)
      detail::raise(std::length_error{"served_stm: it has 1 to 2^30 stripes"});
    return std::bit_ceil(stripes);
  }

  void serve(unsigned server) {
    if (server >= offices.size()) detail::raise(std::out_of_range{"served_stm: there is no such server"});
    office& mine = *offices[server];
    while (const auto got = mine.requests.receive_any(~std::uint64_t{0} >> (64 - clients))) {
      const auto client = static_cast<unsigned>(got->client);
      if (got->message.what() == lock_wish::release)
        mine.service.release(client, got->message.lock());
      else
        mine.answers[client].send(mine.service.answer(client, got->message));
    }
  }

  const unsigned clients;
  const std::size_t stripes;
  const unsigned most_attempts;
  std::array<served_attempt<Machine>, Most> attempts;
  std::vector<std::unique_ptr<office, destroyer>> offices;
};

/// One client's attempts, one after the other.
template <class State>
class served_attempts {
  using machine = typename State::machine;
  using waiting = typename State::waiting;
  using manager = typename State::manager;
  using shared_word = typename machine::template atomic<stm_word>;

 public:
  served_attempts(State& all, unsigned number)
      : all_{all},
        mine_{all.attempts[number]},
        number_{number},
        serial_{mine_.last_serial()},
        leaves_(all.stripes, std::uint64_t{0}) {}

  [[nodiscard]] bool is_under_way() const { return is_under_way_; }
  [[nodiscard]] bool is_over() const { return is_over_; }

  // Within the function.

  [[nodiscard]] stm_word read_word(const shared_word& at) {
    if (is_over_) begin_again();
    for (change* c = changes_.end(); c != changes_.begin();)
      if ((--c)->at == &at) return c->value;
    ask_for(lock_wish::read, &at);
    const stm_word value = at.load(memory_order::acquire);
    if (!mine_.goes_on(serial_)) begin_again();
    return value;
  }
  void write_word(shared_word& at, stm_word value) {
    if (is_over_) begin_again();
    for (change* c = changes_.end(); c != changes_.begin();)
      if ((--c)->at == &at) {
        c->value = value;
        return;
      }
    changes_.push({&at, value});
  }

  // The life of a transaction.

  void begin_first() {
    tries_ = 0;
    if constexpr (manager::slots != 0)
      rank_ = 1 + manager::rank(record_, static_cast<std::uint64_t>(machine::clock::now().time_since_epoch().count()));
    begin_next();
  }
  void begin_next() {
    changes_.clear();
    in_the_way_ = nobody;
    is_over_ = false;
    is_under_way_ = true;
    if constexpr (is_timed) begun_ = machine::clock::now();
    mine_.begin(++serial_, tries_ >= all_.most_attempts ? 0 : rank_);
  }

  /// False if it is to begin again. May throw as a read does.
  bool commit() {
    if (is_over_) return false;
    if (changes_.empty()) return true;
    for (const change& c : changes_) ask_for(lock_wish::write, c.at);
    if (!mine_.decides(serial_)) {
      is_over_ = true;
      return false;
    }
    for (const change& c : changes_) c.at->store(c.value, memory_order::release);
    return true;
  }

  /// Gives back all that it has.
  void end(bool committed) noexcept {
    mine_.end(serial_);
    for (const std::uint32_t stripe : asked_)
      office_of(stripe).requests.from(number_).send(request(lock_wish::release, stripe));
    asked_.clear();
    is_under_way_ = false;
    if (!committed) return;
    ++record_.commits;
    if constexpr (is_timed) record_.time += static_cast<std::uint64_t>((machine::clock::now() - begun_).count());
  }

  void give_way() {
    ++tries_;
    if (in_the_way_ != nobody) all_.attempts[in_the_way_].template await_end<waiting>();
    if (manager::slots == 0 && tries_ > 1) machine::pause(1U << std::min(tries_, 10U));
  }

  void leave() noexcept {
    for (auto& each : all_.offices) each->requests.from(number_).close();
  }

 private:
  struct change {
    shared_word* at;
    stm_word value;
  };
  static constexpr unsigned log_stripe_bytes = 5;
  static constexpr unsigned nobody = ~0U;
  static constexpr bool is_timed = [] {
    if constexpr (manager::slots != 0) return manager::times;
    return false;
  }();

  [[noreturn, gnu::cold]] void begin_again() {
    is_over_ = true;
    raise(transaction_begins_again{});
  }

  typename State::office& office_of(std::size_t stripe) { return *all_.offices[stripe % all_.offices.size()]; }
  lock_request request(lock_wish what, std::size_t stripe) const { return {what, stripe / all_.offices.size()}; }

  /// Leave to read, or to write, the stripe of this address; once in an attempt.
  void ask_for(lock_wish what, const void* address) {
    const std::size_t stripe = (reinterpret_cast<std::uintptr_t>(address) >> log_stripe_bytes) & (all_.stripes - 1);
    const std::uint64_t wanted = serial_ << 1 | (what == lock_wish::write ? 1U : 0U);
    if (leaves_[stripe] >= wanted) return;
    if (leaves_[stripe] >> 1 != serial_) asked_.push(static_cast<std::uint32_t>(stripe));
    auto& office = office_of(stripe);
    if (!office.requests.from(number_).send(request(what, stripe)))
      detail::raise(std::logic_error{"served_stm: this client has left"});
    const lock_answer got = *office.answers[number_].receive();
    if (!got.is_granted()) {
      in_the_way_ = got.in_the_way();
      begin_again();
    }
    leaves_[stripe] = wanted;
  }

  State& all_;
  served_attempt<machine>& mine_;
  const unsigned number_;
  std::uint64_t serial_, rank_ = 1;
  std::vector<std::uint64_t> leaves_;  // of each stripe: the last attempt that had leave << 1, and 1 if to write
  small_log<change, 32> changes_;
  small_log<std::uint32_t, 128> asked_;  // stripes, of the attempt
  unsigned tries_ = 0, in_the_way_ = nobody;
  bool is_under_way_ = false, is_over_ = false;
  stm_record record_;
  typename machine::deadline begun_{};
};

}  // namespace detail

template <class Machine, class Waiting, class Manager, std::size_t Most>
class basic_served_stm;

/// The argument of a function that is run atomically.
template <class Machine, class Waiting, class Manager, std::size_t Most>
class basic_served_transaction {
 public:
  basic_served_transaction(const basic_served_transaction&) = delete;
  basic_served_transaction& operator=(const basic_served_transaction&) = delete;

  /// The variable's value: what this transaction wrote there, or what is there now and at all its reads before.
  template <class T>
  [[nodiscard]] T read(const basic_tvar<T, Machine>& x) {
    detail::worded<T> copy;
    for (std::size_t i = 0; i != copy.words.size(); ++i) copy.words[i] = of_.read_word(x.words_[i]);
    return copy.value();
  }
  /// It is written when the transaction commits.
  template <class T>
  void write(basic_tvar<T, Machine>& x, const std::type_identity_t<T>& value) {
    const detail::worded<T> copy = detail::worded<T>::of(value);
    for (std::size_t i = 0; i != copy.words.size(); ++i) of_.write_word(x.words_[i], copy.words[i]);
  }

 private:
  using attempts = detail::served_attempts<detail::served_state<Machine, Waiting, Manager, Most>>;
  friend class basic_served_stm<Machine, Waiting, Manager, Most>;
  template <class, class, class, std::size_t>
  friend class basic_served_reader;
  explicit basic_served_transaction(attempts& of) : of_{of} {}

  attempts& of_;
};

/// The argument of a function that only reads.
template <class Machine, class Waiting, class Manager, std::size_t Most>
class basic_served_reader {
 public:
  template <class T>
  [[nodiscard]] T read(const basic_tvar<T, Machine>& x) {
    return whole_.read(x);
  }

 private:
  using whole = basic_served_transaction<Machine, Waiting, Manager, Most>;
  friend class basic_served_stm<Machine, Waiting, Manager, Most>;
  explicit basic_served_reader(typename whole::attempts& of) : whole_{of} {}

  whole whole_;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
