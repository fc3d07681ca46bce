// All that reads files of others, fed with what libFuzzer makes of files by the branches that they reach: `./dev fuzz --guided`.
// Half of its changes are its own, to bytes; the others change values, so that much is taken.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "fuzz/mutation.hpp"
#include "fuzz/readers.hpp"

// libFuzzer's names.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  synchro::fuzz::read_as_all({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (size == 0 || seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string changed = synchro::fuzz::mutator{seed}.next({{reinterpret_cast<const char*>(data), size}});
  if (changed.empty() || changed.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
