"""Executes notebooks from their first cell to their last, by the kernel of this Python, and stores what they show in them:

    notebooks.py NOTEBOOK...

Each runs in an empty folder. Not stored are progress and warnings, and the page of a figure (1 MB), whose picture is. What
else is in the file stays as it is.
"""

import copy
import sys
import tempfile

import nbclient
import nbformat


def kept(outputs):
    for output in outputs:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            data.pop("text/html", None)
        if output.get("name") != "stderr" and "application/vnd.jupyter.widget-view+json" not in data:
            yield output


for name in sys.argv[1:]:
    book = nbformat.read(name, nbformat.NO_CONVERT)
    about = copy.deepcopy(book.metadata)
    with tempfile.TemporaryDirectory() as folder:
        nbclient.NotebookClient(book, timeout=1500, record_timing=False, resources={"metadata": {"path": folder}}).execute()
    book.metadata = about
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs = list(kept(cell.outputs))
    nbformat.write(book, name)
    print(f"{name} has what it shows today")
