"""A figure as data, drawn on matplotlib's axes. What it holds the program has computed; report/src/plot.ts describes it."""

from __future__ import annotations

import base64
import io
import re
from typing import Any, Dict, List, Sequence

from ._reading import Json

# Of matplotlib, for the marks of the page.
MARKS = {"circle": "o", "square": "s", "up": "^", "diamond": "D", "down": "v", "plus": "P", "pentagon": "p", "star": "*",
         "cross": "X", "ring": "o"}
VERTICAL = {"top": "top", "middle": "center", "bottom": "bottom"}
# A page's pixel in points: eight hundred are eight inches.
PIXEL = 0.72
MARK = 7 * PIXEL


def needed() -> Any:
    """matplotlib, or ImportError with a sentence where there is none."""
    try:
        import matplotlib
    except ImportError as error:
        raise ImportError("matplotlib is not installed: pip install matplotlib") from error
    return matplotlib


def _color(css: str) -> Any:
    """As matplotlib takes it."""
    found = re.fullmatch(r"rgb\((\d+),(\d+),(\d+)\)", css)
    return tuple(int(part) / 255 for part in found.groups()) if found else css


def _stroke(one: Json) -> Dict[str, Any]:
    """The style of a line, or of an edge."""
    dash = [length * PIXEL for length in one["dash"]]
    return {"linewidth": one["width"] * PIXEL, "linestyle": (0, dash) if dash else "solid"}


def _draw_line(line: Json, axes: Any) -> None:
    """One line of matplotlib's, its points those of the page; points of another kind are another one, without a name."""
    kinds = sorted({(point["mark"], point["fill"], point["edge"]) for point in line["points"]})
    where = "steps-post" if line["steps"] else "default"

    def marked(mark: str, fill: str, edge: str) -> Dict[str, Any]:
        return {"marker": MARKS[mark], "markersize": MARK, "markeredgewidth": 1.0, "markeredgecolor": _color(edge),
                "markerfacecolor": "none" if mark == "ring" else _color(fill)}

    drawn: Json = {"linestyle": "none"}
    if line["stroke"]:
        drawn = {"color": _color(line["stroke"]), "drawstyle": where, **_stroke(line)}
    marks = marked(*kinds[0]) if len(kinds) == 1 else {}
    axes.plot(line["x"], line["y"], label=line["name"] or "_", zorder=2 + line["z"] / 10, **drawn, **marks)
    for kind in kinds if len(kinds) > 1 else ():
        at = [i for i, point in enumerate(line["points"]) if (point["mark"], point["fill"], point["edge"]) == kind]
        axes.plot([line["x"][i] for i in at], [line["y"][i] for i in at], linestyle="none", label="_",
                  zorder=2 + line["z"] / 10, **marked(*kind))


def _draw_shape(shape: Json, axes: Any) -> None:
    from matplotlib import patches

    order = {"zorder": 2 + shape["z"] / 10, "clip_on": shape["clip"], "alpha": shape["opacity"]}
    if shape["fill"] is None and len(shape["at"]) == 2:
        axes.plot(*zip(*shape["at"]), color=_color(shape["stroke"] or "none"), label="_", **order, **_stroke(shape))
        return
    fill, edge = (_color(shape[name]) if shape[name] else "none" for name in ("fill", "stroke"))
    axes.add_patch(patches.Polygon(shape["at"], closed=True, facecolor=fill, edgecolor=edge, **order, **_stroke(shape)))


def _draw_image(one: Json, axes: Any) -> None:
    from matplotlib import image

    dots = image.imread(io.BytesIO(base64.b64decode(one["address"].partition(",")[2])))
    (left, top), (right, bottom) = one["from"], one["to"]
    axes.imshow(dots, extent=(left, right, bottom, top), aspect="auto", interpolation="nearest")


def _lay_axis(axis: Json, of: Any, scale: Any, limit: Any) -> None:
    """Scale, ends, ticks and title of one of the two."""
    scale("log" if axis["scale"] == "log" else "linear")
    of.set_ticks([value for value, _ in axis["ticks"]], [text for _, text in axis["ticks"]])
    of.set_ticks([], minor=True)
    of.set_label_text(axis["title"])
    of.set_label_position(axis["position"])
    of.set_ticks_position(axis["position"])
    limit(axis["from"], axis["to"])


def draw(panel: Json, axes: Any) -> None:
    """One chart."""
    for one in panel["images"]:
        _draw_image(one, axes)
    for shape in panel["shapes"]:
        _draw_shape(shape, axes)
    for line in panel["lines"]:
        _draw_line(line, axes)
    for text in panel["texts"]:
        axes.text(text["x"], text["y"], text["text"], fontsize=text["size"] * PIXEL, color=_color(text["color"]), zorder=4,
                  horizontalalignment=text["align"], verticalalignment=VERTICAL[text["vertical"]])
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    _lay_axis(panel["x"], axes.xaxis, axes.set_xscale, axes.set_xlim)
    _lay_axis(panel["y"], axes.yaxis, axes.set_yscale, axes.set_ylim)
    if panel["y"]["scale"] == "rows":  # above the words of its rows, and not along a few of them
        axes.yaxis.label.set(rotation=0, horizontalalignment="right", verticalalignment="bottom")
        axes.yaxis.set_label_coords(-0.01, 1.01)
    if panel["x"]["scale"] == panel["y"]["scale"] == "rows":
        axes.set_aspect("equal")
    entitle(panel, axes, panel["name"])


def entitle(panel: Json, axes: Any, title: str) -> None:
    """Above all words that stand above the axes."""
    bottom, top = panel["y"]["from"], panel["y"]["to"]
    linear = panel["y"]["scale"] != "log"
    highest = max([1.0, *((text["y"] - bottom) / (top - bottom) for text in panel["texts"])]) if linear else 1.0
    axes.set_title(title, pad=6 + (highest - 1) * panel["height"] * PIXEL)


def legend(entries: Sequence[Json], axes: Any, beside: bool) -> None:
    """What the colours mean, beside the axes or where there is room; a line's entry is its line."""
    from matplotlib import lines, patches

    drawn = {line.get_label(): line for line in axes.get_lines()}
    handles: List[Any] = []
    for entry in entries:
        color, name = _color(entry["color"]), entry["name"]
        if name in drawn:
            handles.append(drawn[name])
        elif entry["symbol"] in ("line", "dash", "point"):
            style: Any = {"line": "solid", "dash": "dotted", "point": "none"}[entry["symbol"]]
            handles.append(lines.Line2D([], [], color=color, linestyle=style, label=name,
                                        marker="o" if entry["symbol"] == "point" else ""))
        else:
            face = "none" if entry["symbol"] == "hollow" else color
            edge: Any = "dashed" if entry["symbol"] == "far" else "solid"
            handles.append(patches.Patch(facecolor=face, edgecolor=color, linestyle=edge, label=name))
    if handles:
        where: Json = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if beside else {}
        axes.legend(handles=handles, fontsize=11 * PIXEL, **where)


def key(words: Json, axes: Sequence[Any]) -> None:
    """The colours of a map, from the least value to the greatest."""
    from matplotlib import cm, colors

    colours = cm.ScalarMappable(cmap=colors.ListedColormap([_color(color) for color in words["colors"]]))
    bar = axes[0].figure.colorbar(colours, ax=list(axes), ticks=[0, 1])
    bar.set_ticklabels([words["least"], words["most"]])


def new_axes(panels: Sequence[Json], inches: float) -> List[Any]:
    """For each chart its own, beside each other as in a picture of the page."""
    from matplotlib import pyplot

    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    scale = inches / (columns * panels[0]["width"])
    height = rows * max(panel["height"] for panel in panels) * scale
    _, grid = pyplot.subplots(rows, columns, figsize=(inches, height), layout="constrained", squeeze=False)
    for unused in grid.flat[len(panels):]:
        unused.set_axis_off()
    return list(grid.flat[:len(panels)])
