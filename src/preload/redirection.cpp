#include "preload/redirection.hpp"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <threads.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "preload/loaded_object.hpp"
#include "preload/natives.hpp"

namespace synchro::preload {

namespace {

/// The symbols that a loaded object defines, as the loader finds them: by DT_GNU_HASH.
class symbol_table {
 public:
  explicit symbol_table(const dl_phdr_info& object) noexcept : bias_{object.dlpi_addr} {
    const ElfW(Dyn)* entry = nullptr;
    for (unsigned i = 0; i < object.dlpi_phnum; ++i)
      if (object.dlpi_phdr[i].p_type == PT_DYNAMIC) entry = at<ElfW(Dyn)>(bias_ + object.dlpi_phdr[i].p_vaddr);
    for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_SYMTAB) symbols_ = at<ElfW(Sym)>(loaded(*entry));
      if (entry->d_tag == DT_STRTAB) names_ = at<char>(loaded(*entry));
      if (entry->d_tag == DT_GNU_HASH) hash_ = at<hash_table>(loaded(*entry));
    }
  }

  [[nodiscard]] bool is_there() const noexcept { return symbols_ != nullptr && names_ != nullptr && hash_ != nullptr; }

  template <class Use>
  void each(Use use) const noexcept {
    for (std::uint32_t i = 0; i < hash_->buckets; ++i) each_in_bucket(i, use);
  }
  /// Of any version.
  template <class Use>
  void each_named(const char* name, Use use) const noexcept {
    each_in_bucket(hash_of(name) % hash_->buckets, [&](ElfW(Sym) & symbol) {
      if (std::strcmp(name_of(symbol), name) == 0) use(symbol);
    });
  }
  [[nodiscard]] const char* name_of(const ElfW(Sym) & symbol) const noexcept { return names_ + symbol.st_name; }

  [[nodiscard]] ElfW(Addr) address_of(const ElfW(Sym) & symbol) const noexcept { return bias_ + symbol.st_value; }
  void set_address(ElfW(Sym) & symbol, ElfW(Addr) address) const noexcept {
    __atomic_store_n(&symbol.st_value, address - bias_, __ATOMIC_RELAXED);
  }

 private:
  struct hash_table {
    std::uint32_t buckets, first_symbol, filter_words, filter_shift;
  };

  template <class T>
  static T* at(ElfW(Addr) address) noexcept {
    return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr)
  }

  /// Where glibc leaves the section as the file has it (RISC-V, MIPS: it is read-only there), an address is one of the file, and
  /// below all that is loaded.
  [[nodiscard]] ElfW(Addr) loaded(const ElfW(Dyn) & entry) const noexcept {
    return entry.d_un.d_ptr < bias_ ? bias_ + entry.d_un.d_ptr : entry.d_un.d_ptr;
  }

  static std::uint32_t hash_of(const char* name) noexcept {
    std::uint32_t hash = 5381;
    for (; *name != 0; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
  }

  /// The symbols of a bucket stand side by side; in the chain the last of them has its lowest bit set.
  template <class Use>
  void each_in_bucket(std::uint32_t bucket, Use use) const noexcept {
    const auto* const filter = reinterpret_cast<const ElfW(Addr)*>(hash_ + 1);
    const auto* const buckets = reinterpret_cast<const std::uint32_t*>(filter + hash_->filter_words);
    const std::uint32_t* const chain = buckets + hash_->buckets;
    std::uint32_t next = buckets[bucket];
    if (next == STN_UNDEF) return;
    do use(symbols_[next]);
    while ((chain[next++ - hash_->first_symbol] & 1) == 0);
  }

  ElfW(Addr) bias_;
  ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  const hash_table* hash_ = nullptr;
};

/// What mprotect calls the rights that the part of the object with this address was loaded with.
int protection_of(const dl_phdr_info& object, ElfW(Addr) address) noexcept {
  for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
    const auto& part = object.dlpi_phdr[i];
    if (part.p_type != PT_LOAD || address - object.dlpi_addr - part.p_vaddr >= part.p_memsz) continue;
    return ((part.p_flags & PF_R) != 0 ? PROT_READ : 0) | ((part.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
           ((part.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
  }
  return PROT_READ;
}

bool starts_threads(ElfW(Addr) function) noexcept {
  return function == reinterpret_cast<ElfW(Addr)>(&::pthread_create) ||
         function == reinterpret_cast<ElfW(Addr)>(&::thrd_create);
}

/// Whether what stands behind us is the C library, for all that is redirected.
bool are_all_in(const range& c_library) noexcept {
#define SYNCHRO_PRELOAD_IS_IN(name)                                            \
  if (call::name != call::pthread_create && call::name != call::thrd_create && \
      !c_library.contains(reinterpret_cast<const void*>(native.name)))         \
    return false;
  SYNCHRO_PRELOAD_CALLS(SYNCHRO_PRELOAD_IS_IN)
#undef SYNCHRO_PRELOAD_IS_IN
  return true;
}

/// Calls `use(symbol, our address)` for each symbol of the C library that is to lead here: all names that we export.
template <class Use>
void each_redirected(const symbol_table& theirs, const symbol_table& ours, Use use) noexcept {
  ours.each([&](const ElfW(Sym) & own) {
    const ElfW(Addr) address = ours.address_of(own);
    if (!starts_threads(address))
      theirs.each_named(ours.name_of(own), [&](ElfW(Sym) & symbol) { use(symbol, address); });
  });
}

}  // namespace

bool redirect_c_library() noexcept {
  const dl_phdr_info c_library = object_at(reinterpret_cast<const void*>(native.pthread_mutex_lock));
  if (!are_all_in(range_of(c_library))) return true;
  const symbol_table theirs{c_library}, ours{object_at(&native)};
  if (!theirs.is_there() || !ours.is_there()) return false;
  range pages{~std::uint64_t{0}, 0};
  each_redirected(theirs, ours, [&](const ElfW(Sym) & symbol, ElfW(Addr)) {
    const auto from = reinterpret_cast<std::uint64_t>(&symbol);
    pages = {std::min(pages.from, from), std::max(pages.to, from + sizeof symbol)};
  });
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  pages.from -= pages.from % page;
  void* const first = reinterpret_cast<void*>(pages.from);  // NOLINT(performance-no-int-to-ptr)
  const int protection = protection_of(c_library, pages.from);
  if (mprotect(first, pages.to - pages.from, protection | PROT_WRITE) != 0) return false;
  each_redirected(theirs, ours, [&](ElfW(Sym) & symbol, ElfW(Addr) address) { theirs.set_address(symbol, address); });
  return mprotect(first, pages.to - pages.from, protection) == 0;
}

}  // namespace synchro::preload
