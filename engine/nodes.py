"""NodeTable: the rendered page as columns, one row per element or text node.

Rows are in document order.  The content of a frame is below its ``iframe`` element, an open
shadow root's below its host, so one table holds all a reader can see.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.tree import Bools, Floats, Ints, Tree, lock

STYLE_PROPERTIES = tuple(
    "display position float visibility opacity overflow-x overflow-y z-index color "
    "background-color background-image border-top-width border-right-width border-bottom-width "
    "border-left-width border-top-color font-family font-size font-weight font-style line-height "
    "text-align white-space content-visibility text-decoration-line".split()
)
"""The computed properties a snapshot keeps; a text row has its parent's."""

_COLUMNS = ("tag", "parent", "rect", "offset", "visible", "style", "frame", "outer", "inner")


@dataclass(frozen=True, eq=False)
class NodeTable(Tree):
    """The rendered page.  n rows; CSS pixels from the page's top left corner; arrays are locked.

    Attributes:
        text: Text of a text row, as in the DOM (white space kept); ``""`` for an element.
        rect: float32 (n, 4). x, y, width, height of the border box, or of a text's line boxes
            together; zeros where there is no box.
        offset: int32 (n, 2). ``offsetWidth``, ``offsetHeight`` as scripts see them (rounded; 0 for
            rows without a box); its rounded box for a text and an element without such a property.
        visible: bool (n,). It has an area and nothing in its ancestry hides it (``display``,
            ``visibility``, ``opacity: 0``, clipped to nothing, off the left or top of the page).
        style: int32 (n,). Row in `styles`.
        styles: Computed values, one tuple per distinct combination, in the order of
            `STYLE_PROPERTIES`.
        attributes: One mapping a row (an empty one for texts), names lower case.
        frame: int16 (n,). 0 in the page itself, k in its k-th frame.
        outer: int32 (n, 2). Where the row's markup starts and ends in `Page.dom` (code points of
            the serialised DOM); -1 for rows in frames, which are not part of it.
        inner: int32 (n, 2). The same without the element's own tags; for a text equal to `outer`.
        width, height: int. Size of the whole page.
    """

    text: tuple[str, ...]
    rect: Floats
    offset: Ints
    visible: Bools
    style: Ints
    styles: tuple[tuple[str, ...], ...]
    attributes: tuple[Mapping[str, str], ...]
    frame: npt.NDArray[np.int16]
    outer: Ints
    inner: Ints
    width: int
    height: int

    def __post_init__(self) -> None:
        n = self.parent.size
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(_COLUMNS, (n,))
        shapes |= {"rect": (n, 4), "offset": (n, 2), "outer": (n, 2), "inner": (n, 2)}
        for name, shape in shapes.items():
            array = getattr(self, name)
            if array.shape != shape:
                raise ValueError(f"{name} has shape {array.shape}; expected {shape}")
            lock(array)
        if len(self.text) != n or len(self.attributes) != n:
            raise ValueError(f"text and attributes must have {n} rows")
        if n and (self.parent[0] != -1 or np.any(self.parent[1:] >= np.arange(1, n))):
            raise ValueError("rows must be in document order, the root first")

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """Cached results of methods and measures for this page."""
        return {}

    @cached_property
    def area(self) -> npt.NDArray[np.float64]:
        """Width times height of each row's own box, float64 (n,)."""
        return np.asarray(self.rect[:, 2].astype(np.float64) * self.rect[:, 3], dtype=np.float64)

    def computed(self, name: str) -> npt.NDArray[np.str_]:
        """Return one computed property of every row as strings, (n,)."""
        column = STYLE_PROPERTIES.index(name)
        values = np.array([values[column] for values in self.styles], dtype=np.str_)
        return np.asarray(values[self.style])

    def is_computed(self, name: str, test: Callable[[str], bool]) -> Bools:
        """Return which rows have a computed property that passes a test, bool (n,)."""
        column = STYLE_PROPERTIES.index(name)
        passes = np.array([test(values[column]) for values in self.styles], dtype=bool)
        return np.asarray(passes[self.style]) if passes.size else np.zeros(len(self), dtype=bool)

    def pixels(self, name: str) -> Floats:
        """Return a computed length in px of every row, float32 (n,); 0 where it is no length."""
        column = STYLE_PROPERTIES.index(name)
        lengths = [_pixels(values[column]) for values in self.styles]
        return np.asarray(np.array(lengths, dtype=np.float32)[self.style])

    @cached_property
    def has_words(self) -> Bools:
        """Texts with more than white space, bool (n,)."""
        result = np.fromiter((bool(t) and not t.isspace() for t in self.text), bool, len(self))
        return result & self.is_text

    def text_below(self, row: int) -> str:
        """Return all text at or below a row, visible or not, as ``textContent``: without frames."""
        end = int(self.end[row])
        if not self._has_frames:
            everything, starts = self._texts
            return everything[starts[row] : starts[end]]
        own = self.frame[row]
        return "".join([self.text[k] for k in range(row, end) if self.frame[k] == own])

    @cached_property
    def _has_frames(self) -> bool:
        return bool(self.frame.any())

    @cached_property
    def _texts(self) -> tuple[str, list[int]]:
        """All texts one after the other, and where each row's starts."""
        return "".join(self.text), list(accumulate(map(len, self.text), initial=0))

    def path(self, row: int) -> str:
        """Return the row's path: ``/html[1]/body[1]/div[2]/text()[1]``, counting all siblings."""
        steps = []
        while row >= 0:
            parent = int(self.parent[row])
            name = self.name_of(row)
            position = 1
            if parent >= 0:
                before = self.children(parent)
                before = before[before < row]
                position += int(np.count_nonzero(self.tag[before] == self.tag[row]))
            steps.append(f"{'text()' if name == '#text' else name}[{position}]")
            row = parent
        return "/" + "/".join(reversed(steps))


def _pixels(value: str) -> float:
    try:
        return float(value.removesuffix("px"))
    except ValueError:
        return 0.0
