"""Threads that ask one SQLite database through one connection, which SQLite guards by a mutex of its own."""

import sqlite3
import threading

THREADS, QUERIES, ROWS = 4, 1500, 200

base = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
base.execute("create table t (a integer primary key, b integer)")
base.executemany("insert into t values (?, ?)", ((i, i * 7 % ROWS) for i in range(ROWS)))


def query(first):
    for i in range(QUERIES):
        base.execute("select sum(b) from t where a > ?", ((first + i) % ROWS,)).fetchall()


team = [threading.Thread(target=query, args=(number,)) for number in range(THREADS)]
for thread in team:
    thread.start()
for thread in team:
    thread.join()
