// One line of the catalog of other libraries' hash tables, as a type.

#ifndef SYNCHRO_SUBJECTS_TABLE_LINE_HPP
#define SYNCHRO_SUBJECTS_TABLE_LINE_HPP

#include <cstdint>
#include <string_view>

#include "catalog/lock_line.hpp"

namespace synchro::subjects {

/// `Table<Payload>` is made for a number of buckets and a shape, which it may ignore; it has get(key, payload&), put(key,
/// payload) and remove(key), which say whether the key was there (put: was not), and count(). `waits`: "spin", "yield" or
/// "park".
template <catalog::fixed_string Name, template <class> class Table>
struct table_line {
  static constexpr const char* name = Name.text;
  template <class Payload>
  using table = Table<Payload>;
};

}  // namespace synchro::subjects

#endif
