"""A program in a pseudo-terminal, and the screen that it draws: what an xterm makes of the sequences that curses sends."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

SEQUENCE = re.compile(rb"\x1b\[([?>=]?)([0-9;]*)([@-~])|\x1b[()][0-9A-Za-z]|\x1b([=>78Mc])|\x1b\][^\x07]*\x07")


class Screen:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.cells = [[" "] * width for _ in range(height)]
        self.x = self.y = 0
        self.top, self.bottom = 0, height - 1
        self.rest = b""
        self.last = " "
        self.alternate = False
        self.hidden = False  # the cursor

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def feed(self, data):
        data, self.rest = self.rest + data, b""
        at = 0
        while at < len(data):
            if data[at] == 0x1B:
                found = SEQUENCE.match(data, at)
                if not found:  # not whole yet
                    self.rest = data[at:]
                    return
                self.sequence(found)
                at = found.end()
            else:
                self.character(chr(data[at]))
                at += 1

    def scroll(self, lines, top=None):
        top = self.top if top is None else top
        for _ in range(abs(lines)):
            if lines > 0:
                del self.cells[top]
                self.cells.insert(self.bottom, [" "] * self.width)
            else:
                del self.cells[self.bottom]
                self.cells.insert(top, [" "] * self.width)

    def character(self, c):
        if c == "\r":
            self.x = 0
        elif c == "\b":
            self.x = max(0, self.x - 1)
        elif c == "\n":
            if self.y == self.bottom:
                self.scroll(1)
            else:
                self.y = min(self.y + 1, self.height - 1)
        elif c >= " ":
            if self.x == self.width:
                self.character("\r")
                self.character("\n")
            self.cells[self.y][self.x] = self.last = c
            self.x += 1

    def sequence(self, found):
        mark, numbers, letter = found[1], found[2], found[3]
        if letter is None:
            if found[4] == b"M":
                if self.y == self.top:
                    self.scroll(-1)
                else:
                    self.y -= 1
            return
        values = [int(n) if n else 0 for n in numbers.split(b";")]
        letter = letter.decode()
        if mark == b"?" and letter in "hl":
            self.alternate = letter == "h" if 1049 in values else self.alternate
            self.hidden = letter == "l" if 25 in values else self.hidden
            return
        if mark or letter in "mtnc":
            return
        self.move(letter, values)
        self.change(letter, max(1, values[0]), values[0])

    def move(self, letter, values):
        n = max(1, values[0])
        if letter in "Hf":
            self.y, self.x = n - 1, (max(1, values[1]) if len(values) > 1 else 1) - 1
        elif letter == "r":
            self.top, self.bottom = n - 1, (values[1] if len(values) > 1 and values[1] else self.height) - 1
            self.x = self.y = 0
        elif letter in "ABCD":
            self.y += {"A": -n, "B": n}.get(letter, 0)
            self.x += {"C": n, "D": -n}.get(letter, 0)
        elif letter == "G":
            self.x = n - 1
        elif letter == "d":
            self.y = n - 1
        self.x, self.y = max(0, min(self.x, self.width - 1)), max(0, min(self.y, self.height - 1))

    def change(self, letter, n, first):
        row = self.cells[self.y]
        if letter == "J":
            for y in range(0 if first == 2 else self.y + 1, self.height):
                self.cells[y] = [" "] * self.width
        if letter in "JK":
            begin, end = (0, self.x + 1) if first == 1 else (0 if first == 2 else self.x, self.width)
            self.cells[self.y][begin:end] = [" "] * (end - begin)
        elif letter == "X":
            row[self.x:self.x + n] = [" "] * len(row[self.x:self.x + n])
        elif letter == "b":
            for _ in range(n):
                self.character(self.last)
        elif letter == "@":
            self.cells[self.y] = (row[:self.x] + [" "] * n + row[self.x:])[:self.width]
        elif letter == "P":
            self.cells[self.y] = (row[:self.x] + row[self.x + n:] + [" "] * n)[:self.width]
        elif letter in "LM":
            self.scroll(n if letter == "M" else -n, self.y)
        elif letter in "ST":
            self.scroll(n if letter == "S" else -n)


class Terminal:
    """The program on a terminal of this size. What it does after its end is in `errors`, for standard error is a pipe."""

    def __init__(self, words, width=80, height=24, term="xterm", **kwargs):
        self.screen = Screen(width, height)
        self.main, self.side = pty.openpty()
        self.resize(width, height)
        self.before = termios.tcgetattr(self.side)
        environment = {**os.environ, "TERM": term}
        for name in ("LINES", "COLUMNS", "TERMINFO"):
            environment.pop(name, None)
        self.process = subprocess.Popen(words, stdin=self.side, stdout=self.side, stderr=subprocess.PIPE, env=environment,
                                        preexec_fn=self.own_terminal, **kwargs)
        self.errors = ""

    def own_terminal(self):
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def resize(self, width, height):
        fcntl.ioctl(self.side, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def read(self, seconds=0.1):
        ready, _, _ = select.select([self.main], [], [], seconds)
        if ready:
            self.screen.feed(os.read(self.main, 1 << 16))
        return bool(ready)

    def wait_for(self, *patterns, seconds=60):
        """Until the screen shows all of these."""
        end = time.monotonic() + seconds
        while not all(re.search(p, self.screen.text()) for p in patterns):
            if time.monotonic() > end or (not self.read() and self.process.poll() is not None):
                raise AssertionError(f"not shown: {patterns}\n{self.screen.text()}")
        return self.screen.text()

    def press(self, keys):
        os.write(self.main, keys.encode())

    def end(self):
        """Waits for the end of the program; its exit status."""
        while self.process.poll() is None:
            self.read()
        while self.read(0):
            pass
        self.errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        return self.process.returncode

    def is_restored(self):
        return termios.tcgetattr(self.side) == self.before and not self.screen.alternate and not self.screen.hidden

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        if not self.process.stderr.closed:
            self.process.stderr.close()
        os.close(self.main)
        os.close(self.side)
