#include "peers/wakes/openmp_system.hpp"

#include <windows.h>

#include <cstdlib>
#include <vector>

namespace synchro::peers::detail {

namespace {

struct runtime {
  const char* title;
  std::vector<const wchar_t*> files;
};

runtime runtime_of(openmp which) {
  switch (which) {
    case openmp::gnu:
      return {"libgomp", {L"libgomp-1.dll"}};
    // By the name of LLVM's own packages, and by that of Microsoft's.
    case openmp::llvm:
      return {"LLVM's libomp", {L"libomp.dll", L"libomp140.x86_64.dll"}};
    case openmp::microsoft:
      break;
  }
  return {"Microsoft's vcomp140", {L"vcomp140.dll"}};
}

void set_unless_set(const char* name, const char* value) {
  if (std::getenv(name) == nullptr) _putenv_s(name, value);
}

}  // namespace

openmp_library::openmp_library(openmp which) {
  // Read once, when the runtime is loaded.
  set_unless_set("OMP_WAIT_POLICY", "passive");
  set_unless_set("KMP_BLOCKTIME", "0");
  const runtime wanted = runtime_of(which);
  for (const wchar_t* name : wanted.files)
    if (handle_ == nullptr) handle_ = LoadLibraryW(name);
  if (handle_ == nullptr) throw std::runtime_error{std::string{wanted.title} + " is not installed"};
}

void* openmp_library::address_of(const char* symbol) const {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle_), symbol));
}

/// Here the runtime announces itself in its memory.
void withdraw_announcement() {}

}  // namespace synchro::peers::detail
