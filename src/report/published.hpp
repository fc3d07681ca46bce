// The measurements that the paper printed, in the form of documents, so that its platforms stand beside measured
// machines under the same names: David, Guerraoui, Trigonakis, SOSP 2013, Tables 2 and 3.

#ifndef SYNCHRO_REPORT_PUBLISHED_HPP
#define SYNCHRO_REPORT_PUBLISHED_HPP

#include <vector>

#include "results/document.hpp"

namespace synchro::report {

/// One document for each platform, its machine of kind "published". They have values without intervals.
[[nodiscard]] std::vector<results::document> published_platforms();

}  // namespace synchro::report

#endif
