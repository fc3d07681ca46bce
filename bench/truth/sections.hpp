// What threads do one at a time: transactions, hash tables, delegation.

#ifndef SYNCHRO_BENCH_TRUTH_SECTIONS_HPP
#define SYNCHRO_BENCH_TRUTH_SECTIONS_HPP

#include <vector>

#include "../duel.hpp"
#include "here.hpp"

namespace synchro::bench {

/// `h` outlives them.
[[nodiscard]] std::vector<duel> transactions(const here& h);
[[nodiscard]] std::vector<duel> tables(const here& h);
[[nodiscard]] std::vector<duel> delegation(const here& h);

}  // namespace synchro::bench

#endif
