"""A figure of the report."""

from __future__ import annotations

import functools
import os
import pathlib
import tempfile
import urllib.parse
from typing import Any, Dict, Sequence

from . import _program
from ._reading import Path


class Figure:
    """A chart as the report draws it. In a notebook it shows itself; ``save`` writes .svg, .png or .pdf."""

    def __init__(self, files: Sequence[str], name: str, choices: Dict[str, object]) -> None:
        self._files = tuple(files)
        link = urllib.parse.urlencode(choices)
        self.name = name + ("&" if "?" in name else "?") * bool(link) + link
        self.svg  # a name that does not exist is refused at once

    def __repr__(self) -> str:
        return f"<synchroscope.Figure: {self.name}>"

    def save(self, file: Path) -> pathlib.Path:
        """Writes the figure; the ending of the name says as what: .svg, .png or .pdf."""
        files = map(_program.file_word, self._files)
        _program.call("report", f"--figure={self.name}", f"--output={os.fspath(file)}", *files)
        return pathlib.Path(file)

    @functools.cached_property
    def svg(self) -> str:
        """The picture as SVG, which needs nothing else."""
        with tempfile.TemporaryDirectory() as folder:
            return self.save(pathlib.Path(folder) / "figure.svg").read_text(encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def to_matplotlib(self, axes: Any = None, *, inches: float = 8.0) -> Any:
        """The figure as a picture on matplotlib's axes (new ones without ``axes``, ``inches`` wide), which are returned."""
        from matplotlib import image, pyplot

        with tempfile.TemporaryDirectory() as folder:
            picture = image.imread(self.save(pathlib.Path(folder) / "figure.png"))
        if axes is None:
            height, width = picture.shape[:2]
            axes = pyplot.figure(figsize=(inches, inches * height / width)).add_axes((0, 0, 1, 1))
        axes.imshow(picture)
        axes.set_axis_off()
        return axes
