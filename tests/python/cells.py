"""The cells of a notebook, where there is no kernel of Jupyter: cells.py NOTEBOOK

Runs the code from the first cell to the last, in the folder that it was started in, and prints the outputs as JSON, in the
form that a notebook keeps them in. A cell that fails ends it, with the traceback.
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import sys


def shown(value):
    """What a cell's last expression shows."""
    richer = value._repr_mimebundle_() if hasattr(value, "_repr_mimebundle_") else {}
    return {"output_type": "execute_result", "data": {"text/plain": repr(value), **richer}}


def executed(source, names, place):
    """The outputs of one cell."""
    cell = ast.parse(source, place)
    last = ast.Expression(cell.body.pop().value) if cell.body and isinstance(cell.body[-1], ast.Expr) else None
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(cell, place, "exec"), names)
        value = eval(compile(last, place, "eval"), names) if last else None
    outputs = [{"output_type": "stream", "name": "stdout", "text": said.getvalue()}] if said.getvalue() else []
    return outputs if value is None else [*outputs, shown(value)]


def main(book):
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a program prints that a cell starts is no answer
    cells = [cell for cell in json.loads(pathlib.Path(book).read_text())["cells"] if cell["cell_type"] == "code"]
    names = {"__name__": "__main__"}
    outputs = [executed("".join(cell["source"]), names, f"{book}, cell {place + 1}") for place, cell in enumerate(cells)]
    with answer:
        json.dump([output for of_cell in outputs for output in of_cell], answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
