// Every lock of the catalog, taken and freed once by its only thread, between marks that a reader of the instructions sees.

#ifndef SYNCHRO_CATALOG_LOCK_PATH_HPP
#define SYNCHRO_CATALOG_LOCK_PATH_HPP

#include <cstdio>
#include <string>
#include <type_traits>

#include "catalog/lock_line.hpp"
#include "synchro/hardware.hpp"
#include "synchro/shape.hpp"

/// Does nothing, and is called.
extern "C" void synchro_mark() noexcept;

namespace synchro::catalog {

/// Three marks: what is between them is lock() and unlock(). Not the first time, when nodes are made and the thread gets its number.
template <class Lock>
[[gnu::noinline]] void take_and_free(const std::string& name) {
  Lock made = make_lock<Lock>(shape{{0}});
  Lock* lock = &made;
  asm volatile("" : "+r"(lock) : : "memory");  // otherwise the compiler would know that nobody else has it
  lock->lock();
  lock->unlock();
  std::puts(name.c_str());
  synchro_mark();
  lock->lock();
  synchro_mark();
  lock->unlock();
  synchro_mark();
}

template <class Line>
void add_line() {
  Line::each([](const auto& variant) {
    take_and_free<typename std::decay_t<decltype(variant)>::template lock<hardware>>(variant.name);
  });
}

/// As generated: all locks of the catalog.
void take_and_free_all();

}  // namespace synchro::catalog

#endif
