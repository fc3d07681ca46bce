// The argument of a function that runs as a transaction. It writes in place or beside others (in_place.hpp, transaction.hpp),
// and that does not change while the function runs: where the function is inlined, one that writes in place reads by plain loads.

#ifndef SYNCHRO_STM_FACE_HPP
#define SYNCHRO_STM_FACE_HPP

#include <cstddef>
#include <type_traits>

#include "synchro/hardware.hpp"
#include "synchro/stm/in_place.hpp"
#include "synchro/stm/transaction.hpp"
#include "synchro/stm/tvar.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

template <class Machine, class Waiting, class Locks>
class basic_stm;
template <class Machine, class Waiting, class Locks>
class basic_transaction_reader;

/// The argument of a function that is run atomically.
template <class Machine, class Waiting, class Locks>
class basic_transaction {
  template <class T>
  using tvar_of = basic_tvar<T, Machine>;

 public:
  basic_transaction(const basic_transaction&) = delete;
  basic_transaction& operator=(const basic_transaction&) = delete;

  /// The variable's value: what this transaction wrote there, or what was there at the moment that all its reads are of.
  template <class T>
  [[nodiscard]] T read(const tvar_of<T>& x) {
    detail::worded<T> copy;
    for (std::size_t i = 0; i != copy.words.size(); ++i)
      copy.words[i] = in_place_ != nullptr ? in_place_->read_word(x.words_[i]) : together_->read_word(x.words_[i]);
    return copy.value();
  }

  /// It is written when the transaction commits.
  template <class T>
  void write(tvar_of<T>& x, const std::type_identity_t<T>& value) {
    const detail::worded<T> copy = detail::worded<T>::of(value);
    for (std::size_t i = 0; i != copy.words.size(); ++i)
      if (in_place_ != nullptr)
        in_place_->write_word(x.words_[i], copy.words[i]);
      else
        together_->write_word(x.words_[i], copy.words[i]);
  }

  /// Begins again when some transaction has committed. For a function that finds that it cannot do its work yet. Throws
  /// std::logic_error if the transaction was asked to be irrevocable: then there is no other beside it.
  [[noreturn]] void retry() {
    if (in_place_ != nullptr) in_place_->retry();
    together_->retry();
  }

  /// From its return on the transaction does not begin again, and it is the only irrevocable one. It may begin again
  /// instead of returning: what cannot be undone comes after it.
  void become_irrevocable() {
    if (in_place_ != nullptr)
      in_place_->become_irrevocable();
    else
      together_->become_irrevocable();
  }
  [[nodiscard]] bool is_irrevocable() const {
    return in_place_ != nullptr ? in_place_->is_for_good : together_->is_irrevocable();
  }

 private:
  template <class, class, class>
  friend class basic_stm;
  friend class basic_transaction_reader<Machine, Waiting, Locks>;
  using in_place = detail::stm_in_place<Machine, Waiting>;
  using together = detail::stm_together<Machine, Waiting, Locks>;

  explicit basic_transaction(in_place& a) : in_place_{&a} {}
  explicit basic_transaction(together& t) : together_{&t} {}
  explicit basic_transaction(detail::stm_attempt& one)
      : in_place_{one.way != detail::stm_way::together ? static_cast<in_place*>(&one) : nullptr},
        together_{one.way != detail::stm_way::together ? nullptr : static_cast<together*>(&one)} {}

  /// A part that may write has come to one that only reads.
  void needs_log() {
    if (together_ != nullptr) together_->needs_log();
  }

  in_place* const in_place_ = nullptr;
  together* const together_ = nullptr;
};

/// The argument of a function that only reads.
template <class Machine, class Waiting, class Locks>
class basic_transaction_reader {
 public:
  template <class T>
  [[nodiscard]] T read(const basic_tvar<T, Machine>& x) {
    return whole_.read(x);
  }
  [[noreturn]] void retry() { whole_.retry(); }

 private:
  template <class, class, class>
  friend class basic_stm;
  template <class Attempt>
  explicit basic_transaction_reader(Attempt& one) : whole_{one} {}

  basic_transaction<Machine, Waiting, Locks> whole_;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
