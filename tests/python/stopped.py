"""Calls that are stopped in the middle of work that is spread, and what is compared of proofs."""

import contextlib
from unittest import mock

from synchroscope import _spread


@contextlib.contextmanager
def after_one_part():
    """Whoever calls gets Ctrl-C when the second part has come; the files that are kept by then."""
    keep, kept = _spread._keep, []

    def interrupted(path, content):
        if kept:
            raise KeyboardInterrupt
        kept.append(path)
        keep(path, content)

    with mock.patch.object(_spread, "_keep", interrupted):
        yield kept


def untimed(proofs):
    """All that proofs say but the seconds that they took, as the program writes it."""
    def without_seconds(one):
        return {name: value for name, value in one.items() if name != "seconds"}

    return [{**without_seconds(vars(one)), "also": list(one.also), "programs": list(map(without_seconds, one.programs))}
            for one in proofs]
