"""The program: where it is, how it is called, what it says meanwhile."""

from __future__ import annotations

import fcntl
import functools
import importlib.metadata
import logging
import os
import pathlib
import pty
import re
import shutil
import signal
import struct
import subprocess
import termios
import threading
from typing import Callable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from .errors import Error, ProgramNotFound, of_status

log = logging.getLogger("synchroscope")

NAME = "synchroscope"
VARIABLE = "SYNCHROSCOPE"

# As on a terminal, and as elsewhere: percent, time left and what comes next.
PROGRESS = re.compile(r"\s*(\d+) %(?: [#-]+ |, )(.*)")

# Of a program that was interrupted before it could say so itself.
UNTOLD = "the program was interrupted before it had anything to say"

Progress = Callable[[int, str], None]


class Answer(NamedTuple):
    """How a call ended: status, standard output, and what was said on standard error; ``error``: that it was a mistake."""

    status: int
    text: str
    sentence: str
    error: bool
    interrupted: bool


def _candidates() -> Iterator[pathlib.Path]:
    """Where pip has put the program that came with this package."""
    package = pathlib.Path(__file__).resolve().parent
    try:
        files = importlib.metadata.distribution(NAME).files or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.parts[-2:] == ("bin", NAME):
            yield pathlib.Path(os.fspath(file.locate()))
    yield package.parent / "bin" / NAME  # pip install --target


@functools.lru_cache(maxsize=None)
def _installed() -> Optional[str]:
    return next((str(path.resolve()) for path in _candidates() if os.access(path, os.X_OK) and path.is_file()), None)


def program() -> str:
    """The path of the program that is called.

    It is what the environment's variable SYNCHROSCOPE names; without it the program that was installed with this package;
    without one the first ``synchroscope`` on PATH. Raises ProgramNotFound.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise ProgramNotFound(f"{VARIABLE} names {named}, which is not a program")
        return found
    found = _installed() or shutil.which(NAME)
    if found is None:
        raise ProgramNotFound(f"there is no program {NAME}: install the wheel, or name the program in {VARIABLE}")
    return found


class _Ear:
    """What the program says on standard error: progress, warnings, notes, and the rest, which is kept."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self._progress = progress
        self.said: List[str] = []

    def hear(self, line: str) -> None:
        found = PROGRESS.match(line)
        if found:
            if self._progress is not None:
                self._progress(int(found[1]), found[2].strip())
        elif line.startswith("warning: "):
            log.warning("%s", line.partition(": ")[2])
        elif line.startswith("note: "):
            log.info("%s", line.partition(": ")[2])
        elif line.strip():
            self.said.append(line.rstrip())

    def listen(self, descriptor: int) -> None:
        """Until the program has closed its end."""
        rest = b""
        while True:
            try:
                part = os.read(descriptor, 65536)
            except OSError:  # so ends a terminal
                part = b""
            *lines, rest = re.split(rb"[\r\n]+", rest + part)
            for line in lines if part else [*lines, rest]:
                self.hear(line.decode(errors="replace"))
            if not part:
                return

    def error(self) -> Optional[str]:
        """What the program ended with, if that is a sentence about a mistake."""
        last = self.said[-1] if self.said else ""
        return last.partition(": ")[2] if last.startswith(f"{NAME}: ") else None


def _ends(terminal: bool) -> Tuple[int, int]:
    """Where to listen, and what the program gets as standard error. On a terminal it draws its progress ten times a second."""
    if not terminal:
        return os.pipe()
    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 400, 0, 0))
    return here, there


def _wait(process: subprocess.Popen[bytes]) -> bool:
    """Until the program has ended; whether it was told to stop. It keeps what it has measured then; a second Ctrl-C ends it."""
    try:
        process.wait()
        return False
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
    try:
        process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        process.wait()
    return True


def _finish(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        process.wait()


def ask(words: Sequence[str], progress: Optional[Progress] = None) -> Answer:
    """Calls the program with these words and waits for its end, whatever its status.

    It runs in a session of its own, so that only this process gets the terminal's Ctrl-C, which is passed on once.
    """
    command = [program(), *words]
    ear = _Ear(progress)
    text: List[bytes] = []
    here, there = _ends(progress is not None)
    try:
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=there,
                                       start_new_session=True, env={**os.environ, "NO_COLOR": "1"})
        except OSError as error:
            raise ProgramNotFound(f"{command[0]} does not run: {error.strerror}") from error
        finally:
            os.close(there)
        assert process.stdout is not None
        with process.stdout as output:
            readers = [threading.Thread(target=ear.listen, args=(here,), daemon=True),
                       threading.Thread(target=lambda: text.append(output.read()), daemon=True)]
            try:
                for reader in readers:
                    reader.start()
                interrupted = _wait(process)
            finally:
                _finish(process)
                for reader in readers:
                    if reader.is_alive():  # Ctrl-C may come before it has begun
                        reader.join()
    finally:
        os.close(here)
    mistake = ear.error()
    sentence = mistake or "\n".join(ear.said) or (UNTOLD if interrupted else "")
    return Answer(process.returncode, b"".join(text).decode(errors="replace"), sentence, mistake is not None, interrupted)


def file_word(path: Union[str, os.PathLike[str]]) -> str:
    """The path as a word that is never taken for an option."""
    word = os.fspath(path)
    return f"./{word}" if word.startswith("-") else word


def failure(answer: Answer, words: Sequence[str]) -> Error:
    """The exception for this end."""
    return of_status(answer.sentence, answer.status, [NAME, *words])


def call(*words: str) -> str:
    """Any command of the program, as on a command line; its standard output as text.

    ``call("list", "locks")``, ``call("show", "r.json", "--tables")``. Raises an Error for every status but 0.
    """
    answer = ask(words)
    if answer.interrupted:
        raise KeyboardInterrupt(answer.sentence)
    if answer.status != 0:
        raise failure(answer, words)
    return answer.text
