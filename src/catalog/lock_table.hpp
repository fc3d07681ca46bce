// The property table of all locks, as Markdown.

#ifndef SYNCHRO_CATALOG_LOCK_TABLE_HPP
#define SYNCHRO_CATALOG_LOCK_TABLE_HPP

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "catalog/lock_bytes.hpp"
#include "catalog/lock_line.hpp"
#include "catalog/lock_words.hpp"
#include "synchro/hardware.hpp"
#include "synchro/traits.hpp"

namespace synchro::catalog {

/// Three tables: what every variant offers, what it takes of the memory, measured, and what every lock is good for.
/// Nothing in them is written by hand but the words of the locks' own traits.
class lock_table {
 public:
  /// Adds a line of the catalog.
  template <class Line>
  void add() {
    bool first = true;
    Line::each([&](const auto& variant) {
      using lock = typename std::decay_t<decltype(variant)>::template lock<hardware>;
      constexpr lock_description d = describe<lock>();
      const lock_bytes takes = lock_measurement<std::decay_t<decltype(variant)>::template lock>::measured();
      if (takes.each_waiter != d.bytes_per_held_lock || takes.each_thread != d.bytes_per_thread)
        throw std::logic_error(variant.name + " does not take the bytes that its header says");
      add_variant(variant.name, d, takes);
      if (first) add_words(Line::stem, d.words);
      first = false;
    });
  }

  [[nodiscard]] std::string markdown() const {
    return "| lock | order of service | overtaken by one thread at most | `try_lock` | timed | shared | own node | "
           "prefers its domain | sleeps |\n"
           "|---|---|---|---|---|---|---|---|---|\n" +
           variants_ +
           "\n| lock | bytes: the object | free, with all it owns | blocks of the allocator | each further domain | "
           "each "
           "further thread | while held | each waiter |\n|---|--:|--:|--:|--:|--:|--:|--:|\n" +
           bytes_ + "\n| lock | when, and when not | source |\n|---|---|---|\n" + words_;
  }

 private:
  static std::string_view yes(bool offered) { return offered ? "yes" : ""; }

  void add_variant(std::string_view name, const lock_description& d, const lock_bytes& takes) {
    variants_ += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, order_of_service(d.words.fair),
                             d.words.bypass ? fmt::format("{} times", *d.words.bypass) : "no bound", yes(d.try_lock),
                             yes(d.timed), yes(d.shared), yes(d.own_node), yes(d.words.domain_aware), yes(d.parks));
    bytes_ += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", name, d.bytes_per_lock, takes.free,
                          takes.blocks, takes.each_domain, takes.each_thread, takes.held, takes.each_waiter);
  }

  void add_words(std::string_view stem, const lock_traits& words) {
    words_ += fmt::format("| [`{0}`]({0}.md) | {1}", stem, words.judgement);
    if (!words.rights.empty()) words_ += fmt::format(". Rights: {}, see [rights](../rights.md)", words.rights);
    words_ += fmt::format(" | {} |\n", words.citation);
  }

  std::string variants_;
  std::string bytes_;
  std::string words_;
};

template <class Line>
void add_line(lock_table& table) {
  table.add<Line>();
}

/// As generated: all locks of the catalog.
void add_lock_lines(lock_table& table);

}  // namespace synchro::catalog

#endif
