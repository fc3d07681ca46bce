// Accounts. A transfer moves a random amount from one to another; an audit adds up all of them, and must find what there
// was at the start.

#ifndef SYNCHRO_EXPERIMENTS_STM_BANK_HPP
#define SYNCHRO_EXPERIMENTS_STM_BANK_HPP

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/stm/team.hpp"

namespace synchro::experiments::transactions {

template <class Memory>
class bank {
 public:
  static constexpr bool counts_attempts = Memory::counts_attempts;

  using memory_type = Memory;

  explicit bank(const task& t) : memory_{memory_for<Memory>(t)}, accounts_(t.elements) {
    for (account& a : accounts_) a.set_alone(each);
  }

  void step(statistics::random_numbers& random, unsigned updates, tally& mine) {
    if (random.below(100) >= updates) return audit(mine);
    account& from = accounts_[random.below(accounts_.size())];
    account& to = accounts_[random.below(accounts_.size())];
    transfer(from, to, static_cast<std::int64_t>(random.below(100)));
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
      tx.write(from, tx.read(from) - amount);
      tx.write(to, tx.read(to) + amount);
    });
  }
  void audit(tally& mine) {
    const std::int64_t total = memory_.read_only([&](auto& tx) {
      std::int64_t sum = 0;
      for (account& a : accounts_) sum += tx.read(a);
      return sum;
    });
    if (total != due()) ++mine.wrong;
  }

  Memory memory_;
  std::vector<account> accounts_;
};

}  // namespace synchro::experiments::transactions

#endif
