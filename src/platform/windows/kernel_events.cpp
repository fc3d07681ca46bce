#include "platform/windows/kernel_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <unordered_map>
#include <utility>

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

/// The properties of a session, and behind them its name and its file's.
class session_properties {
 public:
  session_properties(const std::wstring& name, const std::wstring& file)
      : bytes_(sizeof(EVENT_TRACE_PROPERTIES) + (name.size() + file.size() + 2) * sizeof(wchar_t)) {
    constexpr ULONG of_the_kernel = 0x02000000;  // EVENT_TRACE_SYSTEM_LOGGER_MODE, from Windows 8 on
    constexpr ULONG performance_counter = 1;     // the clock of the stamps
    EVENT_TRACE_PROPERTIES& p = *get();
    p.Wnode.BufferSize = static_cast<ULONG>(bytes_.size());
    p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    p.Wnode.ClientContext = performance_counter;
    p.BufferSize = 1024, p.MinimumBuffers = 64, p.MaximumBuffers = 256;  // the first in KB
    p.LogFileMode = EVENT_TRACE_FILE_MODE_SEQUENTIAL | of_the_kernel;
    p.EnableFlags = EVENT_TRACE_FLAG_CSWITCH | EVENT_TRACE_FLAG_SYSTEMCALL;
    p.LoggerNameOffset = sizeof p;
    p.LogFileNameOffset = static_cast<ULONG>(sizeof p + (name.size() + 1) * sizeof(wchar_t));
    std::memcpy(bytes_.data() + p.LogFileNameOffset, file.c_str(), (file.size() + 1) * sizeof(wchar_t));
  }

  [[nodiscard]] EVENT_TRACE_PROPERTIES* get() { return reinterpret_cast<EVENT_TRACE_PROPERTIES*>(bytes_.data()); }

 private:
  std::vector<std::byte> bytes_;  ///< From new, so aligned for anything.
};

/// While alive, the kernel writes what happens into a file, which goes with this.
class session {
 public:
  session() {
    const ULONG status = StartTraceW(&number_, name_.c_str(), properties_.get());
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

  void stop() {
    if (number_ != 0) ControlTraceW(std::exchange(number_, 0), nullptr, properties_.get(), EVENT_TRACE_CONTROL_STOP);
  }
  /// After stop(). Throws if the system lost some.
  [[nodiscard]] std::vector<kernel_event> events() {
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
  traced.stop();
  auto events = traced.events();
  if (events.empty()) throw std::runtime_error{"the kernel told of no event"};
  return events;
}

namespace {

/// Where the kernel is: the first that the list of its modules has (SystemModuleInformation). 0 if the system does not tell.
std::uint64_t kernel_base() {
  struct list {
    ULONG count;
    HANDLE section;
    void *mapped, *base;  // what follows is not needed
  };
  using call = LONG __stdcall(int, void*, ULONG, ULONG*);
  constexpr int module_information = 11;
  static auto* const ask = os::detail::system_function<call>("ntdll.dll", "NtQuerySystemInformation");
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

kernel_names::kernel_names() : base_{kernel_base()} {
  HMODULE const image = LoadLibraryExW(L"ntoskrnl.exe", nullptr, DONT_RESOLVE_DLL_REFERENCES);
  if (image == nullptr) return;
  exported_ = exports_of(reinterpret_cast<const unsigned char*>(image));
  FreeLibrary(image);
}

std::string kernel_names::of(std::uint64_t address) const {
  if (base_ == 0 || address < base_) return fmt::format("call at {:#x}", address);
  const auto found = exported_.find(address - base_);
  return found != exported_.end() ? found->second : fmt::format("kernel+{:#x}", address - base_);
}

}  // namespace synchro::platform::windows
