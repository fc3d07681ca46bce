"""The exceptions: each carries the program's own sentence and its exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

if TYPE_CHECKING:
    from ._commands import Comparison
    from ._results import Results


class Error(Exception):
    """The program ended with a status that is not 0.

    ``sentence`` is what the program said, without its name in front; ``status`` its exit status (negative: the signal that
    ended it); ``command`` the words that it was called by; ``results`` what a run that ended so has left in its file, or
    None. ``str()`` is the sentence.
    """

    results: Optional[Results] = None

    def __init__(self, sentence: str, status: Optional[int] = None, command: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        self.command = tuple(command)


class ProgramNotFound(Error):
    """There is no program ``synchroscope`` to call; ``status`` is None."""


class SelfCheckFailed(Error):
    """Exit status 1: for example, a lock let two threads in at once.

    ``results`` has all cells; those that failed have no value and say so.
    """


class Mistake(Error):
    """Exit status 2: a mistake in the arguments or in a file. ``file`` is the file, where it was ``load`` that read one."""

    file: Optional[str] = None


class NotPossibleHere(Error):
    """Exit status 3: this machine or account cannot do it."""


class Unreliable(Error):
    """Exit status 4: a value is unreliable, and ``strict`` was asked for. ``results`` has all cells."""


class Slower(Error):
    """Exit status 5: ``compare`` found what is slower than ``fail_if_slower`` allows. ``comparison`` has all of it."""

    comparison: Optional[Comparison] = None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C (or the notebook's stop button) ended a call; what had been measured is in ``results`` and in its file.

    ``results`` is None where nothing was. ``sentence`` is the program's, with the command that completes the run;
    ``run(resume=...)`` does the same.
    """

    def __init__(self, sentence: str, status: int, results: Optional[Results] = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        self.results = results


_KINDS = {1: SelfCheckFailed, 2: Mistake, 3: NotPossibleHere, 4: Unreliable, 5: Slower}


def of_status(sentence: str, status: int, command: Sequence[str]) -> Error:
    """The exception for an exit status. The program has no sentence where some values are sure and others are not."""
    silent = f"the program ended with status {status}"
    if status == 4:
        silent = "some values are unreliable: cells.flag says which"
    return _KINDS.get(status, Error)(sentence or silent, status, command)
