#include "cli/company.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <vector>

#include "results/text.hpp"

namespace synchro::cli {

std::optional<platform::company> company_now(const platform::topology& t) {
  std::vector<unsigned> cpus;
  for (const auto& p : t.processors) cpus.push_back(p.cpu);
  const auto begin = std::chrono::steady_clock::now();
  const auto first = platform::time_used_so_far(cpus);
  std::this_thread::sleep_for(std::chrono::seconds{1});
  const auto second = platform::time_used_so_far(cpus);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (!first || !second) return std::nullopt;
  return platform::company_between(*first, *second, took.count());
}

std::string company_text(const platform::company& others, std::size_t processors) {
  constexpr std::size_t most_named = 4;
  std::string text = fmt::format("other programs use {:.1f} of {} processor{}", others.processors, processors,
                                 processors == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(most_named, others.programs.size()); ++i) {
    const auto& program = others.programs[i];
    text += fmt::format("{} {}{} {:.1f}", i == 0 ? ":" : ",", results::printable(program.name, 40),
                        program.processes == 1 ? "" : fmt::format(" ({} processes)", program.processes),
                        program.processors);
  }
  return text;
}

}  // namespace synchro::cli
