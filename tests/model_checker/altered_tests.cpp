// What a header with its alterations in it asks, in a program of GoogleTest. tests/model_checker/altered_tests.py sets
//
//   SYNCHRO_ALTERED        the number of the one that is on, none if it is not set
//   SYNCHRO_ALTERED_MET    a file that has a byte for each number; it becomes 1 when the program comes to that one, or another process
//                          that the program has started

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "model_checker/altered.hpp"

namespace {

constexpr std::size_t numbers = 1'000'000;  // as in src/model_checker/altered.cpp
std::uint32_t is_on = 0;
char* met = nullptr;

/// Before anything else of the program, which may ask before it begins.
[[gnu::constructor(101)]] void begin() {
  if (const char* const number = std::getenv("SYNCHRO_ALTERED")) is_on = static_cast<std::uint32_t>(std::atoi(number));
  const char* const file = std::getenv("SYNCHRO_ALTERED_MET");
  if (file == nullptr) return;
  const int descriptor = open(file, O_RDWR | O_CLOEXEC);
  void* const mapped = mmap(nullptr, numbers, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (descriptor == -1 || mapped == MAP_FAILED) std::abort();
  close(descriptor);
  met = static_cast<char*>(mapped);
}

}  // namespace

bool altered::meet(std::uint32_t number) {
  if (met != nullptr) __atomic_store_n(met + number, 1, __ATOMIC_RELAXED);
  return number == is_on;
}
