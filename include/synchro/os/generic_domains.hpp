// Any other system: the system's part of domains.hpp. All processors are in one domain.

#ifndef SYNCHRO_OS_GENERIC_DOMAINS_HPP
#define SYNCHRO_OS_GENERIC_DOMAINS_HPP

#include <numeric>
#include <vector>

#include "synchro/os/domain_table.hpp"
#include "synchro/os/generic.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace os {

namespace detail {

[[gnu::noinline]] inline const domain_table* learn_domains() noexcept {
  return publish_domains(
      processors(), [](unsigned) { return true; }, [](unsigned) { return unknown; });
}

}  // namespace detail

inline std::vector<unsigned> allowed_cpus() {
  std::vector<unsigned> cpus(detail::processors());
  std::iota(cpus.begin(), cpus.end(), 0U);
  return cpus;
}

}  // namespace os
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
