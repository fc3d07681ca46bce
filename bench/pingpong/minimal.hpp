// A ping-pong between two processors with nothing of this project in it: what the house's own is held against.

#ifndef BENCH_PINGPONG_MINIMAL_HPP
#define BENCH_PINGPONG_MINIMAL_HPP

namespace minimal {

/// Nanoseconds of one hand-off: the median over batches of half a round trip. Negative if a thread could not be pinned.
double cas(int from, int to);       // one line, two threads take turns on it by compare-and-swap
double handover(int from, int to);  // two lines, each thread stores to its own and loads the other's

}  // namespace minimal

#endif
