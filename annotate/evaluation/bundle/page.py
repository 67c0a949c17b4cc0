"""A page of a bundle: its picture or its text, with layers to switch, scores, errors and reasons.

Needs no server and runs nothing of the evaluated page: of it there is one picture, or its text
escaped.  A content security policy allows the bundle's own style, script and pictures, and nothing
else.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from algorithms.measures.choice import measure_of
from annotate.evaluation.report.markup import Markup, join, slug, tag
from annotate.evaluation.rows import ResultRow
from annotate.marks.marked_text import TextLine
from engine.geometry import Box

MOST_TEXT_LAYERS = 12
"""Layers that a text can show: each is a line under its words."""

TALLEST, WIDEST = 12_000, 1000
"""Of a picture, px."""

_OWN = "'self' file:"
_POLICY = f"default-src 'none'; img-src {_OWN}; style-src {_OWN}; script-src {_OWN}"

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


def page_document(
    page: BundlePage, scores: RunScores, names: Mapping[tuple[str, str, str], str]
) -> bytes:
    """Return the web page of a page; its picture, if it has one, lies beside it as NAME.jpg."""
    name = names[page.key]
    order = list(names)
    at = order.index(page.key)
    around = [
        ("prev", names[order[at - 1]] if at else ""),
        ("next", names[order[at + 1]] if at + 1 < len(order) else ""),
    ]
    links: list[Markup] = [tag("a", "All pages and methods", href="../index.html", rel="up")]
    for rel, other in around:
        if other:
            said = "Page before" if rel == "prev" else "Next page"
            links.append(tag("a", said, href=f"{other}.html", rel=rel))
    body = join(
        [
            tag("nav", *links),
            tag("h1", page.title or page.key[1]),
            tag("p", " · ".join(filter(None, (*page.key, page.address))), class_="faint"),
            tag(
                "div", _layers(page, scores), _stage(page, name), class_="look",
            ),
            tag("h2", "All measures"),
            _measures(page.key, scores),
        ]
    )  # fmt: skip
    return document(page.title or page.key[1], body, "../")


def _layers(page: BundlePage, scores: RunScores) -> Markup:
    """Return a switch a layer, with its score and what went wrong."""
    drawn = {layer.name for layer in page.layers}
    lines: list[Markup] = []
    for number, layer in enumerate(page.layers, start=1):
        value = scores.value(page.key, layer.name)
        key = tag("kbd", number) if number < 10 else None
        lines.append(
            tag(
                "label",
                tag(
                    "input", type="checkbox", data_layer=f"layer-{number}", checked=number <= 2,
                ),
                _swatch(layer.color),
                tag("span", layer.name, " ", key),
                tag("span", "" if value is None else f"{value:.3f}", class_="score"),
                ending_of(page.key, layer.name, scores),
                class_="layer",
            )
        )  # fmt: skip
    for method in scores.methods:
        reason = ending_of(page.key, method, scores)
        if method not in drawn and (page.key, method) in scores.rows:
            lines.append(
                tag(
                    "div", tag("span"), tag("span"), tag("span", method), tag("span"), reason,
                    class_="layer",
                )
            )  # fmt: skip
    help_text = "1 to 9 switch layers, ← and → turn pages, Esc goes up."
    return tag("div", *lines, tag("p", help_text, class_="faint"), class_="layers")


def _swatch(color: str) -> Markup:
    """Return a layer's colour; as a drawing, since the policy allows no style of its own."""
    square = tag("rect", width="14", height="14", rx="3", fill=color)
    return tag("svg", square, width="14", height="14", viewBox="0 0 14 14", class_="swatch")


def ending_of(key: tuple[str, str, str], method: str, scores: RunScores) -> Markup | None:
    rows = scores.rows.get((key, method), [])
    said = next((f"{row.status}: {row.reason}" for row in rows if row.reason), "")
    return tag("span", said, class_="reason") if said else None


def _stage(page: BundlePage, name: str) -> Markup:
    """Return the picture with its layers over it, or the text with its layers under it."""
    if page.text:
        return _text(page)
    if not page.size[0]:
        return tag("p", page.problem or "There is no picture of this page.", class_="faint")
    wide, high = page.size[0], min(page.size[1], TALLEST * page.size[0] // WIDEST)
    groups = []
    for number, layer in enumerate(page.layers, start=1):
        style = (
            {"fill": layer.color, "fill_opacity": ".28"}
            if layer.is_filled
            else {"fill": "none", "stroke": layer.color, "stroke_width": "4"}
        )
        boxes = [
            tag(
                "rect", tag("title", label) if label else None,
                x=f"{x:.0f}", y=f"{y:.0f}", width=f"{w:.0f}", height=f"{h:.0f}",
            )
            for (x, y, w, h), label in layer.boxes
        ]  # fmt: skip
        groups.append(tag("g", *boxes, id=f"layer-{number}", **style))
    image = tag("img", src=f"{name}.jpg", alt=f"Picture of {page.title or page.key[1]}")
    if page.picture is None:
        image = Markup(f'<svg class="empty" viewBox="0 0 {wide} {high}"></svg>')
    svg = tag("svg", *groups, viewBox=f"0 0 {wide} {high}", preserveAspectRatio="xMidYMin slice")
    return tag("div", image, svg, class_="stage")


def _text(page: BundlePage) -> Markup:
    """Return the page's text; a box around it for each layer lets the layer be switched."""
    text: Markup = join(
        tag("p", *(
            tag("span", run.text, class_=" ".join(f"t{n}" for n in run.layers))
            if run.layers else run.text
            for run in line
        ))
        for line in page.text
    )  # fmt: skip
    for number, layer in enumerate(page.layers, start=1):
        style = f"slot{number} {_color_class(layer.color)}"
        text = tag("div", text, id=f"layer-{number}", class_=style)
    return tag("div", text, class_="stage text")


def _color_class(color: str) -> str:
    return f"color-{color.removeprefix('#').lower()}"


def layer_colors(colors: Iterable[str]) -> str:
    """Return style rules that give each layer of a text its colour; pages hold no style."""
    slots = range(1, MOST_TEXT_LAYERS + 1)
    bands = [f"inset 0 -{2 * n}px 0 var(--slot{n}, transparent)" for n in slots]
    rules = [f".text span {{ box-shadow: {', '.join(bands)}; }}"]
    for color in sorted({color.lower() for color in colors}):
        rules += [
            f".slot{n}.{_color_class(color)}:not(.off) .t{n} {{ --slot{n}: {color}; }}"
            for n in slots
        ]
    return "\n".join(rules) + "\n"


def _measures(key: tuple[str, str, str], scores: RunScores) -> Markup:
    measures = list(
        dict.fromkeys(
            row.measure for method in scores.methods for row in scores.rows.get((key, method), [])
        )
    )
    body = []
    for method in scores.methods:
        found = {row.measure: row for row in scores.rows.get((key, method), [])}
        if not found:
            continue
        first = next(iter(found.values()))
        ms = "" if first.run.ms is None else f"{first.run.ms:.1f}"
        cells = [tag("td", tag("a", method, href=f"../methods/{slug(method)}.html"))]
        for measure in measures:
            value = found[measure].score.value if measure in found else None
            cells.append(tag("td", "" if value is None else f"{value:.3f}", class_="number"))
        body.append(tag("tr", *cells, tag("td", ms, class_="number")))
    head = [tag("th", "Method"), *(tag("th", measure_name(m), class_="number") for m in measures)]
    table = tag(
        "table", tag("thead", tag("tr", *head, tag("th", "ms", class_="number"))),
        tag("tbody", *body),
    )  # fmt: skip
    return tag("div", table, class_="wide")


def measure_name(measure: str) -> str:
    return measure_of(measure).name if measure else ""


def document(title: str, body: Markup, up: str) -> bytes:
    head = join(
        [
            Markup('<meta charset="utf-8">'),
            Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
            Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            tag("title", title),
            Markup(f'<link rel="stylesheet" href="{up}bundle.css">'),
        ]
    )
    script = Markup(f'<script src="{up}bundle.js"></script>')
    html = join([tag("head", head), tag("body", body, script)])
    return f'<!doctype html>\n<html lang="en">{html}</html>\n'.encode("utf-8", "replace")
