"""Fetches one address many times at once, and prints what came: fetch.py ADDRESS TIMES."""

import concurrent.futures
import hashlib
import sys
import urllib.request

ADDRESS, TIMES = sys.argv[1], int(sys.argv[2])


def fetch(_):
    with urllib.request.urlopen(ADDRESS, timeout=100) as answer:
        return hashlib.sha256(answer.read()).hexdigest()


with concurrent.futures.ThreadPoolExecutor(8) as team:
    seen = list(team.map(fetch, range(TIMES)))
print(len(seen), *sorted(set(seen)))
