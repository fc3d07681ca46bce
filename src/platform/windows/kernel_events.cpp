#include "platform/windows/kernel_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "platform/windows/processor_records.hpp"
#include "platform/windows/system.hpp"
#include "synchro/os.hpp"

namespace synchro::platform::windows {

namespace {

// Classes of the kernel's events: Thread, of which CSwitch is one kind, and PerfInfo, of which SysCallEnter is one.
constexpr GUID thread_class{0x3d6fa8d1, 0xfe05, 0x11d0, {0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c}};
constexpr GUID performance_class{0xce1dbfb4, 0x137e, 0x4da6, {0x87, 0xb0, 0x3f, 0x59, 0xaa, 0x10, 0x2c, 0xbc}};
constexpr UCHAR context_switch = 36, call_entered = 51;

/// An unsigned number of so many bytes that the event begins with.
std::optional<std::uint64_t> first_number(const EVENT_RECORD& record, std::size_t bytes) {
  std::uint64_t number = 0;
  if (record.UserData == nullptr || record.UserDataLength < bytes) return std::nullopt;
  std::memcpy(&number, record.UserData, bytes);
  return number;
}

unsigned processor_of(const EVENT_RECORD& record) {
  constexpr USHORT has_index = 0x0200;  // EVENT_HEADER_FLAG_PROCESSOR_INDEX, newer than some headers
  USHORT index = 0;                     // it takes the place of the number and of the alignment
  if ((record.EventHeader.Flags & has_index) == 0) return record.BufferContext.ProcessorNumber;
  std::memcpy(&index, &record.BufferContext, sizeof index);
  return index;
}

}  // namespace

std::optional<kernel_event> kernel_event_of(const EVENT_RECORD& record) {
  const EVENT_HEADER& head = record.EventHeader;
  const bool switched = IsEqualGUID(head.ProviderId, thread_class) && head.EventDescriptor.Opcode == context_switch;
  const bool called = IsEqualGUID(head.ProviderId, performance_class) && head.EventDescriptor.Opcode == call_entered;
  if (!switched && !called) return std::nullopt;
  const std::size_t pointer = (head.Flags & EVENT_HEADER_FLAG_32_BIT_HEADER) != 0 ? 4 : 8;
  const auto argument = first_number(record, switched ? 4 : pointer);
  if (!argument) return std::nullopt;
  return kernel_event{switched ? kernel_event::kind::switched : kernel_event::kind::called,
                      static_cast<std::uint64_t>(head.TimeStamp.QuadPart), processor_of(record), *argument};
}

std::vector<section_mark> numbered_as_events(std::vector<section_mark> marks,
                                             const std::vector<unsigned>& processors_of_groups) {
  for (section_mark& m : marks) m.processor = dense_number(m.processor, processors_of_groups);
  return marks;
}

std::map<unsigned, counted_section> counted_by_section(std::vector<kernel_event> events,
                                                       std::vector<section_mark> marks) {
  const auto by_time = [](const auto& a, const auto& b) { return a.at < b.at; };
  std::stable_sort(events.begin(), events.end(), by_time);
  std::stable_sort(marks.begin(), marks.end(), by_time);
  std::map<unsigned, counted_section> sections;
  std::unordered_map<unsigned, std::uint64_t> running;      // by processor
  std::unordered_map<std::uint64_t, unsigned> section_now;  // by thread
  auto mark = marks.begin();
  for (const kernel_event& e : events) {
    for (; mark != marks.end() && mark->at <= e.at; ++mark) {
      section_now[mark->thread] = mark->section;
      running.try_emplace(mark->processor, mark->thread);
    }
    if (e.what == kernel_event::kind::switched) {
      running[e.processor] = e.argument;
    } else if (const auto thread = running.find(e.processor); thread != running.end()) {
      const auto now = section_now.find(thread->second);
      if (now != section_now.end() && now->second != 0) ++sections[now->second].calls[e.argument];
    }
  }
  for (const section_mark& m : marks)
    if (m.section != 0) ++sections[m.section].entered;
  return sections;
}

namespace {

/// While alive, this process makes use of a privilege that its account has; an administrator's are off until then.
class used_privilege {
 public:
  explicit used_privilege(const wchar_t* name) {
    TOKEN_PRIVILEGES wanted{1, {{{}, SE_PRIVILEGE_ENABLED}}};
    DWORD size = sizeof before_;
    if (OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &token_) != 0 &&
        LookupPrivilegeValueW(nullptr, name, &wanted.Privileges[0].Luid) != 0)
      AdjustTokenPrivileges(token_, FALSE, &wanted, sizeof before_, &before_, &size);
  }
  ~used_privilege() {
    if (before_.PrivilegeCount != 0) AdjustTokenPrivileges(token_, FALSE, &before_, 0, nullptr, nullptr);
    if (token_ != nullptr) CloseHandle(token_);
  }
  used_privilege(const used_privilege&) = delete;
  used_privilege& operator=(const used_privilege&) = delete;

 private:
  HANDLE token_ = nullptr;
  TOKEN_PRIVILEGES before_{};  ///< What was changed.
};

/// The properties of a session, and behind them its name and its file's.
class session_properties {
 public:
  session_properties(const std::wstring& name, const std::wstring& file)
      : bytes_(sizeof(EVENT_TRACE_PROPERTIES) + (name.size() + file.size() + 2) * sizeof(wchar_t)) {
    constexpr ULONG of_the_kernel = 0x02000000;  // EVENT_TRACE_SYSTEM_LOGGER_MODE, from Windows 8 on
    constexpr ULONG performance_counter = 1;     // the clock of the stamps
    constexpr ULONG most_megabytes = 1024;       // then the system ends the session, also one whose program has died
    EVENT_TRACE_PROPERTIES& p = *get();
    p.Wnode.BufferSize = static_cast<ULONG>(bytes_.size());
    p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    p.Wnode.ClientContext = performance_counter;
    p.Wnode.Guid = own_number();
    p.BufferSize = 1024, p.MinimumBuffers = 64, p.MaximumBuffers = 256;  // the first in KB
    p.MaximumFileSize = most_megabytes;
    p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL | of_the_kernel;
    p.EnableFlags = EVENT_TRACE_FLAG_CSWITCH | EVENT_TRACE_FLAG_SYSTEMCALL;
    p.LoggerNameOffset = sizeof p;
    p.LogFileNameOffset = static_cast<ULONG>(sizeof p + (name.size() + 1) * sizeof(wchar_t));
    std::memcpy(bytes_.data() + p.LogFileNameOffset, file.c_str(), (file.size() + 1) * sizeof(wchar_t));
  }

  [[nodiscard]] EVENT_TRACE_PROPERTIES* get() { return reinterpret_cast<EVENT_TRACE_PROPERTIES*>(bytes_.data()); }

 private:
  /// A session of the kernel's events that is not the system's own must have one, and no two have the same.
  static GUID own_number() {
    GUID number{0, 0x1d2c, 0x4f7b, {0x9a, 0x61, 0x5e, 0x0c, 0x83, 0xb4, 0x27, 0xd9}};
    number.Data1 = GetCurrentProcessId();
    return number;
  }

  std::vector<std::byte> bytes_;  ///< From new, so aligned for anything.
};

/// While alive, the kernel writes what happens into a file, which goes with this.
class session {
 public:
  session() {
    const used_privilege profiling{L"SeSystemProfilePrivilege"};
    ULONG status = start();
    if (status == ERROR_ALREADY_EXISTS) {  // left by a program that died and had this one's number
      session_properties left{name_, file_.wstring()};
      ControlTraceW(0, name_.c_str(), left.get(), EVENT_TRACE_CONTROL_STOP);
      status = start();
    }
    if (status == ERROR_ACCESS_DENIED) throw std::runtime_error{"only an administrator may trace what the kernel does"};
    if (status != ERROR_SUCCESS) throw std::runtime_error{"the kernel cannot be traced: " + refusal(status)};
  }
  ~session() {
    stop();
    std::error_code none;
    std::filesystem::remove(file_, none);
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  /// The system's answer; ERROR_MORE_DATA comes where it has stopped, too.
  ULONG stop() {
    if (number_ == 0) return ERROR_SUCCESS;
    return ControlTraceW(std::exchange(number_, 0), nullptr, properties_.get(), EVENT_TRACE_CONTROL_STOP);
  }
  /// Once. Throws if the system lost some.
  [[nodiscard]] std::vector<kernel_event> events() {
    if (const ULONG status = stop(); status != ERROR_SUCCESS && status != ERROR_MORE_DATA)
      throw std::runtime_error{"the system ended the trace before its time: " + refusal(status)};
    if (const ULONG lost = properties_.get()->EventsLost + properties_.get()->LogBuffersLost; lost != 0)
      throw std::runtime_error{fmt::format("the system lost {} of the kernel's events", lost)};
    std::vector<kernel_event> all;
    std::wstring name = file_.wstring();
    EVENT_TRACE_LOGFILEW file{};
    file.LogFileName = name.data();
    file.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD | PROCESS_TRACE_MODE_RAW_TIMESTAMP;
    file.EventRecordCallback = keep;
    file.Context = &all;
    TRACEHANDLE reader = OpenTraceW(&file);
    if (reader == INVALID_PROCESSTRACE_HANDLE)
      throw std::runtime_error{"the kernel's events cannot be read: " + refusal()};
    const ULONG status = ProcessTrace(&reader, 1, nullptr, nullptr);
    CloseTrace(reader);
    if (status != ERROR_SUCCESS) throw std::runtime_error{"the kernel's events cannot be read: " + refusal(status)};
    return all;
  }

 private:
  ULONG start() {
    properties_ = {name_, file_.wstring()};
    return StartTraceW(&number_, name_.c_str(), properties_.get());
  }
  static void WINAPI keep(EVENT_RECORD* record) {
    auto& all = *static_cast<std::vector<kernel_event>*>(record->UserContext);
    if (const auto e = kernel_event_of(*record)) all.push_back(*e);
  }

  const std::wstring name_ = L"synchroscope " + std::to_wstring(GetCurrentProcessId());
  const std::filesystem::path file_ = std::filesystem::temp_directory_path() / (name_ + L".etl");
  session_properties properties_{name_, file_.wstring()};
  TRACEHANDLE number_ = 0;
};

}  // namespace

std::vector<kernel_event> kernel_events_during(const std::function<void()>& body) {
  session traced;
  body();
  auto events = traced.events();
  if (events.empty()) throw std::runtime_error{"the kernel reported no event"};
  return events;
}

namespace {

/// Where the kernel is: the first that the list of its modules has (SystemModuleInformation). 0 if the system does not tell: since
/// Windows 11, version 24H2, it does so for SeDebugPrivilege only, and has zeros for others.
std::uint64_t kernel_base() {
  struct list {
    ULONG count;
    HANDLE section;
    void *mapped, *base;  // what follows is not needed
  };
  using call = LONG __stdcall(int, void*, ULONG, ULONG*);
  constexpr int module_information = 11;
  static auto* const ask = os::detail::system_function<call>("ntdll.dll", "NtQuerySystemInformation");
  const used_privilege debugging{L"SeDebugPrivilege"};
  std::vector<std::byte> buffer(std::size_t{1} << 20);
  ULONG needed = 0;
  if (ask == nullptr || ask(module_information, buffer.data(), static_cast<ULONG>(buffer.size()), &needed) != 0 ||
      needed < sizeof(list))
    return 0;
  list all{};
  std::memcpy(&all, buffer.data(), sizeof all);
  return all.count == 0 ? 0 : reinterpret_cast<std::uintptr_t>(all.base);
}

/// The functions that a program exports, by their distance from its beginning; the program is mapped as when it runs.
std::map<std::uint64_t, std::string> exports_of(const unsigned char* image) {
  std::map<std::uint64_t, std::string> names;
  const auto* const head =
      reinterpret_cast<const IMAGE_NT_HEADERS*>(image + reinterpret_cast<const IMAGE_DOS_HEADER*>(image)->e_lfanew);
  const IMAGE_DATA_DIRECTORY& where = head->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXPORT];
  if (where.VirtualAddress == 0) return names;
  const auto* const table = reinterpret_cast<const IMAGE_EXPORT_DIRECTORY*>(image + where.VirtualAddress);
  const auto* const functions = reinterpret_cast<const DWORD*>(image + table->AddressOfFunctions);
  const auto* const texts = reinterpret_cast<const DWORD*>(image + table->AddressOfNames);
  const auto* const ordinals = reinterpret_cast<const WORD*>(image + table->AddressOfNameOrdinals);
  for (DWORD i = 0; i != table->NumberOfNames; ++i) {
    const std::string name = reinterpret_cast<const char*>(image + texts[i]);
    if (std::string& known = names[functions[ordinals[i]]]; known.empty() || name.starts_with("Nt")) known = name;
  }
  return names;
}

}  // namespace

std::map<std::uint64_t, std::string> exports_of(const wchar_t* library) {
  HMODULE const image = LoadLibraryExW(library, nullptr, LOAD_LIBRARY_AS_IMAGE_RESOURCE | LOAD_LIBRARY_SEARCH_SYSTEM32);
  if (image == nullptr) return {};
  constexpr std::uintptr_t how_mapped = 3;  // the lowest bits of the handle say so (LDR_IS_IMAGEMAPPING)
  auto names =
      exports_of(reinterpret_cast<const unsigned char*>(reinterpret_cast<std::uintptr_t>(image) & ~how_mapped));
  FreeLibrary(image);
  return names;
}

namespace {

/// A call, and which of its arguments is the time that it may take; each is as wide as a pointer.
struct known_call {
  const char* name;
  std::size_t timeout;
};
constexpr std::size_t none = 5;
constexpr std::array<known_call, 15> known{{{"NtAlertThreadByThreadId", none},
                                            {"NtDelayExecution", 1},
                                            {"NtQueueApcThread", none},
                                            {"NtReleaseKeyedEvent", 3},
                                            {"NtReleaseMutant", none},
                                            {"NtReleaseSemaphore", none},
                                            {"NtRemoveIoCompletion", 4},
                                            {"NtResetEvent", none},
                                            {"NtSetEvent", none},
                                            {"NtSetIoCompletion", none},
                                            {"NtWaitForAlertByThreadId", 1},
                                            {"NtWaitForKeyedEvent", 3},
                                            {"NtWaitForMultipleObjects", 4},
                                            {"NtWaitForSingleObject", 2},
                                            {"NtYieldExecution", none}}};

}  // namespace

const std::vector<const char*>& known_calls() {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> all;
    for (const known_call& c : known) all.push_back(c.name);
    return all;
  }();
  return names;
}

/// With five arguments whatever it takes, which is the callee's own business by the convention of 64 bits, and of no other.
bool make_in_vain(const char* call) {
  using function = LONG __stdcall(void*, void*, void*, void*, void*);
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const known_call& c) { return std::string_view{c.name} == call; });
  auto* const make = os::detail::system_function<function>("ntdll.dll", call);
  if (sizeof(void*) != 8 || found == known.end() || make == nullptr) return false;
  LARGE_INTEGER no_time{};
  std::array<void*, none + 1> arguments{};
  arguments[found->timeout] = &no_time;
  make(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]);
  return true;
}

std::map<std::uint64_t, std::string> learnt_from(const std::map<unsigned, counted_section>& sections) {
  std::map<std::uint64_t, std::string> learnt;
  for (unsigned i = 0; i != known.size(); ++i)
    if (const auto found = sections.find(first_known_section + i);
        found != sections.end() && found->second.calls.size() == 1)
      learnt[found->second.calls.begin()->first] = known[i].name;
  return learnt;
}

kernel_names::kernel_names(std::map<std::uint64_t, std::string> learnt)
    : learnt_{std::move(learnt)}, base_{kernel_base()}, exported_{exports_of(L"ntoskrnl.exe")} {}

std::string kernel_names::of(std::uint64_t address) const {
  if (const auto known_one = learnt_.find(address); known_one != learnt_.end()) return known_one->second;
  if (base_ == 0 || address < base_) return fmt::format("call at {:#x}", address);
  const auto found = exported_.find(address - base_);
  return found != exported_.end() ? found->second : fmt::format("kernel+{:#x}", address - base_);
}

}  // namespace synchro::platform::windows
