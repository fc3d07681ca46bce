#include "fibers/stack_memory.hpp"

#include <windows.h>

#include <new>

namespace synchro::fibers {

namespace {

std::size_t page_bytes() {
  SYSTEM_INFO about{};
  GetSystemInfo(&about);
  return about.dwPageSize;
}

}  // namespace

stack stack_memory(std::size_t size) {
  const std::size_t page = page_bytes();
  const std::size_t usable = (size + page - 1) / page * page;
  void* const all = VirtualAlloc(nullptr, usable + page, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  DWORD before = 0;
  if (all == nullptr || VirtualProtect(all, page, PAGE_NOACCESS, &before) == 0) throw std::bad_alloc{};
  return {static_cast<std::byte*>(all) + page, usable};
}

void free_stack_memory(const stack& whole) { VirtualFree(whole.bottom - page_bytes(), 0, MEM_RELEASE); }

}  // namespace synchro::fibers
