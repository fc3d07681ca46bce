// Memory that a program takes by new while it sets up, and not from the machine.
//
// The model checker does not know what such memory means: the next execution finds it as the last one has left it, no race on it is
// found, and states are not told apart by it. So it must stay as it was set up, but for the atomics and plain fields in it. To see
// that, operators new and delete are the model checker's own (taken_by_new.cpp).

#ifndef SYNCHRO_MODEL_CHECKER_TAKEN_BY_NEW_HPP
#define SYNCHRO_MODEL_CHECKER_TAKEN_BY_NEW_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

namespace synchro::model_checker {

/// What is taken is noted, or not, while one of these is there; an inner one counts.
class noting {
 public:
  explicit noting(bool notes) noexcept;
  ~noting();
  noting(const noting&) = delete;
  noting& operator=(const noting&) = delete;

 private:
  bool before_;
};

/// Ends all noting: of code that was left and will not be gone on with.
void note_no_more() noexcept;

class taken_by_new {
 public:
  /// Remembers what has been noted and not been freed, and how it looks; false if there was more than can be noted. What was noted
  /// before is forgotten.
  bool keep();
  /// Whether nothing of it has been freed since.
  [[nodiscard]] bool is_whole() const { return std::all_of(kept_.begin(), kept_.end(), is_there); }
  /// Where it has changed since, apart from these fields: the first such byte, or null. `each_field(f)` calls f(address, size).
  template <class EachField>
  [[nodiscard]] const std::byte* changed_apart_from(EachField each_field) const {
    for (const block& b : kept_) {
      if (!is_there(b) || is_alike(b.at, b.bytes)) continue;
      std::vector<std::byte> expected = b.bytes;
      each_field([&](const void* field, std::size_t size) {
        const auto* const at = static_cast<const std::byte*>(field);
        if (at < b.at || at + size > b.at + expected.size()) return;
        for (std::size_t i = 0; i < size; ++i) expected[static_cast<std::size_t>(at - b.at) + i] = at[i];
      });
      for (std::size_t i = 0; i < expected.size(); ++i)
        if (expected[i] != b.at[i]) return b.at + i;
    }
    return nullptr;
  }

 private:
  struct block {
    const std::byte* at;
    std::size_t number;  // the how manieth that was noted
    std::vector<std::byte> bytes;
  };
  [[nodiscard]] static bool is_there(const block& b);
  [[nodiscard]] static bool is_alike(const std::byte* at, const std::vector<std::byte>& bytes);

  std::vector<block> kept_;
};

}  // namespace synchro::model_checker

#endif
