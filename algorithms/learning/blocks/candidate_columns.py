"""Columns that trees read: measures of each candidate of a page.

Each column has a name ``group.detail``; the group is what an explanation calls it (`GROUPS`).
Measures that belong to elements are taken from the outermost element around the candidate, tags and
words from all elements around it alone.
"""

import re
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.learning.blocks.candidates import Candidates, same_texts, seen_on_page, sum_over
from algorithms.learning.blocks.votes import vote_columns
from algorithms.signals.visible import VisibleColumns
from engine.nodes import NodeTable
from engine.tree import Doubles, Longs

Columns = dict[str, npt.NDArray[Any]]

GROUPS = {
    "box": "its position and size",
    "letters": "how much text is in it",
    "links": "links and pictures in it",
    "around": "its position in its surroundings",
    "beside": "the parts beside it",
    "inside": "the parts inside it",
    "repeat": "repetition of its kind",
    "tag": "its elements",
    "name": "its class and id words",
    "style": "its style",
    "text": "the words in it",
    "vote": "results of other segmenters for it",
    "page": "what the whole page holds",
}
"""What explanations call a group of columns."""

_TAGS = (
    "div", "table", "tbody", "tr", "td", "ul", "ol", "li", "p", "a", "form", "span", "center",
    "font", "nav", "header", "footer", "aside", "main", "article", "section", "dl", "fieldset",
)  # fmt: skip
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_COUNTED = ("p", "li", "td", "tr", "br", "hr", "input", "h1", "h2", "h3", "form", "b", "strong")
_NAMES = {
    "header": "header head top masthead banner kopf",
    "footer": "footer foot bottom copyright fuss",
    "menu": "menu nav navi navbar navigation topnav mainnav tabs",
    "main": "main content inhalt body primary",
    "side": "sidebar side aside left right secondary",
    "logo": "logo brand",
    "title": "title headline heading caption",
    "search": "search searchform suche",
    "comments": "comment comments reply",
    "article": "article post entry story news item teaser",
    "box": "box module block widget panel portlet section",
    "list": "list links liste archive",
    "ad": "ad ads advert advertisement sponsor",
    "outer": "wrapper wrap container page outer layout site all",
    "column": "column col columns grid",
    "text": "text txt copy description intro",
    "row": "row cell inner",
}
_OF_WORD = {word: kind for kind, words in _NAMES.items() for word in words.split()}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SIGNS = {
    "caps": re.compile(r"[A-ZÀ-Þ]"), "digits": re.compile(r"\d"),
    "sentences": re.compile(r"[.!?]"), "signs": re.compile(r"[,;:|»>©/-]"),
}  # fmt: skip


def columns(nodes: NodeTable, stretches: Candidates) -> Columns:
    """Return the columns of the candidates of a page, (m,) each."""
    if not len(stretches):
        return {}
    page = _PageColumns(nodes, stretches)
    measured: Columns = {}
    for part in (
        page.box, page.letters, page.links, page.around, page.beside, page.inside, page.repeat,
        page.tag, page.name, page.style, page.text, page.of_page,
    ):  # fmt: skip
        measured |= part()
    return measured | vote_columns(nodes, stretches)


def matrix_of(measured: Columns) -> npt.NDArray[np.float32]:
    """Return columns as a matrix, float32 (m, c)."""
    if not measured:
        return np.zeros((0, 0), dtype=np.float32)
    return np.stack([np.asarray(each, np.float32) for each in measured.values()], axis=1)


class _PageColumns:
    """Page with the values that several groups of columns share."""

    def __init__(self, nodes: NodeTable, stretches: Candidates) -> None:
        self._nodes, self._stretches = nodes, stretches
        self._seen: VisibleColumns = seen_on_page(nodes)
        self._parent = stretches.parent
        self._has_parent = stretches.parent >= 0
        self._up = np.maximum(stretches.parent, 0)
        self._rects = self._seen.rects[stretches.top]
        self._area = np.maximum(self._rects[:, 2] * self._rects[:, 3], 1.0)
        self._page = max(float(nodes.width), 1.0), max(float(nodes.height), 1.0)
        self._shown = self._seen.letters[stretches.top]
        self._linked = self._seen.linked_letters[stretches.top] / np.maximum(self._shown, 1)
        self._index, self._count = _positions(stretches.parent)

    def box(self) -> Columns:
        x, y, width, height = self._rects.T
        wide, high = self._page
        return {
            "box.left": x / wide, "box.top": y / high, "box.width": width / wide,
            "box.height": height / high, "box.right": (x + width) / wide,
            "box.bottom": (y + height) / high, "box.top_px": np.minimum(y, 3000),
            "box.end_px": np.minimum(high - y - height, 3000),
            "box.height_px": np.minimum(height, 3000), "box.width_px": width,
            "box.share": self._area / (wide * high),
            "box.shape": np.log(width + 1) - np.log(height + 1),
            "box.area": np.log(self._area), "box.middle": np.abs(x + width / 2 - wide / 2) / wide,
        }  # fmt: skip

    def letters(self) -> Columns:
        size = self._stretches.size.astype(np.float64)
        total = max(float(len(self._stretches.letters)), 1.0)
        shown = self._shown
        return {
            "letters.count": np.log1p(size), "letters.share": size / total,
            "letters.shown": shown / np.maximum(size, 1),
            "letters.visible": shown / max(float(self._seen.letters[0]), 1.0),
            "letters.density": np.log1p(1000 * shown / self._area),
            "letters.before": self._stretches.first / total,
            "letters.after": 1 - self._stretches.last / total,
        }  # fmt: skip

    def links(self) -> Columns:
        seen, top = self._seen, self._stretches.top
        shown = np.maximum(self._shown, 1)
        links, media = seen.links[top], seen.media[top]
        return {
            "links.count": np.log1p(links), "links.share": seen.linked_letters[top] / shown,
            "links.length": np.log1p(seen.linked_letters[top] / np.maximum(links, 1)),
            "links.of_page": links / max(float(seen.links[0]), 1.0),
            "links.media": np.log1p(media),
            "links.media_share": media / max(float(seen.media[0]), 1.0),
            "links.backdrops": np.log1p(seen.backdrops[top]),
            "links.text_per_media": np.log1p(shown / (media + 1)),
        }  # fmt: skip

    def around(self) -> Columns:
        up, has = self._up, self._has_parent
        size = np.maximum(self._stretches.size, 1).astype(np.float64)
        outermost = self._nodes.depth[self._stretches.top]
        grand = np.where(has, self._parent[up], -1)
        far = np.maximum(grand, 0)
        depth = np.zeros(len(self._stretches))
        for index, parent in enumerate(self._parent.tolist()):
            if parent >= 0:
                depth[index] = depth[parent] + 1
        wide, high = self._page

        def of(values: Doubles, other: Longs, known: npt.NDArray[np.bool_]) -> Doubles:
            return np.where(known, values / np.maximum(values[other], 1e-9), 1.0)

        return {
            "around.depth": depth, "around.dom_depth": outermost,
            "around.chain": self._nodes.depth[self._stretches.bottom] - outermost,
            "around.letters": of(size, up, has), "around.area": of(self._area, up, has),
            "around.width": of(self._rects[:, 2], up, has),
            "around.height": of(self._rects[:, 3], up, has),
            "around.letters2": of(size, far, grand >= 0),
            "around.area2": of(self._area, far, grand >= 0),
            "around.of_page": np.where(has, self._area[up], self._area) / (wide * high),
            "around.parent_width": self._rects[up, 2] / self._page[0],
            "around.parent_links": self._linked[up],
        }  # fmt: skip

    def beside(self) -> Columns:
        up, has, size = self._up, self._has_parent, self._stretches.size.astype(np.float64)
        many = np.where(has, self._count[up], 1)
        mean, most = self._over_siblings(size)
        area_mean, area_most = self._over_siblings(self._area)
        linked = self._linked
        linked_mean, linked_most = self._over_siblings(linked)
        before, after = self._neighbours()
        columns = {
            "beside.count": np.log1p(many), "beside.index": self._index,
            "beside.last": many - 1 - self._index, "beside.letters": size / np.maximum(mean, 1),
            "beside.most_letters": size / np.maximum(most, 1),
            "beside.area": self._area / np.maximum(area_mean, 1),
            "beside.most_area": self._area / np.maximum(area_most, 1),
            "beside.links": linked - linked_mean, "beside.most_links": linked_most,
            "beside.smallest": self._over_siblings(-size)[1] / -np.maximum(mean, 1),
            "beside.spread": np.sqrt(np.maximum(self._over_siblings(size**2)[0] - mean**2, 0))
            / np.maximum(mean, 1),
            "beside.rest": 1 - many * mean / np.maximum(np.where(has, size[up], size), 1),
        }  # fmt: skip
        for name, other in (("before", before), ("after", after)):
            known, at = other >= 0, np.maximum(other, 0)
            gap = np.where(known, np.abs(self._rects[at, 1] - self._rects[:, 1]), -1)
            columns[f"beside.{name}_letters"] = np.where(known, np.log1p(size[at]), -1)
            columns[f"beside.{name}_row"] = np.where(known, gap < 10, False)
            same = np.abs(self._rects[at, 2] - self._rects[:, 2]) < 5
            columns[f"beside.{name}_width"] = np.where(known, same, False)
            columns[f"beside.{name}_links"] = np.where(known, linked[at], -1)
        return columns

    def inside(self) -> Columns:
        many, size = self._count.astype(np.float64), self._stretches.size.astype(np.float64)
        parts = np.maximum(many, 1)
        total = sum_over(self._parent, size, len(size))
        area = sum_over(self._parent, self._area, len(size))
        most = _most(self._parent, size)
        wide = _most(self._parent, self._rects[:, 2])
        high = _most(self._parent, self._rects[:, 3])
        squares = sum_over(self._parent, size**2, len(size))
        mean = total / parts
        linked = self._linked
        is_list = ((linked > 0.8) & (size >= 20)).astype(np.float64)
        substantial = (self._area > 0.006 * self._page[0] * self._page[1]) & (size >= 20)
        before, _ = self._neighbours()
        at = np.maximum(before, 0)
        beside = (before >= 0) & (self._rects[:, 0] >= self._rects[at, 0] + self._rects[at, 2] - 5)
        below = np.zeros(len(size))
        height = np.zeros(len(size))
        for index in range(len(size) - 1, 0, -1):
            parent = self._parent[index]
            if parent >= 0:
                below[parent] += below[index] + 1
                height[parent] = max(height[parent], height[index] + 1)
        return {
            "inside.count": np.log1p(many), "inside.all": np.log1p(below), "inside.height": height,
            "inside.own": 1 - total / np.maximum(size, 1),
            "inside.most": most / np.maximum(size, 1),
            "inside.mean": np.log1p(mean), "inside.area": area / self._area,
            "inside.most_width": wide / np.maximum(self._rects[:, 2], 1),
            "inside.most_height": high / np.maximum(self._rects[:, 3], 1),
            "inside.spread": np.sqrt(np.maximum(squares / parts - mean**2, 0))
            / np.maximum(mean, 1),
            "inside.lists": sum_over(self._parent, is_list, len(size)) / parts,
            "inside.substantial": sum_over(self._parent, substantial.astype(float), len(size)),
            "inside.columns": sum_over(self._parent, beside.astype(float), len(size)) / parts,
            "inside.linked_spread": _most(self._parent, linked)
            - -_most(self._parent, -linked, low=-1.0),
        }  # fmt: skip

    def repeat(self) -> Columns:
        """Return columns on candidates whose outermost elements have the same tag and class."""
        nodes, stretches = self._nodes, self._stretches
        tags, tops = nodes.tag[stretches.top].astype(np.int64), stretches.top.tolist()
        kinds: dict[tuple[object, ...], int] = {}
        keys = [
            (tag, nodes.attributes[row].get("class", ""))
            for tag, row in zip(tags.tolist(), tops, strict=True)
        ]
        kind = np.array([kinds.setdefault(key, len(kinds)) for key in keys], dtype=np.int64)
        width = np.round(self._rects[:, 2] / 4).astype(np.int64)
        shapes, alike = _times(kind, width), _times(self._parent, kind)
        tagged = _times(self._parent, tags)
        same = np.where(self._has_parent, self._count[self._up], 1)
        below = _most(self._parent, alike.astype(np.float64))
        return {
            "repeat.page": np.log1p(np.bincount(kind)[kind]),
            "repeat.shape": np.log1p(shapes),
            "repeat.beside": np.log1p(alike), "repeat.beside_share": alike / np.maximum(same, 1),
            "repeat.tag_share": tagged / np.maximum(same, 1),
            "repeat.inside": np.log1p(below),
            "repeat.inside_share": below / np.maximum(self._count, 1),
            "repeat.text": np.log1p(np.bincount(same_texts(stretches), minlength=len(stretches))),
        }  # fmt: skip

    def tag(self) -> Columns:
        nodes, stretches = self._nodes, self._stretches
        columns = {f"tag.{name}": self._any(nodes.has_tag(name)) for name in _TAGS}
        columns["tag.heading"] = self._any(nodes.has_tag(*_HEADINGS))
        for name in _COUNTED:
            below = nodes.subtree_sum(nodes.has_tag(name) & nodes.visible, stretches.top)
            columns[f"tag.{name}.inside"] = np.log1p(below)
        first = self._first_element()
        columns["tag.heading.first"] = nodes.within(*_HEADINGS)[first]
        for name in ("table", "td", "li", "ul", "p", "form"):
            columns[f"tag.{name}.around"] = nodes.within(name)[nodes.parent[stretches.top].clip(0)]
        return columns

    def name(self) -> Columns:
        nodes = self._nodes
        flags = np.zeros((len(_NAMES), len(nodes)), dtype=bool)
        order = {kind: number for number, kind in enumerate(_NAMES)}
        own = np.flatnonzero(self._stretches.of_row >= 0)
        named = np.zeros(len(nodes), dtype=bool)
        for row in own.tolist():
            attributes = nodes.attributes[row]
            words = [attributes.get(key, "") for key in ("id", "class", "role")]
            named[row] = bool(words[0])
            for kind in _kinds(" ".join(words)):
                flags[order[kind], row] = True
        columns = {f"name.{kind}": self._any(flags[k]) for kind, k in order.items()}
        for kind in ("menu", "main", "side", "box", "outer"):
            above = columns[f"name.{kind}"][self._up] & self._has_parent
            columns[f"name.{kind}.around"] = above
        columns["name.id"] = self._any(named)
        return columns

    def style(self) -> Columns:
        nodes, top, bottom = self._nodes, self._stretches.top, self._stretches.bottom
        size, usual = nodes.pixels("font-size"), self._usual_size()
        back, color = nodes.computed("background-color"), nodes.computed("color")
        above = nodes.parent[top].clip(0)
        picture = nodes.is_computed("background-image", lambda value: value != "none")
        sides = ("top", "right", "bottom", "left")
        border = np.sum([nodes.pixels(f"border-{side}-width") > 0 for side in sides], axis=0)
        clear = nodes.is_computed("background-color", lambda value: value.endswith(", 0)"))
        first = self._first_element()
        return {
            "style.size": size[bottom] / usual, "style.first_size": size[first] / usual,
            "style.bold": nodes.is_computed(
                "font-weight", lambda v: v.isdigit() and int(v) >= 600
            )[first],
            "style.background": self._any(~clear),
            "style.back_differs": (back[top] != back[above]) & ~clear[top],
            "style.picture": self._any(picture & ~nodes.is_text),
            "style.border": self._most_of(border.astype(np.float64)),
            "style.color": color[bottom] != color[above],
            "style.float": self._any(nodes.is_computed("float", lambda v: v != "none")),
            "style.positioned": self._any(
                nodes.is_computed("position", lambda v: v in ("absolute", "fixed"))
            ),
            "style.inline": nodes.is_computed("display", lambda v: v.startswith("inline"))[top],
            "style.center": nodes.is_computed("text-align", lambda v: "center" in v)[bottom],
            "style.tall": self._rects[:, 3] / np.maximum(size[bottom] * 1.2, 1),
        }  # fmt: skip

    def text(self) -> Columns:
        stretches, nodes = self._stretches, self._nodes
        size = np.maximum(stretches.size, 1).astype(np.float64)
        letters = stretches.letters
        columns: Columns = {}
        for name, sign in _SIGNS.items():
            hits = np.fromiter((match.start() for match in sign.finditer(letters)), np.int64)
            count = np.searchsorted(hits, stretches.last) - np.searchsorted(hits, stretches.first)
            columns[f"text.{name}"] = count / size
        texts = nodes.subtree_sum(nodes.has_words, stretches.top)
        words = np.array([len((text or "").split()) for text in nodes.text], dtype=np.float64)
        all_words = np.maximum(nodes.subtree_sum(words, stretches.top), 1)
        columns["text.words"] = size / all_words
        columns["text.pieces"] = np.log1p(texts)
        columns["text.per_piece"] = np.log1p(size / np.maximum(texts, 1))
        own = np.where(nodes.is_text, words, 0)
        long = nodes.subtree_sum(np.where(own >= 12, own, 0), stretches.top)
        columns["text.prose"] = long / all_words
        rights = [position for position, letter in enumerate(letters) if letter == "©"]
        before, upto = (np.searchsorted(rights, at) for at in (stretches.first, stretches.last))
        columns["text.copyright"] = upto > before
        return columns

    def of_page(self) -> Columns:
        """Return columns that may show how finely such a page is divided."""
        ones = np.ones(len(self._stretches))
        return {
            "page.height": ones * self._page[1],
            "page.letters": ones * np.log1p(len(self._stretches.letters)),
            "page.stretches": ones * np.log1p(len(self._stretches)),
            "page.links": ones * np.log1p(self._seen.links[0]),
            "page.tables": ones * float(np.log1p(self._nodes.has_tag("table").sum())),
            "page.divs": ones * float(np.log1p(self._nodes.has_tag("div").sum())),
        }  # fmt: skip

    # What groups share ------------------------------------------------------------------------

    def _any(self, flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return the candidates that have a flagged row among their rows (`of_row`), bool (m,)."""
        of_row = self._stretches.of_row
        on = flags & (of_row >= 0)
        return np.bincount(of_row[on], minlength=len(self._stretches)) > 0

    def _most_of(self, values: Doubles) -> Doubles:
        most = np.zeros(len(self._stretches))
        on = self._stretches.of_row >= 0
        np.maximum.at(most, self._stretches.of_row[on], values[on])
        return most

    def _over_siblings(self, values: Doubles) -> tuple[Doubles, Doubles]:
        """Return the mean and the maximum over a candidate and its siblings, (m,) each."""
        size = len(self._stretches)
        group = np.where(self._has_parent, self._parent, size)
        total = np.bincount(group, weights=values, minlength=size + 1)
        count = np.bincount(group, minlength=size + 1)
        most = np.full(size + 1, -np.inf)
        np.maximum.at(most, group, values)
        return (total / np.maximum(count, 1))[group], most[group]

    def _neighbours(self) -> tuple[Longs, Longs]:
        """Return the previous and the next sibling of each candidate; -1 for none."""
        order = np.lexsort((self._index, self._parent))
        before = np.full(len(order), -1, dtype=np.int64)
        after = before.copy()
        same = self._parent[order[1:]] == self._parent[order[:-1]]
        before[order[1:][same]] = order[:-1][same]
        after[order[:-1][same]] = order[1:][same]
        return before, after

    def _first_element(self) -> Longs:
        """Return the element around the first text of each candidate, (m,)."""
        nodes = self._nodes
        texts = np.flatnonzero(nodes.has_words)
        at = np.searchsorted(texts, self._stretches.top)
        return nodes.parent[texts[np.minimum(at, texts.size - 1)]].astype(np.int64)

    def _usual_size(self) -> float:
        nodes = self._nodes
        rows = np.flatnonzero(nodes.has_words & nodes.visible)
        if not rows.size:
            return 16.0
        sizes, at = np.unique(nodes.pixels("font-size")[rows], return_inverse=True)
        usual = float(sizes[np.argmax(np.bincount(at, weights=self._seen.letters[rows]))])
        return usual or 16.0


def _positions(parent: Longs) -> tuple[Longs, Longs]:
    """Return the place of each among those of its parent, and how many each has inside."""
    index = np.zeros(parent.size, dtype=np.int64)
    count = np.zeros(parent.size + 1, dtype=np.int64)
    for k, up in enumerate(parent.tolist()):
        index[k] = count[up]
        count[up] += 1
    return index, count[:-1]


def _most(parent: Longs, values: Doubles, low: float = 0.0) -> Doubles:
    """Return the largest value inside each, at least ``low``, (m,)."""
    most = np.full(parent.size, low)
    on = parent >= 0
    np.maximum.at(most, parent[on], values[on])
    return most


def _times(*columns: Longs) -> Longs:
    """Return how often the values of each place of some columns, (m,), are together, (m,)."""
    pairs = np.stack(columns, axis=1)
    _, which, count = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    return count[which.ravel()].astype(np.int64)


@lru_cache(maxsize=1 << 14)
def _kinds(words: str) -> frozenset[str]:
    return frozenset(
        kind for word in _WORD.findall(words) if (kind := _OF_WORD.get(word.lower(), ""))
    )
