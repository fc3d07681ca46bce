// Mutants that no program can kill, and why: equivalents.txt, which is part of the program.

#ifndef SYNCHRO_MODEL_CHECKER_EQUIVALENTS_HPP
#define SYNCHRO_MODEL_CHECKER_EQUIVALENTS_HPP

#include <map>
#include <string>

#include "model_checker/mutation.hpp"

namespace synchro::model_checker {

/// The line of a header on which a statement stands, without the blanks around it; empty if it is not in a header.
std::string statement_at(const site& at);

/// What is altered, in a word or two: "compare_exchange, failure".
std::string access_of(const mutation& m);

/// By what a mutant is named in equivalents.txt: header | line | access | what is done.
std::string equivalent_key(const mutation& m);

/// All arguments, by that key.
const std::map<std::string, std::string>& equivalents();

/// Why no program can kill it; empty if nothing is argued.
std::string argument_for(const mutation& m);

}  // namespace synchro::model_checker

#endif
