"""What the benchmarks in Python say of a median."""

import math


def interval(values):
    """Of the median, by order statistics, which hold whatever the distribution is: of 95 %, or, where values are too few for
    that (less than six), the least and the greatest."""
    ordered, n, left_out = sorted(values), len(values), 0
    while 2 * sum(math.comb(n, k) for k in range(left_out + 1)) / 2**n <= 0.05:
        left_out += 1
    left_out = max(left_out - 1, 0)
    return ordered[left_out], ordered[n - 1 - left_out]
