// Windows: the system's part of domains.hpp.

#ifndef SYNCHRO_OS_WINDOWS_DOMAINS_HPP
#define SYNCHRO_OS_WINDOWS_DOMAINS_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "synchro/os/domain_table.hpp"
#include "synchro/os/windows.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace os {

namespace detail {

/// The system's GROUP_AFFINITY: processors of one group.
struct group_affinity {
  std::uintptr_t mask;
  std::uint16_t group;
  std::uint16_t reserved[3];
};

/// The processors that the calling thread may use; none if the system does not say.
class affinity {
 public:
  affinity() noexcept {
    group_affinity own{};
    const auto ask = system_function<int __stdcall(void*, group_affinity*)>("kernel32.dll", "GetThreadGroupAffinity");
    if (ask == nullptr || ask(this_thread(), &own) == 0) return;
    if (own.group >= groups) return;
    // A thread without a choice of its own may use all groups of its process: since Windows 11 it does by itself.
    if (own.mask == all_of(own.group)) add_groups_of_process();
    masks_[own.group] = own.mask;
  }

  [[nodiscard]] bool has(unsigned cpu) const noexcept {
    return cpu / 64 < groups && (masks_[cpu / 64] >> cpu % 64 & 1) != 0;
  }
  /// One more than the highest.
  [[nodiscard]] unsigned end() const noexcept {
    for (unsigned group = groups; group-- != 0;)
      if (masks_[group] != 0) return group * 64 + static_cast<unsigned>(std::bit_width(masks_[group]));
    return 0;
  }

  /// One more than the highest processor of the machine.
  static unsigned end_of_machine() noexcept {
    unsigned end = 1;
    for (unsigned group = 0; group < groups; ++group)
      if (const std::uint64_t mask = all_of(group); mask != 0)
        end = group * 64 + static_cast<unsigned>(std::bit_width(mask));
    return end;
  }

 private:
  static constexpr unsigned groups = 32;

  /// The system's word for it.
  static void* this_thread() noexcept { return reinterpret_cast<void*>(std::intptr_t{-2}); }
  static void* this_process() noexcept { return reinterpret_cast<void*>(std::intptr_t{-1}); }

  static std::uint64_t all_of(unsigned group) noexcept {
    const auto count =
        system_function<unsigned long __stdcall(std::uint16_t)>("kernel32.dll", "GetActiveProcessorCount");
    const unsigned long n = count == nullptr ? 0 : count(static_cast<std::uint16_t>(group));
    return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  }

  void add_groups_of_process() noexcept {
    const auto ask = system_function<int __stdcall(void*, std::uint16_t*, std::uint16_t*)>("kernel32.dll",
                                                                                           "GetProcessGroupAffinity");
    std::uint16_t count = groups;
    std::uint16_t list[groups];
    if (ask == nullptr || ask(this_process(), &count, list) == 0) return;
    for (std::uint16_t i = 0; i < count && i < groups; ++i)
      if (list[i] < groups) masks_[list[i]] = all_of(list[i]);
  }

  std::uint64_t masks_[groups]{};
};

/// What the system tells of caches.
class cache_list {
 public:
  cache_list() noexcept {
    const auto ask =
        system_function<int __stdcall(int, void*, unsigned long*)>("kernel32.dll", "GetLogicalProcessorInformationEx");
    if (ask == nullptr) return;
    unsigned long size = 0;
    ask(of_caches, nullptr, &size);
    records_.reset(new (std::nothrow) std::byte[size]);
    if (records_ != nullptr && ask(of_caches, records_.get(), &size) != 0) size_ = size;
  }
  /// The domains of a machine whose records are these.
  cache_list(std::unique_ptr<std::byte[]> records, std::size_t size) noexcept
      : records_{static_cast<std::unique_ptr<std::byte[]>&&>(records)}, size_{size} {}

  /// The lowest processor that shares the last level of cache with `cpu`; `unknown` if the system does not say.
  [[nodiscard]] unsigned lowest_sibling(unsigned cpu) const noexcept {
    unsigned lowest = unknown;
    unsigned level = 0;
    record r{};
    for (std::size_t at = 0; at + sizeof r <= size_ && (std::memcpy(&r, records_.get() + at, sizeof r), r.size != 0);
         at += r.size) {
      if (r.relationship != of_caches || r.kind == of_instructions || r.level < level) continue;
      const unsigned first = lowest_if_shared(at, r, cpu);
      if (first == unknown) continue;
      level = r.level;
      lowest = first;
    }
    return lowest;
  }

 private:
  static constexpr int of_caches = 2;
  static constexpr int of_instructions = 1;

  /// The system's record of one cache.
  struct record {
    std::int32_t relationship;
    std::uint32_t size;
    std::uint8_t level;
    std::uint8_t associativity;
    std::uint16_t line_bytes;
    std::uint32_t bytes;
    std::int32_t kind;
    std::uint8_t reserved[18];
    std::uint16_t more_groups;
    group_affinity first;
  };
  static_assert(offsetof(record, first) == 40);

  /// The lowest processor of a cache, the record of which stands at this place; `unknown` if `cpu` has no part in it. Of more
  /// than 64 processors, a cache has a mask for each of their groups (older systems: one, and a count of 0).
  [[nodiscard]] unsigned lowest_if_shared(std::size_t at, const record& r, unsigned cpu) const noexcept {
    unsigned lowest = unknown;
    bool shared = false;
    group_affinity part{};
    const std::size_t end = at + r.size < size_ ? at + r.size : size_;
    std::size_t mask = at + offsetof(record, first);
    for (unsigned i = 0; (i == 0 || i < r.more_groups) && mask + sizeof part <= end; ++i, mask += sizeof part) {
      std::memcpy(&part, records_.get() + mask, sizeof part);
      if (part.mask == 0) continue;
      const unsigned first = part.group * 64U + static_cast<unsigned>(std::countr_zero(part.mask));
      lowest = first < lowest ? first : lowest;
      shared = shared || (cpu / 64 == part.group && (part.mask >> cpu % 64 & 1) != 0);
    }
    return shared ? lowest : unknown;
  }

  std::unique_ptr<std::byte[]> records_;
  std::size_t size_ = 0;
};

[[gnu::noinline]] inline const domain_table* learn_domains() noexcept {
  const affinity allowed;
  const cache_list caches;
  const unsigned count = std::max(allowed.end(), affinity::end_of_machine());
  return publish_domains(
      count, [&](unsigned cpu) { return allowed.has(cpu); }, [&](unsigned cpu) { return caches.lowest_sibling(cpu); });
}

}  // namespace detail

inline std::vector<unsigned> allowed_cpus() {
  const detail::affinity allowed;
  std::vector<unsigned> cpus;
  for (unsigned cpu = 0; cpu < allowed.end(); ++cpu)
    if (allowed.has(cpu)) cpus.push_back(cpu);
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

}  // namespace os
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
