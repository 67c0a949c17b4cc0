"""Readings of words (``ruby``), written in brackets after the words."""

from algorithms.signals.memo import shared
from algorithms.structure.rows import PageRows, page_rows
from engine.source import Source

_OPENING = ("(", "（", "[", "〔", "【", "《")


@shared
def bare_readings(source: Source) -> tuple[int, ...]:
    """Return the readings of a page to which its own text gives no brackets, rows of ``rt``."""
    if "<rt" not in source.html and "<RT" not in source.html:
        return ()
    rows = page_rows(source)
    return tuple(
        row for row in rows.named("rt")
        if not (_is_after_bracket(rows, row) or has_own_brackets(rows, row))
    )  # fmt: skip


def has_own_brackets(rows: PageRows, row: int) -> bool:
    """Return whether a reading itself begins with a bracket."""
    return rows.glued(row).strip().startswith(_OPENING)


def _is_after_bracket(rows: PageRows, row: int) -> bool:
    before = next((at for at in reversed(rows.elements(rows.parent[row])) if at < row), None)
    return before is not None and rows.names[before] == "rp" and bool(rows.glued(before).strip())
