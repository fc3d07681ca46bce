// What sentences about results are made of.

#ifndef SYNCHRO_VIEWS_FINDINGS_HPP
#define SYNCHRO_VIEWS_FINDINGS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "views/pivot.hpp"

namespace synchro::views {

[[nodiscard]] cells only_precise(cells all);
/// Those with a value that are not: what a superlative leaves out.
[[nodiscard]] cells only_unsure(cells all);
[[nodiscard]] const cell* first_precise(const cells& all, const std::string& axis, const coordinate& value);
[[nodiscard]] const cell* first_at(const cells& all, const std::string& axis, const coordinate& value);
/// The cell by value; nullptr if there is none.
[[nodiscard]] const cell* least(const cells& all);
[[nodiscard]] const cell* most(const cells& all);

enum class extreme : std::uint8_t { least, most };
/// Whether a superlative holds for those that were left out (own_cells::left_out), too: wherever in its interval each of
/// them lies, it is behind.
[[nodiscard]] bool holds_for(const cells& left_out, extreme e, const cell& c);
/// To be said behind a superlative: " of those that are sure" if it may not hold for the others, else nothing.
[[nodiscard]] std::string of_the_sure(const cells& left_out, extreme e, const cell& c);

/// Waking and starting threads takes an uncertain time by its nature and is told with its interval, if that ends at no more
/// than twice its begin. Other numbers are told only if they are precise.
[[nodiscard]] bool is_telling(const cell& c);
[[nodiscard]] cells only_telling(cells all);
/// "Too uncertain: WHAT, 47.8 to 7,841 us with event.": what would be a finding. Nothing if one of these may be told, or none has an interval.
[[nodiscard]] std::vector<std::string> too_uncertain(const std::string& what, const cells& all,
                                                     bool (*may_be_told)(const cell&) = is_telling);

/// The whole number on an axis; nothing if there is none.
[[nodiscard]] std::optional<std::int64_t> number_at(const cell& c, const std::string& axis);
/// The value on an axis as text for a terminal without UTF-8.
[[nodiscard]] std::string name_at(const cell& c, const std::string& axis);

/// "26.1 ns (25.8 to 26.4)"; rates are words: "19.0 million times a second (18.8 to 19.2)". Where both ends are printed
/// alike, as of most that is computed, there is none to tell: "1.43 ns".
[[nodiscard]] std::string with_interval(const cell& c);
/// "20.0 us (16.0 to 24.0, doubtful)": the same of what may be told though it is not sure.
[[nodiscard]] std::string with_doubt(const cell& c);
/// The same in the words of the caller: a value, and the ends of its interval or nothing.
[[nodiscard]] std::string with_doubt(const cell& c, const std::string& value, const std::string& ends);
/// "100 us"
[[nodiscard]] std::string time_text(double ns);
/// "3.2 times as much", "40 % more": how much larger a is than b.
[[nodiscard]] std::string more_than(double a, double b);
/// What has to be said of a number that was measured in the far mode, else nothing.
[[nodiscard]] std::string far_note(const cell& c);

/// Whether paired repetitions resolve a difference between two cells. Whoever chose them by looking, because one has the
/// least or the most, says among how many, and pays for the look.
[[nodiscard]] bool differ(const cell& a, const cell& b, std::size_t looked_at = 2);
/// The cells that cannot be told from this one, which was chosen among them.
[[nodiscard]] cells tied_with(const cell& best, const cells& all);
/// Those among some, where it was chosen from more.
[[nodiscard]] cells tied_with(const cell& best, const cells& some, std::size_t looked_at);
/// ", not distinguishable from mcs, clh and 2 more": by their names on this axis.
[[nodiscard]] std::string rivals(const cells& tied, const std::string& axis);
/// Of a choice on two axes: those that differ from it on this axis alone and cannot be told from it, as rivals() says
/// it. Whoever chose looked at all.
[[nodiscard]] std::string rivals_on(const std::string& axis, const std::string& other, const cell& best,
                                    const cells& all);
/// Cells that differ on this axis only: the first that have company; none if none has.
[[nodiscard]] cells contest(const cells& all, const std::string& axis);

// For the page, which shows UTF-8.
/// "26.3 ns"
[[nodiscard]] std::string figure_of(const cell& c);
/// "25.8 to 26.4 ns", "alone 25.8 to 26.4 ns"; empty where both ends are printed alike.
[[nodiscard]] std::string interval_of(const cell& c, const std::string& whose = "");
/// What a headline has to say besides, of which parts may be empty; at the end that of the far mode.
[[nodiscard]] std::string details(const std::vector<std::string>& parts, const cell& measured);
/// "19.0 million": of a rate.
[[nodiscard]] std::string rate_words(double value);

}  // namespace synchro::views

#endif
