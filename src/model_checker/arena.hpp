// The memory in which an explored program makes its shared objects.
//
// Two executions that differ only in the order of independent steps must look alike, so an address has a name that does
// not depend on that order: which thread made the block, the how manieth block of that thread it was, and the offset.
// Freed memory is either never used again, so that every late access is found out, or at once by whoever freed it, so
// that an address means another object before anybody has forgotten the old one.

#ifndef SYNCHRO_MODEL_CHECKER_ARENA_HPP
#define SYNCHRO_MODEL_CHECKER_ARENA_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model_checker/limits.hpp"

namespace synchro::model_checker {

enum class reuse : std::uint8_t { never, at_once };

class arena {
 public:
  arena();

  /// Null when the arena is full. Lines of 64 bytes are never shared between blocks.
  void* allocate(unsigned thread, std::size_t bytes);
  void free(unsigned thread, void* block);

  [[nodiscard]] bool contains(std::uint64_t address) const { return address - base() < size; }
  /// A number that names this address, or the value itself if it is none.
  [[nodiscard]] std::uint64_t canonical(std::uint64_t value) const { return contains(value) ? name_of(value) : value; }
  /// Whether the address lies in a block that has not been freed.
  [[nodiscard]] bool alive(std::uint64_t address) const;
  [[nodiscard]] std::size_t size_of(const void* block) const;

  void clear();
  void keep();     ///< Remembers everything as it is now;
  void restore();  ///< and goes back to that.
  void reuses(reuse how) { reuse_ = how; }
  /// What was kept, from the beginning of the memory on.
  [[nodiscard]] const std::vector<std::byte>& kept_bytes() const { return kept_memory_; }
  [[nodiscard]] const std::byte* begin() const { return memory_.get(); }
  /// Of blocks that have not been freed.
  [[nodiscard]] std::size_t blocks_alive() const;
  /// Calls f(address, size) for each block that was there when things were kept and has been freed since.
  template <class F>
  void each_freed_since_kept(F f) const {
    for (std::size_t i = 0; i < kept_.blocks.size(); ++i)
      if (kept_.blocks[i].alive && !now_.blocks[i].alive)
        f(memory_.get() + kept_.blocks[i].offset, kept_.blocks[i].bytes);
  }

  /// For people: the name of an address.
  struct description {
    unsigned thread;
    unsigned number;
    std::size_t offset;
  };
  [[nodiscard]] description describe(std::uint64_t address) const;

 private:
  static constexpr std::size_t size = 256 * 1024;
  static constexpr std::size_t granule = 64;

  struct block {
    std::uint32_t offset, bytes;
    std::uint16_t thread, number;
    bool alive;
  };
  struct books {
    std::size_t used = 0;
    std::vector<block> blocks;
    std::vector<std::uint16_t> block_of;  // of each granule in use
    std::array<std::uint16_t, max_threads + 1> made{};
    std::array<std::vector<std::uint32_t>, max_threads + 1> freed;  // offsets
  };
  struct deleter {
    void operator()(std::byte* p) const;
  };

  [[nodiscard]] std::uint64_t base() const { return reinterpret_cast<std::uint64_t>(memory_.get()); }
  [[nodiscard]] const block* block_at(std::uint64_t address) const;
  [[nodiscard]] std::uint64_t name_of(std::uint64_t address) const;

  std::unique_ptr<std::byte, deleter> memory_;
  std::vector<std::byte> kept_memory_;
  std::size_t written_ = 0;  // what lies behind has never been used since the last clear
  books now_;
  books kept_;
  reuse reuse_ = reuse::never;
};

}  // namespace synchro::model_checker

#endif
