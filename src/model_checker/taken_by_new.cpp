#include "model_checker/taken_by_new.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace synchro::model_checker {

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

void* allocated(std::size_t size) {
  void* const at = std::malloc(std::max<std::size_t>(size, 1));
  if (at == nullptr) throw std::bad_alloc{};
  return at;
}

void* take(std::size_t size) {
  void* const at = allocated(size);
  note(at, size);
  return at;
}

/// Before what is aligned stands what malloc gave: not every system has std::aligned_alloc.
void* take(std::size_t size, std::size_t alignment) {
  std::size_t room = size + alignment;
  void* const whole = allocated(sizeof whole + room);
  void* at = static_cast<std::byte*>(whole) + sizeof whole;
  std::align(alignment, size, at, room);
  std::memcpy(static_cast<std::byte*>(at) - sizeof whole, &whole, sizeof whole);
  note(at, size);
  return at;
}

void give_back(void* at) noexcept {
  forget(at);
  std::free(at);
}

void give_back_aligned(void* at) noexcept {
  if (at == nullptr) return;
  forget(at);
  void* whole = nullptr;
  std::memcpy(&whole, static_cast<std::byte*>(at) - sizeof whole, sizeof whole);
  std::free(whole);
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

}  // namespace synchro::model_checker

// Those for arrays, without exceptions and with a size call these.
void* operator new(std::size_t size) { return synchro::model_checker::take(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return synchro::model_checker::take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* at) noexcept { synchro::model_checker::give_back(at); }
void operator delete(void* at, std::size_t) noexcept { synchro::model_checker::give_back(at); }
void operator delete(void* at, std::align_val_t) noexcept { synchro::model_checker::give_back_aligned(at); }
void operator delete(void* at, std::size_t, std::align_val_t) noexcept {
  synchro::model_checker::give_back_aligned(at);
}
