"""What results files say, as tables."""

from __future__ import annotations

import concurrent.futures
import functools
import json
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Literal, Sequence, Tuple, Union

from . import _program
from ._program import file_word
from ._reading import MEASURES, SECTIONS, Column, Columns, Json, Path, paths_of, read, samples_of, without_collector
from .errors import Mistake

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._figure import Figure

Files = Union[Path, "Results", Iterable[Union[Path, "Results"]]]


def files_of(files: Files) -> List[str]:
    """The paths of files, patterns and results."""
    if isinstance(files, Results):
        return list(files.files)
    if isinstance(files, (str, os.PathLike)):
        return paths_of(files)
    return [path for one in files for path in files_of(one)]


def kind_of(column: Column) -> str:
    """What a column holds: "text", "number", "whole" or "truth"; words among numbers make it text."""
    if column.name in MEASURES:
        return "number"
    kinds = set(map(type, column.values)) - {type(None)}
    if kinds == {bool}:
        return "truth"
    if kinds == {int}:
        return "whole"
    return "number" if kinds and kinds <= {int, float} else "text"


def typed(columns: Iterable[Column]) -> Iterator[Tuple[str, Column]]:
    """Kind and column, the values all of one type or None."""
    make: Dict[str, Callable[[Any], Any]] = {"text": str, "number": float}
    for column in columns:
        kind = kind_of(column)
        one = make.get(kind)
        if one is not None and not set(map(type, column.values)) <= {one, type(None)}:
            column = column._replace(values=[None if value is None else one(value) for value in column.values])
        yield kind, column


def frame(columns: Iterable[Column]) -> pandas.DataFrame:
    """A table of columns. Numbers that are counts or coordinates stay whole where some are missing (Int64)."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("tables are made by pandas, which is not installed: pip install pandas") from error
    types: Dict[str, Any] = {"number": "float64", "whole": "Int64"}

    def series(kind: str, column: Column) -> Any:
        """Text and truth are as pandas takes them, where there is any."""
        kind_of_none = object if all(value is None for value in column.values) else None
        values = pandas.Series(column.values, dtype=types.get(kind, kind_of_none))
        return values if column.places is None else values.take(column.places).array

    return pandas.DataFrame({column.name: series(kind, column) for kind, column in typed(columns)})


def flat(facts: Json, prefix: str = "") -> Iterator[Tuple[str, Any]]:
    """Facts that are one value, by names with dots: os.kernel, os.mitigations.l1tf. Lists are left out."""
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        elif not isinstance(value, list):
            yield prefix + name, value


class Results:
    """Results files as tables. Made by ``load``, ``run`` and ``simulate``.

    Attributes:
        files: The paths, in the order of the tables.
        documents: For each file what it says beside its cells (docs/results.md): ``machine``, ``topology``, ``os``,
            ``clock``, ``tool``, ``invocation``, ``warnings``, ``id``, ``label``, ``complete``.
        refused: With ``load(..., refused="keep")``, what is wrong with the files that are left out.
    """

    def __init__(self, files: Sequence[str], documents: Sequence[Json], columns: Columns,
                 refused: Sequence[Mistake] = ()) -> None:
        self.files = tuple(files)
        self.documents = tuple(documents)
        self.refused = tuple(refused)
        self._columns = columns

    def __len__(self) -> int:
        """How many cells there are."""
        return len(self._columns)

    def __repr__(self) -> str:
        refused = f", {len(self.refused)} refused" if self.refused else ""
        return f"<synchroscope.Results: {len(self.files)} files, {len(self)} cells{refused}>"

    @functools.cached_property
    def cells(self) -> pandas.DataFrame:
        """One row for each cell: one metric of one experiment at one place.

        Columns, in this order:

        * ``file``, ``run`` (the run's UUID), ``experiment``
        * a column for each coordinate that occurs (``lock``, ``threads``, ``distance``, ...): text, or Int64; missing where
          the cell has no such coordinate. One that is called as another column is ``at.NAME``.
        * ``metric``, ``unit`` (``ns``, ``cycle``, ``op/s``, ``B/s``, ``J``, ``1``), ``better`` (``higher``, ``lower``,
          ``neither``)
        * ``value``: the median of the repetitions, in ``unit``; NaN where there is none, and ``reason`` says why
        * ``ci_low``, ``ci_high``: its confidence interval, in ``unit``; NaN below six repetitions
        * ``n``: repetitions; ``flag``: ``ok``, ``noisy``, ``unreliable``, ``clock_limited`` or ``emulated``; ``valid``:
          False if a self-check failed; ``reason``: one sentence, or missing
        * ``probe_ns``: how far apart the processors were, in ns
        * the quantiles of single operations that some cell has: ``p50``, ``p99``, ..., in ``unit``
        """
        return frame(self._columns.table())

    def to_polars(self) -> polars.DataFrame:
        """The table ``cells`` for polars."""
        try:
            import polars
        except ImportError as error:
            raise ImportError("polars is not installed: pip install polars") from error
        types = {"text": polars.String, "number": polars.Float64, "whole": polars.Int64, "truth": polars.Boolean}

        def series(kind: str, column: Column) -> polars.Series:
            values = polars.Series(column.name, column.values, types[kind])
            return values if column.places is None else values.gather(list(column.places))

        return polars.DataFrame([series(kind, column) for kind, column in typed(self._columns.table())])

    def to_arrow(self) -> pyarrow.Table:
        """The table ``cells`` for pyarrow, which writes it as Parquet."""
        try:
            import pyarrow
        except ImportError as error:
            raise ImportError("pyarrow is not installed: pip install pyarrow") from error
        types = {"text": pyarrow.string(), "number": pyarrow.float64(), "whole": pyarrow.int64(),
                 "truth": pyarrow.bool_()}

        def array(kind: str, column: Column) -> Any:
            values = pyarrow.array(column.values, types[kind])
            return values if column.places is None else values.take(pyarrow.array(list(column.places)))

        return pyarrow.table({column.name: array(kind, column) for kind, column in typed(self._columns.table())})

    def to_parquet(self, path: Path) -> None:
        """The table ``cells`` of all files as one Parquet file, by pyarrow; each column with the type that it has there."""
        table = self.to_arrow()  # says how to install pyarrow if it is not there
        from pyarrow import parquet

        parquet.write_table(table, os.fspath(path))

    @functools.cached_property
    def samples(self) -> pandas.DataFrame:
        """One row for each repetition of each cell, in the order measured. The files are read again for it: Mistake if one
        is gone, or if its repetitions are damaged.

        Columns: ``cell`` (the row's label in ``cells``), ``repetition`` (from 0), ``sample`` (in the cell's ``unit``).
        """
        rows: Dict[str, List[Any]] = {"cell": [], "repetition": [], "sample": []}
        cell = 0
        for path in self.files:
            for samples in samples_of(path):
                rows["cell"] += [cell] * len(samples)
                rows["repetition"] += range(len(samples))
                rows["sample"] += samples
                cell += 1
        return frame(Column(name, values) for name, values in rows.items())

    @functools.cached_property
    def machine(self) -> pandas.DataFrame:
        """One row for each file: the machine, and how it was measured.

        Columns: ``file``, ``run``, ``label``, ``complete``, ``processors`` (how many the run could use), and every fact that
        is one value: ``machine.model_name``, ``machine.memory_bytes``, ``os.kernel``, ``clock.resolution_ns``,
        ``invocation.started``, ``tool.version``, ...; their names end with their units. What the file does not know is
        missing.
        """
        rows: List[Json] = []
        for path, document in zip(self.files, self.documents):
            row: Json = {"file": path, "run": document["id"], "label": document["label"],
                         "complete": document["complete"], "processors": len(document["topology"].get("cpus", ()))}
            for section in SECTIONS:
                row.update(flat(document[section], f"{section}."))
            rows.append(row)
        names = dict.fromkeys(name for row in rows for name in row)
        return frame(Column(name, [row.get(name) for row in rows]) for name in names)

    @functools.cached_property
    def warnings(self) -> pandas.DataFrame:
        """One row for each warning of each file: ``file``, ``run``, ``id``, ``advice`` (one sentence)."""
        return self._rows(("id", "advice"), lambda at: self.documents[at]["warnings"])

    @functools.cached_property
    def claims(self) -> pandas.DataFrame:
        """One row for each claim of the literature and each file, judged by the program.

        Columns: ``file``, ``run``, ``id``, ``source``, ``where``, ``says``, ``verdict`` (``holds``, ``does not hold``,
        ``not resolved``, ``not measured``), ``because``, ``command`` (what measures it), ``machine``.
        """
        columns = ("id", "source", "where", "says", "verdict", "because", "command", "machine")
        shown = self._shown("--claims")
        return self._rows(columns, lambda at: shown[at])

    @functools.cached_property
    def findings(self) -> pandas.DataFrame:
        """One row for each sentence that the program finds in each file.

        Columns: ``file``, ``run``, ``experiment``, ``machine`` (missing unless several were simulated in one run),
        ``sentence``.
        """
        return self._rows(("experiment", "machine", "sentence"), lambda at: [
            {**one, "sentence": sentence} for one in self._summaries[at]["findings"] for sentence in one["sentences"]])

    @functools.cached_property
    def doubts(self) -> pandas.DataFrame:
        """One row for each doubt that the program has: ``file``, ``run``, ``sentence``."""
        return self._rows(("sentence",), lambda at: [{"sentence": doubt} for doubt in self._summaries[at]["doubts"]])

    @functools.cached_property
    def _summaries(self) -> List[Any]:
        return self._shown()

    def _shown(self, *words: str) -> List[Any]:
        """For each file what `show --json` says, of as many at a time as there are processors."""
        def shown(path: str) -> Any:
            return json.loads(_program.call("show", "--json", *words, file_word(path)))

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(shown, self.files))

    def _rows(self, columns: Sequence[str], of: Callable[[int], Iterable[Json]]) -> pandas.DataFrame:
        out: Dict[str, List[Any]] = {name: [] for name in ("file", "run", *columns)}
        for at, (path, document) in enumerate(zip(self.files, self.documents)):
            for row in of(at):
                for name in columns:
                    out[name].append(row[name])
                out["file"].append(path)
                out["run"].append(document["id"])
        return frame(Column(name, values) for name, values in out.items())

    def show(self, *words: str) -> str:
        """The text of `synchroscope show` for each file; ``words`` are its options: ``show("--tables")``."""
        return "\n".join(_program.call("show", *words, file_word(path)) for path in self.files)

    def figure(self, name: str, **choices: object) -> Figure:
        """A chart of the report, drawn by the program (which needs Node.js for it).

        ``name`` is the part after # in a link to it on the page, with or without choices after a ``?``, or an experiment's,
        which is that of its first chart: an unknown name is answered with all that exist.
        ``figure("locks.throughput-threads", scale="log")``.
        """
        from ._figure import Figure

        return Figure(self.files, name, choices)


def load(files: Union[Path, Iterable[Path]], *, refused: Literal["raise", "keep"] = "raise") -> Results:
    """Reads results files: a path, a pattern (``"runs/*.json"``), or several of these.

    With ``refused="raise"`` the first file that cannot be read raises Mistake with the program's sentence; with ``"keep"``
    such files are left out, and ``Results.refused`` has the exceptions, with ``file``. Single repetitions are read when
    ``samples`` is asked for, and not before.
    """
    columns, read_files, documents, mistakes = Columns(), [], [], []
    with without_collector():
        for path in paths_of(files):
            try:
                documents.append(read(path, columns))
                read_files.append(path)
            except Mistake as mistake:
                if refused == "raise":
                    raise
                mistakes.append(mistake)
    return Results(read_files, documents, columns, mistakes)
