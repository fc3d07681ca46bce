// What a document says, in a handful of sentences for somebody who meets these things for the first time.

#ifndef SYNCHRO_VIEWS_SUMMARY_HPP
#define SYNCHRO_VIEWS_SUMMARY_HPP

#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::views {

/// Sentences from whatever cells there are, in plain ASCII. A number appears only where its interval is known and its
/// half-width is below 10 %; what no measurement resolves is called so. Empty if there is nothing to say.
[[nodiscard]] std::vector<std::string> summary(const results::document& d);

}  // namespace synchro::views

#endif
