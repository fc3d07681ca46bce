"""The program's commands as functions."""

from __future__ import annotations

import dataclasses
import functools
import json
import numbers
import os
import pathlib
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _bar, _program, _spread
from ._reading import Column, Json, Path
from ._results import Files, Results, files_of, frame, load
from .errors import Error, Interrupted, Slower

if TYPE_CHECKING:
    import pandas

Value = Union[str, int, float, Path]
Values = Union[Value, Iterable[Value]]


def _words(options: Dict[str, Any], **flags: bool) -> List[str]:
    """--option=value for each option that is given; several values are apart by commas. A flag that is true is --flag."""
    def option(name: str) -> str:
        return "--" + name.rstrip("_").replace("_", "-")

    out = [option(name) for name, given in flags.items() if given]
    for name, value in options.items():
        if value is None:
            continue
        if isinstance(value, bool):
            raise TypeError(f"{name} takes a value, not {value}")
        if isinstance(value, (str, numbers.Real, os.PathLike)):
            out.append(f"{option(name)}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
        else:
            out.append(f"{option(name)}={','.join(str(one) for one in value)}")
    return out


def _file_words(files: Files) -> List[str]:
    return [_program.file_word(path) for path in files_of(files)]


def _duration(value: Union[str, float, None]) -> Optional[str]:
    return value if value is None or isinstance(value, str) else f"{round(value * 1000)}ms"


def _signature(path: pathlib.Path) -> Optional[Tuple[int, int]]:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _measured(words: List[str], output: Path, progress: Optional[bool]) -> Results:
    """Calls what leaves a results file. What it has left is in the exception, too."""
    path = pathlib.Path(output)
    before = _signature(path)
    with _bar.shown(progress) as show:
        answer = _program.ask(words, show)
    results = load(str(path)) if _signature(path) not in (None, before) else None
    if answer.interrupted:
        raise Interrupted(answer.sentence, answer.status, results)
    if answer.status != 0:
        raise _failed(answer, words, results)
    return results if results is not None else load(str(path))


def _failed(answer: _program.Answer, words: List[str], results: Optional[Results]) -> Error:
    """Asks the program for its doubts about a run that has left cells and no sentence."""
    if results is not None and not answer.error and 0 < answer.status < 128:  # beyond, somebody ended it, and it said so
        doubts = json.loads(_program.call("show", "--json", _program.file_word(results.files[0])))["doubts"]
        answer = answer._replace(sentence="\n".join(doubts))
    error = _program.failure(answer, words)
    error.results = results
    return error


def _resumed(output: Optional[Path], resume: Optional[Path], usual: str) -> Tuple[Path, Dict[str, Any]]:
    """The file that is written, and the option that names it."""
    if resume is not None and output is None:
        return resume, {"resume": resume}
    output = usual if output is None else output
    return output, {"output": output, "resume": resume}


def run(*experiments: str, quick: bool = False, full: bool = False, cpus: Optional[str] = None,
        output: Optional[Path] = None, label: Optional[str] = None, seed: Optional[int] = None,
        max_time: Union[str, float, None] = None, resume: Optional[Path] = None, strict: bool = False,
        include_hostname: bool = False, progress: Optional[bool] = None, **axes: Values) -> Results:
    """Measures experiments on this machine: names, families (``"coherence"``) or globs; everything without any.

    ``run("locks.throughput", threads=[1, 2, 4], lock=["mcs", "std/mutex"], quick=True)``. Axes are those of
    `synchroscope run --help`, one value or several each; ``from_`` is the axis ``from``.

    Args:
        quick, full: Few or all values of each axis, few or many repetitions.
        cpus: Processors to use: ``"0-3,!2"``.
        output: The file that is written, ``results.json`` by default. Measurements that it held are kept beside it.
        label, seed, include_hostname: Kept in the file; the seed is that of the random order.
        max_time: When to stop: seconds, or text with a unit (``"5m"``).
        resume: A file of an interrupted run, which is completed.
        strict: Raises Unreliable if a value is.
        progress: Whether progress is shown; by default on a terminal and in a notebook.

    Ctrl-C raises Interrupted, whose ``results`` has what was measured; it is in the file, too.
    """
    output, written = _resumed(output, resume, "results.json")
    words = ["run", *_words({"cpus": cpus, **written, "label": label, "seed": seed, "max_time": _duration(max_time), **axes},
                            quick=quick, full=full, strict=strict, include_hostname=include_hostname)]
    return _measured([*words, *experiments], output, progress)


def simulate(*experiments: str, machine: Union[None, Path, Results, Iterable[Path]] = None, quick: bool = False,
             full: bool = False, output: Optional[Path] = None, label: Optional[str] = None, seed: Optional[int] = None,
             oversubscribe: bool = False, resume: Optional[Path] = None, progress: Optional[bool] = None,
             workers: Optional[_spread.Workers] = None, tasks: int = _spread.TASKS, parts: Optional[Path] = None,
             **axes: Values) -> Results:
    """Simulate experiments on models of other machines; nothing is measured.

    Args:
        machine: Models (`synchroscope list models`), a model in a file, or a results file of a host. Cells of several
            have the coordinate ``machine``.
        output: The file that is written, ``simulation.json`` by default.
        seed: Of jitter and phases: the same seed gives the same cells.
        oversubscribe: Allows more threads than the model has processors.
        workers: So many processes of this machine compute at a time, or with ``"ray"`` all processors of a Ray cluster.
            The cells are the same, byte for byte.
        tasks: Of workers: in how many parts.
        parts: Of workers: the folder in which parts are kept until the whole is written, ``output`` with ``.parts`` by
            default. After Ctrl-C, or where a part was lost, the same call again computes only what is missing.

    All else is as for ``run``.
    """
    models = machine.files if isinstance(machine, Results) else machine
    flags = {"quick": quick, "full": full, "oversubscribe": oversubscribe}
    if workers is not None:
        if resume is not None:
            raise ValueError("workers go without resume: the same call again goes on with its parts")
        words = ["simulate", *_words({"machine": models, "label": label, "seed": seed, **axes}, **flags), *experiments]
        return _simulated_by(workers, words, tasks, "simulation.json" if output is None else output, parts, progress)
    output, written = _resumed(output, resume, "simulation.json")
    words = ["simulate", *_words({"machine": models, **written, "label": label, "seed": seed, **axes}, **flags)]
    return _measured([*words, *experiments], output, progress)


def _simulated_by(workers: _spread.Workers, words: List[str], tasks: int, output: Path, parts: Optional[Path],
                  progress: Optional[bool]) -> Results:
    """Parts, each a results file of some of the cells; the program makes one of them, and computes what it may miss."""
    _spread.checked(workers, tasks)
    folder = pathlib.Path(f"{os.fspath(output)}.parts" if parts is None else parts)
    if "," in str(folder):
        raise ValueError(f"the folder of the parts has a comma in its name, which the program takes for two: {folder}")
    files = _spread.performed(_spread.Spread(words, workers, tasks), folder, progress)
    whole = ["simulate", f"--resume={','.join(_program.file_word(file) for file in files)}", *_words({"output": output})]
    results = _measured(whole, output, False)
    _spread.remove(files)
    return results


class Comparison:
    """What the program says of two sides. ``print()`` shows its text; ``cells`` is the table; ``document`` all of it.

    ``confidence`` is that of the intervals: with it all resolved differences together are as rarely wrong as the text says.
    """

    def __init__(self, document: Json, words: Sequence[str]) -> None:
        self.document = document
        self.confidence: Optional[float] = document.get("confidence")
        self._words = tuple(words)

    def __repr__(self) -> str:
        return f"<synchroscope.Comparison: {len(self.document['cells'])} cells>"

    def __str__(self) -> str:
        return self.text

    @functools.cached_property
    def text(self) -> str:
        """The sentences that `synchroscope compare` prints."""
        answer = _program.ask(["compare", *self._words])
        return answer.text

    @functools.cached_property
    def cells(self) -> pandas.DataFrame:
        """One row for each cell that both sides have.

        Columns: ``experiment``, the coordinates, ``metric``, ``unit``, ``better``; ``a_value``, ``a_ci_low``,
        ``a_ci_high`` (in ``unit``), ``a_n``, ``a_flag`` of the baseline, and ``b_...`` of the side that is judged;
        ``ratio`` (b to a), ``ratio_ci_low``, ``ratio_ci_high``; ``p``; ``verdict`` (``better``, ``worse``, ``different``,
        ``unresolved``; docs/compare.md).
        """
        rows = self.document["cells"]
        axes = dict.fromkeys(axis for row in rows for axis in row["at"])
        names = ("experiment", "metric", "unit", "better")
        out: Dict[str, List[Any]] = {"experiment": [row["experiment"] for row in rows]}
        out.update((f"at.{axis}" if axis in names else axis, [row["at"].get(axis) for row in rows]) for axis in axes)
        out.update((name, [row[name] for row in rows]) for name in names[1:])
        for side in ("a", "b"):
            out[f"{side}_value"] = [row[side]["value"] for row in rows]
            out.update(_interval(f"{side}_ci", [row[side]["ci"] for row in rows]))
            out.update((f"{side}_{name}", [row[side][name] for row in rows]) for name in ("n", "flag"))
        out["ratio"] = [row["ratio"] for row in rows]
        out.update(_interval("ratio_ci", [row["ratio_ci"] for row in rows]))
        out.update((name, [row[name] for row in rows]) for name in ("p", "verdict"))
        return frame(Column(name, values) for name, values in out.items())


def _interval(name: str, ends: List[Any]) -> Iterator[Tuple[str, List[Any]]]:
    for end, which in enumerate(("low", "high")):
        yield f"{name}_{which}", [None if ci is None else ci[end] for ci in ends]


def compare(a: Files, b: Files, *, experiment: Optional[str] = None, fail_if_slower: Optional[float] = None) -> Comparison:
    """What is faster or slower in ``b`` than in the baseline ``a``: a file of each, or at least three runs of each.

    Args:
        experiment: Only these experiments: a name, family or glob.
        fail_if_slower: Percent; raises Slower, which has the ``comparison``, if a cell of ``b`` is slower by more than this.
    """
    first, second = _file_words(a), _file_words(b)
    limit = None if fail_if_slower is None else f"{fail_if_slower}%"
    options = _words({"experiment": experiment, "fail_if_slower": limit})
    runs = len(first) > 1 or len(second) > 1
    words = [*first, "--with", *second, *options] if runs else [*first, *second, *options]
    answer = _program.ask(["compare", "--json", *words])
    if answer.interrupted:
        raise KeyboardInterrupt(answer.sentence)
    if answer.status not in (0, 5):
        raise _program.failure(answer, ["compare", *words])
    comparison = Comparison(json.loads(answer.text), words)
    if answer.status == 5:
        error = _program.failure(answer, ["compare", *words])
        assert isinstance(error, Slower)
        error.comparison = comparison
        raise error
    return comparison


@dataclasses.dataclass(frozen=True)
class Recommendation:
    """What to take for one topic (``lock``, ``sharding``, ``wake``, ...), and why.

    ``because`` is the program's sentence; ``matters`` whether the choice makes a difference; ``confidence`` how sure it is
    (``"a rule"``: nothing was measured for it, ``rule`` is the source); ``runner_up`` the next best; ``figures`` the cells
    that it rests on, each as in the results file.
    """

    topic: str
    take: str
    matters: bool
    confidence: str
    because: str
    runner_up: Optional[str]
    rule: Optional[str]
    figures: Tuple[Json, ...]

    def __str__(self) -> str:
        return f"{self.topic}: {self.take}\n    {self.because}"


class Advice(Mapping[str, Recommendation]):
    """What to take for a workload, by topic: ``advice["lock"].take``. ``print()`` shows all of it.

    ``machine`` and ``workload`` are what it is for, times in ns; ``document`` is all that the program says.
    """

    def __init__(self, document: Json) -> None:
        self.document = document
        self.machine: Json = document["machine"]
        self.workload: Json = document["workload"]
        self._by_topic = {one["topic"]: _recommendation(one) for one in document["advice"]}

    def __getitem__(self, topic: str) -> Recommendation:
        return self._by_topic[topic]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_topic)

    def __len__(self) -> int:
        return len(self._by_topic)

    def __str__(self) -> str:
        return "\n".join(map(str, self.values()))

    def __repr__(self) -> str:
        return f"<synchroscope.Advice: {', '.join(f'{one.topic} {one.take}' for one in self.values())}>"


def _recommendation(one: Json) -> Recommendation:
    fields: Dict[str, Any] = {field.name: one[field.name] for field in dataclasses.fields(Recommendation)}
    return Recommendation(**{**fields, "figures": tuple(fields["figures"])})


def _said(words: List[str], progress: Optional[bool] = False, accepted: Sequence[int] = (0,)) -> str:
    with _bar.shown(progress) as show:
        answer = _program.ask(words, show)
    if answer.interrupted:
        raise KeyboardInterrupt(answer.sentence)
    if answer.status not in accepted:
        raise _program.failure(answer, words)
    return answer.text


def advise(files: Optional[Files] = None, *, machine: Optional[Path] = None, threads: Optional[int] = None,
           critical: Optional[float] = None, gap: Optional[float] = None, locks: Optional[int] = None,
           readers: Optional[float] = None, profile: Optional[Path] = None, lock: Optional[str] = None, sleep: bool = False,
           fair: bool = False) -> Advice:
    """Which lock, wake primitive, limit and job size suit a workload, by results files of one machine or on a model.

    Args:
        machine: A model, which is simulated, in place of files.
        threads: How many want the locks; one for each processor by default.
        critical: Work inside a critical section, in ns (100 by default).
        gap: Work of a thread between two critical sections, in ns (1000).
        locks: How many locks there are (1).
        readers: Percentage of acquisitions that only read (0).
        profile, lock: Take the workload from one lock of a profile.
        sleep: Waiting threads have to sleep.
        fair: No waiter may be overtaken without bound.
    """
    words = ["advise", "--json", *_words({"machine": machine, "threads": threads, "critical": critical, "gap": gap,
                                          "locks": locks, "readers": readers, "profile": profile, "lock": lock},
                                         sleep=sleep, fair=fair)]
    return Advice(json.loads(_said([*words, *(_file_words(files) if files is not None else ())])))


@dataclasses.dataclass(frozen=True)
class Proof:
    """What exploring one primitive has shown. ``verdict`` is ``"proved"`` or what went wrong.

    ``also`` are the names that the proof holds for besides; ``states`` were explored in ``seconds``; ``programs`` are the
    small programs that ran, each with ``program``, ``threads``, ``verdict``, ``bound``, ``states``, ``failure``, ``detail``
    and the ``id`` of a counter-example, which ``call("verify", "--replay", id)`` shows step by step.
    """

    name: str
    also: Tuple[str, ...]
    verdict: str
    states: int
    seconds: float
    programs: Tuple[Json, ...]

    @property
    def proved(self) -> bool:
        return self.verdict == "proved"


def _explored(words: List[str], names: Sequence[Path], workers: Optional[_spread.Workers], tasks: int,
              parts: Optional[Path], progress: Optional[bool]) -> List[Json]:
    """What `verify --json` says, by one process of the program or by many."""
    words = [*words, *[os.fspath(name) for name in names]]
    if workers is None:
        whole: List[Json] = json.loads(_said(words, progress, accepted=(0, 1)))
        return whole
    _spread.checked(workers, tasks)
    with _spread.kept(parts) as folder:
        files = _spread.performed(_spread.Spread([*words, "--jobs=1"], workers, tasks), folder, progress)
        return _spread.in_turn(files)


def verify(*names: Path, long: bool = False, progress: Optional[bool] = None, workers: Optional[_spread.Workers] = None,
           tasks: int = _spread.FINE, parts: Optional[Path] = None) -> List[Proof]:
    """Explores primitives, all without a name: every interleaving and every weak-memory behaviour, within stated bounds.

    A name may be a header with a lock of your own. A primitive that fails is in the list with its ``verdict``, and is no
    exception. ``long`` explores many more states.

    Args:
        workers, tasks: As of ``simulate``; the verdicts are the same.
        parts: Of workers: a folder in which answers stay, so that the same call again explores only what is missing.
    """
    said = _explored(["verify", "--json", *_words({}, long=long)], names, workers, tasks, parts, progress)
    return [Proof(one["name"], tuple(one["also"]), one["verdict"], one["states"], one["seconds"], tuple(one["programs"]))
            for one in said]


@dataclasses.dataclass(frozen=True)
class Mutant:
    """What became of a primitive with one memory order weakened or one statement altered.

    ``mutant`` says where and what, ``of`` is ``"order"`` or ``"statement"``; ``fate`` is ``"killed"`` (``killed_by`` a
    program, by ``failure``; ``call("verify", "--replay", id)`` shows it) or ``"survived"``, with the ``argument`` why it
    may, or None; ``reached_by`` are the primitives whose programs come there.
    """

    mutant: str
    of: str
    fate: str
    reached_by: Tuple[str, ...]
    killed_by: Optional[str]
    failure: Optional[str]
    argument: Optional[str]
    id: Optional[str]


def mutate(*names: Path, long: bool = False, progress: Optional[bool] = None, workers: Optional[_spread.Workers] = None,
           tasks: int = _spread.FINE, parts: Optional[Path] = None) -> List[Mutant]:
    """Whether the proofs would notice a mistake: each memory order and statement is altered, and a program must fail.

    Without a name of all primitives, which takes long. Arguments are those of ``verify``; each worker first looks which
    places the primitives reach.
    """
    said = _explored(["verify", "--mutate", "--json", *_words({}, long=long)], names, workers, tasks, parts, progress)
    return [Mutant(**{**{field.name: one[field.name] for field in dataclasses.fields(Mutant)},
                      "reached_by": tuple(one["reached_by"])}) for one in said]


def report(files: Files, output: Path = "report.html", *, paper: bool = False) -> pathlib.Path:
    """Writes one HTML page with all charts, several files side by side, which needs no network; its path.

    ``paper`` shows the numbers that papers published for their machines as well.
    """
    _said(["report", *_words({"output": output}, paper=paper), *_file_words(files)])
    return pathlib.Path(output)
