"""Each system call of a short run fails, one at a time: nothing crashes or hangs, no file is half written, and what ends the
run is a sentence. SYNCHRO_EVERY_CALL=1 in the environment lets each one fail, in minutes, and K/N each Nth from the Kth on;
then a table says how many of each kind were tried, and what became of the run. Without it three of each kind fail.

    test_system_calls.py PROGRAM [CLASS...]
"""

import collections
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import test_program  # which takes PROGRAM off the arguments

ASKED = ["run", "locks.uncontested", "--lock", "tas", "--distance", "same_cpu", "--quick", "--no-progress", "-o", "out.json"]
# What each call fails with where it fails at all. Not among them: brk, of which the kernel tells a failure otherwise than
# strace does; close, which frees the descriptor whatever it says, and does not if strace says it; futex, of which the C
# library ends the program if a wake-up fails with what a wait may fail with; and calls that cannot fail.
ERRORS = {"access": "EACCES", "clock_nanosleep": "EINTR", "clone": "EAGAIN", "clone3": "EAGAIN", "faccessat2": "EACCES",
          "fcntl": "EINVAL", "flock": "EAGAIN", "fsync": "EIO", "getdents64": "EIO", "getrandom": "EAGAIN",
          "getrusage": "EFAULT", "ioctl": "ENOTTY", "lseek": "ESPIPE", "madvise": "EINVAL", "mmap": "ENOMEM",
          "mprotect": "ENOMEM", "munmap": "EINVAL", "newfstatat": "EACCES", "openat": "EMFILE", "pipe2": "EMFILE",
          "poll": "ENOMEM", "prctl": "EINVAL", "pread64": "EIO", "prlimit64": "EPERM", "read": "EIO", "readlink": "EACCES",
          "rename": "EACCES", "rseq": "EINVAL", "rt_sigaction": "EINVAL", "rt_sigprocmask": "EINVAL",
          "sched_getaffinity": "EPERM", "sched_setaffinity": "EPERM", "sendto": "EIO", "set_robust_list": "EINVAL",
          "socketpair": "EMFILE", "uname": "EFAULT", "unlink": "EACCES", "wait4": "ECHILD", "write": "ENOSPC"}
# The program has not begun.
LOADER = re.compile("error while loading shared libraries|cannot allocate TLS data|Fatal glibc error")
# What becomes of a run of which one call fails; not begun: the loader gives up.
HEADINGS = ("went on", "ended with a sentence", "not begun", "wrong")
KEPT = {"out.json", "out.json.partial"}


def traced(folder, *options):
    """The program's status, or None if it did not end, and what it said."""
    command = ["strace", "-f", "-qq", *options, test_program.PROGRAM, *ASKED]
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
        return ended.returncode, ended.stderr
    except subprocess.TimeoutExpired:
        return None, ""


def calls_of_a_run(folder):
    """How often one thread calls what, at most: strace counts each for itself."""
    traced(folder, "-o", os.path.join(folder, "calls"))
    calls = collections.defaultdict(collections.Counter)
    with open(os.path.join(folder, "calls"), encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if found := re.match(r"(\d+) +(\w+)\(", line):
                calls[found[2]][found[1]] += 1
    return {call: max(threads.values()) for call, threads in calls.items() if call in ERRORS}


def chosen(counts, every):
    """The injections: which call of its kind fails."""
    if not every:
        return [(call, k) for call, most in sorted(counts.items())
                for k in sorted({most, (3 * most + 3) // 4, (most + 1) // 2})]
    first, _, step = every.partition("/")
    each = [(call, k) for call, most in sorted(counts.items()) for k in range(1, most + 1)]
    return each[int(first)::int(step)] if step else each


def table(became):
    """How many of each kind were tried, and what became of them."""
    total = sum(became.values(), collections.Counter())
    rows = [*sorted(became.items()), ("all", total)]
    return "\n".join(["| call | tried | " + " | ".join(HEADINGS) + " |", "|---" * (len(HEADINGS) + 2) + "|",
                      *(f"| {call} | {sum(some.values())} | " + " | ".join(str(some[h]) for h in HEADINGS) + " |"
                        for call, some in rows)])


def wrong(folder, call, status, said):
    """What is not as it should be, in words."""
    left = set(os.listdir(folder))
    if status is None:
        yield "it did not end"
        return
    if status < 0 or "terminate called" in said:
        yield f"it crashed ({status})"
    if status != 0 and not re.search(r"^synchroscope(-\w+)?: .", said, re.M):
        yield "it says nothing"
    if status == 0 and "out.json" not in left:
        yield "there is no file"
    if "out.json" in left:
        with open(os.path.join(folder, "out.json"), encoding="utf-8") as file:
            try:
                json.load(file)
            except ValueError:
                yield "half a file"
    # Who may not remove a file leaves one; what cannot be put in place is kept, and said.
    odd = [name for name in sorted(left - KEPT) if call != "unlink" and f"what was to be written is in {name}" not in said]
    if odd:
        yield f"left {odd}"


class Shares(unittest.TestCase):
    def test_together_they_are_every_call(self):
        counts = {"read": 5, "brk": 1, "openat": 4}
        every = chosen(counts, "1")
        self.assertEqual(len(every), sum(counts.values()))
        self.assertEqual(sorted(c for k in range(3) for c in chosen(counts, f"{k}/3")), sorted(every))
        self.assertEqual([k for call, k in chosen(counts, None) if call == "read"], [3, 4, 5])

    def test_a_table_counts_what_became_of_each(self):
        became = {"read": collections.Counter({"went on": 2, "wrong": 1}), "openat": collections.Counter({"not begun": 4})}
        self.assertEqual(table(became).splitlines()[2:], ["| openat | 4 | 0 | 0 | 4 | 0 |", "| read | 3 | 2 | 0 | 0 | 1 |",
                                                          "| all | 7 | 2 | 0 | 4 | 1 |"])


@unittest.skipUnless(shutil.which("strace"), "there is no strace here")
class SystemCalls(unittest.TestCase):
    def try_one(self, call, k):
        """What became of it, in a word of HEADINGS."""
        with self.subTest(call=call, k=k), tempfile.TemporaryDirectory() as folder:
            status, said = traced(folder, "-o", "/dev/null", "-e", f"trace={call}",
                                  "-e", f"inject={call}:error={ERRORS[call]}:when={k}")
            if LOADER.search(said):
                return "not begun"
            self.assertEqual(list(wrong(folder, call, status, said)), [], said[-500:])
            return "went on" if status == 0 else "ended with a sentence"
        return "wrong"

    def test_one_that_fails_crashes_nothing_and_loses_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            counts = calls_of_a_run(folder)
        if not counts:
            self.skipTest("strace may follow no other program here")
        self.assertGreater(len(counts), 15)
        every = os.environ.get("SYNCHRO_EVERY_CALL")
        became = collections.defaultdict(collections.Counter)
        for call, k in chosen(counts, every):
            became[call][self.try_one(call, k)] += 1
        if every:
            print(table(became))


if __name__ == "__main__":
    unittest.main()
