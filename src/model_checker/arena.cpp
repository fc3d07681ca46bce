#include "model_checker/arena.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "model_checker/hashing.hpp"

namespace synchro::model_checker {

void arena::deleter::operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{4096}); }

arena::arena() : memory_{static_cast<std::byte*>(::operator new (size, std::align_val_t{4096}))} {
  now_.block_of.reserve(size / granule);
  std::memset(memory_.get(), 0, size);
}

void* arena::allocate(unsigned thread, std::size_t bytes) {
  const std::size_t rounded = (bytes + granule - 1) / granule * granule;
  std::size_t offset = size;
  if (reuse_ == reuse::at_once) {
    auto& freed = now_.freed[thread];
    for (std::size_t i = freed.size(); i-- != 0 && offset == size;) {
      if (now_.blocks[now_.block_of[freed[i] / granule]].bytes != rounded) continue;
      offset = freed[i];
      freed.erase(freed.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  if (offset == size) {
    if (now_.used + rounded > size) return nullptr;
    offset = now_.used;
    now_.used += rounded;
    written_ = std::max(written_, now_.used);
    now_.block_of.resize(now_.used / granule);
  }
  const auto number = static_cast<std::uint16_t>(now_.blocks.size());
  now_.blocks.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(rounded),
                         static_cast<std::uint16_t>(thread), now_.made[thread]++, true});
  for (std::size_t g = offset / granule; g != (offset + rounded) / granule; ++g) now_.block_of[g] = number;
  return memory_.get() + offset;
}

void arena::free(unsigned thread, void* p) {
  const auto offset = static_cast<std::uint32_t>(static_cast<std::byte*>(p) - memory_.get());
  now_.blocks[now_.block_of[offset / granule]].alive = false;
  now_.freed[thread].push_back(offset);
}

const arena::block* arena::block_at(std::uint64_t address) const {
  const std::uint64_t offset = address - base();
  return offset < now_.used ? &now_.blocks[now_.block_of[offset / granule]] : nullptr;
}

bool arena::alive(std::uint64_t address) const {
  const block* const b = block_at(address);
  return b != nullptr && b->alive;
}

std::size_t arena::blocks_alive() const {
  return static_cast<std::size_t>(
      std::count_if(now_.blocks.begin(), now_.blocks.end(), [](const block& b) { return b.alive; }));
}

std::size_t arena::size_of(const void* p) const { return block_at(reinterpret_cast<std::uint64_t>(p))->bytes; }

std::uint64_t arena::name_of(std::uint64_t address) const {
  const block* const b = block_at(address);
  if (b == nullptr) return address - base();
  const std::uint64_t offset = address - base() - b->offset;
  return scatter(std::uint64_t{b->thread} << 48 | std::uint64_t{b->number} << 32 | offset);
}

arena::description arena::describe(std::uint64_t address) const {
  const block* const b = block_at(address);
  if (b == nullptr) return {main_thread, 0, static_cast<std::size_t>(address - base())};
  return {b->thread, b->number, static_cast<std::size_t>(address - base() - b->offset)};
}

void arena::clear() {
  now_.used = 0;
  now_.blocks.clear();
  now_.block_of.clear();
  now_.made.fill(0);
  for (auto& list : now_.freed) list.clear();
  std::memset(memory_.get(), 0, written_);
  written_ = 0;
}

void arena::keep() {
  kept_ = now_;
  kept_memory_.assign(memory_.get(), memory_.get() + now_.used);
}

void arena::restore() {
  now_ = kept_;
  std::memcpy(memory_.get(), kept_memory_.data(), kept_memory_.size());
}

}  // namespace synchro::model_checker
