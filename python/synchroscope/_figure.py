"""A figure of the report."""

from __future__ import annotations

import functools
import html
import json
import os
import pathlib
import tempfile
import urllib.parse
from typing import Any, Dict, Sequence

from . import _plot, _program
from ._reading import Json, Path


# Of the frame in a notebook, in pixels: what is taller scrolls.
HEIGHT = 720


class Figure:
    """A chart of the report. In a notebook it shows itself, as on the page: what it shows can be chosen there, and no
    network is needed. ``save`` writes .html, as a picture .svg, .png or .pdf, or .json, which is ``data``."""

    def __init__(self, files: Sequence[str], name: str, choices: Dict[str, object]) -> None:
        self._files = tuple(files)
        link = urllib.parse.urlencode(choices)
        self.name = name + ("&" if "?" in name else "?") * bool(link) + link
        self.svg  # a name that does not exist is refused at once

    def __repr__(self) -> str:
        return f"<synchroscope.Figure: {self.name}>"

    def save(self, file: Path) -> pathlib.Path:
        """Writes the figure; the ending of the name says as what: .html, .svg, .png, .pdf or .json."""
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

    @functools.cached_property
    def data(self) -> Json:
        """What is drawn, as data: ``title``, ``about``, ``found``, ``panels`` (the charts), ``legend``, ``key``, ``notes``.

        A chart has its axes ``x`` and ``y``, and ``lines``, ``shapes``, ``texts`` and ``images`` in their coordinates, which
        are in the unit of the cells.
        """
        data: Json = json.loads(self._text(".json"))
        return data

    def to_matplotlib(self, axes: Any = None, *, inches: float = 8.0) -> Any:
        """Draws the figure with matplotlib: lines, bars and words in the coordinates of its axes, which are returned.

        Without ``axes`` new ones are made, ``inches`` wide together. A figure of several runs has a chart for each, and
        takes and returns a list of axes. Values are in the unit of the cells; the words of the ticks are the page's.
        """
        _plot.needed()
        panels = self.data["panels"]
        several = len(panels) > 1
        each = _plot.new_axes(panels, inches) if axes is None else list(axes) if several else [axes]
        if len(each) != len(panels):
            raise ValueError(f"{self.name} has {len(panels)} charts, and there are axes for {len(each)}")
        for panel, own in zip(panels, each):
            _plot.draw(panel, own)
        if not several:
            _plot.entitle(panels[0], each[0], self.data["title"])
        _plot.legend(self.data["legend"], each[-1], beside=panels[0]["y"]["scale"] == "rows")
        if self.data["key"] is not None:
            _plot.key(self.data["key"], each)
        return each if several else each[0]
