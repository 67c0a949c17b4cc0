"""Plain text of kept content: shown words, and formulas as their TeX."""

import re

import numpy as np
import numpy.typing as npt

from algorithms.signals.memo import shared
from algorithms.structure.code import line_numbers, may_hold_code
from algorithms.structure.formulas import formulas_in, is_held
from algorithms.structure.noise import ICON_HINTS, PRIVATE, icons_of
from algorithms.structure.rows import bare_readings, page_rows
from engine.source import Source
from engine.tree import Bools, Ints

_PRIVATE_LETTER = re.compile(
    rf"{PRIVATE}|&#[xX][eEfF][0-9a-fA-F]{{3}};|&#(?:5[7-9]|6[0-3])\d{{3}};"
)
_RAISED_END = re.compile(r"</[sS][uU][bBpP]>")
_AFTER_RAISED = frozenset(",.;:!?)]")
_SEPARATORS = ("", " ", "\n")


def text_of(source: Source, spans: Ints) -> str:
    """Return `Source.text_of` spans, int32 (k, 2), as a reader would write it down.

    Each formula is there once, as its TeX, each reading in brackets; `unread_rows` are left out,
    and so is the blank before a comma that is in a raised or lowered part.
    """
    formulas, _ = formulas_in(source)
    unread, readings = unread_rows(source), bare_readings(source)
    if not (formulas or unread or readings or _ends_of_raised(source.html)):
        return source.text_of(spans)
    index, parts, joints = source.pieces_of(spans)
    joints = joints_of_raised(source, index, joints)
    tree, starts = source.tree, source.tokens.spans[index, 0]
    is_gone = np.zeros(len(parts) + 1, dtype=bool)
    for row in unread:
        first, past = starts.searchsorted(tree.outer[row]).tolist()
        is_gone[first:past] = True
        if past > first and past < len(parts):
            joints[past] = max(joints[first : past + 1])
    for row in readings:
        first, past = starts.searchsorted(tree.outer[row]).tolist()
        if past > first:
            parts[first] = f"({parts[first]}"
            parts[past - 1] += ")"
    said = _said_formulas(source, spans, joints, starts, is_gone)
    pieces: list[str] = []
    for place, (text, joint) in enumerate(zip([*parts, ""], [*joints.tolist(), 0], strict=True)):
        if place in said:
            tex, space = said[place]
            pieces += [space, tex]
        if not is_gone[place] and text:
            pieces += [_SEPARATORS[joint], text]
    return "".join(pieces).strip()


def _said_formulas(
    source: Source, spans: Ints, joints: npt.NDArray[np.int8], starts: Ints, is_gone: Bools
) -> dict[int, tuple[str, str]]:
    """Return the TeX of formulas and the text before each, by the index of the part it precedes.

    ``joints`` and ``is_gone`` of the parts are changed: text in a formula's place is gone.
    """
    (formulas, copies), tree = formulas_in(source), source.tree
    said: dict[int, tuple[str, str]] = {}
    for row in (*formulas, *copies):
        start, end = tree.outer[row].tolist()
        first, past = starts.searchsorted([start, end]).tolist()
        is_gone[first:past] = True
        if row not in formulas or not (past > first or is_held(source, spans, row)):
            continue
        space = _SEPARATORS[joints[first]] if past > first else _space_before(source, start)
        if past == first and formulas[row].is_display:
            space, joints[first : first + 1] = "\n", 2
        if past == first < len(starts) and joints[first] < 2:
            between = source.html[end : starts[first]]
            joints[first] = bool(re.sub(r"<[^>]*>", "", between))
        said[first] = (f"{said[first][0]} " if first in said else "") + formulas[row].tex, space
    return said


@shared
def unread_rows(source: Source) -> tuple[int, ...]:
    """Return rows of words that are not shown as words, and of line numbers.

    These are names of icons, letters of their fonts, and texts in a frame's element.
    """
    html = source.html.lower()
    has_letters = not html.isascii() or "&#" in html
    has_icons = any(hint in html for hint in ICON_HINTS) or (
        has_letters and _PRIVATE_LETTER.search(source.html) is not None
    )
    has_code, has_frames = may_hold_code(html), "<iframe" in html or "<noembed" in html
    if not (has_icons or has_code or has_frames):
        return ()
    rows = page_rows(source)
    found = {*rows.named("iframe", "noembed")}
    found |= icons_of(rows) if has_icons else set()
    found |= line_numbers(rows) if has_code else set()
    return tuple(sorted(found))


def _ends_of_raised(html: str) -> list[int]:
    """Return where tags end that close a ``sup`` or ``sub`` between a blank and punctuation."""
    ends = [(found.start(), found.end()) for found in _RAISED_END.finditer(html)]
    return [
        end for start, end in ends
        if html[start - 1 : start].isspace() and html[end : end + 1] in _AFTER_RAISED
    ]  # fmt: skip


def joints_of_raised(
    source: Source, index: npt.NDArray[np.intp], joints: npt.NDArray[np.int8]
) -> npt.NDArray[np.int8]:
    """Return `joints` of words, (k,), without blanks at the end of a ``sup`` or ``sub``.

    Only before a mark of punctuation that stands directly after it: ``day<sup>9 </sup>, and``.
    """
    ends = np.array(_ends_of_raised(source.html), dtype=np.int32)
    if not ends.size:
        return joints
    starts = source.tokens.spans[index, 0]
    return np.where(np.isin(starts, ends) & (joints == 1), 0, joints).astype(np.int8)


def _space_before(source: Source, start: int) -> str:
    words = source.tokens.spans
    at = int(words[:, 1].searchsorted(start, side="right")) - 1
    between = source.html[int(words[at, 1]) if at >= 0 else 0 : start]
    return " " if re.sub(r"<[^>]*>", "", between) else ""
