// Terminal tables of a document: what `synchroscope show` prints.

#ifndef SYNCHRO_VIEWS_TABLE_HPP
#define SYNCHRO_VIEWS_TABLE_HPP

#include <string>
#include <vector>

#include "results/document.hpp"
#include "views/grid.hpp"  // style

namespace synchro::views {

/// Tables of all experiments in the order of the document, each line ended. Any experiment can be shown: rows and
/// columns follow from the coordinates. coherence.pairs is a matrix; coherence.states and coherence.local stand beside
/// the published numbers of four machines. Names from the file cannot harm the terminal.
[[nodiscard]] std::string show(const results::document& d, const style& s);

/// The same for some cells.
[[nodiscard]] std::string show(const std::vector<results::cell>& cells, const style& s);

}  // namespace synchro::views

#endif
