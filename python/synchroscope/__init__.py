"""Synchroscope from Python: what synchronization costs on a machine, as tables.

    import synchroscope

    results = synchroscope.run("locks.throughput", threads=[1, 2], quick=True)
    results.cells       # a table, one row for each cell
    results.findings    # what the program says of them

Everything is measured, computed and said by the program; docs/python.md describes this package.
"""

from ._commands import (Advice, Comparison, Mutant, Proof, Recommendation, advise, compare, mutate, report, run, simulate,
                        verify)
from ._figure import Figure
from ._fleet import Fleet, fleet
from ._program import call, program
from ._results import Results, load
from .errors import (Error, Interrupted, Mistake, NotPossibleHere, ProgramNotFound, SelfCheckFailed, Slower, Unreliable)

__all__ = ["Advice", "Comparison", "Error", "Figure", "Fleet", "Interrupted", "Mistake", "Mutant", "NotPossibleHere",
           "ProgramNotFound", "Proof", "Recommendation", "Results", "SelfCheckFailed", "Slower", "Unreliable",
           "advise", "call", "compare", "fleet", "load", "mutate", "program", "report", "run", "simulate", "verify"]
