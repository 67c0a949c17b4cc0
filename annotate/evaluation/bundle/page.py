"""A page of a bundle: its picture or its text, with layers to switch, scores, errors and reasons.

Needs no server and runs nothing of the evaluated page: of it there is one picture, or its text
escaped.  A content security policy allows the bundle's own style, script and pictures, and nothing
else.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from algorithms.measures.choice import measure_of
from annotate.evaluation.rows import ResultRow
from annotate.evaluation.templates import rendered
from annotate.marks.marked_text import TextLine
from engine.geometry import Box

MOST_TEXT_LAYERS = 12
"""Layers that a text can show: each is a line under its words."""

TALLEST, WIDEST = 12_000, 1000
"""Of a picture, px."""

GOLD_COLOR = "#E69F00"


@dataclass(frozen=True)
class BundleLayer:
    """What one method, or gold, has on a page.

    Attributes:
        name: Of the method, or "Gold".
        color: ``#rrggbb``.
        boxes: x, y, width, height in px of the page, with a label each.
        is_filled: Whether boxes are filled, as texts are, or framed, as blocks.
    """

    name: str
    color: str
    boxes: tuple[tuple[Box, str], ...]
    is_filled: bool = True

    @property
    def color_class(self) -> str:
        """The class of its lines under a text: pages hold no style."""
        return color_class(self.color)


def color_class(color: str) -> str:
    return f"color-{color.removeprefix('#').lower()}"


@dataclass(frozen=True)
class BundlePage:
    """One page of a bundle.

    Attributes:
        key: Data set, page and input, as rows have them.
        title, address: What it calls itself, and where it is from.
        size: Width and height in px.
        picture: A JPEG of it; None where there is none, or none is wanted.
        layers: What is drawn on it, gold first.
        problem: Why there is no picture, "" if there is one.
        text: What it says, where it was not rendered: shown instead of a picture.
    """

    key: tuple[str, str, str]
    title: str = ""
    address: str = ""
    size: tuple[int, int] = (0, 0)
    picture: bytes | None = None
    layers: tuple[BundleLayer, ...] = ()
    problem: str = ""
    text: tuple[TextLine, ...] = ()


@dataclass
class RunScores:
    """Rows by page and method."""

    rows: Mapping[tuple[tuple[str, str, str], str], list[ResultRow]]
    methods: list[str] = field(default_factory=list)
    pages: list[tuple[str, str, str]] = field(default_factory=list)
    _measures: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[ResultRow]) -> "RunScores":
        found: dict[tuple[tuple[str, str, str], str], list[ResultRow]] = {}
        for row in rows:
            found.setdefault((row.run.key, row.run.method), []).append(row)
        methods = list(dict.fromkeys(method for _, method in found))
        return cls(found, methods, list(dict.fromkeys(key for key, _ in found)))

    def value(self, key: tuple[str, str, str], method: str) -> float | None:
        """Return the score a method has on a page, by `measure`."""
        wanted = self.measure(method)
        rows = self.rows.get((key, method), [])
        return next((row.score.value for row in rows if row.measure == wanted), None)

    def measure(self, method: str) -> str:
        """Return the measure a method is shown by: the usual one of those it was scored by."""
        if method not in self._measures:
            found = dict.fromkeys(
                row.measure
                for (_, each), rows in self.rows.items()
                if each == method
                for row in rows
            )
            main = (key for key in found if measure_of(key).is_main)
            usual = next(main, next(iter(found), ""))
            self._measures[method] = usual
        return self._measures[method]

    def ending(self, key: tuple[str, str, str], method: str) -> str:
        """Return why a method has no score on a page; "" where it has, or was not run."""
        rows = self.rows.get((key, method), [])
        return next((f"{row.status}: {row.reason}" for row in rows if row.reason), "")


def page_document(
    page: BundlePage, scores: RunScores, names: Mapping[tuple[str, str, str], str]
) -> str:
    """Return the web page of a page; its picture, if it has one, lies beside it as NAME.jpg."""
    order = list(names.values())
    at = order.index(names[page.key])
    found = {method: scores.rows.get((page.key, method), []) for method in scores.methods}
    run = {method: {row.measure: row for row in rows} for method, rows in found.items() if rows}
    measures = dict.fromkeys(key for rows in run.values() for key in rows)
    drawn = {layer.name for layer in page.layers}
    wide, high = page.size
    return rendered(
        "bundle/page.html",
        up="../",
        title=page.title or page.key[1],
        name=names[page.key],
        before=order[at - 1] if at else "",
        after=order[at + 1] if at + 1 < len(order) else "",
        page=page,
        facts=(*page.key, page.address),
        size=(wide, min(high, TALLEST * wide // WIDEST)),
        values={layer.name: scores.value(page.key, layer.name) for layer in page.layers},
        endings={method: scores.ending(page.key, method) for method in run},
        undrawn=[method for method in run if method not in drawn],
        measures=measures,
        lines=[
            (
                method,
                [rows[key].score.value if key in rows else None for key in measures],
                next(iter(rows.values())).run.ms,
            )
            for method, rows in run.items()
        ],
    )


def layer_colors(colors: Iterable[str]) -> str:
    """Return style rules that give each layer of a text its colour; pages hold no style."""
    slots = range(1, MOST_TEXT_LAYERS + 1)
    bands = [f"inset 0 -{2 * n}px 0 var(--slot{n}, transparent)" for n in slots]
    rules = [f".text span {{ box-shadow: {', '.join(bands)}; }}"]
    for color in sorted({color.lower() for color in colors}):
        rules += [
            f".slot{n}.{color_class(color)}:not(.off) .t{n} {{ --slot{n}: {color}; }}"
            for n in slots
        ]
    return "\n".join(rules) + "\n"
