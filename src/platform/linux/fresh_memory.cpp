#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <new>
#include <utility>

#include "platform/placement.hpp"

namespace synchro::platform {

namespace {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

/// Preferred, not demanded: a node without free memory would end the program. fresh_memory::node() tells what came of
/// it. Through the system call, for the library around it is not everywhere.
void prefer_node(void* data, std::size_t bytes, unsigned node) {
  constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;
  std::vector<unsigned long> mask(node / bits + 1, 0);
  mask[node / bits] = 1UL << (node % bits);
  // The kernel reads one bit less than it is told.
  syscall(SYS_mbind, data, bytes, MPOL_PREFERRED, mask.data(), mask.size() * bits + 1, 0U);
}

}  // namespace

fresh_memory::fresh_memory(std::size_t bytes, std::optional<unsigned> node, pages size) : bytes_{bytes} {
  if (bytes == 0) return;
  data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data_ == MAP_FAILED) throw std::bad_alloc{};
  if (node) prefer_node(data_, bytes, *node);
  if (size == pages::large) madvise(data_, bytes, MADV_HUGEPAGE);  // refused without harm
  auto* const first = static_cast<volatile char*>(data_);
  for (std::size_t at = 0; at < bytes; at += page_bytes()) first[at] = 0;
}

fresh_memory::~fresh_memory() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

fresh_memory::fresh_memory(fresh_memory&& other) noexcept
    : data_{std::exchange(other.data_, nullptr)}, bytes_{std::exchange(other.bytes_, 0)} {}

fresh_memory& fresh_memory::operator=(fresh_memory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

std::optional<unsigned> fresh_memory::node() const {
  if (data_ == nullptr) return std::nullopt;
  void* page = data_;
  int where = -1;
  if (syscall(SYS_move_pages, 0, 1UL, &page, nullptr, &where, 0) == 0 && where >= 0)
    return static_cast<unsigned>(where);
  if (syscall(SYS_get_mempolicy, &where, nullptr, 0UL, data_, MPOL_F_NODE | MPOL_F_ADDR) == 0 && where >= 0)
    return static_cast<unsigned>(where);
  return std::nullopt;
}

}  // namespace synchro::platform
