"""A figure of the report."""

from __future__ import annotations

import functools
import html
import os
import pathlib
import tempfile
import urllib.parse
from typing import Any, Dict, Sequence

from . import _program
from ._reading import Path


# Of the frame in a notebook, in pixels: what is taller scrolls.
HEIGHT = 720


class Figure:
    """A chart of the report. In a notebook it shows itself, as on the page: what it shows can be chosen there, and no
    network is needed. ``save`` writes .html, or as a picture .svg, .png or .pdf."""

    def __init__(self, files: Sequence[str], name: str, choices: Dict[str, object]) -> None:
        self._files = tuple(files)
        link = urllib.parse.urlencode(choices)
        self.name = name + ("&" if "?" in name else "?") * bool(link) + link
        self.svg  # a name that does not exist is refused at once

    def __repr__(self) -> str:
        return f"<synchroscope.Figure: {self.name}>"

    def save(self, file: Path) -> pathlib.Path:
        """Writes the figure; the ending of the name says as what: .html, .svg, .png or .pdf."""
        files = map(_program.file_word, self._files)
        _program.call("report", f"--figure={self.name}", f"--output={os.fspath(file)}", *files)
        return pathlib.Path(file)

    def _text(self, ending: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            return self.save(pathlib.Path(folder) / f"figure{ending}").read_text(encoding="utf-8")

    @functools.cached_property
    def svg(self) -> str:
        """The picture as SVG, which needs nothing else."""
        return self._text(".svg")

    @functools.cached_property
    def html(self) -> str:
        """The page's own chart with its choices, table and findings: a whole page, which needs nothing else."""
        return self._text(".html")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        """A frame of its own, for neither styles nor scripts of page and notebook are to meet; elsewhere the picture."""
        frame = (f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" width="100%" '
                 f'height="{HEIGHT}" style="border:0" title="{html.escape(self.name)}"></iframe>')
        return {"text/html": frame, "image/svg+xml": self.svg, "text/plain": repr(self)}

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
