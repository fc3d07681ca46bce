"""Cells that a results file has as one matrix, as docs/results.md describes it."""

from __future__ import annotations

import array
import base64
import collections
import itertools
import json
import math
import sys
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Tuple

Json = Dict[str, Any]

OF_ALL = ("experiment", "metric", "unit", "better")
IN_COLUMNS = ("value", "ci", "samples", "probe_ns", "noise")
MOST_BITS = 55
MOST_FIELDS = 2**24
# What all cells may take as text, one by one.
MOST_TEXT = 2**31


def _must(condition: bool) -> None:
    if not condition:
        raise ValueError("a matrix is damaged")


def _whole(value: Any) -> int:
    """4.0 is a whole number, too."""
    _must(type(value) in (int, float) and value == int(value))
    return int(value)


def _packed(column: Json, numbers: int) -> List[int]:
    """Of so many bits each, the lowest bit first: eight numbers take as many bytes as one has bits."""
    bits, least = _whole(column["bits"]), _whole(column["least"])
    _must(0 <= bits <= MOST_BITS)
    data = base64.b64decode(column["data"], validate=True)
    _must(len(data) == (numbers * bits + 7) // 8)
    if bits == 0:
        return [least] * numbers
    data += bytes(-len(data) % bits)
    mask, shifts = 2**bits - 1, range(0, 8 * bits, bits)
    eights = (int.from_bytes(data[at:at + bits], "little") for at in range(0, len(data), bits))
    return [(eight >> shift & mask) + least for eight in eights for shift in shifts][:numbers]


def _table(text: str) -> Sequence[float]:
    table = array.array("d", base64.b64decode(text, validate=True))
    if sys.byteorder == "big":
        table.byteswap()
    _must(all(map(math.isfinite, table)))
    return table


class _Number(NamedTuple):
    """Where a number of a kind is: in this list or object, under this name or number."""

    place: str
    steps: Tuple[Any, ...]
    value: Any


def _numbers_in(part: Any, place: str, steps: Tuple[Any, ...]) -> Iterator[_Number]:
    if isinstance(part, (int, float)) and not isinstance(part, bool):
        yield _Number(place, steps, part)
    elif isinstance(part, list):
        for number, inner in enumerate(part):
            yield from _numbers_in(inner, f"{place}/{number}", (*steps, number))
    elif isinstance(part, dict):
        for name, inner in part.items():
            clear = name.replace("~", "~0").replace("/", "~1")
            yield from _numbers_in(inner, f"{place}/{clear}", (*steps, name))


class _Use(NamedTuple):
    """A number of a kind that is the next one of a column."""

    column: int
    steps: Tuple[Any, ...]


class _Kind:
    def __init__(self, cell: Json, columns: Dict[Tuple[str, bool], int]) -> None:
        self.cell = cell
        found = [one for name in IN_COLUMNS if name in cell for one in _numbers_in(cell[name], "/" + name, (name,))]
        places = [(columns.get((one.place, isinstance(one.value, float))), one.steps) for one in found]
        self.uses = [_Use(column, steps) for column, steps in places if column is not None]
        self.has_noise = any(use.steps[0] == "noise" for use in self.uses)


def _copy(part: Any) -> Any:
    if isinstance(part, list):
        return [_copy(inner) for inner in part]
    return {name: _copy(inner) for name, inner in part.items()} if isinstance(part, dict) else part


class _Column:
    """The numbers of a place, one by one in the order of the cells."""

    def __init__(self, told: Json, numbers: int, tables: List[Sequence[float]], axes: List[str]) -> None:
        self.axis = axes.index(told["axis"]) if "axis" in told else None
        number = _whole(told["numbers"]) if "numbers" in told and self.axis is None else None
        _must(number is None or number >= 0)
        self.table = None if number is None else tables[number]
        self.is_value = told["at"] == "/value"
        self.is_relative = number == 0 and not self.is_value
        self.next = iter(_packed(told, numbers) if self.axis is None else []).__next__


def _next_cell(kind: _Kind, common: Json, place: Tuple[Any, ...], names: List[str], columns: List[_Column]) -> Json:
    cell = {**kind.cell, **common, "at": dict(zip(names, place))}
    cell["samples"] = list(cell["samples"])
    cell["ci"] = cell["ci"] and list(cell["ci"])
    if kind.has_noise:
        cell["noise"] = _copy(cell["noise"])
    base = 0
    for number, steps in kind.uses:
        column = columns[number]
        if column.axis is not None:
            found = place[column.axis]
            _must(type(found) is int)
        else:
            found = column.next()
            if column.table is not None:
                if column.is_value:
                    base = found
                elif column.is_relative:
                    found += base
                _must(found >= 0)
                found = column.table[found]
        into: Any = cell
        for step in steps[:-1]:
            into = into[step]
        into[steps[-1]] = found
    return cell


def cells_in(entry: Json) -> List[Json]:
    """The cells of a matrix, in their order. Raises ValueError, LookupError or TypeError if it is not as it should be."""
    matrix = entry["matrix"]
    names = [name for name, _ in matrix["axes"]]
    values = [values for _, values in matrix["axes"]]
    _must(len(set(names)) == len(names) and math.prod(map(len, values)) <= MOST_FIELDS)
    told = matrix["columns"]
    numbers_of = {(column["at"], "numbers" in column): number for number, column in enumerate(told)}
    _must(len(numbers_of) == len(told))
    kinds = [_Kind(cell, numbers_of) for cell in matrix["kinds"]]
    fields = _packed(matrix["kind"], math.prod(map(len, values)))
    _must(all(0 <= kind <= len(kinds) for kind in set(fields)))
    count_of = collections.Counter(fields)
    cells = [count_of[number + 1] for number in range(len(kinds))]
    _must(sum(len(json.dumps(kind.cell)) * count for kind, count in zip(kinds, cells)) <= MOST_TEXT)
    numbers = [0] * len(told)
    for kind, count in zip(kinds, cells):
        for use in kind.uses:
            numbers[use.column] += count
    tables = [_table(text) for text in matrix["numbers"]]
    columns = [_Column(column, count, tables, names) for column, count in zip(told, numbers)]
    common = {name: entry[name] for name in OF_ALL}
    places = zip(fields, itertools.product(*values))
    return [_next_cell(kinds[kind - 1], common, place, names, columns) for kind, place in places if kind]


def is_matrix(cell: Any) -> bool:
    return isinstance(cell, dict) and "matrix" in cell


def one_by_one(cells: List[Any]) -> List[Any]:
    """Cells, and those of matrices in their places."""
    return [one for cell in cells for one in (cells_in(cell) if is_matrix(cell) else (cell,))]
