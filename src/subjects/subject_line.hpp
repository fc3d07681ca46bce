// One line of the catalog of subjects, as a type.

#ifndef SYNCHRO_SUBJECTS_SUBJECT_LINE_HPP
#define SYNCHRO_SUBJECTS_SUBJECT_LINE_HPP

#include <algorithm>
#include <cstddef>

namespace synchro::subjects {

template <std::size_t N>
struct subject_name {
  char text[N];
  constexpr subject_name(const char (&s)[N]) { std::copy_n(s, N, text); }  // NOLINT(google-explicit-constructor)
};

/// A line: the name and the adapter. A subject runs on hardware only: its atomics are not ours to replace.
template <subject_name Name, class Adapter>
struct subject_line {
  static constexpr const char* name = Name.text;
  using lock = Adapter;
};

}  // namespace synchro::subjects

#endif
