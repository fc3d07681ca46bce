"""Threads of one Python process that share a threading.Lock: python_threads.py counts|sums THREADS SECONDS

counts: a turn counts a word under the lock and computes in Python, so that one thread goes on at a time (the GIL).
sums: a turn is a checksum of 256 KiB, which zlib computes without the GIL, and adds it to a sum under the lock.
Prints how many turns all threads did a second.
"""

import collections
import sys
import threading
import time
import zlib

LOCK = threading.Lock()
DATA = bytes(range(256)) * 1024
COUNTS = collections.Counter()


def count(turn):
    with LOCK:
        COUNTS[turn % 100] += 1
    return sum(range(100))


def add(turn):
    its = zlib.crc32(DATA, turn)
    with LOCK:
        COUNTS["all"] += its


def work(what, over, done, me):
    while not over.is_set():
        what(done[me])
        done[me] += 1


def main():
    what, threads, seconds = {"counts": count, "sums": add}[sys.argv[1]], int(sys.argv[2]), float(sys.argv[3])
    over, done = threading.Event(), [0] * threads
    team = [threading.Thread(target=work, args=(what, over, done, me)) for me in range(threads)]
    begun = time.monotonic()
    for one in team:
        one.start()
    time.sleep(seconds)
    over.set()
    for one in team:
        one.join()
    print(f"{sum(done) / (time.monotonic() - begun):.1f}")


if __name__ == "__main__":
    main()
