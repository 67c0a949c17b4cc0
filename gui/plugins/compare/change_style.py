"""Style of a change, in the list and on the page."""

from collections.abc import Sequence

from algorithms.explain.differences import ErrorKind
from algorithms.explain.page_errors import PageError
from annotate.evaluation.bundle.page import GAINED_COLOR as GAINED
from annotate.evaluation.bundle.page import LOST_COLOR as LOST
from annotate.plugins.compare.compare import PageChange, largest
from engine.words import plural
from gui.core.findings import frame_box
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec

_DASHES = {ErrorKind.MISSING: "dashed", ErrorKind.SUPERFLUOUS: "solid"}
"""Both underlined: strike-through is for superfluous text of errors."""
_COLORS = {ErrorKind.MISSING: LOST, ErrorKind.SUPERFLUOUS: GAINED}
_WORDS = {ErrorKind.MISSING: "lost", ErrorKind.SUPERFLUOUS: "gained"}


def badge_of(change: PageChange) -> tuple[str, str]:
    """Return the sign of a change and its colour: by the score, or by words without one."""
    words = change.text.words_gained - change.text.words_lost
    value = words if change.difference is None else change.difference
    return ("−", LOST) if value < 0 else ("+", GAINED)


def change_specs(parts: Sequence[PageError], pieces: PageNumberings) -> list[LayerSpec]:
    """Return the layers of lost and gained texts, and a frame around the largest of them."""
    framed = largest(tuple(parts))
    result: list[LayerSpec] = []
    for kind, word in _WORDS.items():
        those = [part for part in parts if part.kind is kind and part.ranges]
        if not those:
            continue
        boxes = [
            frame_box(part.rows, f"{word}: {plural(round(part.amount), 'word')}", pieces)
            for part in framed
            if part.kind is kind
        ]
        ranges = [pieces.range(*each) for part in those for each in part.ranges]
        look = {"color": _COLORS[kind], "dash": _DASHES[kind], "opacity": 1.0}
        result.append({"id": f"change-{word}", **look, "boxes": boxes, "ranges": ranges})
    return result
