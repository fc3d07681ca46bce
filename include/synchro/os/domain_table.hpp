// The table of cache domains: what domains.hpp shares between the systems.

#ifndef SYNCHRO_OS_DOMAIN_TABLE_HPP
#define SYNCHRO_OS_DOMAIN_TABLE_HPP

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <new>

#include "synchro/os.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace os {

// Defined in synchro/domains.hpp.
inline unsigned domain_of(unsigned cpu) noexcept;

namespace detail {

inline constexpr unsigned unknown = std::numeric_limits<unsigned>::max();

/// Writes the domain numbers of `count` processors. Processors whose siblings are not known are in domain 0. The domains of
/// the processors that are `allowed` come first, so that their numbers are dense; the others follow, for the thread that
/// asks first may be pinned. `scratch` is as long.
template <class Allowed, class SiblingOf>
void number_domains(unsigned* domains, unsigned* scratch, unsigned count, Allowed allowed, SiblingOf sibling_of) {
  unsigned known = 0;
  std::fill_n(scratch, count, unknown);  // by its lowest processor: the domain's number
  for (const bool first : {true, false})
    for (unsigned cpu = 0; cpu < count; ++cpu) {
      if (allowed(cpu) != first) continue;
      const unsigned lowest = sibling_of(cpu);
      if (lowest < count && scratch[lowest] == unknown) scratch[lowest] = known++;
      domains[cpu] = lowest < count ? scratch[lowest] : 0;
    }
}

/// Never freed: locks may be used while and after the program's own objects are destroyed.
struct domain_table {
  unsigned count;
  unsigned* domains;
};
inline constinit std::atomic<const domain_table*> known_domains{nullptr};

/// For every processor of the machine, whichever of them the first to ask may use. `sibling_of` gives the lowest processor
/// that shares the last level of cache, or `unknown`. Null without memory.
template <class Allowed, class SiblingOf>
const domain_table* publish_domains(unsigned count, Allowed allowed, SiblingOf sibling_of) noexcept {
  std::unique_ptr<unsigned[]> domains{new (std::nothrow) unsigned[count]};
  const std::unique_ptr<unsigned[]> scratch{new (std::nothrow) unsigned[count]};
  std::unique_ptr<domain_table> table{new (std::nothrow) domain_table{count, domains.get()}};
  if (domains == nullptr || scratch == nullptr || table == nullptr) return nullptr;
  number_domains(domains.get(), scratch.get(), count, allowed, sibling_of);
  const domain_table* seen = nullptr;
  if (!known_domains.compare_exchange_strong(seen, table.get(), std::memory_order_acq_rel, std::memory_order_acquire))
    return seen;
  keep_loaded(&known_domains);
  static_cast<void>(domains.release());
  return table.release();
}

}  // namespace detail
}  // namespace os
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
