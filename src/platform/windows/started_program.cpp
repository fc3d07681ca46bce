// Programs are started to be given other locks, which is done on Linux only.

#include "platform/started_program.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace synchro::platform {

std::string program_end::in_words() const { return fmt::format("exit status {}", status); }

struct started_program::state {};

started_program::started_program(const program_start&) {
  throw std::runtime_error{"programs with other locks are started on Linux only"};
}
started_program::~started_program() = default;
std::optional<program_end> started_program::wait(double, const std::function<bool()>&) { return std::nullopt; }
void started_program::stop() noexcept {}
long started_program::number() const { return 0; }
std::string started_program::out() const { return {}; }
std::string started_program::errors() const { return {}; }

}  // namespace synchro::platform
