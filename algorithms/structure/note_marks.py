"""Marks of notes: their labels, the elements around them, and the titles that notes have."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from algorithms.structure.rows import PageRows

_MARK = re.compile(
    r"[\[({]?\s*(?:(?:note|nb|n|fn|footnote|endnote|ref)\.?\s?)?"
    r"(\d{1,4}|[A-Z][a-zA-Z+]{1,14}\d{2,4}[a-z]?|[a-zA-Z]|[ivxlc]{1,6}|[*†‡§¶#]{1,4}|[¹²³⁰⁴-⁹]{1,4})(?::\d+)?\s*[\])}]?[.:]?",
    re.IGNORECASE,
)
AREA_TITLES = re.compile(
    r"(?:foot|end|side)?[\s-]?notes?(?: and references)?|references(?: and notes| & notes)?"
    r"|bibliography|citations|sources|works cited|anmerkungen|fußnoten|einzelnachweise|notes et "
    r"références|notas|referencias|примечания",
    re.IGNORECASE,
)
_NOTES_TITLES = re.compile(
    r"\W*(?:(?:foot|end|side)[\s-]?)?notes?|anmerkungen|fußnoten|notas|примечания\W*", re.IGNORECASE
)
"""Titles with nothing left below once their notes are at the end; others head a list."""

CLIMBED = frozenset(["sup", "span", "em", "strong", "b", "i", "small", "cite", "label"])
HEADING_TAGS = frozenset(f"h{level}" for level in range(1, 7))
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@dataclass(frozen=True)
class Note:
    """A note.

    Attributes:
        label: Its name.
        rows: What it consists of, ascending.
        hidden: Rows in it that only name it or lead back.
        backs: Those of them that lead back.
        copies: Rows that repeat it, or only name it.
        text: Its text where that is in an attribute; "" else.
        address: What that text links to; "" for nothing.
    """

    label: str
    rows: tuple[int, ...]
    hidden: frozenset[int] = frozenset()
    copies: frozenset[int] = frozenset()
    text: str = ""
    backs: frozenset[int] = frozenset()
    address: str = ""


class FoundNote(NamedTuple):
    """A note by the rows of its marks."""

    marks: list[int]
    label: str
    note: Note


class NoteBody(NamedTuple):
    rows: tuple[int, ...]
    hidden: frozenset[int] = frozenset()
    copies: frozenset[int] = frozenset()


def label_of(text: str) -> str:
    match = _MARK.fullmatch(text.strip())
    return match[1].translate(_SUPERSCRIPTS) if match else ""


def siblings_after(rows: PageRows, row: int, *, texts: bool = False) -> list[int]:
    parent = rows.parent[row]
    return [at for at in rows.children(parent) if at > row and (texts or rows.names[at] != "#text")]


def is_title_of_notes(text: str) -> bool:
    """Return whether a text heads notes, and no list of references."""
    return _NOTES_TITLES.fullmatch(text) is not None


def outermost(rows: PageRows, row: int) -> int:
    """Return the outermost element that holds a mark alone, brackets around it included."""
    own = rows.text(row).strip("[]() ,")
    while rows.parent[row] >= 0 and rows.names[rows.parent[row]] in CLIMBED:
        parent = rows.parent[row]
        if rows.text(parent).replace(" ", "").strip("[](),") != own.replace(" ", ""):
            break
        row = parent
    return row
