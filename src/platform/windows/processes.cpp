// What needs processes: Windows starts programs, and copies none.

#include <fmt/format.h>
#include <windows.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "platform/child_process.hpp"
#include "platform/detached_thread.hpp"
#include "platform/system_facts.hpp"
#include "platform/tool.hpp"
#include "platform/windows/system.hpp"

namespace synchro::platform {

namespace {

std::atomic<bool> trying{false};
std::atomic<DWORD> fault{0};  ///< Of what is tried: the code of what would have ended this process.

/// What ends a process: Wine's own code is for a call that it knows by name only.
bool is_the_end(DWORD code) {
  constexpr DWORD call_without_body = 0x8000'0100;
  return code == call_without_body || code == EXCEPTION_ACCESS_VIOLATION || code == EXCEPTION_ILLEGAL_INSTRUCTION ||
         code == EXCEPTION_PRIV_INSTRUCTION || code == EXCEPTION_INT_DIVIDE_BY_ZERO || code == EXCEPTION_BREAKPOINT;
}

/// Called in the thread in which it happens, before anybody else hears of it. That thread stays here.
LONG CALLBACK on_fault(EXCEPTION_POINTERS* what) {
  const DWORD code = what->ExceptionRecord->ExceptionCode;
  if (!trying || !is_the_end(code)) return EXCEPTION_CONTINUE_SEARCH;
  fault = code;
  Sleep(INFINITE);
  return EXCEPTION_CONTINUE_SEARCH;
}

/// While alive, what is tried ends no process.
class trial {
 public:
  trial() : handler_{AddVectoredExceptionHandler(1, on_fault)} {
    fault = 0;
    trying = true;
  }
  ~trial() {
    trying = false;
    RemoveVectoredExceptionHandler(handler_);
  }
  trial(const trial&) = delete;
  trial& operator=(const trial&) = delete;

 private:
  void* handler_;
};

}  // namespace

/// In a thread, which is left behind if it does not end or if what it tries would end a process. One at a time.
child_outcome run_in_child(const std::function<std::string()>& body, double seconds) {
  static std::mutex one_at_a_time;
  const std::lock_guard hold{one_at_a_time};
  const trial tried;
  auto said = std::make_shared<std::promise<std::string>>();
  std::future<std::string> answer = said->get_future();
  run_detached([body, said] {
    try {
      said->set_value(body());
    } catch (...) {
      said->set_exception(std::current_exception());
    }
  });
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>{seconds};
  while (answer.wait_for(std::chrono::milliseconds{5}) != std::future_status::ready) {
    if (fault != 0) return {fmt::format("the system ended it by exception {:#010x}", fault.load()), ""};
    if (std::chrono::steady_clock::now() > until)
      return {fmt::format("it did not finish within {:.3g} s", seconds), ""};
  }
  try {
    return {std::nullopt, answer.get()};
  } catch (const std::exception& e) {
    return {e.what(), ""};
  }
}

child_end hear_child(const std::function<void(const line_listener& tell)>&, const line_listener&,
                     const std::function<bool()>&) {
  return {false, std::nullopt};
}

namespace {

/// A file that goes when it is closed, and that a child may inherit.
class nameless_file {
 public:
  nameless_file() {
    wchar_t folder[MAX_PATH + 1];
    const DWORD length = GetTempPathW(static_cast<DWORD>(std::size(folder)), folder);
    static std::atomic<unsigned> made{0};
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    // Made in one step: who makes a file and opens it again may find a scanner of viruses in it.
    for (int tries = 0; tries != 100 && length != 0 && length < std::size(folder); ++tries) {
      const std::string name = fmt::format("syn-{}-{}.tmp", GetCurrentProcessId(), made++);
      handle_ = CreateFileW((folder + windows::wide(name)).c_str(), GENERIC_READ | GENERIC_WRITE, 0, &inherited,
                            CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, nullptr);
      if (handle_ != INVALID_HANDLE_VALUE) return;
      if (GetLastError() != ERROR_FILE_EXISTS) break;
    }
    throw std::runtime_error{"a temporary file cannot be made: " + windows::refusal()};
  }
  ~nameless_file() { CloseHandle(handle_); }
  nameless_file(const nameless_file&) = delete;
  nameless_file& operator=(const nameless_file&) = delete;

  [[nodiscard]] HANDLE handle() const { return handle_; }
  void rewind() const { SetFilePointer(handle_, 0, nullptr, FILE_BEGIN); }
  void write(const std::string& text) const {
    DWORD written = 0;
    if (WriteFile(handle_, text.data(), static_cast<DWORD>(text.size()), &written, nullptr) == 0 ||
        written != text.size())
      throw std::runtime_error{"a temporary file cannot be written: " + windows::refusal()};
    rewind();
  }
  [[nodiscard]] std::string content() const {
    rewind();
    std::string text;
    char some[65536];
    for (DWORD n = 0; ReadFile(handle_, some, sizeof some, &n, nullptr) != 0 && n > 0;) text.append(some, n);
    return text;
  }

 private:
  HANDLE handle_ = INVALID_HANDLE_VALUE;
};

/// As the C runtime takes a command line apart.
std::wstring command_line(const std::string& name, const std::vector<std::string>& arguments) {
  std::string line = '"' + name + '"';
  for (const std::string& argument : arguments) {
    line += " \"";
    std::size_t slashes = 0;
    for (const char c : argument) {
      if (c == '"') line.append(slashes + 1, '\\');
      slashes = c == '\\' ? slashes + 1 : 0;
      line += c;
    }
    line.append(slashes, '\\') += '"';
  }
  return windows::wide(line);
}

/// What is put into it ends with it, and so with this program, however that ends.
class common_end {
 public:
  common_end() {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(job_, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  }
  ~common_end() {
    if (job_ != nullptr) CloseHandle(job_);
  }
  common_end(const common_end&) = delete;
  common_end& operator=(const common_end&) = delete;

  /// Before Windows 8 it is refused where this program is in such a job itself.
  void add(HANDLE process) const { AssignProcessToJobObject(job_, process); }

 private:
  HANDLE job_ = CreateJobObjectW(nullptr, nullptr);
};

/// A program that was started; it does not outlive this, nor this program: it may be real-time, and stuck.
class started {
 public:
  /// Throws std::system_error with the code of GetLastError.
  started(std::wstring line, STARTUPINFOW start, DWORD how) {
    how |= CREATE_SUSPENDED;
    if (CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, how, nullptr, nullptr, &start, &child_) == 0)
      throw std::system_error{static_cast<int>(GetLastError()), std::system_category()};
    job_.add(child_.hProcess);
    ResumeThread(child_.hThread);
  }
  ~started() {
    TerminateProcess(child_.hProcess, 1);  // refused if it has ended
    WaitForSingleObject(child_.hProcess, INFINITE);
    CloseHandle(child_.hThread);
    CloseHandle(child_.hProcess);
  }
  started(const started&) = delete;
  started& operator=(const started&) = delete;

  /// Its exit status; nothing if it runs on.
  [[nodiscard]] std::optional<DWORD> wait(DWORD milliseconds) const {
    DWORD status = 1;
    if (WaitForSingleObject(child_.hProcess, milliseconds) != WAIT_OBJECT_0) return std::nullopt;
    GetExitCodeProcess(child_.hProcess, &status);
    return status;
  }

 private:
  common_end job_;
  PROCESS_INFORMATION child_{};
};

/// Nothing if it has not ended by then. Throws std::system_error if it cannot be started.
std::optional<tool_outcome> run(const std::string& name, const std::vector<std::string>& arguments,
                                const std::string& input, DWORD how, DWORD milliseconds) {
  const nameless_file in, out, errors;
  in.write(input);
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = in.handle();
  start.hStdOutput = out.handle();
  start.hStdError = errors.handle();
  const started child{command_line(name, arguments), start, how};
  const auto status = child.wait(milliseconds);
  if (!status) return std::nullopt;
  return tool_outcome{*status == 0, out.content(), errors.content()};
}

/// This program's file.
std::optional<std::wstring> own_file() {
  wchar_t name[4096];
  const DWORD length = GetModuleFileNameW(nullptr, name, static_cast<DWORD>(std::size(name)));
  if (length == 0 || length == std::size(name)) return std::nullopt;
  return std::wstring(name, length);
}

}  // namespace

std::optional<tool_outcome> run_tool(const std::string& name, const std::vector<std::string>& arguments,
                                     const std::string& input) {
  try {
    return run(name, arguments, input, 0, INFINITE);
  } catch (const std::system_error& e) {
    const auto error = static_cast<DWORD>(e.code().value());
    if (error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND) return std::nullopt;
    throw std::runtime_error{fmt::format("{} cannot be started: {}", name, windows::refusal(error))};
  }
}

std::string windows::run_this_program(const std::string& word, const std::string& input, double seconds) {
  const auto file = own_file();
  if (!file) throw std::runtime_error{"the system does not report this program's file"};
  std::optional<tool_outcome> done;
  try {
    done = run(utf8(*file), {word}, input, CREATE_NEW_PROCESS_GROUP, static_cast<DWORD>(seconds * 1e3));
  } catch (const std::system_error& e) {
    throw std::runtime_error{"a process of this program cannot be started: " +
                             refusal(static_cast<DWORD>(e.code().value()))};
  }
  if (!done) throw std::runtime_error{fmt::format("a process of this program did not end within {:.3g} s", seconds)};
  if (!done->well) throw std::runtime_error{"a process of this program failed: " + done->errors};
  return done->out;
}

std::optional<std::string> program_fingerprint() {
  static const std::optional<std::string> found = []() -> std::optional<std::string> {
    const auto file = own_file();
    return file ? fingerprint_of(std::filesystem::path{*file}) : std::nullopt;
  }();
  return found;
}

}  // namespace synchro::platform
