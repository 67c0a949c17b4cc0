"""Shortcuts of the user's own: kept in a file, put into the table of actions, printed.

The file, ``keys.json`` beside the settings, holds only what differs from the table: name of the
action → its keys, as in ``{"adopt": ["Ctrl+Shift+B"]}``.  An empty list takes all keys away.
"""

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

from PySide6.QtCore import QMarginsF
from PySide6.QtGui import QKeySequence, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from engine.errors import InputError
from engine.whole_file import atomic_write
from gui.core.action import Action

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
        return {}, [f"{path.name} cannot be read, the usual shortcuts hold: {error}"]
    if not isinstance(content, dict):
        return {}, [f"{path.name} is not a table of shortcuts; the usual ones are used"]
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

_STYLE = """body { font-family: sans-serif; font-size: 9pt; color: #111; margin: 24px; }
h1 { font-size: 15pt; margin: 0 0 10px; } h2 { font-size: 10.5pt; margin: 12px 0 3px; }
table { width: 100%; border-collapse: collapse; } td { padding: 1px 0; vertical-align: top; }
td.keys { text-align: right; white-space: nowrap; font-weight: 600; }
@media screen, print { main { columns: 3; column-gap: 28px; } section { break-inside: avoid; } }"""


def as_html(sections: ShortcutRows) -> str:
    """Return all shortcuts as one page that needs nothing else."""
    parts = []
    for heading, rows in sections:
        lines = "".join(
            f'<tr><td>{escape(text)}</td><td class="keys">{escape(" or ".join(keys))}</td></tr>\n'
            for text, keys in rows
        )
        parts.append(f"<section><h2>{escape(heading)}</h2><table>\n{lines}</table></section>\n")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Pagelet: shortcuts</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>Pagelet: shortcuts</h1><main>\n{''.join(parts)}</main></body></html>\n"
    )


def write_sheet(path: Path, sections: ShortcutRows) -> None:
    """Write all shortcuts as HTML or, by the file's ending, PDF; `InputError` if that fails."""
    html = as_html(sections)
    try:
        with atomic_write(path) as beside:
            if path.suffix.lower() != ".pdf":
                beside.write_text(html, encoding="utf-8")
                return
            writer = QPdfWriter(str(beside))
            writer.setTitle("Pagelet: shortcuts")
            writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
            writer.setPageMargins(QMarginsF(15, 14, 15, 14), QPageLayout.Unit.Millimeter)
            document = QTextDocument()
            document.setHtml(html)
            document.print_(writer)
            del writer  # ends the file
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
