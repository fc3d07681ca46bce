#include "explorer/taken_by_new.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

namespace synchro::explorer {

namespace {

struct noted {
  const std::byte* at;
  std::size_t size;
  std::size_t number;
};

/// Used by operators new and delete, so it owns nothing and is there from the beginning to the end.
struct {
  std::array<noted, 1024> blocks;
  std::size_t size = 0;
  std::size_t count = 0;  // of all that were ever noted
  bool notes = false;
  bool is_too_small = false;
} constinit book{};

void note(const void* at, std::size_t size) noexcept {
  if (!book.notes) return;
  if (book.size == book.blocks.size()) {
    book.is_too_small = true;
    return;
  }
  book.blocks[book.size++] = {static_cast<const std::byte*>(at), size, book.count++};
}

void forget(const void* at) noexcept {
  for (std::size_t i = 0; i != book.size; ++i)
    if (book.blocks[i].at == at) {
      book.blocks[i] = book.blocks[--book.size];
      return;
    }
}

void* take(std::size_t size, std::size_t alignment) {
  const std::size_t at_least_one = std::max<std::size_t>(size, 1);
  void* const at = alignment == 0
                       ? std::malloc(at_least_one)
                       : std::aligned_alloc(alignment, (at_least_one + alignment - 1) / alignment * alignment);
  if (at == nullptr) throw std::bad_alloc{};
  note(at, size);
  return at;
}

void give_back(void* at) noexcept {
  forget(at);
  std::free(at);
}

}  // namespace

noting::noting(bool notes) noexcept : before_{book.notes} { book.notes = notes; }
noting::~noting() { book.notes = before_; }

void note_no_more() noexcept { book.notes = false; }

bool taken_by_new::keep() {
  const noting none{false};
  kept_.clear();
  for (std::size_t i = 0; i != book.size; ++i) {
    const noted& n = book.blocks[i];
    kept_.push_back({n.at, n.number, {n.at, n.at + n.size}});
  }
  return !book.is_too_small;
}

bool taken_by_new::is_there(const block& b) {
  return std::any_of(book.blocks.begin(), book.blocks.begin() + static_cast<std::ptrdiff_t>(book.size),
                     [&b](const noted& n) { return n.number == b.number; });
}

bool taken_by_new::is_alike(const std::byte* at, const std::vector<std::byte>& bytes) {
  return std::memcmp(at, bytes.data(), bytes.size()) == 0;
}

}  // namespace synchro::explorer

// Those for arrays, without exceptions and with a size call these.
void* operator new(std::size_t size) { return synchro::explorer::take(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return synchro::explorer::take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* at) noexcept { synchro::explorer::give_back(at); }
void operator delete(void* at, std::size_t) noexcept { synchro::explorer::give_back(at); }
void operator delete(void* at, std::align_val_t) noexcept { synchro::explorer::give_back(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept { synchro::explorer::give_back(at); }
