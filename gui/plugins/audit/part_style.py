"""Style of a contradicted part of gold, in the list and on the page."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.plugins.audit.auditing import AuditedPart
from gui.core.findings import frame_box
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec


@dataclass(frozen=True)
class PartStyle:
    """Sign for the effect of *Fix*, colour, ``#rrggbb``, and line on the page."""

    sign: str
    color: str
    line: str


_MISSING = PartStyle("+", "#C24A00", "underline")
_MUCH = PartStyle("−", "#0067A6", "line-through")
_OTHER_TYPE = PartStyle("≠", "#7A3F9D", "underline")


def style_of(part: AuditedPart) -> PartStyle:
    if part.suggested:
        return _OTHER_TYPE
    return _MUCH if part.finding.is_marked else _MISSING


def audit_specs(
    part: AuditedPart,
    rows: Sequence[int],
    ranges: Sequence[tuple[int, int, int]],
    pieces: PageNumberings,
) -> list[LayerSpec]:
    """Return the layers of a part: its texts, and around them a frame with the first reason.

    A block has a row and no texts.
    """
    if not rows:
        return []
    style = style_of(part)
    box = frame_box(rows, f"{part.says}: {part.finding.reasons[0]}", pieces)
    drawn = {"boxes": [box], "ranges": [pieces.range(*each) for each in ranges]}
    look = {"color": style.color, "dash": "solid", "opacity": 1.0, "line": style.line}
    return [{"id": "audit", **look, **drawn}]
