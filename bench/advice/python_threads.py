"""Threads of Python that hand work to each other through a queue, and count under a lock."""

import queue
import threading

THREADS, ITEMS = 4, 8_000

work = queue.Queue(64)
lock = threading.Lock()
done = 0


def serve():
    global done
    while (item := work.get()) is not None:
        value = sum(range(item % 50))
        with lock:
            done += value >= 0


team = [threading.Thread(target=serve) for _ in range(THREADS)]
for thread in team:
    thread.start()
for number in range(ITEMS):
    work.put(number)
for _ in team:
    work.put(None)
for thread in team:
    thread.join()
assert done == ITEMS
