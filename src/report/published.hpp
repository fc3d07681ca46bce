// The measurements that papers printed, in the form of documents, so that their machines stand beside measured ones under
// the same names: Tables 2 and 3 of David, Guerraoui, Trigonakis, SOSP 2013, and Table 1 of Bogner, Schuetz, Wiesinger.

#ifndef SYNCHRO_REPORT_PUBLISHED_HPP
#define SYNCHRO_REPORT_PUBLISHED_HPP

#include <vector>

#include "results/document.hpp"

namespace synchro::report {

/// One document for each platform and each operating system, its machine of kind "published". They have values without
/// intervals.
[[nodiscard]] std::vector<results::document> published();

/// The published runs that have an experiment in common with these.
[[nodiscard]] std::vector<results::document> published_beside(const std::vector<results::document>& documents);

}  // namespace synchro::report

#endif
