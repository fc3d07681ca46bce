// The cache domains of the machine that this program runs on.
//
// A door of its own beside os.hpp: to find the domains out takes files and memory, and whoever uses a lock of four bytes
// should not have to compile that. Locks that prefer a domain, or size themselves by the machine, include this.

#ifndef SYNCHRO_DOMAINS_HPP
#define SYNCHRO_DOMAINS_HPP

#include "synchro/hardware.hpp"
#include "synchro/os.hpp"
#include "synchro/shape.hpp"
#include "synchro/version.hpp"

#if defined(__linux__) && !defined(SYNCHRO_GENERIC_SYSTEM)
#include "synchro/os/linux_domains.hpp"
#elif defined(_WIN32) && !defined(SYNCHRO_GENERIC_SYSTEM)
#include "synchro/os/windows_domains.hpp"
#else
#include "synchro/os/generic_domains.hpp"
#endif

namespace synchro {
inline namespace SYNCHRO_ABI {

inline unsigned os::domain_of(unsigned cpu) noexcept {
  const detail::domain_table* table = detail::known_domains.load(std::memory_order_acquire);
  if (table == nullptr) [[unlikely]]
    table = detail::learn_domains();
  return table != nullptr && cpu < table->count ? table->domains[cpu] : 0;
}

inline unsigned hardware::domain() noexcept { return os::domain_of(os::current_cpu()); }

inline shape hardware::here() {
  shape s;
  for (const unsigned cpu : os::allowed_cpus()) s.domain_of_thread.push_back(os::domain_of(cpu));
  return s;
}

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
