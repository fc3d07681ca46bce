#include "preload/recording.hpp"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iterator>
#include <mutex>

#include "preload/loaded_object.hpp"
#include "synchro/hardware.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/waiting.hpp"

namespace synchro::preload::recording {

namespace {

using layout::module;
using layout::stack;

constinit char folder_name[4000];
constinit char file_name[4096];
constinit std::byte* first_part = nullptr;  // of the file; at least its header is mapped
constinit std::size_t parts = 0;            // that the file has
constinit std::byte* base = nullptr;        // of the part of this process
constinit extent wanted{};
constinit basic_tas_lock<hardware, spin_yield> guard;

template <class Area, class T>
T* area_of() noexcept {
  return reinterpret_cast<T*>(base + Area::at);
}
stack& stack_at(std::uint32_t n) noexcept { return area_of<layout::stacks, stack>()[n - 1]; }

/// Allocates a piece of the file. A hole that cannot be filled, because the disk is full, would end the program when it is
/// written. The file is not kept open, for a program may close all that it did not open, and what it opens then has the
/// number; and cannot always be opened again, for the program may have given up its rights: the mapping is there.
bool allocate(std::size_t at, std::size_t bytes) noexcept {
  constexpr int populate_for_writing = 23;  // MADV_POPULATE_WRITE, of Linux 5.14
  if (madvise(base + at, bytes, populate_for_writing) == 0) return true;
  if (errno != EINVAL) return false;
  const int file = ::open(file_name, O_WRONLY | O_CLOEXEC);
  const auto from = static_cast<off_t>(base - first_part) + static_cast<off_t>(at);
  const int error = file < 0 ? errno : posix_fallocate(file, from, static_cast<off_t>(bytes));
  if (file >= 0) close(file);
  return error == 0;
}

/// How far an area's pieces are allocated.
class frontier {
 public:
  bool reaches(std::size_t from, std::size_t bytes) noexcept {
    constexpr std::size_t piece = std::size_t{1} << 14;
    while (done_.load(std::memory_order_acquire) < bytes) {
      const std::size_t done = done_.load(std::memory_order_relaxed);
      if (!allocate(from + done, std::min(piece, layout::bytes - from - done))) return false;
      done_.store(done + piece, std::memory_order_release);
    }
    return true;
  }
  [[nodiscard]] bool has_reached(std::size_t bytes) const noexcept {
    return done_.load(std::memory_order_acquire) >= bytes;
  }
  void forget() noexcept { done_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> done_{0};
};
constinit frontier modules_done, stacks_done, orders_done, spans_done, paths_done, threads_done, pairs_done, locks_done;

template <class Area, class T>
bool room_for(frontier& done, std::size_t count) noexcept {
  return count <= Area::most && done.reaches(Area::at, count * sizeof(T));
}

std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ x >> 31) * 0x9E37'79B9'7F4A'7C15;
  return x ^ x >> 29;
}

// Where is it? Open addressing; a place holds 0, or what was entered.
constexpr std::size_t lock_places = 131072, stack_places = 16384, order_places = 131072, path_places = 16384;
constinit std::uint16_t lock_index[lock_places];
constinit std::uint16_t stack_index[stack_places];
constinit std::uint16_t path_index[path_places];
constinit std::atomic<std::uint32_t> order_index[order_places];

// Modules.

const module* module_of(std::uint64_t address) noexcept {
  const module* const all = area_of<layout::modules, module>();
  for (std::uint32_t i = head().modules; i-- != 0;)
    if (all[i].from <= address && address < all[i].to) return &all[i];
  return nullptr;
}

/// Of this library.
constinit range own{};

int enter_module(dl_phdr_info* found, std::size_t, void*) noexcept {
  const auto [from, to] = range_of(*found);
  const module* const known = module_of(from);
  if (from >= to || (known != nullptr && known->from == from && known->to == to)) return 0;
  if (!room_for<layout::modules, module>(modules_done, head().modules + 1)) return 1;
  module& m = area_of<layout::modules, module>()[head().modules];
  m.from = from, m.to = to, m.bias = found->dlpi_addr;
  if (found->dlpi_name != nullptr && *found->dlpi_name != 0)
    std::snprintf(m.path, sizeof m.path, "%s", found->dlpi_name);
  else if (readlink("/proc/self/exe", m.path, sizeof m.path - 1) < 0)
    m.path[0] = 0;
  ++head().modules;
  return 0;
}

void enter_modules_of(const stack& s) noexcept {
  for (std::uint32_t i = 0; i < s.depth; ++i)
    if (module_of(s.calls[i]) == nullptr) {
      dl_iterate_phdr(enter_module, nullptr);
      return;
    }
}

// Stacks.

struct walk {
  stack s;
  std::size_t most;
};

_Unwind_Reason_Code enter_call(_Unwind_Context* frame, void* to) noexcept {
  auto& [s, most] = *static_cast<walk*>(to);
  const std::uint64_t call = _Unwind_GetIP(frame);
  if (call == 0 || s.depth == most) return _URC_END_OF_STACK;
  if (s.depth != 0 || call < own.from || call >= own.to) s.calls[s.depth++] = call;
  return _URC_NO_REASON;
}

stack stack_here(std::size_t most = stack::most) noexcept {
  walk w{{}, most};
  _Unwind_Backtrace(enter_call, &w);
  return w.s;
}

/// 0 if there is no room, or it would be beyond the `last`. Under the guard.
std::uint32_t number_of(const stack& s, std::uint32_t last = layout::stacks::most) noexcept {
  std::uint64_t sum = s.depth;
  for (std::uint32_t i = 0; i < s.depth; ++i) sum = mix(sum + s.calls[i]);
  std::size_t place = sum % stack_places;
  for (; stack_index[place] != 0; place = (place + 1) % stack_places)
    if (std::memcmp(&stack_at(stack_index[place]), &s, sizeof s) == 0) return stack_index[place];
  const std::uint32_t n = head().stacks.load(std::memory_order_relaxed) + 1;
  if (n > last || !room_for<layout::stacks, stack>(stacks_done, n)) return 0;
  enter_modules_of(s);
  stack_at(n) = s;
  stack_index[place] = static_cast<std::uint16_t>(n);
  head().stacks.store(n, std::memory_order_release);
  return n;
}

/// Of stacks where locks are taken and waited for: the rest is for the names of locks on the heap, and for orders.
constexpr std::uint32_t most_waited_at = layout::stacks::most / 2;

/// Under the guard. Nothing if there is no room.
layout::path* path_of(number lock, std::uint32_t at) noexcept {
  auto* const all = area_of<layout::paths, layout::path>();
  std::size_t place = mix(std::uint64_t{at} << 16 | lock) % path_places;
  for (; path_index[place] != 0; place = (place + 1) % path_places)
    if (layout::path& p = all[path_index[place] - 1]; p.lock == lock && p.stack == at) return &p;
  const std::uint32_t n = head().paths.load(std::memory_order_relaxed) + 1;
  if (!room_for<layout::paths, layout::path>(paths_done, n)) return nullptr;
  all[n - 1].lock = lock, all[n - 1].stack = at;
  path_index[place] = static_cast<std::uint16_t>(n);
  head().paths.store(n, std::memory_order_release);
  return &all[n - 1];
}

// The file.

void name_program(char (&text)[256]) noexcept {
  const int file = ::open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t n = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  for (ssize_t i = 0; i + 1 < n; ++i)
    if (text[i] == 0) text[i] = ' ';
}

/// How many parts a new file is to have.
std::size_t parts_wanted() noexcept {
  rlimit most{};
  if (getrlimit(RLIMIT_FSIZE, &most) != 0) return 0;
  const std::size_t wanted_parts = geteuid() == 0 ? layout::most_parts : 1;
  return std::min<std::size_t>(wanted_parts, most.rlim_cur / layout::bytes);  // beyond the limit waits a signal
}

/// A new file of so many parts, without content. A descriptor, or -1.
int create(std::size_t count) noexcept {
  if (count == 0) return -1;
  for (unsigned n = 0; n < 1000; ++n) {
    std::snprintf(file_name, sizeof file_name, "%s/%d.%u", folder_name, static_cast<int>(getpid()), n);
    const int file = ::open(file_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return -1;
    const auto size = static_cast<off_t>(count * layout::bytes);
    if (ftruncate(file, size) == 0 && posix_fallocate(file, 0, layout::modules::at) == 0) return file;
    close(file);
    unlink(file_name);
    return -1;
  }
  return -1;
}

/// Of two readings of the clock, one right after the other.
std::uint32_t least_apart() noexcept {
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < 32; ++i) {
    const std::uint64_t from = now();
    least = std::min(least, now() - from);
  }
  return static_cast<std::uint32_t>(least);
}

/// In a part where nothing is yet but room for the header.
void begin() noexcept {
  for (frontier* const f :
       {&modules_done, &stacks_done, &orders_done, &spans_done, &paths_done, &threads_done, &pairs_done, &locks_done})
    f->forget();
  layout::header& h = head();
  h.pid = static_cast<std::uint32_t>(getpid());
  h.parent = static_cast<std::uint32_t>(getppid());
  h.every = wanted.every;
  h.clock = least_apart();
  h.begun = now();
  name_program(h.program);
  h.magic = layout::magic;
}

/// What was mapped stays.
bool map_new_file() noexcept {
  const std::size_t count = parts_wanted();
  const int file = create(count);
  if (file < 0) return false;
  void* const there = mmap(nullptr, layout::bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  close(file);
  if (there == MAP_FAILED) return unlink(file_name), false;
  first_part = base = static_cast<std::byte*>(there);
  parts = count;
  begin();
  return true;
}

/// Of the parent's file, which is not open: a shared mapping can be mapped once more, and as far as the file goes.
bool map_next_part() noexcept {
  auto& first = *reinterpret_cast<layout::header*>(first_part);
  const std::size_t next = first.heirs.fetch_add(1, std::memory_order_relaxed) + std::size_t{1};
  if (next >= parts) return false;
  const std::size_t at = next * layout::bytes;
  void* const there = mremap(first_part, 0, at + layout::bytes, MREMAP_MAYMOVE);
  if (there == MAP_FAILED) return false;
  first_part = static_cast<std::byte*>(there);
  base = first_part + at;
  munmap(first_part + layout::modules::at, at - layout::modules::at);
  if (!allocate(0, layout::modules::at)) return false;
  begin();
  return true;
}

void unmap(std::byte* first, std::byte* part) noexcept {
  if (part != first) munmap(first, layout::modules::at);
  munmap(part, layout::bytes);
}

/// What the parent knew of its locks.
void take_over(const std::byte* old) noexcept {
  const auto& h = *reinterpret_cast<const layout::header*>(old);
  const std::uint32_t stacks = h.stacks.load(std::memory_order_relaxed),
                      locks = h.locks.load(std::memory_order_relaxed);
  if (room_for<layout::modules, module>(modules_done, h.modules)) {
    std::memcpy(base + layout::modules::at, old + layout::modules::at, h.modules * sizeof(module));
    head().modules = h.modules;
  }
  if (room_for<layout::stacks, stack>(stacks_done, stacks)) {
    std::memcpy(base + layout::stacks::at, old + layout::stacks::at, stacks * sizeof(stack));
    head().stacks.store(stacks, std::memory_order_relaxed);
  }
  if (!room_for<layout::locks, layout::lock>(locks_done, locks)) return;
  const auto* const before = reinterpret_cast<const layout::lock*>(old + layout::locks::at);
  for (std::uint32_t i = 0; i < locks; ++i) {
    layout::lock& l = at(static_cast<number>(i + 1));
    l.address = before[i].address, l.made_at = before[i].made_at;
    l.initialised = before[i].initialised, l.what = before[i].what;
  }
  head().locks.store(locks, std::memory_order_relaxed);
}

}  // namespace

layout::header& head() noexcept { return *reinterpret_cast<layout::header*>(base); }

layout::lock& at(number lock) noexcept { return area_of<layout::locks, layout::lock>()[lock - 1]; }

bool is_lock(number lock) noexcept { return lock != 0 && lock <= head().locks.load(std::memory_order_acquire); }

namespace {

std::uint64_t read_clock(clockid_t clock) noexcept {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

std::uint64_t now() noexcept { return read_clock(CLOCK_MONOTONIC); }

std::uint64_t worked() noexcept { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

/// "RAN QUEUED TIMES", zeros where the kernel does not count. Bare calls: `open` and `read` of the C library may end a
/// thread that is to be cancelled, which locking a mutex does not.
std::uint64_t queued() noexcept {
  const int before = errno;
  char text[80];
  const auto file = syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  const auto length = file < 0 ? 0 : syscall(SYS_read, file, text, sizeof text);
  if (file >= 0) syscall(SYS_close, file);
  errno = before;
  std::uint64_t numbers[3]{};
  std::size_t n = 0;
  for (long i = 0; i < length && n < std::size(numbers); ++i) {
    if (text[i] >= '0' && text[i] <= '9')
      numbers[n] = 10 * numbers[n] + static_cast<std::uint64_t>(text[i] - '0');
    else
      ++n;
  }
  return numbers[2] == 0 ? layout::thread::unknown : numbers[1];
}

bool open(const char* folder, const extent& asked) noexcept {
  wanted = asked;
  const int length = std::snprintf(folder_name, sizeof folder_name, "%s", folder);
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof folder_name) return false;
  if (!map_new_file()) return false;
  own = range_of(object_at(&own));
  return true;
}

bool open_again() noexcept {
  static_cast<void>(guard.try_lock());  // nobody is there to hold it
  guard.unlock();
  std::byte* const old_first = first_part;
  std::byte* const old = base;
  const bool had_orders = head().orders.load(std::memory_order_relaxed) != 0;
  if (!map_new_file() && !map_next_part()) return false;
  take_over(old);
  unmap(old_first, old);
  if (had_orders)
    for (auto& place : order_index) place.store(0, std::memory_order_relaxed);
  if (wanted.paths) std::memset(path_index, 0, sizeof path_index);
  return true;
}

number enter(const void* address, bool initialised, layout::sort what) noexcept {
  const stack here = stack_here();
  const std::lock_guard hold{guard};
  const std::uint32_t made_at = number_of(here);
  const auto word = reinterpret_cast<std::uint64_t>(address);
  std::size_t place = mix(word + mix(made_at)) % lock_places;
  for (; lock_index[place] != 0; place = (place + 1) % lock_places)
    if (const layout::lock& l = at(lock_index[place]); l.address == word && l.made_at == made_at && l.what == what)
      return lock_index[place];
  const std::uint32_t n = head().locks.load(std::memory_order_relaxed) + 1;
  const std::uint32_t last = what == layout::sort::writing ? n + 1 : n;
  if (!room_for<layout::locks, layout::lock>(locks_done, last)) return beyond;
  for (std::uint32_t i = n; i <= last; ++i) {
    layout::lock& l = at(static_cast<number>(i));
    l.address = word, l.made_at = made_at, l.initialised = initialised ? 1 : 0;
    l.what = i == n ? what : layout::sort::reading;
  }
  lock_index[place] = static_cast<number>(n);
  head().locks.store(last, std::memory_order_release);
  return static_cast<number>(n);
}

bool records_callers() noexcept { return wanted.callers; }
bool records_paths() noexcept { return wanted.paths; }

std::uint32_t enter_callers() noexcept {
  constexpr std::size_t innermost = 4;
  const stack here = stack_here(innermost);
  const std::lock_guard hold{guard};
  return number_of(here, most_waited_at);
}

void note_path(number lock, std::uint64_t waits, std::uint64_t ns) noexcept {
  const stack here = stack_here();
  const std::lock_guard hold{guard};
  layout::path* const p = path_of(lock, number_of(here, most_waited_at));
  if (p == nullptr) {
    head().lost_path_ns.fetch_add(ns, std::memory_order_relaxed);
    return;
  }
  p->waits.fetch_add(waits, std::memory_order_relaxed);
  p->ns.fetch_add(ns, std::memory_order_relaxed);
}

void note_order(number held, number next, std::uint32_t thread) noexcept {
  const std::uint32_t both = std::uint32_t{held} << 16 | next;
  std::size_t place = mix(both) % order_places;
  for (std::uint32_t seen; (seen = order_index[place].load(std::memory_order_acquire)) != 0;
       place = (place + 1) % order_places)
    if (seen == both) return;
  if (head().orders.load(std::memory_order_relaxed) >= layout::most_orders) {
    head().lost_orders.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const stack here = stack_here();
  const std::lock_guard hold{guard};
  for (std::uint32_t seen; (seen = order_index[place].load(std::memory_order_relaxed)) != 0;
       place = (place + 1) % order_places)
    if (seen == both) return;
  const std::uint32_t n = head().orders.load(std::memory_order_relaxed) + 1;
  if (!room_for<layout::orders, layout::order>(orders_done, n)) {
    head().lost_orders.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  area_of<layout::orders, layout::order>()[n - 1] = {held, next, number_of(here), thread};
  head().orders.store(n, std::memory_order_release);
  order_index[place].store(both, std::memory_order_release);
}

layout::thread* enter_thread(std::uint32_t n) noexcept {
  const std::lock_guard in{guard};
  if (!room_for<layout::threads, layout::thread>(threads_done, n)) return nullptr;
  return &area_of<layout::threads, layout::thread>()[n - 1];
}

layout::pair* pair_of(number first, number second) noexcept {
  constexpr std::size_t looks = 64;
  const std::size_t bytes = layout::most_pairs * sizeof(layout::pair);
  if (!pairs_done.has_reached(bytes)) {
    const std::lock_guard in{guard};
    if (!room_for<layout::pairs, layout::pair>(pairs_done, layout::most_pairs)) return nullptr;
  }
  const std::uint32_t both = std::uint32_t{first} << 16 | second;
  auto* const all = area_of<layout::pairs, layout::pair>();
  for (std::size_t i = 0, place = mix(both) % layout::most_pairs; i < looks; ++i) {
    std::uint32_t seen = all[place].both.load(std::memory_order_relaxed);
    if (seen == 0 && all[place].both.compare_exchange_strong(seen, both, std::memory_order_relaxed)) return &all[place];
    if (seen == both) return &all[place];
    place = (place + 1) % layout::most_pairs;
  }
  return nullptr;
}

void note_span(number lock, std::uint32_t thread, std::uint64_t from, std::uint64_t wait, std::uint64_t hold) noexcept {
  const std::uint32_t n = head().spans.load(std::memory_order_relaxed) < layout::most_spans
                              ? head().spans.fetch_add(1, std::memory_order_relaxed)
                              : layout::most_spans;
  bool room = n < layout::most_spans && spans_done.has_reached((n + 1) * sizeof(layout::span));
  if (!room && n < layout::most_spans) {
    const std::lock_guard in{guard};
    room = room_for<layout::spans, layout::span>(spans_done, n + 1);
  }
  if (!room) {
    head().lost_spans.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  layout::span& s = area_of<layout::spans, layout::span>()[n];
  s.wait = wait, s.hold = hold, s.thread = thread, s.lock = lock;
  s.from.store(from, std::memory_order_release);
}

}  // namespace synchro::preload::recording
