"""One computation of the program's, spread as tasks over processes of this machine or over the workers of a Ray cluster.

Each task is the program with `--share K/N`; here one process of it computes many parts of a simulation (`--share -/N`).
What it answers is kept in a folder, so that a call which was stopped goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import queue
import select
import shutil
import subprocess
import tempfile
import threading
from typing import Any, Callable, Dict, Generator, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _bar, _engines, _program
from ._reading import Path
from .errors import Error, Interrupted, NotPossibleHere

Workers = Union[int, str]

# A prime: cells stand in the order of their axes, and no task is to have all of those with the most threads.
TASKS = 31


class Outcome(NamedTuple):
    """How a task has ended: exit status, what it wrote, what it said on standard error."""

    status: int
    content: bytes
    said: str


class Spread(NamedTuple):
    """What is spread: the words of the command; whether its answer is a file that it writes, or its output."""

    words: Sequence[str]
    writes: bool
    accepted: Sequence[int]
    workers: Workers
    tasks: int

    def command(self, part: int) -> List[str]:
        return [_program.program(), *self.words, f"--share={part}/{self.tasks}"]


def _task() -> Callable[[List[str], bool, str], Tuple[int, bytes, str]]:
    """What a worker does. A function within a function goes over as it is: workers need no package of ours."""

    def performed(command: List[str], writes: bool, folder: str) -> Tuple[int, bytes, str]:
        found = command[0] if os.access(command[0], os.X_OK) else shutil.which(os.path.basename(command[0]))
        if found is None:
            return 3, b"", f"a worker has no program {os.path.basename(command[0])}"
        with tempfile.TemporaryDirectory() as own:
            file = os.path.join(own, "part.json")
            done = subprocess.run([found, *command[1:], *([f"--output={file}"] if writes else [])],
                                  cwd=folder if os.path.isdir(folder) else None, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "NO_COLOR": "1"})
            content = done.stdout
            if writes:
                content = b""
                if os.path.exists(file):
                    with open(file, "rb") as written:
                        content = written.read()
        return done.returncode, content, done.stderr.decode(errors="replace")

    return performed


def _in_processes(what: Spread, parts: Sequence[int]) -> Generator[Tuple[int, Outcome], None, None]:
    """On this machine, of so many at a time. Whoever closes this has ended what runs."""
    assert isinstance(what.workers, int)
    stop = threading.Event()
    if not what.writes:
        yield from _engines.as_completed(lambda part: (part, _by_itself(what, part, stop)), parts, what.workers, stop)
        return
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as started:
        idle: queue.SimpleQueue[_Server] = queue.SimpleQueue()
        for _ in range(min(what.workers, len(parts))):
            idle.put(started.enter_context(_Server(what, pathlib.Path(folder))))

        def one(part: int) -> Tuple[int, Outcome]:
            server = idle.get()
            try:
                return part, server.performed(part, stop)
            finally:
                idle.put(server)

        yield from _engines.as_completed(one, parts, what.workers, stop)


def _by_itself(what: Spread, part: int, stop: threading.Event) -> Outcome:
    """A process for one part."""
    with subprocess.Popen(what.command(part), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          start_new_session=True, env={**os.environ, "NO_COLOR": "1"}) as process:
        wrote = _engines.ended(process, float("inf"), stop)
    if wrote is None:
        return Outcome(130, b"", "stopped")
    return Outcome(process.returncode, wrote[0], wrote[1].decode(errors="replace"))


class _Server:
    """A process that computes one part after another, each into a file: it has to begin only once."""

    def __init__(self, what: Spread, folder: pathlib.Path) -> None:
        self._said = tempfile.TemporaryFile()
        self._folder = folder
        command = [_program.program(), *what.words, f"--share=-/{what.tasks}"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
                                         start_new_session=True, env={**os.environ, "NO_COLOR": "1"})

    def __enter__(self) -> _Server:
        return self

    def __exit__(self, *_: object) -> None:
        """What it computes now nobody waits for."""
        self._process.kill()
        self._process.communicate()
        self._said.close()

    def performed(self, part: int, stop: threading.Event) -> Outcome:
        asks, tells = self._process.stdin, self._process.stdout
        assert asks is not None and tells is not None
        file = self._folder / f"{part}.json"
        with contextlib.suppress(BrokenPipeError):
            asks.write(f"{part} {file}\n".encode())
            asks.flush()
        while not select.select([tells], [], [], 0.2)[0]:
            if stop.is_set():
                return Outcome(130, b"", "stopped")
        if tells.readline():
            return Outcome(0, file.read_bytes(), "")
        status = self._process.wait()
        self._said.seek(0)
        return Outcome(status or 3, b"", self._said.read().decode(errors="replace"))


def _on_ray(what: Spread, parts: Sequence[int]) -> Generator[Tuple[int, Outcome], None, None]:
    """Each task has one of the cluster's processors; one whose node dies is begun again by Ray, three times."""
    engine = _engines.ray()
    task = engine.remote(_task()).options(num_cpus=1, max_retries=3)
    waiting = {task.remote(what.command(part), what.writes, os.getcwd()): part for part in parts}
    try:
        while waiting:
            for done in engine.wait(list(waiting), num_returns=1)[0]:
                part = waiting.pop(done)
                try:
                    yield part, Outcome(*engine.get(done))
                except engine.exceptions.RayError as error:
                    raise NotPossibleHere(f"part {part} of {what.tasks} was lost on Ray ({type(error).__name__}); the same "
                                          "call again goes on with what is missing", 3) from error
    finally:
        for unfinished in waiting:
            engine.cancel(unfinished)


def _identity(what: Spread) -> str:
    """Of the same words, named files and program the same: parts of anything else are never taken for these."""
    named = [piece for word in what.words for piece in word.partition("=")[2].split(",") + [word]]
    files = [hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest() for name in named if os.path.isfile(name)]
    told = json.dumps([_program.call("--version"), list(what.words), files, what.tasks])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _keep(path: pathlib.Path, content: bytes) -> None:
    """Whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".unfinished", delete=False) as unfinished:
        unfinished.write(content)
    os.replace(unfinished.name, path)


def _failed(what: Spread, part: int, outcome: Outcome) -> Error:
    said = [line for line in outcome.said.splitlines() if line.strip()]
    sentence = said[-1] if said else ""
    if sentence.startswith(f"{_program.NAME}: "):
        sentence = sentence.partition(": ")[2]
    answer = _program.Answer(outcome.status, "", sentence, True, False)
    return _program.failure(answer, what.command(part)[1:])


def checked(workers: Workers, tasks: int) -> None:
    if not (workers == "ray" or (isinstance(workers, int) and not isinstance(workers, bool) and workers >= 1)):
        raise ValueError(f"workers is a number of processes from 1 on, or 'ray', not {workers!r}")
    if tasks < 1:
        raise ValueError("tasks is a number from 1 on")


def performed(what: Spread, folder: pathlib.Path, progress: Optional[bool]) -> List[pathlib.Path]:
    """The files of all parts, those that the folder has already among them. Ctrl-C raises Interrupted."""
    folder.mkdir(parents=True, exist_ok=True)
    identity = _identity(what)
    files = [folder / f"{identity}-{part}.json" for part in range(what.tasks)]
    missing = [part for part, file in enumerate(files) if not file.exists()]
    done = what.tasks - len(missing)
    answers = (_on_ray if what.workers == "ray" else _in_processes)(what, missing)
    with _bar.shown(progress) as show, contextlib.closing(answers):
        try:
            for part, outcome in answers:
                if outcome.status not in what.accepted or not outcome.content:
                    raise _failed(what, part, outcome)
                _keep(files[part], outcome.content)
                done += 1
                if show is not None:
                    show(100 * done // what.tasks, f"{done} of {what.tasks} parts")
        except KeyboardInterrupt:
            raise Interrupted(f"{done} of {what.tasks} parts are in {folder}: the same call again goes on with them",
                              130) from None
    return files


@contextlib.contextmanager
def kept(folder: Optional[Path]) -> Iterator[pathlib.Path]:
    """The folder of the parts; without one that of this call alone."""
    if folder is not None:
        yield pathlib.Path(folder)
        return
    with tempfile.TemporaryDirectory() as own:
        yield pathlib.Path(own)


def remove(files: Sequence[pathlib.Path]) -> None:
    """The parts, and their folder where nothing else is in it."""
    for file in files:
        file.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        files[0].parent.rmdir()


def in_turn(files: Sequence[pathlib.Path]) -> List[Dict[str, Any]]:
    """Arrays of which each has every Nth element of one array, as that one."""
    parts: List[List[Dict[str, Any]]] = [json.loads(file.read_bytes()) for file in files]
    return [parts[at % len(parts)][at // len(parts)] for at in range(sum(map(len, parts)))]
