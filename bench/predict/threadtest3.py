"""walthread1 of sqlite's threadtest3: threadtest3.py THREADS SECONDS [WORD...]

Starts `WORD... threadtest3 walthread1` and prints how many turns its threads did a second: each reads the whole table, which
all change, and adds three rows. The test is sqlite's own, with as many threads and for as long as is said here (it has ten
and takes 20 seconds), compiled against the sqlite that is installed. tests/adopt/adopt.sh fetches its source.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ADOPTED = pathlib.Path(__file__).resolve().parents[2] / "build" / "adopt"


def source(threads, ms):
    file = ADOPTED / "sqlite3" / "test" / "threadtest3.c"
    if not file.is_file():
        sys.exit("the source of sqlite3 is not there: tests/adopt/adopt.sh . sqlite fetches it")
    text = file.read_text(encoding="utf-8")
    for pattern, value in ((r"(define WALTHREAD1_NTHREAD +)10\b", threads), (r'("walthread1", +)20000\b', ms)):
        text, found = re.subn(pattern, rf"\g<1>{value}", text)
        if found != 1:
            sys.exit(f"this threadtest3 is another one: {pattern} is in it {found} times")
    return text + "\nint sqlite3_multiplex_initialize(const char *z, int d){ return SQLITE_ERROR; }\n"


def built(threads, ms):
    program = ADOPTED / f"threadtest3-{threads}-{ms}"
    if not program.exists():
        folder = ADOPTED / "sqlite3"
        subprocess.run(("cc", "-O2", "-w", "-x", "c", f"-I{folder}/test", f"-I{folder}/src", "-", "-o", program, "-lsqlite3",
                        "-pthread"), input=source(threads, ms), text=True, check=True)
    return program


def main():
    threads, ms, before = int(sys.argv[1]), round(1000 * float(sys.argv[2])), sys.argv[3:]
    memory = "/dev/shm"
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        result = subprocess.run((*before, built(threads, ms), "walthread1"), cwd=folder, capture_output=True, text=True)
    turns = [int(count) for count in re.findall(r"says: (\d+) iterations", result.stdout)]
    if result.returncode != 0 or len(turns) != threads:
        sys.exit(f"threadtest3 failed: {result.stdout}{result.stderr}")
    print(f"{1000 * sum(turns) / ms:.3f}")


if __name__ == "__main__":
    main()
