"""memcached whose workers are kept busy: memcached.py mixed|gets THREADS SECONDS [WORD...]

Starts `WORD... memcached -t THREADS` on a socket of its own and prints how many answers it gave a second. Each worker has
four connections, each of which has two batches of 500 requests under way, so that the next is there before one is answered.
Values have 32 bytes. One thread here plays the clients; what it needs is not the server's.

mixed: nine gets and one set in ten, of 10,000 keys. gets: nothing else, without the thread that moves entries between the
lists of what was used lately, so that the threads which take locks are alike; of 200 keys, so that storing them, which takes
other locks, is little of what is recorded.
"""

import os
import random
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time

KINDS = {"mixed": (0.1, 10_000, ()), "gets": (0, 200, ("-o", "no_lru_maintainer"))}
BATCH, UNDER_WAY, CONNECTIONS, PATIENCE = 500, 2, 4, 20


def value_of(key):
    return (b"%08d" % key) * 4


def setting(key):
    return b"set key:%05d 0 0 32\r\n%s\r\n" % (key, value_of(key)), b"STORED\r\n"


def getting(key):
    return b"get key:%05d\r\n" % key, b"VALUE key:%05d 0 32\r\n%s\r\nEND\r\n" % (key, value_of(key))


def batch(requests):
    """What is sent, and the whole of what is to come back."""
    sent, due = zip(*requests)
    return b"".join(sent), b"".join(due)


def some_batches(dice, sets, keys, count=64):
    return [batch([(setting if dice.random() < sets else getting)(dice.randrange(keys)) for _ in range(BATCH)])
            for _ in range(count)]


def compared(connection, sent, due):
    connection.sendall(sent)
    got = b""
    while len(got) < len(due) and (more := connection.recv(1 << 20)):
        got += more
    if got != due:
        sys.exit("memcached gave a wrong answer")


class Client:
    """One connection. Answers are counted by their lengths, which are known."""

    def __init__(self, connection, batches, dice):
        self.connection, self.batches, self.dice = connection, batches, dice
        self.done, self.due = 0, []
        for _ in range(UNDER_WAY):
            self.send()

    def send(self):
        sent, due = self.dice.choice(self.batches)
        self.due.append(len(due))
        self.connection.sendall(sent)

    def receive(self, buffer, more):
        count = self.connection.recv_into(buffer)
        if count == 0:
            sys.exit("memcached ended")
        while self.due and count >= self.due[0]:
            count -= self.due.pop(0)
            self.done += BATCH
            if more:
                self.send()
        if count:
            self.due[0] -= count


def serve(clients, until, more=True):
    """Until then, or until all is answered."""
    buffer = bytearray(1 << 20)
    with selectors.DefaultSelector() as ready:
        for one in clients:
            ready.register(one.connection, selectors.EVENT_READ, one)
        while time.monotonic() < until and any(one.due for one in clients):
            for key, _ in ready.select(0.1):
                key.data.receive(buffer, more)


def rate(clients, seconds):
    serve(clients, time.monotonic() + 0.2)
    before, begun = sum(one.done for one in clients), time.monotonic()
    serve(clients, begun + seconds)
    result = (sum(one.done for one in clients) - before) / (time.monotonic() - begun)
    serve(clients, time.monotonic() + PATIENCE, more=False)
    return result


def connected(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(PATIENCE)
    connection.connect(path)
    return connection


def reached(path, server):
    for _ in range(100 * PATIENCE):
        try:
            return connected(path)
        except OSError:
            if server.poll() is not None:
                sys.exit(f"memcached ended at its start: {server.stderr.read().decode().strip()}")
            time.sleep(0.01)
    sys.exit("memcached did not begin to serve")


def main():
    (sets, keys, options), threads, seconds, before = KINDS[sys.argv[1]], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
    if shutil.which("memcached") is None:
        sys.exit("memcached is not installed")
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        user = ("-u", "root") if os.geteuid() == 0 else ()
        words = [*before, "memcached", "-A", "-s", path, "-t", str(threads), *options, *user]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as server:
            first = reached(path, server)
            try:
                for key in range(keys):
                    compared(first, *setting(key))
                batches = some_batches(dice, sets, keys)
                did = rate([Client(connected(path), batches, dice) for _ in range(CONNECTIONS * threads)], seconds)
                compared(first, *batches[0])
            finally:
                first.sendall(b"shutdown\r\n")
        print(f"{did:.1f}")


if __name__ == "__main__":
    main()
