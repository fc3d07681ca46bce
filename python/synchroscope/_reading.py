"""From results files to columns.

A file is read here, for speed, as long as all of it is as docs/results.md says. What is odd in any way is the program's to
judge: it says what is wrong with the file, or reads it.
"""

from __future__ import annotations

import array
import contextlib
import gc
import glob
import json
import math
import os
import re
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple, Union, cast

from ._matrix import one_by_one
from ._program import ask, failure, file_word
from .errors import Mistake

Path = Union[str, "os.PathLike[str]"]
Json = Dict[str, Any]

# What names a cell; what was found there.
NAMES = ("experiment", "at", "metric", "unit", "better")
FOUND = ("value", "ci_low", "ci_high", "n", "flag", "valid", "reason", "probe_ns")
MEASURES = ("value", "ci_low", "ci_high", "probe_ns")

# The latter with matrices of cells.
SCHEMAS = ("synchroscope/1", "synchroscope/2")
SECTIONS = ("tool", "invocation", "machine", "topology", "os", "clock")
BETTER = {"higher", "lower", "neither"}
# Metrics of files from before they were renamed.
RENAMED = {"hand_over", "hand_off"}
FLAGS = {"ok", "noisy", "unreliable", "clock_limited", "emulated"}
# Beyond it the program writes text, and what else there is it judges.
LARGEST = 2**53

# As the program writes a file: a cell on a line, with what names it in front. A line end is never inside a text, and neither
# is what stands between quotation marks here, for inside a text each of them has a backslash before it.
CELLS, END = '\n "cells": [\n  ', "\n ]\n}\n"
FIRST_FOUND = ',"value":'
MATRIX = '"matrix":{'
# Numbers that are not looked at: they would take two thirds of the time.
SAMPLES = re.compile(r'"samples":\[[-+0-9.eE,nul]*\](?=[,}])')
EVIDENCE = re.compile(r'"(?:probes_ns|core_mhz|seconds|repetition|processors)":\[[-+0-9.eE,nul\[\]]*\](?=[,}])')
# Half a character, perhaps without its other half.
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _Odd(Exception):
    """For the program to judge."""


# What ends the reading of a file that is odd, damaged or gone.
UNREADABLE = (OSError, ValueError, LookupError, TypeError, OverflowError, _Odd)


def _no_number(name: str) -> float:
    raise _Odd(name)


def _float(text: str) -> float:
    value = float(text)
    _must(math.isfinite(value))
    return value


def from_json(text: str, parse_float: Callable[[str], float] = float) -> Any:
    """What the text says, by the rules of JSON."""
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=parse_float)
    except (ValueError, RecursionError) as error:
        raise _Odd(str(error)) from error


def _must(condition: bool) -> None:
    if not condition:
        raise _Odd


def _check_head(document: Json) -> None:
    _must(document["schema"] in SCHEMAS and isinstance(document["complete"], bool) and isinstance(document["id"], str))
    _must(document["label"] is None or isinstance(document["label"], str))
    _must(all(isinstance(document[section], dict) for section in SECTIONS))
    for warning in document["warnings"]:
        _must(isinstance(warning["id"], str) and isinstance(warning["advice"], str))
        _must(isinstance(warning["evidence"], dict))


def _types(values: Iterable[Any]) -> Set[type]:
    return set(map(type, values))


def _check_numbers(values: List[Any]) -> None:
    """Numbers or nothing; a whole number is one, too."""
    _must(_types(values) <= {float, int, type(None)})
    _must(all([math.isfinite(value) for value in values if value is not None]))


class Column(NamedTuple):
    """Values; with ``places`` the column has in each row the value at that place."""

    name: str
    values: List[Any]
    places: Optional[array.array[int]] = None


class Columns:
    """The cells of all files. What names a cell occurs in many files, and is kept once."""

    def __init__(self) -> None:
        self._files: List[Tuple[str, str]] = []
        self._file_of = array.array("q")
        self._names: List[Json] = []
        self._name_of = array.array("q")
        self._known: Dict[str, int] = {}
        self._found: Dict[str, List[Any]] = {name: [] for name in FOUND}
        self._quantiles: List[Json] = []

    def __len__(self) -> int:
        return len(self._name_of)

    def _number_of(self, text: str) -> int:
        """The value of what names a cell, as JSON."""
        number = self._known.get(text)
        if number is None:
            names = from_json(text)
            _check_names(names)
            number = self._known[text] = len(self._names)
            self._names.append(names)
        return number

    def add_lines(self, file: str, run: str, text: str) -> None:
        """Cells as the program writes them. Raises _Odd, LookupError or TypeError and adds nothing if they are not."""
        text = EVIDENCE.sub('"evidence":[]', SAMPLES.sub('"samples":[]', text))
        lines = text.split(",\n  ") if text else []
        parts = [line.partition(FIRST_FOUND) for line in lines]
        found = from_json("[" + ",".join(['{"value":' + rest for _, _, rest in parts]) + "]")
        _must(len(found) == len(lines))
        self._add(file, run, [self._number_of(names + "}") for names, _, _ in parts], found)

    def add_cells(self, file: str, run: str, cells: List[Json]) -> None:
        """Cells that have been read. Raises as add_lines does."""
        texts = [json.dumps({name: cell[name] for name in NAMES}) for cell in cells]
        self._add(file, run, [self._number_of(text) for text in texts], cells)

    def _add(self, file: str, run: str, names: List[int], cells: List[Json]) -> None:
        part = {name: [cell[name] for cell in cells] for name in ("value", "n", "flag", "valid", "reason")}
        part["probe_ns"] = [cell.get("probe_ns") for cell in cells]
        intervals = [cell["ci"] for cell in cells]
        _must(_types(intervals) <= {list, type(None)} and all(len(ci) == 2 for ci in intervals if ci is not None))
        part["ci_low"], part["ci_high"] = ([None if ci is None else ci[end] for ci in intervals] for end in (0, 1))
        quantiles = [cell["quantiles"] for cell in cells]
        _check_found(part, quantiles)
        _check_rest(cells)
        for name, column in self._found.items():
            column += part[name]
        self._quantiles += quantiles
        self._name_of.extend(names)
        self._file_of.extend([len(self._files)] * len(cells))
        self._files.append((file, run))

    def table(self) -> Iterator[Column]:
        """All columns; a coordinate that is called as another column is `at.name`, a quantile `quantile.name`."""
        yield Column("file", [file for file, _ in self._files], self._file_of)
        yield Column("run", [run for _, run in self._files], self._file_of)
        yield self._named("experiment")
        taken = {"file", "run", *NAMES, *FOUND}
        axes = dict.fromkeys(axis for names in self._names for axis in names["at"])
        for axis in axes:
            values = [names["at"].get(axis) for names in self._names]
            yield Column(f"at.{axis}" if axis in taken else axis, values, self._name_of)
        yield from map(self._named, NAMES[2:])
        yield from (Column(name, values) for name, values in self._found.items())
        for name in dict.fromkeys(name for one in self._quantiles if one for name in one):
            clear = name not in taken and name not in axes
            yield Column(name if clear else f"quantile.{name}", [one.get(name) for one in self._quantiles])

    def _named(self, name: str) -> Column:
        return Column(name, [names[name] for names in self._names], self._name_of)


def _check_names(names: Json) -> None:
    _must(isinstance(names, dict) and all(isinstance(names[name], str) for name in ("experiment", "metric", "unit")))
    _must(isinstance(names["better"], str) and names["better"] in BETTER and names["metric"] not in RENAMED)
    at = names["at"]
    _must(isinstance(at, dict) and _types(at.values()) <= {int, str})
    _must(all(isinstance(value, str) or abs(value) <= LARGEST for value in at.values()))


def _check_rest(cells: List[Json]) -> None:
    """What no column is made of."""
    _must(_types(cell["samples"] for cell in cells) <= {list} and _types(cell["noise"] for cell in cells) <= {dict})
    conditions = [cell.get("conditions", {}) for cell in cells]
    _must(_types(conditions) <= {dict})
    _check_numbers([value for one in conditions if one for value in one.values()])


def _check_found(part: Dict[str, List[Any]], quantiles: List[Json]) -> None:
    _must(_types(quantiles) <= {dict})
    _check_numbers([value for one in quantiles if one for value in one.values()])
    for name in MEASURES:
        _check_numbers(part[name])
    _must(_types(part["reason"]) <= {str, type(None)} and _types(part["valid"]) <= {bool})
    _must(_types(part["n"]) <= {int} and 0 <= min(part["n"], default=0) and max(part["n"], default=0) <= LARGEST)
    _must(_types(part["flag"]) <= {str} and set(part["flag"]) <= FLAGS)
    for value, low, high, valid in zip(part["value"], part["ci_low"], part["ci_high"], part["valid"]):
        _must((low is None or (value is not None and low <= high)) and (valid or value is None))


def _text(path: str) -> str:
    with open(path, encoding="utf-8-sig") as file:
        return file.read()


def document_of(text: str) -> Json:
    """The document, its cells one by one with all that they have."""
    document = from_json(text, _float)
    _must(isinstance(document, dict) and isinstance(document["cells"], list))
    document["cells"] = one_by_one(document["cells"])
    return cast(Json, document)


def _shown(path: str) -> Json:
    """What the program says of the file; Mistake with its sentence if it does not read it."""
    words = ["show", "--json", file_word(path)]
    answer = ask(words)
    if answer.status != 0:
        error = failure(answer, words)
        if isinstance(error, Mistake):
            error.file = path
        raise error
    return cast(Json, json.loads(answer.text))


def samples_of(path: str) -> List[List[Optional[float]]]:
    """The repetitions of each cell; Mistake with the program's sentence if the file cannot be read."""
    try:
        return [[None if value is None else float(value) for value in cell["samples"]]
                for cell in document_of(_text(path))["cells"]]
    except UNREADABLE as error:
        _shown(path)
        mistake = Mistake(f"{path} has changed while it was read", 2)
        mistake.file = path
        raise mistake from error


def _judged(path: str, into: Columns) -> Json:
    """The document as the program reads it; Mistake with its sentence if it does not."""
    cells = _shown(path)["cells"]
    document = document_of(_text(path))
    for cell, own in zip(cells, document["cells"]):
        cell.update({name: own[name] for name in ("samples", "noise", "quantiles")}, probe_ns=own.get("probe_ns"))
    into.add_cells(path, document["id"], cells)
    return document


def _trusted(path: str, into: Columns) -> Json:
    """The document as it is read here; raises for whatever is odd."""
    text = _text(path)
    _must(SURROGATE.search(text) is None)
    head, mark, cells = text.partition(CELLS)
    as_written = bool(mark) and cells.endswith(END) and MATRIX not in cells
    document = document_of(head + '"cells": []}' if as_written else text)
    _check_head(document)
    if as_written:
        into.add_lines(path, document["id"], cells[:-len(END)])
    else:
        into.add_cells(path, document["id"], document["cells"])
    return document


def read(path: str, into: Columns) -> Json:
    """Adds the file's cells; the document without them."""
    try:
        document = _trusted(path, into)
    except UNREADABLE:
        document = _judged(path, into)
    del document["cells"]
    return document


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Millions of small objects are made and none is garbage that only the collector would find."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def paths_of(what: Union[Path, Iterable[Path]]) -> List[str]:
    """The files that a path, a pattern or several of these name. A pattern that fits nothing stays, to be refused."""
    if not isinstance(what, (str, os.PathLike)):
        return [path for one in what for path in paths_of(one)]
    path = os.fspath(what)
    if glob.has_magic(path) and not os.path.exists(path):
        return sorted(glob.glob(path, recursive=True)) or [path]
    return [path]
