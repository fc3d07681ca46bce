// Documents as one HTML file, for the commands that write it.

#ifndef SYNCHRO_CLI_REPORTED_HPP
#define SYNCHRO_CLI_REPORTED_HPP

#include <string>
#include <vector>

#include "results/document.hpp"
#include "results/file.hpp"

namespace synchro::cli {

/// Throws failure (cannot) with one sentence.
void write_report(std::vector<results::document> documents, const std::string& output,
                  results::previous old = results::previous::kept_if_measured);

}  // namespace synchro::cli

#endif
