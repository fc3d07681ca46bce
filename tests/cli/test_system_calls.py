"""Each system call of a short run fails, one at a time: nothing crashes or hangs, no file is half written, and what ends the
run is a sentence. SYNCHRO_EVERY_CALL=1 in the environment lets each one fail, in minutes; without, three of each kind do.

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
# strace does, and close, which frees the descriptor whatever it says, and does not if strace says it.
ERRORS = {"access": "EACCES", "clock_nanosleep": "EINTR", "clone": "EAGAIN", "clone3": "EAGAIN", "faccessat2": "EACCES",
          "fcntl": "EINVAL", "flock": "EAGAIN", "fsync": "EIO", "getdents64": "EIO",
          "getrusage": "EFAULT", "ioctl": "ENOTTY", "lseek": "ESPIPE", "madvise": "EINVAL", "mmap": "ENOMEM",
          "munmap": "EINVAL", "newfstatat": "EACCES", "openat": "EMFILE", "pipe2": "EMFILE", "poll": "ENOMEM",
          "prctl": "EINVAL", "read": "EIO", "rename": "EACCES", "rt_sigaction": "EINVAL", "rt_sigprocmask": "EINVAL",
          "sched_getaffinity": "EPERM", "sched_setaffinity": "EPERM", "sendto": "EIO", "socketpair": "EMFILE",
          "uname": "EFAULT", "unlink": "EACCES", "wait4": "ECHILD", "write": "ENOSPC"}
# The program has not begun.
LOADER = re.compile("error while loading shared libraries|cannot allocate TLS data|Fatal glibc error")
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


@unittest.skipUnless(shutil.which("strace"), "there is no strace here")
class SystemCalls(unittest.TestCase):
    def test_one_that_fails_crashes_nothing_and_loses_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            counts = calls_of_a_run(folder)
        if not counts:
            self.skipTest("strace may follow no other program here")
        self.assertGreater(len(counts), 15)
        every = os.environ.get("SYNCHRO_EVERY_CALL")
        for call, most in sorted(counts.items()):
            for k in range(1, most + 1) if every else sorted({most, (3 * most + 3) // 4, (most + 1) // 2}):
                with self.subTest(call=call, k=k), tempfile.TemporaryDirectory() as folder:
                    status, said = traced(folder, "-o", "/dev/null", "-e", f"trace={call}",
                                          "-e", f"inject={call}:error={ERRORS[call]}:when={k}")
                    if not LOADER.search(said):
                        self.assertEqual(list(wrong(folder, call, status, said)), [], said[-500:])


if __name__ == "__main__":
    unittest.main()
