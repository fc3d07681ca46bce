"""Many hosts' results files, judged by the program: which host differs from the others of its kind, and in what."""

from __future__ import annotations

import functools
import json
import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Sequence, Tuple

from . import _program
from ._commands import _file_words, _said, _words
from ._reading import Column, Json, Path
from ._results import Files, frame, load

if TYPE_CHECKING:
    import pandas


class Fleet:
    """What `synchroscope fleet gather --json` says. ``print()`` shows who differs and in what; ``document`` has all of it.

    ``bound`` is the sentence about false alarms; ``causes`` are sentences about what several called hosts have in common.
    """

    def __init__(self, document: Json) -> None:
        self.document = document
        self.bound: str = document["bound"]
        self.causes: Tuple[str, ...] = tuple(document["causes"])

    def __repr__(self) -> str:
        return f"<synchroscope.Fleet: {self.document['hosts']} hosts, {len(self.document['called'])} called>"

    def __str__(self) -> str:
        told = [f"{host['name']}: {host['sentence']}." for _, host in self._called()]
        remarks = [f"{group['name']}: {group['remark']}." for group in self.document["groups"] if group["remark"]]
        return "\n".join([*(told or ["No host is called different."]), *(f"{cause}." for cause in self.causes), *remarks,
                          self.bound])

    def _called(self) -> List[Tuple[Json, Json]]:
        """Group and host, the most different first."""
        groups = self.document["groups"]
        return [(groups[group], groups[group]["hosts"][host]) for group, host in self.document["called"]]

    @functools.cached_property
    def called(self) -> pandas.DataFrame:
        """One row for each host that is called, the most different first: ``host``, ``group``, ``file``, ``sentence``, ``p``."""
        return _table(("host", "group", "file", "sentence", "p"), (
            (host["name"], group["name"], host["file"], host["sentence"], host["p"]) for group, host in self._called()))

    @functools.cached_property
    def hosts(self) -> pandas.DataFrame:
        """One row for each host: ``host``, ``group``, ``file``, ``started``, ``files``, ``called``, ``p``, ``left_out``, and
        the ``remark`` on its group, empty if there is none: too few alike, or another number of processors than most."""
        names = ("file", "started", "files", "called", "p", "left_out")
        return _table(("host", "group", *names, "remark"), (
            (host["name"], group["name"], *(host[name] for name in names), group["remark"])
            for group in self.document["groups"] for host in group["hosts"]))

    @functools.cached_property
    def deviations(self) -> pandas.DataFrame:
        """One row for each thing that a called host differs in.

        Columns: ``host``, ``of`` (``everything``, ``experiment``, ``scatter``, ``change``, ``cell``), ``experiment``, ``at``
        (the coordinates of a cell, as JSON), ``metric``, ``unit``, ``value`` and ``usual`` (in ``unit``), ``worse`` (the
        logarithm of how many times worse), ``p``, ``peers``.
        """
        names = ("metric", "unit", "value", "usual", "worse", "p", "peers")
        return _table(("host", "of", "experiment", "at", *names), (
            (host["name"], one["of"], one["experiment"], json.dumps(one["at"]) if "at" in one else None,
             *(one.get(name) for name in names)) for _, host in self._called() for one in host["deviations"]))

    @functools.cached_property
    def refused(self) -> pandas.DataFrame:
        """One row for each file that is not shown: ``file``, ``why``."""
        return _table(("file", "why"), ((one["file"], one["why"]) for one in self.document["refused"]))

    def to_parquet(self, path: Path) -> None:
        """All cells of each host's newest file as one Parquet file, by pyarrow: the columns of ``Results.cells``, and
        ``host``, ``group`` and ``called``."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise ImportError("pyarrow is not installed: pip install pyarrow") from error
        of_file = {host["file"]: (host["name"], group["name"], host["called"])
                   for group in self.document["groups"] for host in group["hosts"]}
        table = load(list(of_file)).to_arrow()
        rows = [of_file[file] for file in table.column("file").to_pylist()]
        for at, name in enumerate(("host", "group", "called")):
            table = table.append_column(name, pyarrow.array([row[at] for row in rows]))
        pyarrow.parquet.write_table(table, os.fspath(path))


def _table(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> pandas.DataFrame:
    columns: Dict[str, List[Any]] = {name: [] for name in names}
    for row in rows:
        for name, value in zip(names, row):
            columns[name].append(value)
    return frame(Column(name, values) for name, values in columns.items())


def fleet(files: Files, *, output: Optional[Path] = None, rate: Optional[float] = None,
          allowed: Optional[float] = None) -> Fleet:
    """Which of many hosts differs from the others of its kind, and in what; a file of each host, or several of several days.

    Args:
        files: Files, patterns, or folders: of a folder, and folders in it, all files that end with ``.json``.
        output: The page to write; without it none is written.
        rate: Percent: the rate of false alarms over all comparisons (5).
        allowed: Percent: differences up to this are never called (5).
    """
    if isinstance(files, (str, os.PathLike)) and os.path.isdir(files):
        typed = [_program.file_word(files)]
    else:
        typed = _file_words(files)
    percents = {name: None if value is None else f"{value}%" for name, value in (("rate", rate), ("allowed", allowed))}
    return Fleet(json.loads(_said(["fleet", "gather", "--json", *_words({"output": output, **percents}), *typed])))
