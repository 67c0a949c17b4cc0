"""A page of a bundle: its picture or its text, with layers to switch, scores, errors and reasons.

Needs no server and runs nothing of the evaluated page: of it there is one picture, or its text
escaped.  A content security policy allows the bundle's own style, script and pictures, and nothing
else.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from algorithms.measures.choice import measure_of
from annotate.evaluation.report.markup import fill_template, slug
from annotate.evaluation.store.rows import ResultRow
from annotate.evaluation.tables.axes import changed_of, method_name, star_name, values_of
from annotate.evaluation.tables.method_colors import GOLD_COLORS
from annotate.marks.gold import MAIN
from annotate.marks.marked_text import TextLine
from engine.geometry import Box

SheetKey = tuple[str, str, str]
"""Data set, page, and its variant where a data set has several; "" where it has one."""

MethodKey = tuple[str, str]
"""Method and the input it read."""

MOST_TEXT_LAYERS = 12
"""Layers that a text can show: each is a line under its words."""

TALLEST, WIDEST = 12_000, 1000
"""Of a picture, px."""

GOLD_COLOR = GOLD_COLORS[MAIN]
LOST_COLOR, GAINED_COLOR = "#C24A00", "#0067A6"


@dataclass(frozen=True)
class BundleLayer:
    """Boxes of one method, or of gold, on a page.

    Attributes:
        of: Method and input; what kind of gold, and "".
        color: ``#rrggbb``.
        boxes: x, y, width, height in px of the page, with a label each.
        is_filled: Whether boxes are filled, as texts are, or framed, as blocks.
    """

    of: MethodKey
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
    """Page of a bundle.

    Attributes:
        key: Of which sheet it is.
        title, address: Its title, and its address.
        size: Width and height in px.
        picture: A JPEG of it; None if there is none, or none is wanted.
        layers: Drawn on it, gold first, or before it the changes.
        changes: How many of the first layers are what changed: these are on at first.
        problem: Reason for a missing picture, "" if there is one.
        text: Its text, if it was not rendered: shown instead of a picture.
    """

    key: SheetKey
    title: str = ""
    address: str = ""
    size: tuple[int, int] = (0, 0)
    picture: bytes | None = None
    layers: tuple[BundleLayer, ...] = ()
    problem: str = ""
    text: tuple[TextLine, ...] = ()
    changes: int = 0


class RunScores:
    """Rows by sheet, method and input."""

    def __init__(self, rows: Iterable[ResultRow], with_variants: Collection[str] = ()) -> None:
        """Sort rows; ``with_variants`` are the data sets whose inputs are separate files."""
        self.rows: dict[tuple[SheetKey, MethodKey], list[ResultRow]] = {}
        for row in rows:
            key = sheet_of(row, with_variants)
            self.rows.setdefault((key, (row.run.method, row.run.input)), []).append(row)
        self.methods = list(dict.fromkeys(method for _, method in self.rows))
        self.sheets = list(dict.fromkeys(key for key, _ in self.rows))
        self._measures: dict[MethodKey, str] = {}

    def _of(self, of: MethodKey) -> Iterator[ResultRow]:
        return (row for (_, each), rows in self.rows.items() if each == of for row in rows)

    def _is_one(self, method: str) -> bool:
        return sum(each == method for each, _ in self.methods) < 2

    def name(self, of: MethodKey) -> str:
        """Return what a method is called; with its input where it was run on several."""
        key, form = of
        ran = next((row.run.parameters for row in self._of(of)), None)
        changed = {} if ran is None else changed_of(key, values_of(ran))
        name = star_name(method_name(key), changed)
        return name if not form or self._is_one(key) else f"{name}, {form}"

    def file(self, of: MethodKey) -> str:
        """Return the name of a method's page, without its ending."""
        return slug(of[0]) if self._is_one(of[0]) else slug(*of)

    def value(self, key: SheetKey, of: MethodKey) -> float | None:
        """Return the score a method has on a page, by `measure`."""
        chosen = self.measure(of)
        rows = self.rows.get((key, of), [])
        return next((row.score.value for row in rows if row.measure == chosen), None)

    def seen(self, of: MethodKey, key: SheetKey | None = None) -> int:
        """Return of how many pages a method has seen the gold, or whether of one."""
        pages = self.sheets if key is None else [key]
        return sum(
            any(row.run.gold_seen for row in self.rows.get((each, of), ())) for each in pages
        )

    def measure(self, of: MethodKey) -> str:
        """Return the measure a method is shown by: the usual one of those it was scored by."""
        if of not in self._measures:
            known = dict.fromkeys(row.measure for row in self._of(of))
            usual = max(known, key=lambda key: measure_of(key).is_main, default="")
            self._measures[of] = usual
        return self._measures[of]

    def ending(self, key: SheetKey, of: MethodKey) -> str:
        """Return why a method has no score on a page; "" where it has, or was not run.

        A measure that is not available there, such as of phrases that are not stored, is no such
        reason.
        """
        if self.value(key, of) is not None:
            return ""
        rows = self.rows.get((key, of), [])
        usual = sorted(rows, key=lambda row: row.measure != self.measure(of))
        return next((f"{row.status}: {row.reason}" for row in usual if row.reason), "")


def sheet_of(row: ResultRow, with_variants: Collection[str]) -> SheetKey:
    """Return the sheet that shows a row: one a page, for all inputs."""
    run = row.run
    return run.dataset, run.page, run.input if run.dataset in with_variants else ""


def page_document(page: BundlePage, scores: RunScores, names: Mapping[SheetKey, str]) -> str:
    """Return the web page of a page; its picture, if any, is beside it as NAME.jpg."""
    order = list(names.values())
    at = order.index(names[page.key])
    result = {of: scores.rows.get((page.key, of), []) for of in scores.methods}
    run = {of: {row.measure: row for row in rows} for of, rows in result.items() if rows}
    measures = dict.fromkeys(key for rows in run.values() for key in rows)
    drawn = {layer.of for layer in page.layers}
    lines = []
    for of, rows in run.items():
        values = [rows[key].score.value if key in rows else None for key in measures]
        lines.append((of, values, next(iter(rows.values())).run.ms))
    wide, high = page.size
    return fill_template(
        "bundle/page.html",
        up="../",
        title=page.title or page.key[1],
        name=names[page.key],
        before=order[at - 1] if at else "",
        after=order[at + 1] if at + 1 < len(order) else "",
        page=page,
        scores=scores,
        facts=(*page.key, page.address),
        size=(wide, min(high, TALLEST * wide // WIDEST)),
        undrawn=[of for of in run if of not in drawn],
        measures=measures,
        lines=lines,
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
