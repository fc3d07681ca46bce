// Programs are started to be given other locks or to have theirs recorded, which is done on Linux only.

#include "platform/started_program.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "platform/program_run.hpp"
#include "platform/symbols.hpp"

namespace synchro::platform {

std::string program_end::in_words() const { return fmt::format("exit status {}", status); }

struct started_program::state {};

started_program::started_program(const program_start&) {
  throw std::runtime_error{"programs with other locks are started on Linux only"};
}
started_program::~started_program() = default;
std::optional<program_end> started_program::wait(double, const std::function<bool()>&) { return std::nullopt; }
void started_program::stop(double) noexcept {}
long started_program::number() const { return 0; }
std::string started_program::out() const { return {}; }
std::string started_program::errors() const { return {}; }

program_end run_to_end(const std::string&, const std::vector<std::string>&,
                       const std::vector<std::pair<std::string, std::string>>&) {
  throw std::runtime_error{"programs whose locks are recorded are started on Linux only"};
}

void end_by_signal(int signal) { std::_Exit(128 + signal); }

mapped_folder::mapped_folder() { throw std::runtime_error{"locks of programs are recorded on Linux only"}; }
mapped_folder::~mapped_folder() = default;

bool is_running(long) { return false; }
std::optional<std::vector<std::string>> files_shared_by(long) { return std::nullopt; }

own_file::own_file(const std::string&) {}
own_file::~own_file() = default;
std::optional<bool> own_file::is_written() const { return std::nullopt; }
std::size_t own_file::read(std::uint64_t, void*, std::size_t) const { return 0; }

/// What is recorded on Linux has no names here.
symbol_table::symbol_table(const std::string&) {}
std::optional<symbol> symbol_table::at(std::uint64_t) const { return std::nullopt; }

}  // namespace synchro::platform
