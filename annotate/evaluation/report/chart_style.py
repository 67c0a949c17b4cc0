"""How figures look, and their files: colours, marks, and one drawing as PNG, SVG, PDF and inline.

A figure is drawn once, in the colours of paper.  In the page its colours become variables of the
style sheet, so that it is legible on light and dark ground alike, and its texts stay texts.

matplotlib is imported here and in `annotate.evaluation.report.charts` only, when a report is made;
its global state (pyplot) is left alone.
"""

import io
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from annotate.evaluation.report.markup import Markup
from annotate.evaluation.tables.method_colors import COLORS, color_of
from engine.errors import convert_os_error

INK, MUTED, GRID, PAPER = "#16181d", "#595e6a", "#d3d6de", "#fefefe"
_VARIABLES = {INK: "--ink", MUTED: "--muted", GRID: "--grid", PAPER: "--paper"} | {
    color: f"--s{index}" for index, color in enumerate(COLORS)
}
_LEFT_OUT = re.compile(
    r"<metadata>.*?</metadata>\s*|<defs>\s*<style.*?</style>\s*</defs>\s*|<!--.*?-->\s*", re.DOTALL
)

MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "d")
LINES = ("-", (0, (5, 2)), (0, (1.2, 1.6)), (0, (6, 1.6, 1.2, 1.6)))

WIDTH_IN = 7.2
_DPI = 200
_RC: dict[Any, object] = {
    "font.family": "sans-serif",
    "font.size": 9.0,
    "text.color": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "pagelet",
    "pdf.fonttype": 42,  # editable text
    "path.simplify": False,
    "axes.unicode_minus": True,
}


@dataclass(frozen=True)
class Pen:
    """Style of one method, throughout a report."""

    color: str
    mark: str
    line: str | tuple[float, tuple[float, ...]]


def pen(index: int, method: str | None = None) -> Pen:
    """Return the pen in some place of a report, in the colour of a method if it is that of one.

    Marks change with the position, so that methods of the same colour differ, too.
    """
    return Pen(
        COLORS[index % len(COLORS)] if method is None else color_of(method),
        MARKS[index % len(MARKS)],
        LINES[index % len(LINES)],
    )


def sheet(height_in: float, width_in: float = WIDTH_IN) -> Figure:
    """Return an empty figure."""
    figure = Figure(figsize=(width_in, height_in), layout="constrained", facecolor="none")
    FigureCanvasAgg(figure)
    return figure


def plain(axes: Axes, grid: str = "both") -> None:
    """Hide frame and ticks; leave a light grid."""
    axes.set_facecolor("none")
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(MUTED)
    axes.tick_params(colors=MUTED, labelcolor=INK, length=0, labelsize=9)
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    axes.set_axisbelow(True)
    if grid:
        axes.grid(visible=True, axis=grid, color=GRID, linewidth=0.7)  # type: ignore[arg-type]


def settings() -> AbstractContextManager[None]:
    """Return matplotlib's settings for figures of reports, in force within ``with``."""
    return mpl.rc_context(_RC)


_FILES: dict[str, dict[str, Any]] = {
    "png": {"dpi": _DPI, "facecolor": "white", "metadata": {"Software": "Pagelet"}},
    "pdf": {"metadata": {"CreationDate": None, "Creator": "Pagelet", "Producer": None}},
}


def save(figure: Figure, folder: Path, name: str, formats: Sequence[str]) -> Markup:
    """Write ``name`` as png, svg, pdf and return it for the page.  Raises `InputError`."""
    vector = io.StringIO()
    with settings():
        figure.savefig(vector, format="svg", metadata={"Date": None, "Creator": "Pagelet"})
        text = vector.getvalue()
        figure.set_layout_engine("none")  # all three files share one layout
        with convert_os_error(f"write figures to {folder}"):
            folder.mkdir(parents=True, exist_ok=True)
            for kind in formats:
                path = folder / f"{name}.{kind}"
                if kind == "svg":
                    path.write_text(text, encoding="utf-8")
                else:
                    figure.savefig(path, format=kind, **_FILES[kind])
    return inline(text, name)


def inline(svg: str, name: str) -> Markup:
    """Return an SVG file as an element of a page: its own ids, the page's colours and font."""
    text = _LEFT_OUT.sub("", svg[svg.index("<svg") :])
    text = re.sub(r' id="(?:\w*_\d+|[a-z]+)"', "", text)  # names of groups: nothing refers to them
    text = re.sub(r'(\bid="|="#|url\(#)', rf"\g<1>{name}-", text)
    for color, variable in _VARIABLES.items():
        text = text.replace(color, f"var({variable})")
    text = re.sub(r"font: ([\d.]+px)[^;\"]*", r"font-size: \1", text)
    for size in ("width", "height"):
        text = re.sub(rf'(<svg\b[^>]*?) {size}="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'\s(?:xmlns(?::\w+)?|version)="[^"]*"', "", text)
    text = text.replace("xlink:href", "href")
    return Markup(text.replace("<svg", '<svg aria-hidden="true"', 1).strip())
