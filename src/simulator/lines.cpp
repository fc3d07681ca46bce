#include "simulator/lines.hpp"

#include <algorithm>

#include "statistics/random.hpp"

namespace synchro::simulator {

std::uint32_t line_table::home_for(unsigned core) const {
  if (model_.distance_to_home()) return core;
  return core / (model_.cores() / model_.dies()) * (model_.cores() / model_.dies());
}

std::uint32_t line_table::home_of(std::uintptr_t key, unsigned toucher) const {
  const std::uintptr_t address = key * bytes;
  auto r = regions_.upper_bound(address + bytes - 1);
  if (r == regions_.begin()) return home_for(toucher);
  --r;
  if (address >= r->second.end) return home_for(toucher);
  if (!r->second.spread) return home_for(r->second.core);
  const std::uint64_t number = r->second.first_line + (address - r->first / bytes * bytes) / bytes;
  return static_cast<std::uint32_t>(statistics::random_numbers{number}.below(model_.cores()));
}

line_index line_table::add(std::uintptr_t key, unsigned toucher) {
  if (2 * lines_.size() >= slots_.size()) grow();
  const auto index = static_cast<line_index>(lines_.size());
  lines_.emplace_back();
  lines_.back().home = home_of(key, toucher);
  sharers_.resize(sharers_.size() + words_);
  std::size_t i = hash(key);
  while (slots_[i & (slots_.size() - 1)].key != 0) ++i;
  slots_[i & (slots_.size() - 1)] = {key, index};
  return index;
}

void line_table::grow() {
  std::vector<slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const slot& s : old) {
    if (s.key == 0) continue;
    std::size_t i = hash(s.key);
    while (slots_[i & (slots_.size() - 1)].key != 0) ++i;
    slots_[i & (slots_.size() - 1)] = s;
  }
}

void* line_table::allocate(std::size_t size, std::size_t alignment, unsigned core) {
  alignment = std::max<std::size_t>(alignment, 16);
  const auto misaligned = reinterpret_cast<std::uintptr_t>(free_) % alignment;
  std::size_t skipped = misaligned == 0 ? 0 : alignment - misaligned;
  if (free_bytes_ < skipped + size) {
    const std::size_t block = std::max(usual_block, size);
    blocks_.emplace_back(static_cast<std::byte*>(::operator new[](block, std::align_val_t{usual_block})));
    free_ = blocks_.back().get();
    free_bytes_ = block;
    skipped = 0;
    lines_allocated_ = (lines_allocated_ + usual_block / bytes) / (usual_block / bytes) * (usual_block / bytes);
  }
  std::byte* const p = free_ + skipped;
  free_ += skipped + size;
  free_bytes_ -= skipped + size;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  lines_allocated_ += (size + bytes - 1) / bytes;
  regions_[address] = {address + size, core, model_.distance_to_home() && !here_, lines_allocated_};
  return p;
}

}  // namespace synchro::simulator
