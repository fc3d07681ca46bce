"""64 threads that lock, wait and hand work on; prints what came of it."""

import queue
import sys
import threading

THREADS = 64
sys.setswitchinterval(0.001)


def main():
    lock, condition, work = threading.Lock(), threading.Condition(), queue.Queue(4)
    state = {"count": 0, "turn": 0, "sum": 0}

    def run(number):
        for _ in range(20):
            with lock:
                state["count"] += 1
        with condition:
            condition.wait_for(lambda: state["turn"] == number)
            state["turn"] += 1
            condition.notify_all()
        work.put(number)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for _ in threads:
        state["sum"] += work.get(timeout=600)
    for thread in threads:
        thread.join()
    print(state["count"], state["turn"], state["sum"])


main()
