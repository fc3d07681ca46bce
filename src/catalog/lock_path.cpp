// For docs/instructions.py, which counts what a processor does between marks. Prints where the mark is, then the names of the
// locks in the order in which they are taken. The first two marks have nothing between them.

#include "catalog/lock_path.hpp"

[[gnu::noinline]] void synchro_mark() noexcept { asm volatile("" : : : "memory"); }

int main() {
  std::printf("%p\n", reinterpret_cast<void*>(&synchro_mark));
  synchro_mark();
  synchro_mark();
  synchro::catalog::take_and_free_all();
}
