#include "preload/start.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "platform/interposer.hpp"
#include "preload/absent.hpp"
#include "preload/calls.hpp"
#include "preload/crowd.hpp"
#include "preload/natives.hpp"
#include "preload/real_time.hpp"
#include "preload/recorder.hpp"
#include "preload/redirection.hpp"
#include "synchro/domains.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/shared_mutex.hpp"

namespace synchro::preload {

namespace {

namespace agreed = platform::interposer;

constinit std::atomic<std::uint32_t> starter{0};

/// What the environment said: a program may write over its memory.
constinit char report_file[4096];
/// The byte that says that a lock was replaced; null: it need not be set.
constinit std::atomic<std::atomic<unsigned char>*> use_mark{nullptr};
constinit char lock_name[64];

/// False if the variable is not set, or is longer than `text`.
template <std::size_t Bytes>
bool copy_variable(const char* name, char (&text)[Bytes]) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return false;
  const int length = std::snprintf(text, Bytes, "%s", value);
  return length >= 0 && static_cast<std::size_t>(length) < Bytes;
}

/// Our own functions by their names: bound when this library was linked (-Bsymbolic-functions), wherever others of the name
/// stand. (With -Bsymbolic the loader would also look into this library first for what dlsym asks of all.)
void* const own_functions[] = {
#define SYNCHRO_PRELOAD_ADDRESS(name) reinterpret_cast<void*>(&::name),
    SYNCHRO_PRELOAD_CALLS(SYNCHRO_PRELOAD_ADDRESS)
#undef SYNCHRO_PRELOAD_ADDRESS
};

void find_natives() {
#define SYNCHRO_PRELOAD_FIND(name) native.name = reinterpret_cast<decltype(native.name)>(dlsym(RTLD_NEXT, #name));
  SYNCHRO_PRELOAD_CALLS(SYNCHRO_PRELOAD_FIND)
#undef SYNCHRO_PRELOAD_FIND
}

/// Whether a call of `name` from the program comes to `ours`. A program that is not position-independent and takes a
/// function's address has a stub for it, which its symbol table calls undefined. (Versions are not looked at: ours has
/// none and so serves each, exports.map; dlvsym would not say so, for it is stricter than the loader.)
bool reaches(const char* name, const void* ours) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  if (found == ours) return true;
  Dl_info where{};
  void* symbol = nullptr;
  if (found == nullptr || dladdr1(found, &where, &symbol, RTLD_DL_SYMENT) == 0) return false;
  return symbol != nullptr && static_cast<const ElfW(Sym)*>(symbol)->st_shndx == SHN_UNDEF;
}

const char* owner_of(const char* name) {
  Dl_info where{};
  void* const found = dlsym(RTLD_DEFAULT, name);
  const bool known = found != nullptr && dladdr(found, &where) != 0 && where.dli_fname != nullptr;
  return known ? where.dli_fname : "another object";
}

/// Ends the process unless every function reaches us.
void test_reach() {
  for (std::size_t i = 0; i < calls; ++i)
    if (!reaches(call_names[i], own_functions[i]))
      refuse(agreed::exit_cannot,
             "%s reaches %s instead of this library: only a part of the program's locks would be replaced",
             call_names[i], owner_of(call_names[i]));
  void* const* const natives_found = reinterpret_cast<void* const*>(&native);
  for (std::size_t i = 0; i < calls; ++i)
    if (natives_found[i] == nullptr || natives_found[i] == own_functions[i])
      refuse(agreed::exit_cannot, "this C library has no %s", call_names[i]);
}

/// What the C library writes into a condition variable with one attribute: a flag, in one word. Finds that word.
std::uint32_t flag_written(const pthread_condattr_t& attribute, unsigned& at) {
  pthread_cond_t c;
  std::memset(&c, 0, sizeof c);
  native.pthread_cond_init(&c, &attribute);
  std::uint32_t words[sizeof c / sizeof(std::uint32_t)];
  std::memcpy(words, &c, sizeof c);
  std::uint32_t flag = 0;
  for (unsigned i = 0; i < sizeof words / sizeof *words; ++i)
    if (words[i] != 0) flag = words[i], at = i;
  return flag;
}

/// The layout of condition variables changes between versions of the C library, so it is looked at.
void learn_conditions() {
  pthread_condattr_t attribute;
  pthread_condattr_init(&attribute);
  pthread_condattr_setclock(&attribute, CLOCK_MONOTONIC);
  chosen.monotonic_flag = flag_written(attribute, chosen.flags_at);
  pthread_condattr_setclock(&attribute, CLOCK_REALTIME);
  pthread_condattr_setpshared(&attribute, PTHREAD_PROCESS_SHARED);
  unsigned at = 0;
  chosen.shared_flag = flag_written(attribute, at);
  pthread_condattr_destroy(&attribute);
  constexpr unsigned ours = 24 / sizeof(std::uint32_t);  // the bytes that condition.cpp uses
  if (chosen.monotonic_flag == 0 || chosen.shared_flag == 0 || at != chosen.flags_at || at < ours)
    refuse(agreed::exit_cannot, "the condition variables of this C library are not as they are known");
}

void choose_lock() {
  lock_operations found = operations_of<basic_mutex_lock<>>();
  if (std::getenv(agreed::lock_variable) == nullptr) {
    std::strcpy(lock_name, "mutex");
  } else {
    copy_variable(agreed::lock_variable, lock_name);
    chosen.leaves_all = std::strcmp(lock_name, agreed::native_lock) == 0;
    if (!chosen.leaves_all) {
      sought_lock wanted{lock_name};
      look_for(wanted);
      if (look_for_own != nullptr && wanted.found.mutex == nullptr) look_for_own(wanted);
      found = wanted.found;
    }
  }
  if (found.mutex == nullptr && absent_lock::is_meant(lock_name)) found = absent_lock::operations();
  if (found.mutex == nullptr) refuse(agreed::exit_usage, "there is no lock '%s'", lock_name);
  chosen.mutex = found.spins ? watch_for_crowds(*found.mutex, lock_name) : found.mutex;
  chosen.rwlock = found.rwlock != nullptr ? found.rwlock : operations_of<basic_shared_mutex_lock<>>().rwlock;
}

/// Uses the locks once: what they keep per process and per thread is there before a lock of the program's allocator is.
void warm_up() {
  team = new shape(hardware::here());
  mutex_object m{};
  chosen.mutex->make(m);
  chosen.mutex->lock(m);
  chosen.mutex->unlock(m);
  chosen.mutex->unmake(m);
}

/// Whether lock and unlock of a plain mutex need nothing but the lock.
bool may_be_fast() { return !counted.on() && !records() && !chosen.leaves_all; }

/// The numbers of the processes that fork from this one, and fork from those. The first is any: of programs that do not
/// descend from one another, too, no two should have the same.
std::atomic<std::uint32_t>* family = nullptr;

void found_family() {
  void* const page = mmap(nullptr, sizeof *family, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) refuse(agreed::exit_cannot, "there is not enough memory");
  const auto now = static_cast<std::uint64_t>(hardware::clock::now().time_since_epoch().count());
  const std::uint64_t any = (now ^ std::uint64_t{this_thread()} << 32) * 0x9E37'79B9'7F4A'7C15U;
  family = new (page) std::atomic<std::uint32_t>{static_cast<std::uint32_t>(any >> 44)};
}

/// Objects from before are of another generation from now on. Marks have few bits for it, so numbers come round.
mark::word begin_generation() {
  const mark::word before = chosen.plain.load(std::memory_order_relaxed);
  std::uint32_t generation = 0;
  do generation = family->fetch_add(1, std::memory_order_relaxed);
  while (mark::is_of(before, generation));
  const mark::word plain = mark::ready(generation, kind::plain);
  chosen.generation.store(generation, std::memory_order_relaxed);
  chosen.plain.store(plain, std::memory_order_release);
  return plain;
}

/// Later the program may have another root, other rights, or no call left but a few.
void map_use_mark() {
  static constinit char path[4096];
  if (!copy_variable(agreed::seen_variable, path)) return;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat facts {};
  void* const there = file >= 0 && fstat(file, &facts) == 0 && facts.st_size > 0
                          ? mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                          : MAP_FAILED;
  if (file >= 0) close(file);
  if (there != MAP_FAILED) use_mark.store(static_cast<std::atomic<unsigned char>*>(there));
}

void choose_recorder() {
  static constinit char folder[4096];
  char text[16];
  if (!copy_variable(agreed::profile_variable, folder)) return;
  const auto is_on = [&](const char* variable) { return copy_variable(variable, text) && std::strcmp(text, "1") == 0; };
  const unsigned every = copy_variable(agreed::every_variable, text) ? static_cast<unsigned>(std::atoi(text)) : 0;
  start_recorder(folder, {every != 0 ? every : agreed::default_every, is_on(agreed::callers_variable),
                          is_on(agreed::paths_variable)});
  // Nobody else can tell: no file says that this process was there.
  if (!records() && faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0 && errno == EACCES)
    dprintf(STDERR_FILENO, "%s: process %d is not recorded: it began as user %u, not as the one who profiles\n",
            agreed::file, static_cast<int>(getpid()), static_cast<unsigned>(geteuid()));
}

/// Of this process: whether it used a readers-writers lock, whether it began a thread.
constinit std::atomic<unsigned> read_use_and_threads{0};

void note_read_use_or_thread(unsigned bit) noexcept {
  if ((read_use_and_threads.fetch_or(bit) | bit) == 3) note_use();
}

void after_fork() {
  chosen.forker = own_number;
  own_number = 0;
  read_use_and_threads.store(0, std::memory_order_relaxed);
  counted.forget();
  reopen_memory();
  reopen_spins();
  reopen_far_locks();
  watch_again();
  forget_newest_mutex();
  keep_reads_of_forker();
  restart_recorder();
  const mark::word plain = begin_generation();
  if (may_be_fast()) fast.ready.store(plain, std::memory_order_relaxed);
}

void start_now() {
  find_natives();
  test_reach();
  choose_lock();
  learn_conditions();
  if (!redirect_c_library())
    refuse(agreed::exit_cannot,
           "the C library's table of symbols cannot be written here: a library that is loaded with "
           "RTLD_DEEPBIND would find other locks than the program");
  found_family();
  const mark::word plain = begin_generation();
  warm_up();
  pthread_atfork(nullptr, nullptr, after_fork);
  fast.lock = chosen.mutex->lock;
  fast.try_lock = chosen.mutex->try_lock;
  fast.unlock = chosen.mutex->unlock;
  fast.remembers = chosen.mutex->is_plain;
  if (copy_variable(agreed::report_variable, report_file))
    counted.start();  // every call goes the slow way, which counts
  map_use_mark();
  choose_recorder();
  tell_of_real_time(own_policy());
  if (may_be_fast()) fast.ready.store(plain, std::memory_order_release);
}

/// Appends at most `room` bytes; a text that would not fit ends where it is.
class line {
 public:
  void add(const char* format, ...) noexcept __attribute__((format(printf, 2, 3))) {
    va_list arguments;
    va_start(arguments, format);
    const int n = std::vsnprintf(text_ + length_, sizeof text_ - length_, format, arguments);
    va_end(arguments);
    if (n > 0) length_ += static_cast<std::size_t>(n);
    if (length_ >= sizeof text_) length_ = sizeof text_ - 1;
  }
  void write_to(int file) const noexcept {
    if (::write(file, text_, length_) < 0) return;  // nothing can be done
  }

 private:
  char text_[8192];
  std::size_t length_ = 0;
};

void report() noexcept {
  line out;
  out.add(R"({"pid": %d, "lock": "%s", "calls": {)", static_cast<int>(getpid()), lock_name);
  const char* separator = "";
  for (std::size_t i = 0; i < calls; ++i)
    if (const auto n = counted.of_call(i); n != 0) {
      out.add(R"(%s"%s": %llu)", separator, call_names[i], static_cast<unsigned long long>(n));
      separator = ", ";
    }
  out.add(R"(}, "objects": {)");
  separator = "";
  for (std::size_t i = 0; i < events; ++i) {
    out.add(R"(%s"%s": %llu)", separator, event_names[i], static_cast<unsigned long long>(counted.of_event(i)));
    separator = ", ";
  }
  out.add("}}\n");
  if (std::strcmp(report_file, "-") == 0) return out.write_to(STDERR_FILENO);
  const int file = open(report_file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  out.write_to(file);
  close(file);
}

[[gnu::constructor]] void at_load() { started(); }

[[gnu::destructor]] void at_end() {
  if (counted.on()) report();
  end_recorder();
}

}  // namespace

std::uint32_t ask_number() noexcept { return own_number = static_cast<std::uint32_t>(syscall(SYS_gettid)); }

void note_use() noexcept {
  if (use_mark.load(std::memory_order_relaxed) == nullptr) return;
  if (auto* const mark = use_mark.exchange(nullptr)) mark->store(1, std::memory_order_relaxed);
}

void note_read_use() noexcept { note_read_use_or_thread(1); }
void note_second_thread() noexcept { note_read_use_or_thread(2); }

void refuse(int status, const char* format, ...) noexcept {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  dprintf(STDERR_FILENO, "%s: %s\n", agreed::file, text);
  _exit(status);
}

bool start_slowly() noexcept {
  std::uint32_t seen = 0;
  if (starter.compare_exchange_strong(seen, this_thread(), std::memory_order_acq_rel)) {
    start_now();
    has_started.store(true, std::memory_order_release);
    return true;
  }
  if (seen == this_thread()) return has_started.load(std::memory_order_relaxed);
  while (!has_started.load(std::memory_order_acquire)) sched_yield();
  return true;
}

}  // namespace synchro::preload
