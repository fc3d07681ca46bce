// Accounts. A transfer moves a random amount from one to another; an audit adds up all of them, and must find what there
// was at the start.

#ifndef SYNCHRO_EXPERIMENTS_STM_BANK_HPP
#define SYNCHRO_EXPERIMENTS_STM_BANK_HPP

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/stm/elements.hpp"
#include "experiments/stm/team.hpp"
#include "synchro/os.hpp"

namespace synchro::experiments::transactions {

template <class Memory, measure::laboratory Lab = measure::host>
class bank {
 public:
  using laboratory = Lab;
  static constexpr bool counts_attempts = Memory::counts_attempts;

  using memory_type = Memory;

  explicit bank(const task& t) : memory_{memory_for<Memory>(t)}, store_{t.elements}, accounts_{store_.all()} {
    for (account& a : accounts_) a.set_alone(each);
  }

  [[nodiscard]] static std::uint32_t places(const task& t) { return t.elements; }

  void step(const choice& c, unsigned updates, tally& mine) {
    if (c.kind >= 2 * updates) return audit(mine);
    transfer(accounts_[c.one], accounts_[c.other], c.amount);
  }

  [[nodiscard]] Memory& memory() { return memory_; }

  [[nodiscard]] std::optional<std::string> broken(const std::vector<tally>& all) const {
    std::uint64_t wrong = 0;
    for (const tally& t : all) wrong += t.wrong;
    if (wrong != 0) return fmt::format("{} audits found another total than there was", wrong);
    std::int64_t total = 0;
    for (const account& a : accounts_) total += a.alone();
    if (total == due()) return std::nullopt;
    return fmt::format("the accounts have {}, where {} were put", total, due());
  }

 private:
  using account = typename Memory::template variable<std::int64_t>;
  static constexpr std::int64_t each = 1000;

  [[nodiscard]] std::int64_t due() const { return each * static_cast<std::int64_t>(accounts_.size()); }

  void transfer(account& from, account& to, std::int64_t amount) {
    memory_.atomically([&](auto& tx) {
      add(tx, from, -amount);
      add(tx, to, amount);
    });
  }
  /// Some have this as one access.
  template <class Tx>
  static void add(Tx& tx, account& x, std::int64_t amount) {
    if constexpr (requires { tx.add(x, amount); })
      tx.add(x, amount);
    else
      tx.write(x, tx.read(x) + amount);
  }
  void audit(tally& mine) {
    const std::int64_t total = memory_.read_only([&](auto& tx) {
      std::int64_t sum = 0;
      // Else a turn is so short that it takes one cycle or two by the build, which says nothing of transactions.
#pragma GCC unroll 8
      for (account& a : accounts_) sum += tx.read(a);
      return sum;
    });
    if (total != due()) ++mine.wrong;
  }

  // Whoever looks up where the accounts are does not meet who takes a lock.
  alignas(2 * cpu::cache_line) Memory memory_;
  alignas(2 * cpu::cache_line) elements<Lab, account> store_;
  std::span<account> accounts_;
};

}  // namespace synchro::experiments::transactions

#endif
