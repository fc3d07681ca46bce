// The judges, one for each claim that cells decide; catalog.cpp says in words what each counts as holding.

#ifndef SYNCHRO_CLAIMS_JUDGES_HPP
#define SYNCHRO_CLAIMS_JUDGES_HPP

#include "claims/evidence.hpp"

namespace synchro::claims {

/// The paper's tables are of below 3 % deviation: what it says of them is no surer.
inline constexpr double of_the_paper = 0.03;
/// "A stable throughput close to 20": two figures that both round to 20 (15 to 25) differ by no more.
inline constexpr range stable{15.0 / 25, 25.0 / 15};
/// Ranges about a figure that the text gives in one digit: "2 times".
[[nodiscard]] inline range rounds_to(double figure) { return {figure - 0.5, figure + 0.5}; }

/// Above half of its ceiling a rate is set by the pause more than by the operation, and says nothing about what the threads
/// share. The finding that says so, or else the comparison of both rates.
[[nodiscard]] finding compared_below_ceiling(const evidence& e, const cell* a, const cell* b, const range& r,
                                             const naming& axes, const std::string& nothing);

namespace judges {

// SSYNC: coherence and atomic operations, then locks and messages.
finding s1(const evidence& e);
finding s2(const evidence& e);
finding s4(const evidence& e);
finding s20(const evidence& e);
finding s27(const evidence& e);
finding s29(const evidence& e);
finding s45(const evidence& e);
finding s46(const evidence& e);
finding s50(const evidence& e);
finding s52(const evidence& e);
finding s53(const evidence& e);
finding s54(const evidence& e);
finding s55(const evidence& e);
finding s56(const evidence& e);
finding s57(const evidence& e);
finding s59(const evidence& e);
finding s60(const evidence& e);

finding s5(const evidence& e);
finding s24(const evidence& e);
finding s25(const evidence& e);
finding s32(const evidence& e);
finding s34(const evidence& e);
finding s36(const evidence& e);
finding s37(const evidence& e);
finding s39(const evidence& e);
finding s40(const evidence& e);
finding s42(const evidence& e);
finding s44(const evidence& e);

// Multi-Threading for Experts.
finding e1(const evidence& e);
finding e2(const evidence& e);
finding e3(const evidence& e);
finding e4(const evidence& e);
finding e5(const evidence& e);
finding e6(const evidence& e);
finding e7(const evidence& e);
finding e8(const evidence& e);

// Comparing Synchronisation Methods on Windows.
finding w1(const evidence& e);
finding w2(const evidence& e);
finding w3(const evidence& e);
finding w4(const evidence& e);
finding w5(const evidence& e);
finding w6(const evidence& e);
finding w7(const evidence& e);
finding w8(const evidence& e);
finding w9(const evidence& e);
finding w10(const evidence& e);
finding w11(const evidence& e);
finding w15(const evidence& e);

// Semaphore throttle.
finding t1(const evidence& e);
finding t2(const evidence& e);
finding t3(const evidence& e);
finding t4(const evidence& e);
finding t5(const evidence& e);
finding t6(const evidence& e);

// Bogner, Schütz, Wiesinger.
finding b1(const evidence& e);
finding b2(const evidence& e);
finding b3(const evidence& e);
finding b4(const evidence& e);
finding b5(const evidence& on_linux, const evidence& on_windows);

}  // namespace judges
}  // namespace synchro::claims

#endif
