"""How far a call has come: by tqdm where it is installed, else as the program's own line."""

from __future__ import annotations

import contextlib
import sys
import warnings
from typing import Any, Iterator, Optional

from ._program import Progress


def _watched() -> bool:
    """Whether a person looks: a terminal, or a notebook."""
    kernel = sys.modules.get("IPython")
    shell: Any = kernel.get_ipython() if kernel is not None else None
    return sys.stderr.isatty() or (shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell")


class _Line:
    """One line, written over again and again."""

    def __init__(self) -> None:
        self._longest = 0

    def show(self, percent: int, words: str) -> None:
        line = f"{percent:3} % {words}"[:100]
        self._longest = max(self._longest, len(line))
        sys.stderr.write("\r" + line.ljust(self._longest))
        sys.stderr.flush()

    def close(self) -> None:
        if self._longest:
            sys.stderr.write("\r" + " " * self._longest + "\r")
            sys.stderr.flush()


class _Bar:
    """A bar of tqdm's; in a notebook a widget. It is drawn once a second at most, for a notebook keeps each drawing."""

    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm(total=100, bar_format="{percentage:3.0f} % |{bar:24}| {desc}", leave=False, mininterval=1,
                         miniters=0)

    def show(self, percent: int, words: str) -> None:
        self._bar.set_description_str(words[:80], refresh=False)
        self._bar.update(percent - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def _made() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it would have ipywidgets, and draws without them
            from tqdm.auto import tqdm
    except ImportError:
        return _Line()
    return _Bar(tqdm)


@contextlib.contextmanager
def shown(progress: Optional[bool]) -> Iterator[Optional[Progress]]:
    """What draws progress, if it is wanted (None: if a person looks)."""
    if not (_watched() if progress is None else progress):
        yield None
        return
    bar = _made()
    try:
        yield bar.show
    finally:
        bar.close()
