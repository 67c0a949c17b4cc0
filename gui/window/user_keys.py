"""Shortcuts of the user's own: kept in a file, put into the table of actions, printed.

The file, ``keys.json`` beside the settings, holds only what differs from the table: name of the
action → its keys, as in ``{"adopt": ["Ctrl+Shift+B"]}``.  An empty list takes all keys away.
"""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF
from PySide6.QtGui import QKeySequence, QPageLayout, QPageSize, QPainter, QPdfWriter

from annotate.evaluation.report.markup import fill_template
from engine.bounded_file import atomic_write
from engine.errors import InputError
from gui.core.action import Action
from gui.widgets.texts import ClosedDocument

log = logging.getLogger(__name__)

Keys = Mapping[str, tuple[str, ...]]

RENAMED: Mapping[str, str] = {}
"""Name of an action in files of earlier versions → its name now."""

_PORTABLE = QKeySequence.SequenceFormat.PortableText


def read_keys(
    path: Path, actions: Sequence[Action], renamed: Mapping[str, str] = RENAMED
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return the user's keys, and a sentence for each entry that cannot be used.

    ``renamed`` gives entries of earlier versions the names of now; where a file has both, the name
    of now counts.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError, RecursionError) as error:
        return {}, [f"{path.name} cannot be read, the default shortcuts are used: {error}"]
    if not isinstance(content, dict):
        return {}, [f"{path.name} is not a table of shortcuts; the default ones are used"]
    names = {action.name for action in actions}
    result: dict[str, tuple[str, ...]] = {}
    problems = []
    for stored, keys in content.items():
        name = renamed.get(stored, stored)
        if name != stored and name in content:
            continue
        if name not in names:
            problems.append(f"{path.name}: there is no action {name}")
        elif not isinstance(keys, list) or not all(is_key(key) for key in keys):
            problems.append(f"{path.name}: {keys!r} is not a list of keys (for {name})")
        else:
            result[name] = tuple(keys)
    return result, problems


def write_keys(path: Path, keys: Keys) -> None:
    """Keep the user's keys; `InputError` if the file cannot be written."""
    text = json.dumps({name: list(each) for name, each in sorted(keys.items())}, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as beside:
            beside.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def is_key(key: object) -> bool:
    """Whether something names a key, such as ``Ctrl+Shift+B``."""
    if not isinstance(key, str) or not key:
        return False
    sequence = QKeySequence(key)
    return sequence.count() == 1 and bool(sequence.toString(_PORTABLE)) and "?" not in key[:-1]


def with_keys(actions: Iterable[Action], keys: Keys) -> tuple[Action, ...]:
    """Return a table of actions with the user's keys in place of the usual ones."""
    return tuple(
        replace(action, keys=keys[action.name]) if action.name in keys else action
        for action in actions
    )


# -- print-out

ShortcutRows = Iterable[tuple[str, Iterable[tuple[str, tuple[str, ...]]]]]
"""Heading → text and keys of each line."""


def as_html(sections: ShortcutRows) -> str:
    """Return all shortcuts as one page that needs nothing else."""
    return fill_template("shortcuts/sheet.html", sections=sections)


_COLUMNS, _WIDTHS = 3, range(700, 1500, 100)
"""Of the PDF: columns; how wide, px, it is tried to be before it is scaled to the page."""


def _draw_on_one_page(writer: QPdfWriter, sections: ShortcutRows) -> None:
    """Draw all shortcuts in columns, as large as one page lets them be."""
    parts = [(heading, list(rows)) for heading, rows in sections]
    groups = split([len(rows) + 2 for _, rows in parts], _COLUMNS)
    columns = [[parts[index] for index in group] for group in groups]
    document = ClosedDocument()
    document.setHtml(fill_template("shortcuts/one_page.html", columns=columns))
    page = QRectF(0, 0, writer.width(), writer.height())

    def scale(width: int) -> float:
        document.setTextWidth(width)
        size = document.size()
        return min(page.width() / size.width(), page.height() / size.height())

    best = max(_WIDTHS, key=scale)
    painter = QPainter(writer)
    factor = scale(best)
    painter.scale(factor, factor)
    document.drawContents(painter)
    painter.end()


def write_sheet(path: Path, sections: ShortcutRows) -> None:
    """Write all shortcuts as HTML or, by the file's ending, PDF; `InputError` if that fails."""
    parts = [(heading, list(rows)) for heading, rows in sections]
    html = as_html(parts)
    try:
        with atomic_write(path) as beside:
            if path.suffix.lower() != ".pdf":
                beside.write_text(html, encoding="utf-8")
                return
            writer = QPdfWriter(str(beside))
            writer.setTitle("Pagelet: shortcuts")
            writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
            writer.setPageMargins(QMarginsF(10, 10, 10, 10), QPageLayout.Unit.Millimeter)
            _draw_on_one_page(writer, parts)
            del writer  # ends the file
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def split(weights: list[int], parts: int) -> list[list[int]]:
    """Return consecutive groups of places, at most ``parts``, whose heaviest is lightest."""
    best = max(weights)
    while True:
        groups: list[list[int]] = [[]]
        load = 0
        for index, weight in enumerate(weights):
            if load + weight > best and groups[-1]:
                groups.append([])
                load = 0
            groups[-1].append(index)
            load += weight
        if len(groups) <= parts:
            return groups
        best += 1
