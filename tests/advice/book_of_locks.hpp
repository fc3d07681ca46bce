// Documents for the adviser's tests: locks compared at places.

#ifndef SYNCHRO_TESTS_ADVICE_BOOK_OF_LOCKS_HPP
#define SYNCHRO_TESTS_ADVICE_BOOK_OF_LOCKS_HPP

#include <cstdint>
#include <map>
#include <string>

#include "advice/known.hpp"
#include "claims/book.hpp"
#include "results/experiment_names.hpp"

namespace synchro::tests {

struct at_place {
  std::int64_t threads = 4, locks = 1, hold = 0, gap = 2500, readers = 0;
};

/// Rates of locks at a place, in million acquisitions a second, and hand-offs as long as if each were one.
inline book& add_locks(book& b, const at_place& p, const std::map<std::string, double>& rates) {
  for (const auto& [lock, rate] : rates) {
    const results::coordinates at{
        {"lock", lock},   {"locks", p.locks}, {"threads", p.threads},   {"protocol", "saturated"},
        {"hold", p.hold}, {"gap", p.gap},     {"placement", "compact"}, {"readers", p.readers}};
    b.add(results::experiment_names::locks_throughput, at, "throughput", "op/s", rate * 1e6);
  }
  return b;
}

/// What is known of a document whose clock ticks 2.5 times a nanosecond; it keeps the document.
class knowledge {
 public:
  explicit knowledge(results::document d) : document_{std::move(d)} { document_.clock["hz"] = 2.5e9; }
  [[nodiscard]] advice::known known() const { return advice::known{document_}; }
  [[nodiscard]] const results::document& document() const { return document_; }

 private:
  results::document document_;
};

}  // namespace synchro::tests

#endif
