"""Bundles: an evaluation as a folder of plain web pages, to hand to somebody without Pagelet.

Summary → method → page → picture with layers to switch on and off, scores, errors and reasons.
Needs no server and runs nothing of the evaluated pages: of these there is one picture each, and
every text is escaped.  A content security policy allows the bundle's own style, script and
pictures, and nothing else.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

import cv2
import numpy as np

import resources
from algorithms.measures.choice import measure_of
from annotate.evaluation.report.markup import Markup, join, slug, tag
from annotate.evaluation.rows import ResultRow
from annotate.marked_text import TextLine
from annotate.method_colors import color_of
from engine.errors import InputError
from engine.geometry import Box
from engine.whole_file import replaced
from engine.words import plural

MOST_BYTES = 150_000
"""Of a picture, so that a page with all it shows stays below 200 kB."""

MOST_TEXT_LAYERS = 12
"""Layers that a text can show: each is a line under its words."""

_MEANS = ("Method", "Measure", "Mean", "Pages")
_WIDTHS, _QUALITIES = (1000, 800, 640, 480, 320), (70, 55, 40, 25)
_TALLEST = 12_000
_OWN = "'self' file:"
_POLICY = f"default-src 'none'; img-src {_OWN}; style-src {_OWN}; script-src {_OWN}"

GOLD_COLOR = "#E69F00"

LICENCE = (
    "Pictures and texts of pages belong to those who made the pages; they are shown here to "
    "discuss how methods read them.  Ask before you publish this folder, or make it without them."
)


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
class _RunScores:
    """Rows by page and method."""

    rows: Mapping[tuple[tuple[str, str, str], str], list[ResultRow]]
    methods: list[str] = field(default_factory=list)
    pages: list[tuple[str, str, str]] = field(default_factory=list)
    _measures: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[ResultRow]) -> "_RunScores":
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


def write_bundle(
    out: Path,
    title: str,
    rows: Sequence[ResultRow],
    pages: Iterable[BundlePage],
    say: Callable[[str], None] = lambda _: None,
) -> Path:
    """Write a bundle; return its first page.

    Args:
        out: The folder; made if it is not there.
        title: Of the whole.
        rows: What `evaluate` found, of all pages.
        pages: What is to be seen of each, in the order they are listed; read one by one.
        say: Is told now and then how far it is.

    Raises:
        InputError: The folder cannot be written to.
    """
    scores = _RunScores.of(rows)
    try:
        (out / "pages").mkdir(parents=True, exist_ok=True)
        (out / "methods").mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {out}: {error.strerror or error}") from error
    style = resources.read_text("bundle/bundle.css")
    colors = set(map(color_of, scores.methods)) | {GOLD_COLOR}
    _write(out / "bundle.css", (style + _layer_colors(colors)).encode())
    _write(out / "bundle.js", resources.read_text("bundle/bundle.js").encode())
    names = {key: _name(number, key) for number, key in enumerate(scores.pages)}
    titles: dict[tuple[str, str, str], str] = {}
    for number, page in enumerate(pages):
        titles[page.key] = page.title
        _write_page(out, page, scores, names)
        if number % 10 == 9:
            say(f"{plural(number + 1, 'page')} written")
    for method in scores.methods:
        _write(out / "methods" / f"{slug(method)}.html", _method(method, scores, names, titles))
    index = out / "index.html"
    _write(index, _summary(title, scores, names, titles))
    return index


def shrunk(jpeg: bytes, most: int = MOST_BYTES) -> bytes:
    """Return a picture in so few bytes: smaller and plainer until it fits."""
    picture = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        return b""
    picture = picture[:_TALLEST]
    found = b""
    for width in _WIDTHS:
        scale = min(1.0, width / picture.shape[1])
        size = (max(1, int(picture.shape[1] * scale)), max(1, int(picture.shape[0] * scale)))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        for quality in _QUALITIES:
            _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])
            found = data.tobytes()
            if len(found) <= most:
                return found
    return found


def _name(number: int, key: tuple[str, str, str]) -> str:
    return f"{number:04d}-{slug(key[1])[:60]}"


def _write_page(
    out: Path,
    page: BundlePage,
    scores: _RunScores,
    names: Mapping[tuple[str, str, str], str],
) -> None:
    name = names[page.key]
    if page.picture is not None:
        _write(out / "pages" / f"{name}.jpg", page.picture)
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
    _write(out / "pages" / f"{name}.html", _document(page.title or page.key[1], body, "../"))


def _layers(page: BundlePage, scores: _RunScores) -> Markup:
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
                _reason(page.key, layer.name, scores),
                class_="layer",
            )
        )  # fmt: skip
    for method in scores.methods:
        reason = _reason(page.key, method, scores)
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


def _reason(key: tuple[str, str, str], method: str, scores: _RunScores) -> Markup | None:
    rows = scores.rows.get((key, method), [])
    said = next((f"{row.status}: {row.reason}" for row in rows if row.reason), "")
    return tag("span", said, class_="reason") if said else None


def _stage(page: BundlePage, name: str) -> Markup:
    """Return the picture with its layers over it, or the text with its layers under it."""
    if page.text:
        return _text(page)
    if not page.size[0]:
        return tag("p", page.problem or "There is no picture of this page.", class_="faint")
    wide, high = page.size[0], min(page.size[1], _TALLEST * page.size[0] // _WIDTHS[0])
    groups = []
    for number, layer in enumerate(page.layers, start=1):
        look = (
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
        groups.append(tag("g", *boxes, id=f"layer-{number}", **look))
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
        look = f"slot{number} {_color_class(layer.color)}"
        text = tag("div", text, id=f"layer-{number}", class_=look)
    return tag("div", text, class_="stage text")


def _color_class(color: str) -> str:
    return f"color-{color.removeprefix('#').lower()}"


def _layer_colors(colors: Iterable[str]) -> str:
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


def _measures(key: tuple[str, str, str], scores: _RunScores) -> Markup:
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
    head = [tag("th", "Method"), *(tag("th", _name_of(m), class_="number") for m in measures)]
    table = tag(
        "table", tag("thead", tag("tr", *head, tag("th", "ms", class_="number"))),
        tag("tbody", *body),
    )  # fmt: skip
    return tag("div", table, class_="wide")


def _method(
    method: str,
    scores: _RunScores,
    names: Mapping[tuple[str, str, str], str],
    titles: Mapping[tuple[str, str, str], str],
) -> bytes:
    """Return the page of a method: its pages, the worst first."""
    listed = [(scores.value(key, method), key) for key in names if (key, method) in scores.rows]
    listed.sort(key=lambda each: (each[0] is None, each[0] if each[0] is not None else 0.0))
    lines = [
        tag(
            "tr",
            tag("td", tag("a", titles.get(key) or key[1], href=f"../pages/{names[key]}.html")),
            tag("td", " · ".join(key), class_="faint"),
            tag("td", "–" if value is None else f"{value:.3f}", class_="number"),
            tag("td", _reason(key, method, scores)),
        )
        for value, key in listed
    ]
    head = ("Page", "", _name_of(scores.measure(method)), "")
    body = join(
        [
            tag("nav", tag("a", "All pages and methods", href="../index.html", rel="up")),
            tag("h1", method),
            tag("p", "Pages by score, the worst first.", class_="faint"),
            tag("div", _table(head, lines), class_="wide"),
        ]
    )  # fmt: skip
    return _document(method, body, "../")


def _summary(
    title: str,
    scores: _RunScores,
    names: Mapping[tuple[str, str, str], str],
    titles: Mapping[tuple[str, str, str], str],
) -> bytes:
    """Return the first page: methods with their means, then all pages."""
    means = []
    for method in scores.methods:
        values = [v for key in names if (v := scores.value(key, method)) is not None]
        means.append((mean(values) if values else None, len(values), method))
    means.sort(key=lambda each: -1.0 if each[0] is None else each[0], reverse=True)
    methods = [
        tag(
            "tr",
            tag("td", tag("a", method, href=f"methods/{slug(method)}.html")),
            tag("td", _name_of(scores.measure(method))),
            tag("td", "–" if value is None else f"{value:.3f}", class_="number"),
            tag("td", count, class_="number"),
        )
        for value, count, method in means
    ]
    pages = [
        tag(
            "tr",
            tag("td", tag("a", titles.get(key) or key[1], href=f"pages/{name}.html")),
            tag("td", " · ".join(key), class_="faint"),
            *(
                tag("td", "" if (v := scores.value(key, method)) is None else f"{v:.2f}",
                    class_="number")
                for _, _, method in means
            ),
        )
        for key, name in names.items()
    ]  # fmt: skip
    heads = ("Page", "", *(method for _, _, method in means))
    body = join(
        [
            tag("h1", title),
            tag(
                "p",
                f"{plural(len(scores.methods), 'method')} on {plural(len(names), 'page')}, "
                "evaluated by Pagelet.",
                class_="faint",
            ),
            tag("h2", "Methods"),
            _table(_MEANS, methods),
            tag("h2", "Pages"),
            tag("div", _table(heads, pages), class_="wide"),
            tag("p", LICENCE, class_="faint"),
        ]
    )  # fmt: skip
    return _document(title, body, "")


def _table(heads: Sequence[str], rows: Sequence[Markup]) -> Markup:
    head = tag("tr", *(tag("th", each) for each in heads))
    return tag("table", tag("thead", head), tag("tbody", *rows))


def _name_of(measure: str) -> str:
    return measure_of(measure).name if measure else ""


def _document(title: str, body: Markup, up: str) -> bytes:
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


def _write(path: Path, data: bytes) -> None:
    with replaced(path) as beside:
        beside.write_bytes(data)
