"""One computation of the program's, spread in parts over processes of this machine or over the workers of a Ray cluster.

Each worker has one process of the program, which computes one part after another. What it answers is kept in a folder, so
that a call which was stopped goes on.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import queue
import tempfile
import threading
from typing import Any, Dict, Generator, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _bar, _engines, _program, _server
from ._reading import Path
from ._server import Outcome, Server
from .errors import Error, Interrupted, NotPossibleHere

Workers = Union[int, str]

# A prime: cells stand in the order of their axes, and no task is to have all of those with the most threads.
TASKS = 31
# Primitives and mutants differ more than cells, and a part of them costs next to nothing: each primitive is one.
FINE = 127


class Spread(NamedTuple):
    """What is spread: the words of the command, by whom it is computed, in how many parts."""

    words: Sequence[str]
    workers: Workers
    tasks: int

    def command(self) -> List[str]:
        return [_program.program(), *self.words, f"--share=-/{self.tasks}"]


def _in_processes(what: Spread, parts: Sequence[int]) -> Generator[Tuple[int, Outcome], None, None]:
    """On this machine, of so many at a time. Whoever closes this has ended what runs."""
    assert isinstance(what.workers, int)
    stop = threading.Event()
    with contextlib.ExitStack() as started:
        idle: queue.SimpleQueue[Server] = queue.SimpleQueue()
        for _ in range(min(what.workers, len(parts))):
            idle.put(started.enter_context(Server(what.command())))

        def one(part: int) -> Tuple[int, Outcome]:
            server = idle.get()
            try:
                return part, server.performed(part, stop.is_set)
            finally:
                idle.put(server)

        yield from _engines.as_completed(one, parts, what.workers, stop)


def _on_ray(what: Spread, parts: Sequence[int]) -> Generator[Tuple[int, Outcome], None, None]:
    """Each part has one of the cluster's processors; one whose node dies is begun again by Ray, three times."""
    engine = _engines.ray()
    engine.cloudpickle.register_pickle_by_value(_server)
    task = engine.remote(_server.of_worker()).options(num_cpus=1, max_retries=3)
    command = what.command()
    waiting = {task.remote(command, part, os.getcwd()): part for part in parts}
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
    """The same for the same words, named files and program: parts of anything else are never taken for these."""
    named = [piece for word in what.words for piece in word.partition("=")[2].split(",") + [word]]
    files = [hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest() for name in named if os.path.isfile(name)]
    told = json.dumps([_program.call("--version"), list(what.words), files, what.tasks])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _keep(path: pathlib.Path, content: bytes) -> None:
    """Whole or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".unfinished", delete=False) as unfinished:
        unfinished.write(content)
    os.replace(unfinished.name, path)


def _failed(what: Spread, outcome: Outcome) -> Error:
    said = [line for line in outcome.said.splitlines() if line.strip()]
    sentence = said[-1] if said else ""
    if sentence.startswith(f"{_program.NAME}: "):
        sentence = sentence.partition(": ")[2]
    answer = _program.Answer(outcome.status, "", sentence, True, False)
    return _program.failure(answer, what.command()[1:])


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
                if outcome.status != 0:
                    raise _failed(what, outcome)
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
