// Prints the table of all wake primitives, as Markdown: what docs/wakes/README.md takes from the program.

#include "experiments/wakes/wake_table.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

namespace {

/// What this thread has asked of the allocator so far.
thread_local std::size_t allocated = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t line) {
  allocated += bytes;
  const auto whole = static_cast<std::size_t>(line);
  if (void* const p = std::aligned_alloc(whole, (bytes + whole - 1) / whole * whole)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return operator new (bytes, std::align_val_t{alignof(std::max_align_t)});
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace {

using synchro::experiments::wake_row;

std::string yes(bool is) { return is ? "yes" : ""; }

std::string calls(const wake_row& row) {
  if (row.region) return "one, a region";
  if (!row.words.one_call) return "several";
  return row.has_each ? "one, or one each" : "one";
}

std::size_t bytes_for(const wake_row& row, unsigned sleepers) {
  const std::size_t before = allocated;
  const auto made = row.make(sleepers);
  return allocated - before;
}

/// Of our own: what each further sleeper asks of the allocator, measured. What the system keeps for others is not seen.
std::string bytes(const wake_row& row) {
  if (row.kind != synchro::experiments::primitive_kind::own) return "";
  constexpr unsigned few = 64;  // whole groups of any usual size
  constexpr unsigned many = 128;
  return fmt::format("{}", (bytes_for(row, many) - bytes_for(row, few)) / (many - few));
}

std::string line_of(const wake_row& row) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", row.name, calls(row), yes(row.sleeps),
                     yes(row.make_groups != nullptr), bytes(row), row.words.judgement, row.words.citation);
}

}  // namespace

int main() {
  std::string text =
      "| primitive | calls of a trigger | sleeps | can be split | bytes a sleeper | when, and when not | source "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const wake_row& row : synchro::experiments::all_wakes()) text += line_of(row);
  return std::fputs(text.c_str(), stdout) < 0 ? 1 : 0;
}
