"""A process of the program that computes one part after another (`--share -/N`): it has to begin only once.

Ray's workers get this module with the first part. It imports nothing of ours, so that they need no package.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import subprocess
import tempfile
import threading
from typing import Callable, List, NamedTuple, Optional, Sequence, Tuple

# Seconds that a server which nobody asks any more stays on a worker of Ray.
IDLE = 5


class Outcome(NamedTuple):
    """How a part has ended: exit status, what was written, what was said on standard error."""

    status: int
    content: bytes
    said: str


class Server:
    """The process."""

    def __init__(self, command: Sequence[str], folder: Optional[str] = None) -> None:
        self._answers = tempfile.TemporaryDirectory()
        self._said = tempfile.TemporaryFile()
        self._process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=self._said, start_new_session=True, env={**os.environ, "NO_COLOR": "1"})

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        """Nobody waits for what it computes now."""
        self._process.kill()
        self._process.communicate()
        self._said.close()
        self._answers.cleanup()

    def performed(self, part: int, stopped: Callable[[], bool] = lambda: False) -> Outcome:
        asks, tells = self._process.stdin, self._process.stdout
        assert asks is not None and tells is not None
        file = os.path.join(self._answers.name, "part.json")
        with contextlib.suppress(BrokenPipeError):
            asks.write(f"{part} {file}\n".encode())
            asks.flush()
        while not select.select([tells], [], [], 0.2)[0]:
            if stopped():
                return Outcome(130, b"", "stopped")
        if tells.readline():
            with open(file, "rb") as written:
                content = written.read()
            os.remove(file)
            return Outcome(0, content, "")
        status = self._process.wait()
        self._said.seek(0)
        return Outcome(status or 3, b"", self._said.read().decode(errors="replace"))


class _Kept:
    """The server of a worker of Ray, which stays for the next part."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._server: Optional[Server] = None
        self._asked = 0

    def performed(self, command: Sequence[str], part: int, folder: Optional[str]) -> Outcome:
        with self._lock:
            self._asked += 1
            try:
                if self._server is None:
                    self._server = Server(command, folder)
                outcome = self._server.performed(part)
            except BaseException:  # Ray cancels by an interrupt
                self._end()
                raise
            if outcome.status != 0:
                self._end()
            alarm = threading.Timer(IDLE, self._end_if_idle, (self._asked,))
            alarm.daemon = True
            alarm.start()
            return outcome

    def _end_if_idle(self, asked: int) -> None:
        with self._lock:
            if asked == self._asked:
                self._end()

    def _end(self) -> None:
        if self._server is not None:
            self._server.__exit__()
            self._server = None


def of_worker() -> Callable[[List[str], int, str], Tuple[int, bytes, str]]:
    """What a worker of Ray does. A function within a function goes over as it is, and keeps its server there."""
    kept: List[_Kept] = []

    def performed(command: List[str], part: int, folder: str) -> Tuple[int, bytes, str]:
        found = command[0] if os.access(command[0], os.X_OK) else shutil.which(os.path.basename(command[0]))
        if found is None:
            return 3, b"", f"a worker has no program {os.path.basename(command[0])}"
        if not kept:
            kept.append(_Kept())
        status, content, said = kept[0].performed([found, *command[1:]], part, folder if os.path.isdir(folder) else None)
        return status, content, said

    return performed
