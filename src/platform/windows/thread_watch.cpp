#include "platform/thread_watch.hpp"

#include <fmt/format.h>
// clang-format off
#include <windows.h>
#include <tlhelp32.h>  // leans on the other
#include <winternl.h>
// clang-format on

#include <map>
#include <mutex>
#include <set>

#include "platform/windows/system.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

// NtQuerySystemInformation's list of processes, each followed by its threads. Both are laid out as Windows has had them
// since version 6; the second is that of winternl.h, which keeps the count of switches to itself.

constexpr auto processes_and_threads = static_cast<SYSTEM_INFORMATION_CLASS>(5);
constexpr LONG too_small = static_cast<LONG>(0xC000'0004);
constexpr ULONG waiting_state = 5;
constexpr std::size_t process_bytes = 0x100;  ///< Of a 64-bit program: where the first thread begins.

struct thread_entry {
  LARGE_INTEGER times[3];
  ULONG wait_time;
  void* start;
  CLIENT_ID id;
  LONG priority, base_priority;
  ULONG switches, state, reason;
};

static_assert(sizeof(void*) != 8 || sizeof(thread_entry) == 0x50);

using records = std::map<long, thread_watch::standing>;

/// Of all threads of this process; none if the system does not tell.
records read_records() {
  using call = LONG __stdcall(SYSTEM_INFORMATION_CLASS, void*, ULONG, ULONG*);
  static auto* const ask = os::detail::system_function<call>("ntdll.dll", "NtQuerySystemInformation");
  static std::vector<unsigned char> buffer(std::size_t{1} << 18);
  records all;
  if (ask == nullptr) return all;
  ULONG needed = 0;
  LONG status = too_small;
  while ((status = ask(processes_and_threads, buffer.data(), static_cast<ULONG>(buffer.size()), &needed)) == too_small)
    buffer.resize(2 * buffer.size());
  const auto own = reinterpret_cast<HANDLE>(static_cast<ULONG_PTR>(GetCurrentProcessId()));
  for (std::size_t at = 0; status == 0;) {
    const auto* const process = reinterpret_cast<const SYSTEM_PROCESS_INFORMATION*>(&buffer[at]);
    const auto* const threads = reinterpret_cast<const thread_entry*>(&buffer[at] + process_bytes);
    if (process->UniqueProcessId == own)
      for (ULONG i = 0; i != process->NumberOfThreads; ++i)
        all[static_cast<long>(reinterpret_cast<ULONG_PTR>(threads[i].id.UniqueThread))] = {
            threads[i].state == waiting_state, threads[i].switches};
    if (process->NextEntryOffset == 0) break;
    at += process->NextEntryOffset;
  }
  return all;
}

/// One reading serves all threads that are looked at one after the other; who is looked at again wants a later one.
std::optional<thread_watch::standing> look_at(long thread) {
  static std::mutex one_at_a_time;
  static records now;
  static std::set<long> told;
  const std::lock_guard hold{one_at_a_time};
  if (!told.insert(thread).second || !now.contains(thread)) {
    now = read_records();
    told = {thread};
  }
  const auto found = now.find(thread);
  return found == now.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace

/// Wine has the list of threads, without what they do.
bool tells_who_sleeps() { return !windows::wine_version() && sizeof(void*) == 8; }

long this_thread_number() { return static_cast<long>(GetCurrentThreadId()); }

std::vector<long> thread_numbers() {
  std::vector<long> numbers;
  HANDLE const all = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
  if (all == INVALID_HANDLE_VALUE) return numbers;
  THREADENTRY32 entry{};
  entry.dwSize = sizeof entry;
  for (BOOL more = Thread32First(all, &entry); more != 0; more = Thread32Next(all, &entry))
    if (entry.th32OwnerProcessID == GetCurrentProcessId()) numbers.push_back(static_cast<long>(entry.th32ThreadID));
  CloseHandle(all);
  return numbers;
}

std::string call_name(long number) { return fmt::format("call {}", number); }

thread_watch::thread_watch(long thread) : thread_{thread}, stat_{-1}, schedstat_{-1} {}
thread_watch::~thread_watch() = default;
thread_watch::thread_watch(thread_watch&& other) noexcept
    : thread_{other.thread_}, stat_{other.stat_}, schedstat_{other.schedstat_} {}

std::optional<thread_watch::standing> thread_watch::look() const {
  static const bool told = tells_who_sleeps();
  return told ? look_at(thread_) : std::nullopt;
}

/// Windows shows no program the system calls of a thread.
std::optional<std::string> thread_watch::sleeps_in() const { return std::nullopt; }

void thread_watch::put_aside(long thread) {
  HANDLE const handle = OpenThread(THREAD_SET_INFORMATION, FALSE, static_cast<DWORD>(thread));
  if (handle == nullptr) return;
  SetThreadPriority(handle, THREAD_PRIORITY_IDLE);
  CloseHandle(handle);
}

}  // namespace synchro::platform
