#include "platform/module.hpp"

#include <stdexcept>

namespace synchro::platform {

namespace {

[[noreturn]] void refuse() {
  throw std::runtime_error{
      "on Windows a lock of your own is compiled into the program: configure with -DSYNCHRO_EXTRA_LOCKS=FOLDER"};
}

}  // namespace

std::string compiled_module(const module_request&, const std::function<void()>&) { refuse(); }

void load_module(const std::string& module) {
  throw std::runtime_error{module + " cannot be loaded: on Windows the program has all its parts in itself"};
}

void* function_of_module(const std::string&, const char*) { refuse(); }

}  // namespace synchro::platform
