"""The figures: scores of pages by method, methods by measure, precision by recall, time."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from algorithms.measures.measure import Measure
from algorithms.measures.significance import Interval
from annotate.evaluation.report import chart_style
from annotate.evaluation.report.chart_style import GRID, INK, MUTED, PAPER, Pen
from annotate.evaluation.report.report_parts import ReportPart
from annotate.evaluation.tables.prediction_quality import PredictionQuality
from engine.tree import Doubles

MOST = 12
"""Methods a figure of lines can show before nobody can follow one."""

LEAST_MS = 0.001
"""What clocks cannot tell from nothing."""

_ROW_IN = 0.30
_LONGEST = 34
_GOLDEN = (math.sqrt(5) - 1) / 2


def spreads(values: Mapping[str, Doubles], pens: Mapping[str, Pen], label: str) -> Figure:
    """Draw a box and all points for each method, the first on top; from 0 to 1."""
    figure = chart_style.sheet(0.75 + _ROW_IN * max(len(values), 1))
    axes = figure.add_subplot()
    _boxes(axes, values, pens)
    _share_axis(axes, np.concatenate([np.zeros(1), *values.values()]), 0.02)
    axes.set_xlabel(label)
    return figure


def times(
    values: Mapping[str, Doubles], pens: Mapping[str, Pen], bounds: tuple[float, float]
) -> Figure:
    """Draw milliseconds a page on a logarithmic scale within some bounds, a method a row."""
    figure = chart_style.sheet(0.75 + _ROW_IN * max(len(values), 1))
    axes = figure.add_subplot()
    axes.set_xscale("log")
    low, high = max(bounds[0], LEAST_MS), max(bounds[1], LEAST_MS)
    _boxes(axes, {name: np.maximum(each, LEAST_MS) for name, each in values.items()}, pens)
    axes.set_xlim(low / 1.3, high * 1.3)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()
    axes.set_xlabel("milliseconds a page (logarithmic)")
    return figure


def _boxes(axes: Axes, values: Mapping[str, Doubles], pens: Mapping[str, Pen]) -> None:
    chart_style.plain(axes, "x")
    axes.set_ylim(len(values) - 0.4, -0.6)
    axes.set_yticks(range(len(values)), [_short(name) for name in values])
    for row, (name, column) in enumerate(values.items()):
        known = np.sort(column[~np.isnan(column)])
        if not known.size:
            axes.annotate(
                "never scored", (0, row), xycoords=("axes fraction", "data"), xytext=(6, 0),
                textcoords="offset points", va="center", color=MUTED,
            )  # fmt: skip
            continue
        color = pens[name].color
        # Neighbours in value are far apart in height: equal scores spread evenly over the row.
        lift = ((np.arange(known.size, dtype=np.float64) * _GOLDEN) % 1 - 0.5) * 0.56
        _dots(axes, known, row + lift, color)
        low, median, high = np.quantile(known, (0.25, 0.5, 0.75))
        axes.fill_betweenx(
            [row - 0.3, row + 0.3], low, high,
            facecolor=color, edgecolor=color, alpha=0.22, linewidth=0, zorder=3,
        )  # fmt: skip
        for edge in (low, high):
            axes.plot([edge, edge], [row - 0.3, row + 0.3], color=color, linewidth=1.1, zorder=4)
        axes.plot([median, median], [row - 0.36, row + 0.36], color=INK, linewidth=2.2, zorder=5)
        axes.plot(
            [known.mean()], [row], marker="D", markersize=5.5, markerfacecolor=PAPER,
            markeredgecolor=INK, markeredgewidth=1.2, linestyle="none", zorder=6,
        )  # fmt: skip


def _share_axis(axes: Axes, values: Doubles, margin: float) -> None:
    """Make the axis of x reach from 0 to 1, further only where values do (an ARI may be below)."""
    low, high = min(0.0, float(np.nanmin(values))), max(1.0, float(np.nanmax(values)))
    axes.set_xlim(low - margin * (high - low), high + margin * (high - low))
    if low == 0 and high == 1:
        axes.set_xticks(np.arange(0, 1.01, 0.2))


def _dots(axes: Axes, x: Doubles, y: npt.NDArray[np.floating], color: str) -> None:
    """Draw points as one path of strokes without length: a tenth of the bytes of markers."""
    corners = np.stack([np.stack([x, x], axis=1), np.stack([y, y + 0.02], axis=1)], axis=2)
    codes = np.tile((Path.MOVETO, Path.LINETO), x.size)
    axes.add_patch(
        PathPatch(
            Path(corners.reshape(-1, 2), codes), fill=False, edgecolor=color, linewidth=3.0,
            alpha=0.55, capstyle="round", zorder=2,
        )
    )  # fmt: skip


def means(
    rows: Sequence[str],
    groups: Mapping[str, Mapping[str, Interval]],
    pens: Mapping[str, Pen],
    label: str,
) -> Figure:
    """Draw means with their intervals: a method a row, in it an input each a mark.

    Args:
        rows: Methods, the first on top.
        groups: Input → method → mean.
        pens: Of the inputs.
        label: Of the axis.
    """
    count = len(groups)
    figure = chart_style.sheet(0.95 + (0.16 + 0.14 * count) * max(len(rows), 1))
    axes = figure.add_subplot()
    chart_style.plain(axes, "x")
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [_short(name) for name in rows])
    for k, (name, result) in enumerate(groups.items()):
        there = [row for row, setup in enumerate(rows) if setup in result]
        y = np.array(there) + (k - (count - 1) / 2) * 0.7 / count
        own = (result[rows[row]] for row in there)
        x, low, high = np.array([(m.mean, m.low, m.high) for m in own]).reshape(-1, 3).T
        style = pens[name]
        axes.hlines(y, low, high, color=style.color, linewidth=1.6, zorder=3)
        axes.plot(
            x, y, marker=style.mark, markersize=6, color=style.color, linestyle="none",
            markeredgecolor=PAPER, markeredgewidth=0.6, label=name, zorder=4,
            clip_on=False,
        )  # fmt: skip
    for row in range(1, len(rows)):
        axes.axhline(row - 0.5, color=GRID, linewidth=0.5)
    every = [m for result in groups.values() for m in result.values()]
    _share_axis(axes, np.array([0.0, *(m.low for m in every), *(m.high for m in every)]), 0.0)
    axes.set_xlabel(label)
    if count > 1:
        _legend(figure, axes, "input")
    return figure


def by_measure(
    part: ReportPart, setups: Sequence[str], measures: Sequence[Measure], pens: Mapping[str, Pen]
) -> Figure:
    """Draw a line for each method over measures, as Gottron's figure 5.13."""
    figure = chart_style.sheet(3.9)
    axes = figure.add_subplot()
    chart_style.plain(axes, "y")
    known: list[float] = []
    for setup in setups:
        y = [part.summary(setup, measure).value for measure in measures]
        numbers = np.array(y, dtype=np.float64)  # None becomes NaN
        known += [value for value in y if value is not None]
        style = pens[setup]
        axes.plot(
            range(len(measures)), numbers, label=_short(setup),
            color=style.color, linestyle=style.line,
            marker=style.mark, markersize=5.5, linewidth=1.5,
            markeredgecolor=PAPER, markeredgewidth=0.5,
        )  # fmt: skip
    is_crowded = len(measures) > 5
    axes.set_xticks(
        range(len(measures)),
        [measure.name for measure in measures],
        rotation=40 if is_crowded else 0,
        ha="right" if is_crowded else "center",
        rotation_mode="anchor",
    )
    axes.set_xlim(-0.3, len(measures) - 0.7)
    low = _floor(known)
    axes.set_ylim(min([low, *known]) - 0.02 * (1 - low), 1 + 0.02 * (1 - low))
    axes.set_yticks(_ticks(low))
    axes.set_ylabel("mean over pages")
    _legend(figure, axes)
    return figure


def precision_recall(
    points: Mapping[str, tuple[float, float]], others: Sequence[tuple[float, float]],
    pens: Mapping[str, Pen],
) -> Figure:  # fmt: skip
    """Draw mean recall and precision of each method over lines of equal F1.

    Args:
        points: Method → recall and precision.
        others: Points of methods without a name in the figure.
        pens: By method.
    """
    figure = chart_style.sheet(4.6)
    axes = figure.add_subplot()
    chart_style.plain(axes, "")
    low = _floor([number for point in (*points.values(), *others) for number in point])
    for f in np.linspace(0, 1, 11 if low == 0 else 21)[1:-1]:
        if f <= low:
            continue
        at = f / (2 - f)
        recall = np.linspace(at + 1e-9, 1, 120)
        axes.plot(recall, f * recall / (2 * recall - f), color=GRID, linewidth=0.9, zorder=1)
        if at < low:
            continue
        axes.annotate(
            f"F {f:.2g}".replace("0.", "."), (1, at), xytext=(4, 0), textcoords="offset points",
            va="center", color=MUTED, fontsize=8, annotation_clip=False,
        )  # fmt: skip
    if others:
        axes.plot(*np.array(others).T, ".", color=MUTED, markersize=4, zorder=2, label="others")
    for name, (right, up) in points.items():
        style = pens[name]
        axes.plot(
            [right], [up], marker=style.mark, markersize=8, color=style.color,
            linestyle="none", markeredgecolor=PAPER, markeredgewidth=0.8,
            label=_short(name), zorder=4,
            clip_on=False,
        )  # fmt: skip
    _square(axes, low)
    axes.spines["left"].set_visible(True)
    axes.set(xlabel="recall, mean over pages", ylabel="precision, mean over pages")
    _legend(figure, axes)
    return figure


def _square(axes: Axes, low: float) -> None:
    ticks = _ticks(low)
    axes.set(xlim=(low, 1), ylim=(low, 1), aspect="equal", xticks=ticks, yticks=ticks)


def predictions(qualities: Sequence[PredictionQuality], pens: Mapping[str, Pen]) -> Figure:
    """Draw real over predicted F1, and beside it bad pages found over pages inspected."""
    figure = chart_style.sheet(3.2)
    left, right = figure.subplots(1, 2)
    for axes in (left, right):
        chart_style.plain(axes, "both")
        axes.plot([0, 1], [0, 1], color=MUTED, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1)
        _square(axes, 0)
    for quality in qualities:
        style = pens[quality.method]
        x, y, _ = quality.calibration
        left.plot(
            x, y, color=style.color, linestyle=style.line, marker=style.mark, markersize=5.5,
            markeredgecolor=PAPER, markeredgewidth=0.5, label=_short(quality.method),
            clip_on=False,
        )  # fmt: skip
        if quality.has_ranking:
            right.step(
                *quality.shares, where="post", color=style.color, linestyle=style.line,
                linewidth=1.5,
            )  # fmt: skip
    left.set(xlabel="predicted F1", ylabel="real F1, mean")
    right.set(xlabel="pages looked at", ylabel="bad pages met")
    _legend(figure, left)
    return figure


def _short(name: str) -> str:
    """Return a name short enough for the chart; the parameters at its end stay."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 15]}…{name[-14:]}"


def _floor(values: Sequence[float]) -> float:
    """Return where an axis of shares begins: at 0, or higher where all of them are."""
    least = min((value for value in values if not math.isnan(value)), default=0.0)
    return math.floor(least * 10 - 0.2) / 10 if least > 0.42 else 0.0


def _ticks(low: float) -> Doubles:
    return np.round(np.arange(low, 1.001, 0.2 if low < 0.3 else 0.1), 1)


def _legend(figure: Figure, axes: Axes, title: str | None = None) -> None:
    if axes.get_legend_handles_labels()[0]:
        figure.legend(
            loc="outside right upper", frameon=False, labelcolor=INK, fontsize=9,
            handlelength=2.6, title=title, alignment="left",
        )  # fmt: skip
